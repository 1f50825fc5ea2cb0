"""What an audit found: hits between splits, which are leaks, and hits inside one, which are not."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lt_bench.builders.base import AuditUnit
from lt_bench.records import Number, Record

Kind = Literal["exact", "normalised", "near", "group"]
"""`exact`: the same text. `normalised`: the same but for Unicode form, case, punctuation, white
space and emoji. `near`: most of the same text. `group`: one room, product or dialogue in two
splits, whatever its rows say. The strongest comes first."""

KINDS: tuple[Kind, ...] = ("exact", "normalised", "near", "group")
LISTED_BETWEEN = 1000
LISTED_WITHIN = 20
"""How many hits are listed; all are counted."""


class Hit(Record):
    """`second`, the row that came later, repeats `first`. `splits` are theirs, in that order.

    `similarity` is 1 for copies and the Jaccard similarity of near ones; None for a shared
    `group`, of which the two rows are the first in each split.
    """

    kind: Kind
    first: str
    second: str
    splits: tuple[str, str]
    similarity: Number | None = None
    group: str | None = None


class Audit(Record):
    """The result for a manifest. A row is counted once in `between_counts`, by its strongest hit
    with an earlier row of another split, and once in `within_counts`; a group once for each split
    it recurs in.

    `blank` rows have no text to compare. `shared_ids` and `shared_groups` count ids and groups
    that occur in two splits without being leaks by themselves.
    """

    unit: AuditUnit
    rows: dict[str, int]
    blank: int = 0
    between: tuple[Hit, ...] = ()
    within: tuple[Hit, ...] = ()
    between_counts: dict[Kind, int] = Field(default_factory=dict)
    within_counts: dict[Kind, int] = Field(default_factory=dict)
    shared_ids: int = 0
    shared_groups: int = 0

    @property
    def clean(self) -> bool:
        """No row, and where evidence counts no group, of one split stands in another."""
        return not self.between_counts
