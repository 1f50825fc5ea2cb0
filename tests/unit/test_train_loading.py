"""Recipes are found by name, read strictly, and refused before anything is trained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.stages import recipe_data, training_of

from lt_bench.errors import UsageError
from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.train.loading import NamedRecipe, checked, load, recipes
from lt_bench.train.preparation import prepare


def write(folder: Path, data: dict[str, Any], name: str = "two.yaml") -> Path:
    path = folder / "training" / "shop" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data), encoding="utf-8")  # JSON is YAML
    return path


def test_a_recipe_is_found_by_folder_and_file(tmp_path: Path) -> None:
    write(tmp_path, recipe_data(tmp_path / "base"))
    found = load("shop/two", catalogs=[tmp_path])
    assert (found.name, found.slug) == ("shop/two", "shop-two")
    assert list(found.recipe.stages) == ["rft", "rl"]
    assert "shop/two" in dict(recipes([tmp_path]))


def test_a_recipe_is_found_by_its_path(tmp_path: Path) -> None:
    path = write(tmp_path, recipe_data(tmp_path / "base"))
    assert load(str(path)).name == "two"


@pytest.mark.parametrize("name", ["shop/too", "two", "shop"])
def test_an_unknown_recipe_names_the_nearest(tmp_path: Path, name: str) -> None:
    write(tmp_path, recipe_data(tmp_path / "base"))
    with pytest.raises(UsageError, match=f"unknown recipe '{name}'") as error:
        load(name, catalogs=[tmp_path])
    if name == "shop/too":
        assert "Did you mean 'shop/two'?" in error.value.cause


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read .*nothing.yaml"):
        load(str(tmp_path / "nothing.yaml"))


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    data = recipe_data(tmp_path / "base")
    write(tmp_path, data), write(tmp_path, data, "two.yml")
    with pytest.raises(UsageError, match="have one name"):
        load("shop/two", catalogs=[tmp_path])


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (
            "stages.rl.optimizer.learning_rat",
            1,
            "unknown key stages.rl.optimizer.learning_rat. Did you mean 'learning_rate'?",
        ),
        (
            "stages.rl.rewards.length.uper",
            1,
            "unknown key stages.rl.rewards.length.uper. Did you mean 'upper'?",
        ),
        ("stages.rft.teacher.modle", "x", "stages.rft.teacher.modle. Did you mean 'model'?"),
        ("stages.rft.form", "x", "unknown key stages.rft.form. Did you mean 'from'?"),
        ("stages.rl.kind", "gpro", "stages.rl.kind cannot be 'gpro'. Did you mean 'grpo'?"),
        ("sumary", "x", "unknown key sumary. Did you mean 'summary'?"),
        ("judge.modles", ["x"], "unknown key judge.modles. Did you mean 'models'?"),
        ("stages.rl.optimizer.batch_size", 0, "stages.rl.optimizer.batch_size: "),
        ("stages.rl.rewards.length", {"upper": 0.1}, "stages.rl.rewards.length: lower 0.4 is"),
        ("stages.rft.lora", {"targets": 3}, "stages.rft.lora.targets: "),
        ("stages.rl.lora", 3, "stages.rl.lora: "),
        ("stages.rl", 3, "stages.rl: "),
        ("stages", {}, "stages: "),
        ("stages.../up", {}, "stages"),
    ],
)
def test_a_fault_is_named_by_its_path(tmp_path: Path, path: str, value: Any, said: str) -> None:
    with pytest.raises(UsageError) as error:
        checked(recipe_data(tmp_path / "base", {path: value}), "two.yaml")
    assert str(error.value).startswith("two.yaml: ")
    assert said in error.value.cause
    assert "grpo.optimizer" not in error.value.cause, "pydantic's tag is no part of the path"


def test_a_missing_key_is_said_to_be_missing(tmp_path: Path) -> None:
    data = recipe_data(tmp_path / "base")
    del data["stages"]["rl"]["optimizer"]["learning_rate"]
    with pytest.raises(UsageError, match=r"stages\.rl\.optimizer\.learning_rate is missing"):
        checked(data, "two.yaml")


@pytest.mark.parametrize("name", ["../up", "a b", "", ".hidden", "a/b", "x" * 41])
def test_a_stage_that_can_be_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    data = recipe_data(tmp_path / "base")
    data["stages"][name] = data["stages"].pop("rl")
    with pytest.raises(UsageError, match="cannot be the name of a folder"):
        checked(data, "two.yaml")


def test_settings_change_the_recipe(tmp_path: Path) -> None:
    path = write(tmp_path, recipe_data(tmp_path / "base"))
    settings = {"stages.rl.optimizer.steps": 10, "stages.rl.lora.rank": 4, "stages.rl.from": "rft"}
    stage = load(str(path), settings).recipe.stages["rl"]
    assert stage.optimizer.steps == 10
    assert stage.kind == "grpo"
    assert stage.lora is not None and stage.lora.rank == 4  # noqa: PT018


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        (
            "stages.rl.optimizer.stepz",
            "unknown key stages.rl.optimizer.stepz. Did you mean 'steps'?",
        ),
        ("stages.rll.optimizer.steps", "no stage 'rll'. Did you mean 'rl'?"),
        ("stage.rl.optimizer.steps", "unknown key stage. Did you mean 'stages'?"),
        ("stages.rl.optimizer", "stages.rl.optimizer"),
        ("stages.rl.seed.deep", "stages.rl.seed"),
        ("stages", "stages"),
        ("stages.", "names no stage"),
    ],
)
def test_an_unknown_setting_names_the_nearest(tmp_path: Path, setting: str, said: str) -> None:
    path = write(tmp_path, recipe_data(tmp_path / "base"))
    with pytest.raises(UsageError) as error:
        load(str(path), {setting: 10})
    assert said in error.value.cause
    assert "--set" in error.value.cause


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("stages.rft.from", "rl", "starts from rl, which comes later"),
        ("stages.rft.from", "rft", "starts from itself"),
        (
            "stages.rl.from",
            "rf",
            "no earlier stage, no folder here and no hub id. Did you mean 'rft'?",
        ),
        ("stages.rl.from", "./nowhere", "no folder here"),
        ("stages.rl.rewards.length.of", "rtf", "Did you mean 'rft'?"),
        ("stages.rl.rewards.weights", {"corectness": 1}, "Did you mean 'correctness'?"),
        ("stages.rl.rewards.weights", {"tpr": 1}, "less of tpr is better"),
        ("stages.rft.admit", {"helpfulnes": 1}, "Did you mean 'helpfulness'?"),
        ("stages.rft.admit", {"length": 1}, "admit.length: the task gives no such score"),
        ("stages.rft.admit", {}, "admit names no score"),
        ("stages.rft.kind", "sft", "kind sft takes all"),
        ("stages.rl.rewards.length", None, "does not say how long is right"),
        ("stages.rl.rewards.weights", {"correctness": 1}, "has no weight"),
        (
            "stages.rl.optimizer.micro_batch",
            7,
            "64 completions (8 prompts x 8) a step cannot be cut",
        ),
        ("stages.rft.optimizer.batch_size", 5, "5 rows a step cannot be cut into passes of 2"),
        ("stages.rl.optimizer.batch_size", 64, "a step takes 64 prompts and there are 40"),
        ("stages.rl.rows.limit", 3, "a step takes 8 prompts and there are 3"),
        ("stages.rl.rows.file", "no/such.jsonl", "there is no no/such.jsonl"),
        ("stages.rft.teacher.model", "replay/none.jsonl", "there is no file 'none.jsonl'"),
        ("stages.rl.rollouts", {"engine": "vllm", "mode": "server"}, "url is missing"),
        ("stages.rl.rollouts", {"url": "http://x"}, "url is for engine vllm"),
        ("task", "comerce_qa", "Did you mean 'commerce_qa'?"),
        ("task_options", {"x": 1}, "unknown key"),
        ("judge", {"name": "fact"}, "Did you mean 'facts'?"),
        ("judge_backend", {"base_url": "http://x"}, "judge settings without a judge model"),
    ],
)
def test_parts_that_do_not_fit_are_refused(
    tmp_path: Path, path: str, value: Any, said: str
) -> None:
    with pytest.raises(UsageError) as error:
        training_of(tmp_path / "base", {path: value})
    assert said in error.value.cause
    assert error.value.fix
    assert len(str(error.value).splitlines()) <= 6


def test_a_reference_teacher_is_asked_for_only_where_there_is_one(tmp_path: Path) -> None:
    changes = {
        "stages.rft.teacher.model": "reference",
        "stages.rft.admit": {"em": 1},
        "stages.rl.rewards": {"weights": {"em": 1}},
    }
    with pytest.raises(UsageError, match="task musique writes no reference trajectories"):
        training_of(tmp_path / "base", {**changes, "task": "musique"})
    assert training_of(tmp_path / "base", {"stages.rft.teacher.model": "reference"})


def test_a_closed_vocabulary_is_asked_for_before_a_model_from_nothing(tmp_path: Path) -> None:
    stage = {
        "kind": "pretrain",
        "architecture": {"model_type": "qwen3", "config": {}},
        "optimizer": {"learning_rate": 1e-3, "batch_size": 2},
    }
    with pytest.raises(UsageError, match="no closed vocabulary"):
        training_of(tmp_path / "base", {"stages.base": stage})


@pytest.mark.parametrize("model", ["Qwen/Qwen3-0.6B", "hf/Qwen/Qwen3-0.6B", "builtin/smollm2-135m"])
def test_hub_ids_and_bundled_models_pass(tmp_path: Path, model: str) -> None:
    training = training_of(tmp_path / "base", {"stages.rft.from": model})
    assert training.recipe.stages["rft"].kind == "rft"


def test_processes_share_a_step_equally(tmp_path: Path) -> None:
    named = NamedRecipe("two", checked(recipe_data(tmp_path / "base"), "two.yaml"))
    assert prepare(named, processes=2)
    with pytest.raises(UsageError, match="on each of 3 devices"):
        prepare(named, processes=3)


def test_the_command_changes_who_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody")
    sampling = {"temperature": 0.7}
    changes = {"judge": {"name": "llm", "models": ["openai/a"], "votes": 3, "sampling": sampling}}
    named = NamedRecipe("two", checked(recipe_data(tmp_path / "base", changes), "two.yaml"))
    assert prepare(named).judge.models == ("openai/a",)
    assert prepare(named).task.judge == "llm"
    other = prepare(named, JudgeChoice(models=("openai/b",))).judge
    assert (other.name, other.models, other.votes) == ("llm", ("openai/b",), 3)
    assert prepare(named, JudgeChoice(name="facts")).judge.models == ()


def test_a_judge_that_is_not_asked_needs_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    changes = {"judge": {"name": "llm", "models": ["openai/a"]}}
    named = NamedRecipe("two", checked(recipe_data(tmp_path / "base", changes), "two.yaml"))
    assert prepare(named, ask=False).judge.models == ("openai/a",)
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        prepare(named)
    wrong = {**changes, "stages.rft.admit": {"corectness": 1}}
    named = NamedRecipe("two", checked(recipe_data(tmp_path / "base", wrong), "two.yaml"))
    with pytest.raises(UsageError, match="Did you mean 'correctness'"):
        prepare(named, ask=False)


def test_the_judge_of_the_task_is_the_default(tmp_path: Path) -> None:
    assert training_of(tmp_path / "base").task.judge == "facts"
