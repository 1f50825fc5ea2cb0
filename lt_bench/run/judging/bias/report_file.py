"""Bias reports on disk."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from lt_bench.errors import RunError, UsageError
from lt_bench.records import BiasReport
from lt_bench.run.disk import write_whole

MAX_BYTES = 64 * 2**20
"""A larger file is no report."""
_MADE = "name a file that `lt-bench judge bias --out` wrote"


def save_report(report: BiasReport, path: Path) -> None:
    """Writes or replaces the file in one step.

    Raises:
        RunError: the disk does not take it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}", "name another place") from error
    write_whole(path, report.model_dump_json(indent=2))


def load_report(path: Path) -> BiasReport:
    """A report that was written before.

    Raises:
        UsageError: there is none, or it is damaged.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{path} is no bias report: it is too large", "check the path")
        return BiasReport.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        said = f"{place}: {first['msg']}" if place else first["msg"]
        raise UsageError(f"{path} is no bias report: {said}", _MADE) from error
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", _MADE) from error
