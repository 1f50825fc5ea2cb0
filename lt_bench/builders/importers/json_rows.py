"""Rows of JSON Lines that are published with known keys: each as a typed part, or a word about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from lt_bench import jsonl
from lt_bench.builders.problem import Inspected, Problem, Row, RowFault, from_validation
from lt_bench.errors import did_you_mean
from lt_bench.records import Example


class Part(BaseModel):
    """Keys that we read, of the types they are published with; other keys are left alone."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", allow_inf_nan=False)


Model = TypeVar("Model", bound=Part)


def inspect_rows(
    path: Path, model: type[Model], make: Callable[[Model, jsonl.Line], Example]
) -> Iterator[Inspected]:
    """Every line of the file as the Example that `make` gives for it, or what is wrong with it."""
    for line in jsonl.scan(path):
        if isinstance(line, jsonl.Broken):
            yield Problem("error", line.number, "", line.message, line.fix)
            continue
        try:
            yield Row(line.number, make(model.model_validate(line.data), line))
        except RowFault as fault:
            yield fault.at(line.number)
        except ValidationError as error:
            yield _misfit(error, line)


def _misfit(error: ValidationError, line: jsonl.Line) -> Problem:
    first = error.errors(include_url=False)[0]
    if first["type"] != "missing" or len(first["loc"]) != 1:
        return from_validation(error, line.number)
    name = str(first["loc"][0])
    near = did_you_mean(name, line.data).replace("Did you mean", "Is it")
    there = ", ".join(list(line.data)[:12]) or "none"
    return Problem("error", line.number, name, f"is missing.{near}", f"the row has: {there}")
