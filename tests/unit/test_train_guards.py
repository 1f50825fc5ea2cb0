"""Guards: a stage that cannot learn stops early, with its cause and what to do."""

from __future__ import annotations

import logging

import pytest

from lt_bench.config import JudgeSettings
from lt_bench.errors import RunError
from lt_bench.train.guards import Pilot, family, one_family
from lt_bench.train.monitor import Draw
from lt_bench.train.recipe import Guards


def draw(
    *,
    clipped: float = 0.0,
    equal: int = 0,
    dropped: int = 0,
    reward: float = 0.5,
    silence: str = "",
) -> Draw:
    return Draw(
        completions=16,
        dropped=dropped,
        rewards={"correctness": reward},
        reward=reward,
        groups=4,
        equal_groups=equal,
        length=20.0,
        histogram=(0, 16, 0, 0, 0, 0, 0, 0),
        clipped=clipped,
        short_thoughts=0.0,
        silence=silence,
    )


def pilot(**guards: float) -> Pilot:
    return Pilot("rl", Guards.model_validate({"pilot": 3, **guards}), max_tokens=64)


def test_a_cap_below_the_needed_length_is_told_at_step_1_and_stops_the_pilot(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """F22: every completion cut, no reward differs."""
    watch = pilot()
    with caplog.at_level(logging.WARNING):
        watch.watch(1, draw(clipped=1.0, equal=4, reward=0.0))
    assert "100 % of the completions of step 1 were cut at 64 tokens" in caplog.text
    assert "no group of step 1 has rewards that differ" in caplog.text
    watch.watch(2, draw(clipped=1.0, equal=4, reward=0.0))
    with pytest.raises(RunError, match="100% of the completions") as caught:
        watch.watch(3, draw(clipped=1.0, equal=4, reward=0.0))
    assert "no group has rewards that differ" in caught.value.cause
    assert "rollouts.max_tokens" in caught.value.fix


@pytest.mark.parametrize(("reward", "fix"), [(0.0, "an rft stage"), (1.0, "rollouts.temperature")])
def test_rewards_that_never_differ_stop_the_pilot(reward: float, fix: str) -> None:
    watch = pilot()
    for step in (1, 2):
        watch.watch(step, draw(equal=4, reward=reward))
    with pytest.raises(RunError, match="nothing to learn from") as caught:
        watch.watch(3, draw(equal=4, reward=reward))
    assert fix in caught.value.fix


def test_one_group_that_teaches_lets_the_stage_go_on() -> None:
    watch = pilot()
    for step in (1, 2):
        watch.watch(step, draw(equal=4))
    watch.watch(3, draw(equal=3, clipped=0.5))
    watch.watch(4, draw(equal=4, clipped=1.0))  # after the pilot only the table tells


def test_a_share_that_is_allowed_does_not_stop() -> None:
    watch = pilot(clipped=1.0)
    for step in (1, 2, 3):
        watch.watch(step, draw(clipped=1.0))


def test_no_pilot_no_stop() -> None:
    pilot(pilot=0).watch(1, draw(clipped=1.0, equal=4))


def test_a_step_that_nobody_scored_stops_at_any_time() -> None:
    watch = pilot()
    watch.watch(7, draw(dropped=15))
    with pytest.raises(RunError, match="step 8 could be scored: correctness: judge_error"):
        watch.watch(8, draw(dropped=16, silence="correctness: judge_error"))


@pytest.mark.parametrize(
    ("model", "maker"),
    [
        ("openai/deepseek-r1", "deepseek"),
        ("openai/deepseek-ai/DeepSeek-V3.2", "deepseek"),
        ("hf/Qwen/Qwen3-30B-A3B", "qwen"),
        ("vllm/models/qwen3-8b/", "qwen"),
    ],
)
def test_the_family_of_a_judge_is_its_maker(model: str, maker: str) -> None:
    assert family(JudgeSettings(name="llm", models=(model,))) == (maker,)


def test_one_family_on_both_sides_is_told() -> None:
    rewards = JudgeSettings(name="llm", models=("openai/deepseek-r1", "openai/qwen3-max"))
    also = JudgeSettings(name="other", models=("hf/Qwen/Qwen3-8B",))
    assert "qwen gave the rewards" in (one_family(rewards, also) or "")
    assert one_family(rewards, JudgeSettings(name="facts")) is None
    assert one_family(JudgeSettings(name="facts"), JudgeSettings(name="facts"))
