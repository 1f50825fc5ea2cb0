"""What a stage starts from: an earlier stage, a folder, a bundled model, or a hub id."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lt_bench.errors import RunError, UsageError, did_you_mean
from lt_bench.train.recipe import GrpoStage, PretrainStage, Stage

CANDIDATE: Final = "candidate"
HUB_ID: Final = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
BUILTIN: Final = "builtin/"


@dataclass(frozen=True)
class Parent:
    """`name` is what the recipe says, `place` the folder or hub id to load from, `sha` the
    fingerprint of its files."""

    name: str
    place: str
    sha: str


def parent_of(stage: Stage) -> str | None:
    """What the recipe says a stage starts from; None for one that starts from nothing."""
    return None if isinstance(stage, PretrainStage) else stage.parent


def named_by(stage: Stage) -> Iterator[str]:
    """Every model that a stage needs: its parent, and whose lengths it refers to."""
    if (parent := parent_of(stage)) is not None:
        yield parent
    if isinstance(stage, GrpoStage) and stage.rewards.length and stage.rewards.length.of:
        yield stage.rewards.length.of


def ancestors(name: str, stages: Mapping[str, Stage]) -> Iterator[str]:
    """The stages that a stage needs, and those that these need, each once, itself left out."""
    seen: set[str] = set()
    waiting = [one for one in named_by(stages[name]) if one in stages]
    while waiting:
        if (one := waiting.pop(0)) not in seen:
            seen.add(one)
            yield one
            waiting += [further for further in named_by(stages[one]) if further in stages]


def check_named(model: str, stage: str, earlier: Sequence[str], later: Sequence[str]) -> None:
    """Refuses what can be no model, before anything is trained.

    Raises:
        UsageError: a later stage, the stage itself, or a name behind which there is nothing.
    """
    key = f"stages.{stage}"
    if model in earlier:
        return
    if model == stage or model in later:
        what = "itself" if model == stage else f"{model}, which comes later"
        raise UsageError(
            f"{key} starts from {what}",
            f"earlier stages: {', '.join(earlier) or 'none'}; or a folder, or OWNER/NAME on the hub",
        )
    target = model.removeprefix("hf/")
    folder = Path(target).expanduser()
    if folder.is_dir() and not _holds_model(folder):
        raise UsageError(
            f"{key} starts from {model}, a folder without a model",
            "name a model's folder, or that of a finished stage",
        )
    if model.startswith(BUILTIN) or HUB_ID.fullmatch(target) or folder.exists():
        return
    raise UsageError(
        f"{key} starts from {model!r}, which is no earlier stage, no folder here and no hub id."
        f"{did_you_mean(model, earlier)}",
        f"earlier stages: {', '.join(earlier) or 'none'}; a hub id is written OWNER/NAME",
    )


def _holds_model(folder: Path) -> bool:
    """Whether a folder has what a model cannot be without, or a candidate that might."""
    needed = ("config.json", "adapter_config.json", CANDIDATE)
    return any((folder / name).exists() for name in needed) or any(folder.glob("*.gguf"))


def find(model: str, candidates: Mapping[str, Path]) -> Parent:
    """The files of what a stage starts from; a hub repository is fetched where it is not cached.

    Raises:
        UsageError: there is no such model, or it is not whole.
    """
    place = place_of(model, candidates)
    return Parent(model, place, fingerprint(place))


def place_of(model: str, candidates: Mapping[str, Path]) -> str:
    """The folder of a model, or its hub id.

    Raises:
        UsageError: a bundled model that is not installed.
    """
    if model in candidates:
        return str(candidates[model])
    if model.startswith(BUILTIN):
        return str(_bundled(model))
    target = model.removeprefix("hf/")
    folder = Path(target).expanduser()
    if not folder.is_dir():
        return target
    inner = folder / CANDIDATE
    return str(inner if inner.is_dir() and not (folder / "config.json").is_file() else folder)


def fingerprint(model: str | Path) -> str:
    """sha256 (hex) of a model's config, tokenizer and weights; all of them are there.

    Raises:
        UsageError: something is missing or broken.
    """
    from lt_bench.backends.transformers import folder
    from lt_bench.backends.transformers.locate import TransformersOptions, locate

    return folder.fingerprint(locate(str(model), TransformersOptions()))


def check_whole(candidate: Path, stage: str) -> str:
    """The fingerprint of what a stage has made.

    Raises:
        RunError: it is no model that could be evaluated.
    """
    try:
        return fingerprint(candidate)
    except UsageError as error:
        raise RunError(
            f"stage {stage} ended without a whole candidate: {error.cause}",
            "run the same command again; the stage goes on from its last checkpoint",
        ) from error


def _bundled(model: str) -> Path:
    from lt_bench.backends.builtin.bundled import NAME, converted, gguf_file

    if model != f"{BUILTIN}{NAME}":
        raise UsageError(f"unknown bundled model {model!r}", f"there is one: {BUILTIN}{NAME}")
    return converted(gguf_file())


def config_of(model: str) -> dict[str, Any] | None:
    """The config.json of a model that is here already; None where it is not."""
    from lt_bench.backends.transformers.folder import ADAPTER, read_json

    target = model.removeprefix("hf/")
    if model.startswith(BUILTIN):
        from lt_bench.backends.builtin.bundled import NAME
        from lt_bench.backends.cache_folder import cache_folder

        made = sorted(cache_folder().glob(f"{NAME}-*/config.json"))
        return read_json(made[-1]) if made else None
    for folder in (Path(target).expanduser(), Path(target).expanduser() / CANDIDATE):
        if (folder / "config.json").is_file():
            return read_json(folder / "config.json")
        if (folder / ADAPTER).is_file():
            base = read_json(folder / ADAPTER).get("base_model_name_or_path")
            return config_of(base) if isinstance(base, str) else None
    cached = cached_file(target, "config.json")
    return read_json(cached) if cached else None


def cached_file(repository: str, name: str) -> Path | None:
    """A file of a hub repository that was fetched before."""
    try:
        from huggingface_hub import try_to_load_from_cache
        from huggingface_hub.errors import HFValidationError

        found = try_to_load_from_cache(repository, name)
    except (ImportError, HFValidationError):
        return None
    return Path(found) if isinstance(found, str) else None
