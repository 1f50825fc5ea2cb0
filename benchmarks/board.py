"""A board of 500 models and 8 metrics, and one of 1,000,000 scored rows: CPU and memory of building them.

    python benchmarks/board.py [--models 500] [--rows 400] [--large 10] [--large-rows 100000] [--json]

Both boards are written to a temporary folder as `leaderboard add` leaves them (cards, entries, rows), then
read and built in a process of their own; with the pages and files of `leaderboard build` for the first.
Limits: 5 s of CPU for the first without its pages, 10 s and 1 GB for the second.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from lt_bench.board.matrix import RowScores
from lt_bench.board.reading import RunScores
from lt_bench.board.store import open_store
from lt_bench.records import Environment, Estimate, ResultCard, Stamp

METRICS = (
    "correctness",
    "helpfulness",
    "correct_and_helpful",
    "f1",
    "support_f1",
    "em",
    "tpr",
    "tflop_paper",
)
LOWER = ("tpr", "tflop_paper")
UNITS = {"tpr": "tokens", "tflop_paper": "TFLOP"}
SLICES = 12


def columns(rng: np.random.Generator, rows: int, skill: float) -> dict[str, np.ndarray]:
    """Scores of one model: rights and wrongs, fractions, tokens."""
    found = {}
    for name in METRICS:
        if name in LOWER:
            found[name] = np.round(np.exp(rng.normal(5 - skill, 0.6, rows)))
        elif "f1" in name:
            found[name] = rng.beta(1 + skill, 1, rows)
        else:
            found[name] = (rng.random(rows) < 0.4 + 0.4 * skill).astype(float)
    return found


def card(name: str, values: dict[str, np.ndarray], rows: int) -> ResultCard:
    metrics = {
        metric: Estimate(
            value=float(column.mean()),
            low=float(column.mean()) * 0.95,
            high=float(column.mean()) * 1.05,
            n=rows,
            method="drawn",
            unit=UNITS.get(metric, "share"),
        )
        for metric, column in values.items()
    }
    return ResultCard(
        task="commerce_qa",
        version=1,
        model=name,
        backend="replay",
        samples={"ok": rows},
        metrics=metrics,
        slices={f"tag:{number}": metrics for number in range(SLICES)},
        headline=METRICS,
        stamp=Stamp(
            data=None,
            data_sha="d" * 64,
            prompt_sha="p" * 64,
            config_sha=name,
            scorers_sha="s" * 64,
            model_fingerprint=name,
            counted_by="engine",
            seed=0,
            environment=Environment(lt_bench="0", hardware="drawn"),
            created="2026-01-01T00:00:00+00:00",
        ),
    )


def write(folder: Path, models: int, rows: int, group: int) -> None:
    rng = np.random.default_rng(0)
    examples = [f"row-{number:07d}" for number in range(rows)]
    groups = [f"room-{number // group:06d}" for number in range(rows)]
    for number in range(models):
        name = f"model/{number:03d}"
        values = columns(rng, rows, number / models)
        found = card(name, values, rows)
        run = RunScores(
            card=found,
            rows=RowScores(examples, groups, values),
            samples=1,
            better={one: "lower" if one in LOWER else "higher" for one in METRICS},
            settings={"limit": str(rows)},
            command="",
            run="",
        )
        open_store(folder, found).add(run)


def measured(folder: Path, *, pages: bool) -> dict[str, float]:
    """CPU seconds and peak memory of a process that builds the board, in one thread."""
    words = [sys.executable, __file__, "--built", str(folder), *(["--pages"] if pages else [])]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def built(folder: Path, pages: bool) -> None:
    from lt_bench.board.building import build
    from lt_bench.board.store import Store

    start = time.process_time()
    board = build(Store(folder))
    seconds = time.process_time() - start
    if pages:
        from lt_bench.board.writing import write_board

        write_board(board, folder / "site")
    whole = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told = {"entries": len(board.entries), "pairs": len(board.pairs), "build_cpu_s": seconds}
    print(json.dumps({**told, "process_cpu_s": whole, "peak_mb": peak}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=500)
    parser.add_argument("--rows", type=int, default=400)
    parser.add_argument("--large", type=int, default=10)
    parser.add_argument("--large-rows", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--built", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--pages", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.built:
        built(args.built, args.pages)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        many, large = Path(scratch) / "many", Path(scratch) / "large"
        write(many, args.models, args.rows, 4)
        write(large, args.large, args.large_rows, 4)
        result = {
            "many": measured(many, pages=False),
            "many_with_pages": measured(many, pages=True),
            "large": measured(large, pages=False),
        }
    print(json.dumps(result) if args.json else "\n".join(f"{k}: {v}" for k, v in result.items()))
    good = (
        result["many"]["build_cpu_s"] <= 5
        and result["large"]["process_cpu_s"] <= 10
        and result["large"]["peak_mb"] <= 1024
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
