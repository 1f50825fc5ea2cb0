"""What `lt-bench judge correct` says where only an agreement of the judge is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from lt_bench.cli.judge import figures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lt_bench.calibration.balanced import AgreementRange
    from lt_bench.stats import Interval


def found(
    score: float, agreement: str | None, balanced: bool, others: Sequence[object]
) -> AgreementRange:
    """The range that the flags ask for; `others` are the flags that do not go with them.

    Raises:
        UsageError: another flag is given, the labels were not balanced, or it is a coin's agreement.
    """
    from lt_bench.calibration.balanced import agreement_range
    from lt_bench.errors import UsageError

    if any(value is not None for value in others):
        raise UsageError(
            "--agreement stands alone: it says what can be said without sensitivity and specificity",
            "give only --observed, --n, --agreement and --balanced",
        )
    share = figures.needed("--agreement", agreement)
    if not balanced:
        raise UsageError(
            "an agreement fixes sensitivity + specificity only on labels half right, half wrong",
            "add --balanced if they were",
        )
    if share <= 0.5:
        raise UsageError(
            f"--agreement {share:g} on balanced labels is what a coin has: nothing can be corrected",
            "use a judge with more",
        )
    return agreement_range(score, share)


def text(found: AgreementRange, rows: int | None, json: bool) -> str:
    """What is printed: lines, or one JSON object. `rows` is how many the score is of, if known."""
    from lt_bench.stats import wilson

    raw = None if rows is None else wilson(found.observed * rows, rows)
    if json:
        import json as jsonlib

        known = {**asdict(found), "all_feasible": found.feasible, "n": rows}
        return jsonlib.dumps({**known, "raw": asdict(raw) if raw else None})
    return "\n".join(_lines(found, rows, raw))


def _lines(found: AgreementRange, rows: int | None, raw: Interval | None) -> Iterator[str]:
    shown, middle = figures.shown, found.agreement
    centre = (found.low + found.high) / 2
    bounds = f" [{shown(raw.low)}, {shown(raw.high)}]  {rows:,} rows, Wilson" if raw else ""
    yield f"observed    {shown(found.observed)}{bounds}"
    yield (
        f"agreement   {shown(middle)} on balanced labels: sensitivity + specificity = {2 * middle:g}, "
        "and no more is known"
    )
    yield f"corrected   {shown(found.low)} to {shown(found.high)} over all pairs with that sum"
    for value, sensitivity, specificity in (
        (found.low, 1.0, found.least),
        (centre, middle, middle),
        (found.high, found.least, 1.0),
    ):
        verdict = "" if 0 <= value <= 1 else f"  infeasible ({value:.2f})"
        yield (
            f"            {shown(value):>6} at sensitivity {shown(sensitivity)}, "
            f"specificity {shown(specificity)}{verdict}"
        )
    yield f"feasible    {_feasible(found)}"
    yield ""
    yield (
        "This is what the agreement leaves open. Nothing follows about the study it was read in."
    )


def _feasible(found: AgreementRange) -> str:
    if found.feasible_low is None or found.feasible_high is None:
        return "none of them: no judge with that agreement gives this score"
    part = f"{figures.shown(found.feasible_low)} to {figures.shown(found.feasible_high)}"
    if found.feasible:
        return f"{part}: all of them"
    needs = []
    if found.high > 1:
        needs.append(f"a sensitivity of {figures.shown(found.observed)} or more")
    if found.low < 0:
        needs.append(f"a specificity of {figures.shown(1 - found.observed)} or more")
    return f"{part}, which needs {' and '.join(needs)}"
