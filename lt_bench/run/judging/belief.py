"""How far a judge can be believed, in a sentence.

The words follow the lower end of the 95 % interval of kappa, at the cuts of Landis and Koch
(Biometrics 33, 1977). A judge whose kappa may be 0, or that a judge which reads nothing equals, is
no judge, nor is one whose answers mostly hold no verdict. A judge that its server kept silent, or
that saw hardly any replies of a kind, has not been measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lt_bench.records import Agreement, Calibration, Confusion, Estimate, MetricCalibration

WORDS = ((0.8, "very well"), (0.6, "well"), (0.4, "fairly well"), (0.2, "loosely"))
"""Lower end of the interval of kappa, from which on a judge is said to judge so."""
BELOW = "hardly better than chance"
FEWEST = 0.5
"""Share of the replies with a verdict, below which nothing is said of the judge."""
FEWEST_OF_A_KIND = 10
"""Replies that people call right, and such that they call wrong, below which nothing is said."""

Standing = Literal["judge", "no judge", "not measured"]


@dataclass(frozen=True)
class Belief:
    """What a calibration comes to for one metric."""

    standing: Standing
    sentence: str


def coverage(found: Agreement) -> float | None:
    """Share of the replies the judge gave a verdict on; those it could not judge do not count."""
    asked = found.counts.n + silent(found)
    return found.counts.n / asked if asked else None


def silent(found: Agreement) -> int:
    """Replies without a verdict, through nobody's fault but the judge's or its server's."""
    return sum(n for reason, n in found.unscored.items() if reason != "not_applicable")


def below(calibration: Calibration, least: float) -> dict[str, str]:
    """Metrics whose kappa, as a value, is below `least` or is not known, and that kappa."""
    return {
        name: figure(one.overall.kappa)
        for name, one in calibration.metrics.items()
        if one.overall.kappa.value is None or one.overall.kappa.value < least
    }


def belief(calibration: Calibration, metric: str) -> Belief:
    """How far the judge can be believed on this metric."""
    return metric_belief(calibration.metrics[metric], metric, judge_name(calibration))


def metric_belief(found: MetricCalibration, metric: str, who: str) -> Belief:
    """The same of one metric's figures; `who` names the judge."""
    if why := _mute(found.overall) or (not _lack(found.overall) and _why_not(found)):
        return Belief("no judge", f"{who} is no judge of {metric}: {why}")
    if lack := _lack(found.overall):
        return Belief("not measured", f"{who} has not been measured on {metric}: {lack}")
    low = lowest_kappa(found.overall) or 0.0
    how = next((word for cut, word in WORDS if low >= cut), BELOW)
    kappa = f"kappa {figure(found.overall.kappa)}"
    if found.overall.kappa.low is None:
        kappa += f", on {found.overall.counts.n} replies no less than {_shown(low)}"
    return Belief("judge", f"{who} judges {metric} {how}: {kappa}")


def lowest_kappa(overall: Agreement) -> float | None:
    """Lower end of the interval of kappa. A judge that never disagreed has none: then the kappa that
    the lower end of the interval of its agreement would give at the same shares of right and wrong."""
    kappa, agreement = overall.kappa, overall.agreement
    if kappa.low is not None or kappa.value != 1.0 or agreement.low is None:
        return kappa.low
    right = overall.counts.positives / overall.counts.n
    chance = right**2 + (1 - right) ** 2
    return (agreement.low - chance) / (1 - chance)


def judge_name(calibration: Calibration) -> str:
    """The models that judge, or the rules."""
    return " + ".join(calibration.models) or calibration.judge


def figure(estimate: Estimate) -> str:
    """ "0.62 [0.51, 0.73]"."""
    if estimate.value is None:
        return "–"
    value = f"{_shown(estimate.value)}"
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} [{_shown(estimate.low)}, {_shown(estimate.high)}]"


def _mute(overall: Agreement) -> str:
    """How seldom a judge gave a verdict that let down most replies by itself; a server that failed is
    no fault of the judge's."""
    unscored, n = overall.unscored, overall.counts.n
    own = unscored.get("judge_unparsed", 0) + unscored.get("judge_refused", 0)
    if own <= n or own < FEWEST_OF_A_KIND:
        return ""
    kappa = f", kappa of these {figure(overall.kappa)}" if overall.kappa.value is not None else ""
    return f"its answers hold a verdict on {n} of {n + silent(overall)} replies{kappa}"


def _lack(overall: Agreement) -> str:
    """What is missing for a measurement; empty where nothing is."""
    share, counts = coverage(overall), overall.counts
    if share is None:
        return "it could judge none of the replies"
    if share < FEWEST:
        return f"it gave a verdict on {counts.n} of {counts.n + silent(overall)} replies"
    if not counts.positives or not counts.negatives:
        answer, other = ("right", "wrong") if counts.positives else ("wrong", "right")
        return f"people call all {counts.n} replies {answer}; label some that are {other}"
    if _constant(counts) and counts.n >= 2 * FEWEST_OF_A_KIND:
        return ""
    if min(counts.positives, counts.negatives) < FEWEST_OF_A_KIND:
        return (
            f"{counts.positives} right and {counts.negatives} wrong replies are too few; take at "
            f"least {FEWEST_OF_A_KIND} of a kind"
        )
    return ""


def _why_not(found: MetricCalibration) -> str:
    """Why the figures speak against this judge; empty where they do not."""
    overall, kappa = found.overall, found.overall.kappa
    if answer := _constant(overall.counts):
        return f"it calls all {overall.counts.n} replies {answer}"
    value, low = kappa.value or 0.0, lowest_kappa(overall)
    if value < 0 and (kappa.high is None or kappa.high < 0):
        return f"it contradicts people, kappa {figure(kappa)}"
    if low is None or low <= 0:
        rival = _rival(found)
        return f"kappa {figure(kappa)} cannot be told from 0{rival and f', and {rival}'}"
    best = _best_kappa(found)
    if best and value <= best[1]:
        return f"kappa {figure(kappa)}, and {_doing(best[0])} does as well ({_shown(best[1])})"
    return ""


def _constant(counts: Confusion) -> str:
    """The one answer of a judge that gave no other; empty where it gave both."""
    yes = counts.true_positive + counts.false_positive
    return "right" if yes == counts.n else "wrong" if not yes else ""


def _rival(found: MetricCalibration) -> str:
    """The baseline that agrees with people at least as often; empty where none does."""
    ours = found.overall.agreement.value or 0.0
    shares = {name: one.agreement.value or 0.0 for name, one in found.baselines.items()}
    name = max(shares, key=lambda name: shares[name], default=None)
    if name is None or shares[name] < ours:
        return ""
    return f"{_doing(name)} agrees as often ({100 * shares[name]:.1f} % to {100 * ours:.1f} %)"


def _best_kappa(found: MetricCalibration) -> tuple[str, float] | None:
    """The baseline with the highest kappa, where that is above 0."""
    known = [(name, one.kappa.value) for name, one in found.baselines.items()]
    above = [(name, value) for name, value in known if value is not None and value > 0]
    return max(above, key=lambda pair: pair[1], default=None)


def _doing(baseline: str) -> str:
    """What one does who judges like this baseline."""
    if baseline.startswith("always "):
        return f"calling everything {'right' if baseline == 'always yes' else 'wrong'}"
    return f"calling right what is {baseline}"


def _shown(value: float) -> str:
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text
