"""Typed settings, and the hashes that tell two of them apart.

Unknown keys are errors that name the nearest known one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lt_bench import yaml
from lt_bench.errors import UsageError, did_you_mean


class Config(BaseModel):
    """Immutable and closed, like a record, but made by people."""

    # A value may be a secret that was put in the wrong place; a traceback must not show it.
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        hide_input_in_errors=True,
        defer_build=True,
    )


class NoOptions(Config):
    """What needs no settings refuses them all."""


Settings = TypeVar("Settings", bound=Config)


class Sampling(Config):
    """How tokens are drawn. `temperature` 0 is greedy; `seed` fixes the draws; `stop` strings
    end the reply and are never looked for inside the thinking."""

    temperature: float = Field(default=0.0, ge=0.0)
    top_p: float = Field(default=1.0, gt=0.0, le=1.0)
    top_k: int = Field(default=0, ge=0)
    max_tokens: int = Field(default=2048, ge=1)
    seed: int = 0
    stop: tuple[str, ...] = ()


class JudgeSettings(Config):
    """Who judges: one of the task's `judges`, or a declared judge, by name ("" where the task
    measures without any); the models asked, their votes, and changes to how they are sampled."""

    name: str = ""
    models: tuple[str, ...] = ()
    votes: int = Field(default=1, ge=1)
    min_votes: int | None = Field(default=None, ge=1)
    sampling: dict[str, Any] = Field(default_factory=dict)


class EvalConfig(Config):
    """Everything that decides what is asked and answered in one evaluation, and who judges it by
    default. What only changes how fast the answers come (concurrency, URL, batch size), or how they
    are counted afterwards, is not here, so that a resume may change it. `shard` is "I/N" where the run
    is one part of several."""

    model: str
    task: str
    version: int
    data_sha: str
    limit: int | None = Field(default=None, ge=1)
    shard: str | None = None
    samples: int = Field(default=1, ge=1)
    sampling: Sampling
    task_options: dict[str, Any] = Field(default_factory=dict)
    builder_options: dict[str, Any] = Field(default_factory=dict)
    prompt_sha: str
    fingerprint: str
    model_settings: dict[str, Any] = Field(default_factory=dict)
    judge: JudgeSettings = JudgeSettings()


def digest(value: Any) -> str:
    """sha256 (hex) of a value's canonical JSON; records and configs by their fields."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def file_sha(path: Path) -> str:
    """sha256 (hex) of a file's bytes.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", "check the path") from error


def validate(kind: type[Settings], data: Mapping[str, Any], where: str) -> Settings:
    """`data` as settings of `kind`.

    Raises:
        UsageError: a key is unknown (the nearest is named) or a value does not fit.
    """
    try:
        return kind.model_validate(dict(data))
    except ValidationError as error:
        # A misspelt key is also a lacking one: say what it is, not what it is not.
        errors = error.errors()
        first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            known = kind.model_fields
            raise UsageError(
                f"{where}: unknown key {key!r}.{did_you_mean(key, known)}",
                f"known keys: {', '.join(known) or 'none'}",
            ) from error
        what = first["msg"].removeprefix("Value error, ")
        if not key:
            raise UsageError(f"{where}: {what}", f"correct {where}") from error
        raise UsageError(
            f"{where}: {key}: {what} (got {first['input']!r})", f"correct {key}"
        ) from error


def grouped(settings: Mapping[str, Any], groups: Iterable[str]) -> dict[str, dict[str, Any]]:
    """`{"sampling.temperature": 0.7}` as `{"sampling": {"temperature": 0.7}}`, every group there.

    Raises:
        UsageError: the part before the first dot is no known group.
    """
    known = tuple(groups)
    found: dict[str, dict[str, Any]] = {group: {} for group in known}
    for key, value in settings.items():
        group, _, name = key.partition(".")
        if group not in found or not name:
            raise UsageError(
                f"setting {key!r} is not GROUP.KEY.{did_you_mean(group, known)}",
                f"groups: {', '.join(known)}; write {known[0]}.KEY=VALUE",
            )
        found[group][name] = value
    return found


def assignments(pairs: Iterable[str]) -> dict[str, Any]:
    """`["sampling.temperature=0.7"]` as `{"sampling.temperature": 0.7}`; values by YAML rules.

    Raises:
        UsageError: not KEY=VALUE, or a key is set twice.
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        key = key.strip()
        if not equals or not key:
            raise UsageError(f"--set {pair!r} is not KEY=VALUE", "e.g. sampling.temperature=0.7")
        if key in found:
            raise UsageError(f"--set {key} is given twice", "keep one")
        found[key] = yaml.scalar(value)
    return found
