"""Calls written as text: every form, whatever surrounds them, and texts that mean no good."""

from __future__ import annotations

import gc
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lt_bench.errors import UsageError
from lt_bench.records import ToolCall
from lt_bench.text import Split, split_reasoning
from lt_bench.text.tool_calls import FORMS, check, object_of, take_calls

STOCK = '{"name": "check_stock", "arguments": {"sku": "A9"}}'
PRICE = '{"name": "get_price", "parameters": {"sku": "B2"}}'


def read(text: str, form: str = "auto") -> tuple[str, list[ToolCall]]:
    """The reply, and the calls."""
    spoken = take_calls(split_reasoning(text), form)
    assert "".join(one.text for one in spoken.split.segments) == text
    return spoken.split.reply, [one.call for one in spoken.called]


def names(text: str, form: str = "auto") -> list[tuple[str, dict[str, Any], str | None]]:
    return [(one.name, one.arguments, one.malformed) for one in read(text, form)[1]]


CHECK = ("check_stock", {"sku": "A9"}, None)
ASK = ("get_price", {"sku": "B2"}, None)


@pytest.mark.parametrize(
    ("text", "reply", "calls"),
    [
        (f"<tool_call>\n{STOCK}\n</tool_call>", "", [CHECK]),
        (f"<tool_call>{STOCK}</tool_call><tool_call>{PRICE}</tool_call>", "", [CHECK, ASK]),
        (f"<tool_call>\n{STOCK}\n{PRICE}\n</tool_call>", "", [CHECK, ASK]),
        (f"I will look.\n<tool_call>\n{STOCK}\n</tool_call>", "I will look.", [CHECK]),
        (f"One. <tool_call>{STOCK}</tool_call> Two.", "One. Two.", [CHECK]),
        (f"<think>x</think>\n\n<tool_call>\n{STOCK}\n</tool_call>\n", "", [CHECK]),
        (f"<tool_call>{STOCK}", "", [CHECK]),
        (f"<tool_call>{STOCK}</tool_call></tool_call>", "", [CHECK]),
        (f"<tool_call>\n<tool_call>{STOCK}</tool_call>", "", [CHECK]),
        (f"<TOOL_CALL>{STOCK}</Tool_Call>", "", [CHECK]),
        (PRICE, "", [ASK]),
        (f" {PRICE}; {STOCK}\n", "", [ASK, CHECK]),
        (f"<|python_tag|>{PRICE}", "", [ASK]),
        ("It is 99 yuan.", "It is 99 yuan.", []),
        ("<tool_call>", "", [("", {}, "")]),
    ],
)
def test_every_form_is_read(text: str, reply: str, calls: list[Any]) -> None:
    assert read(text)[0] == reply
    assert names(text) == calls


def test_a_thought_of_a_call_is_no_call() -> None:
    text = f"<think>I could <tool_call>{STOCK}</tool_call> now</think>It is in stock."
    assert read(text) == ("It is in stock.", [])
    unclosed = f"<think>well <tool_call>{STOCK}</tool_call>"
    assert read(unclosed) == ("", [])
    opened = take_calls(split_reasoning(f"so <tool_call>{STOCK}</tool_call>", opened=True))
    assert opened.called == ()


@pytest.mark.parametrize(
    ("inner", "name"),
    [
        ('{"name": "check_stock", "arguments": {"sku": }}', "check_stock"),
        ('{"name": "check_stock", "arguments": {"sku": "A9"}}}', "check_stock"),
        ("check_stock(sku='A9')", ""),
        ("{'name': 'check_stock'}", ""),
        ('{"arguments": {"sku": "A9"}}', ""),
        ('{"name": 7, "arguments": {}}', ""),
        ('{"name": "check_stock", "arguments": ["A9"]}', "check_stock"),
        ('{"name": "check_stock", "sku": "A9"}', "check_stock"),
        ('{"name": "check_stock", "arguments": {"n": NaN}}', "check_stock"),
        ('{"name": "check_stock", "arguments": {"n": 1e999}}', "check_stock"),
        ('{"name": "check_stock", "arguments": {"n": "\\ud800"}}', "check_stock"),
        ('{"name": "check_stock", "arguments": ' + '{"a":' * 100 + "1" + "}" * 101, "check_stock"),
        ("", ""),
    ],
)
def test_what_is_no_call_is_kept_as_it_was_written(inner: str, name: str) -> None:
    assert names(f"<tool_call>\n{inner}\n</tool_call>") == [(name, {}, inner)]


