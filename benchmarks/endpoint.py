"""An endpoint evaluated through the whole command, beside a bare aiohttp client in the same run.

    python benchmarks/endpoint.py [plain streamed faults auto refused large] [--rows 1000] [--repeat 3]

plain      `--concurrency 64`, not streamed, with journal, token counts and EM/F1, against the bare client
streamed   the same as a stream of words
faults     5 % 429, 3 % 500, 2 % malformed, 1 % cut, 1 % disconnect, 1 % empty, against no faults
auto       `--concurrency auto` against a server that refuses beyond 16 in flight
refused    every request is answered 401
large      peak memory at --large rows against that at --rows

A server of ours runs in another process. CPU seconds are those of the process that is measured, its
start-up included where it says so; figures are medians of interleaved rounds. "a row" is from the
first request to the moment when all rows are scored and in the journals; "of the whole command" is
what one more row costs from start to card: (CPU of all rows - CPU of 64) / (rows - 64).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FAULTS = "429:0.05,500:0.03,malformed:0.02,cut:0.01,disconnect:0.01,empty:0.01"
WORDS = (
    *[
        "river",
        "museum",
        "company",
        "founded",
        "novel",
        "director",
        "county",
        "station",
        "heater",
        "price",
        "weight",
        "colour",
    ],
    *[
        "warranty",
        "model",
        "viewer",
        "stream",
        "capital",
        "league",
        "border",
        "painter",
        "engine",
        "battery",
        "album",
    ],
)
FEW = 64
"""Rows of the run that start-up and card are subtracted with."""


@dataclass(frozen=True)
class Outcome:
    """One process against one server: its exit code, CPU seconds and peak memory (MB) in all, what
    it told of itself, and what the server saw."""

    code: int
    cpu: float
    mb: float
    told: dict[str, Any]
    seen: dict[str, Any]
    card: dict[str, Any] | None
    said: str


# --- Rows ------------------------------------------------------------------------------------


def write_rows(path: Path, count: int, seed: int = 0) -> None:
    """Rows of 1,500 characters of documents; each tells the server the answer to give."""
    draw = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            answer = f"{draw.choice(WORDS).title()} {draw.randrange(10**6)}"
            file.write(json.dumps(row(number, answer, draw)) + "\n")


def row(number: int, answer: str, draw: random.Random) -> dict[str, Any]:
    told = f"Answer: {answer}\nSupport: 1, 2"
    documents = [
        {
            "id": f"p{place}",
            "kind": "paragraph",
            "title": draw.choice(WORDS).title(),
            "text": " ".join(draw.choices(WORDS, k=28)).capitalize() + ".",
            "supporting": place < 2,
        }
        for place in range(8)
    ]
    documents[0]["text"] += f" It is {answer}."
    return {
        "id": f"q{number:06d}",
        "task": "musique",
        "question": f"Which {' '.join(draw.choices(WORDS, k=6))}? [[{told}]]",
        "documents": documents,
        "gold": {"kind": "answers", "answers": [answer], "supporting": ["p0", "p1"]},
        "group": f"g{number:06d}",
    }


def write_bodies(path: Path, rows: Path) -> None:
    """The request bodies that lt-bench makes of these rows, for the bare client."""
    from lt_bench.backends.openai.dialect import Dialect, payload
    from lt_bench.task import Task

    task = Task.load("musique")
    sampling, dialect = task.sampling({}), Dialect(stream=False)
    with path.open("wb") as file:
        for example in task.examples(rows):
            file.write(payload("mock", task.prompt(example), sampling, dialect, {}) + b"\n")


# --- Processes -------------------------------------------------------------------------------


@contextlib.contextmanager
def server(*arguments: str) -> Iterator[str]:
    command = [sys.executable, str(HERE / "endpoint_server.py"), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[1]
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


def ask_server(url: str, path: str) -> dict[str, Any]:
    with urllib.request.urlopen(url.removesuffix("/v1") + path, timeout=10) as answer:
        found: dict[str, Any] = json.loads(answer.read())
    return found


def environment() -> dict[str, str]:
    """As an installed command has it: byte-compiled, one thread for each library."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    compiled = Path(tempfile.gettempdir()) / f"lt-bench-endpoint-{os.getuid()}"
    return {
        **kept,
        "PYTHONPYCACHEPREFIX": str(compiled),
        "OMP_NUM_THREADS": "1",
        "NO_COLOR": "1",
    }


