"""`lt-bench judge correct`: a judged score read somewhere, put right for its judge's errors."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lt_bench.cli.judge import agreement_page, figures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lt_bench.calibration.correction import Evidence
    from lt_bench.records import Corrected, Estimate

WIDTH = 100


@dataclass(frozen=True)
class Against:
    """Another score by the same judge, and its corrected difference from the first."""

    raw: Estimate
    value: float
    low: float
    high: float
    separate: bool
    sentence: str


@dataclass(frozen=True)
class Answer:
    """Everything that is printed of one score. `interval` is not cut to [0, 1]."""

    raw: Estimate
    judge: figures.Judge
    labels: int
    corrected: Corrected
    interval: tuple[float, float] | None
    against: Against | None


def correct(
    observed: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="The judged score, between 0 and 1: 0.923."),
    ] = None,
    n: Annotated[int | None, typer.Option("--n", help="Rows behind it.")] = None,
    sensitivity: figures.Sensitivity = None,
    specificity: figures.Specificity = None,
    labels: Annotated[
        int | None, typer.Option(help="People's labels behind these two figures.")
    ] = None,
    label_split: figures.LabelSplit = None,
    calibration: figures.File = None,
    metric: figures.Metric = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="Another model's score by the same judge: 0.915."),
    ] = None,
    against_n: Annotated[
        int | None, typer.Option("--against-n", help="Rows behind that (default: as many).")
    ] = None,
    agreement: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="All that is known of the judge: its agreement."),
    ] = None,
    balanced: Annotated[
        bool, typer.Option("--balanced", help="That agreement is on labels half right, half wrong.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Correct a judged score for its judge's errors.

    Needs the score, its rows, the judge's sensitivity and specificity (or a calibration file) and the
    number of labels behind them. Prints "infeasible" where no true score gives these figures. With
    only an agreement it prints the range of what the true score can be.
    """
    import json as jsonlib

    score = figures.needed("--observed", observed)
    if agreement is not None or balanced:
        others = (sensitivity, specificity, labels, label_split, calibration, metric)
        left_open = agreement_page.found(score, agreement, balanced, (*others, against, against_n))
        text = agreement_page.text(left_open, None if n is None else figures.count("--n", n), json)
    else:
        _check_labels(labels, calibration)
        judge = figures.judge_of(sensitivity, specificity, labels, label_split, calibration, metric)
        answer = _answer(score, n, judge, against, against_n)
        text = jsonlib.dumps(_as_json(answer)) if json else "\n".join(_lines(answer))
    typer.echo(text)


def _check_labels(labels: int | None, calibration: Path | None) -> None:
    from lt_bench.errors import UsageError

    if labels is not None and calibration is not None:
        raise UsageError("--calibration knows its number of labels", "leave out --labels")


def _answer(
    score: float, n: int | None, judge: figures.Judge, against: str | None, against_n: int | None
) -> Answer:
    from lt_bench.calibration.corrected import correct as corrected
    from lt_bench.calibration.correction import correctable, lang_reiczigel
    from lt_bench.errors import UsageError

    if n is None:
        raise UsageError("--n is missing: how many rows the score is of", "e.g. --n 400")
    if judge.labels is None:
        raise UsageError("--labels is missing", "how many labels the judge was measured with")
    if against is None and against_n is not None:
        raise UsageError("--against-n belongs to --against", "give --against SHARE")
    raw, labels = _raw(score, figures.count("--n", n)), judge.labels
    found = judge.evidence(raw, labels)
    bounds = lang_reiczigel(found) if correctable(found) else None
    return Answer(
        raw=raw,
        judge=judge,
        labels=labels,
        corrected=corrected(found, raw.n, labels),
        interval=(bounds.low, bounds.high) if bounds else None,
        against=None
        if against is None
        else _against(found, raw, judge, labels, against, against_n),
    )


