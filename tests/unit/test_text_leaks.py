"""What counts as markup that a listener would hear, and what is a word about markup."""

from __future__ import annotations

import pytest

from lt_bench.text import leaked_markup, split_reasoning


@pytest.mark.parametrize(
    "reply",
    [
        "It is 99 yuan.",
        "The code </think> is printed on the box.",
        'The tag is "</think>".',
        "Write `<think>` first.",
        "I think so, <b>99</b> yuan.",
        "a < b > c",
        "99 <-> 89",
        "analysis shows 99",
        "",
        "```\n<think>x</think>\n```",
        "<speak>99 yuan</speak>",
    ],
)
def test_f07_words_about_tags_are_no_leak(reply: str) -> None:
    assert not leaked_markup(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "let me see.</think>It is 99 yuan.",
        "let me see </think> It is 99, </think> yes",
        "It is 99. </think> Yes.",
        "</think> it is 99",
        "It is 99 </think>",
        "It is 99\n</think>\nyuan",
        "<think>viewer asks",
        "[THINK]x[/THINK] 99",
        "99 yuan<|im_end|>",
        "99 yuan<｜end▁of▁sentence｜>",
        "99 yuan</s>",
        "99 yuan<end_of_turn>",
        "[INST] what is it",
        '<tool_call>{"name": "price"}</tool_call>',
        "analysisViewer asks price",
        "ok<|channel|>final<|message|>99",
        "<ponder>a</ponder>b",
    ],
)
def test_markup_in_a_reply_is_a_leak(reply: str) -> None:
    assert leaked_markup(reply)


def test_f14_a_family_that_was_not_looked_for_leaks() -> None:
    split = split_reasoning("<reasoning>a</reasoning>b", family="think")
    assert leaked_markup(split.reply)


def test_a_split_reply_does_not_leak() -> None:
    for text in (
        "<think>a</think>b",
        "a</think>b",
        "analysisAassistantfinalb",
        "◁think▷a◁/think▷b",
    ):
        assert not leaked_markup(split_reasoning(text).reply)