def measured(command: list[str], folder: Path, url: str) -> Outcome:
    """Runs a command to its end."""
    with (folder / "said").open("w+") as said:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=said,
            stderr=said,
            env=environment(),
            stdin=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        words = said.read()
    report = folder / "report.json"
    card = folder / "run" / "card.json"
    return Outcome(
        process.returncode,
        used.ru_utime + used.ru_stime,
        used.ru_maxrss / 1024,
        json.loads(report.read_text() if report.exists() else words.strip().splitlines()[-1]),
        ask_server(url, "/stats"),
        json.loads(card.read_text()) if card.exists() else None,
        words,
    )


def bare(url: str, bodies: Path, concurrency: int = 64) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        client = [sys.executable, str(HERE / "endpoint_client.py"), url, str(bodies)]
        return measured([*client, "--concurrency", str(concurrency)], Path(folder), url)


def ours(url: str, rows: Path, *arguments: str, limit: int | None = None) -> Outcome:
    """`lt-bench eval` under the probe."""
    with tempfile.TemporaryDirectory() as folder:
        probe = [sys.executable, str(HERE / "endpoint_probe.py"), "report.json"]
        command = [
            *(*probe, "eval", "openai/mock", "--base-url", url, "--task", "musique"),
            *("--data", str(rows), "--run", "./run", *arguments),
            *(() if limit is None else ("--limit", str(limit))),
        ]
        return measured(command, Path(folder), url)


# --- Scenarios -------------------------------------------------------------------------------

WHOLE = ("--concurrency", "64", "--set", "backend.stream=false")


def median(values: list[float]) -> float:
    return statistics.median(values)


def figures(runs: list[Outcome], few: list[Outcome], rows: int) -> dict[str, float]:
    """What the rounds of one way of asking come to."""
    for run in (*runs, *few):
        assert run.code == 0, run.said
    assert all(run.seen["requests"] == rows for run in runs), runs[0].seen
    assert all(run.card and run.card["metrics"]["em"]["value"] == 1 for run in runs)
    first = [run.told["first"] for run in runs]
    scored = [run.told["scored"] for run in runs]
    heavy = {name for moment in (*first, *scored) for name in moment["heavy"]}
    assert not heavy, heavy
    spent = median([b["cpu"] - a["cpu"] for a, b in zip(first, scored, strict=True)])
    return {
        "window s": median([run.seen["window"] for run in runs]),
        "ms a row": 1000 * spent / rows,
        "ms a row of the whole command": 1000
        * (median([run.cpu for run in runs]) - median([run.cpu for run in few]))
        / (rows - FEW),
        "CPU s to the first request": median([one["cpu"] for one in first]),
        "MB until scored": median([one["mb"] for one in scored]),
        "MB in all": median([run.mb for run in runs]),
    }


def plain(folder: Path, options: argparse.Namespace) -> None:
    arguments = ["--delay", str(options.delay)]
    floor: list[Outcome] = []
    runs: dict[str, list[Outcome]] = {"plain": [], "streamed": []}
    few: dict[str, list[Outcome]] = {"plain": [], "streamed": []}
    ways = {"plain": WHOLE, "streamed": ("--concurrency", "64")}
    asked = [name for name in ways if name in options.scenarios]
    for _ in range(options.repeat):
        with server(*arguments) as url:
            floor.append(bare(url, folder / "bodies.jsonl"))
        for name in asked:
            with server(*arguments) as url:
                runs[name].append(ours(url, folder / "rows.jsonl", *ways[name]))
            with server(*arguments) as url:
                few[name].append(ours(url, folder / "rows.jsonl", *ways[name], limit=FEW))
    window = median([run.seen["window"] for run in floor])
    print(f"bare client      window {window:.2f} s, ", end="")
    loop, start = [run.told["cpu"] for run in floor], [run.cpu - run.told["cpu"] for run in floor]
    print(f"{1000 * median(loop) / options.rows:.3f} ms CPU a row, ", end="")
    print(f"{median(start):.3f} CPU s to the first request")
    for name in asked:
        found = figures(runs[name], few[name], options.rows)
        ratio = found["window s"] / window
        a_row = found["ms a row"] * options.rows / median(loop) / 1000
        print(f"{name:16} window {ratio:.3f} x, CPU a row {a_row:.2f} x the bare client's")
        for what, value in found.items():
            print(f"                 {value:8.3f} {what}")


