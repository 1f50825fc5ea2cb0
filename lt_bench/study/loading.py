"""From the name of a study to a study that can be run: found, read strictly, every mistake told."""

from __future__ import annotations

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
from lt_bench.study import soundness
from lt_bench.study.spec import (
    TEST,
    Study,
    Trained,
    needs_amount,
    rows_seed,
    stage_of,
    test_seed,
    training_of,
)
from lt_bench.train.loading import NamedRecipe
from lt_bench.train.loading import load as load_recipe

FOLDER: Final = Path("training") / "_studies"
SUFFIXES: Final = (".yaml", ".yml")
RESERVED: Final = ("eval", "rows")
"""Names of other folders beside those of the trainings."""


@dataclass(frozen=True)
class NamedStudy:
    """A study with its recipes as their files have them; `name` is that of its file."""

    name: str
    study: Study
    recipes: Mapping[str, NamedRecipe]
    catalogs: tuple[Path, ...] = ()


def load(name: str, catalogs: Sequence[Path] = ()) -> NamedStudy:
    """The study NAME of the catalogs (training/_studies/NAME.yaml), or of a path.

    Raises:
        UsageError: no such study, or something in it that cannot be.
    """
    path = Path(name).expanduser()
    if path.suffix not in SUFFIXES and not path.is_file():
        known = studies(catalogs)
        if name not in known:
            raise UsageError(
                f"unknown study {name!r}.{did_you_mean(name, known)}",
                f"known: {', '.join(known) or 'none'}; or give the path of a .yaml file",
            )
        path = known[name]
    study = checked(yaml.load(path), str(path))
    recipes = {
        key: load_recipe(one.recipe, one.set, catalogs) for key, one in study.trainings.items()
    }
    for key, one in study.trainings.items():
        _check_stages(str(path), key, one, recipes[key])
    _check_seeds(str(path), study, recipes)
    _check_rows(str(path), study)
    _check_claims(str(path), study)
    soundness.check(str(path), study, recipes)
    return NamedStudy(path.stem, study, recipes, tuple(catalogs))


def studies(catalogs: Sequence[Path] = ()) -> dict[str, Path]:
    """Every study in the catalogs, by name.

    Raises:
        UsageError: two files have one name.
    """
    found: dict[str, Path] = {}
    for root in catalog.roots(catalogs):
        folder = root / FOLDER
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.suffix not in SUFFIXES or path.name.startswith((".", "_")):
                continue
            if path.stem in found:
                raise UsageError(f"{found[path.stem]} and {path} have one name", "rename one")
            found[path.stem] = path
    return found


def checked(data: Mapping[str, Any], where: str) -> Study:
    """`data` as a study; `where` it stands is for the message.

    Raises:
        UsageError: a key that is unknown (the nearest is named), or a value that cannot be.
    """
    try:
        return Study.model_validate(dict(data))
    except ValidationError as error:
        errors = error.errors()
        first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
        raise _explained(first, where) from error


def _explained(error: ErrorDetails, where: str) -> UsageError:
    path = ".".join(str(part) for part in error["loc"] if part != "[key]")
    if error["type"] == "extra_forbidden":
        known = _known(error["loc"][:-1])
        return UsageError(
            f"{where}: unknown key {path}.{did_you_mean(str(error['loc'][-1]), known)}",
            f"known here: {', '.join(known) or 'none'}",
        )
    if error["type"] == "missing":
        return UsageError(f"{where}: {path} is missing", f"add {path}")
    what = error["msg"].removeprefix("Value error, ")
    return UsageError(f"{where}: {path}: {what}", f"correct {path}")


def _known(place: Sequence[int | str]) -> list[str]:
    """What may stand at a place of the file."""
    at: Any = Study
    for part in place:
        if isinstance(at, type) and issubclass(at, Config):
            at = at.model_fields[str(part)].annotation
        else:  # an index of a tuple, or a key of a mapping
            at = get_args(at)[0 if get_origin(at) is tuple else -1]
        if get_origin(at) in (Union, UnionType):
            at = get_args(at)[0]
    return list(at.model_fields) if isinstance(at, type) and issubclass(at, Config) else []


def _check_stages(where: str, name: str, trained: Trained, recipe: NamedRecipe) -> None:
    """Stages, and what they start from, are those of the recipe."""
    if name in RESERVED:
        raise UsageError(f"{where}: no training can be called {name}", "rename it")
    stages = recipe.recipe.stages
    for key, one in [
        *(("stages", s) for s in trained.stages),
        *(("start", s) for s in trained.start),
    ]:
        if one not in stages:
            raise UsageError(
                f"{where}: trainings.{name}.{key}: {trained.recipe} has no stage {one!r}."
                f"{did_you_mean(one, stages)}",
                f"stages: {', '.join(stages)}",
            )
    if both := set(trained.stages) & set(trained.start):
        raise UsageError(
            f"{where}: trainings.{name} trains {min(both)} and takes it from elsewhere", "keep one"
        )


