"""Do the intervals of corrected scores hold what they promise? A simulation over 60 cells.

    python benchmarks/correction.py [--repetitions 2000] [--seed 0] [--random N] [--json]

A cell is a true share, a judge (sensitivity and specificity), a number of rows and a number of labels
of each class. The grid crosses three shares, five judges (weak, even, lenient, strict, good), two
sizes and two numbers of labels; it was fixed before any result was seen. Each repetition draws the
judge's verdicts on rows and labels and corrects with the functions that cards use, given arrays.

Criteria; the command exits 1 if one fails:
- the 95 % interval, unclipped, covers the true share in 93 to 98 % of all repetitions of a cell, in at
  least 57 of the 60 cells. A true share is within [0, 1], so clipping an interval changes nothing here;
- the bias of the unclipped estimate is below a quarter of the bias of the raw score in every cell;
- it is below 0.5 point where there are 1,000 labels of each class.
Repetitions whose estimate leaves [0, 1] are counted and kept.

On the second one: raw bias is (1 - share)(1 - specificity) - share (1 - sensitivity), and there is one
share for each judge at which its two kinds of errors cancel. There the raw score is right by luck,
and a quarter of nothing is no measure; what remains is the noise of the simulation. So no cell may
lie there: a grid with a raw bias under one point is refused. `tests/unit` tests such a point
against half a point.

`--random N` draws N other cells, any share and any judge with sensitivity + specificity - 1 >= 0.4, and
tests their coverage alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product

import numpy as np

from lt_bench.calibration.correction import Evidence, lang_reiczigel, rogan_gladen

SHARES = (0.3, 0.8, 0.95)
JUDGES = ((0.7, 0.7), (0.83, 0.83), (0.95, 0.6), (0.75, 0.95), (0.95, 0.9))
ROWS = (400, 2000)
LABELS = (100, 1000)

COVERAGE = (0.93, 0.98)
CELLS_WITHIN = 57
BIAS_SHARE = 0.25
BIAS_POINTS = 0.005
MANY_LABELS = 1000
LEAST_RAW_BIAS = 0.01


@dataclass(frozen=True)
class Cell:
    share: float
    sensitivity: float
    specificity: float
    rows: int
    labels: int

    @property
    def observed(self) -> float:
        return self.share * self.sensitivity + (1 - self.share) * (1 - self.specificity)

    @property
    def raw_bias(self) -> float:
        return self.observed - self.share


@dataclass(frozen=True)
class Result:
    cell: Cell
    coverage: float
    bias: float
    width: float
    outside: int

    @property
    def covers(self) -> bool:
        return COVERAGE[0] <= self.coverage <= COVERAGE[1]

    @property
    def removes_bias(self) -> bool:
        return abs(self.bias) < BIAS_SHARE * abs(self.cell.raw_bias)

    @property
    def accurate(self) -> bool:
        return self.cell.labels < MANY_LABELS or abs(self.bias) < BIAS_POINTS


def grid() -> list[Cell]:
    cells = [
        Cell(share, sensitivity, specificity, rows, labels)
        for share, (sensitivity, specificity), rows, labels in product(SHARES, JUDGES, ROWS, LABELS)
    ]
    assert len(cells) == 60
    assert all(abs(cell.raw_bias) >= LEAST_RAW_BIAS for cell in cells)
    assert all(cell.sensitivity + cell.specificity - 1 >= 0.4 - 1e-9 for cell in cells)
    return cells


def random_cells(count: int, seed: int) -> list[Cell]:
    rng, cells = np.random.default_rng(seed), []
    while len(cells) < count:
        sensitivity, specificity = rng.uniform(0.4, 1, 2)
        if sensitivity + specificity - 1 >= 0.4:
            rows, labels = rng.choice([100, 400, 1000, 5000]), rng.choice([100, 200, 1000, 3000])
            share = rng.uniform(0.01, 0.99)
            cells.append(
                Cell(float(share), float(sensitivity), float(specificity), int(rows), int(labels))
            )
    return cells


def simulate(cell: Cell, repetitions: int, rng: np.random.Generator) -> Result:
    found = draw(cell, repetitions, rng)
    estimates, bounds = rogan_gladen(found), lang_reiczigel(found)
    return Result(
        cell=cell,
        coverage=float(np.mean((bounds.low <= cell.share) & (cell.share <= bounds.high))),
        bias=float(np.mean(estimates)) - cell.share,
        width=float(np.mean(bounds.high - bounds.low)),
        outside=int(np.sum((estimates < 0) | (estimates > 1))),
    )


def draw(cell: Cell, repetitions: int, rng: np.random.Generator) -> Evidence[np.ndarray]:
    """Verdicts of `repetitions` runs and calibrations, as counts."""
    rows, labels = np.full(repetitions, float(cell.rows)), np.full(repetitions, float(cell.labels))
    return Evidence(
        yes=rng.binomial(cell.rows, cell.observed, repetitions).astype(float),
        rows=rows,
        hits=rng.binomial(cell.labels, cell.sensitivity, repetitions).astype(float),
        right=labels,
        rejections=rng.binomial(cell.labels, cell.specificity, repetitions).astype(float),
        wrong=labels,
    )


def run(cells: Sequence[Cell], repetitions: int, seed: int) -> list[Result]:
    """Every cell has a stream of its own, so that one cell alone gives what it gives among all."""
    seeds = np.random.SeedSequence(seed).spawn(len(cells))
    return [
        simulate(cell, repetitions, np.random.default_rng(each))
        for cell, each in zip(cells, seeds, strict=True)
    ]


def failures(results: Sequence[Result], coverage_alone: bool = False) -> Iterator[str]:
    within = sum(result.covers for result in results)
    needed = CELLS_WITHIN / 60 * len(results)
    if within < needed:
        yield f"coverage is within {COVERAGE} in {within} cells, and {needed:.0f} are needed"
    for result in [] if coverage_alone else results:
        if not result.removes_bias:
            yield f"bias {result.bias:+.4f} of raw {result.cell.raw_bias:+.4f}: {result.cell}"
        if not result.accurate:
            yield f"bias {result.bias:+.4f} with {result.cell.labels} labels a class: {result.cell}"


HEADER = (
    f"{'share':>6} {'sens':>5} {'spec':>5} {'rows':>5} {'labels':>6} {'cover %':>8} {'width':>7} "
    f"{'raw bias':>9} {'bias':>8} {'ratio':>6} {'outside':>8}"
)


def line(result: Result) -> str:
    cell = result.cell
    mark = "" if result.covers and result.removes_bias and result.accurate else "  *"
    return (
        f"{cell.share:>6.3g} {cell.sensitivity:>5.3g} {cell.specificity:>5.3g} {cell.rows:>5} "
        f"{cell.labels:>6} "
        f"{100 * result.coverage:>8.2f} {result.width:>7.3f} {cell.raw_bias:>+9.4f} "
        f"{result.bias:>+8.4f} {abs(result.bias / cell.raw_bias):>6.3f} {result.outside:>8}{mark}"
    )


def summary(
    results: Sequence[Result], repetitions: int, seconds: float, coverage_alone: bool
) -> Iterator[str]:
    within = sum(result.covers for result in results)
    outside = sum(result.outside for result in results)
    coverages = [result.coverage for result in results]
    yield (
        f"coverage within 93 to 98 %: {within} of {len(results)} cells "
        f"({100 * min(coverages):.2f} to {100 * max(coverages):.2f} %)"
    )
    if not coverage_alone:
        many = [abs(result.bias) for result in results if result.cell.labels >= MANY_LABELS]
        worst = max(abs(result.bias / result.cell.raw_bias) for result in results)
        yield f"largest share of the raw bias that is left: {worst:.3f} (allowed {BIAS_SHARE})"
        yield (
            f"largest bias with {MANY_LABELS} labels a class: {max(many):.4f} (allowed {BIAS_POINTS})"
        )
    yield f"estimates outside [0, 1]: {outside} of {repetitions * len(results)}, all kept"
    yield f"{seconds:.2f} CPU s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--random", type=int, metavar="N", help="N random cells, coverage alone")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    alone = asked.random is not None
    cells = random_cells(asked.random, asked.seed) if alone else grid()
    start = time.process_time()
    results = run(cells, asked.repetitions, asked.seed)
    seconds = time.process_time() - start
    failed = list(failures(results, alone))
    if asked.json:
        rows = [asdict(result) for result in results]
        print(json.dumps({"cells": rows, "failures": failed, "cpu_seconds": seconds}))
    else:
        shown = [result for result in results if not (alone and result.covers)]
        print("\n".join([HEADER, *map(line, shown), ""]))
        print("\n".join(summary(results, asked.repetitions, seconds, alone)))
        print("\n".join(f"failed: {one}" for one in failed) or "all criteria met")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
