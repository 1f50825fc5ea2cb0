"""How far the judges of a run can be believed: calibrations and people's labels, kept beside it.

The arithmetic is loaded where there is something to correct: after the last answer, if at all.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lt_bench.errors import UsageError
from lt_bench.records import (
    Calibration,
    Corrected,
    Estimate,
    JudgeStamp,
    Labelled,
    MetricCalibration,
)
from lt_bench.run.disk import write_whole
from lt_bench.run.judging.calibration_file import (
    default_path,
    load_calibration,
    matching,
    save_calibration,
)
from lt_bench.run.judging.rating import LABEL_OF
from lt_bench.run.row import Row
from lt_bench.run.rundir import RunDir

if TYPE_CHECKING:
    from lt_bench.calibration.prediction_powered import JudgedRow

log = logging.getLogger(__name__)

CALIBRATIONS, LABELS = "calibrations", "labels.jsonl"
CORRECTABLE = (*LABEL_OF, "correct_and_helpful")
"""Metrics that people label too."""


@dataclass(frozen=True)
class Trust:
    """`calibrations` of the judges of a run; `labels`: what people say of replies to its rows."""

    calibrations: tuple[Calibration, ...] = ()
    labels: tuple[Labelled, ...] = ()

    def stamp(self, metric: str, stamp: JudgeStamp) -> JudgeStamp:
        """The stamp with what is known of this judge; as it was where nothing is."""
        found = self._known(metric, stamp)
        brief = found.model_copy(update={"slices": {}, "baselines": {}}) if found else None
        return stamp.model_copy(update={"calibration": brief})

    def corrected(
        self, metric: str, stamp: JudgeStamp, table: Sequence[Row]
    ) -> tuple[Corrected, ...]:
        """The metric after people's labels: by the calibration, and by the labels on its own rows."""
        judged = [row for row in table if _is_judged(row, metric)]
        if metric not in CORRECTABLE or not judged:
            return ()
        found = []
        calibration = self._known(metric, stamp)
        if calibration is not None:
            from lt_bench.calibration.corrected import corrected

            found.append(corrected(_estimate(judged, metric), calibration))
        rows = self._with_people(metric, judged)
        if sum(row.human is not None for row in rows) >= 2:
            from lt_bench.calibration.prediction_powered import corrected_by_labels

            found.append(corrected_by_labels(rows))
        share = _Share(len(judged), _scored(table, metric))
        return tuple(share.of_all(one) for one in found)

    def _known(self, metric: str, stamp: JudgeStamp) -> MetricCalibration | None:
        """What people said of this very judge: the newest, where it was measured twice."""
        for calibration in sorted(self.calibrations, key=lambda one: one.created, reverse=True):
            found = calibration.metrics.get(metric)
            if found and found.judge_sha == stamp.judge_sha:
                return found
        return None

    def _with_people(self, metric: str, judged: Sequence[Row]) -> list[JudgedRow]:
        if not self.labels:
            return []
        from lt_bench.calibration.prediction_powered import JudgedRow
        from lt_bench.run.judging.people import agreed

        said = {(one.example.id, one.reply): agreed(one, metric) for one in self.labels}
        rows = []
        for row in judged:
            value, generation = row.scores[metric].value, row.sample.generation
            if value is not None and generation is not None:
                human = said.get((row.example.id, generation.reply))
                person = None if human is None else float(human)
                rows.append(JudgedRow(value, person, row.example.group))
        return rows


@dataclass(frozen=True)
class _Share:
    """Of `scored` rows, `judged` ones came before a judge. The others are answers without a reply:
    they are wrong for certain, and no error of a judge is in them."""

    judged: int
    scored: int

    def of_all(self, found: Corrected) -> Corrected:
        """A corrected share of the judged rows as one of all scored rows; one that is infeasible
        stays that of the judged rows.

        The interval joins that of the correction and the Wilson interval of the share judged (MOVER
        for a product, G. Y. Zou and A. Donner, Statistics in Medicine 27, 2008).
        """
        if self.judged == self.scored:
            return found
        from lt_bench.stats import wilson

        part = self.judged / self.scored
        ends, middle = wilson(self.judged, self.scored), min(1.0, max(0.0, found.unclipped or 0.0))
        if found.unclipped is None:
            low, high = 0.0, part
        else:
            product = part * middle
            low = product - math.hypot(middle * (part - ends.low), part * (middle - found.low))
            high = product + math.hypot(middle * (ends.high - part), part * (found.high - middle))
        silent = self.scored - self.judged
        return found.model_copy(
            update={
                "raw": found.raw * part,
                "unclipped": found.unclipped and found.unclipped * (part if found.feasible else 1),
                "value": None if found.value is None else found.value * part,
                "low": max(0.0, low),
                "high": min(1.0, high),
                "standard_error": found.standard_error and found.standard_error * part,
                "n": self.scored,
                "detectable": found.detectable and found.detectable * part,
                "sentence": f"{silent} answers without a reply count as wrong; of the others: "
                f"{found.sentence}",
            }
        )


