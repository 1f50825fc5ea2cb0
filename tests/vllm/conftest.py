"""Real vLLM engines for the tests: tiny models, one engine a module, on one event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

# a small machine: one thread, no pinning, and the model in the engine's own process
os.environ.setdefault("VLLM_CPU_OMP_THREADS_BIND", "nobind")
os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")

pytest.importorskip("vllm", reason="make test-vllm builds the environment that has it")

from support.tiny_models import tiny_model

from lt_bench.backends.base import Backend, Request
from lt_bench.backends.transformers.backend import TransformersBackend
from lt_bench.backends.vllm.backend import VllmBackend
from lt_bench.config import Sampling
from lt_bench.records import Message, Prompt

HEAD = 32
"""Width of a head: vLLM's attention on a CPU knows no narrower one."""
QUESTIONS = [
    "Is the red kettle in stock?",
    "Which jacket costs 99 yuan?",
    "天气很好",
    "Returns?",
    "Shipping takes how long, and is it free?",
    "slot nine",
    "Which river runs past the museum?",
    "Yes.",
]
"""Eight prompts of several lengths."""


class Asking:
    """A backend that stays open over several tests."""

    def __init__(self, backend: Backend, runner: asyncio.Runner) -> None:
        self.backend, self._runner = backend, runner

    def __call__(
        self, questions: Sequence[str], schema: dict[str, Any] | None = None, **sampling: Any
    ) -> list[Any]:
        """Answers or errors, in order; all are asked at once."""
        asked = [request(each, schema, **sampling) for each in questions]

        async def main() -> list[Any]:
            answers = (self.backend.generate(each) for each in asked)
            return list(await asyncio.gather(*answers, return_exceptions=True))

        return self._runner.run(main())

    def turns(self, questions: Sequence[str], **sampling: Any) -> list[Any]:
        """What was said, without when: comparable between backends."""
        turns = [answer.turns[0] for answer in self(questions, **sampling)]
        return [turn.model_copy(update={"timings": type(turn.timings)()}) for turn in turns]

    def run(self, work: Any) -> Any:
        """A coroutine of the test's own, on the backend's loop."""
        return self._runner.run(work)


def request(question: str, schema: dict[str, Any] | None = None, **sampling: Any) -> Request:
    prompt = Prompt(messages=(Message(role="user", content=question),))
    return Request(prompt, Sampling(**{"max_tokens": 32, **sampling}), question, 0, schema)


def opened(backend: Backend) -> Iterator[Asking]:
    """The backend entered, and left afterwards."""
    with asyncio.Runner() as runner:
        runner.run(backend.__aenter__())
        try:
            yield Asking(backend, runner)
        finally:
            runner.run(backend.__aexit__(None, None, None))


@pytest.fixture(scope="session")
def moe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random Qwen3 mixture of experts with a plain chat template."""
    return tiny_model(tmp_path_factory.mktemp("models") / "moe", "qwen3_moe", head_dim=HEAD)


@pytest.fixture(scope="session")
def thinker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same whose template opens a thought."""
    folder = tmp_path_factory.mktemp("models") / "thinker"
    # of this seed, some thoughts come to an end
    return tiny_model(folder, "qwen3_moe", template="think", head_dim=HEAD, seed=13)


@pytest.fixture(scope="module")
def vllm_moe(moe: Path) -> Iterator[Asking]:
    # a random model told to write JSON fills it with blanks until the cap
    plain = {"structured_outputs_config": {"disable_any_whitespace": True, "backend": "xgrammar"}}
    yield from opened(VllmBackend(str(moe), plain))


@pytest.fixture(scope="module")
def vllm_thinker(thinker: Path) -> Iterator[Asking]:
    yield from opened(VllmBackend(str(thinker), {"concurrency": 8}))


@pytest.fixture(scope="module")
def hf_moe(moe: Path) -> Iterator[Asking]:
    yield from opened(TransformersBackend(str(moe), {"dtype": "float32", "device": "cpu"}))


@pytest.fixture(scope="module")
def hf_thinker(thinker: Path) -> Iterator[Asking]:
    yield from opened(TransformersBackend(str(thinker), {"dtype": "float32", "device": "cpu"}))