def _check_rows(where: str, study: Study) -> None:
    """Every row that is named is trained; what others start from is trained before them."""
    known = list(study.rows)
    for place, row in study.named:
        if row not in known:
            raise UsageError(
                f"{where}: {place}: no row {row!r}.{did_you_mean(row, known)}",
                f"rows are TRAINING.STAGE: {', '.join(known)}",
            )
    order = list(study.trainings)
    for name, trained in study.trainings.items():
        for row in trained.start.values():
            if order.index(training_of(row)) >= order.index(name):
                raise UsageError(
                    f"{where}: trainings.{name} starts from {row}, which stands below it",
                    f"move {training_of(row)} up",
                )
            if lacking := set(study.seeds_of(f"{name}.")) - set(study.seeds_of(row)):
                raise UsageError(
                    f"{where}: trainings.{name} has seed {min(lacking)}, and {row} does not",
                    f"give {name} other seeds",
                )


def _check_seeds(where: str, study: Study, recipes: Mapping[str, NamedRecipe]) -> None:
    """Nothing that served tuning is reported, and no test rows serve training."""
    for place, seeds in _seeds(study):
        for seed in seeds:
            if place != "seeds" and seed not in study.seeds:
                raise UsageError(
                    f"{where}: {place}: {seed} is none of the seeds",
                    f"the study has {', '.join(map(str, study.seeds))}",
                )
            if seed < 0 or seeds.count(seed) > 1:
                raise UsageError(
                    f"{where}: {place}: seed {seed} cannot be",
                    "give whole numbers from 0, each once",
                )
            if seed in study.tuning_seeds.training or test_seed(seed) in study.tuning_seeds.rows:
                raise UsageError(
                    f"{where}: seed {seed} served tuning (test rows of seed {test_seed(seed)})",
                    "report other seeds",
                )
    for name, recipe in recipes.items():
        for stage, one in recipe.recipe.stages.items():
            if not 0 <= one.rows.seed < TEST:
                raise UsageError(
                    f"{where}: trainings.{name}: rows.seed {one.rows.seed} of stage {stage} would "
                    "meet those of other stages, or the test rows",
                    f"recipes of a study have rows.seed from 0 to {TEST - 1}",
                )


def _seeds(study: Study) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield "seeds", study.seeds
    for name, trained in study.trainings.items():
        yield f"trainings.{name}.seeds", trained.seeds or ()
    for table in study.tables:
        yield f"table {table.title!r}", table.seeds or ()


def _check_claims(where: str, study: Study) -> None:
    for claim in study.claims:
        if needs_amount(claim.kind) != (claim.amount is not None):
            what = "needs an amount" if needs_amount(claim.kind) else "has no amount"
            raise UsageError(
                f"{where}: claim {claim.text!r}: {claim.kind} {what}", "correct amount"
            )
        if not set(study.seeds_of(claim.of)) & set(study.seeds_of(claim.against)):
            raise UsageError(
                f"{where}: claim {claim.text!r} is about rows of different seeds",
                "train both with the same",
            )
    for table in study.tables:
        for one in table.rows:
            if one.row and one.teacher:
                raise UsageError(
                    f"{where}: table {table.title!r}: {one.label!r} has row and teacher", "keep one"
                )


def settings(named: NamedStudy, training: str, seed: int, folder: str) -> dict[str, Any]:
    """What `--set` says to a training of this seed: those of the study, the seeds of every stage, and
    where stages start that others have trained. `folder` is that of the seed."""
    trained, recipe = named.study.trainings[training], named.recipes[training].recipe
    found: dict[str, Any] = dict(trained.set)
    for stage, one in recipe.stages.items():
        found[f"stages.{stage}.seed"] = seed
        found[f"stages.{stage}.rows.seed"] = rows_seed(seed, one.rows.seed)
    places = {
        one: f"{folder}/{training_of(row)}/{stage_of(row)}" for one, row in trained.start.items()
    }
    for stage in trained.stages:
        for key, model in models(named, training, stage).items():
            if model in places:
                found[f"stages.{stage}.{key}"] = places[model]
    return found


def models(named: NamedStudy, training: str, stage: str) -> dict[str, str]:
    """Setting -> model: what a stage of the recipe starts from, and whose lengths it refers to."""
    from lt_bench.train.recipe import GrpoStage, PretrainStage

    one = named.recipes[training].recipe.stages[stage]
    found = {} if isinstance(one, PretrainStage) else {"from": one.parent}
    if isinstance(one, GrpoStage) and one.rewards.length and one.rewards.length.of:
        found["rewards.length.of"] = one.rewards.length.of
    return found
