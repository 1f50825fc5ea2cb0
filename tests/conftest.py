"""What every test may use: real data where it is at hand, and one torch thread."""

from __future__ import annotations

import gc
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import pytest

_vllm = importlib.util.find_spec("vllm")
if _vllm is not None and _vllm.loader is None:
    # the folder tests/vllm is no vLLM, which TRL would take it for
    sys.modules["vllm"] = None  # type: ignore[assignment]

ROOT = Path(__file__).parents[1]


def pytest_configure() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    """Thousands of tests and whole libraries stay till the end: no collection need look at them.
    A training asks for three, each of which would take seconds."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real rows of public data sets that are not part of the project."""
    folder = Path(os.environ.get("LT_BENCH_TEST_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"real data is not at hand: set LT_BENCH_TEST_DATA (looked in {folder})")
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window, as the system has it; Playwright brings none of its own."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: make test-browser"
    )
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("Chromium is not installed: make test-browser")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(
            executable_path=found, args=["--no-sandbox"], timeout=180_000
        )
        yield opened
        opened.close()
