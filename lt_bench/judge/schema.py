"""JSON Schema of a judge's answer, for servers that can hold a model to it.

In the subset that strict structured output takes: closed objects whose keys are all required. The
reason stands first, so that a model that writes keys in order thinks before it decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lt_bench.judge.ledger_answer import FINDINGS
from lt_bench.judge.spec import JsonAnswer, JudgeSpec, Label, LedgerAnswer


def schema_of(spec: JudgeSpec) -> dict[str, Any] | None:
    """The schema; None where the answer is no JSON."""
    if isinstance(spec.answer, LedgerAnswer):
        return _ledger()
    return _labelled(spec.answer, spec.labels) if isinstance(spec.answer, JsonAnswer) else None


def _labelled(answer: JsonAnswer, labels: Mapping[str, Label]) -> dict[str, Any]:
    reason = {answer.reason: {"type": "string"}} if answer.reason else {}
    return _closed({**reason, answer.field: _values(labels)})


def _values(labels: Mapping[str, Label]) -> dict[str, Any]:
    said = [label.says for label in labels.values()]
    words = [one for one in said if isinstance(one, str)]
    kinds: list[dict[str, Any]] = []
    if len(words) < len(said):
        kinds.append(_booleans([one for one in said if isinstance(one, bool)]))
    if words:
        kinds.append({"type": "string", "enum": words})
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def _booleans(said: list[bool]) -> dict[str, Any]:
    return {"type": "boolean"} if len(said) == 2 else {"type": "boolean", "enum": said}


def _ledger() -> dict[str, Any]:
    entry = _closed(
        {
            "n": {"type": "integer"},
            "document": {"type": ["string", "null"]},
            "evidence": {"type": ["string", "null"]},
            "verdict": {"type": "string", "enum": list(FINDINGS)},
        }
    )
    return _closed(
        {
            "claims": {"type": "array", "items": entry},
            "answers": {"type": "boolean"},
            "reason": {"type": "string"},
        }
    )


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
