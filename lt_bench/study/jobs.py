"""The jobs of a study: ordinary commands of lt-bench, what each needs, and whether it is done."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from lt_bench.study import loading, standing
from lt_bench.study.loading import NamedStudy
from lt_bench.study.places import Places
from lt_bench.study.spec import stage_of, test_seed, training_of

Kind = Literal["rows", "stage", "eval"]


@dataclass(frozen=True)
class Job:
    """One command. `needs` are the jobs that come first; `folder` is what it writes and locks, which
    no other job may meanwhile. `is_done` looks at the disk.

    `is_done` raises UsageError where the folder holds what was made under other settings.
    """

    name: str
    kind: Kind
    seed: int
    row: str
    needs: tuple[str, ...]
    command: tuple[str, ...]
    folder: Path
    log: Path
    is_done: Callable[[], bool]


def jobs(named: NamedStudy, places: Places) -> list[Job]:
    """Every job of a study, in the order in which they are best begun: a seed after the other, its
    trainings before their evaluations, which others wait less for."""
    found: list[Job] = []
    for seed in named.study.seeds:
        rows = [row for row in named.study.rows if seed in named.study.seeds_of(row)]
        found.append(_rows(named, places, seed))
        found += [_stage(named, places, seed, row) for row in rows]
        found += [_evaluation(named, places, seed, row) for row in rows]
    return found


def stage_job(seed: int, row: str) -> str:
    """The name of the job that trains a row."""
    return f"{seed}/{row}"


def evaluation_job(seed: int, row: str) -> str:
    """The name of the job that evaluates it."""
    return f"{seed}/{row} eval"


def _rows_job(seed: int) -> str:
    return f"{seed}/rows"


def _catalogs(named: NamedStudy) -> Iterator[str]:
    for folder in named.catalogs:
        yield from ("--catalog", str(folder))


def _rows(named: NamedStudy, places: Places, seed: int) -> Job:
    study, out = named.study, places.rows(seed)
    sizes = ("--train", "0", "--test", str(study.evaluation.rows))
    command = ("data", "build", study.task, *sizes, "--seed", str(test_seed(seed)))
    return Job(
        name=_rows_job(seed),
        kind="rows",
        seed=seed,
        row="",
        needs=(),
        command=(*command, "--out", str(out), *_catalogs(named)),
        folder=out,
        log=places.log(seed, "rows"),
        is_done=lambda: standing.rows_done(out, study.evaluation.rows, test_seed(seed)),
    )


def _stage(named: NamedStudy, places: Places, seed: int, row: str) -> Job:
    training, stage = training_of(row), stage_of(row)
    trained = named.study.trainings[training]
    settings = loading.settings(named, training, seed, places.start(seed))
    sets = [part for pair in settings.items() for part in ("--set", _assigned(*pair))]
    run = places.training(seed, training)
    command = ("train", trained.recipe, "--run", places.as_argument(run), "--stage", stage)
    return Job(
        name=stage_job(seed, row),
        kind="stage",
        seed=seed,
        row=row,
        needs=tuple(_parents(named, seed, row)),
        command=(*command, *sets, *_catalogs(named)),
        folder=run,
        log=places.log(seed, row),
        is_done=lambda: standing.stage_done(run, trained.recipe, settings, stage, named.catalogs),
    )


def _parents(named: NamedStudy, seed: int, row: str) -> Iterator[str]:
    """The jobs that train what a stage starts from, or takes its lengths from."""
    training = training_of(row)
    trained = named.study.trainings[training]
    for model in dict.fromkeys(loading.models(named, training, stage_of(row)).values()):
        if model in trained.start:
            yield stage_job(seed, trained.start[model])
        elif model in trained.stages:
            yield stage_job(seed, f"{training}.{model}")


def _evaluation(named: NamedStudy, places: Places, seed: int, row: str) -> Job:
    study, data = named.study, places.data(seed)
    training, stage = training_of(row), stage_of(row)
    run, temperature = places.evaluation(seed, row), study.evaluation.temperature
    candidate = places.training(seed, training) / stage / "candidate"
    told = ("--task", study.task, "--data", str(data), "--set")
    command = ("eval", f"hf/{candidate}", *told, f"sampling.temperature={temperature:g}")
    return Job(
        name=evaluation_job(seed, row),
        kind="eval",
        seed=seed,
        row=row,
        needs=(_rows_job(seed), stage_job(seed, row)),
        command=(*command, "--run", places.as_argument(run), *_catalogs(named)),
        folder=run,
        log=places.log(seed, f"{row}.eval"),
        is_done=lambda: standing.evaluation_done(
            run, places.training(seed, training), stage, data, temperature
        ),
    )


def _assigned(key: str, value: Any) -> str:
    """KEY=VALUE as the command reads it: JSON is YAML."""
    return f"{key}={value if isinstance(value, str) else json.dumps(value)}"
