"""The recipes of the miniature: what they say, and that they can run as they stand."""

from __future__ import annotations

import pytest

from lt_bench.task import Task
from lt_bench.train.lengths import length_reward
from lt_bench.train.loading import load
from lt_bench.train.recipe import GrpoStage, PretrainStage, Recipe, SftStage

NAMES = ("moe", "dense", "rewards", "budget")


def recipe(name: str) -> Recipe:
    return load(f"mini/{name}").recipe


def reinforced(name: str) -> dict[str, GrpoStage]:
    stages = recipe(name).stages
    return {key: stage for key, stage in stages.items() if isinstance(stage, GrpoStage)}


@pytest.mark.parametrize("name", NAMES)
def test_stages_are_named_and_follow_one_another(name: str) -> None:
    stages = recipe(name).stages
    assert list(stages)[:2] == ["base", "rft"]
    assert isinstance(stages["base"], PretrainStage)
    earlier = set()
    for key, stage in stages.items():
        if not isinstance(stage, PretrainStage):
            assert stage.parent in earlier
        if isinstance(stage, GrpoStage) and stage.rewards.length and stage.rewards.length.of:
            assert stage.rewards.length.of in earlier
        earlier.add(key)


@pytest.mark.parametrize("name", NAMES)
def test_every_reward_and_admission_is_a_score_of_the_task(name: str) -> None:
    known = {metric.name for scorer in Task.load("mini_qa").scorers() for metric in scorer.metrics}
    for stage in recipe(name).stages.values():
        if isinstance(stage, SftStage):
            assert set(stage.admit) <= known
        if isinstance(stage, GrpoStage):
            assert set(stage.rewards.weights) - {"length"} <= known
            assert ("length" in stage.rewards.weights) == (stage.rewards.length is not None)


@pytest.mark.parametrize("name", NAMES)
def test_rows_of_different_purposes_have_different_seeds_and_suffice(name: str) -> None:
    stages = recipe(name).stages
    seeds = {stage.kind: stage.rows.seed for stage in stages.values() if stage.kind != "sft"}
    assert len(set(seeds.values())) == len(seeds)
    for stage in reinforced(name).values():
        steps = stage.optimizer.steps
        assert steps is not None
        assert steps * stage.optimizer.batch_size <= stage.rows.rows


def test_stages_that_are_compared_differ_in_what_is_compared_alone() -> None:
    for name in ("rewards", "budget"):
        plain = [stage.model_dump(exclude={"rewards"}) for stage in reinforced(name).values()]
        assert len(plain) == 4
        assert all(one == plain[0] for one in plain)
    rl, alone = reinforced("moe").values()
    assert rl.model_dump(exclude={"parent", "rewards"}) == alone.model_dump(
        exclude={"parent", "rewards"}
    )
    rft, sft = recipe("moe").stages["rft"], recipe("moe").stages["sft"]
    differing = {"kind", "admit", "choose"}
    assert rft.model_dump(exclude=differing) == sft.model_dump(exclude=differing)


@pytest.mark.parametrize("name", ["rewards", "budget", "dense"])
def test_base_and_student_are_those_of_moe_but_for_experts(name: str) -> None:
    ours, moe = recipe(name).stages, recipe("moe").stages
    apart = {"aux_loss", "architecture"} if name == "dense" else set()
    for stage in ("base", "rft"):
        assert ours[stage].model_dump(exclude=apart) == moe[stage].model_dump(exclude=apart)


def test_rewards_keep_one_of_three_back_in_turn() -> None:
    kept = {name: frozenset(stage.rewards.weights) for name, stage in reinforced("rewards").items()}
    whole = frozenset({"correctness", "helpfulness", "length"})
    assert kept == {
        "full": whole,
        "ch": whole - {"length"},
        "cl": whole - {"helpfulness"},
        "hl": whole - {"correctness"},
    }


def test_a_whole_short_trace_fits_the_budget() -> None:
    """The reference replies with their short traces, as long as the student is about to be."""
    budget = reinforced("moe")["rl"].rewards.length
    assert budget is not None
    builder = Task.load("mini_qa").builder
    lengths = [
        len(f"<think> {one.thoughts[0]} </think> {one.reply}".split()) + 1
        for one in builder.references("train", 200, 0)  # type: ignore[attr-defined]
    ]
    rewards = [length_reward(length, 71.0, budget) for length in lengths]
    assert sum(rewards) / len(rewards) > 0.9
