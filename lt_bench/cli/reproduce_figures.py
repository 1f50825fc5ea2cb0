"""The figures of a study's report in words, as its page, its Markdown and the terminal show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from lt_bench.records import Unit
from lt_bench.study.report import Cell, StudyReport, Verdict, Word

SYMBOLS: Final[dict[Word, str]] = {
    "holds, separated": "▲",
    "same direction, not separated": "△",
    "no difference": "◇",
    "opposite direction, not separated": "▽",
    "contradicted": "▼",
    "missing": "○",
}
"""A verdict's sign, so that no one needs its colour."""
HEADINGS: Final = {"correctness": "C", "helpfulness": "H", "tpr": "tokens"}
"""Metric -> how a table calls it, where that is not its name."""
NONE: Final = "–"


def headings(report: StudyReport) -> dict[str, str]:
    """Metric -> how the tables of this report call it."""
    return {name: HEADINGS.get(name, name.replace("_", " ")) for name in report.metrics}


def number(value: float | None, unit: Unit, *, signed: bool = False) -> str:
    """Points of a hundred for shares, else tokens, with one decimal."""
    if value is None:
        return NONE
    scaled = value * 100 if unit == "share" else value
    shown = f"{scaled:{'+' if signed else ''}.1f}"
    return shown.replace("-", "−")


def interval(low: float | None, high: float | None, unit: Unit, *, signed: bool = False) -> str:
    """ "[79.1, 83.4]", or nothing."""
    if low is None or high is None:
        return ""
    return f"[{number(low, unit, signed=signed)}, {number(high, unit, signed=signed)}]"


def of_paper(one: Cell) -> str:
    """The paper's figure as it prints it: points with a decimal, whole tokens."""
    is_whole = one.paper is not None and one.unit != "share"
    return f"{one.paper:g}" if is_whole else number(one.paper, one.unit)


def cell(one: Cell) -> str:
    """ "81.3 [79.1, 83.4]"."""
    return f"{number(one.value, one.unit)} {interval(one.low, one.high, one.unit)}".rstrip()


def spread(one: Cell) -> str:
    """The least and the greatest mean of a seed; nothing with one seed."""
    values = sorted(one.by_seed.values())
    if len(values) < 2:
        return ""
    return f"{number(values[0], one.unit)} to {number(values[-1], one.unit)}"


def lacking(missing: Mapping[int, str]) -> str:
    """Which seeds are lacking, and why: "seeds 12, 13: not trained"."""
    by_reason: dict[str, list[int]] = {}
    for seed, why in missing.items():
        by_reason.setdefault(why, []).append(seed)
    return "; ".join(
        f"seed{'s' if len(seeds) > 1 else ''} {_listed(seeds)}: {why}"
        for why, seeds in by_reason.items()
    )


def means(one: Verdict) -> str:
    """ "91.0 against 81.5"; with the ratio where the claim is about one."""
    if one.first is None or one.second is None:
        return NONE
    said = f"{number(one.first, one.unit)} against {number(one.second, one.unit)}"
    is_ratio = one.kind.startswith("ratio") and one.second
    return f"{said} ({one.first / one.second:.2f})" if is_ratio else said


def difference(one: Verdict) -> str:
    """ "+9.5 [+5.0, +14.1]"."""
    ends = interval(one.low, one.high, one.unit, signed=True)
    return f"{number(one.difference, one.unit, signed=True)} {ends}".rstrip()


def asked(one: Verdict) -> str:
    """What the difference is, and what the claim wants of it: "a − 0.55 b below 0"."""
    second = "b" if one.factor == 1 else f"{one.factor:g} b"
    side = "above" if one.sign > 0 else "below"
    return f"a − {second} {side} {number(one.threshold, one.unit) if one.threshold else '0'}"


def by_seed(one: Verdict) -> str:
    """The difference of each seed alone."""
    found = (number(value, one.unit, signed=True) for value in one.by_seed.values())
    return ", ".join(found)


def p_value(one: Verdict) -> str:
    """The adjusted one, "< 0.001" where it is."""
    if one.p_holm is None:
        return NONE
    return f"{one.p_holm:.3f}" if one.p_holm >= 0.001 else "< 0.001"


def verdict(one: Verdict) -> str:
    """ "▲ holds, separated"; "(1 of 3 seeds)" where some are lacking."""
    said = f"{SYMBOLS[one.word]} {one.word}"
    if not one.missing or not one.by_seed:
        return said
    return f"{said} ({len(one.by_seed)} of {len(one.by_seed) + len(one.missing)} seeds)"


def counted(report: StudyReport) -> Iterator[str]:
    """ "14 ▲ holds, separated", a verdict each."""
    found = Counter(one.word for one in report.verdicts)
    for word, symbol in SYMBOLS.items():
        if found[word]:
            yield f"{found[word]} {symbol} {word}"


def facts(report: StudyReport) -> Iterator[tuple[str, str]]:
    """What the figures were made with, name and text."""
    costs = report.costs
    yield "seeds", _listed(report.seeds)
    yield "test rows", f"{report.rows} a seed, of seeds {_listed(report.test_seeds)}"
    yield "temperature", f"{report.temperature:g}"
    if report.tuning_training or report.tuning_rows:
        rows = f"; test rows of seed {_listed(report.tuning_rows)}" if report.tuning_rows else ""
        yield (
            "seeds that settings were tuned on, in no figure",
            _listed(report.tuning_training) + rows,
        )
    yield "machine", report.hardware
    kinds = ", ".join(f"{kind} {minutes:.1f}" for kind, minutes in costs.by_kind.items())
    yield "CPU minutes", f"{costs.cpu:.1f}" + (f" ({kinds})" if kinds else "")
    yield "minutes by the clock", f"{costs.wall:.1f}, {costs.commands} commands"
    for one in costs.main:
        yield (
            f"main rows of seed {one.seed}",
            f"{one.cpu:.1f} CPU minutes, {one.chain:.1f} by the clock along their longest chain",
        )
    if costs.unknown:
        yield "run by other commands, their time unknown", ", ".join(costs.unknown)
    versions = ", ".join(
        f"{name} {report.packages[name]}"
        for name in ("python", "torch", "transformers")
        if name in report.packages
    )
    yield "versions", f"lt-bench {report.lt_bench}, {versions}"
    yield "commit", report.git_commit or "installed from a package"
    yield "made", report.made


def how(report: StudyReport) -> tuple[str, ...]:
    """How to read it, a paragraph each."""
    letters = {"C": "correctness", "H": "helpfulness"}
    used = [letter for letter in letters if letter in headings(report).values()]
    said = [f"{letter} is {letters[letter]}" for letter in used]
    said.append("shares are points of a hundred")
    if "tpr" in report.metrics:
        said.append("tokens the mean output tokens of a row, in all turns")
    first = ", ".join(said)
    return (f"{first[:1].upper()}{first[1:]}. {_INTERVALS}", *_CLAIMS)


_INTERVALS: Final = (
    "In brackets: 95 % intervals over rows, pooled over seeds; they say nothing of the luck of a "
    "training, which the figures of each seed show."
)
_CLAIMS: Final = (
    "A claim is the mean of a − factor · b over rows that both have answered, against a threshold. Its "
    "interval redraws rows (a group of them whole, each seed's its own); the verdict is whether all of "
    "it lies on the claim's side. p is two-sided (signs of the differences flipped), by Holm's method "
    "for all claims together.",
)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"
