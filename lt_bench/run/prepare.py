"""From what a user asks to an `Evaluation`, with every mistake found before the model is asked."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from lt_bench import catalog
from lt_bench.config import digest, file_sha, grouped
from lt_bench.environments import open_world
from lt_bench.environments.base import name_of
from lt_bench.errors import UsageError
from lt_bench.records import Example
from lt_bench.run.evaluation import Evaluation
from lt_bench.run.examples import Examples
from lt_bench.run.judging.choice import JudgeChoice, check_models
from lt_bench.run.naming import check_utf8
from lt_bench.run.rundir import RUNS, run_folder
from lt_bench.run.shard import Shard, part_of
from lt_bench.task import Task

GROUPS = ("sampling", "backend", "task", "builder", "judge", "judge_backend")
"""The groups of `--set GROUP.KEY=VALUE`."""

MOST = 100_000_000
"""Answers of one run: of each some twenty bytes are held. More would be a slip."""


@dataclass(frozen=True)
class Ask:
    """One command's wishes. `settings` maps "group.key" to a value; `flags` are options of the
    backend that have a flag of their own (None: not given); `run` names the run (a str without a
    slash), or is its folder; several tasks make several runs (NAME-TASK). `judge` is used for the
    tasks that know a judge of this name, at least one. `shard` "I/N" takes a part of the rows."""

    model: str
    tasks: Sequence[str]
    data: Path | None = None
    limit: int | None = None
    shard: str | None = None
    samples: int = 1
    run: str | Path | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    catalogs: Sequence[Path] = ()
    active_params: float | None = None
    flags: Mapping[str, Any] = field(default_factory=dict)
    judge: JudgeChoice = field(default_factory=JudgeChoice)

    @property
    def backend_options(self) -> dict[str, Any]:
        """Options of the backend: flags of the command that were given, and `--set backend.*`."""
        given = {key: value for key, value in self.flags.items() if value is not None}
        return {**given, **grouped(self.settings, GROUPS)["backend"]}


def prepare(ask: Ask) -> list[Evaluation]:
    """One Evaluation for each task.

    Raises:
        UsageError: an unknown task or setting, or data that cannot be read.
    """
    _check(ask)
    return [_evaluation(ask, name, judge) for name, judge in _judges(ask).items()]


def _check(ask: Ask) -> None:
    if ask.data and len(ask.tasks) > 1:
        raise UsageError(
            "--data needs to know its task", "add --task commerce_qa or --task musique"
        )
    if ask.limit is not None and ask.limit < 1:
        raise UsageError(f"--limit {ask.limit} leaves nothing to ask", "give at least 1")
    if ask.limit is not None and ask.limit > sys.maxsize:
        raise UsageError(f"--limit {ask.limit} is more than any file holds", "leave it out")
    if ask.samples < 1:
        raise UsageError(f"--samples {ask.samples} leaves nothing to ask", "give at least 1")
    if ask.active_params is not None and not 0 < ask.active_params < math.inf:
        raise UsageError(
            f"--active-params {ask.active_params:g} is no number of parameters",
            "count them, e.g. 3.0e9",
        )
    data = os.path.realpath(ask.data) if ask.data else ""
    for name in (ask.model, data, *map(str, ask.flags.values())):
        check_utf8(name)


def _judges(ask: Ask) -> dict[str, JudgeChoice]:
    """Task -> who judges it. A judge that is named serves the tasks that have it.

    Raises:
        UsageError: none of them has it.
    """
    settings = grouped(ask.settings, GROUPS)
    asked = replace(
        ask.judge,
        sampling={**ask.judge.sampling, **settings["judge"]},
        options={**ask.judge.options, **settings["judge_backend"]},
        catalogs=tuple(ask.catalogs),
    )
    having = [name for name in ask.tasks if _has(name, asked)]
    if not having:
        Task.load(ask.tasks[0], ask.catalogs, judge=asked.name)  # says what there is
    own = JudgeChoice(catalogs=asked.catalogs)
    return {name: asked if name in having else own for name in ask.tasks}


def _has(name: str, judge: JudgeChoice) -> bool:
    """Whether a task has the judge asked for; without a name, whether it has one at all."""
    task = Task.load(name, judge.catalogs)
    if judge.name is None:
        return True
    return judge.name in task.spec.judges or judge.name in catalog.entries("judges", judge.catalogs)


def _evaluation(ask: Ask, name: str, judge: JudgeChoice) -> Evaluation:
    settings = grouped(ask.settings, GROUPS)
    task = Task.load(
        name,
        ask.catalogs,
        options=settings["task"],
        builder=settings["builder"],
        judge=judge.name,
    )
    scorers = task.scorers(judging=judge.judging)
    check_models(judge.judging, task.judge, scorers)
    sampling = task.sampling(settings["sampling"])
    # Answers from a file differ by sample whatever they were drawn at.
    recorded = ask.model.startswith(("replay/", "scripted/"))
    if ask.samples > 1 and sampling.temperature == 0 and not recorded:
        raise UsageError(
            f"--samples {ask.samples} at temperature 0 gives the same answer {ask.samples} times",
            "add --set sampling.temperature=0.7",
        )
    shard = Shard.parse(ask.shard) if ask.shard is not None else None
    rows = task.stream(ask.data or task.sample, ask.limit)
    first = next(rows)
    task.prompt(first)
    check_world(first)
    if ask.backend_options.get("batch"):
        first, rows = _at_once(first), map(_at_once, rows)
    examples = Examples(part_of(chain([first], rows), ask.shard))
    if len(examples) * ask.samples > MOST:
        raise UsageError(
            f"{len(examples):,} rows with --samples {ask.samples} are more than {MOST:,} answers",
            "ask for fewer, or divide the rows: --shard 1/16",
        )
    return Evaluation(
        model=ask.model,
        task=task,
        examples=examples,
        data=ask.data,
        run=_run_path(ask, task, settings, judge, shard),
        sampling=sampling,
        limit=ask.limit,
        shard=shard,
        samples=ask.samples,
        active_params=ask.active_params,
        judge=judge,
    )


def check_world(example: Example) -> None:
    """Opens the world of a row, where it has one, and closes it.

    Raises:
        UsageError: it cannot be opened, or has not the tools that the row offers.
    """
    if example.world is None:
        return
    with open_world(example.world) as world:
        known = {name_of(tool) for tool in world.tools}
    lacking = [name for tool in example.tools if (name := name_of(tool)) not in known]
    if lacking:
        raise UsageError(
            f"row {example.id!r} offers {', '.join(lacking)}, which its world "
            f"{example.world.kind!r} has not",
            f"its tools: {', '.join(sorted(known))}",
        )


def _at_once(example: Example) -> Example:
    """The row, if one answer is all that it takes.

    Raises:
        UsageError: it plays in a world: its dialogue would take a batch for every turn.
    """
    if example.world is not None and example.tools:
        raise UsageError(
            f"--batch does not go with row {example.id!r}: a dialogue with tools asks again when the "
            "tools have answered, and every time would wait for a batch",
            "leave --batch out",
        )
    return example


def _run_path(
    ask: Ask,
    task: Task,
    settings: dict[str, dict[str, Any]],
    judge: JudgeChoice,
    shard: Shard | None,
) -> Path:
    """The folder of the run. Without a name, what was asked makes one, so that the same command
    resumes its own run and another command begins another."""
    folder = _whole_path(ask, task, settings, judge)
    return folder.with_name(folder.name + shard.suffix) if shard else folder


def _whole_path(
    ask: Ask, task: Task, settings: dict[str, dict[str, Any]], judge: JudgeChoice
) -> Path:
    """The folder of the run, or of what all shards make in the end."""
    name = task.spec.name
    if ask.run is None:
        asked = [
            *(name, ask.model, _sha_behind(ask.model), task.data_sha(ask.data)),
            *(ask.limit, ask.samples, settings, judge.settings(task.judge).model_dump()),
        ]
        return RUNS / f"{_slug(ask.model)}-{name}-{digest(asked)[:8]}"
    folder = run_folder(ask.run)
    return folder if len(ask.tasks) == 1 else folder.with_name(f"{folder.name}-{name}")


def _sha_behind(model: str) -> str | None:
    """Hash of the file that MODEL names, predictions or a script: a mended one is another run.
    None for folders and endpoints."""
    file = Path(model.partition("/")[2])
    known = file.is_file() and file.suffix in (".jsonl", ".yaml", ".yml")
    return file_sha(file) if known else None


def _slug(model: str) -> str:
    """A model's name as a folder name: the last two parts, letters, digits, dots and dashes."""
    parts = [part for part in re.split(r"[/\\]+", model) if part not in ("", ".", "..")]
    return re.sub(r"[^A-Za-z0-9.]+", "-", "-".join(parts[-2:])).strip("-.")[:60] or "model"


def parse_tasks(names: Iterable[str]) -> tuple[str, ...]:
    """The tasks of a command, in order, without repeats; both commerce_qa and musique if none."""
    return tuple(dict.fromkeys(names)) or ("commerce_qa", "musique")
