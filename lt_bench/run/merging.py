"""Joins the runs of all shards into the run that nobody split.

Rows are copied as they stand, in the order of the data, after each was found in the shard that its
id names, with its outcome and its scores. A new run is made beside its place and moved there whole.
Where it stands already, only what it lacks is added, at the end of its journals: so merging again
adds nothing, and a kill at any point leaves a run that merging again completes.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from lt_bench.errors import RunError, UsageError
from lt_bench.records import Example, JudgeBill, Record, ResultCard, Sample, Scored
from lt_bench.run.card import build_card, tally_of
from lt_bench.run.journal import Journal
from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.run.log import log_to
from lt_bench.run.places import Answers, Places, Rows, Verdicts
from lt_bench.run.row import Row
from lt_bench.run.rundir import LOCK, RunDir, RunFile, changes, write_whole
from lt_bench.run.shards import (
    FinishedShard,
    ShardRun,
    environment_of,
    finished,
    gather,
    model_of,
)
from lt_bench.run.trust import CALIBRATIONS, LABELS, trust_of
from lt_bench.scorers import Scorer, score_sample
from lt_bench.task import Task

log = logging.getLogger(__name__)

Line = TypeVar("Line", bound=Record)


@dataclass(frozen=True)
class Merged:
    """The run of all shards. `added` answers were not in it before. `beside` are scores files of
    other judges that all shards have; `left_out` those that only some have."""

    run: Path
    card: ResultCard
    shards: int
    added: int
    beside: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Whole:
    """The run that the shards are parts of."""

    task: Task
    file: RunFile
    examples: Sequence[Example]
    scorers: Sequence[Scorer]

    @property
    def rows(self) -> Rows:
        return Rows(self.examples, self.file.config.samples)


async def merge(
    paths: Sequence[Path], out: Path, *, data: Path | None = None, catalogs: Sequence[Path] = ()
) -> Merged:
    """Writes the run of all shards to `out`, or adds to it what it lacks. No model is asked.

    data: the rows, where they do not lie where the shards found them.

    Raises:
        UsageError: a shard is missing, unfinished, there twice or of another run, or `out` holds
            something else.
        RunError: a journal is damaged, or the disk is full.
    """
    runs = gather(paths)
    _check_apart(runs, out)
    whole = _whole(runs, data, tuple(catalogs))
    with ExitStack() as stack:
        for run in runs:
            stack.enter_context(run.folder.at_rest())
        shards = finished(runs, whole.examples)
        _check_metrics(whole, shards)
        for shard in shards:
            stack.enter_context(shard.answers)
            stack.enter_context(shard.scores)
        beside, left_out = _variants(runs)
        with _place(out, whole.file) as folder:
            added = _copy(whole, shards, folder)
            _copy_beside(whole, runs, folder, beside)
            card = await _card(whole, shards, folder) if added else folder.card()
    return Merged(out, card, len(runs), added, beside, left_out)


def _check_apart(runs: Sequence[ShardRun], out: Path) -> None:
    if any(run.path.resolve() == out.resolve() for run in runs):
        raise UsageError(f"{out} is one of the shards", "use another --out")


def _whole(runs: Sequence[ShardRun], data: Path | None, catalogs: tuple[Path, ...]) -> Whole:
    config = runs[0].file.config.model_copy(update={"shard": None})
    task = Task.load(
        config.task,
        catalogs,
        options=config.task_options,
        builder=config.builder_options,
        judge=config.judge.name,
    )
    path = data or _data_of(runs, task)
    if task.data_sha(path) != config.data_sha:
        raise UsageError(f"{path} is not the data of these shards", "name it with --data")
    examples = task.examples(path, config.limit)
    first = next(run for run in runs if run.shard.holds(examples[0].id))
    file = first.file.model_copy(
        update={
            "config": config,
            "model": model_of(runs, first),
            "environment": environment_of(runs),
            "data": str(path.resolve()) if first.file.data else None,
            "rows": len(examples),
        }
    )
    judging = JudgeChoice(catalogs=catalogs, cache=False).filled_in(config.judge).judging
    model = file.model
    scorers = task.scorers(model.name, model.architecture, file.active_params, judging)
    return Whole(task, file, examples, scorers)


def _data_of(runs: Sequence[ShardRun], task: Task) -> Path:
    named = [Path(run.file.data) for run in runs if run.file.data]
    if not named:
        return task.sample
    found = next((path for path in named if path.exists()), None)
    if found is None:
        raise UsageError(f"the data of these shards is not here: {named[0]}", "name it with --data")
    return found


def _check_metrics(whole: Whole, shards: Sequence[FinishedShard]) -> None:
    """Rows that cannot be counted as they were scored are scored again first."""
    known = {metric.name for scorer in whole.scorers for metric in scorer.metrics}
    for shard in shards:
        if set(shard.card.metrics) != known:
            raise UsageError(
                f"{shard.run.path} was scored by another version of its task",
                f"score every shard again: lt-bench score {shard.run.path}",
            )


# --- Where it is written ---------------------------------------------------------------------


@contextmanager
def _place(out: Path, file: RunFile) -> Iterator[RunDir]:
    """The run to add to, locked. A new one stands beside its place until the block ends well."""
    there = RunDir(out)
    if there.config_path.exists():
        with there.locked():
            changed = changes(there.load().config, file.config)
            if changed:
                raise UsageError(
                    f"{out} is another run. Changed: {'; '.join(changed[:3])}", "use another --out"
                )
            yield there
        return
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise UsageError(f"{out} holds other files and is no run", "use another --out")
    made = RunDir(out.with_name(f".{out.name}.merging"))
    with made.locked():
        _clear(made.path)
        try:
            write_whole(made.config_path, file.model_dump_json(indent=2))
            yield made
            _publish(made.path, out)
        except BaseException:
            shutil.rmtree(made.path, ignore_errors=True)
            raise


def _clear(folder: Path) -> None:
    """Takes away what a killed merge left, config.json last: until then it is known for a run."""
    for path in sorted(folder.iterdir(), key=lambda path: path.name == "config.json"):
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != LOCK:
            path.unlink()


def _publish(made: Path, out: Path) -> None:
    try:
        if out.exists():
            out.rmdir()
        made.rename(out)
    except OSError as error:
        raise RunError(f"cannot make {out}: {error.strerror}", "use another --out") from error
    _sync_folder(out.parent)


def _sync_folder(folder: Path) -> None:
    """Brings the names in a folder to the disk, where the system can."""
    try:
        opened = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


# --- What is written -------------------------------------------------------------------------


def _sources(
    whole: Whole, shards: Sequence[FinishedShard]
) -> Iterator[tuple[int, FinishedShard, int]]:
    """Every sample by its number in the whole run, its shard, and its number there."""
    samples, seen = whole.file.config.samples, dict.fromkeys(range(1, len(shards) + 1), 0)
    of = shards[0].run.shard
    for row, example in enumerate(whole.examples):
        index = of.index_of(example.id)
        for sample in range(samples):
            yield row * samples + sample, shards[index - 1], seen[index] * samples + sample
        seen[index] += 1


def _copy(whole: Whole, shards: Sequence[FinishedShard], folder: RunDir) -> int:
    """Adds the answers that the run lacks, then their scores; how many samples that touches.

    Raises:
        UsageError: the run answers a sample in another way.
    """
    answers = Answers(folder.generations, whole.rows)
    scores = Verdicts(folder.scores, whole.rows, shards[0].card.stamp.scorers_sha)
    with answers:
        answered = _lacking_answers(whole, shards, answers)
    scored = [
        (shard.scores, place)
        for number, shard, place in _sources(whole, shards)
        if shard.scores.has(place) and not scores.has(number)
    ]
    if not answered and not scored and folder.card_path.exists():
        return 0
    folder.card_path.unlink(missing_ok=True)
    _append(folder.generations, answered)
    _append(folder.scores, scored)
    return max(len(answered), len(scored), 1)


def _lacking_answers(
    whole: Whole, shards: Sequence[FinishedShard], answers: Answers
) -> list[tuple[Answers, int]]:
    """The answers to add: of samples without an outcome, or whose request failed here and not
    there."""
    found = []
    for number, shard, place in _sources(whole, shards):
        here, there = answers.status(number), shard.answers.status(place)
        if here is None or (here == "error" and there != "error"):
            found.append((shard.answers, place))
        elif there != "error" and answers.text(number) != shard.answers.text(place):
            raise UsageError(
                f"{answers.journal.path} answers {answers.rows.named(number)} in another way than "
                f"{shard.run.path}",
                "use another --out",
            )
    return found


def _append(journal: Journal[Line], lines: Sequence[tuple[Places[Line], int]]) -> None:
    """Copies lines to the end of a journal, and to the disk."""
    with journal:
        pass  # cuts off a line that a killed merge left half
    try:
        with journal.path.open("ab") as file:
            for places, number in lines:
                file.write(places.text(number))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise RunError(
            f"cannot write {journal.path}: {error.strerror}", "free some space and merge again"
        ) from error


def _variants(runs: Sequence[ShardRun]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Scores of other judges: the names that all shards have, and those that only some have."""
    names = [{path.name for path in run.path.glob("scores.*.jsonl")} for run in runs]
    everywhere = set.intersection(*names)
    return tuple(sorted(everywhere)), tuple(sorted(set.union(*names) - everywhere))


