"""`builtin/smollm2-135m`: a real model that needs no hub."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lt_bench.backends.builtin.bundled import NAME, converted, gguf_file
from lt_bench.backends.endpoint_flags import refuse_endpoint_flags
from lt_bench.backends.transformers.backend import BATCH_SIZE, TransformersBackend
from lt_bench.errors import UsageError, did_you_mean


def open_builtin(target: str, options: Mapping[str, Any]) -> TransformersBackend:
    """The backend of `builtin/smollm2-135m`; it takes the options of `hf/`.

    Raises:
        UsageError: no such model, or its package is not installed (the fix installs it).
    """
    if target != NAME:
        raise UsageError(
            f"unknown bundled model {target!r}.{did_you_mean(target, [NAME])}", f"known: {NAME}"
        )
    refuse_endpoint_flags(f"builtin/{NAME}", options, instead=BATCH_SIZE)
    source = gguf_file()
    return TransformersBackend(
        target,
        options,
        name=f"builtin/{NAME}",
        backend="builtin",
        prepare=lambda: str(converted(source)),
    )
