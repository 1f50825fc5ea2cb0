"""Confidence sets of ranks and the test of a pair, in simulation.

    python benchmarks/ranks.py [--boards 200] [--shapes equal] [--models 5 10 20 50 100] [--tests 4000] [--seed 0] [--json]

Boards of right and wrong answers, of models whose true shares are known: spread, nearly equal, in tied
blocks, all equal; rows alone and in groups that share what makes them hard. Printed for each: in how many
boards every set held every model's true ranks (limit: 95 %, less two standard errors of the simulation).
Then tests of pairs that do not differ, of every kind of score: how many have p at most 0.05 (limit: 5.5 %).
"""

from __future__ import annotations

import argparse
import json
import sys
import time

import numpy as np

from lt_bench.board.matrix import Matrix
from lt_bench.board.pairwise import contrasts
from lt_bench.board.ranks import rank_sets
from lt_bench.stats.flips import flip_tests
from lt_bench.stats.shares import mcnemar_each

ROWS, GROUP = 200, 4
SHAPES = ("spread", "near", "blocks", "equal")
LEAST, MOST = 0.95, 0.055


def shares(shape: str, models: int) -> np.ndarray:
    """The true share of each model."""
    if shape == "spread":
        return np.linspace(0.3, 0.9, models)
    if shape == "near":
        return np.linspace(0.6, 0.65, models)
    if shape == "blocks":
        return np.repeat([0.45, 0.6, 0.75, 0.8, 0.85], -(-models // 5))[:models]
    return np.full(models, 0.7)


def board(rng: np.random.Generator, truth: np.ndarray, grouped: bool) -> Matrix:
    """Answers of all models on the same rows; rows of a group are hard or easy together, for all models
    and for each of them, and the mean over rows stays the true share."""
    from scipy.special import ndtr, ndtri

    groups = ROWS // GROUP if grouped else ROWS
    size = ROWS // groups
    hard = np.repeat(rng.normal(size=(groups, 1)), size, axis=0)
    own = np.repeat(rng.normal(size=(groups, len(truth))), size, axis=0)
    alone = rng.normal(size=(ROWS, len(truth)))
    common, personal = (0.5, 0.25) if grouped else (0.5, 0.0)
    rest = np.sqrt(1 - common**2 - personal**2)
    drawn = ndtr(common * hard + personal * own + rest * alone)
    right = (drawn < ndtr(ndtri(truth))).astype(float)
    return Matrix(right, np.arange(0, ROWS, size), single=True)


def true_ranks(truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of equal models every place that they share."""
    above = (truth[None, :] > truth[:, None]).sum(axis=1)
    not_below = (truth[None, :] >= truth[:, None]).sum(axis=1)
    return above + 1, not_below


def covered(rng: np.random.Generator, shape: str, models: int, grouped: bool) -> tuple[bool, float]:
    """Whether all sets of one board hold, and how wide they are on average, in places."""
    truth = shares(shape, models)
    found = contrasts(board(rng, truth, grouped), resamples=20)
    sets = rank_sets(models, found, "higher")
    first, last = true_ranks(truth)
    held = all(one.low <= first[i] and one.high >= last[i] for i, one in enumerate(sets))
    return held, float(np.mean([one.high - one.low for one in sets]))


def null_pairs(rng: np.random.Generator, kind: str, tests: int) -> float:
    """The share of pairs without a difference that the test calls different."""
    if kind == "right and wrong":
        sums = rng.choice([-1.0, 0.0, 1.0], p=[0.15, 0.7, 0.15], size=(ROWS, tests))
        return float((mcnemar_each((sums > 0).sum(0), (sums < 0).sum(0)) <= 0.05).mean())
    groups, size = (14, 7) if kind == "few groups" else (ROWS // GROUP, GROUP)
    if kind == "F1 in groups":
        values = rng.beta(0.5, 0.5, (groups, size, tests)) - rng.beta(
            0.5, 0.5, (groups, size, tests)
        )
    elif kind == "tokens, long tails":
        values = np.exp(rng.normal(5, 1, (groups, 1, tests))) * rng.normal(
            size=(groups, size, tests)
        )
    elif kind == "uneven groups":
        kept = rng.integers(1, size + 1, (groups, 1, tests)) > np.arange(size)[None, :, None]
        values = rng.choice([-1.0, 0.0, 1.0], p=[0.2, 0.6, 0.2], size=(groups, size, tests)) * kept
    else:
        shared = rng.normal(size=(groups, 1, tests))
        noise = shared + rng.normal(size=(groups, size, tests))
        values = np.sign(noise) * (np.abs(noise) > 1.2)
    return float((flip_tests(values.sum(axis=1))[0] <= 0.05).mean())


KINDS = (
    *("right and wrong", "right and wrong in groups", "few groups"),
    *("uneven groups", "F1 in groups", "tokens, long tails"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--shapes", nargs="+", default=SHAPES, choices=SHAPES)
    parser.add_argument("--models", type=int, nargs="+", default=[5, 10, 20, 50, 100])
    parser.add_argument("--tests", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rng, start, bad = np.random.default_rng(args.seed), time.process_time(), 0
    slack = 2 * np.sqrt(LEAST * (1 - LEAST) / args.boards)
    for shape in args.shapes:
        for models in args.models:
            for grouped in (False, True):
                found = [covered(rng, shape, models, grouped) for _ in range(args.boards)]
                coverage = float(np.mean([held for held, _ in found]))
                bad += coverage < LEAST - slack
                line = {
                    "shape": shape,
                    "models": models,
                    "rows": "in groups" if grouped else "alone",
                    "coverage": round(coverage, 4),
                    "mean_width": round(float(np.mean([width for _, width in found])), 1),
                }
                print(json.dumps(line) if args.json else line, flush=True)
    slack = 2 * np.sqrt(0.05 * 0.95 / args.tests)
    for kind in KINDS:
        error = null_pairs(rng, kind, args.tests)
        bad += error > MOST
        line = {"null": kind, "type_1_error": round(error, 4)}
        print(json.dumps(line) if args.json else line, flush=True)
    print(f"{time.process_time() - start:.0f} s CPU", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
