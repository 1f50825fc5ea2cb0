"""`lt-bench lm-eval-path`: the folder that lm-eval finds our tasks in."""

from __future__ import annotations

import typer


def lm_eval_path() -> None:
    """Print the folder of our tasks for `lm-eval run --include_path`."""
    from lt_bench.integrations.lm_eval import TASKS

    typer.echo(TASKS)