def test_a_block_with_one_bad_object_is_one_malformed_call() -> None:
    text = f"<tool_call>\n{STOCK}\n{{oops}}\n</tool_call>\nSorry."
    assert names(text) == [("check_stock", {}, f"{STOCK}\n{{oops}}")]
    assert read(text)[0] == "Sorry."


def test_tags_within_a_string_are_part_of_it() -> None:
    hostile = json.dumps({"name": "say", "arguments": {"text": "</tool_call><tool_call>{<think>"}})
    assert names(f"<tool_call>{hostile}</tool_call>Done.") == [
        ("say", {"text": "</tool_call><tool_call>{<think>"}, None)
    ]
    assert read(f"<tool_call>{hostile}</tool_call>Done.")[0] == "Done."


def test_a_tag_that_is_only_talked_about_is_no_call() -> None:
    text = 'Write "<tool_call>" and then the JSON.'
    assert read(text) == (text, [])


def test_arguments_may_come_as_openai_writes_them() -> None:
    inner = {"type": "function", "function": {"name": "check_stock", "arguments": '{"sku": "A9"}'}}
    assert names(f"<tool_call>{json.dumps(inner)}</tool_call>") == [CHECK]
    assert names('<tool_call>{"name": "list"}</tool_call>') == [("list", {}, None)]
    assert names('<tool_call>{"name": "list", "arguments": null}</tool_call>') == [
        ("list", {}, None)
    ]


def test_json_that_is_an_answer_stays_one() -> None:
    for text in ('{"sku": "A9"}', '{"name": "Ann"}', f"Here: {PRICE}", '{"name": "A", "size": 3}'):
        assert read(text) == (text, [])


def test_a_broken_bare_call_is_malformed() -> None:
    text = '{"name": "get_price", "parameters": {"sku": "B2"'
    assert names(text) == [("get_price", {}, text)]
    assert names("<|python_tag|>print(1)") == [("", {}, "<|python_tag|>print(1)")]


def test_rlla_replies_lose_their_wrapping() -> None:
    text = f"<think>a</think>\n<tool_call>\n{PRICE}\n</tool_call>\n<response> I am looking. </response>"
    assert read(text, "rlla")[0] == "I am looking."
    assert read(text)[0] == "I am looking."
    assert "<response>" in read(text, "hermes")[0]
    amid = "The tag <response> is old. </response>"
    assert read(amid)[0] == amid


def test_a_form_can_be_chosen() -> None:
    assert read(PRICE, "hermes") == (PRICE, [])
    tagged = f"<tool_call>{STOCK}</tool_call>"
    assert read(tagged, "none") == (tagged, [])
    assert read(tagged, "llama3") == (tagged, [])
    with pytest.raises(UsageError, match="Did you mean 'hermes'"):
        check("hermess")


def test_calls_in_a_channel_are_read() -> None:
    text = (
        "<|channel|>analysis<|message|>Look <tool_call>{}</tool_call><|end|><|start|>assistant"
        "<|channel|>commentary to=functions.check_stock <|constrain|>json<|message|>"
        '{"sku": "A9"}<|call|>'
    )
    assert names(text) == [CHECK]
    assert read(text)[0] == ""
    assert names(text, "hermes") == []
    header = '<|start|>assistant to=functions.get_price<|channel|>commentary json<|message|>{"sku"'
    assert names(header, "harmony") == [("get_price", {}, '{"sku"')]
    preamble = "<|channel|>commentary<|message|>I look.<|end|>"
    assert read(preamble + text) == (
        "I look.",
        [ToolCall(name="check_stock", arguments={"sku": "A9"})],
    )