def _raw(score: float, n: int) -> Estimate:
    from lt_bench.records import Estimate
    from lt_bench.stats import wilson

    found = wilson(score * n, n)
    return Estimate(value=score, low=found.low, high=found.high, n=n, method="Wilson")


def _against(
    first: Evidence[float],
    raw: Estimate,
    judge: figures.Judge,
    labels: int,
    against: str,
    against_n: int | None,
) -> Against:
    from lt_bench.calibration.difference import difference, separates
    from lt_bench.calibration.wording import separation

    rows = raw.n if against_n is None else figures.count("--against-n", against_n)
    other = _raw(figures.share("--against", against), rows)
    second = judge.evidence(other, labels)
    found, separate = difference(first, second), separates(first, second)
    return Against(
        raw=other,
        value=(first.observed - second.observed) / first.youden,
        low=found.low,
        high=found.high,
        separate=separate,
        sentence=separation(first.observed, second.observed, (raw.n, rows), labels, separate),
    )


def _lines(answer: Answer) -> Iterator[str]:
    raw, judge, corrected = answer.raw, answer.judge, answer.corrected
    yield f"raw         {_estimate(raw)}  {raw.n:,} rows, {raw.method}"
    yield (
        f"judge       sensitivity {figures.shown(judge.sensitivity)}, "
        f"specificity {figures.shown(judge.specificity)}  {_labels(answer)}"
    )
    yield from _corrected_lines(answer)
    if corrected.detectable is not None:
        yield (
            f"detectable  {100 * corrected.detectable:.1f} points between two models with "
            f"{raw.n:,} rows each (95 % interval, found 4 times in 5)"
        )
    if answer.against is not None:
        yield from _against_lines(answer.against)
    yield ""
    yield textwrap.fill(corrected.sentence, WIDTH)
    if answer.against is not None:
        yield answer.against.sentence


def _corrected_lines(answer: Answer) -> Iterator[str]:
    corrected, interval = answer.corrected, answer.interval
    inside = figures.between(corrected.low, corrected.high)
    if corrected.unclipped is None or interval is None:
        yield f"corrected   infeasible: the judge cannot be told from chance, {inside}"
    elif corrected.value is None:
        yield (
            f"corrected   infeasible: {corrected.unclipped:.2f} {figures.between(*interval)}  "
            f"{corrected.method}, not cut to [0, 1]"
        )
        yield f"            {inside} are the possible shares that fit best"
    else:
        yield f"corrected   {figures.shown(corrected.value)} {inside}  {corrected.method}"


def _against_lines(found: Against) -> Iterator[str]:
    raw = found.raw
    yield f"against     {_estimate(raw)}  {raw.n:,} rows, {raw.method}"
    yield (
        f"difference  {found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}]  corrected, "
        "with the same labels for both"
    )


def _labels(answer: Answer) -> str:
    """Where the judge's figures come from."""
    right = math.ceil(answer.labels * answer.judge.split - 1e-9)
    return f"{answer.labels:,} labels: {right:,} right, {answer.labels - right:,} wrong"


def _estimate(raw: Estimate) -> str:
    value, low, high = raw.value or 0.0, raw.low or 0.0, raw.high or 0.0
    return f"{figures.shown(value)} {figures.between(low, high)}"


def _as_json(answer: Answer) -> dict[str, Any]:
    against = answer.against
    return {
        "raw": answer.raw.model_dump(mode="json"),
        "sensitivity": answer.judge.sensitivity,
        "specificity": answer.judge.specificity,
        "labels": answer.labels,
        "label_split": answer.judge.split,
        "corrected": answer.corrected.model_dump(mode="json"),
        "interval": answer.interval,
        "against": None
        if against is None
        else {
            "raw": against.raw.model_dump(mode="json"),
            "difference": against.value,
            "low": against.low,
            "high": against.high,
            "separate": against.separate,
            "sentence": against.sentence,
        },
    }
