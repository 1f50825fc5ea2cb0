"""From what a user names to a recipe: found, changed by `--set`, and read strictly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from lt_bench import catalog, yaml
from lt_bench.config import Config
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.train.recipe import GrpoStage, PretrainStage, Recipe, SftStage, with_settings

KINDS: Final[dict[str, type[Config]]] = {
    "pretrain": PretrainStage,
    "sft": SftStage,
    "rft": SftStage,
    "grpo": GrpoStage,
}
"""What a stage of each kind may say."""
STAGE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
"""A stage's name is the name of its folder."""
SUFFIXES: Final = (".yaml", ".yml")


@dataclass(frozen=True)
class NamedRecipe:
    """`name` is FOLDER/FILE of a catalog, or the stem of the file that a path named."""

    name: str
    recipe: Recipe

    @property
    def slug(self) -> str:
        """The name as the name of a run."""
        return re.sub(r"[^A-Za-z0-9.]+", "-", self.name).strip("-.") or "recipe"


def load(
    name: str, settings: Mapping[str, Any] | None = None, catalogs: Sequence[Path] = ()
) -> NamedRecipe:
    """The recipe FOLDER/FILE of the catalogs, or of a path; `settings` maps paths to values.

    Raises:
        UsageError: no such recipe, or a key or value in it that cannot be.
    """
    path = Path(name).expanduser()
    if path.suffix in SUFFIXES or path.is_file():
        return NamedRecipe(path.stem, read(path, settings))
    known = dict(recipes(catalogs))
    if name not in known:
        near = did_you_mean(name, known)
        raise UsageError(
            f"unknown recipe {name!r}.{near}",
            f"`lt-bench list recipes` shows all {len(known)}; or give the path of a .yaml file",
        )
    return NamedRecipe(name, read(known[name], settings))


def recipes(catalogs: Sequence[Path] = ()) -> Iterator[tuple[str, Path]]:
    """FOLDER/FILE and path of every recipe in the catalogs.

    Raises:
        UsageError: two files of one folder have one name (.yaml and .yml).
    """
    for folder_name, folder in catalog.entries("training", catalogs).items():
        stems: dict[str, Path] = {}
        for path in sorted(folder.iterdir()):
            if path.suffix not in SUFFIXES or path.name.startswith((".", "_")):
                continue
            if path.stem in stems:
                raise UsageError(f"{stems[path.stem]} and {path} have one name", "rename one")
            stems[path.stem] = path
            yield f"{folder_name}/{path.stem}", path


def read(path: Path, settings: Mapping[str, Any] | None = None) -> Recipe:
    """The recipe of a file, with `settings` applied.

    Raises:
        UsageError: a key that is unknown, or a value that cannot be; its path is named.
    """
    data = yaml.load(path)
    checked(data, str(path))
    if not settings:
        return checked(data, str(path))
    for setting in settings:
        _check_stage(setting, data["stages"])
    return checked(with_settings(data, settings), "--set")


def checked(data: Mapping[str, Any], where: str) -> Recipe:
    """`data` as a recipe; `where` it stands is for the message.

    Raises:
        UsageError: a key that is unknown, or a value that cannot be; its path is named.
    """
    try:
        recipe = Recipe.model_validate(dict(data))
    except ValidationError as error:
        # A misspelt key is also a lacking one: say what it is, not what it is not.
        errors = error.errors()
        first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
        raise _explained(first, where, data) from error
    try:
        recipe.model_dump_json()
    except ValueError:
        raise UsageError(
            f"{where}: a text in it is no whole one (half a character)", "write it in UTF-8"
        ) from None
    for name in recipe.stages:
        if not STAGE_NAME.fullmatch(name):
            raise UsageError(
                f"{where}: stage {name!r} cannot be the name of a folder",
                "use up to 40 letters, digits, dashes and underscores",
            )
    return recipe


def _check_stage(setting: str, stages: Mapping[str, Any]) -> None:
    """A setting of a stage that there is not would begin one."""
    head, _, rest = setting.partition(".")
    name = rest.partition(".")[0]
    if head == "stages" and not name:
        raise UsageError(f"--set {setting}: names no stage", "--set stages.NAME.KEY=VALUE")
    if head == "stages" and name not in stages:
        raise UsageError(
            f"--set {setting}: no stage {name!r}.{did_you_mean(name, stages)}",
            f"stages: {', '.join(stages)}",
        )


def _explained(error: ErrorDetails, where: str, data: Mapping[str, Any]) -> UsageError:
    """One fault of pydantic's in words, with its place as the file writes it."""
    place = tuple(_without_tags(error["loc"]))
    path = ".".join(map(str, place))
    if error["type"] == "extra_forbidden":
        known = _known_keys(place, data)
        return UsageError(
            f"{where}: unknown key {path}.{did_you_mean(str(place[-1]), known)}",
            f"known here: {', '.join(known) or 'none'}",
        )
    if error["type"] == "missing":
        return UsageError(f"{where}: {path} is missing", f"add {path}")
    if error["type"] in ("union_tag_not_found", "union_tag_invalid"):
        given = error["input"].get("kind") if isinstance(error["input"], Mapping) else None
        what = "is missing" if given is None else f"cannot be {given!r}"
        return UsageError(
            f"{where}: {path}.kind {what}.{did_you_mean(str(given), KINDS)}",
            f"kinds of stages: {', '.join(KINDS)}",
        )
    what = error["msg"].removeprefix("Value error, ")
    got = "" if isinstance(error["input"], Mapping) else f" (got {error['input']!r:.80})"
    return UsageError(f"{where}: {path}: {what}{got}", f"correct {path}")


def _without_tags(place: tuple[int | str, ...]) -> Iterator[int | str]:
    """The keys of a file; pydantic also names the kind of the stage, and members of a union."""
    for index, part in enumerate(place):
        is_kind = index == 2 and place[0] == "stages" and part in KINDS
        is_member = isinstance(part, str) and "[" in part
        if not (is_kind or is_member):
            yield part


def _known_keys(place: Sequence[int | str], data: Mapping[str, Any]) -> list[str]:
    """What may stand where the last key of `place` does."""
    at: type[Config] | None = Recipe
    inner = list(place[:-1])
    if inner[:1] == ["stages"] and len(inner) > 1:
        at = KINDS[data["stages"][inner[1]]["kind"]]
        inner = inner[2:]
    for key in inner:
        at = _settings_of(at, str(key)) if at else None
    return [field.alias or name for name, field in at.model_fields.items()] if at else []


def _settings_of(kind: type[Config], key: str) -> type[Config] | None:
    """The settings that stand under a key."""
    field = next(f for name, f in kind.model_fields.items() if key in (name, f.alias))
    annotation = field.annotation
    options = (
        get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    )
    return next((o for o in options if isinstance(o, type) and issubclass(o, Config)), None)
