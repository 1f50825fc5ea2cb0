"""Feeds the rows of a data set to what looks for copies, near ones and shared groups."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lt_bench.builders.audit.copies import Copies, Copy
from lt_bench.builders.audit.normal import NormalKey, pieces, tokens
from lt_bench.builders.audit.report import KINDS, LISTED_BETWEEN, LISTED_WITHIN, Audit, Hit, Kind
from lt_bench.builders.audit.roster import Roster
from lt_bench.builders.audit.unit import exact_key, texts
from lt_bench.builders.base import AuditUnit
from lt_bench.records import Example

if TYPE_CHECKING:
    from lt_bench.builders.audit.near import Near


class Auditor:
    """Looks for rows of one split in another, and twice in the same.

    Rows may come in any order; of two that repeat each other the later one is the hit. Memory per
    row is about one kilobyte, whatever the length of its texts. The same rows in the same order
    give the same Audit on every machine.
    """

    def __init__(self, unit: AuditUnit) -> None:
        # numpy and datasketch, which only those who audit should wait for.
        from lt_bench.builders.audit.near import NearRows, measure_of

        self._unit = unit
        self._roster, self._copies = Roster(), Copies()
        self._measure = measure_of(unit)
        self._near = NearRows(self._measure)
        self._between, self._within = _Hits(LISTED_BETWEEN), _Hits(LISTED_WITHIN)
        self._repeating: set[int] = set()
        self._blank = 0

    def open(self, split: str) -> None:
        """Names a split, so that it is in the Audit even if it has no row."""
        self._roster.open(split)

    def add(self, split: str, example: Example) -> None:
        """The next row.

        Raises:
            RunError: the disk for temporary files is full.
        """
        row = self._roster.add(split, example)
        parts = texts(example, self._unit)
        if not any(parts):
            self._blank += 1
            return
        key = NormalKey()
        words = _words(parts, key)
        kept = self._measure.keep(parts, words)
        deque(words, maxlen=0)  # a measure may not need them, the key does
        self._file(row, exact_key(parts), None if key.empty else key.digest(), kept)

    def _file(self, row: int, exact: bytes, normal: bytes | None, kept: bytes) -> None:
        """Notes what the row copies; a text that its split has not seen goes to the near search."""
        split = self._roster.split_of[row]
        within = self._copies.within(split, exact, normal)
        between = self._copies.between(split, exact, normal)
        self._copies.add(row, split, exact, normal)
        if between:
            self._repeating.add(row)
            self._note(self._between, between, row)
        if within:
            self._note(self._within, within, row)
            return
        group = self._roster.group_of[row]
        if not between:
            self._measure.learn(kept, group)
        self._near.add(row, kept, split, group)

    def finish(self) -> Audit:
        """The Audit of all rows; the auditor is then used up.

        Raises:
            RunError: the temporary file cannot be read back.
        """
        for near in self._near.found():
            if not near.between:
                self._note(self._within, near, near.second)
            elif near.second not in self._repeating:
                self._note(self._between, near, near.second)
        shared = self._roster.shared_groups()
        leaks = shared if self._unit == "row" else []
        for group in leaks:
            self._between.add(self._hit("group", group.first, group.second, group=group.name))
        return Audit(
            unit=self._unit,
            rows=dict(zip(self._roster.splits, self._roster.sizes, strict=True)),
            blank=self._blank,
            between=self._between.listed,
            within=self._within.listed,
            between_counts=self._between.counts,
            within_counts=self._within.counts,
            shared_ids=self._roster.shared_ids(),
            shared_groups=len({group.name for group in shared}),
        )

    def _note(self, hits: _Hits, found: Copy | Near, row: int) -> None:
        if isinstance(found, Copy):
            hits.add(self._hit(found.kind, found.first, row, similarity=1.0))
        else:
            hits.add(self._hit("near", found.first, row, similarity=round(found.similarity, 4)))

    def _hit(
        self,
        kind: Kind,
        first: int,
        second: int,
        *,
        similarity: float | None = None,
        group: str | None = None,
    ) -> Hit:
        roster = self._roster
        one, other = (roster.splits[roster.split_of[row]] for row in (first, second))
        return Hit(
            kind=kind,
            first=roster.ids[first],
            second=roster.ids[second],
            splits=(one, other),
            similarity=similarity,
            group=group,
        )


class _Hits:
    """Hits counted by kind, and the first of each kind kept."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._counts: Counter[Kind] = Counter()
        self._kept: dict[Kind, list[Hit]] = {kind: [] for kind in KINDS}

    def add(self, hit: Hit) -> None:
        self._counts[hit.kind] += 1
        if len(self._kept[hit.kind]) < self._limit:
            self._kept[hit.kind].append(hit)

    @property
    def counts(self) -> dict[Kind, int]:
        return {kind: self._counts[kind] for kind in KINDS if self._counts[kind]}

    @property
    def listed(self) -> tuple[Hit, ...]:
        """The strongest kind first, each in the order of its later rows."""
        return tuple(hit for kind in KINDS for hit in self._kept[kind])[: self._limit]


def _words(parts: tuple[str, ...], key: NormalKey) -> Iterator[list[str]]:
    """The tokens of every text, piece by piece, which the key sees on the way."""
    for part in parts:
        for piece in pieces(part):
            found = tokens(piece)
            key.add(found)
            yield found
        key.end()
