"""Examples read back from disk: what a build or an import wrote, checked row by row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from lt_bench import jsonl
from lt_bench.builders import saved
from lt_bench.builders.gold import gold_faults
from lt_bench.builders.offered import tool_faults
from lt_bench.builders.problem import Inspected, Problem, Row, RowFault, from_validation, unique
from lt_bench.environments import ENVIRONMENTS
from lt_bench.errors import did_you_mean
from lt_bench.records import Example

MAX_DEPTH: Final = 100
"""Levels of lists and objects in a product, a world or a tool; more could not be written again."""


def inspect_examples(path: Path) -> Iterator[Inspected]:
    """The Examples of a file or of a saved data set in order, or what is wrong with each; it is
    opened at once."""
    lines = saved.scan(path)
    return unique(item for line in lines for item in inspect_line(line))


def inspect_line(line: jsonl.Line | jsonl.Broken) -> Iterator[Inspected]:
    """One row as an Example, or what is wrong with it: gold that its documents do not bear out
    cannot be scored honestly, and all such faults of a row are named."""
    if isinstance(line, jsonl.Broken):
        yield broken(line)
        return
    if "reply" in line.data and line.data.keys() & {"example", "labels"}:
        yield _labelled(line.number)
        return
    try:
        example = Example.model_validate(line.data)
    except ValidationError as error:
        yield _problem(line, error)
        return
    faults = [fault.at(line.number) for fault in example_faults(example)]
    yield from faults
    if not faults:
        yield Row(line.number, example)


def broken(line: jsonl.Broken) -> Problem:
    """A line that holds no object, as a problem of the file."""
    return Problem("error", line.number, "", line.message, line.fix)


def _labelled(number: int) -> Problem:
    return Problem(
        "error",
        number,
        "",
        "labelled replies, not questions",
        "name a file of questions; `lt-bench data show` reads these",
    )


def example_faults(example: Example) -> Iterator[RowFault]:
    """What is wrong with a row whose fields all have their types."""
    yield from _twice(example)
    yield from _too_deep(example)
    yield from tool_faults(example.tools)
    yield from _no_world(example)
    yield from gold_faults(example)


def _no_world(example: Example) -> Iterator[RowFault]:
    """A world that nobody here can open would be an error of its row each time it is asked."""
    if example.world and example.world.kind not in ENVIRONMENTS.targets:
        kind, known = example.world.kind, ENVIRONMENTS.targets
        yield RowFault(
            "world.kind",
            f"there is no world {kind!r}.{did_you_mean(kind, known)}",
            f"known: {', '.join(sorted(known))}; others come by the entry point {ENVIRONMENTS.group}",
        )


def _twice(example: Example) -> Iterator[RowFault]:
    """Gold names documents by their ids."""
    first: dict[str, int] = {}
    for place, document in enumerate(example.documents):
        if document.id in first:
            yield RowFault(
                f"documents.{place}.id",
                f"{document.id!r} is the id of documents.{first[document.id]} already",
                "give every document of a row an id of its own",
            )
        first.setdefault(document.id, place)


def _too_deep(example: Example) -> Iterator[RowFault]:
    free: dict[str, Any] = {
        f"documents.{place}.product": document.product
        for place, document in enumerate(example.documents)
        if document.product
    }
    free["tools"] = example.tools
    free["world"] = example.world and example.world.patch
    for name, value in free.items():
        if not _within(value, MAX_DEPTH):
            yield RowFault(
                name, f"is nested more than {MAX_DEPTH} levels deep", "flatten it, or leave it out"
            )


def _within(value: Any, levels: int) -> bool:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return True
    return levels > 0 and all(_within(inner, levels - 1) for inner in value)


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
