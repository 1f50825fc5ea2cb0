"""Rows of mini_tools: the same every time, in few words, gold that the scorer agrees with."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lt_bench.builders.audit import Auditor
from lt_bench.builders.base import Acting, Reciting, Teaching
from lt_bench.builders.mini_tools import MiniTools
from lt_bench.builders.mini_tools.builder import owner
from lt_bench.builders.mini_tools.performance import CROWD, GOOD, TEACHER, Performance, perform
from lt_bench.builders.mini_tools.row import example_of
from lt_bench.builders.mini_tools.sample import write_sample
from lt_bench.builders.mini_tools.vocabulary import turn_text
from lt_bench.errors import UsageError
from lt_bench.records import CallsGold, Example, Generation, Turn
from lt_bench.stats.draw import Draw
from lt_bench.task import Task
from lt_bench.text import split_reasoning
from lt_bench.text.tool_calls import take_calls

MINI = MiniTools({})
TASK = Task.load("mini_tools")
SCORER = TASK.scorers()[0]


def scores(example: Example, played: Performance) -> dict[str, float | None]:
    turns = tuple(
        Turn(
            reasoning=one.thought,
            reply=one.reply,
            tool_calls=one.calls,
            tool_results=one.results,
            finish_reason="stop",
            usage=None,
        )
        for one in played.turns
    )
    found = asyncio.run(
        SCORER.score(example, Generation(turns=turns, end_state_sha=played.end_state))
    )
    return {score.name: score.value for score in found}


def test_it_can_act_teach_and_recite() -> None:
    assert isinstance(MINI, Acting)
    assert isinstance(MINI, Teaching)
    assert isinstance(MINI, Reciting)


def test_equal_arguments_give_equal_rows_and_all_makers_give_those_of_build() -> None:
    rows = list(MINI.build("train", 30, 7))
    assert rows == list(MiniTools({}).build("train", 30, 7))
    assert rows[:10] == list(MINI.build("train", 10, 7))
    assert [one.example for one in MINI.dialogues("train", 30, 7)] == rows
    assert [one.example for one in MINI.trajectories("train", 30, 7, 2)] == rows
    assert [one for one, _ in MINI.documents(30, 7)] == rows


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown split 'tset'"):
        MINI.build("tset", 1, 0)
    with pytest.raises(UsageError, match="below 0"):
        MINI.build("test", -1, 0)


def test_the_right_agent_has_every_score_of_its_row() -> None:
    for scene, row_id in MINI._scenes("train", 200, 1):
        found = scores(example_of(scene, row_id), perform(scene, Draw(row_id), GOOD))
        worst = {"over_calling", "under_calling"}
        for name, value in found.items():
            assert value in (None, 0.0 if name in worst else 1.0), (scene, name)


@pytest.mark.parametrize("habits", [TEACHER, CROWD])
def test_what_a_dialogue_is_worth_by_construction_is_what_the_scorer_says(habits: object) -> None:
    seen: set[str] = set()
    for scene, row_id in MINI._scenes("train", 300, 2):
        played = perform(scene, Draw("x", row_id), habits)  # type: ignore[arg-type]
        found = scores(example_of(scene, row_id), played)
        assert found["task_success"] == float(played.label.correct), (scene, played)
        if not played.label.helpful:
            assert found["over_calling"] == 1.0
        seen.update(played.label.faults)
    assert seen - {"redundant"} == {"wrong_tool", "no_call", "wrong_answer", "spurious_call"}
    assert (
        "redundant" in seen or habits is CROWD
    )  # which checks little, so that its documents are short


def test_every_word_of_prompts_and_dialogues_is_in_the_vocabulary() -> None:
    words: set[str] = set()
    for example, text in MINI.documents(800, 1):
        words.update(text.split(), TASK.prompt(example).messages[0].content.split())
    for one in MINI.trajectories("train", 300, 0, 2):
        words.update(word for output in one.outputs for text in output for word in text.split())
    known = set(MINI.vocabulary())
    assert words - known == {"<think>", "</think>", "<|im_start|>", "<|im_end|>"}
    assert known - words <= {"arguments", "wrong", "unknown", "before", "not", "name"}
    assert len(known) < 240


def test_calls_are_read_back_from_what_the_agent_writes() -> None:
    for one in MINI.dialogues("train", 60, 3):
        for turn in one.turns:
            spoken = take_calls(split_reasoning(turn_text(turn)))
            read = [(call.call.name, call.call.arguments) for call in spoken.called]
            assert read == [(call.name, call.arguments) for call in turn.calls]
            assert spoken.split.reply.strip() == turn.reply


def test_no_wording_is_in_two_splits() -> None:
    auditor = Auditor(MINI.unit)
    for split, size in (("train", 800), ("test", 200)):
        for row in MINI.build(split, size, 0):
            auditor.add(split, row)
        assert {owner(scene) for scene, _ in MINI._scenes(split, 30, 5)} == {split}
    assert auditor.finish().clean


def test_all_types_are_there() -> None:
    types = [row.gold.type for row in MINI.build("test", 400, 1) if isinstance(row.gold, CallsGold)]
    assert {name: types.count(name) / 400 for name in set(types)} == pytest.approx(
        {"call": 0.66, "no_call": 0.10, "clarify": 0.08, "answer": 0.16}, abs=0.06
    )


def test_the_sample_is_what_the_builder_makes(tmp_path: Path) -> None:
    write_sample(tmp_path)
    for name in ("test.jsonl", "replies.jsonl"):
        assert (tmp_path / name).read_bytes() == (TASK.sample.parent / name).read_bytes()
