"""What a judged share on a card is worth after the calibration of its judge."""

from __future__ import annotations

from lt_bench.calibration.correction import (
    Evidence,
    correctable,
    lang_reiczigel,
    printed,
    rogan_gladen,
    variance,
)
from lt_bench.calibration.difference import detectable
from lt_bench.calibration.effective import effective_rows
from lt_bench.calibration.wording import Finding, chance_sentence, lack_sentence, sentence
from lt_bench.records import Agreement, Corrected, Estimate, MetricCalibration

METHOD = "Rogan-Gladen, Lang-Reiczigel interval"


def corrected(raw: Estimate, calibration: MetricCalibration) -> Corrected:
    """The share of replies that people would call right, with what can be said about it.

    Rows and labels that come in groups count for as many independent ones as their intervals show
    (`effective_rows`); `method` says for how many.

    Raises:
        ValueError: `raw` has no value, or is no share.
    """
    if raw.value is None or raw.unit != "share":
        raise ValueError(f"a {raw.unit} of {raw.value} cannot be corrected")
    known = calibration.overall
    if known.sensitivity.value is None or known.specificity.value is None:
        kind = "right" if known.sensitivity.value is None else "wrong"
        return uncorrectable(raw.value, raw.n, known.counts.n, lack_sentence(kind))
    found = evidence(raw, known)
    return correct(found, raw.n, known.counts.n, _method(found, raw.n, known))


def correct(found: Evidence[float], rows: int, labels: int, method: str = METHOD) -> Corrected:
    """The same from counts. `rows` and `labels` are those there are, grouped or not."""
    if not correctable(found):
        words = chance_sentence(found.sensitivity, found.specificity)
        return uncorrectable(found.observed, rows, labels, words)
    share, bounds = rogan_gladen(found), lang_reiczigel(found)
    shown, least = printed(bounds), detectable(found)
    finding = Finding(found, share, bounds, shown, least, rows, labels)
    return Corrected(
        method=method,
        raw=found.observed,
        unclipped=share,
        value=share if finding.feasible else None,
        low=shown.low,
        high=shown.high,
        standard_error=variance(found) ** 0.5,
        feasible=finding.feasible,
        n=rows,
        labels=labels,
        detectable=least,
        sentence=sentence(finding),
    )


def uncorrectable(observed: float, rows: int, labels: int, sentence: str) -> Corrected:
    """Nothing is known of the true share: the judge tells nothing, or was never measured."""
    return Corrected(
        method=METHOD,
        raw=observed,
        unclipped=None,
        value=None,
        low=0.0,
        high=1.0,
        feasible=False,
        n=rows,
        labels=labels,
        sentence=sentence,
    )


def evidence(raw: Estimate, known: Agreement) -> Evidence[float]:
    """The counts behind a card's value and its calibration, as independent rows and labels.

    Raises:
        ValueError: a share has no value or no interval.
    """
    shares = (raw, known.sensitivity, known.specificity)
    rows, right, wrong = (effective_rows(share) for share in shares)
    observed, sensitivity, specificity = (share.value or 0.0 for share in shares)
    return Evidence(
        yes=observed * rows,
        rows=rows,
        hits=sensitivity * right,
        right=right,
        rejections=specificity * wrong,
        wrong=wrong,
    )


def _method(found: Evidence[float], rows: int, known: Agreement) -> str:
    """The name of the method, and what grouped rows and labels were taken for."""
    counted = (
        (found.rows, rows, "rows"),
        (found.right, known.counts.positives, "labels of right replies"),
        (found.wrong, known.counts.negatives, "labels of wrong replies"),
    )
    grouped = [
        f"{there} {what} in groups count as {worth:.0f}"
        for worth, there, what in counted
        if worth < there - 0.5
    ]
    return "; ".join([METHOD, *grouped])
