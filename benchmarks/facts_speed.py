"""How many replies the scorer `facts` judges in a second of CPU time.

    python benchmarks/facts_speed.py [--replies 1600] [--seed 0] [--profile tottime] [--json]

Builds rows of `commerce_judge`, English and Chinese, and scores them as evaluation does (one reply
an example) and as training does (eight replies an example), each with examples met for the first
time and again. Every reply is another text. A floor stands beside each rate: one pass of a compiled
pattern of words over the same replies. `--profile` prints where the time goes.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import json
import pstats
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from lt_bench.builders.commerce_judge import CommerceJudge
from lt_bench.records import Example, Generation, Labelled, Turn
from lt_bench.scorers.base import ScoringContext
from lt_bench.scorers.facts import CACHED_EXAMPLES, FactsScorer

LANGS = ("en", "zh")
ROLLOUTS = 8
WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*")


class Ask(NamedTuple):
    """One example and a reply to it."""

    example: Example
    reply: Generation


class Rate(NamedTuple):
    """A measured case; `times_floor` is its time as a multiple of one pass over the words."""

    lang: str
    case: str
    replies: int
    per_cpu_second: float
    times_floor: float


def asks(rows: list[Labelled], per_example: int) -> list[Ask]:
    """`per_example` replies to each example, most of them of the next rows."""
    return [Ask(rows[i - i % per_example].example, _said(row.reply)) for i, row in enumerate(rows)]


def rows_of(lang: str, count: int, seed: int) -> list[Labelled]:
    """Rows of `commerce_judge`, no two of them alike."""
    return list(CommerceJudge({"lang": lang}).build(count, seed))


def _said(reply: str) -> Generation:
    turn = Turn(reasoning=None, reply=reply, finish_reason="stop", usage=None)
    return Generation(turns=(turn,))


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds without garbage collection, as `timeit` measures."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    work()
    seconds = time.process_time() - start
    gc.enable()
    return seconds


async def scored(scorer: FactsScorer, asked: Iterable[Ask]) -> None:
    """Every reply is scored, and the scores are thrown away."""
    for ask in asked:
        await scorer.score(ask.example, ask.reply)


def rates(lang: str, replies: int, seed: int) -> Iterator[Rate]:
    """The four cases of one language: one and eight replies an example, first met and known."""
    rows = rows_of(lang, 4 * replies, seed)
    for place, per_example in ((0, 1), (2 * replies, ROLLOUTS)):
        first = asks(rows[place : place + replies], per_example)
        others = asks(rows[place + replies : place + 2 * replies], per_example)
        again = [Ask(a.example, b.reply) for a, b in zip(first, others, strict=True)]
        known = again[: CACHED_EXAMPLES * per_example]
        scorer = FactsScorer(ScoringContext(), {})
        yield _rate(lang, f"{per_example} an example, new", first, scorer)
        for ask in known:
            scorer.case(ask.example)
        yield _rate(lang, f"{per_example} an example, known", known, scorer)


def _rate(lang: str, case: str, asked: list[Ask], scorer: FactsScorer) -> Rate:
    floor = cpu_seconds(lambda: [WORD.findall(ask.reply.reply) for ask in asked])
    seconds = cpu_seconds(lambda: asyncio.run(scored(scorer, asked)))
    return Rate(lang, case, len(asked), len(asked) / seconds, seconds / max(floor, 1e-9))


def profile(replies: int, seed: int, order: str) -> None:
    """Where the time goes when eight replies an example are scored."""
    asked = [ask for lang in LANGS for ask in asks(rows_of(lang, replies // 2, seed), ROLLOUTS)]
    scorer = FactsScorer(ScoringContext(), {})
    profiler = cProfile.Profile()
    profiler.runcall(asyncio.run, scored(scorer, asked))
    pstats.Stats(profiler, stream=sys.stdout).sort_stats(order).print_stats(40)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replies", type=int, default=1600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--profile", choices=("tottime", "cumtime"), help="print a profile by this")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.profile:
        profile(args.replies, args.seed, args.profile)
        return 0
    found = [rate for lang in LANGS for rate in rates(lang, args.replies, args.seed)]
    if args.json:
        print(json.dumps([rate._asdict() for rate in found]))
        return 0
    print(f"{'lang':5} {'replies':22} {'n':>5} {'per CPU s':>10} {'x one pass over the words':>26}")
    for rate in found:
        print(
            f"{rate.lang:5} {rate.case:22} {rate.replies:5} {rate.per_cpu_second:10.0f} {rate.times_floor:26.0f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