def faults(folder: Path, options: argparse.Namespace) -> None:
    windows: dict[str, list[float]] = {"": [], FAULTS: []}
    for _ in range(options.repeat):
        for kind in windows:
            with server("--delay", str(options.delay), "--faults", kind) as url:
                run = ours(url, folder / "rows.jsonl", *WHOLE)
            windows[kind].append(run.seen["window"])
    assert run.card is not None, run.said
    em, seen = run.card["metrics"]["em"], run.seen
    injected = sum(seen["faults"].values())
    outcomes = sum(run.card["samples"].values())
    unanswered = run.card["samples"].get("error", 0)
    assert run.code == (3 if unanswered else 0), run.said
    assert em["value"] == 1
    assert outcomes == options.rows
    assert seen["requests"] <= options.rows + injected
    ratio = median(windows[FAULTS]) / median(windows[""])
    print(
        f"faults           {injected} injected, {seen['requests']} requests, {outcomes} outcomes "
        f"({unanswered} unanswered), EM over answered {em['value']:g}, exit {run.code}, "
        f"window {ratio:.3f} x the fault-free one"
    )


def auto(folder: Path, options: argparse.Namespace) -> None:
    arguments = ("--delay", str(options.delay), "--refuse-above", "16")
    settled, refused = [], []
    for _ in range(options.repeat):
        with server(*arguments) as url:
            run = ours(
                url, folder / "rows.jsonl", "--concurrency", "auto", "--set", "backend.stream=false"
            )
        assert run.code == 0, run.said
        settled.append(run.seen["settled"])
        refused.append(run.seen["statuses"].get("429", 0))
    print(
        f"auto             {median(settled):.1f} in flight at a server that takes 16 "
        f"({median(refused):.0f} of {options.rows + median(refused):.0f} requests refused)"
    )


def refused(folder: Path, _: argparse.Namespace) -> None:
    with server("--unauthorized") as url:
        run = ours(url, folder / "rows.jsonl", *WHOLE)
    assert run.code == 4, run.said
    print(
        f"refused          401 to all: exit {run.code} after {run.seen['requests']} requests, "
        f"said in {len(run.said.strip().splitlines())} lines"
    )


def large(folder: Path, options: argparse.Namespace) -> None:
    write_rows(folder / "large.jsonl", options.large)
    small = []
    with server("--delay", "0.02") as url:
        for rows in (options.rows, options.large):
            run = ours(url, folder / "large.jsonl", *WHOLE, limit=rows)
            assert run.code == 0, run.said
            small.append((run.told["scored"]["mb"], run.mb))
    print(
        f"large            {options.large} rows: {small[1][0]:.0f} MB until scored "
        f"({small[1][0] / small[0][0]:.2f} x), {small[1][1]:.0f} MB in all "
        f"({small[1][1] / small[0][1]:.2f} x), against {options.rows} rows"
    )


def main() -> None:
    scenarios = ("plain", "streamed", "faults", "auto", "refused", "large")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenarios", nargs="*", default=scenarios, metavar="SCENARIO")
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--large", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--delay", type=float, default=0.2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_rows(folder / "rows.jsonl", options.rows)
        write_bodies(folder / "bodies.jsonl", folder / "rows.jsonl")
        with server() as url:  # byte-compiles everything, once
            ours(url, folder / "rows.jsonl", limit=1)
        if {"plain", "streamed"} & set(options.scenarios):
            plain(folder, options)
        for one in (faults, auto, refused, large):
            if one.__name__ in options.scenarios:
                one(folder, options)


if __name__ == "__main__":
    main()
