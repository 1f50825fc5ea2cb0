"""The examples that a stage works on, and what tells them from others."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import islice

from lt_bench.errors import UsageError
from lt_bench.records import Example
from lt_bench.task import Task
from lt_bench.train.recipe import Rows


def examples_of(task: Task, rows: Rows) -> list[Example]:
    """The rows of a file, or those that the task's builder makes, in their order.

    Raises:
        UsageError: the file cannot be used, the builder makes no such rows, there are none, or two
            have one id.
    """
    if rows.file is not None:
        found = task.examples(rows.file.expanduser(), rows.limit)
    else:
        made = task.builder.build(rows.split, rows.rows, rows.seed)
        found = list(islice(made, rows.limit))
    if not found:
        raise UsageError(
            f"task {task.spec.name} makes no row of split {rows.split!r}",
            "check rows: in the recipe",
        )
    _check_ids(found)
    return found


def data_sha(examples: Iterable[Example]) -> str:
    """sha256 (hex) of the rows as JSON Lines, in their order."""
    sha = hashlib.sha256()
    for example in examples:
        sha.update(example.model_dump_json().encode("utf-8", "surrogatepass") + b"\n")
    return sha.hexdigest()


def _check_ids(examples: Iterable[Example]) -> None:
    """Journals know a row by its id."""
    seen: set[str] = set()
    for example in examples:
        if example.id in seen:
            raise UsageError(f"two rows have the id {example.id!r}", "give each row its own id")
        seen.add(example.id)
