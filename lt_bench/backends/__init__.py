"""Backends turn a Prompt into a Generation: local models, endpoints, and replies from a file."""

from lt_bench.backends.base import Backend, BackendFactory, ModelFacts, Request
from lt_bench.registry import Registry

BACKENDS: Registry[BackendFactory] = Registry(
    "backend",
    group="lt_bench.backends",
    builtin={
        "builtin": "lt_bench.backends.builtin.backend:open_builtin",
        "hf": "lt_bench.backends.transformers.backend:TransformersBackend",
        "openai": "lt_bench.backends.openai.backend:open_openai",
        "replay": "lt_bench.backends.replay.backend:ReplayBackend",
        "scripted": "lt_bench.backends.scripted.backend:ScriptedBackend",
        "vllm": "lt_bench.backends.vllm.backend:VllmBackend",
    },
    extras={"builtin": "hf", "hf": "hf"},
)
"""Prefix of MODEL -> backend factory."""

__all__ = ["BACKENDS", "Backend", "BackendFactory", "ModelFacts", "Request"]
