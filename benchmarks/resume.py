"""kill -9 at many random moments of a run against a deterministic server, each time resumed.

    python benchmarks/resume.py [--points 50] [--rows 200]

Counts the points at which the resumed run differs from an unbroken one: rows lost, rows doubled,
other answers, other scores. All must be zero.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.command import lt_bench
from support.process import kill_when, server_process, start
from support.runs import card, generations, scores


def arguments(url: str, run: Path, rows: int) -> list[str | Path]:
    return [
        *("eval", "openai/scripted", "--base-url", url, "--task", "musique", "--run", run),
        *("--data", run.parent.parent / "rows.jsonl", "--limit", str(rows)),
        *("--concurrency", "8", "--json"),
    ]


def differs(url: str, folder: Path, unbroken: Path, rows: int, point: int) -> str:
    """What is wrong after kill number `point` and one resume; empty if nothing."""
    run, draw = folder / f"point-{point}" / "run", random.Random(point)
    run.parent.mkdir()
    process = start(*arguments(url, run, rows), cwd=folder)
    killed = kill_when(
        process, run / "generations.jsonl", draw.randrange(rows), draw.uniform(0, 0.02)
    )
    done = lt_bench(*arguments(url, run, rows), cwd=folder)
    if done.returncode:
        return done.stderr.strip()
    same = (
        generations(run) == generations(unbroken)
        and scores(run) == scores(unbroken)
        and card(run) == card(unbroken)
    )
    return "" if same and killed else "rows differ" if killed else "ended before the kill"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=50)
    parser.add_argument("--rows", type=int, default=200)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build = ["data", "build", "musique", "--out", folder / "data", "--test", str(options.rows)]
        build += ["--train", "0"]
        assert lt_bench(*build, cwd=folder).returncode == 0
        (folder / "data" / "test.jsonl").rename(folder / "rows.jsonl")
        with server_process(folder, "--delay", "0.02") as url:
            unbroken = folder / "unbroken" / "run"
            unbroken.parent.mkdir()
            lt_bench(*arguments(url, unbroken, options.rows), cwd=folder).check_returncode()
            found = [
                differs(url, folder, unbroken, options.rows, point)
                for point in range(options.points)
            ]
    wrong = [f"point {i}: {text}" for i, text in enumerate(found) if text]
    print("\n".join(wrong), end="\n" if wrong else "")
    print(
        f"{len(found)} kills of a {options.rows}-row run, {len(wrong)} differ from the unbroken run"
    )
    print(f"{time.monotonic() - began:.0f} s")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
