"""Copies the lines of shards to the end of a run's journals, in the order of the data."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

from lt_bench.errors import UsageError
from lt_bench.records import Record, Scored
from lt_bench.run.disk import cannot_write, write_whole
from lt_bench.run.examples import ids_of
from lt_bench.run.journal import Journal
from lt_bench.run.merging.shards import FinishedShard, ShardRun
from lt_bench.run.merging.whole import Whole
from lt_bench.run.places import OWED, Answers, Places, Rows, Verdicts
from lt_bench.run.rundir import RunDir
from lt_bench.run.trust import CALIBRATIONS, LABELS

Line = TypeVar("Line", bound=Record)


def _sources(
    whole: Whole, shards: Sequence[FinishedShard]
) -> Iterator[tuple[int, FinishedShard, int]]:
    """Every sample by its number in the whole run, its shard, and its number there."""
    samples, seen = whole.rows.samples, dict.fromkeys(range(1, len(shards) + 1), 0)
    of = shards[0].run.shard
    for row, example_id in enumerate(ids_of(whole.examples)):
        index = of.index_of(example_id)
        for sample in range(samples):
            yield row * samples + sample, shards[index - 1], seen[index] * samples + sample
        seen[index] += 1


def copy(whole: Whole, shards: Sequence[FinishedShard], folder: RunDir) -> int | None:
    """Adds the answers that the run lacks, then their scores; how many samples that touches. None:
    the run and its card lack nothing.

    Raises:
        UsageError: the run answers a sample in another way, or has answers of its own that are not
            scored.
    """
    answers = Answers(folder.generations, whole.rows)
    scores = Verdicts(folder.scores, whole.rows, shards[0].card.stamp.scorers_sha)
    with answers:
        answered = _lacking_answers(whole, shards, answers)
    scored = _lacking_scores(whole, shards, scores)
    _check_own(whole, shards, answers, scores)
    added = max(answered.count(1), scored.count(1))
    if not added and _is_summed_up(folder, answers):
        return None
    folder.card_path.unlink(missing_ok=True)
    sources = _sources(whole, shards)
    _append(folder.generations, ((s.answers, place) for n, s, place in sources if answered[n]))
    sources = _sources(whole, shards)
    _append(folder.scores, ((s.scores, place) for n, s, place in sources if scored[n]))
    return added


def _lacking_answers(whole: Whole, shards: Sequence[FinishedShard], answers: Answers) -> bytearray:
    """1 for each answer to add: of samples without an outcome, or whose request failed here and
    not there."""
    lacking = bytearray(len(whole.rows))
    for number, shard, place in _sources(whole, shards):
        here, there = answers.status(number), shard.answers.status(place)
        if here is None or (here == "error" and there != "error"):
            lacking[number] = 1
        elif there != "error" and answers.text(number) != shard.answers.text(place):
            raise UsageError(
                f"{answers.journal.path} answers {answers.rows.named(number)} in another way than "
                f"{shard.run.path}",
                "use another --out",
            )
    return lacking


def _lacking_scores(whole: Whole, shards: Sequence[FinishedShard], scores: Verdicts) -> bytearray:
    """1 for each sample whose scores are to be added."""
    lacking = bytearray(len(whole.rows))
    for number, shard, place in _sources(whole, shards):
        lacking[number] = shard.scores.has(place) and not scores.has(number)
    return lacking


def _check_own(
    whole: Whole, shards: Sequence[FinishedShard], answers: Answers, scores: Verdicts
) -> None:
    """What the run asked itself after an earlier merge, it must have scored itself."""
    own = [
        number
        for number, shard, place in _sources(whole, shards)
        if answers.status(number) not in OWED
        and not scores.has(number)
        and not shard.scores.has(place)
    ]
    if own:
        run = answers.journal.path.parent
        raise UsageError(
            f"{run} has answers of its own that are not scored ({len(own)}, the first of "
            f"{answers.rows.named(own[0])})",
            f"finish it first with the command that went on with it, or: lt-bench score {run}",
        )


def _is_summed_up(folder: RunDir, answers: Answers) -> bool:
    return folder.card_path.exists() and folder.card().samples == answers.counts


def _append(journal: Journal[Line], lines: Iterable[tuple[Places[Line], int]]) -> None:
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
        raise cannot_write(journal.path, error) from error


def variants(runs: Sequence[ShardRun]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of the scores of other judges: those that all shards have, and those that only some have."""
    names = [set(run.folder.variants) for run in runs]
    everywhere = set.intersection(*names)
    return tuple(sorted(everywhere)), tuple(sorted(set.union(*names) - everywhere))


def copy_beside(
    whole: Whole,
    runs: Sequence[ShardRun],
    parts: Sequence[Rows],
    folder: RunDir,
    variants: Sequence[str],
) -> None:
    """Scores of other judges, people's labels, and how far judges can be believed."""
    for variant in variants:
        journals = [RunDir(run.path, variant).scores for run in runs]
        _copy_scores(whole, parts, journals, RunDir(folder.path, variant).scores)
    for run in runs:
        for path in sorted((run.path / CALIBRATIONS).glob("*.json")):
            (folder.path / CALIBRATIONS).mkdir(exist_ok=True)
            if not (folder.path / CALIBRATIONS / path.name).exists():
                write_whole(
                    folder.path / CALIBRATIONS / path.name, path.read_text("utf-8").rstrip()
                )
    places = [run.path / LABELS for run in runs]
    there = list(_lines([folder.path / LABELS]))
    labels = dict.fromkeys([*there, *_lines(places)])
    if len(labels) > len(there):
        write_whole(folder.path / LABELS, "\n".join(labels))


def _lines(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        if path.exists():
            yield from path.read_text("utf-8").rstrip("\n").split("\n")


def _copy_scores(
    whole: Whole, parts: Sequence[Rows], journals: Sequence[Journal[Scored]], here: Journal[Scored]
) -> None:
    """One other judge's scores, as far as the shards have them."""
    sha = next((line.scorers_sha for journal in journals for line in journal), "")
    mine = Verdicts(here, whole.rows, sha)
    with ExitStack() as stack:
        lines = []
        for rows, journal in zip(parts, journals, strict=True):
            places = stack.enter_context(Verdicts(journal, rows, sha))
            for number in filter(places.has, range(len(rows))):
                place = whole.rows.number(rows.id(number), number % rows.samples)
                if place is not None and not mine.has(place):
                    lines.append((places, number))
        _append(here, lines)
