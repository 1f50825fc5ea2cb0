"""What a board takes from a run: its card, the score of every sample, and how the run was made."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from lt_bench.board.agreeing import disagreement
from lt_bench.board.matrix import RowScores
from lt_bench.board.model import Better
from lt_bench.config import EvalConfig
from lt_bench.errors import RunError, UsageError
from lt_bench.records import ResultCard, Scored
from lt_bench.run.journal import Journal
from lt_bench.run.rundir import RunDir, RunFile, find_run
from lt_bench.run.shard import part_of
from lt_bench.scorers import Metric
from lt_bench.stats.passes import every
from lt_bench.task import Task
from lt_bench.text.paths import portable


@dataclass(frozen=True)
class RunScores:
    """A finished run as a board sees it. `better` says of each metric which way is up; `settings` are all
    that may tell two candidates of one model apart; `run` is the folder as it was named."""

    card: ResultCard
    rows: RowScores
    samples: int
    better: Mapping[str, Better]
    settings: Mapping[str, str]
    command: str
    run: str


def read_run(
    path: Path, data: Path | None = None, catalogs: Sequence[Path] = (), variant: str = ""
) -> RunScores:
    """A run on disk, or (`variant`) what another judge than its own says of it.

    Raises:
        UsageError: no finished run, its data is gone or changed, or its card is not of its scores.
    """
    folder = RunDir(find_run(path).path, variant)
    file, card = folder.load(), folder.card()
    task = _task(file, catalogs, with_judge=not file.config.judge.models)
    found = data or (Path(file.data) if file.data else task.sample)
    if task.data_sha(found) != file.config.data_sha:
        raise UsageError(f"{found} is not the data of {path}", "name the right file with --data")
    examples = part_of(task.stream(found, file.config.limit), file.config.shard)
    names = [(example.id, example.group) for example in examples]
    rows = _rows(folder, card, names, file.config.samples)
    _check(folder, card, rows, file.config.samples)
    return RunScores(
        card=card,
        rows=rows,
        samples=file.config.samples,
        better=_better(task, card),
        settings=settings_of(file.config, card),
        command=command_of(file, task),
        run=str(folder.path),
    )


def _task(file: RunFile, catalogs: Sequence[Path], *, with_judge: bool) -> Task:
    """The task of a run; one whose judge asks models is looked at without it."""
    config = file.config
    return Task.load(
        config.task,
        catalogs,
        options=config.task_options,
        builder=config.builder_options,
        judge=config.judge.name if with_judge else "",
    )


def _rows(
    folder: RunDir, card: ResultCard, names: Sequence[tuple[str, str]], samples: int
) -> RowScores:
    """Every sample in the order of the data; what has no score is NaN."""
    import numpy as np

    place = {example: number * samples for number, (example, _) in enumerate(names)}
    columns = {metric: np.full(len(names) * samples, np.nan) for metric in card.metrics}
    for example, index, values in _values(folder.scores, card.stamp.scorers_sha):
        if example not in place or not 0 <= index < samples:
            raise RunError(f"{folder.scores.path} scores {example!r}, which is not asked", "")
        at = place[example] + index
        for metric, value in values:
            if metric in columns:
                columns[metric][at] = np.nan if value is None else value
    numbers = np.repeat(np.arange(len(names)), samples)
    for metric in card.passes:
        columns[metric] = every(columns[metric], numbers, samples)
    return RowScores(
        examples=[example for example, _ in names],
        groups=[group for _, group in names],
        values=columns,
    )


Line = tuple[str, int, list[tuple[str, float | None]]]


def _values(journal: Journal[Scored], scorers_sha: str) -> Iterator[Line]:
    """Example, sample and values of each line of these scorers, in file order: a later one counts.

    Raises:
        RunError: a line is no Scored, or a value is no number.
    """
    for number, text in enumerate(journal.lines(), 1):
        try:
            line: Any = orjson.loads(text)
            if line["scorers_sha"] != scorers_sha:
                continue
            key = line["key"]
            values = [(score["name"], score["value"]) for score in line["scores"]]
            if not all(value is None or type(value) in (float, int) for _, value in values):
                raise TypeError(values)
            names = (key["example_id"], *(name for name, _ in values))
            if (
                not all(isinstance(name, str) for name in names)
                or type(key["sample_index"]) is not int
            ):
                raise TypeError(key)
            yield key["example_id"], key["sample_index"], values
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            scored = journal.record(text, number)  # says what is wrong with it, if the record does
            raise RunError(
                f"{journal.path}, line {number} ({scored.key.example_id!r}) holds a score that is no "
                "number, or of no sample",
                "delete that line and score the run again: lt-bench score RUN",
            ) from error


def _check(folder: RunDir, card: ResultCard, rows: RowScores, samples: int) -> None:
    """The card is that of these scores: it may have been written before they were mended."""
    import numpy as np

    numbers = np.repeat(np.arange(len(rows.examples)), samples)
    for metric, estimate in card.metrics.items():
        if told := disagreement(estimate, rows.values[metric], numbers, len(rows.examples)):
            raise UsageError(
                f"{folder.card_path} is not of its scores: {metric}: {told}",
                f"write it anew: lt-bench score {folder.path}",
            )


def _better(task: Task, card: ResultCard) -> dict[str, Better]:
    """Which way is up; what models judge is better when higher."""
    metrics: dict[str, Metric] = {
        metric.name: metric for scorer in task.scorers() for metric in scorer.metrics
    }
    return {
        name: "lower" if name in metrics and not metrics[name].higher_is_better else "higher"
        for name in card.metrics
    }


def settings_of(config: EvalConfig, card: ResultCard) -> dict[str, str]:
    """All that may tell two candidates of one model apart, key by key."""
    told: dict[str, Any] = {
        **{f"sampling.{key}": value for key, value in config.sampling.model_dump().items()},
        **{f"task.{key}": value for key, value in config.task_options.items()},
        **{f"builder.{key}": value for key, value in config.builder_options.items()},
        **{f"backend.{key}": value for key, value in config.model_settings.items()},
        "samples": config.samples,
        "limit": config.limit,
        "shard": config.shard,
        "prompt": config.prompt_sha[:8],
        "fingerprint": config.fingerprint[:8],
        "judge": ", ".join(
            dict.fromkeys(" + ".join(stamp.models) or stamp.name for stamp in card.judges.values())
        ),
    }
    return {key: _shown(value) for key, value in told.items() if value not in (None, "", ())}


def _shown(value: Any) -> str:
    if isinstance(value, tuple | list):
        return " ".join(map(str, value))
    if isinstance(value, str) and Path(value).is_absolute():
        return Path(value).name  # where a file lies says nothing of what is in it
    return f"{value:g}" if isinstance(value, float) else str(value)


def command_of(file: RunFile, task: Task) -> str:
    """The command that makes such a run: what differs from the task's defaults."""
    config = file.config
    words = ["lt-bench", "eval", portable(config.model), "--task", config.task]
    words += ["--data", portable(file.data)] if file.data else []
    words += ["--limit", str(config.limit)] if config.limit else []
    words += ["--samples", str(config.samples)] if config.samples > 1 else []
    words += ["--shard", config.shard] if config.shard else []
    if file.active_params:
        words += ["--active-params", f"{file.active_params:g}"]
    first = next(iter(task.spec.judges), "")
    if config.judge.name not in ("", first):
        words += ["--judge", config.judge.name]
    for model in config.judge.models:
        words += ["--judge-model", model]
    for key, value in _changed(config, task):
        words += ["--set", f"{key}={_shown(value)}"]
    return shlex.join(words)


def _changed(config: EvalConfig, task: Task) -> Iterator[tuple[str, Any]]:
    own = task.sampling({}).model_dump()
    for key, value in config.sampling.model_dump().items():
        if value != own[key]:
            yield f"sampling.{key}", value
    for group, given, defaults in (
        ("task", config.task_options, task.spec.options),
        ("builder", config.builder_options, task.spec.builder),
    ):
        for key, value in given.items():
            if value != defaults.get(key):
                yield f"{group}.{key}", value
