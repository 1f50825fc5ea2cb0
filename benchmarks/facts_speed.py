"""How many replies the scorer `facts` judges in a second of CPU time.

    python benchmarks/facts_speed.py [--examples 100] [--seed 0] [--profile tottime] [--json]

Takes rows of `commerce_qa`, English and Chinese, each with eight replies to it, good ones and faulty
ones, and scores them as evaluation does (one reply an example), as training does (eight an example
that is met for the first time), and as later steps of training do (further replies to known
examples). Beside each rate stands a floor: how many times one pass of a compiled pattern of words
over the same replies would fit into that time. `--profile` prints where the time goes.
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
from itertools import islice
from typing import NamedTuple

from lt_bench.builders.commerce_qa import CommerceQA
from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.faults import FAULTS
from lt_bench.records import Example, Generation, Turn
from lt_bench.scorers.base import ScoringContext
from lt_bench.scorers.facts import CACHED_EXAMPLES, FactsScorer

LANGS = ("en", "zh")
ROLLOUTS = 8
WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*")
MIN_FLOOR_SECONDS = 0.05


class Asked(NamedTuple):
    """One example and `ROLLOUTS` replies to it, no two of them alike."""

    example: Example
    replies: tuple[Generation, ...]


class Rate(NamedTuple):
    """A measured case; `times_floor` is its time as a multiple of one pass over the words."""

    lang: str
    case: str
    replies: int
    per_cpu_second: float
    times_floor: float


def examples(lang: str, seed: int) -> Iterator[Asked]:
    """Examples without end that take enough different faults."""
    for row in CommerceQA({"lang": lang}).rows("test", sys.maxsize, seed):
        draws = ((name, Draw("facts_speed", seed, row.example.id, name)) for name in FAULTS)
        mutants = [mutant for name, draw in draws if (mutant := FAULTS[name](row, draw))]
        texts = list(dict.fromkeys(mutant.reply for mutant in mutants))
        if len(texts) >= ROLLOUTS:
            yield Asked(row.example, tuple(map(_said, texts[:ROLLOUTS])))


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


Pair = tuple[Example, Generation]


async def scored(scorer: FactsScorer, pairs: Iterable[Pair]) -> None:
    """Every reply is scored, and the scores are thrown away."""
    for example, reply in pairs:
        await scorer.score(example, reply)


def rates(lang: str, count: int, seed: int) -> Iterator[Rate]:
    """The three cases of one language."""
    found = list(islice(examples(lang, seed), 3 * count))
    single, fresh, known = found[:count], found[count : 2 * count], found[2 * count :]
    known = known[:CACHED_EXAMPLES]
    scorer = FactsScorer(ScoringContext(), {})
    yield _rate(lang, "1 an example, new", [(a.example, a.replies[0]) for a in single], scorer)
    pairs = [(asked.example, reply) for asked in fresh for reply in asked.replies]
    yield _rate(lang, f"{ROLLOUTS} an example, new", pairs, scorer)
    half = ROLLOUTS // 2
    asyncio.run(scored(scorer, ((a.example, r) for a in known for r in a.replies[:half])))
    pairs = [(asked.example, reply) for asked in known for reply in asked.replies[half:]]
    yield _rate(lang, f"{half} more, example known", pairs, scorer)


def _rate(lang: str, case: str, pairs: list[Pair], scorer: FactsScorer) -> Rate:
    floor = _floor_seconds([reply.reply for _, reply in pairs])
    seconds = cpu_seconds(lambda: asyncio.run(scored(scorer, pairs)))
    return Rate(lang, case, len(pairs), len(pairs) / seconds, seconds / floor)


def _floor_seconds(texts: list[str]) -> float:
    """CPU seconds of one pass over the words, from as many as can be timed."""
    passes, seconds = 0, 0.0
    while seconds < MIN_FLOOR_SECONDS:
        seconds += cpu_seconds(lambda: [WORD.findall(text) for text in texts])
        passes += 1
    return seconds / passes


def profile(count: int, seed: int, order: str) -> None:
    """Where the time goes when eight replies an example are scored."""
    found = [asked for lang in LANGS for asked in islice(examples(lang, seed), count)]
    pairs = [(asked.example, reply) for asked in found for reply in asked.replies]
    scorer = FactsScorer(ScoringContext(), {})
    profiler = cProfile.Profile()
    profiler.runcall(asyncio.run, scored(scorer, pairs))
    pstats.Stats(profiler, stream=sys.stdout).sort_stats(order).print_stats(40)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--profile", choices=("tottime", "cumtime"), help="print a profile by this")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.profile:
        profile(args.examples, args.seed, args.profile)
        return 0
    found = [rate for lang in LANGS for rate in rates(lang, args.examples, args.seed)]
    if args.json:
        print(json.dumps([rate._asdict() for rate in found]))
        return 0
    print(f"{'lang':5} {'replies':24} {'n':>5} {'per CPU s':>10} {'x one pass over the words':>26}")
    for rate in found:
        print(
            f"{rate.lang:5} {rate.case:24} {rate.replies:5} {rate.per_cpu_second:10.0f} {rate.times_floor:26.0f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
