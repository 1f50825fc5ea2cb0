"""How well `lt-bench latency` keeps time: against the scripted server's own log of the same requests.

    python benchmarks/latency.py [--rates 20,100,200] [--requests 400]

For each rate: by how much p50 and p95 of the whole time differ from the server's, how late requests
were sent, and the CPU time that one request costs (the whole command, less one with few requests).
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import sys
import tempfile
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.command import lt_bench
from support.process import server_process

FEW = 20


def measured(url: str, folder: Path, rate: str, requests: int) -> tuple[dict[str, object], float]:
    """The report of one rate and the CPU seconds of the command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = lt_bench(
        *("latency", "openai/scripted", "--base-url", url, "--rate", rate, "--deadline", "1"),
        *("--requests", str(requests), "--warmup", "0", "--json"),
        cwd=folder,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    done.check_returncode()
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout)["rates"][0], cpu


def logged(url: str) -> list[float]:
    """Seconds of each request so far, as the server saw it."""
    with urllib.request.urlopen(url.removesuffix("/v1") + "/requests") as answer:
        return [call["ended"] - call["at"] for call in json.load(answer)]


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[math.ceil(share * len(values) - 1e-9) - 1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rates", default="20,100,200")
    parser.add_argument("--requests", type=int, default=400)
    options = parser.parse_args()
    print("rate  p50 - log  p95 - log  late p50  late p95  late p99  CPU a request")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with server_process(folder, "--delay", "0.2") as url:
            seen = 0
            for rate in options.rates.split(","):
                _, base = measured(url, folder, rate, FEW)
                seen += FEW
                found, cpu = measured(url, folder, rate, options.requests)
                times = logged(url)[seen:]
                seen += options.requests
                total = found["measured"]["total"]["quantiles"]
                late = found["measured"]["lag"]["quantiles"]
                off = [
                    total[key]["value"] - percentile(times, share)
                    for key, share in (("p50", 0.5), ("p95", 0.95))
                ]
                each = (cpu - base) / (options.requests - FEW)
                lags = [late[key]["value"] for key in ("p50", "p95", "p99")]
                cells = " ".join(f"{1000 * value:7.2f} ms" for value in (*off, *lags, each))
                print(f"{rate:>4} {cells}")


if __name__ == "__main__":
    main()
