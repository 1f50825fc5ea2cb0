"""What an agreement on labels that are half right and half wrong says of a score: a range."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AgreementRange:
    """Corrected values over all judges with that agreement, unclipped.

    `low` is that of the most sensitive judge, (`most_sensitivity`, `least_specificity`), `high` that
    of the most specific one, (`least_sensitivity`, `most_specificity`). `feasible_low` and
    `feasible_high` are the part within [0, 1], where the sensitivity is `observed` or more and the
    specificity 1 - `observed` or more; None where there is no such judge.
    """

    observed: float
    agreement: float
    low: float
    high: float
    feasible_low: float | None
    feasible_high: float | None

    @property
    def least(self) -> float:
        """The lowest sensitivity, and the lowest specificity, with this agreement."""
        return 2 * self.agreement - 1

    @property
    def feasible(self) -> bool:
        """Whether every judge with this agreement gives a share."""
        return self.low >= 0 and self.high <= 1


def agreement_range(observed: float, agreement: float) -> AgreementRange:
    """Corrected values of `observed` for every sensitivity and specificity whose mean is `agreement`.

    On labels that are balanced 1:1, agreement is that mean, and it fixes nothing more. Youden's J is
    2 x agreement - 1 for all of them, and the corrected value (observed + specificity - 1) / J rises
    with the specificity, which runs from J (sensitivity 1) to 1 (sensitivity J).

    Raises:
        ValueError: an agreement of 1/2 or less, with which no correction exists; or not shares.
    """
    if not 0 <= observed <= 1 or not 0.5 < agreement <= 1:
        raise ValueError(f"observed {observed} with an agreement of {agreement}")
    youden = 2 * agreement - 1
    low, high = (observed + youden - 1) / youden, observed / youden
    some = low <= 1 and high >= 0
    return AgreementRange(
        observed=observed,
        agreement=agreement,
        low=low,
        high=high,
        feasible_low=max(low, 0.0) if some else None,
        feasible_high=min(high, 1.0) if some else None,
    )
