"""What a user of lm-eval may set, with `--metadata '{"data": "rows.jsonl"}'`.

lm-eval hands its `--metadata` to a task together with the arguments of the model, so that keys of other
people's are among them and are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lt_bench.errors import UsageError


@dataclass(frozen=True)
class Settings:
    """`data`: rows instead of the sample that ships; `options` and `builder`: as `--set task.…` and
    `--set builder.…` of lt-bench; `tokenizer`: counts tokens from text (None: nobody does)."""

    data: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    builder: Mapping[str, Any] = field(default_factory=dict)
    tokenizer: str | None = None


def settings_of(metadata: Mapping[str, Any], task: str) -> Settings:
    """The settings of one task. Each may be an object by name of task, where a command runs several:
    {"data": {"musique": "m.jsonl", "commerce_qa": "c.jsonl"}}.

    Raises:
        UsageError: one of them is of another kind.
    """
    data = _own(metadata.get("data"), task)
    if data is not None and not isinstance(data, str):
        raise _wrong("data", data, "a path, or paths by name of task")
    tokenizer = metadata.get("tokenizer") or metadata.get("pretrained")
    return Settings(
        data=Path(data).expanduser() if data else None,
        options=_group(metadata, "options", task),
        builder=_group(metadata, "builder", task),
        tokenizer=tokenizer if isinstance(tokenizer, str) else None,
    )


def _group(metadata: Mapping[str, Any], key: str, task: str) -> Mapping[str, Any]:
    value = _own(metadata.get(key), task)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise _wrong(key, value, "an object")
    return value


def _own(value: Any, task: str) -> Any:
    """What an object has under the name of the task, of ours or of lm-eval's. One without any such name
    is for every task."""
    known = ("commerce_qa", "musique", "tool_dialogue")
    names = {name: (name, f"lt_{name}") for name in known}
    if not isinstance(value, Mapping) or not any(
        key in value for pair in names.values() for key in pair
    ):
        return value
    return next((value[key] for key in names[task] if key in value), None)


def _wrong(key: str, value: Any, wanted: str) -> UsageError:
    shown = repr(value)[:60]
    return UsageError(f"--metadata: {key} is {shown}, not {wanted}", f"correct {key}")
