"""The tasks of lt-bench for lm-eval: the same prompts, and the same scores of each row.

lm-eval finds tasks in a folder that it is given:

    lm-eval run --include_path "$(lt-bench lm-eval-path)" --tasks lt_musique …
"""

from __future__ import annotations

from pathlib import Path

TASKS = Path(__file__).parent / "tasks"
"""What `--include_path` takes: one YAML file a task, which names its class in `task.py`."""
