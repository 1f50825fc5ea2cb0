"""Rows that begin alike, on a local model: CPU of asking them with their beginnings read once, and row by row.

    python benchmarks/shared_prompts.py [--task tool_dialogue] [--rows 16] [--max-tokens 16] [--json]

The bundled model answers the first rows of a task's sample twice in one process, in either way; the
replies must be the same. Loading is not counted.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from lt_bench import Run, evaluate
from lt_bench.backends.transformers import passes

MODEL = "builtin/smollm2-135m"


def asked(folder: Path, task: str, rows: int, most: int) -> tuple[float, list[str]]:
    """CPU seconds of a run, and what was said."""
    before = time.process_time()
    settings = {"sampling.max_tokens": most}
    evaluate(MODEL, task=task, limit=rows, settings=settings, run=folder)
    return time.process_time() - before, list(Run(folder).to_pandas()["reply"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default="tool_dialogue")
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--max-tokens", type=int, default=16)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        asked(Path(scratch) / "warm", args.task, 1, 1)
        once, said = asked(Path(scratch) / "once", args.task, args.rows, args.max_tokens)
        with patch.object(passes, "FEWEST", sys.maxsize):
            each, said_too = asked(Path(scratch) / "each", args.task, args.rows, args.max_tokens)
    result = {
        "rows": args.rows,
        "read_once_cpu_s": once,
        "read_by_each_cpu_s": each,
        "ratio": each / once,
        "same_replies": said == said_too,
    }
    print(json.dumps(result) if args.json else "\n".join(f"{k}: {v}" for k, v in result.items()))
    return 0 if said == said_too else 1


if __name__ == "__main__":
    sys.exit(main())
