"""Agreement beyond chance between two raters: Cohen's kappa and Gwet's AC1.

A table holds counts: `table[i][j]` rows that the first rater puts in category i and the second in
category j. Beside its value, a coefficient has the influence of one row of each cell on it (the
derivative of the delta method), from which its variance follows, for single rows and for groups.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Table = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Coefficient:
    """`influence[i][j]`: how much a row of cell (i, j) moves the value, times the number of rows."""

    value: float
    influence: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class _Margins:
    """Shares of a table: of equal answers, and of each category by the first and second rater."""

    equal: float
    first: tuple[float, ...]
    second: tuple[float, ...]


def kappa(table: Table) -> Coefficient | None:
    """Cohen's kappa (J. Cohen, Educ. Psychol. Meas. 20, 1960); its variance is the large-sample one
    of Fleiss, Cohen and Everitt (Psychol. Bull. 72, 1969).

    None where it is not defined: no rows, or both raters give one and the same answer throughout.
    """
    shares = _margins(table)
    if shares is None:
        return None
    first, second = shares.first, shares.second
    chance = math.fsum(a * b for a, b in zip(first, second, strict=True))

    def pull(i: int, j: int) -> float:
        return second[i] + first[j] - 2 * chance

    return _beyond_chance(shares, chance, pull)


def ac1(table: Table) -> Coefficient | None:
    """Gwet's AC1 and its variance for two raters (K. L. Gwet, Br. J. Math. Stat. Psychol. 61, 2008).

    None where it is not defined: no rows.
    """
    shares = _margins(table)
    if shares is None:
        return None
    both = [(a + b) / 2 for a, b in zip(shares.first, shares.second, strict=True)]
    others = len(both) - 1
    chance = math.fsum(share * (1 - share) for share in both) / others
    centre = math.fsum((1 - 2 * share) * share for share in both)

    def pull(i: int, j: int) -> float:
        return (((1 - 2 * both[i]) + (1 - 2 * both[j])) / 2 - centre) / others

    return _beyond_chance(shares, chance, pull)


def variance(coefficient: Coefficient, table: Table) -> float:
    """Of the value, where every row is independent of the others."""
    rows = math.fsum(map(math.fsum, table))
    squares = (
        count * pull * pull
        for counts, pulls in zip(table, coefficient.influence, strict=True)
        for count, pull in zip(counts, pulls, strict=True)
    )
    return math.fsum(squares) / rows**2


def _margins(table: Table) -> _Margins | None:
    rows = math.fsum(map(math.fsum, table))
    if not rows:
        return None
    return _Margins(
        equal=math.fsum(counts[i] for i, counts in enumerate(table)) / rows,
        first=tuple(math.fsum(counts) / rows for counts in table),
        second=tuple(math.fsum(counts) / rows for counts in zip(*table, strict=True)),
    )


def _beyond_chance(
    shares: _Margins, chance: float, pull: Callable[[int, int], float]
) -> Coefficient | None:
    """(agreement - chance) / (1 - chance); `pull` is the influence on the agreement by chance."""
    if math.isclose(chance, 1.0, abs_tol=1e-12):
        return None
    categories = range(len(shares.first))
    missed = (1 - shares.equal) / (1 - chance)
    return Coefficient(
        value=(shares.equal - chance) / (1 - chance),
        influence=tuple(
            tuple(
                ((i == j) - shares.equal - missed * pull(i, j)) / (1 - chance) for j in categories
            )
            for i in categories
        ),
    )
