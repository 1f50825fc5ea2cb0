"""kill -9 at many random moments of a run against a deterministic server, each time resumed.

    python benchmarks/resume.py [--points 200] [--rows 200]

Counts the points at which the resumed run differs from an unbroken one: rows lost, rows doubled,
other answers, other scores. All must be zero. The server counts what it was asked: of each point, at
most as many requests as were in flight may have been asked again.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.command import lt_bench
from support.process import kill_when, start
from support.runs import card, generations, scores
from support.server import Server, hashed, serve

IN_FLIGHT = 8


@dataclass(frozen=True)
class Point:
    """One kill and its resume: what is wrong (empty if nothing), rows done at the kill, and requests
    that were asked twice."""

    fault: str
    done: int
    repeated: int


def arguments(url: str, run: Path, rows: int) -> list[str | Path]:
    return [
        *("eval", "openai/scripted", "--base-url", url, "--task", "musique", "--run", run),
        *("--data", run.parent.parent / "rows.jsonl", "--limit", str(rows)),
        *("--concurrency", str(IN_FLIGHT), "--json"),
    ]


def broken(server: Server, folder: Path, unbroken: Path, rows: int, number: int) -> Point:
    """Kill `number`, and the resume after it."""
    run, draw = folder / f"point-{number}" / "run", random.Random(number)
    run.parent.mkdir()
    server.calls.clear()
    process = start(*arguments(server.url, run, rows), cwd=folder)
    journal = run / "generations.jsonl"
    killed = kill_when(process, journal, draw.randrange(rows), draw.uniform(0, 0.02))
    done = journal.read_bytes().count(b"\n") if journal.exists() else 0
    resumed = lt_bench(*arguments(server.url, run, rows), cwd=folder)
    asked = Counter(call.text for call in server.calls)
    repeated = sum(count - 1 for count in asked.values())
    if resumed.returncode:
        return Point(resumed.stderr.strip(), done, repeated)
    return Point(fault(run, unbroken, killed, repeated), done, repeated)


def fault(run: Path, unbroken: Path, killed: bool, repeated: int) -> str:
    """What is wrong with a run that was killed and resumed."""
    if not killed:
        return "ended before the kill"
    same = (
        generations(run) == generations(unbroken)
        and scores(run) == scores(unbroken)
        and card(run) == card(unbroken)
    )
    if not same:
        return "rows differ"
    return f"{repeated} requests repeated" if repeated > IN_FLIGHT else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--rows", type=int, default=200)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build = ["data", "build", "musique", "--out", folder / "data", "--test", str(options.rows)]
        build += ["--train", "0"]
        assert lt_bench(*build, cwd=folder).returncode == 0
        (folder / "data" / "test.jsonl").rename(folder / "rows.jsonl")
        with serve(hashed(), delay=0.02) as server:
            unbroken = folder / "unbroken" / "run"
            unbroken.parent.mkdir()
            lt_bench(*arguments(server.url, unbroken, options.rows), cwd=folder).check_returncode()
            found = [
                broken(server, folder, unbroken, options.rows, number)
                for number in range(options.points)
            ]
    wrong = [f"point {number}: {one.fault}" for number, one in enumerate(found) if one.fault]
    print("\n".join(wrong), end="\n" if wrong else "")
    print(
        f"{len(found)} kills of a {options.rows}-row run, {len(wrong)} differ from the unbroken run"
    )
    repeats = [one.repeated for one in found]
    print(
        f"requests asked again, {IN_FLIGHT} in flight: at most {max(repeats)}, "
        f"{sum(repeats) / len(repeats):.1f} on average"
    )
    print(f"{time.monotonic() - began:.0f} s")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
