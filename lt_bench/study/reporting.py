"""Makes the report of a study from what lies in its folder, finished or not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

import orjson

from lt_bench.records import Unit
from lt_bench.run.environment import environment
from lt_bench.stats import Observation, estimate
from lt_bench.study.costs import costs
from lt_bench.study.evaluated import Evaluated
from lt_bench.study.loading import NamedStudy
from lt_bench.study.places import Places
from lt_bench.study.report import Cell, Curve, Failure, ReportRow, ReportTable, StudyReport
from lt_bench.study.running import Outcome
from lt_bench.study.spec import Table, TableRow, stage_of, test_seed, training_of
from lt_bench.study.verdicts import UNITS, verdicts

LOG = "log.jsonl"


def report(
    named: NamedStudy, places: Places, outcomes: Mapping[str, Outcome] | None = None
) -> StudyReport:
    """What the study has come to; `outcomes` say of what is missing why."""
    study, evaluated = named.study, Evaluated(named, places)
    here = environment(None)
    return StudyReport(
        name=named.name,
        summary=study.summary,
        task=study.task,
        paper_title=study.paper.title,
        paper_url=study.paper.url,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        lt_bench=here.lt_bench,
        git_commit=here.git_commit,
        hardware=here.hardware,
        packages=here.packages,
        seeds=study.seeds,
        test_seeds=tuple(map(test_seed, study.seeds)),
        tuning_training=study.tuning_seeds.training,
        tuning_rows=study.tuning_seeds.rows,
        rows=study.evaluation.rows,
        metrics=study.metrics,
        temperature=study.evaluation.temperature,
        tables=tuple(_table(evaluated, table) for table in study.tables),
        verdicts=verdicts(evaluated, study.claims),
        curves=tuple(_curves(named, places)),
        sweep=study.plots.sweep,
        turned=study.plots.turned,
        costs=costs(evaluated),
        failures=tuple(
            Failure(job=name, why=one.why)
            for name, one in (outcomes or {}).items()
            if one.fate in ("failed", "left")
        ),
    )


def _table(evaluated: Evaluated, table: Table) -> ReportTable:
    seeds = evaluated.named.study.seeds if table.seeds is None else table.seeds
    rows = tuple(_row(evaluated, one, seeds) for one in table.rows)
    return ReportTable(title=table.title, note=table.note, rows=rows)


def _row(evaluated: Evaluated, row: TableRow, seeds: Sequence[int]) -> ReportRow:
    name, metrics = row.row or row.teacher, evaluated.named.study.metrics
    given: dict[str, list[Observation]] = {}
    have: list[int] = []
    if row.row:
        have = evaluated.seeds(row.row, seeds)
        given = {metric: evaluated.scores(row.row, metric, have) for metric in metrics}
    elif row.teacher:
        have = evaluated.teacher_seeds(row.teacher, seeds)
        given = {metric: evaluated.teacher(row.teacher, metric, have) for metric in metrics}
    asked = [seed for seed in seeds if name and seed in evaluated.named.study.seeds_of(name)]
    return ReportRow(
        label=row.label,
        row=name,
        teacher=row.teacher is not None,
        cells={one: _cell(one, given.get(one, []), row.paper.get(one)) for one in metrics},
        missing={
            seed: evaluated.missing.get((seed, name or ""), "not there")
            for seed in asked
            if seed not in have
        },
    )


def _cell(metric: str, scores: Sequence[Observation], paper: float | None) -> Cell:
    """One figure; the paper's shares are in points."""
    unit: Unit = UNITS.get(metric, "share")
    found = estimate(scores, unit)
    by_seed: dict[int, list[float]] = {}
    for one in scores:
        if one.value is not None:
            by_seed.setdefault(int(one.example_id.partition("/")[0]), []).append(one.value)
    return Cell(
        value=found.value,
        low=found.low,
        high=found.high,
        unit=unit,
        by_seed={seed: math.fsum(values) / len(values) for seed, values in by_seed.items()},
        paper=paper / 100 if paper is not None and unit == "share" else paper,
        method=found.method,
    )


def _curves(named: NamedStudy, places: Places) -> Iterator[Curve]:
    """The logs of the stages that are to be drawn, as far as they go."""
    for row in named.study.plots.steps:
        for seed in named.study.seeds_of(row):
            stage = places.training(seed, training_of(row)) / stage_of(row)
            try:
                lines = (stage / LOG).read_bytes().splitlines(keepends=True)
            except OSError:
                continue
            whole = [orjson.loads(line) for line in lines if line.endswith(b"\n")]
            drawn = [one for one in whole if one.get("draw")]
            yield Curve(
                row=row,
                seed=seed,
                steps=tuple(one["step"] for one in drawn),
                reward=tuple(one["draw"].get("reward") for one in drawn),
                tokens=tuple(one["draw"]["length"] for one in drawn),
            )
