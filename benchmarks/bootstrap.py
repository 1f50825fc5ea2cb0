"""The bootstrap of 10,000 scores with 10,000 resamples: lt-bench against scipy.

    python benchmarks/bootstrap.py [--rows 10000] [--repeat 5] [--json]

EM (0 or 1), F1 of short answers (as many distinct values as answers of such lengths can have) and
tokens; one row a group, and groups of three rows. CPU seconds of the percentile interval, the
median of the repeats, grouping by name included; scipy draws single rows with its own percentile
bootstrap, in the batches that suit it best of three. The two intervals of one row a group must
agree within the noise of resampling, or the command exits 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from scipy import stats

from lt_bench.stats import cluster_bootstrap

RESAMPLES = 10_000
BATCHES = (10, 100, 1000)


def scores(kind: str, rows: int) -> list[float]:
    draw = random.Random(0)
    return [SCORES[kind](draw) for _ in range(rows)]


def em(draw: random.Random) -> float:
    return float(draw.random() < 0.4)


def f1(draw: random.Random) -> float:
    """Of answers of 1 to 5 words and predictions of 1 to 30: hits, misses, and all between."""
    said, true = draw.randint(1, 30), draw.randint(1, 5)
    same = draw.choice((0, true, draw.randint(0, true))) if said >= true else 0
    return 2 * same / (said + true)


def tokens(draw: random.Random) -> float:
    return float(round(draw.lognormvariate(5, 0.6)))


SCORES: dict[str, Callable[[random.Random], float]] = {"em": em, "f1": f1, "tokens": tokens}


def cpu(work: Callable[[], Any], repeat: int) -> float:
    """Median CPU seconds."""
    found = []
    for _ in range(repeat):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return median(found)


def by_scipy(values: list[float], batch: int) -> Any:
    found = stats.bootstrap(
        (np.array(values),),
        np.mean,
        method="percentile",
        n_resamples=RESAMPLES,
        batch=batch,
        rng=np.random.default_rng(1),
    )
    return found.confidence_interval


def measure(kind: str, rows: int, repeat: int) -> dict[str, float]:
    values, single = scores(kind, rows), [str(i) for i in range(rows)]
    threes = [str(i // 3) for i in range(rows)]
    ours, theirs = cluster_bootstrap(values, single), by_scipy(values, 100)
    width = theirs.high - theirs.low
    off = max(abs(ours.low - theirs.low), abs(ours.high - theirs.high)) / width
    slow = min(
        cpu(lambda batch=batch: by_scipy(values, batch), 3 if repeat > 1 else 1)  # type: ignore[misc]
        for batch in BATCHES
    )
    fast = cpu(lambda: cluster_bootstrap(values, single), repeat)
    return {
        "distinct": len(set(values)),
        "ms": fast * 1e3,
        "ms_in_groups_of_3": cpu(lambda: cluster_bootstrap(values, threes), repeat) * 1e3,
        "scipy_ms": slow * 1e3,
        "of_scipy": fast / slow,
        "ends_off_by_widths": off,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    cluster_bootstrap([0.0, 1.0, 0.5] * 30, [str(i) for i in range(90)])  # loads numpy
    found = {kind: measure(kind, options.rows, options.repeat) for kind in SCORES}
    if options.json:
        print(json.dumps(found))
    else:
        for kind, facts in found.items():
            print(f"{kind}: " + ", ".join(f"{key} {value:.3g}" for key, value in facts.items()))
    return int(any(facts["ends_off_by_widths"] > 0.05 for facts in found.values()))


if __name__ == "__main__":
    sys.exit(main())
