"""Who makes the rows that `data build NAME` asks for, and how many of which split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lt_bench import catalog
from lt_bench.builders import BUILDERS, LABELLERS, Builder, Labeller
from lt_bench.builders.base import Acting, AuditUnit, Limited, Referring, Sourced
from lt_bench.builders.manifest import Origin, portable
from lt_bench.builders.writing import Split
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Labelled
from lt_bench.task import Task

SIZES: Final = {"train": 8000, "test": 400}
ROWS: Final = 2000


@dataclass(frozen=True)
class Asked:
    """How many rows the command asks for; None: it does not say."""

    train: int | None = None
    test: int | None = None
    rows: int | None = None


@dataclass(frozen=True)
class FromBuilder:
    """Rows of a task. `options` are all that the builder was given."""

    name: str
    builder: Builder
    options: Mapping[str, Any]

    @property
    def unit(self) -> AuditUnit | None:
        return self.builder.unit

    def splits(self, asked: Asked, seed: int) -> dict[str, Split]:
        """What is to be written; of a source only what it holds, unless more was asked for.

        Raises:
            UsageError: nothing was asked for, or the source has none of it.
        """
        if asked.rows is not None:
            raise UsageError(f"{self.name} takes no --rows", "give --train and --test")
        sizes = self._sizes(asked)
        if not any(sizes.values()):
            raise UsageError("0 rows were asked for", "give --train or --test at least 1")
        return {name: self._split(name, size, seed) for name, size in sizes.items() if size}

    def origin(self, seed: int) -> Origin:
        sources = self.builder.sources() if isinstance(self.builder, Sourced) else {}
        return Origin(
            maker="builder",
            name=self.name,
            version=self.builder.version,
            seed=seed,
            options=portable(self.options),
            sources=sources,
        )

    def _sizes(self, asked: Asked) -> dict[str, int]:
        given = {"train": asked.train, "test": asked.test}
        held = self.builder.splits if isinstance(self.builder, Limited) else None
        for name, size in given.items():
            if size and held is not None and name not in held:
                raise UsageError(
                    f"the source has no rows for {name}, only for {', '.join(held)}",
                    f"leave --{name} out, or name a source for it",
                )
        return {
            name: SIZES[name] if size is None else size
            for name, size in given.items()
            if held is None or name in held
        }

    def _split(self, name: str, size: int, seed: int) -> Split:
        if isinstance(self.builder, Acting):
            dialogues = self.builder.dialogues(name, size, seed)
            return Split(dialogues, asked=size, replies=True)
        if isinstance(self.builder, Referring):
            rows = self.builder.references(name, size, seed)
            return Split(rows, asked=size, replies=True)
        return Split(self.builder.build(name, size, seed), asked=size)


@dataclass(frozen=True)
class FromLabeller:
    """Labelled replies, in one file."""

    name: str
    labeller: Labeller
    options: Mapping[str, Any]
    unit: None = None

    def splits(self, asked: Asked, seed: int) -> dict[str, Split]:
        """One file of labelled rows.

        Raises:
            UsageError: splits were asked for.
        """
        if asked.train is not None or asked.test is not None:
            raise UsageError(f"{self.name} has no train and test", "give --rows")
        size = ROWS if asked.rows is None else asked.rows
        rows = self.labeller.build(size, seed)
        return {"labels": Split(rows, kind=Labelled, asked=size)}

    def origin(self, seed: int) -> Origin:
        return Origin(
            maker="labeller",
            name=self.name,
            version=self.labeller.version,
            seed=seed,
            options=portable(self.options),
        )


def maker(
    name: str, options: Mapping[str, Any], catalogs: Sequence[Path]
) -> FromBuilder | FromLabeller:
    """The maker of this name; a task comes first.

    Raises:
        UsageError: nobody has that name, or an option is not one of its own.
    """
    tasks = catalog.entries("tasks", catalogs)
    if name in tasks:
        task = Task(tasks[name], builder=options)
        return FromBuilder(str(task.spec.builder["use"]), task.builder, task.builder_options)
    if name in BUILDERS.targets:
        return FromBuilder(name, BUILDERS.get(name)(dict(options)), options)
    if name in LABELLERS.targets:
        return FromLabeller(name, LABELLERS.get(name)(dict(options)), options)
    known = sorted({*tasks, *BUILDERS.targets, *LABELLERS.targets})
    raise UsageError(
        f"nothing called {name!r} makes rows.{did_you_mean(name, known)}",
        f"known: {', '.join(known)}; `lt-bench data import` reads other formats",
    )
