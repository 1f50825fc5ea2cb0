"""Dialogues of an agent that errs: every label is what the scorer finds."""

from collections import Counter

import pytest
from support.acting import scores_of

from lt_bench.builders.tool_dialogue import ToolDialogue
from lt_bench.builders.tool_dialogue.builder import LANGUAGES
from lt_bench.builders.tool_dialogue.faults import FAULTS
from lt_bench.stats.draw import Draw

SAMPLES = 3


@pytest.fixture(scope="module")
def attempted():
    return [
        one
        for lang in ("en", "zh")
        for one in ToolDialogue({"lang": lang}).attempts("train", 40, 3, SAMPLES)
    ]


def test_labels_say_whether_the_task_is_done(attempted):
    seen = Counter()
    for one in attempted:
        for attempt in one.attempts:
            done = scores_of(one.example, attempt.turns)["task_success"] == 1
            assert done == attempt.label.correct, attempt
            assert attempt.label.correct == (not attempt.label.faults)
            seen[attempt.label.correct] += 1
    assert 0.1 < seen[False] / (seen[False] + seen[True]) < 0.4


@pytest.fixture(scope="module")
def right():
    return [
        one
        for lang in ("en", "zh")
        for one in ToolDialogue({"lang": lang}).dialogues("train", 40, 4)
    ]


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_fits_some_rows_and_makes_them_fail(name, right):
    made = 0
    for one in right:
        language = LANGUAGES[one.example.lang][0]
        turns = FAULTS[name](one, language, Draw("test", one.example.id))
        if turns is None:
            continue
        made += 1
        assert turns[-1].reply
        assert scores_of(one.example, turns)["task_success"] == 0, (name, one.example.id)
    assert made


def test_equal_arguments_give_equal_attempts_with_the_rows_of_build(attempted):
    again = list(ToolDialogue({"lang": "en"}).attempts("train", 5, 3, SAMPLES))
    assert again == attempted[:5]
    rows = list(ToolDialogue({"lang": "en"}).build("train", 5, 3))
    assert [one.example for one in again] == rows
    assert all(len(one.attempts) == SAMPLES for one in again)
