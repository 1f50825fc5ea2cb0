"""The numbers of the evidence, arranged by what they measure, so that one is found at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from lt_bench.claims.entries import Entry
from lt_bench.claims.quantities import Quantity, may_agree, same
from lt_bench.claims.units import KIN, is_money


class Measures:
    """Entries that hold quantities, found by a quantity that somebody says."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self._by_dimension: dict[str, list[tuple[int, Quantity]]] = defaultdict(list)
        for place, entry in enumerate(entries):
            for known in entry.quantities:
                dimension = known.unit.dimension if known.unit else ""
                self._by_dimension[dimension].append((place, known))

    def telling(self, said: Quantity) -> list[Entry]:
        """The entries of which a number is the same as what was said, in their order."""
        places = {place for place, known in self._candidates(said) if same(said, known)}
        return [self.entries[place] for place in sorted(places)]

    def _candidates(self, said: Quantity) -> Iterator[tuple[int, Quantity]]:
        """The numbers of what the unit measures; all that are near where there is no unit."""
        if said.unit is None:
            for group in self._by_dimension.values():
                yield from (pair for pair in group if may_agree(said, pair[1]))
            return
        dimension = said.unit.dimension
        found = [dimension, *KIN.get(dimension, ())]
        if said.unit.name == "pound":
            found.append("gbp")
        if is_money(said.unit):
            found.append("")
        for one in found:
            yield from self._by_dimension.get(one, ())