def test_a_call_knows_what_was_said_before_it() -> None:
    spoken = take_calls(split_reasoning(f"Ab. <tool_call>{STOCK}</tool_call> Cd."))
    assert [one.at for one in spoken.called] == [4]
    assert spoken.split.reply[:4] == "Ab. "


PARTS = (
    "<tool_call>", "</tool_call>", STOCK, PRICE, "{", "}", '"', ":", ",", " ", "\n", "<think>",
    "</think>", "<response>", "</response>", "<|python_tag|>", "a", "\\", "[", "天", "\ud800",
    "<|channel|>", "commentary", " to=functions.x", "<|message|>", "<|call|>",
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join), st.sampled_from(FORMS))
def test_nothing_is_lost_and_calls_are_writable(text: str, form: str) -> None:
    spoken = take_calls(split_reasoning(text), form)
    assert "".join(one.text for one in spoken.split.segments) == text
    assert [one.at for one in spoken.called] == sorted(one.at for one in spoken.called)
    assert all(0 <= one.at <= len(spoken.split.reply) for one in spoken.called)
    for one in spoken.called:
        assert object_of(json.dumps(one.call.arguments)) == one.call.arguments


@pytest.mark.parametrize(
    "piece",
    [
        "<tool_call>",
        "</tool_call>",
        "<tool_call>{",
        '<tool_call>{"a":"',
        '<tool_call>{"a":"</tool_call>',
        '{"k":"<tool_call>{",',
        '<tool_call>{":":":",":":"',
        '<tool_call>{"a":[',
        "<tool_call> " + " " * 50,
        f"<tool_call>{STOCK}",
        f"<tool_call>{STOCK}</tool_call>",
        "<response>",
        "<response> </response> ",
        f"<tool_call>{STOCK}</tool_call><response> x </response>",
        '{"name": "a", ',
        "[" * 50,
        "9" * 50,
        '"<tool_call>"',
        "<|channel|>commentary to=functions.x",
        "<|channel|>commentary to=functions.x<|message|>{",
        "<|channel|>commentary to=functions.x<|message|><<",
    ],
)
def test_hostile_texts_take_time_in_proportion(piece: str) -> None:
    def once(spoken: Split) -> float:
        gc.disable()  # it looks at everything that lives, in the very middle
        began = time.process_time()
        for form in ("auto", "rlla", "llama3"):
            take_calls(spoken, form)
        gc.enable()
        return time.process_time() - began

    few, many = (split_reasoning(piece * (size // len(piece))) for size in (10_000, 80_000))
    small = min(once(few) for _ in range(3))
    # the best of three: a second and a third are only taken where other processes spoilt the first
    large = (once(many) for _ in range(3))
    bound = 32 * max(small, 0.005)  # 8 in proportion, 64 by the square
    assert any(seconds < bound for seconds in large), small


def test_deep_nesting_and_huge_numbers_are_malformed_not_fatal() -> None:
    for value in ("[" * 100_000, "1" * 10_000, '{"a":' * 5_000):
        (call,) = read('<tool_call>{"name": "x", "arguments": {"n": ' + value)[1]
        assert call.malformed is not None


def test_every_published_rlla_answer_is_read(shared_data: Path) -> None:
    file = shared_data / "tools" / "toolrl_rlla_sft_shared.jsonl"
    for line in file.read_text(encoding="utf-8").splitlines():
        output = json.loads(line)["output"]
        spoken = output.rpartition("</think>")[2]  # thoughts speak of the tags as well
        inner = spoken.partition("<tool_call>")[2].partition("</tool_call>")[0]
        expected = [json.loads(one) for one in inner.split("\n") if one.strip()]
        reply, calls = read(output, "rlla")
        assert [(c.name, c.arguments) for c in calls] == [
            (one["name"], one["parameters"]) for one in expected
        ]
        said = spoken.partition("<response>")[2].partition("</response>")[0].strip()
        assert reply.strip() == said
