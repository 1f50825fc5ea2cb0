"""The runs of all shards of one run: all there, of one configuration, each row where it belongs."""

from __future__ import annotations

import os
import shlex
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from lt_bench.backends import ModelFacts
from lt_bench.config import EvalConfig
from lt_bench.errors import UsageError
from lt_bench.records import Environment, ResultCard
from lt_bench.run.changes import changes
from lt_bench.run.examples import Part, ids_of
from lt_bench.run.places import Answers, Rows, Verdicts
from lt_bench.run.rundir import RUNS, RunDir, RunFile, find_run
from lt_bench.run.shard import Shard, whole_name

SHOWN = 6
"""Names in a message; the others are counted."""


@dataclass(frozen=True)
class ShardRun:
    """The run of one shard."""

    folder: RunDir
    file: RunFile
    shard: Shard

    @property
    def path(self) -> Path:
        return self.folder.path

    @property
    def command(self) -> str:
        """What goes on with it, as far as config.json tells (not the address of a server)."""
        return resume_command(self.path, self.file, self.shard)


@dataclass(frozen=True)
class FinishedShard:
    """A shard all of whose samples have an outcome and scores, and where they stand."""

    run: ShardRun
    card: ResultCard
    answers: Answers
    scores: Verdicts


def resume_command(run: Path, file: RunFile, shard: Shard) -> str:
    """The command of one shard of the run that `run` is another part of."""
    config, whole = file.config, run.with_name(whole_name(run.name))
    name = whole.name if whole.parent in (RUNS, RUNS.absolute()) else str(whole.absolute())
    words = ["lt-bench", "eval", config.model, "--task", config.task]
    words += ["--data", file.data] if file.data else []
    words += ["--limit", str(config.limit)] if config.limit else []
    words += ["--samples", str(config.samples)] if config.samples > 1 else []
    return shlex.join([*words, "--shard", str(shard), "--run", name])


def gather(paths: Sequence[Path]) -> list[ShardRun]:
    """All shards of one run, in order.

    Raises:
        UsageError: a folder is no shard's run, one is missing or there twice, or they differ in
            more than their shard.
    """
    folders = {os.path.realpath(folder.path): folder for folder in map(find_run, paths)}
    runs = sorted(map(_shard_run, folders.values()), key=lambda run: run.shard)
    for before, after in pairwise(runs):
        _check_alike(before, after)
        if before.shard == after.shard:
            raise UsageError(
                f"{before.path} and {after.path} are both shard {before.shard}", "name one of them"
            )
    _check_all_there(runs)
    return runs


def _shard_run(folder: RunDir) -> ShardRun:
    file = folder.load()
    if file.config.shard is None:
        raise UsageError(f"{folder.path} is no shard: it was begun without --shard", "leave it out")
    return ShardRun(folder, file, Shard.parse(file.config.shard))


def _check_alike(one: ShardRun, other: ShardRun) -> None:
    if one.shard.of != other.shard.of:
        raise UsageError(
            f"{one.path} is shard {one.shard}, {other.path} is shard {other.shard}",
            "name the shards of one division",
        )
    differ = changes(_whole_config(one), _whole_config(other))
    models = changes(_kind(one.file.model), _kind(other.file.model))
    differ += [f"model.{one}" for one in models]
    if one.file.active_params != other.file.active_params:
        differ.append(f"--active-params {one.file.active_params} -> {other.file.active_params}")
    if differ:
        raise UsageError(
            f"{one.path} and {other.path} are of different runs. Changed: {'; '.join(differ[:3])}",
            "name the shards of one run",
        )


def _check_all_there(runs: Sequence[ShardRun]) -> None:
    there = {run.shard.index for run in runs}
    first = runs[0]
    missing = [
        Shard(first.shard.of, index) for index in range(1, first.shard.of + 1) if index not in there
    ]
    if missing:
        raise UsageError(
            f"{len(missing)} of {first.shard.of} shards are missing: {_some(map(str, missing))}",
            f"name their runs too, or run them: {resume_command(first.path, first.file, missing[0])}",
        )


