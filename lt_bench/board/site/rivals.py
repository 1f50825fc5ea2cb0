"""One entry against the others on the same rows: the tests that its own page shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from lt_bench.board.model import Board, Column, Entry, Pair
from lt_bench.board.site import figures
from lt_bench.board.wording import p_value

NEAREST: Final = 20
"""Rivals on a page: who is far away in rank is seen to be so in the table."""


@dataclass(frozen=True, slots=True)
class Against:
    """A paired difference in words, seen from the page's entry. `word` is better, worse or empty."""

    difference: str
    interval: str
    p_holm: str
    word: str
    method: str

    @property
    def inside(self) -> str:
        """Of its cell, as markup: numbers and our own words only."""
        word = f' <span class="word">{self.word}</span>' if self.word else ""
        return (
            f'<span class="value {self.word}">{self.difference}{word}</span>'
            f'<span class="interval">{self.interval}</span>'
            f'<span class="interval">p {self.p_holm}</span>'
        )


@dataclass(frozen=True)
class Rival:
    """Another entry, and the difference to it in each column (None: not tested)."""

    entry: Entry
    against: tuple[Against | None, ...]

    @property
    def cells(self) -> Markup:
        """Its differences in the order of the table's columns."""
        shown = (one.inside if one else figures.DASH for one in self.against)
        return Markup("".join(f"<td>{text}</td>" for text in shown))  # noqa: S704


class Rivals:
    """The pairs of a board by entry."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._pairs: defaultdict[str, dict[tuple[str, str], Pair]] = defaultdict(dict)
        for pair in board.pairs:
            self._pairs[pair.first][pair.second, pair.metric] = pair
            self._pairs[pair.second][pair.first, pair.metric] = pair
        self._order = {entry.id: at for at, entry in enumerate(board.entries)}

    @property
    def tested(self) -> frozenset[str]:
        """The entries that stand in some pair."""
        return frozenset(self._pairs)

    def of(self, entry: Entry) -> tuple[Rival, ...]:
        """The entries next to it in the table that it was tested against, best first."""
        pairs, here = self._pairs.get(entry.id, {}), self._order[entry.id]
        others = {other for other, _ in pairs}
        nearest = sorted(others, key=lambda other: abs(self._order[other] - here))[:NEAREST]
        return tuple(
            Rival(self._board.by_id[other], tuple(self._against(entry, other, pairs)))
            for other in sorted(nearest, key=self._order.__getitem__)
        )

    def _against(
        self, entry: Entry, other: str, pairs: dict[tuple[str, str], Pair]
    ) -> Iterator[Against | None]:
        for column in self._board.shown:
            pair = pairs.get((other, column.name))
            yield None if pair is None else _seen_from(entry.id, pair, column)


def _seen_from(entry: str, pair: Pair, column: Column) -> Against:
    turned = pair.first != entry
    difference = -pair.difference if turned else pair.difference
    ends = (pair.high, pair.low) if turned else (pair.low, pair.high)
    low, high = (-end if turned and end is not None else end for end in ends)
    scale = max(abs(end) for end in (difference, low or 0.0, high or 0.0))
    shown = [figures.signed(end, column.unit, scale) for end in (low, high) if end is not None]
    return Against(
        difference=figures.signed(difference, column.unit, scale),
        interval=" to ".join(shown) if len(shown) == 2 else "",
        p_holm=p_value(pair.p_holm),
        word="" if not pair.better else "better" if pair.better == entry else "worse",
        method=pair.method,
    )
