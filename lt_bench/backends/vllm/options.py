"""Settings of `vllm/`: a few of our own, and whatever vLLM's engine arguments are called.

    own, engine = parse_options({"concurrency": 64, "tensor_parallel_size": 2})

vLLM's names are looked up in its own `AsyncEngineArgs`, so that a release that adds one needs no
change here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from lt_bench.backends.transformers.locate import TransformersOptions
from lt_bench.backends.vllm.presence import load_vllm
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError, did_you_mean

AT_ONCE = 256
"""Requests in flight where nothing else is said: what vLLM batches by default."""


class VllmOptions(Config):
    """Our own settings of `--set backend.*`; all others are vLLM's engine arguments.

    `concurrency`: requests in flight, and vLLM's `max_num_seqs` unless that is given too ("auto"
    leaves the number to us). `adapter`: a LoRA folder over MODEL. `tokenizer`, `chat_template`,
    `template_kwargs`, `family`, `tool_form`, `revision` as for `hf/`.
    """

    concurrency: Annotated[int, Field(ge=1)] | Literal["auto"] | None = None
    adapter: str | None = None
    tokenizer: str | None = None
    chat_template: str | None = None
    template_kwargs: dict[str, Any] = Field(default_factory=dict)
    family: str = "auto"
    tool_form: str = "auto"
    revision: str | None = None
    trust_remote_code: bool = False

    @field_validator("concurrency", mode="before")
    @classmethod
    def _no_truth(cls, value: Any) -> Any:
        if isinstance(value, bool):
            raise ValueError("a number or auto")
        return value

    def as_transformers(self) -> TransformersOptions:
        """The same in the words of `hf/`, which finds the files and reads the tokenizer."""
        shared = set(TransformersOptions.model_fields) & set(VllmOptions.model_fields)
        return TransformersOptions(**self.model_dump(include=shared))


RESERVED: Mapping[str, str] = {
    "model": "MODEL itself names it: vllm/FOLDER_OR_ID",
    "model_weights": "MODEL itself names them: vllm/FOLDER_OR_ID",
    "served_model_name": "nothing is served",
    "hf_token": "a secret does not belong on the command line: set HF_TOKEN",
    "skip_tokenizer_init": "lt-bench has vLLM read the tokenizer",
    "runner": "models that generate are run",
    "convert": "models that generate are run",
    "generation_config": "only --set sampling.KEY=VALUE decides how tokens are drawn",
    "override_generation_config": "only --set sampling.KEY=VALUE decides how tokens are drawn",
    "enable_log_requests": "set VLLM_LOGGING_LEVEL to see what vLLM logs",
    "disable_log_stats": "lt-bench reads the waiting times from them",
    "enable_lora": "--set backend.adapter=FOLDER does it",
    "tokenizer_revision": "--set backend.revision=… holds for both",
    "code_revision": "--set backend.revision=… holds for both",
}
"""Engine arguments that are ours to set, and what to do instead."""

PICKLED = ("pt", "npcache")
"""Load formats that read pickled weights, which can run code."""

SPEED_ONLY = frozenset({
    "tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size",
    "data_parallel_size_local", "data_parallel_rank", "data_parallel_start_rank",
    "data_parallel_address", "data_parallel_rpc_port", "data_parallel_backend",
    "data_parallel_hybrid_lb", "data_parallel_external_lb", "prefill_context_parallel_size",
    "decode_context_parallel_size", "distributed_executor_backend", "enable_expert_parallel",
    "max_parallel_loading_workers", "nnodes", "node_rank", "master_addr", "master_port",
    "numa_bind", "numa_bind_nodes", "numa_bind_cpus", "device_ids",
    "distributed_timeout_seconds", "gpu_memory_utilization", "kv_cache_memory_bytes",
    "num_gpu_blocks_override", "block_size", "cpu_offload_gb", "kv_offloading_size",
    "kv_offloading_backend", "offload_backend", "max_num_seqs", "max_num_batched_tokens",
    "enable_chunked_prefill", "enable_prefix_caching", "long_prefill_token_threshold",
    "async_scheduling", "stream_interval", "scheduling_policy", "enforce_eager",
    "compilation_config", "cudagraph_capture_sizes", "max_cudagraph_capture_size",
    "optimization_level", "performance_mode", "attention_backend", "download_dir",
    "load_format", "use_tqdm_on_load", "safetensors_load_strategy", "shutdown_timeout",
})  # fmt: skip
"""Engine arguments that leave the answers alone, up to rounding: a resume may change them. What
vLLM adds tomorrow is taken to matter."""


def parse_options(options: Mapping[str, Any]) -> tuple[VllmOptions, dict[str, Any]]:
    """Our settings, and vLLM's engine arguments by name.

    Raises:
        UsageError: a name is neither ours nor vLLM's (the nearest is named), or one that is not
            for users; vLLM is not installed.
    """
    own = {key: value for key, value in options.items() if key in VllmOptions.model_fields}
    engine = {key: value for key, value in options.items() if key not in own}
    settings = validate(VllmOptions, own, "vllm backend")
    for key in engine:
        if key in RESERVED:
            raise UsageError(f"vllm backend: {key!r} is not for you to set", RESERVED[key])
    if engine:
        check_names(engine, engine_arguments())
    if engine.get("load_format") in PICKLED:
        raise UsageError(
            f"load_format {engine['load_format']!r} reads pickled weights, which can run code",
            "save the model as safetensors (save_pretrained does) and leave load_format out",
        )
    return settings, engine


def engine_arguments() -> frozenset[str]:
    """The names of vLLM's engine arguments, as the installed release has them. Loads vLLM."""
    fields = dataclasses.fields(load_vllm().engine.arg_utils.AsyncEngineArgs)
    return frozenset(field.name for field in fields if not field.name.startswith("_"))


def check_names(given: Collection[str], known: Collection[str]) -> None:
    """Raise UsageError at the first name that vLLM does not have."""
    for key in given:
        if key not in known:
            offered = {*VllmOptions.model_fields, *known} - set(RESERVED)
            raise UsageError(
                f"vllm backend: unknown key {key!r}.{did_you_mean(key, sorted(offered))}",
                f"ours: {', '.join(VllmOptions.model_fields)};\n"
                "all others are vLLM's engine arguments, written with underscores",
            )


def at_once(own: VllmOptions, engine: Mapping[str, Any]) -> int:
    """Requests in flight."""
    if isinstance(own.concurrency, int):
        return own.concurrency
    most = engine.get("max_num_seqs")
    return most if isinstance(most, int) and most > 0 else AT_ONCE


def answer_settings(own: VllmOptions, engine: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that may change what is answered; saved with the run and compared on resume."""
    ours = own.model_dump(
        exclude={"concurrency", "chat_template", "trust_remote_code"}, exclude_defaults=True
    )
    theirs = {key: value for key, value in engine.items() if key not in SPEED_ONLY}
    return {**theirs, **ours}
