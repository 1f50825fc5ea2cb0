"""How a sweep goes on: a line on stderr before and after each rate, nothing while requests fly, since
whatever draws on the screen would slow the sending down."""

from __future__ import annotations

import sys
from contextlib import suppress

from lt_bench.plain import printable
from lt_bench.run.latency import Window
from lt_bench.run.latency.arrivals import Schedule
from lt_bench.run.latency.saturation import saturation


class RateLines:
    """Says what is measured now, and how the last rate went."""

    def begin(self, schedule: Schedule) -> None:
        count = len(schedule.times) - schedule.warmup
        warm = f" after {schedule.warmup} to warm up" if schedule.warmup else ""
        _line(
            f"{schedule.rate:.4g}/s: {count} requests{warm}, about {schedule.times[-1]:.0f} s "
            "and the last answers"
        )

    def done(self, window: Window) -> None:
        _line(saturation(window.schedule.rate, window.seen).sentence)


def _line(text: str) -> None:
    with suppress(OSError):
        print(printable(text), file=sys.stderr, flush=True)
