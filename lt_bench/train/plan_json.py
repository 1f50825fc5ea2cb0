"""A plan as plain data: every figure with its formula, every setting by its path."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from lt_bench.train import memory
from lt_bench.train.hardware import Hardware
from lt_bench.train.memory import Memory
from lt_bench.train.plan import Plan, StagePlan


def flat(settings: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Settings as paths that `--set` takes, and their values as YAML reads them."""
    if isinstance(settings, Mapping) and settings:
        for key, value in settings.items():
            yield from flat(value, f"{prefix}.{key}" if prefix else str(key))
    else:
        plain = isinstance(settings, str) and settings.isprintable()
        yield prefix, settings if plain else json.dumps(settings, ensure_ascii=False)


def as_json(found: Plan) -> dict[str, Any]:
    """The plan with every formula."""
    return {
        "estimated": True,
        "recipe": found.recipe,
        "task": found.task,
        "settings": dict(found.settings),
        "hardware": {
            "in_words": found.hardware.in_words,
            "devices": found.hardware.devices,
            "memory_gib": found.hardware.memory,
            "peak_tflops": found.hardware.peak,
            "mfu": found.hardware.mfu,
            "rollout_mfu": found.hardware.rollout_mfu,
        },
        "stages": [_stage_json(stage, found.hardware) for stage in found.stages],
        "hours": found.hours,
        "device_hours": None if found.hours is None else found.hours * found.hardware.devices,
    }


def _stage_json(stage: StagePlan, hardware: Hardware) -> dict[str, Any]:
    return {
        "name": stage.name,
        "kind": stage.kind,
        "parent": stage.parent,
        "rows": stage.prompts.rows,
        "prompt_tokens": {
            "mean": round(stage.prompts.mean, 1),
            "longest": stage.prompts.longest,
            "counted": stage.prompts.counted,
            "how": stage.prompts.how,
        },
        "completion_tokens": {
            "mean": round(stage.completion.mean, 1),
            "most": stage.completion.most,
            "how": stage.completion.how,
            "turns": round(stage.completion.turns, 2),
        },
        "steps": stage.steps,
        "sequences_a_step": stage.sequences_a_step,
        "completions": stage.completions,
        "teacher_samples": stage.teacher_samples,
        "judged": stage.judged,
        "parameters": _size_json(stage),
        "memory": _memory_json(stage.memory, hardware),
        "work": [
            {
                "name": part.name,
                "flops": part.flops,
                "formula": part.formula,
                "hours": part.hours(hardware),
            }
            for part in stage.effort
        ],
        "hours": stage.hours(hardware),
        "remarks": list(stage.remarks),
    }


def _size_json(stage: StagePlan) -> dict[str, Any] | None:
    if stage.size is None:
        return None
    return {
        "total": stage.size.total,
        "active": stage.size.active,
        "trained": stage.trained,
        "source": stage.size.source,
    }


def _memory_json(found: Memory | None, hardware: Hardware) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "parts": [
            {
                "name": part.name,
                "gib": None if part.bytes is None else part.bytes / memory.GIB,
                "phase": part.phase,
                "formula": part.formula,
            }
            for part in found.parts
        ],
        "peak_gib": found.peak / memory.GIB,
        "whole": found.whole,
        "fits": found.fits(hardware),
    }
