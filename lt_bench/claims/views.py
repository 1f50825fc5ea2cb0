"""The part of the evidence that is about some products, arranged for what clauses are checked for."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Final

from lt_bench.claims.entries import Entry
from lt_bench.claims.languages import COMMON
from lt_bench.claims.measures import Measures

_PROSE: Final = 40
"""Lines of more words are told in pieces, and repeated by nobody."""
_TIMES: Final = frozenset(["morn", "even", "morning", "evening"])
_SHORT: Final = 4


class View:
    """What is known of `products` and of the shop; of everything for no product.

    `entries` are in the order of the documents, `vocabulary` are all their stems and those of the
    history, `foreign` those of values that only other products have. `variants` are the colours and
    sizes of the products, each with whether it is to be had; `called` the stems of product names.
    """

    def __init__(
        self,
        products: frozenset[int],
        entries: tuple[Entry, ...],
        vocabulary: frozenset[str],
        foreign: frozenset[str],
        variants: tuple[tuple[frozenset[str], str], ...],
        called: frozenset[str],
    ) -> None:
        self.products = products
        self.entries = entries
        self.vocabulary = vocabulary
        self.foreign = foreign
        self.variants = variants
        self._called = called

    @cached_property
    def measures(self) -> Measures:
        """The entries that hold quantities."""
        return Measures([entry for entry in self.entries if entry.quantities])

    @cached_property
    def colours_and_sizes(self) -> frozenset[str]:
        """The stems of all of them."""
        return frozenset().union(*(names for names, _ in self.variants))

    @cached_property
    def flags(self) -> list[tuple[Entry, frozenset[str]]]:
        """The entries that hold a yes or a no under a name, each with the stems that may stand for
        the name alone."""
        flagged = [e for e in self.entries if e.flag is not None and e.about]
        spread = Counter(stem for e in flagged if e.start is not None for stem in e.about)
        return [
            (
                e,
                frozenset(
                    s for s in e.about - COMMON - self._called if len(s) > 2 and spread[s] < 2
                ),
            )
            for e in flagged
        ]

    @cached_property
    def times_of_day(self) -> list[Entry]:
        """The short entries that say when in the day something is used."""
        short = (e for e in self.entries if len(e.value) <= _SHORT)
        return [entry for entry in short if not entry.content.isdisjoint(_TIMES)]

    def sharing(self, heard: Iterable[str]) -> list[Entry]:
        """The lines that can be recognised by their words and have one of these stems."""
        places = {place for stem in heard for place in self._worded.get(stem, ())}
        return [self.entries[place] for place in sorted(places)]

    @cached_property
    def _worded(self) -> dict[str, list[int]]:
        """Stem -> the places of the lines in words that hold it."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, entry in enumerate(self.entries):
            if _in_words(entry):
                for stem in entry.content:
                    found[stem].append(place)
        return found


def _in_words(entry: Entry) -> bool:
    prose = bool(entry.quantities) and not entry.label
    return (
        entry.start is not None
        and entry.flag is None
        and not prose
        and len(entry.content) <= _PROSE
    )
