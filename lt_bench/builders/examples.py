"""Examples read back from JSON Lines: what a build or an import wrote, checked row by row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from lt_bench import jsonl
from lt_bench.builders.gold import gold_faults
from lt_bench.builders.problem import Inspected, Problem, Row, from_validation, unique
from lt_bench.errors import did_you_mean
from lt_bench.records import Example


def inspect_examples(path: Path) -> Iterator[Inspected]:
    """The Examples of a file in order, or what is wrong with each; the file is opened at once."""
    lines = jsonl.read(path)
    return unique(item for line in lines for item in inspect_line(line))


def inspect_line(line: jsonl.Line) -> Iterator[Inspected]:
    """One row as an Example, or what is wrong with it: gold that its documents do not bear out
    cannot be scored honestly, and all such faults of a row are named."""
    try:
        example = Example.model_validate(line.data)
    except ValidationError as error:
        yield _problem(line, error)
        return
    faults = [fault.at(line.number) for fault in gold_faults(example)]
    yield from faults
    if not faults:
        yield Row(line.number, example)


def _problem(line: jsonl.Line, error: ValidationError) -> Problem:
    """The first thing that is wrong; unknown fields last, since they may be a misspelt one."""
    faults = sorted(error.errors(), key=lambda fault: fault["type"] == "extra_forbidden")
    fault, known = faults[0], Example.model_fields
    name = str(fault["loc"][-1]) if fault["loc"] else ""
    if fault["type"] == "missing" and len(fault["loc"]) == 1:
        near = did_you_mean(name, [key for key in line.data if key not in known])
        return Problem(
            "error",
            line.number,
            name,
            f"is missing.{near.replace('Did you mean', 'Is it')}",
            f"an example has the fields {', '.join(known)}; "
            "`lt-bench data import` reads other formats",
        )
    if fault["type"] == "extra_forbidden" and len(fault["loc"]) == 1:
        return Problem(
            "error",
            line.number,
            name,
            f"no such field.{did_you_mean(name, known)}",
            "remove or rename it",
        )
    return from_validation(error, line.number)
