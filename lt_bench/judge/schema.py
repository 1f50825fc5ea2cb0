"""JSON Schema of a judge's answer, for servers that can hold a model to it."""

from __future__ import annotations

from typing import Any

from lt_bench.judge.spec import JudgeSpec


def schema_of(spec: JudgeSpec) -> dict[str, Any] | None:
    """The schema; None where the answer is no JSON."""
    return None