def _copy_beside(
    whole: Whole, runs: Sequence[ShardRun], folder: RunDir, names: Sequence[str]
) -> None:
    """Scores of other judges, people's labels, and how far judges can be believed."""
    for name in names:
        _copy_scores(whole, runs, folder, name.split(".")[1])
    for run in runs:
        for path in sorted((run.path / CALIBRATIONS).glob("*.json")):
            (folder.path / CALIBRATIONS).mkdir(exist_ok=True)
            if not (folder.path / CALIBRATIONS / path.name).exists():
                write_whole(
                    folder.path / CALIBRATIONS / path.name, path.read_text("utf-8").rstrip()
                )
    places = [run.path / LABELS for run in runs]
    labels = dict.fromkeys(_lines(path for path in (folder.path / LABELS, *places)))
    if any(path.exists() for path in places):
        write_whole(folder.path / LABELS, "\n".join(labels))


def _lines(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        if path.exists():
            yield from path.read_text("utf-8").rstrip("\n").split("\n")


def _copy_scores(whole: Whole, runs: Sequence[ShardRun], folder: RunDir, variant: str) -> None:
    """One other judge's scores, as far as the shards have them."""
    here = RunDir(folder.path, variant)
    journals = [RunDir(run.path, variant).scores for run in runs]
    sha = next((line.scorers_sha for journal in journals for line in journal), "")
    mine = Verdicts(here.scores, whole.rows, sha)
    with ExitStack() as stack:
        lines = []
        for run, journal in zip(runs, journals, strict=True):
            rows = Rows(run.shard.part(whole.examples), whole.file.config.samples)
            places = stack.enter_context(Verdicts(journal, rows, sha))
            for number in range(len(rows)):
                key = rows.example(number).id, number % rows.samples
                place = whole.rows.number(*key)
                if places.has(number) and place is not None and not mine.has(place):
                    lines.append((places, number))
        _append(here.scores, lines)


# --- Its card --------------------------------------------------------------------------------


async def _card(whole: Whole, shards: Sequence[FinishedShard], folder: RunDir) -> ResultCard:
    """The card of all rows, by the scores they have; the models that judged are not opened."""
    sha, rows = shards[0].card.stamp.scorers_sha, whole.rows
    judges = {
        metric: stamp.model_copy(update={"calibration": None})
        for shard in shards
        for metric, stamp in shard.card.judges.items()
    }
    trust = trust_of(folder.path, judges)
    tally = tally_of(whole.task, whole.scorers, trust)
    answers, scores = Answers(folder.generations, rows), Verdicts(folder.scores, rows, sha)
    with answers, scores:
        for number in answers.numbers():
            example, sample = rows.example(number), answers.read(number)
            scored = scores.read(number) if scores.has(number) else None
            tally.add(Row.of(example, sample, scored or await _failed(whole, example, sample, sha)))
    card = build_card(whole.task, folder.load(), whole.scorers, sha, tally, trust, judged_by=judges)
    card = card.model_copy(update={"bill": _with_cost(card, shards)})
    with log_to(folder.path / "log.txt"):
        names = ", ".join(shard.run.path.name for shard in shards)
        log.info("merged from %s", names)
    folder.save_card(card)
    return card


async def _failed(whole: Whole, example: Example, sample: Sample, sha: str) -> Scored:
    """The scores of a failed request, which are not journalled: nothing is asked for them."""
    found = [
        score for scorer in whole.scorers for score in await score_sample(scorer, example, sample)
    ]
    return Scored(key=sample.key, scorers_sha=sha, scores=tuple(found))


def _with_cost(card: ResultCard, shards: Sequence[FinishedShard]) -> JudgeBill | None:
    """What the judges took, with what they cost where every shard knows it."""
    costs = [shard.card.bill.cost for shard in shards if shard.card.bill]
    known = [cost for cost in costs if cost is not None]
    if card.bill is None or not known or len(known) != len(costs):
        return card.bill
    return card.bill.model_copy(update={"cost": sum(known)})
