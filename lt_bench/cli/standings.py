"""How far runs have come, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lt_bench.plain import printable
from lt_bench.run.standing import Standing, missing

MINUTE, HOUR = 60, 3600
SHOWN = 16
"""Names of shards on a line; the others are counted."""


def lines(one: Standing) -> Iterator[str]:
    """A run in a few lines."""
    part = f" (shard {one.shard})" if one.shard else ""
    yield printable(f"{one.model} on {one.task}{part}: {_counts(one)}")
    yield _pace(one)
    if one.unscored_yet:
        yield f"{one.unscored_yet} answers wait for their scores"
    if one.unscored:
        listed = (f"{count} {reason}" for reason, count in one.unscored.items())
        yield f"samples without some score: {', '.join(listed)}"
    if one.card:
        yield "the card is written"
    elif not one.running:
        yield "no card yet: run the same command again"


def of_shards(name: Path, standings: Sequence[Standing]) -> Iterator[str]:
    """A line a shard, what is missing, and the sum; of each division where there are several."""
    divisions: dict[str, list[Standing]] = {}
    for one in standings:
        divisions.setdefault((one.shard or "").partition("/")[2], []).append(one)
    for division in divisions.values():
        yield from _of_division(name, division)


def _of_division(name: Path, standings: Sequence[Standing]) -> Iterator[str]:
    for one in standings:
        yield printable(f"shard {one.shard}: {_counts(one)}; {_pace(one)}")
    lacking = missing(standings)
    if lacking:
        more = f" and {len(lacking) - SHOWN} more" if len(lacking) > SHOWN else ""
        yield f"no run here of shard {', '.join(lacking[:SHOWN])}{more}"
    totals = [one.total for one in standings if one.total is not None]
    done = sum(one.done for one in standings)
    of = f" of {sum(totals)}" if len(totals) == len(standings) else ""
    yield printable(f"{name}: {done}{of} samples in {_several(len(standings))}")
    if not lacking and all(one.card for one in standings):
        runs = " ".join(one.run for one in standings)
        yield printable(f"join them: lt-bench run merge {runs} --out {name}")


def _counts(one: Standing) -> str:
    """ "412 of 1000 samples: 400 ok, 12 truncated"."""
    of = "" if one.total is None else f" of {one.total}"
    told = ", ".join(f"{count} {status}" for status, count in one.samples.items()) or "none"
    return f"{one.done}{of} samples: {told}"


def _pace(one: Standing) -> str:
    rate = "" if one.rows_per_second is None else f", {one.rows_per_second:.3g} rows/s"
    if one.running:
        left = "" if one.seconds_left is None else f", about {_duration(one.seconds_left)} left"
        return f"running{rate}{left}"
    state = "finished" if one.complete and one.card else "not running on this machine"
    if one.idle_seconds is None:
        return state if one.complete else "nothing answered yet"
    return f"{state}{rate}, last answer {_duration(one.idle_seconds)} ago"


def _duration(seconds: float) -> str:
    if seconds < 2 * MINUTE:
        return f"{seconds:.0f} s"
    if seconds < 2 * HOUR:
        return f"{seconds / MINUTE:.0f} min"
    return f"{seconds / HOUR:.1f} h"


def _several(shards: int) -> str:
    return "1 shard" if shards == 1 else f"{shards} shards"
