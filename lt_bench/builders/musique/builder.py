"""MuSiQue: multi-hop questions with their paragraphs, from the original rows or invented.

All supporting paragraphs of a row stay. Distractors are drawn from the row's own until it has
`documents` paragraphs: those of the smallest sha256(seed|id|answerable|idx), so that ten are part
of fifteen, and another row changes nothing. Order stays as in the file. A Document's place in the
list is its new index; its id is "p" and the original idx, so that ten documents keep the names
they have among twenty; titles repeat and identify nothing.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field, ValidationError, field_validator

from lt_bench.builders import saved
from lt_bench.builders.base import AuditUnit
from lt_bench.builders.examples import broken, inspect_line
from lt_bench.builders.musique.row import (
    MusiqueHop,
    MusiqueParagraph,
    MusiqueRow,
    empty_answers,
    parse_row,
)
from lt_bench.builders.problem import (
    Inspected,
    Problem,
    Row,
    RowFault,
    from_validation,
    strict,
    unique,
)
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError
from lt_bench.jsonl import Broken, Line
from lt_bench.records import AnswersGold, Document, Example, Hop

if TYPE_CHECKING:
    from lt_bench.builders.musique.source import Source

UNANSWERABLE = "::unanswerable"
"""Ends the id of an unanswerable row, because musique_full has every id twice."""


class MusiqueOptions(Config):
    """`documents` a row (20 is the official setting; a row with more supporting ones keeps them
    all); `full` keeps unanswerable rows; `source` names where `build` takes rows from (see
    `source`), and without it they are invented; `seed` draws the distractors of `read`."""

    documents: int = Field(default=10, ge=1)
    full: bool = False
    source: tuple[str, ...] = ()
    seed: int = 0

    @field_validator("source", mode="before")
    @classmethod
    def _one_or_several(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class Musique:
    """Builder of the task `musique`.

    Raises:
        UsageError: an unknown option or a value that does not fit.
    """

    version = 2
    unit: AuditUnit = "question"

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = validate(MusiqueOptions, options, "builder musique")

    @cached_property
    def _sources(self) -> dict[str, Source]:
        from lt_bench.builders.musique.source import sources

        return sources(self.options.source, full=self.options.full)

    @property
    def splits(self) -> tuple[str, ...] | None:
        """The splits that the sources hold; None where rows are invented for any."""
        return tuple(self._sources) if self.options.source else None

    def sources(self) -> dict[str, str]:
        """Name and sha256 of everything that `build` reads."""
        names = Counter(source.name for source in self._sources.values())
        return {
            source.name if names[source.name] == 1 else f"{split}={source.name}": source.sha256()
            for split, source in self._sources.items()
        }

    def build(self, split: str, size: int, seed: int) -> Iterator[Example]:
        """`size` rows of the source, the shares of hop shapes kept, in the order of the source;
        all of them where it has not more. Without a source, rows of an invented world (see
        `multihop`), all of them answerable."""
        from lt_bench.builders.musique import multihop

        if self.options.source:
            return self._selected(split, size, seed)
        if self.options.full:
            raise UsageError(
                "invented musique rows are all answerable", "leave --full off, or name a --source"
            )
        rows = multihop.rows(split, size, seed)
        return (self.example(parse_row(row), seed) for row in rows)

    def _selected(self, split: str, size: int, seed: int) -> Iterator[Example]:
        """Reads the source twice, so that no more than ids are held."""
        from lt_bench.builders.musique.selection import stratified

        if split not in self._sources:
            held = ", ".join(self._sources)
            raise UsageError(f"the source has no rows for {split}, only for {held}", "name another")
        source = self._sources[split]
        shapes = (
            (example.id, " ".join(example.tags))
            for example in strict(source.name, self._inspect(source.lines(), seed))
        )
        chosen = stratified(shapes, size, seed)
        for item in self._inspect(source.lines(), seed):
            if isinstance(item, Row) and item.record.id in chosen:
                yield item.record

    def read(self, path: Path) -> Iterator[Example]:
        """The rows of a file in the original schema, or of Examples written by a build."""
        return strict(path, self.inspect(path))

    def inspect(self, path: Path) -> Iterator[Inspected]:
        """Every row of a file as an Example, or what is wrong with it."""
        return self._inspect(saved.scan(path), self.options.seed)

    def _inspect(self, lines: Iterator[Line | Broken], seed: int) -> Iterator[Inspected]:
        return unique(itertools.chain.from_iterable(self._rows(lines, seed)))

    def _rows(self, lines: Iterator[Line | Broken], seed: int) -> Iterator[Iterator[Inspected]]:
        left_out: list[int] = []
        for line in lines:
            if isinstance(line, Broken):
                yield iter((broken(line),))
                continue
            if line.data.get("answerable") is False and not self.options.full:
                left_out.append(line.number)
                continue
            yield self._row(line, seed)
        if left_out:
            yield iter((_left_out(left_out[0], len(left_out)),))

    def _row(self, line: Line, seed: int) -> Iterator[Inspected]:
        try:
            if "paragraphs" not in line.data and "task" in line.data:
                yield from inspect_line(line)
                return
            row = parse_row(line.data)
            yield from empty_answers(row, line.number)
            yield Row(line.number, self.example(row, seed))
        except RowFault as fault:
            yield fault.at(line.number)
        except ValidationError as error:
            yield from_validation(error, line.number)

    def example(self, row: MusiqueRow, seed: int) -> Example:
        """One row as it will be asked."""
        documents = tuple(_document(paragraph) for paragraph in self._kept(row, seed))
        tags = [row.shape] if row.shape else []
        if self.options.full:
            tags.append("answerable" if row.answerable else "unanswerable")
        return Example(
            id=row.id if row.answerable else row.id + UNANSWERABLE,
            task="musique",
            question=row.question,
            documents=documents,
            gold=AnswersGold(
                answers=row.answers,
                supporting=tuple(document.id for document in documents if document.supporting),
                answerable=row.answerable,
                hops=tuple(_hop(hop) for hop in row.question_decomposition),
            ),
            group=row.final,
            tags=tuple(tags),
            source="musique",
            license=row.licence,
        )

    def _kept(self, row: MusiqueRow, seed: int) -> list[MusiqueParagraph]:
        supporting = sum(paragraph.is_supporting for paragraph in row.paragraphs)
        wanted = max(0, self.options.documents - supporting)
        ranked = sorted(
            (p for p in row.paragraphs if not p.is_supporting),
            key=lambda paragraph: _rank(seed, row, paragraph.idx),
        )
        drawn = {paragraph.idx for paragraph in ranked[:wanted]}
        return [p for p in row.paragraphs if p.is_supporting or p.idx in drawn]


def _rank(seed: int, row: MusiqueRow, idx: int) -> bytes:
    answerable = "true" if row.answerable else "false"
    return sha256(f"{seed}|{row.id}|{answerable}|{idx}".encode()).digest()


def _hop(hop: MusiqueHop) -> Hop:
    idx = hop.paragraph_support_idx
    return Hop(
        question=hop.question, answer=hop.answer, document=None if idx is None else f"p{idx}"
    )


def _document(paragraph: MusiqueParagraph) -> Document:
    return Document(
        id=f"p{paragraph.idx}",
        kind="paragraph",
        title=paragraph.title,
        text=paragraph.paragraph_text,
        supporting=paragraph.is_supporting,
    )


def _left_out(line: int, count: int) -> Problem:
    return Problem(
        "warning",
        line,
        "answerable",
        f"{count} unanswerable row{'s' if count > 1 else ''} from here on left out",
        "keep them with builder.full=true",
    )
