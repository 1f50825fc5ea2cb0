"""Studies without a trainer: finished stages that never ran, and real evaluations of replayed replies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lt_bench.builders.mini_qa import MiniQA
from lt_bench.run import evaluate
from lt_bench.run.rundir import RunDir
from lt_bench.study.loading import NamedStudy, load
from lt_bench.study.places import Places
from lt_bench.study.spec import stage_of, test_seed, training_of
from lt_bench.train.workdir import StageFile

STUDY: Mapping[str, Any] = {
    "summary": "A study in two rows.",
    "task": "mini_qa",
    "paper": {"title": "A paper"},
    "seeds": [31, 32],
    "tuning_seeds": {"training": [1], "rows": [900]},
    "evaluation": {"rows": 40, "temperature": 0.7},
    "trainings": {
        "moe": {"recipe": "mini/moe", "stages": ["base", "rft", "rl"]},
        "rewards": {"recipe": "mini/rewards", "stages": ["full"], "start": {"rft": "moe.rft"}},
    },
    "main": ["moe.base", "moe.rft"],
    "tables": [
        {
            "title": "Stages",
            "rows": [
                {"label": "base", "row": "moe.base", "paper": {"correctness": 67.3, "tpr": 396}},
                {"label": "+ RFT", "row": "moe.rft", "paper": {"correctness": 81.3}},
                {"label": "+ RL", "row": "moe.rl"},
                {"label": "full", "row": "rewards.full"},
                {"label": "of the paper alone", "paper": {"helpfulness": 75.0}},
            ],
        }
    ],
    "claims": [],
}


@dataclass(frozen=True)
class Canned:
    """What a candidate does: the share of its rows that it answers well, and its output tokens.
    `bare`: its good answers are correct and say nothing further."""

    good: float
    tokens: int = 60
    bare: bool = False


def study_file(folder: Path, **changes: Any) -> Path:
    """A study of these settings, as a file."""
    path = folder / "study.yaml"
    path.write_text(json.dumps({**STUDY, **changes}), encoding="utf-8")
    return path


def study(folder: Path, **changes: Any) -> NamedStudy:
    return load(str(study_file(folder, **changes)))


def can(named: NamedStudy, places: Places, rows: Mapping[str, Canned]) -> None:
    """Finished stages and evaluations of these rows, for every seed that they are trained with."""
    for row, canned in rows.items():
        for seed in named.study.seeds_of(row):
            can_row(named, places, seed, row, canned)


def can_row(named: NamedStudy, places: Places, seed: int, row: str, canned: Canned) -> None:
    """The same for one row of one seed."""
    data = places.data(seed)
    size = named.study.evaluation.rows
    made = list(MiniQA({}).references("test", size, test_seed(seed)))
    data.parent.mkdir(parents=True, exist_ok=True)
    data.write_text("".join(f"{one.example.model_dump_json()}\n" for one in made))
    replies = places.seed(seed) / f"{row}.replies.jsonl"
    with replies.open("w", encoding="utf-8") as file:
        for number, one in enumerate(made):
            is_good = number * 997 % size < canned.good * size
            said = (one.reply.partition(" , ")[0] + " .") if canned.bare else one.reply
            usage = {"output": canned.tokens + number % 5, "reasoning": 0, "reply": 1}
            line = {"id": one.example.id, "output": said if is_good else "no .", "usage": usage}
            file.write(json.dumps(line) + "\n")
    run = places.evaluation(seed, row)
    evaluate(
        f"replay/{replies}",
        task=named.study.task,
        data=data,
        run=run,
        settings={"sampling.temperature": named.study.evaluation.temperature},
    )
    finish_stage(places, seed, row, RunDir(run).load().config.fingerprint)


def finish_stage(places: Places, seed: int, row: str, sha: str) -> None:
    """A stage that says it is finished."""
    folder = places.training(seed, training_of(row)) / stage_of(row)
    (folder / "candidate").mkdir(parents=True, exist_ok=True)
    file = StageFile(
        name=stage_of(row),
        kind="sft",
        settings={},
        sha="",
        parent=None,
        parent_sha=None,
        status="finished",
        began="2026-01-01T00:00:00+00:00",
        candidate_sha=sha,
    )
    (folder / "stage.json").write_text(file.model_dump_json())


def write_log(places: Places, seed: int, row: str, steps: int = 12) -> None:
    """A log of reinforcement: shorter and better at every step."""
    folder = places.training(seed, training_of(row)) / stage_of(row)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "log.jsonl").open("w", encoding="utf-8") as file:
        for step in range(1, steps + 1):
            draw = {"reward": 0.4 + step / (2 * steps), "length": 70.0 - 3 * step + seed % 7}
            file.write(json.dumps({"step": step, "seconds": 1.0, "draw": draw}) + "\n")
