"""The formats of logs, by name, and which one a file is of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from lt_bench import jsonl
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.integrations.runs import batch_output, inspect_log, lm_eval_log, predictions_log
from lt_bench.integrations.runs.log import Log

_ZIP = b"PK"
_HEAD: Final = 4096


def _inspect(path: Path) -> Log:
    return inspect_log.read(path) if _starts(path).startswith(_ZIP) else inspect_log.read_json(path)


FORMATS: Mapping[str, Callable[[Path], Log]] = {
    "lm-eval": lm_eval_log.read,
    "inspect": _inspect,
    "predictions": predictions_log.read,
    "openai-batch": batch_output.read,
    "vllm-batch": batch_output.read,
}
"""Name -> what reads it."""

_ROWS: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "lm-eval": lm_eval_log.is_sample,
    "openai-batch": batch_output.is_result,
    "predictions": predictions_log.is_prediction,
}
"""Formats of one row a line, and what tells such a row."""


def open_log(path: Path, name: str | None = None) -> Log:
    """The log in a file, of the format named or else guessed.

    Raises:
        UsageError: an unknown format, a file of none of them, or one that is broken.
    """
    if name is not None and name not in FORMATS:
        raise UsageError(
            f"unknown format {name!r}.{did_you_mean(name, FORMATS)}",
            f"known: {', '.join(FORMATS)}",
        )
    jsonl.check_file(path)
    return FORMATS[name or guess(path)](path)


def guess(path: Path) -> str:
    """The format of a file, by its first bytes and its first row.

    Raises:
        UsageError: it is none of them.
    """
    start = _starts(path)
    if start.startswith(_ZIP) or _begins_object_of_inspect(start):
        return "inspect"
    first = next(jsonl.read(path), None)
    if first is None:
        raise UsageError(f"{path} is empty", "name a log with answers in it")
    for name, fits in _ROWS.items():
        if fits(first.data):
            return name
    if "results" in first.data and "configs" in first.data:
        raise UsageError(
            f"{path} is the summary of a run of lm-eval, without any answer",
            "name the samples_*.jsonl beside it (lm-eval writes it with --log_samples)",
        )
    keys = ", ".join(list(first.data)[:8]) or "no keys"
    raise UsageError(
        f"{path} is of no known format (its first row has {keys[:160]})",
        f"name one with --format ({', '.join(FORMATS)}), or write rows of id and output",
    )


def _starts(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}", "check the path and its rights"
        ) from error


def _begins_object_of_inspect(start: bytes) -> bool:
    """A .json log is one object over many lines, which begins with its version and its status."""
    head = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    return head.startswith(b"{") and all(
        key in head for key in (b'"version"', b'"status"', b'"eval"')
    )
