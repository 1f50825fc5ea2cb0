"""Tokens, work and length of hand-made generations, with every count worked out by hand."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lt_bench.errors import UsageError
from lt_bench.flops import exact, parameters
from lt_bench.records import Example, Generation, Sample, SampleKey, ToolCall, Turn, Usage
from lt_bench.scorers import SCORERS, ScoringContext, score_sample
from lt_bench.scorers.cost import CostScorer, model_size
from lt_bench.scorers.length import LengthScorer, length_reward

EXAMPLE = Example(id="1", task="commerce_qa", question="How much is it?", group="room-1")
CONFIG = json.loads(
    (Path(__file__).parents[1] / "golden" / "configs" / "smollm2-135m.json").read_text()
)
USAGE = Usage(prompt=100, output=30, reasoning=18, reply=9, markup=3, counted_by="engine")


def turn(reply: str = "It is 99 yuan.", usage: Usage | None = USAGE, **other) -> Turn:
    defaults = {"reasoning": "Sheet says 99.", "finish_reason": "stop"}
    return Turn(reply=reply, usage=usage, **{**defaults, **other})


def scores(scorer, *turns: Turn) -> dict:
    generation = Generation(turns=turns)
    sample = Sample(
        key=SampleKey(example_id="1", sample_index=0, request_sha="x"),
        status=generation.status,
        generation=generation,
    )
    return {s.name: s for s in asyncio.run(score_sample(scorer, EXAMPLE, sample))}


def cost(*turns: Turn, architecture=None, active_params=None) -> dict:
    context = ScoringContext(architecture=architecture, active_params=active_params)
    return scores(CostScorer(context, {}), *turns)


def values(found: dict) -> dict:
    return {name: score.value for name, score in found.items()}


def test_tokens_are_reported_whole_and_in_parts() -> None:
    found = values(cost(turn()))
    assert found["tpr"] == 30
    assert (found["tpr_reasoning"], found["tpr_reply"], found["tpr_markup"]) == (18, 9, 3)


def test_the_seed_s_figure_from_a_given_size() -> None:
    usage = Usage(prompt=None, output=153, counted_by="provider")
    found = cost(turn(usage=usage), active_params=3.0e9)
    assert found["tflop_paper"].value == pytest.approx(0.918)
    assert found["tflop_exact"].reason == "not_applicable"


def test_work_of_a_known_config_uses_what_multiplies_and_not_the_given_size() -> None:
    found = values(cost(turn(), architecture=CONFIG, active_params=9e9))
    n = parameters(CONFIG).active_matmul
    assert found["tflop_paper"] == pytest.approx(2 * n * 30 / 1e12)
    assert found["tflop_exact"] == pytest.approx(exact(CONFIG, 100, 30).total / 1e12)


def test_a_dialogue_costs_the_sum_of_its_turns() -> None:
    second = USAGE.model_copy(update={"prompt": 150})
    found = values(cost(turn(), turn(usage=second), architecture=CONFIG))
    assert found["tpr"] == 60
    by_hand = exact(CONFIG, 100, 30).total + exact(CONFIG, 150, 30).total
    assert found["tflop_exact"] == pytest.approx(by_hand / 1e12)


def test_uncounted_tokens_are_not_applicable_and_never_zero() -> None:
    found = cost(turn(usage=None), turn(), architecture=CONFIG)
    names = ["tpr", "tpr_reasoning", "tpr_reply", "tpr_markup", "tflop_paper", "tflop_exact"]
    assert {found[name].reason for name in names} == {"not_applicable"}
    assert found["truncated"].value == 0.0


def test_a_part_that_cannot_be_told_is_unknown_while_the_whole_is_known() -> None:
    usage = Usage(prompt=10, output=50, reasoning=40, counted_by="provider")
    found = cost(turn(usage=usage))
    assert (found["tpr"].value, found["tpr_reasoning"].value) == (50, 40)
    assert found["tpr_reply"].reason == found["tpr_markup"].reason == "not_applicable"


def test_exact_work_without_prompt_tokens_is_unknown() -> None:
    usage = Usage(prompt=None, output=50, counted_by="provider")
    found = cost(turn(usage=usage), architecture=CONFIG)
    assert found["tflop_paper"].value is not None
    assert found["tflop_exact"].reason == "not_applicable"


def test_an_unknown_size_is_unknown_and_the_card_can_say_so() -> None:
    found = cost(turn())
    assert found["tflop_paper"].reason == found["tflop_exact"].reason == "not_applicable"
    assert "unknown" in CostScorer(ScoringContext(), {}).remarks["tflop_paper"]


def test_a_model_known_by_name_has_its_published_size() -> None:
    size = model_size(ScoringContext(model="openai/qwen3-30b-a3b"))
    assert (size.active, size.source) == (3.3e9, "published")
    assert model_size(ScoringContext(model="openai/gpt-5")).source == "unknown"


def test_an_unknown_architecture_falls_back_to_the_given_size() -> None:
    odd = {"model_type": "rwkv", "hidden_size": 8}
    size = model_size(ScoringContext(architecture=odd, active_params=7e9))
    assert (size.active, size.work, size.source) == (7e9, None, "given")
    alone = model_size(ScoringContext(architecture=odd))
    assert (alone.active, alone.source) == (None, "unknown")
    assert "rwkv" in alone.unknown_why
    assert (
        CostScorer(ScoringContext(architecture=odd), {})
        .remarks["tflop_exact"]
        .startswith("unknown: unknown architecture 'rwkv'")
    )


def test_remarks_name_the_n_of_the_paper_convention() -> None:
    known = CostScorer(ScoringContext(architecture=CONFIG), {}).remarks
    assert "1.3448e+08 (active_matmul_params from config.json)" in known["tflop_paper"]
    given = CostScorer(ScoringContext(active_params=3e9), {}).remarks
    assert "3e+09" in given["tflop_paper"]


def test_f02_a_cut_thought_costs_its_tokens_and_counts_as_truncated() -> None:
    usage = Usage(prompt=100, output=64, reasoning=62, reply=0, markup=2, counted_by="engine")
    found = cost(turn("", usage, finish_reason="length", reasoning="Both heaters"))
    assert (found["truncated"].value, found["tpr"].value) == (1.0, 64)
    assert found["trace_leak"].reason == "not_applicable"


def test_f11_a_thought_that_never_closed_counts_as_truncated() -> None:
    found = cost(turn("", notes=("unclosed_stop",)))
    assert found["truncated"].value == 1.0


def test_markup_in_any_reply_of_a_dialogue_is_a_leak() -> None:
    assert values(cost(turn()))["trace_leak"] == 0.0
    leaked = turn("<think>99?</think>It is 99 yuan.")
    assert values(cost(leaked))["trace_leak"] == 1.0
    assert values(cost(leaked, turn()))["trace_leak"] == 1.0


def test_a_request_that_failed_has_no_cost() -> None:
    sample = Sample.model_validate(
        {
            "key": {"example_id": "1", "sample_index": 0, "request_sha": "x"},
            "status": "error",
            "failure": {"kind": "server", "message": "500"},
        }
    )
    scorer = CostScorer(ScoringContext(), {})
    found = asyncio.run(score_sample(scorer, EXAMPLE, sample))
    assert {score.reason for score in found} == {"no_answer"}
    assert [score.name for score in found] == [metric.name for metric in scorer.metrics]


def test_the_sha_changes_with_the_size_only() -> None:
    def sha(**context) -> str:
        return CostScorer(ScoringContext(**context), {}).sha

    assert sha() == sha()
    assert len({sha(), sha(active_params=3e9), sha(architecture=CONFIG)}) == 3


@pytest.mark.parametrize("name", ["cost", "length"])
def test_an_unknown_option_is_refused_by_name(name: str) -> None:
    factory = SCORERS.get(name)
    with pytest.raises(UsageError, match="unknown key 'tolerence'"):
        factory(ScoringContext(), {"tolerence": 1})


def length(*turns: Turn, **options) -> dict:
    return scores(LengthScorer(ScoringContext(), options), *turns)


def test_length_is_characters_of_thought_reply_and_calls_over_all_turns() -> None:
    call = ToolCall(name="price", arguments={"sku": "A1"})
    found = length(turn("", tool_calls=(call,)), turn("九十九元。", reasoning=None, usage=None))
    assert found["output_chars"].value == len("Sheet says 99.") + 5 + len('{"sku":"A1"}') + 5


def test_length_is_the_same_whether_tags_are_shown_or_stripped() -> None:
    shown = turn(raw="<think>\nSheet says 99.\n</think>\n\nIt is 99 yuan.")
    assert values(length(shown)) == values(length(turn()))


def test_length_is_unknown_where_billed_reasoning_is_hidden() -> None:
    assert length(turn(reasoning=None))["output_chars"].reason == "not_applicable"


def test_length_without_a_reference_gives_no_reward() -> None:
    assert list(length(turn())) == ["output_chars"]


def test_the_reward_of_a_run_uses_all_output_tokens() -> None:
    assert length(turn(), reference=66)["r_length"].value == pytest.approx(1.0)
    assert length(turn(), reference=60)["r_length"].value == pytest.approx(1.0)
    assert length(turn(), reference=50)["r_length"].value == pytest.approx(0.0, abs=1e-12)
    assert length(turn(usage=None), reference=50)["r_length"].reason == "not_applicable"
    assert "relative" in LengthScorer(ScoringContext(), {"reference": 50}).remarks["r_length"]


def test_f98_an_empty_reply_earns_no_length_reward() -> None:
    assert length(turn("  "), reference=60)["r_length"].value == 0.0


def test_bounds_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(UsageError, match="above upper"):
        LengthScorer(ScoringContext(), {"reference": 60, "lower": 0.6})


@pytest.mark.parametrize(
    ("tokens", "reward"),
    [
        (160, 1.0),
        (200, 1.0),
        (180, 1.0),
        (220, 0.5),
        (240, 0.0),
        (400, 0.0),
        (140, 0.5),
        (120, 0.0),
    ],
)
def test_the_reward_falls_linearly_outside_half_to_two_fifths_of_the_reference(
    tokens: int, reward: float
) -> None:
    assert length_reward(tokens, 400) == pytest.approx(reward, abs=1e-9)


def test_a_tolerance_in_tokens_is_all_but_a_step() -> None:
    assert length_reward(200.05, 400, unit="tokens") == pytest.approx(0.5)
    assert length_reward(201, 400, unit="tokens") == 0.0
    assert length_reward(210, 400, tolerance=20, unit="tokens") == pytest.approx(0.5)


@given(
    st.floats(0, 1e6), st.floats(1, 1e6), st.floats(0, 1), st.floats(0.01, 10), st.floats(0.5, 20)
)
def test_the_relative_reward_does_not_depend_on_the_scale(
    tokens: float, reference: float, lower: float, tolerance: float, scale: float
) -> None:
    reward = length_reward(tokens, reference, lower + 0.1, lower, tolerance)
    assert 0 <= reward <= 1
    scaled = length_reward(tokens * scale, reference * scale, lower + 0.1, lower, tolerance)
    assert scaled == pytest.approx(reward, abs=1e-6)


@pytest.mark.parametrize(
    "bad",
    [
        {"reference": 0},
        {"tolerance": 0},
        {"length": -1},
        {"lower": 0.6},
        {"lower": -0.1},
    ],
)
def test_a_senseless_reward_is_refused(bad: dict) -> None:
    with pytest.raises(ValueError, match="no length reward"):
        length_reward(**{"length": 100, "reference": 400, **bad})
