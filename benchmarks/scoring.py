"""EM and F1 of 100,000 pairs: lt-bench against a plain-Python scorer in the official shape.

    python benchmarks/scoring.py [--pairs 100000] [--repeat 3] [--seed 0] [--json]

Both score the same generated pairs; every EM and every F1 must be equal to the bit, or the command
exits 1. Then it prints pairs per CPU second of each (the best of the repeats) and their ratio.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import re
import string
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from lt_bench.scorers.overlap import match

SYLLABLES = [
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "je",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "qui",
    "ro",
    "su",
    "ta",
    "ve",
    "wi",
    "xo",
    "yu",
    "zan",
    "ther",
    "mor",
    "lin",
]
HARD = [
    "The",
    "a",
    "An",
    "the",
    "U.S.",
    "O'Neill",
    "co-op",
    "1,024",
    "$59",
    "22%",
    "AT&T",
    "_x",
    "São",
    "Zürich",
    "naïve",
    "İstanbul",
    "ΟΔΟΣ",
    "天气很好",
    "“the",
    "a’s",
    "–",
    "x\xa0y",
    "the\u3000end",
    "\u200bzero",
    "éa",
    "\x01a\x01",
    "line\nbreak",
    "tab\tstop",
]


class Pair(NamedTuple):
    prediction: str
    golds: list[str]


class Timing(NamedTuple):
    scores: list[tuple[float, float]]
    cpu_seconds: float


def pairs(count: int, seed: int) -> list[Pair]:
    """Predictions that hit, nearly hit or miss one to three gold answers of one to four words."""
    draw = random.Random(seed)
    words = ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 3))) for _ in range(3000)]
    words += [word.title() for word in words[:1000]] + list(HARD) * 20

    def phrase(low: int, high: int) -> str:
        return " ".join(draw.choices(words, k=draw.randint(low, high)))

    made = []
    for _ in range(count):
        golds = [phrase(1, 4) for _ in range(draw.choice((1, 1, 1, 2, 3)))]
        kind = draw.random()
        if kind < 0.4:
            text = draw.choice(golds)
        elif kind < 0.7:
            text = f"{draw.choice(golds)} {phrase(1, 12)}"
        else:
            text = phrase(0, 20)
        made.append(Pair(text + draw.choice(("", ".", " ", "!")), golds))
    return made


def plain_tokens(text: str) -> list[str]:
    """The official normalisation, one step after another."""
    lowered = text.lower()
    punctuation = set(string.punctuation)
    unpunctuated = "".join(char for char in lowered if char not in punctuation)
    without_articles = re.sub(r"\b(a|an|the)\b", " ", unpunctuated)
    return " ".join(without_articles.split()).split()


def plain_f1(gold: str, prediction: str) -> float:
    true, guess = plain_tokens(gold), plain_tokens(prediction)
    if not true or not guess:
        return int(true == guess)
    same = sum((Counter(true) & Counter(guess)).values())
    if same == 0:
        return 0
    precision, recall = 1.0 * same / len(guess), 1.0 * same / len(true)
    return (2 * precision * recall) / (precision + recall)


def plain(prediction: str, golds: Sequence[str]) -> tuple[float, float]:
    exact = max(int(plain_tokens(gold) == plain_tokens(prediction)) for gold in golds)
    return exact, max(plain_f1(gold, prediction) for gold in golds)


def timed(scorer: Callable[[str, Sequence[str]], tuple[float, float]], rows: list[Pair]) -> Timing:
    """CPU seconds without garbage collection, as `timeit` measures."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    scores = [scorer(row.prediction, row.golds) for row in rows]
    seconds = time.process_time() - start
    gc.enable()
    return Timing(scores, seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows = pairs(args.pairs, args.seed)
    ours = [timed(match, rows) for _ in range(args.repeat)]
    theirs = [timed(plain, rows) for _ in range(args.repeat)]
    different = sum(a != b for a, b in zip(ours[0].scores, theirs[0].scores, strict=True))
    fast, slow = (min(run.cpu_seconds for run in runs) for runs in (ours, theirs))
    result = {
        "pairs": len(rows),
        "different": different,
        "lt_bench_pairs_per_cpu_s": round(len(rows) / fast),
        "plain_pairs_per_cpu_s": round(len(rows) / slow),
        "ratio": round(slow / fast, 2),
    }
    print(json.dumps(result) if args.json else "\n".join(f"{k}: {v}" for k, v in result.items()))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
