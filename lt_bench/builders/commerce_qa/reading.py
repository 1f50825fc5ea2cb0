"""Examples read back from JSON Lines: what a builder or an importer wrote."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from lt_bench import jsonl
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Example

IMPORT = "lt-bench data import"


def read_examples(path: Path) -> Iterator[Example]:
    """The examples of `path`, in file order; the file is opened, and its first row looked at,
    before the first example is asked for.

    Raises:
        UsageError: with file, line, field and fix; also when an id comes twice.
    """
    return _examples(path, jsonl.read(path))


def _examples(path: Path, lines: Iterator[jsonl.Line]) -> Iterator[Example]:
    seen: dict[str, int] = {}
    for line in lines:
        example = _example(path, line)
        if example.id in seen:
            raise UsageError(
                f"{path}, line {line.number}: field id: {example.id!r} is already on line {seen[example.id]}",
                "give every example an id of its own",
            )
        seen[example.id] = line.number
        yield example


def _example(path: Path, line: jsonl.Line) -> Example:
    try:
        return Example.model_validate(line.data)
    except ValidationError as error:
        raise _fault(path, line, error) from error


def _fault(path: Path, line: jsonl.Line, error: ValidationError) -> UsageError:
    """The first thing that is wrong; unknown fields last, since they may be a misspelt one."""
    faults: list[Any] = sorted(error.errors(), key=lambda fault: fault["type"] == "extra_forbidden")
    fault = faults[0]
    field = ".".join(str(part) for part in fault["loc"])
    where = f"{path}, line {line.number}: field {field}"
    if fault["type"] == "missing" and len(fault["loc"]) == 1:
        unknown = [name for name in line.data if name not in Example.model_fields]
        near = did_you_mean(field, unknown).replace("Did you mean", "Is it")
        return UsageError(
            f"{where} is missing.{near}",
            f"an example has the fields {', '.join(Example.model_fields)}; `{IMPORT}` reads other formats",
        )
    if fault["type"] == "extra_forbidden":
        known = Example.model_fields if len(fault["loc"]) == 1 else ()
        return UsageError(
            f"{where} is not known.{did_you_mean(field, known)}", "remove or rename the field"
        )
    return UsageError(
        f"{where}: {fault['msg']} (got {str(fault['input'])[:60]!r})", "correct the value"
    )
