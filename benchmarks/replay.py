"""A replay page of two runs side by side: what it costs to write, how large it is, how soon it is read.

    python benchmarks/replay.py [--rows 400] [--seed 0] [--repeat 5] [--keep FILE] [--json]

Builds rows of commerce_qa, evaluates two candidates on them, and writes the page of both. In headless
Chromium, where Playwright and Chromium are there, it measures from asking for the file to the moment
at which the first row is drawn, each time in a browser that has never seen the page. What else the
machine does only adds to that, so that the fastest counts: exits 1 where it is over two seconds.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from lt_bench import evaluate
from lt_bench.replay import replay_page

LIMIT = 2.0
"""Seconds until the first row is drawn."""
FIRST = "#row h2"


class Opening(NamedTuple):
    """Seconds until the first row is there, and of them CPU of the page's main thread."""

    seconds: float
    cpu: float


def two_runs(folder: Path, rows: int, seed: int) -> tuple[Path, Path]:
    """Runs of two candidates over the same rows: right replies with long thoughts, and replies of which
    every third is a bare one, with short thoughts."""
    from lt_bench.builders import BUILDERS

    builder = BUILDERS.get("commerce_qa")({"lang": "mix"})
    found = list(builder.references("test", rows, seed))
    data = folder / "rows.jsonl"
    data.write_text("".join(f"{one.example.model_dump_json()}\n" for one in found), "utf-8")
    runs = []
    for name, times in (("rft", 40), ("rl", 8)):
        answers = folder / f"{name}.jsonl"
        with answers.open("w", encoding="utf-8") as file:
            for number, one in enumerate(found):
                thought = " ".join([f"They ask: {one.example.question}"] * times)
                reply = "Yes." if name == "rl" and number % 3 == 0 else one.reply
                output = f"<think>{thought}</think>{reply}"
                print(json.dumps({"id": one.example.id, "output": output}), file=file)
        evaluate(f"replay/{answers}", task="commerce_qa", data=data, run=folder / name)
        runs.append(folder / name)
    return runs[0], runs[1]


def first_row(page: Path, repeat: int) -> list[Opening]:
    """How the page opened, in a browser of its own each time; none where there is no browser."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        browser = None
    if browser is None:
        return []
    with sync_playwright() as running:
        return [_opened(running, browser, page) for _ in range(repeat)]


def _opened(running: Any, browser: str, page: Path) -> Opening:
    opened = running.chromium.launch(executable_path=browser, args=["--no-sandbox"])
    tab = opened.new_page(viewport={"width": 1280, "height": 900})
    tab.goto("about:blank")
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    began = time.perf_counter()
    tab.goto(page.as_uri(), wait_until="commit")
    tab.wait_for_selector(FIRST)
    seconds = time.perf_counter() - began
    metrics = session.send("Performance.getMetrics")["metrics"]
    (cpu,) = [one["value"] for one in metrics if one["name"] == "TaskDuration"]
    opened.close()
    return Opening(round(seconds, 3), round(cpu, 3))


def measured(folder: Path, rows: int, seed: int, repeat: int, keep: Path | None) -> dict[str, Any]:
    one, other = two_runs(folder, rows, seed)
    began = time.process_time()
    page = replay_page(one, keep or folder / "page.html", other)
    cpu = time.process_time() - began
    return {
        "rows": rows,
        "build_cpu_seconds": round(cpu, 2),
        "page_bytes": page.stat().st_size,
        "openings": [one._asdict() for one in first_row(page, repeat)],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="where the page is to stay")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measured(Path(folder), asked.rows, asked.seed, asked.repeat, asked.keep)
    openings = [Opening(**one) for one in found["openings"]]
    fastest = min((one.seconds for one in openings), default=0.0)
    if asked.json:
        print(json.dumps(found))
    else:
        print(f"{found['rows']} rows x 2 runs: {found['build_cpu_seconds']} CPU s to write")
        print(f"page: {found['page_bytes'] / 1e6:.2f} MB")
        cpu = statistics.median(one.cpu for one in openings) if openings else 0.0
        told = f"{fastest:.2f} s at the fastest of {len(openings)}, {cpu:.2f} s of it CPU (median)"
        print(f"first row in Chromium: {told if openings else 'no browser here'}")
    return int(fastest > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
