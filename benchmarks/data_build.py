"""CPU seconds and peak memory of `lt-bench data build`, at two sizes, and what each row adds.

python benchmarks/data_build.py [--name commerce_qa] [--lang mix] [--small 2100] [--large 8400]

The audit, both forms of the rows and the data card are part of what is measured. Of N rows, 20 of
21 go to train, as in 8,000 and 400. Limits: 120 s of CPU and 600 MB for 8,400 rows, 4 KB a row.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    rows: int
    cpu: float
    peak: int
    disk: int


def build(name: str, rows: int, lang: str | None, folder: Path) -> Cost:
    """One build in a process of its own; its resource usage is that of `getrusage` for it alone."""
    test = max(1, rows // 21)
    words = [sys.executable, "-m", "lt_bench", "data", "build", name, "--out", str(folder)]
    words += ["--train", str(rows - test), "--test", str(test), "--seed", "0"]
    words += ["--lang", lang] if lang else []
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(words)}")
    disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return Cost(rows, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, disk)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", default="commerce_qa")
    parser.add_argument("--lang", default=None)
    parser.add_argument("--small", type=int, default=2100)
    parser.add_argument("--large", type=int, default=8400)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        small, large = (
            build(asked.name, rows, asked.lang, Path(scratch) / str(rows))
            for rows in (asked.small, asked.large)
        )
    print(f"{'rows':>8} {'CPU s':>8} {'peak MB':>8} {'disk MB':>8}")
    for cost in (small, large):
        print(f"{cost.rows:>8} {cost.cpu:>8.1f} {cost.peak / 1e6:>8.0f} {cost.disk / 1e6:>8.0f}")
    growth = (large.peak - small.peak) / (large.rows - small.rows)
    print(f"each row adds {growth:,.0f} bytes to the peak")


if __name__ == "__main__":
    main()
