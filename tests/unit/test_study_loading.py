"""Studies are read strictly, and what they ask for are exactly these commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.studies import STUDY, study, study_file

from lt_bench.errors import UsageError
from lt_bench.study.jobs import jobs
from lt_bench.study.loading import load
from lt_bench.study.places import Places
from lt_bench.study.spec import test_seed as seed_of_rows


def claim(**changes: Any) -> list[dict[str, Any]]:
    one = {"text": "c", "metric": "tpr", "kind": "less", "of": "moe.rl", "against": "moe.rft"}
    return [{**one, **changes}]


def trainings(**changes: Any) -> dict[str, Any]:
    return {"trainings": {**STUDY["trainings"], **changes}}


RL = {"recipe": "mini/moe", "stages": ["rl_only"], "start": {"base": "moe.base", "rft": "moe.rft"}}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sedes": [3]}, "Did you mean 'seeds'?"),
        ({"evaluation": {"row": 3}}, "Did you mean 'rows'?"),
        (
            {"tables": [{"title": "t", "rows": [{"label": "x", "rwo": "moe.rl"}]}]},
            "Did you mean 'row'?",
        ),
        ({"claims": claim(amont=1)}, "Did you mean 'amount'?"),
        ({"claims": claim(kind="greatest")}, "claims.0.kind"),
        ({"claims": claim(of="moe.rll")}, "Did you mean 'moe.rl'?"),
        ({"claims": claim(kind="falls_by")}, "falls_by needs an amount"),
        ({"claims": claim(amount=0.1)}, "less has no amount"),
        ({"main": ["moe.sft"]}, "main: no row 'moe.sft'"),
        ({"seeds": [1]}, "seed 1 served tuning"),
        ({"seeds": [31, 31]}, "seed 31 cannot be"),
        ({"seeds": [-1]}, "seed -1 cannot be"),
        ({"tuning_seeds": {"rows": [319]}}, "seed 31 served tuning (test rows of seed 319)"),
        (trainings(moe={"recipe": "mini/moo", "stages": ["rl"]}), "Did you mean 'mini/moe'?"),
        (
            trainings(eval={"recipe": "mini/moe", "stages": ["rl"]}),
            "no training can be called eval",
        ),
        (trainings(alone={**RL, "stages": ["rl_onyl"]}), "Did you mean 'rl_only'?"),
        (trainings(alone={**RL, "start": {"rtf": "moe.rft"}}), "Did you mean 'rft'?"),
        (trainings(alone={**RL, "start": {"rft": "moe.sft"}}), "no row 'moe.sft'"),
        (trainings(alone={**RL, "seeds": [33]}), "33 is none of the seeds"),
        (
            trainings(alone={**RL, "set": {"stages.rl_only.optimiser": 1}}),
            "Did you mean 'optimizer'?",
        ),
        (trainings(**{"../x": RL}), "trainings"),
        ({"task": "musique"}, "task is musique, and trainings.moe (mini/moe) is for mini_qa"),
        (
            trainings(alone={**RL, "start": {"base": "moe.base"}}),
            "trainings.alone: stage rl_only needs rft, which is not trained",
        ),
        (trainings(alone={**RL, "set": {"stages.rl_only.seed": 5}}), "set by the seeds"),
        ({"seeds": [2**32]}, "4294967296 is more than a stage takes"),
        ({"claims": claim(of="moe.rft")}, "sets moe.rft against itself"),
    ],
)
def test_mistakes_are_told_with_their_place(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError) as caught:
        study(tmp_path, **changes)
    assert said in str(caught.value)
    assert len(str(caught.value).splitlines()) <= 6


def test_what_others_start_from_stands_above_them(tmp_path: Path) -> None:
    upside_down = {"rewards": STUDY["trainings"]["rewards"], "moe": STUDY["trainings"]["moe"]}
    with pytest.raises(UsageError, match="stands below it"):
        study(tmp_path, trainings=upside_down)


def test_an_unknown_study_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="Did you mean 'mini'"):
        load("minni")


@pytest.mark.parametrize("name", ["mini", "tools"])
def test_the_seeds_of_the_shipped_studies_never_served_tuning(name: str) -> None:
    named = load(name)
    tuning = named.study.tuning_seeds
    assert tuning.training
    assert tuning.rows
    assert not set(named.study.seeds) & set(tuning.training)
    assert not {seed_of_rows(seed) for seed in named.study.seeds} & set(tuning.rows)


def test_a_stage_is_this_command_and_has_every_seed_of_its_recipe(tmp_path: Path) -> None:
    named = load("mini")
    work = {one.name: one for one in jobs(named, Places(Path("runs/reproduce")))}
    seeds = ["base", "1", "rft", "2", "sft", "2", "rl", "3", "rl_only", "3"]
    sets = [
        part
        for stage, own in zip(seeds[::2], seeds[1::2], strict=True)
        for part in (
            "--set",
            f"stages.{stage}.seed=11",
            "--set",
            f"stages.{stage}.rows.seed=11{own}",
        )
    ]
    command = ["train", "mini/moe", "--run", "./runs/reproduce/11/moe", "--stage", "rft", *sets]
    assert list(work["11/moe.rft"].command) == command
    assert work["11/moe.rft"].needs == ("11/moe.base",)
    assert work["11/moe.rft"].folder == Path("runs/reproduce/11/moe")


def test_reinforcement_starts_from_what_another_training_made() -> None:
    work = {one.name: one for one in jobs(load("mini"), Places(Path("runs/reproduce")))}
    alone, full = work["12/alone.rl_only"], work["12/rewards.full"]
    assert "stages.rl_only.from=./runs/reproduce/12/moe/base" in alone.command
    assert "stages.rl_only.rewards.length.of=./runs/reproduce/12/moe/rft" in alone.command
    assert set(alone.needs) == {"12/moe.base", "12/moe.rft"}
    assert "stages.full.from=./runs/reproduce/12/moe/rft" in full.command
    assert "stages.full.rows.seed=124" in full.command
    assert full.needs == ("12/moe.rft",)
    assert "12/dense.rl" not in work


def test_an_evaluation_is_this_command() -> None:
    work = {one.name: one for one in jobs(load("mini"), Places(Path("runs/reproduce")))}
    said = " ".join(work["13/moe.rl eval"].command)
    assert said == (
        "eval hf/runs/reproduce/13/moe/rl/candidate --task mini_qa "
        "--data runs/reproduce/13/rows/test.jsonl --set sampling.temperature=0.7 "
        "--run ./runs/reproduce/13/eval/moe.rl"
    )
    assert " ".join(work["13/rows"].command) == (
        "data build mini_qa --train 0 --test 300 --seed 139 --out runs/reproduce/13/rows"
    )


def test_settings_of_a_study_reach_the_command_as_they_are(tmp_path: Path) -> None:
    changed = {**RL, "set": {"stages.rl_only.optimizer.steps": 3, "summary": "a: b"}}
    named = study(tmp_path, **trainings(alone=changed))
    work = {one.name: one for one in jobs(named, Places(tmp_path / "out"))}
    command = work["31/alone.rl_only"].command
    assert "stages.rl_only.optimizer.steps=3" in command
    assert f"stages.rl_only.from={tmp_path}/out/31/moe/base" in command


def test_a_study_of_a_catalog_is_found_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "training" / "_studies"
    folder.mkdir(parents=True)
    study_file(folder).rename(folder / "mine.yaml")
    assert load("mine", [tmp_path]).name == "mine"
    (folder / "mini.yaml").write_text(json.dumps(STUDY))
    with pytest.raises(UsageError, match="have one name"):
        load("mine", [tmp_path])
