"""What a calibration costs beside the judge itself, and how `facts` does on labels by construction.

    python benchmarks/calibration.py [--rows 2000] [--seed 0] [--json]

Builds the rows, lets `facts` judge them, and sums up. It prints kappa with its interval for each
metric, the coverage, and the CPU seconds of judging and of all that follows. The command exits 1 when
`facts` is not the judge it is said to be: a sentence other than "judges", or a lost row.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from typing import NamedTuple

from lt_bench.builders.commerce_judge import CommerceJudge
from lt_bench.records import Calibration, Labelled
from lt_bench.run.judging.belief import belief
from lt_bench.run.judging.calibrate import calibration_of, plan
from lt_bench.run.judging.drawing import Draw
from lt_bench.run.judging.rating import rate
from lt_bench.scorers import SCORERS, ScoringContext


class Measured(NamedTuple):
    """A calibration, and the CPU seconds of judging and of drawing and summing up."""

    calibration: Calibration
    judging: float
    rest: float


def measure(rows: list[Labelled]) -> Measured:
    """`facts` against the labels of the rows, with a slice for each fault."""
    start = time.process_time()
    scorer = SCORERS.get("facts")(ScoringContext(), {})
    planned = plan("facts", scorer, rows, f"commerce_judge, {len(rows)} rows", Draw(), ["fault"])
    drawn = time.process_time()
    rated = asyncio.run(rate(scorer, planned.drawn.rows, 1))
    judged = time.process_time()
    found = calibration_of(planned, rated)
    end = time.process_time()
    return Measured(found, judged - drawn, drawn - start + end - judged)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    done = measure(list(CommerceJudge({"lang": "mix"}).build(args.rows, args.seed)))
    said = {name: belief(done.calibration, name) for name in done.calibration.metrics}
    result = {
        "rows": done.calibration.rows,
        "sentences": [one.sentence for one in said.values()],
        "judging_cpu_s": round(done.judging, 2),
        "rest_cpu_s": round(done.rest, 2),
    }
    print(json.dumps(result) if args.json else "\n".join(f"{k}: {v}" for k, v in result.items()))
    whole = done.calibration.rows == args.rows
    return 0 if whole and all(one.standing == "judge" for one in said.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
