"""Which rows are looked at: by diagnosis, tag, score and words."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Final

from lt_bench.errors import UsageError, did_you_mean
from lt_bench.replay.diagnosis import CODES, Code
from lt_bench.replay.rows import ReplayRow, Side

_COMPARE: Final[dict[str, Callable[[float, float], bool]]] = {
    "below": operator.lt,
    "above": operator.gt,
}


OF_ANSWERS: Final = ("tokens", "seconds")
"""What bounds know of a row beside its scores."""


@dataclass(frozen=True)
class Bound:
    """A score (or `tokens`, `seconds`) that must lie below or above a number."""

    metric: str
    side: str
    limit: float

    @classmethod
    def parse(cls, text: str, side: str) -> Bound:
        """ "correctness=0.5" as a bound.

        Raises:
            UsageError: not METRIC=NUMBER.
        """
        metric, equals, number = text.partition("=")
        try:
            limit = float(number if equals else "")
        except ValueError:
            limit = nan
        if isnan(limit):
            raise UsageError(
                f"--{side} {text!r} is not METRIC=NUMBER", f"e.g. --{side} correctness=0.5"
            )
        return cls(metric.strip(), side, limit)

    def holds(self, one: Side) -> bool:
        """False where the row has no such number."""
        value = {"tokens": one.tokens, "seconds": one.seconds}.get(self.metric)
        value = one.value(self.metric) if value is None else value
        return value is not None and _COMPARE[self.side](value, self.limit)


@dataclass(frozen=True)
class Filter:
    """Every kind of condition must hold: one of the `diagnoses`, all of the `tags`, all of the `bounds`,
    the words `find` (in any case) in what was asked, thought or said. Of two runs it is enough that
    one of them meets diagnosis, bounds and words. `differing`: the two runs differ by more than words."""

    diagnoses: frozenset[Code] = frozenset()
    tags: frozenset[str] = frozenset()
    bounds: tuple[Bound, ...] = ()
    find: str = ""
    differing: bool = False

    def holds(self, row: ReplayRow) -> bool:
        if not self.tags <= _tags(row) or (self.differing and row.difference < 2):
            return False
        return any(self._holds(row, side) for side in row.sides if side)

    def _holds(self, row: ReplayRow, side: Side) -> bool:
        codes = {finding.code for finding in side.findings}
        return (
            (not self.diagnoses or bool(self.diagnoses & codes))
            and all(bound.holds(side) for bound in self.bounds)
            and (not self.find or self.find.casefold() in _said(row, side))
        )


def diagnoses(names: Iterable[str]) -> frozenset[Code]:
    """Diagnoses by their names; "needless refusal" and "needless-refusal" are one.

    Raises:
        UsageError: an unknown name.
    """
    known: dict[str, Code] = {code: code for code in CODES}
    found = set[Code]()
    for name in names:
        code = known.get(name.strip().lower().replace("-", "_").replace(" ", "_"))
        if code is None:
            raise UsageError(
                f"unknown diagnosis {name!r}.{did_you_mean(name, known)}",
                f"known: {', '.join(known)}",
            )
        found.add(code)
    return frozenset(found)


def chosen(
    rows: Iterable[ReplayRow], kept: Filter, limit: int | None = None
) -> Iterator[ReplayRow]:
    """The first `limit` rows that the filter holds for."""
    left = limit
    for row in rows:
        if left == 0:
            return
        if kept.holds(row):
            left = None if left is None else left - 1
            yield row


def check_bounds(rows: Iterable[ReplayRow], bounds: Iterable[Bound]) -> None:
    """Raises UsageError for a bound of something that no row has: a name mistyped would look like no rows."""
    known = dict.fromkeys(OF_ANSWERS)
    for row in rows:
        for side in row.sides:
            known |= dict.fromkeys(side.row.scores if side else ())
    for bound in bounds:
        if bound.metric not in known:
            raise UsageError(
                f"no row has a {bound.metric!r}.{did_you_mean(bound.metric, known)}",
                f"known: {', '.join(known)}",
            )


def differing_first(rows: Iterable[ReplayRow]) -> list[ReplayRow]:
    """Those in which two runs differ in quality first, then in the diagnosis, then in words."""
    return sorted(rows, key=lambda row: -row.difference)


def pick(rows: Sequence[ReplayRow], wanted: str) -> ReplayRow:
    """The row of this id (or ID@SAMPLE), or else of this number, from 1.

    Raises:
        UsageError: there is none.
    """
    for row in rows:
        if wanted in (row.anchor, row.example_id):
            return row
    number = int(wanted) if wanted.isdecimal() and wanted.isascii() and len(wanted) < 10 else 0
    if 1 <= number <= len(rows):
        return rows[number - 1]
    near = did_you_mean(wanted, [row.anchor for row in rows])
    raise UsageError(f"the run has no row {wanted!r}.{near}", f"give an id, or 1 to {len(rows)}")


def _tags(row: ReplayRow) -> frozenset[str]:
    if row.example is None:
        return frozenset()
    return frozenset((*row.example.tags, f"lang:{row.example.lang}"))


def _said(row: ReplayRow, side: Side) -> str:
    turns = side.generation.turns if side.generation else ()
    said = [text for turn in turns for text in (turn.reasoning or "", turn.reply)]
    question = row.example.question if row.example else ""
    return "\n".join((row.example_id, question, *said)).casefold()
