"""`lt-bench data audit`: whether a row of one split stands in another, and how the two differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lt_bench.cli.data.options import AsJson, Catalogs, FormatName, Settings, TaskName
from lt_bench.cli.data.splits import Split, splits_of

if TYPE_CHECKING:
    from lt_bench.builders import Builder, Importer
    from lt_bench.builders.audit import Audit, Hit, Kind
    from lt_bench.builders.base import AuditUnit
    from lt_bench.records import Example

SHOWN_BETWEEN, SHOWN_WITHIN = 20, 5
UNITS: dict[AuditUnit, str] = {
    "question": "the question",
    "row": "question, history and evidence",
}

Place = tuple[str, str]
"""Split and id of a row."""


def audit(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="A file for each split, or a folder of a build."),
    ],
    task: TaskName = None,
    format_: FormatName = None,
    set_: Settings = None,
    catalog: Catalogs = None,
    json: AsJson = False,
) -> None:
    """Look for rows that stand in two splits, copied or nearly so. Exit code 2 if there are any.

    The task says what is compared: question, history and evidence, and then no group (room,
    product, dialogue) may be in two splits either; or the question alone, as in musique.
    """
    from lt_bench.cli.data.options import reader_of

    catalogs = tuple(catalog or ())
    splits = tuple(_named([split for file in files for split in splits_of(file)]))
    source = Source(splits, reader_of(task, format_, set_, catalogs), task, catalogs)
    found = source.audit()
    if json:
        import json as jsonlib

        shown = {"clean": found.clean, **found.model_dump(mode="json")}
        typer.echo(jsonlib.dumps(shown, ensure_ascii=False))
    else:
        from lt_bench.plain import on_one_line

        for line in _report(source, found):
            typer.echo(on_one_line(line))
    if not found.clean:
        raise typer.Exit(2)


@dataclass(frozen=True)
class Source:
    """The splits, and how their rows are read; `reader` None: they are recognised."""

    splits: tuple[Split, ...]
    reader: Builder | Importer | None
    task: str | None
    catalogs: tuple[Path, ...]

    def audit(self) -> Audit:
        """Reads every row once and compares it.

        Raises:
            UsageError: there is none.
        """
        from lt_bench.builders.audit import Auditor
        from lt_bench.builders.progress import part
        from lt_bench.cli.data.progress import choose
        from lt_bench.errors import UsageError

        auditor, progress = Auditor(self.unit()), choose()
        for split in self.splits:
            auditor.open(split.name)
            with part(progress, split.name):
                for example in self.read(split):
                    auditor.add(split.name, example)
                    progress.advance()
        with part(progress, "near duplicates"):
            found = auditor.finish()
        if not sum(found.rows.values()):
            names = ", ".join(str(split.path) for split in self.splits)
            raise UsageError(f"{names}: no row to compare", "check the path, or build it again")
        return found

    def read(self, split: Split) -> Iterator[Example]:
        """The rows of a split; of labelled replies, what was asked.

        Raises:
            UsageError: a row cannot be read, or asks nothing.
        """
        from lt_bench.builders.problem import strict
        from lt_bench.builders.recognise import inspect, inspected, recognise
        from lt_bench.errors import UsageError
        from lt_bench.records import Document, Labelled

        path = split.path
        items = (
            inspected(self.reader, path)
            if self.reader
            else inspect(path, recognise(path) or "examples")  # broken rows are told, not skipped
        )
        for record in strict(path, items):
            if isinstance(record, Document):
                raise UsageError(f"{path} holds documents, no questions", "name other files")
            if isinstance(record, Labelled):
                yield record.example.model_copy(update={"id": record.id})
            else:
                yield record

    def unit(self) -> AuditUnit:
        """What is compared: as the builder of the task says, which is named or that of the first
        row; all of a row where nobody says."""
        from lt_bench.catalog import entries
        from lt_bench.task import Task

        rows = (row for split in self.splits for row in self.read(split))
        first = next(rows, None)
        task = self.task or (first.task if first else "")
        if task not in entries("tasks", self.catalogs):
            return "row"
        return Task.load(task, self.catalogs).builder.unit

    def rows(self, places: Iterable[Place]) -> dict[Place, Example]:
        """The rows that stand there, read anew."""
        wanted = set(places)
        found: dict[Place, Example] = {}
        for split in self.splits:
            ids = {name for where, name in wanted if where == split.name}
            for example in self.read(split) if ids else ():
                if example.id in ids:
                    found[split.name, example.id] = example
                    ids.discard(example.id)
                    if not ids:
                        break
        return found


def _named(splits: Sequence[Split]) -> Iterator[Split]:
    """With names of their own: equal ones get the folder in front."""
    from lt_bench.errors import UsageError

    names = [split.name for split in splits]
    seen: set[str] = set()
    for split in splits:
        place = realpath(split.path)
        if place in seen:
            raise UsageError(f"{split.path} is named twice", "name each file once")
        seen.add(place)
        unique = names.count(split.name) == 1
        yield split if unique else Split(str(split.path.with_suffix("")), split.path)


def _report(source: Source, found: Audit) -> Iterator[str]:
    sizes = ", ".join(f"{name} {size:,} rows" for name, size in found.rows.items())
    yield f"{sizes}; compared: {UNITS[found.unit]}"
    if found.blank:
        yield f"{found.blank:,} rows have no text to compare"
    if found.shared_ids:
        yield f"{found.shared_ids:,} ids occur in two splits, which is no leak by itself"
    if found.unit == "question" and found.shared_groups:
        yield f"{found.shared_groups:,} groups occur in two splits, which is no leak here"
    between, within = found.between[:SHOWN_BETWEEN], found.within[:SHOWN_WITHIN]
    rows = source.rows(
        (split, name)
        for hit in (*between, *within)
        for split, name in zip(hit.splits, (hit.first, hit.second), strict=True)
    )
    yield from _hits("within a split", within, found.within_counts, rows)
    yield from _hits("BETWEEN SPLITS", between, found.between_counts, rows)
    yield (
        "clean: nothing of one split stands in another"
        if found.clean
        else ("leak: remove these rows from one of the splits, or keep each group in one split")
    )


def _hits(
    where: str,
    hits: Sequence[Hit],
    counts: Mapping[Kind, int],
    rows: Mapping[Place, Example],
) -> Iterator[str]:
    from lt_bench.cli.data.difference import differences

    if not counts:
        return
    yield ""
    yield f"{where}: " + ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
    for hit in hits:
        one, other = zip(hit.splits, (hit.first, hit.second), strict=True)
        alike = "" if hit.similarity is None else f" {hit.similarity:.2f}"
        group = "" if hit.group is None else f" {hit.group}"
        yield f"  {hit.kind}{alike}{group}: {one[0]} {one[1]} ~ {other[0]} {other[1]}"
        if hit.kind != "group":
            yield from (f"      {line}" for line in differences(rows[one], rows[other]))
    if sum(counts.values()) > len(hits):
        yield f"  … and {sum(counts.values()) - len(hits):,} more; --json lists up to 1,000"
