"""What a person types about a judge: shares, counts, or the file of its calibration."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from lt_bench.calibration.correction import Evidence
    from lt_bench.records import Estimate, MetricCalibration

Sensitivity = Annotated[
    str | None,
    typer.Option(
        "--sensitivity", metavar="SHARE", help="Judged right, of what people call right: 0.83."
    ),
]
Specificity = Annotated[
    str | None,
    typer.Option(
        "--specificity", metavar="SHARE", help="Judged wrong, of what people call wrong: 0.83."
    ),
]
LabelSplit = Annotated[
    str | None,
    typer.Option(
        "--label-split",
        metavar="SHARE",
        help="Share of the labels on replies that people call right (default: half).",
    ),
]
File = Annotated[
    Path | None,
    typer.Option(
        "--calibration", metavar="FILE", help="Take the judge's figures from `judge calibrate`."
    ),
]
Metric = Annotated[
    str | None, typer.Option("--metric", metavar="NAME", help="Which metric of --calibration.")
]

MOST = 10**12
"""Rows and labels above this are a slip of the hand."""


@dataclass(frozen=True)
class Judge:
    """A judge's figures and how many labels they rest on; None where that was not said."""

    sensitivity: float
    specificity: float
    labels: int | None
    split: float
    measured: MetricCalibration | None = None

    def evidence(self, raw: Estimate, labels: int) -> Evidence[float]:
        """The counts behind a score of this judge."""
        from lt_bench.calibration.corrected import evidence
        from lt_bench.calibration.correction import Evidence

        if self.measured is not None:
            return evidence(raw, self.measured.overall)
        observed, rows = raw.value or 0.0, float(raw.n)
        right, wrong = labels * self.split, labels * (1 - self.split)
        return Evidence(
            yes=observed * rows,
            rows=rows,
            hits=self.sensitivity * right,
            right=right,
            rejections=self.specificity * wrong,
            wrong=wrong,
        )


def share(flag: str, text: str) -> float:
    """A share between 0 and 1.

    Raises:
        UsageError: anything else, a percentage above all.
    """
    from lt_bench.errors import UsageError

    bare = text.strip()
    try:
        value = float(bare.removesuffix("%"))
    except ValueError:
        value = math.nan
    percent = bare.endswith("%") or value > 1
    if math.isfinite(value) and not percent and value >= 0:
        return value
    as_share = f"for {bare.removesuffix('%').strip()} % write {value / 100:g}"
    known = percent and 0 <= value <= 100
    raise UsageError(
        f"{flag} {text} is not a share between 0 and 1",
        as_share if known else f"give a share between 0 and 1, e.g. {flag} 0.83",
    )


def inner_share(flag: str, text: str) -> float:
    """A share strictly between 0 and 1.

    Raises:
        UsageError: anything else.
    """
    from lt_bench.errors import UsageError

    value = share(flag, text)
    if not 0 < value < 1:
        raise UsageError(f"{flag} {text} must lie between 0 and 1", f"e.g. {flag} 0.5")
    return value


def count(flag: str, value: int, least: int = 1) -> int:
    """A number of rows or labels.

    Raises:
        UsageError: too small to compute with, or absurd.
    """
    from lt_bench.errors import UsageError

    if not least <= value <= MOST:
        raise UsageError(
            f"{flag} {value} is not a number of {least} to {MOST:,}", f"e.g. {flag} 400"
        )
    return value


def needed(flag: str, value: str | None, read: Callable[[str, str], float] = share) -> float:
    """A share that must be given.

    Raises:
        UsageError: it is not there, or is none.
    """
    from lt_bench.errors import UsageError

    if value is None:
        raise UsageError(f"{flag} is missing", f"give {flag} SHARE")
    return read(flag, value)


def judge_of(
    sensitivity: str | None,
    specificity: str | None,
    labels: int | None,
    split: str | None,
    file: Path | None,
    metric: str | None,
) -> Judge:
    """The judge that the flags describe, or that of a file.

    Raises:
        UsageError: both or neither, a figure that cannot be, or a judge no better than chance.
    """
    from lt_bench.errors import UsageError

    typed = [value for value in (sensitivity, specificity, split) if value is not None]
    if file is not None:
        if typed:
            raise UsageError(
                "--calibration gives sensitivity, specificity and the split of labels",
                "leave out either the file or these figures",
            )
        return _measured(file, metric, labels)
    if metric is not None:
        raise UsageError("--metric names a metric of --calibration", "give --calibration FILE")
    found = Judge(
        sensitivity=needed("--sensitivity", sensitivity),
        specificity=needed("--specificity", specificity),
        labels=None if labels is None else count("--labels", labels, 2),
        split=0.5 if split is None else inner_share("--label-split", split),
    )
    _check(found)
    return found


def _measured(file: Path, metric: str | None, labels: int | None) -> Judge:
    from lt_bench.errors import UsageError, did_you_mean
    from lt_bench.run.judging.calibration_file import load_calibration

    known = load_calibration(file).metrics
    name = metric or (next(iter(known)) if len(known) == 1 else None)
    if name is None or name not in known:
        cause = (
            f"{file} holds several metrics"
            if name is None
            else f"{file} does not hold {name}.{did_you_mean(name, known)}"
        )
        raise UsageError(cause, f"--metric {' | '.join(known) or 'none'}")
    measured = known[name]
    overall = measured.overall
    if overall.sensitivity.value is None or overall.specificity.value is None:
        kind = "right" if overall.sensitivity.value is None else "wrong"
        raise UsageError(
            f"{file}: people call no labelled reply {kind}, so this judge cannot be corrected",
            f"label replies that are {kind}, and calibrate again",
        )
    if min(overall.counts.positives, overall.counts.negatives) < 1:
        raise UsageError(f"{file}: its counts do not fit its figures", "calibrate again")
    found = Judge(
        sensitivity=overall.sensitivity.value,
        specificity=overall.specificity.value,
        labels=overall.counts.n if labels is None else count("--labels", labels, 2),
        split=overall.counts.positives / overall.counts.n,
        measured=measured,
    )
    _check(found)
    return found


def _check(judge: Judge) -> None:
    from lt_bench.errors import UsageError

    total = judge.sensitivity + judge.specificity
    if total <= 1:
        raise UsageError(
            f"sensitivity {judge.sensitivity:g} + specificity {judge.specificity:g} is {total:g}: at 1 "
            "or less a judge tells nothing, and no score of it can be corrected",
            "use a judge with more; lt-bench judge calibrate measures them",
        )


def shown(value: float) -> str:
    """A share with three decimals; never "-0.000"."""
    text = f"{value:.3f}"
    return "0.000" if text == "-0.000" else text


def between(low: float, high: float) -> str:
    """ "[0.893, 0.945]"."""
    return f"[{shown(low)}, {shown(high)}]"
