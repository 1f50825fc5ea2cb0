"""A turn's parts, counts and notes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lt_bench.backends.spans import IdSpans, OffsetSpans
from lt_bench.backends.turn import turn_from_fields, turn_from_text
from lt_bench.records import Generation, ToolCall, Turn, Usage


class Words:
    """Spans that count a token a word or mark, and one EOS: "<think>" is one token."""

    def __init__(self, *tokens: str, eos: int = 1) -> None:
        self.text = "".join(tokens)
        starts = [sum(map(len, tokens[:i])) for i in range(len(tokens))]
        self.spans = OffsetSpans(starts, unseen=eos)


def turn(*tokens: str, eos: int = 1, **options: object) -> Turn:
    words = Words(*tokens, eos=eos)
    given = {"finish_reason": "stop", "prompt_tokens": 7, "counted_by": "engine"} | options
    return turn_from_text(words.text, spans=words.spans, **given)  # type: ignore[arg-type]


def parts(turn: Turn) -> tuple[int | None, int | None, int | None, int]:
    assert turn.usage is not None
    usage = turn.usage
    return usage.reasoning, usage.markup, usage.reply, usage.output


def status(turn: Turn) -> str:
    return Generation(turns=(turn,)).status


def test_parts_are_counted_and_add_up() -> None:
    found = turn("<think>", "Sheet", " says", " 99", ".", "</think>", "\n", "It", " is", " 99", ".")
    assert parts(found) == (4, 4, 4, 12)
    assert (found.reasoning, found.reply) == ("Sheet says 99.", "It is 99.")
    assert found.usage is not None
    assert (found.usage.prompt, found.usage.counted_by) == (7, "engine")


def test_a_token_across_a_border_belongs_to_the_part_before_it() -> None:
    found = turn("<think>", "a", ".</think>\n\nIt", " is")
    assert parts(found) == (2, 2, 1, 5)


def test_f01_the_tag_in_the_prompt_costs_no_output_token() -> None:
    found = turn("Sheet", ".", "</think>", "\n", "99", opened=True)
    assert parts(found) == (2, 3, 1, 6)
    assert found.notes == ()


def test_f02_unclosed_tag_cap_hit() -> None:
    found = turn("<think>", "Both", " list", eos=0, finish_reason="length")
    assert found.reply == ""
    assert found.notes == ("unclosed_length",)
    assert status(found) == "truncated"
    assert parts(found) == (2, 1, 0, 3)


def test_f08_empty_think_block_counts_its_wrapper_apart() -> None:
    found = turn("<think>", "\n\n", "</think>", "\n\n", "Yes", ".")
    assert (found.reasoning, found.reply) == ("", "Yes.")
    assert found.notes == ("empty_thinking",)
    assert parts(found) == (0, 5, 2, 7)
    assert status(found) == "ok"


def test_f10_content_null_reasoning_filled() -> None:
    found = turn_from_fields(
        reasoning="still checking", content=None, finish_reason="length", usage=None
    )
    assert (found.reasoning, found.reply) == ("still checking", "")
    assert found.notes == ("unclosed_length",)
    assert status(found) == "truncated"


@pytest.mark.parametrize("content", ["", None, " \n"])
def test_f11_stopped_but_never_closed(content: str | None) -> None:
    found = turn_from_fields(
        reasoning="It is 99 yuan.", content=content, finish_reason="stop", usage=None
    )
    assert found.notes == ("unclosed_stop",)
    assert status(found) == "truncated"


def test_f11_in_text() -> None:
    found = turn("<think>", "It", " is", " 99", ".")
    assert found.notes == ("unclosed_stop",)
    assert status(found) == "truncated"
    assert parts(found) == (4, 2, 0, 6)


def test_f11_a_tool_call_is_an_answer() -> None:
    call = ToolCall(name="price", arguments={"sku": 9})
    found = turn_from_fields(
        reasoning="look it up",
        content=None,
        finish_reason="tool_calls",
        usage=None,
        tool_calls=[call],
    )
    assert found.notes == ()
    assert status(found) == "ok"


def test_f20_stop_strings_act_on_the_reply_only() -> None:
    found = turn(
        "<think>", "a", "\n\n", "b", "</think>", "\n\n", "It", "\n\n", "More", stop=["\n\n"]
    )
    assert (found.reasoning, found.reply) == ("a\n\nb", "It")
    assert found.notes == ("stop_cut",)
    assert parts(found) == (3, 4, 3, 10)


def test_f20_the_first_of_several_stops() -> None:
    text = "It is 99. Viewer: and? Host: no"
    found = turn(text, stop=["Host:", "Viewer:", ""])
    assert found.reply == "It is 99. "


def test_f20_a_reply_that_reached_its_stop_is_complete() -> None:
    found = turn("It", "\n\n", "More", stop=["\n\n"], finish_reason="length", eos=0)
    assert (found.finish_reason, status(found)) == ("stop", "ok")
    fields = turn_from_fields(
        reasoning="a\n\nb", content="It\n\nMore", finish_reason="length", usage=None, stop=["\n\n"]
    )
    assert (fields.reasoning, fields.reply, status(fields)) == ("a\n\nb", "It", "ok")


def test_f20_a_stop_inside_unclosed_thinking_stops_nothing() -> None:
    found = turn("<think>", "a", "\n\n", "b", stop=["\n\n"], finish_reason="length", eos=0)
    assert (found.reasoning, found.reply, found.finish_reason) == ("a\n\nb", "", "length")


def test_eos_at_once_is_an_empty_answer() -> None:
    found = turn()
    assert (found.reply, found.notes, status(found)) == ("", ("empty_answer",), "ok")
    assert parts(found) == (0, 1, 0, 1)


def test_a_reply_cut_by_the_cap_is_truncated() -> None:
    found = turn("It", " is", eos=0, finish_reason="length")
    assert (found.reply, status(found), found.notes) == ("It is", "truncated", ())


def test_only_the_whole_is_counted() -> None:
    found = turn_from_text(
        "<think>a</think>b",
        finish_reason="stop",
        prompt_tokens=3,
        spans=None,
        counted_by="provider",
        output_tokens=9,
    )
    assert parts(found) == (None, None, None, 9)
    assert "reasoning_uncounted" in found.notes


def test_what_must_be_zero_is_zero() -> None:
    def told(raw: str, by: str) -> tuple[int | None, ...]:
        made = turn_from_text(
            raw,
            finish_reason="stop",
            prompt_tokens=None,
            spans=None,
            counted_by=by,  # type: ignore[arg-type]
            output_tokens=9,
        )
        return parts(made)[:3]

    assert told("It is 99.", "engine") == (0, None, None)
    assert told("It is 99.", "provider") == (None, None, None)
    assert told("<think>a", "engine") == (None, None, 0)


def test_nothing_is_counted() -> None:
    found = turn_from_text(
        "a", finish_reason="stop", prompt_tokens=None, spans=None, counted_by=None
    )
    assert found.usage is None


def test_a_count_needs_a_counter() -> None:
    with pytest.raises(ValueError, match="counted_by"):
        turn_from_text(
            "a", finish_reason="stop", prompt_tokens=1, spans=None, counted_by=None, output_tokens=1
        )


def test_f73_zero_reasoning_tokens_beside_a_trace_is_no_count() -> None:
    usage = Usage(prompt=9, output=474, reasoning=0, counted_by="provider")
    found = turn_from_fields(reasoning="a b c", content="d", finish_reason="stop", usage=usage)
    assert parts(found) == (None, None, None, 474)
    assert found.notes == ("reasoning_uncounted",)
    none = turn_from_fields(reasoning=None, content="d", finish_reason="stop", usage=usage)
    assert parts(none)[0] == 0


def test_f74_the_reported_whole_wins_over_a_recount() -> None:
    words = Words("<think>", "a", "b", "</think>", "c", eos=0)
    for reported, expected in (
        (64, (2, None, 1, 64)),
        (5, (2, 2, 1, 5)),
        (2, (None, None, None, 2)),
    ):
        found = turn_from_text(
            words.text,
            finish_reason="stop",
            prompt_tokens=None,
            spans=words.spans,
            counted_by="provider",
            output_tokens=reported,
        )
        assert parts(found) == expected


def test_tags_that_a_server_left_in_its_content() -> None:
    found = turn_from_fields(
        reasoning=None, content="<think>a</think>b", finish_reason="stop", usage=None
    )
    assert (found.reasoning, found.reply) == ("a", "b")
    both = turn_from_fields(
        reasoning="x", content="<think>a</think>b", finish_reason="stop", usage=None
    )
    assert (both.reasoning, both.reply) == ("x\na", "b")


@pytest.mark.parametrize("field", ["<think>a</think>", "<think>\na", "a"])
def test_tags_that_a_server_left_around_its_trace(field: str) -> None:
    found = turn_from_fields(reasoning=field, content="b", finish_reason="stop", usage=None)
    assert (found.reasoning, found.reply, found.notes) == ("a", "b", ())


# --- IdSpans ---------------------------------------------------------------------------------


class ByteTokens:
    """Three bytes a token, decoded as UTF-8 with half characters replaced."""

    def __init__(self, text: str) -> None:
        data = text.encode()
        self.pieces = [data[at : at + 3] for at in range(0, len(data), 3)]
        self.calls = 0

    def decode(self, ids: list[int]) -> str:
        self.calls += 1
        return b"".join(self.pieces[i] for i in ids).decode("utf-8", "replace")

    def spans(self, unseen: int = 0) -> IdSpans:
        return IdSpans(self.decode, list(range(len(self.pieces))), unseen)


@settings(max_examples=150, deadline=None)
@given(st.text("ab 价😀é<>/", max_size=40), st.integers(0, 40))
def test_id_spans_count_the_tokens_that_spell_a_prefix(text: str, offset: int) -> None:
    offset = min(offset, len(text))
    spans = ByteTokens(text).spans(unseen=1)
    assert spans.text == text
    assert spans.total == -(-len(text.encode()) // 3) + 1
    assert spans.before(offset) == -(-len(text[:offset].encode()) // 3)


def test_id_spans_need_few_decodes() -> None:
    text = "<think>" + "价格 99 " * 2000 + "</think>ok"
    tokens = ByteTokens(text)
    turn_from_text(
        text,
        finish_reason="stop",
        prompt_tokens=1,
        spans=tokens.spans(),
        counted_by="engine",
    )
    assert tokens.calls < 60


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(["<think>", "</think>", "a ", "价", "\n", '"', "😀"]), max_size=20))
def test_parts_add_up_whatever_the_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = turn_from_text(
        text,
        finish_reason="stop",
        prompt_tokens=None,
        spans=ByteTokens(text).spans(unseen=1),
        counted_by="engine",
    )
    reasoning, markup, reply, output = parts(found)
    assert reasoning is not None
    assert markup is not None
    assert reply is not None
    assert min(reasoning, markup - 1, reply) >= 0
    assert reasoning + markup + reply == output


def test_offset_spans_share_the_offset_of_a_split_character() -> None:
    spans = OffsetSpans([0, 0, 0, 1])
    assert [spans.before(offset) for offset in range(5)] == [0, 3, 4, 4, 4]
    assert OffsetSpans([]).before(3) == 0


def test_offset_spans_of_a_tokenizer_that_skips_white_space() -> None:
    text = "<think>a</think>\n b c"
    found = turn_from_text(
        text,
        finish_reason="stop",
        prompt_tokens=None,
        spans=OffsetSpans([0, 7, 8, 18, 20]),
        counted_by="tokenizer",
    )
    assert parts(found) == (1, 2, 2, 5)
