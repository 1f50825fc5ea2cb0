"""What a clause is checked against."""

from __future__ import annotations

from dataclasses import dataclass, field

from lt_bench.claims.checks import Checks
from lt_bench.claims.evidence import Evidence
from lt_bench.claims.kept import Kept
from lt_bench.claims.quantities import Quantity


@dataclass(frozen=True)
class Scope:
    """What a clause may rest on.

    `asked` are the products asked about; `required` the numbers of the facts asked for, `labels`
    the stems of what those are called, `granted` the stems that gold itself uses. `limits`: the
    question compares with a number of the viewer's. `checked` keeps what was found in clauses by
    their words and products, `unchecked` is for those that assert nothing.
    """

    evidence: Evidence
    asked: frozenset[int]
    required: tuple[Quantity, ...]
    limits: bool
    labels: frozenset[str]
    granted: frozenset[str]
    checked: Kept[tuple[str, str, frozenset[int], frozenset[int]], Checks] = field(
        default_factory=Kept
    )
    unchecked: Checks = field(default_factory=Checks)
