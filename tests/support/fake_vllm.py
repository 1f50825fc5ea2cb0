"""A stand-in for the package `vllm`: its names as lt-bench uses them, and an engine that plays back.

    fake = install(monkeypatch, script=lambda ids: [Piece([5, 6]), Piece([2], "stop")])

What was asked of it is in `fake.started` and `fake.asked`.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest


@dataclasses.dataclass
class Piece:
    """One message of the stream: tokens, perhaps the end; or an error; or a wait for ever."""

    ids: Sequence[int] = ()
    finish: str | None = None
    error: BaseException | None = None
    hangs: bool = False


Script = Callable[[list[int]], Sequence[Piece]]


@dataclasses.dataclass
class AsyncEngineArgs:
    """A few of the real one's fields."""

    model: str = ""
    tokenizer: str | None = None
    trust_remote_code: bool = False
    dtype: str = "auto"
    max_model_len: int | None = None
    max_num_seqs: int | None = None
    tensor_parallel_size: int = 1
    data_parallel_size: int = 1
    distributed_executor_backend: str | None = None
    gpu_memory_utilization: float = 0.92
    kv_cache_memory_bytes: int | None = None
    enforce_eager: bool = False
    enable_chunked_prefill: bool | None = None
    max_num_batched_tokens: int | None = None
    enable_prefix_caching: bool | None = None
    quantization: str | None = None
    load_format: str = "auto"
    generation_config: str = "auto"
    enable_lora: bool = False
    max_lora_rank: int = 16
    hf_token: str | None = None
    override_generation_config: dict[str, Any] | None = None
    _private: int = 0


@dataclasses.dataclass
class SamplingParams:
    """As strict as the real one about names; `temperature` may not be above 5 here."""

    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int | None = None
    max_tokens: int | None = 16
    stop_token_ids: list[int] | None = None
    detokenize: bool = True
    output_kind: str = "cumulative"
    structured_outputs: Any = None

    def __post_init__(self) -> None:
        if self.temperature > 5:
            raise ValueError("temperature is too hot")


@dataclasses.dataclass
class StructuredOutputsParams:
    json: Any = None


class VLLMError(Exception):
    pass


class VLLMClientError(VLLMError):
    pass


class EngineDeadError(VLLMError):
    pass


class EngineGenerateError(VLLMError):
    pass


@dataclasses.dataclass
class LoRARequest:
    lora_name: str
    lora_int_id: int
    lora_path: str


@dataclasses.dataclass
class Asked:
    """One request that reached the engine."""

    ids: list[int]
    params: Any
    lora: Any
    aborted: bool = False


class Fake:
    """The state behind the module. `context` is the model's; `fails` is raised at the start, after
    `prints` went to the standard streams; `device` is what it runs on."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.started: list[AsyncEngineArgs] = []
        self.asked: list[Asked] = []
        self.closed = 0
        self.context, self.device, self.invariant = 512, "cpu", False
        self.fails: Exception | None = None
        self.prints = b""
        self.slow = 0.0
        self.errored = False
        self.seen: dict[str, str | None] = {}


def install(monkeypatch: pytest.MonkeyPatch, script: Script) -> Fake:
    """Put the fake in the place of `vllm` until the test is over."""
    fake = Fake(script)
    parts = {
        "vllm": {"__path__": []},
        "vllm.engine": {"__path__": []},
        "vllm.engine.arg_utils": {"AsyncEngineArgs": AsyncEngineArgs},
        "vllm.envs": {},
        "vllm.exceptions": {"VLLMError": VLLMError, "VLLMClientError": VLLMClientError},
        "vllm.inputs": {"tokens_input": _tokens_input},
        "vllm.lora": {"__path__": []},
        "vllm.lora.request": {"LoRARequest": LoRARequest},
        "vllm.platforms": {"current_platform": _Platform(fake)},
        "vllm.sampling_params": {
            "SamplingParams": SamplingParams,
            "StructuredOutputsParams": StructuredOutputsParams,
            "RequestOutputKind": SimpleNamespace(DELTA="delta"),
        },
        "vllm.v1": {"__path__": []},
        "vllm.v1.engine": {"__path__": []},
        "vllm.v1.engine.async_llm": {"AsyncLLM": _engine_class(fake)},
        "vllm.v1.engine.exceptions": {"EngineDeadError": EngineDeadError},
    }
    for name, content in parts.items():
        module = ModuleType(name)
        module.__spec__ = ModuleSpec(name, None)
        for key, value in content.items():
            setattr(module, key, value)
        monkeypatch.setitem(sys.modules, name, module)
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, module)
    sys.modules["vllm.envs"].__class__ = _envs_of(fake)
    return fake


def _tokens_input(prompt_token_ids: list[int]) -> dict[str, Any]:
    return {"type": "token", "prompt_token_ids": prompt_token_ids}


class _Platform:
    def __init__(self, fake: Fake) -> None:
        self._fake = fake

    @property
    def device_type(self) -> str:
        return self._fake.device

    def is_cpu(self) -> bool:
        return self._fake.device == "cpu"


def _envs_of(fake: Fake) -> type[ModuleType]:
    class Envs(ModuleType):
        @property
        def VLLM_BATCH_INVARIANT(self) -> bool:  # noqa: N802
            return fake.invariant

    return Envs


def _output(piece: Piece) -> SimpleNamespace:
    said = SimpleNamespace(token_ids=list(piece.ids), finish_reason=piece.finish)
    waited = SimpleNamespace(queued_ts=100.0, scheduled_ts=100.25)
    return SimpleNamespace(outputs=[said], metrics=waited)


async def _played(asked: Asked, script: Script) -> AsyncIterator[Any]:
    try:
        for piece in script(asked.ids):
            await asyncio.sleep(3600 if piece.hangs else 0.002)
            if piece.error is not None:
                raise piece.error
            yield _output(piece)
    except (asyncio.CancelledError, GeneratorExit):
        asked.aborted = True
        raise


def _engine_class(fake: Fake) -> type:
    class AsyncLLM:
        def __init__(self, made: AsyncEngineArgs) -> None:
            dtype = "torch.bfloat16" if made.dtype == "auto" else f"torch.{made.dtype}"
            length = made.max_model_len or fake.context
            self.model_config = SimpleNamespace(dtype=dtype, max_model_len=length)

        @property
        def errored(self) -> bool:
            return fake.errored

        @classmethod
        def from_engine_args(cls, made: AsyncEngineArgs) -> AsyncLLM:
            for name in ("VLLM_NO_USAGE_STATS", "DO_NOT_TRACK", "VLLM_LOGGING_LEVEL"):
                fake.seen[name] = os.environ.get(name)
            os.environ["VLLM_SET_BY_VLLM"] = "1"
            for number in (1, 2):
                os.write(number, fake.prints)
            time.sleep(fake.slow)
            if fake.fails is not None:
                raise fake.fails
            fake.started.append(made)
            return cls(made)

        def generate(
            self, prompt: Any, params: Any, name: str, *, lora_request: Any = None
        ) -> AsyncIterator[Any]:
            asked = Asked(prompt["prompt_token_ids"], params, lora_request)
            fake.asked.append(asked)
            return _played(asked, fake.script)

        def shutdown(self, timeout: float | None = None) -> None:
            fake.closed += 1

    return AsyncLLM
