"""What a reader must know before believing an agreement."""

from __future__ import annotations

from collections.abc import Iterator

from lt_bench.records import Agreement, Estimate

FEWEST_LABELS = 100
"""Labels of a class below which its share is rough: a 95 % interval of some 6 points at 90 %."""
LOPSIDED = 0.9
HIGH = 0.75
"""Agreement that looks high to a reader."""
LOW = 0.2
"""Kappa below this is slight (Landis and Koch, Biometrics 33, 1977)."""
COVERAGE = 0.9


def cautions(found: Agreement) -> tuple[str, ...]:
    """One short sentence for each reason for doubt, the gravest first; empty where there is none."""
    if not found.counts.n:
        return ("nothing to compare: no reply has both a verdict and a label",)
    return (
        *_constant(found),
        *_chance(found),
        *_uncorrectable(found),
        *_base_rate(found),
        *_few(found),
        *_coverage(found),
    )


def _constant(found: Agreement) -> Iterator[str]:
    counts = found.counts
    yes = counts.true_positive + counts.false_positive
    if yes in (0, counts.n):
        yield (
            f"the judge says {'yes' if yes else 'no'} to all {counts.n} replies: it tells nothing"
        )


def _chance(found: Agreement) -> Iterator[str]:
    kappa, share = found.kappa, found.agreement.value
    if kappa.value is None or share is None:
        yield "kappa is not defined: judge and people give one and the same answer throughout"
    elif kappa.low is not None and kappa.high is not None and kappa.low <= 0 <= kappa.high:
        looks = "" if share < HIGH else f", although the two agree on {_percent(share)}"
        yield f"kappa {_interval(kappa)} cannot be told from chance{looks}"
    elif kappa.value < 0:
        yield f"kappa {_interval(kappa)}: the judge contradicts people"
    elif kappa.value < LOW and share >= HIGH:
        yield f"kappa is only {kappa.value:.2f}, although the two agree on {_percent(share)}"


def _uncorrectable(found: Agreement) -> Iterator[str]:
    sensitivity, specificity = found.sensitivity.value, found.specificity.value
    if sensitivity is None or specificity is None:
        lack = "right" if sensitivity is None else "wrong"
        yield f"no reply that people call {lack}: scores of this judge cannot be corrected"
    elif sensitivity + specificity <= 1:
        yield (
            f"sensitivity {sensitivity:.3f} and specificity {specificity:.3f} add up to no more than "
            "1: scores of this judge cannot be corrected"
        )


def _base_rate(found: Agreement) -> Iterator[str]:
    rate = found.base_rate.value
    if rate is not None and max(rate, 1 - rate) > LOPSIDED:
        common = "right" if rate > LOPSIDED else "wrong"
        yield (
            f"people call {_percent(max(rate, 1 - rate))} of the replies {common}, and a judge that "
            "always says so agrees on as many: read kappa and AC1 beside agreement"
        )


def _few(found: Agreement) -> Iterator[str]:
    for count, name, figure in (
        (found.counts.positives, "right", "sensitivity"),
        (found.counts.negatives, "wrong", "specificity"),
    ):
        if count < FEWEST_LABELS:
            replies = "reply" if count == 1 else "replies"
            yield f"only {count} {replies} that people call {name}: {figure} is rough under {FEWEST_LABELS}"


def _coverage(found: Agreement) -> Iterator[str]:
    silent = sum(n for reason, n in found.unscored.items() if reason != "not_applicable")
    asked = found.counts.n + silent
    if found.counts.n < COVERAGE * asked:
        yield f"no verdict on {silent} of {asked} replies: these figures are of the rest only"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"