def _whole_config(run: ShardRun) -> EvalConfig:
    return run.file.config.model_copy(update={"shard": None})


def _kind(model: ModelFacts) -> ModelFacts:
    """What must be the same on all machines."""
    return model.model_copy(update={"device": None, "first_prompt_ids": None})


def rows_of(runs: Sequence[ShardRun], whole: Rows) -> list[Rows]:
    """The rows of each shard, of `whole` rows of all of them."""
    ids, of = list(ids_of(whole.examples)), runs[0].shard
    numbers = [array("q") for _ in runs]
    for number, example_id in enumerate(ids):
        numbers[of.index_of(example_id) - 1].append(number)
    return [Rows(Part(whole.examples, ids, mine), whole.samples) for mine in numbers]


def finished(runs: Sequence[ShardRun], parts: Sequence[Rows]) -> list[FinishedShard]:
    """The same shards with the places of their lines; `parts` are the rows of each.

    Raises:
        UsageError: some are unfinished, or they were scored in different ways.
        RunError: a shard holds a row that is not its own.
    """
    found, unfinished = [], []
    for run, rows in zip(runs, parts, strict=True):
        answers = Answers(run.folder.generations, rows)
        one = _with_scores(run, answers) if answers.done == len(rows) else None
        if one is None:
            unfinished.append((run, f"{run.path} ({answers.done} of {len(rows)} samples)"))
        else:
            found.append(one)
    if unfinished:
        names = _some(name for _, name in unfinished)
        raise UsageError(
            f"{len(unfinished)} of {len(runs)} shards are unfinished: {names}",
            f"resume them, each with the command that began it: {unfinished[0][0].command}",
        )
    _check_scorers(found)
    return found


def _with_scores(run: ShardRun, answers: Answers) -> FinishedShard | None:
    """None: it has no card yet, or one of fewer answers, or an answer has no scores."""
    if not run.folder.card_path.exists():
        return None
    card = run.folder.card()
    if card.samples != answers.counts:
        return None
    scores = Verdicts(run.folder.scores, answers.rows, card.stamp.scorers_sha)
    for number in answers.numbers():
        if not scores.has(number) and answers.status(number) != "error":
            return None
    return FinishedShard(run, card, answers, scores)


def _check_scorers(shards: Sequence[FinishedShard]) -> None:
    first = shards[0]
    for other in shards[1:]:
        if other.card.stamp.scorers_sha != first.card.stamp.scorers_sha:
            raise UsageError(
                f"{first.run.path} and {other.run.path} were scored in different ways",
                f"score each again: lt-bench score {first.run.path}",
            )


def environment_of(runs: Sequence[ShardRun]) -> Environment:
    """Where and with what all shards were answered; what differs is told of each."""
    all_ = [run.file.environment for run in runs]
    packages = {name: None for one in all_ for name in one.packages}
    commits = [one.git_commit for one in all_ if one.git_commit]
    return Environment(
        lt_bench=_joined(one.lt_bench for one in all_),
        packages={
            name: _joined(one.packages.get(name, "absent") for one in all_) for name in packages
        },
        git_commit=_joined(commits) if len(commits) == len(all_) else None,
        hardware=_joined(one.hardware for one in all_),
    )


def model_of(runs: Sequence[ShardRun], first: ShardRun) -> ModelFacts:
    """The model of all shards, with the first prompt's ids of the one that holds the first row."""
    devices = [run.file.model.device for run in runs if run.file.model.device]
    return first.file.model.model_copy(update={"device": _joined(devices) if devices else None})


def _joined(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(texts))


def _some(names: Iterable[str]) -> str:
    """The first few, and how many more there are."""
    listed = list(names)
    more = len(listed) - SHOWN
    return ", ".join(listed[:SHOWN]) + (f" and {more} more" if more > 0 else "")
