"""Goodput against rate, drawn with characters."""

from __future__ import annotations

from collections.abc import Iterator

from lt_bench.records import RateReport

CELLS = 50


def plot(rates: tuple[RateReport, ...]) -> Iterator[str]:
    """A bar for each rate: `#` is goodput, `-` what was in time but not good."""
    width = max(len(label(one)) for one in rates)
    yield f"{'':{width}} {_axis()}"
    for one in rates:
        good = round((one.goodput.value or 0.0) * CELLS)
        timely = max(good, round((one.in_time.value or 0.0) * CELLS))
        bar = "#" * good + "-" * (timely - good)
        yield f"{label(one):>{width}} |{bar:{CELLS}}| {_share(one)}"


def label(one: RateReport) -> str:
    """ "2/s"."""
    return f"{one.rate:.4g}/s"


def _share(one: RateReport) -> str:
    value = one.goodput.value
    return "n/a" if value is None else f"{value * 100:.1f} %"


def _axis() -> str:
    half = CELLS // 2
    return f"|0 %{'':{half - 5}}50 %{'':{CELLS - half - 7}}100 %|"
