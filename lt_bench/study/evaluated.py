"""The scores of a study's rows, read from their runs: each row of each seed, once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from lt_bench.errors import LtBenchError, first_line
from lt_bench.run.rundir import RunDir
from lt_bench.stats import Observation
from lt_bench.study.loading import NamedStudy
from lt_bench.study.places import Places
from lt_bench.study.spec import stage_of, training_of
from lt_bench.study.standing import evaluation_done, seen_finished
from lt_bench.train.sampling import FOLDER, ROWS
from lt_bench.train.workdir import TrainingRun

Scores = Mapping[str, tuple[Observation, ...]]
"""Metric -> every sample's score; rows and groups are told apart by seed."""


@dataclass
class Evaluated:
    """What there is of a study in its folder. `missing` says of what is not there why."""

    named: NamedStudy
    places: Places
    missing: dict[tuple[int, str], str] = field(default_factory=dict)
    _rows: dict[tuple[int, str], Scores] = field(default_factory=dict)
    _teachers: dict[tuple[int, str], Scores] = field(default_factory=dict)

    def seeds(self, row: str, among: Iterable[int]) -> list[int]:
        """The seeds of `among` for which this row is evaluated."""
        trained = self.named.study.seeds_of(row)
        return [seed for seed in among if seed in trained and self._of(seed, row)]

    def scores(self, row: str, metric: str, seeds: Iterable[int]) -> list[Observation]:
        """A row's scores over these seeds."""
        return [one for seed in seeds for one in self._of(seed, row).get(metric, ())]

    def teacher_seeds(self, row: str, among: Iterable[int]) -> list[int]:
        """The same for the replies of the teacher that a stage had."""
        trained = self.named.study.seeds_of(row)
        return [seed for seed in among if seed in trained and self._taught(seed, row)]

    def teacher(self, row: str, metric: str, seeds: Iterable[int]) -> list[Observation]:
        """The scores of those replies."""
        return [one for seed in seeds for one in self._taught(seed, row).get(metric, ())]

    def _of(self, seed: int, row: str) -> Scores:
        key = (seed, row)
        if key not in self._rows:
            self._rows[key] = self._read(seed, row)
        return self._rows[key]

    def _read(self, seed: int, row: str) -> Scores:
        training, stage = self.places.training(seed, training_of(row)), stage_of(row)
        folder, data = self.places.evaluation(seed, row), self.places.data(seed)
        temperature = self.named.study.evaluation.temperature
        try:
            if not evaluation_done(folder, training, stage, data, temperature):
                trained = seen_finished(TrainingRun(training), stage)
                self.missing[seed, row] = "not evaluated" if trained else "not trained"
                return {}
            return _scores(folder, data, seed, self.named.study.scored)
        except LtBenchError as error:
            self.missing[seed, row] = first_line(error)
            return {}

    def _taught(self, seed: int, row: str) -> Scores:
        key = (seed, row)
        if key not in self._teachers:
            stage = self.places.training(seed, training_of(row)) / stage_of(row)
            try:
                wanted = self.named.study.scored
                self._teachers[key] = _scores(stage / FOLDER, stage / ROWS, seed, wanted)
            except LtBenchError:
                self._teachers[key] = {}
        return self._teachers[key]


def _scores(folder: Path, data: Path, seed: int, wanted: Collection[str]) -> Scores:
    """The `wanted` scores that the card of a run was made from."""
    run, groups = RunDir(folder), dict(_groups(data))
    found: dict[str, list[Observation]] = {}
    for line in run.scored(run.card().stamp.scorers_sha).values():
        row = line.key.example_id
        for score in line.scores:
            if score.name in wanted:
                one = Observation(
                    f"{seed}/{row}", f"{seed}/{groups.get(row, row)}", score.value, score.reason
                )
                found.setdefault(score.name, []).append(one)
    return {name: tuple(scores) for name, scores in found.items()}


def _groups(data: Path) -> Iterator[tuple[str, str]]:
    """The group of each row of a file."""
    try:
        with data.open("rb") as file:
            for line in file:
                row = orjson.loads(line)
                yield row["id"], row.get("group") or row["id"]
    except OSError:
        return
