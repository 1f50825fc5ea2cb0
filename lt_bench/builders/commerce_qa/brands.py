"""Made-up brand names. A first syllable belongs to one split, so that no brand is in two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lt_bench.builders.commerce_qa.draw import Draw

SPLITS: Final = ("train", "validation", "test")


@dataclass(frozen=True)
class Brands:
    """The syllables of a language: `starts` of each split, and `ends` that all share."""

    starts: Mapping[str, tuple[str, ...]]
    ends: tuple[str, ...]

    def name(self, split: str, draw: Draw) -> str:
        """A brand of this split, e.g. "Velmora"."""
        return draw.pick(self.starts[split]) + draw.pick(self.ends)
