"""What was found in one clause: verdicts on its claims, and the evidence behind them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from lt_bench.claims.entries import Entry
from lt_bench.records import Claim

Verdict = Literal["supported", "contradicted", "not_in_documents", "not_a_claim"]
WORST: Final[tuple[Verdict, ...]] = ("contradicted", "not_in_documents", "supported", "not_a_claim")


@dataclass
class Checks:
    """What was found in one clause: a verdict for each checkable item, and the entries that the
    clause repeats. `derived` are the units of numbers that were worked out from documented ones.
    `claims` are those that the clause makes, by how it is written; they are made when all is checked."""

    verdicts: list[tuple[Verdict, Entry | None]] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    derived: set[str] = field(default_factory=set)
    claims: dict[str, Claim] = field(default_factory=dict)

    def add(self, verdict: Verdict, entry: Entry | None = None) -> None:
        """One item more; a supporting entry is remembered."""
        self.verdicts.append((verdict, entry))
        if verdict == "supported" and entry is not None:
            self.entries.append(entry)

    @cached_property
    def worst(self) -> tuple[Verdict, Entry | None]:
        """The verdict on the whole clause, to be asked for when all is checked."""
        return min(self.verdicts, key=lambda v: WORST.index(v[0]), default=("not_a_claim", None))
