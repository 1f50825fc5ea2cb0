"""The recipes of the tool agent: their stages, their rewards, and the graded one that may take their place."""

from __future__ import annotations

import pytest

from lt_bench.errors import UsageError
from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.task import Task
from lt_bench.train.loading import load
from lt_bench.train.preparation import prepare
from lt_bench.train.recipe import GrpoStage, SftStage, needs_thoughts
from lt_bench.train.rewards import rewardable, rewarding

NAMES = ("mini/tools", "tool_dialogue/qwen3_1.7b")
GRADED = {"task_options.toolrl": True, "stages.rl.rewards.weights": {"toolrl": 1.0}}


@pytest.mark.parametrize("name", NAMES)
def test_a_tool_agent_learns_without_thoughts_then_with_them_then_from_its_own_dialogues(
    name: str,
) -> None:
    stages = prepare(load(name)).recipe.stages
    assert list(stages)[-3:] == ["sft", "cold_start", "rl"]
    sft, cold, rl = (stages[key] for key in ("sft", "cold_start", "rl"))
    assert isinstance(sft, SftStage)
    assert isinstance(cold, SftStage)
    assert isinstance(rl, GrpoStage)
    assert (sft.thoughts, needs_thoughts(sft)) == (False, False)
    assert needs_thoughts(cold)
    assert cold.admit == {"task_success": 1.0}
    assert (cold.parent, rl.parent) == ("sft", "cold_start")
    outcome = "answer_correctness" if name == "mini/tools" else "task_success"
    assert rl.rewards.weights == {"tool_f1": 0.6, outcome: 0.4}
    assert len({one.rows.seed for one in (sft, cold, rl)}) == 3


@pytest.mark.parametrize("name", NAMES)
def test_every_row_can_have_both_rewards(name: str) -> None:
    recipe = load(name).recipe
    task, rl = Task.load(recipe.task), recipe.stages["rl"]
    assert isinstance(rl, GrpoStage)
    scorers = rewarding(task, JudgeChoice().judging, tuple(rl.rewards.weights))
    rows = list(task.builder.build("train", 60, rl.rows.seed))
    assert all(rewardable(scorers, tuple(rl.rewards.weights), row) for row in rows)


@pytest.mark.parametrize("name", NAMES)
def test_the_graded_reward_of_toolrl_is_an_option(name: str) -> None:
    training = prepare(load(name, GRADED))
    scorers = rewarding(training.task, JudgeChoice().judging, ("toolrl",))
    rows = list(training.task.builder.build("train", 60, 1))
    able = [rewardable(scorers, ("toolrl",), row) for row in rows]
    assert any(able)
    assert not all(able)  # it says nothing of rows that want no call
    with pytest.raises(UsageError, match="toolrl"):
        prepare(load(name, {"stages.rl.rewards.weights": {"toolrl": 1.0}}))