def trust_of(
    folder: RunDir,
    judges: Mapping[str, JudgeStamp],
    calibrations: Sequence[Path] = (),
    labels: Sequence[Path] = (),
) -> Trust:
    """What lies beside a run, after the files named now have been put there. They take the place of
    labels that were there, and of calibrations of the same judges.

    Raises:
        UsageError: a calibration named now is of other judges, the labels are of other replies, or
            a file cannot be read.
    """
    run = folder.path
    for path in calibrations:
        found = load_calibration(path)
        _check(path, found, judges)
        _drop_replaced(run / CALIBRATIONS, found)
        save_calibration(found, run / CALIBRATIONS / default_path(found).name)
    if labels:
        lines = [row.model_dump_json() for row in _of_this_run(folder, _read(labels))]
        write_whole(run / LABELS, "\n".join(lines))
    kept = sorted((run / CALIBRATIONS).glob("*.json"))
    said = _read([run / LABELS]) if (run / LABELS).exists() else []
    return Trust(tuple(load_calibration(path) for path in kept), tuple(said))


def _read(paths: Sequence[Path]) -> list[Labelled]:
    # Most runs have no labels, and what reads them also reads tables and costs 0.1 s to load.
    from lt_bench.run.judging.label_files import check_draw, read_labels

    rows = read_labels(paths)
    check_draw(rows)
    return rows


def _of_this_run(folder: RunDir, rows: Sequence[Labelled]) -> list[Labelled]:
    """The labelled replies that are replies of this run.

    Raises:
        UsageError: none is.
    """
    replies = {
        (sample.key.example_id, sample.generation.reply)
        for sample in folder.samples().values()
        if sample.generation
    }
    found = [row for row in rows if (row.example.id, row.reply) in replies]
    if not found:
        raise UsageError(
            f"none of the {len(rows)} labelled replies is one of {folder.path}",
            "label its own replies: lt-bench judge label RUN",
        )
    log.info("%d of %d labelled replies are of this run", len(found), len(rows))
    return found


def _drop_replaced(folder: Path, named: Calibration) -> None:
    """Takes away what measured no judge that the one named now does not measure."""
    known = _measured(named)
    for path in sorted(folder.glob("*.json")):
        if _measured(load_calibration(path)) <= known:
            path.unlink()


def _measured(calibration: Calibration) -> set[tuple[str, str]]:
    return {(metric, one.judge_sha) for metric, one in calibration.metrics.items()}


def _check(path: Path, found: Calibration, judges: Mapping[str, JudgeStamp]) -> None:
    shared = [metric for metric in found.metrics if metric in judges]
    if not shared:
        raise UsageError(
            f"{path} is about {', '.join(found.metrics)}, and no judge of this run gives that",
            f"judged here: {', '.join(judges) or 'nothing'}",
        )
    for metric in shared:
        matching(found, judges[metric], metric)


def _is_judged(row: Row, metric: str) -> bool:
    """Whether this value came from a judge: there was a reply, and a verdict on it."""
    generation = row.sample.generation
    spoke = generation is not None and bool(generation.reply.strip())
    return spoke and metric in row.scores and row.scores[metric].value is not None


def _scored(table: Sequence[Row], metric: str) -> int:
    return sum(row.scores[metric].value is not None for row in table)


def _estimate(rows: Sequence[Row], metric: str) -> Estimate:
    from lt_bench.stats import Observation, estimate

    return estimate(
        [Observation(row.example.id, row.example.group, row.scores[metric].value) for row in rows]
    )
