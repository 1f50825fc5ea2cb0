"""A run with 32 requests in flight against vLLM's own OpenAI server on this machine: it completes,
every row has an answer, and every answer the provider's token counts.

python benchmarks/soak_vllm_server.py [--rows 64] [--samples 2] [--tokens 48]

Run it with the Python of the vLLM environment (`make test-vllm` builds it). The bundled SmolLM2 is
served in bfloat16. Exit code 1: the run did not end with code 0, or a row lacks something.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ENV = {
    **os.environ,
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1"),
    "VLLM_CPU_OMP_THREADS_BIND": os.environ.get("VLLM_CPU_OMP_THREADS_BIND", "nobind"),
    "VLLM_CPU_KVCACHE_SPACE": "2",
    # a step of 32 prompts takes long where others work on the same cores
    "VLLM_ENGINE_ITERATION_TIMEOUT_S": "900",
    "VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS": "900",
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
    "VLLM_NO_USAGE_STATS": "1",
}
NAME = "smollm2"


@contextlib.contextmanager
def server(model: str, log: Path, patience: float = 900) -> Iterator[str]:
    """The address of vLLM's server once it answers; it is stopped afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *(sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", model),
        *("--served-model-name", NAME, "--host", "127.0.0.1", "--port", str(port)),
        *("--dtype", "bfloat16", "--enforce-eager", "--max-model-len", "4096"),
        "--no-enable-chunked-prefill",  # on a CPU a seeded draw dies of it
    ]
    with log.open("w") as output:
        process = subprocess.Popen(command, env=ENV, stdout=output, stderr=subprocess.STDOUT)
    try:
        wait_for(f"http://127.0.0.1:{port}/health", process, log, patience)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path, patience: float) -> None:
    until = time.monotonic() + patience
    while time.monotonic() < until:
        if process.poll() is not None:
            sys.exit(f"the server ended with code {process.returncode}:\n{log.read_text()[-3000:]}")
        with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(url, timeout=5).close()
            return
        time.sleep(1)
    sys.exit(f"the server did not answer within {patience:.0f} s:\n{log.read_text()[-3000:]}")


def evaluate(url: str, folder: Path, args: argparse.Namespace) -> subprocess.CompletedProcess[str]:
    command = [
        *(sys.executable, "-m", "lt_bench", "eval", f"openai/{NAME}", "--base-url", url),
        *("--concurrency", "32", "--task", "commerce_qa", "--limit", str(args.rows)),
        *("--samples", str(args.samples), "--set", "sampling.temperature=0.7"),
        *("--set", f"sampling.max_tokens={args.tokens}", "--run", str(folder)),
    ]
    return subprocess.run(command, env=ENV, capture_output=True, text=True)


def check(folder: Path, expected: int) -> list[str]:
    """What is wrong with the rows; empty when nothing is."""
    rows: list[dict[str, Any]] = [
        json.loads(line) for line in (folder / "generations.jsonl").read_text().splitlines()
    ]
    keys = {json.dumps(row["key"], sort_keys=True) for row in rows}
    usages = [row["generation"]["turns"][0]["usage"] for row in rows if row["status"] != "error"]
    print("rows:", dict(Counter(row["status"] for row in rows)))
    print("tokens:", sum(usage["output"] for usage in usages if usage))
    faults = []
    if len(rows) != expected or len(keys) != expected:
        faults.append(f"{len(rows)} rows, {len(keys)} different ones, {expected} expected")
    if len(usages) != expected:
        faults.append(f"{expected - len(usages)} rows without an answer")
    if any(usage is None or usage["counted_by"] != "provider" for usage in usages):
        faults.append("an answer without the provider's counts")
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=64)
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("--tokens", type=int, default=48)
    args = parser.parse_args()

    from lt_bench.backends.builtin.bundled import converted, gguf_file

    model = str(converted(gguf_file()))
    with tempfile.TemporaryDirectory() as scratch:
        folder, begun = Path(scratch, "soak"), time.monotonic()
        with server(model, Path(scratch, "server.log")) as url:
            print(f"the server answers after {time.monotonic() - begun:.0f} s")
            begun = time.monotonic()
            done = evaluate(url, folder, args)
            print(done.stdout + done.stderr)
        print(f"exit code {done.returncode} after {time.monotonic() - begun:.0f} s")
        faults = check(folder, args.rows * args.samples)
        for fault in faults:
            print("FAULT:", fault)
        if faults:
            log = Path(scratch, "server.log").read_text().splitlines()
            print("\n".join(line for line in log if "ERROR" in line))
    sys.exit(1 if done.returncode or faults else 0)


if __name__ == "__main__":
    main()
