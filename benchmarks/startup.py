"""CPU seconds of `lt-bench --help` against its floor, `import typer, rich`; medians, interleaved.

python benchmarks/startup.py [--repeat 15]
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys

FLOOR = [sys.executable, "-c", "import typer, rich"]
OURS = [sys.executable, "-m", "lt_bench", "--help"]


def cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=15)
    repeat = parser.parse_args().repeat
    pairs = [(cpu_seconds(FLOOR), cpu_seconds(OURS)) for _ in range(repeat)]
    floor, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"import typer, rich  {floor:.3f} s CPU")
    print(f"lt-bench --help     {ours:.3f} s CPU  ({ours - floor:+.3f} s, {ours / floor:.2f} x)")


if __name__ == "__main__":
    main()
