"""lt-bench: how good, how short and how fast is a reasoning model's answer in a live conversation?

    from lt_bench import evaluate, Run

`evaluate(model, task=...)` runs one task and returns its ResultCard; `Run(path)` opens a run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lt_bench.run import Run, evaluate

__all__ = ["Run", "__version__", "evaluate"]


def __getattr__(name: str) -> Any:
    """Loads on first use, so that `lt-bench --help` stays quick."""
    if name == "__version__":
        from importlib.metadata import version

        return version("lt-bench")
    if name in ("Run", "evaluate"):
        from lt_bench import run

        return getattr(run, name)
    raise AttributeError(f"module 'lt_bench' has no attribute {name!r}")
