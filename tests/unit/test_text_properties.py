"""What holds for every text, however hostile."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lt_bench.text import FAMILIES, Splitter, leaked_markup, split_reasoning

TAGS = (
    "<think>",
    "</think>",
    "</ThInk>",
    "< /think>",
    "<thinking>",
    "</thinking>",
    "[THINK]",
    "[/THINK]",
    "◁think▷",
    "◁/think▷",
    "<思考>",
    "</思考>",
    "<seed:think>",
    "</seed:think>",
    "<|begin_of_thought|>",
    "<|end_of_thought|>",
    "<|begin_of_solution|>",
    "<|end_of_solution|>",
    "<|channel|>",
    "analysis",
    "final",
    "<|message|>",
    "<|start|>assistant",
    "<|end|>",
    "<|return|>",
    "assistantfinal",
    "<ponder>",
    "</ponder>",
)
WORDS = (
    *"ab <>|/[]◁▷\n\"'`“”‘’「」.?",
    "\u00a0",
    "\u200b",
    "```",
    "~~~",
    "don't",
    '10"',
    "😀",
    "价格",
    "\r\n",
)
texts = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(TAGS + WORDS), max_size=24).map("".join),
)
options = st.fixed_dictionaries(
    {"family": st.sampled_from(("auto", "none", *FAMILIES)), "opened": st.booleans()}
)


@settings(max_examples=75, deadline=None)
@given(texts, options)
def test_segments_joined_are_the_text(text: str, options: dict) -> None:
    split = split_reasoning(text, **options)
    assert "".join(segment.text for segment in split.segments) == text
    assert all(segment.text for segment in split.segments)
    kinds = [segment.kind for segment in split.segments]
    assert all(a != b for a, b in itertools.pairwise(kinds))


@settings(max_examples=75, deadline=None)
@given(texts, options)
def test_the_parts_agree_with_each_other(text: str, options: dict) -> None:
    split = split_reasoning(text, **options)
    assert (split.reasoning is None) == (split.n_blocks == 0)
    assert split.closed or split.n_blocks
    assert ("several_blocks" in split.notes) == (split.n_blocks > 1)
    if not split.closed:
        assert not split.segments or split.segments[-1].kind != "reply"
    leaked_markup(text)


@settings(max_examples=75, deadline=None)
@given(texts, options, st.lists(st.integers(1, 9), max_size=60))
def test_f17_streaming_equals_one_shot(text: str, options: dict, sizes: list[int]) -> None:
    splitter, told, at = Splitter(**options), "", 0
    for size in itertools.chain(sizes, itertools.repeat(len(text) + 1)):
        told += "".join(segment.text for segment in splitter.feed(text[at : at + size]))
        at += size
        assert text.startswith(told)
        assert at - len(told) <= 400 + 9 or at > len(text)
        if at >= len(text):
            break
    assert splitter.close() == split_reasoning(text, **options)


@settings(max_examples=75, deadline=None)
@given(st.text(st.characters(exclude_characters="<＜[◁"), max_size=60))
def test_text_without_tags_is_its_own_reply(text: str) -> None:
    split = split_reasoning(text)
    if "leaked_channels" not in split.notes:
        assert split.reply == text
        assert split_reasoning(split.reply).reply == text


# Words of the trace are t, u; words of the reply r, s: a leak is seen at once.
MARKS = (
    "t",
    "u",
    " ",
    "\n",
    ". ",
    ", ",
    "`",
    "```",
    '"',
    "'",
    "“",
    "”",
    '10" ',
    "don't ",
    "价",
    "(",
)
QUOTED = (' "{}" ', " `{}` ", " '{}' ", " “{}” ", "「{}」", ' "text {} text" ', "\n```\n{}\n```\n")
pairs = st.sampled_from(
    [("<think>", "</think>"), ("[THINK]", "[/THINK]"), ("◁think▷", "◁/think▷"), ("", "</think>")]
)


@st.composite
def outputs(draw: st.DrawFn) -> tuple[str, str]:
    """(text, family's closer) of an output with one block whose trace may quote the closer, each
    quotation balanced on its own line."""
    opener, closer = draw(pairs)
    calm = st.lists(st.sampled_from(("t ", "u, ", "don't ", "价 ")), max_size=4).map("".join)
    pieces = [draw(calm)]
    for quoted in draw(st.lists(st.sampled_from(QUOTED), max_size=3)):
        pieces += [quoted.format(closer), draw(calm)]
    reply = draw(
        st.lists(st.sampled_from(("r", "s ", "\n", ". ", "isn't ")), min_size=1).map("".join)
    )
    return f"{opener}{''.join(pieces)}t{closer}R{reply}", closer


@settings(max_examples=75, deadline=None)
@given(outputs())
def test_f05_the_reply_never_holds_words_of_the_trace(output: tuple[str, str]) -> None:
    text, closer = output
    split = split_reasoning(text)
    assert split.closed
    assert split.reply == text[text.rindex(closer) + len(closer) :]
    assert "R" not in (split.reasoning or "")


@settings(max_examples=75, deadline=None)
@given(st.lists(st.sampled_from(MARKS)).map("".join), st.lists(st.sampled_from(MARKS)).map("".join))
def test_unbalanced_marks_never_move_the_only_closer(trace: str, reply: str) -> None:
    split = split_reasoning(f"<think>{trace} t</think>R{reply}")
    assert split.closed
    assert split.reply == f"R{reply}"


@settings(max_examples=75, deadline=None)
@given(
    st.sampled_from(["<think>{}</think>{}", "[THINK]{}[/THINK]{}", "analysis{}assistantfinal{}"]),
    st.text("tu .\n价", min_size=1).map(lambda text: f"T{text}"),
    st.text("rs .\n", min_size=1).map(lambda text: f"R{text}"),
    st.integers(1, 7),
)
def test_f80_the_first_spoken_word_is_told_in_its_own_chunk(
    shape: str, trace: str, reply: str, size: int
) -> None:
    text = shape.format(trace, reply)
    splitter, spoken = Splitter(), None
    for at in range(0, len(text), size):
        found = splitter.feed(text[at : at + size])
        if spoken is None and any(segment.kind == "reply" for segment in found):
            spoken = at
    first = len(text) - len(reply)
    assert spoken == first - first % size


@pytest.mark.parametrize("size", range(1, 12))
@pytest.mark.parametrize(
    "text",
    [
        '<think>the text "</think>" is quoted</think>\n\nYes, "</think>" it is.',
        "<think>\nin `</think>` code\n</think> Yes.",
        "<|channel|>analysis<|message|>a b<|end|><|start|>assistant<|channel|>final<|message|>c d",
        "a < b [1] c",
        "<think></think>Yes.",
    ],
)
def test_f17_what_the_stream_tells_is_what_the_whole_says(text: str, size: int) -> None:
    splitter, told = Splitter(), dict.fromkeys(("reasoning", "reply"), "")
    for at in range(0, len(text), size):
        for segment in splitter.feed(text[at : at + size]):
            if segment.kind != "markup":
                told[segment.kind] += segment.text
    split = splitter.close()
    assert told["reasoning"].rstrip() == (split.reasoning or "")
    assert told["reply"] == split.reply


def test_white_space_before_a_plain_reply_is_no_mark() -> None:
    for chunks in (["\n\n", "Yes"], ["\n\nYes"]):
        splitter = Splitter()
        found = [segment for chunk in chunks for segment in splitter.feed(chunk)]
        assert {segment.kind for segment in found} == {"reply"}


N = 100_000
HOSTILE = {
    "openers": "<think>" * (N // 7),
    "closers": "</think>" * (N // 8),
    "pairs": "<think></think>" * (N // 15),
    "nested": "<think>x<think>a</think>" * (N // 24),
    "quotes": '<think>"' + '"' * N + "</think>",
    "backticks": "<think>" + "`" * N + "</think>",
    "mixed marks": "<think>" + "\"`'" * (N // 3) + "</think>",
    "quoted lines": "<think>" + '"\n' * (N // 2) + "</think>",
    "quoted closers": '"</think>"' * (N // 10),
    "closers in one quotation": '<think>"x ' + "</think>" * (N // 8) + '"',
    "brackets": "<" * N,
    "spaces": "<" + " " * N + "think>" + " " * N,
    "fences": "<think>" + "```\n" * (N // 4) + "</think>",
    "headers": "<|channel|>" * (N // 11),
    "starts": "<|channel|>" + "<|start|>" * (N // 9),
    "messages": "<|channel|>analysis<|message|>" * (N // 30),
    "stripped": "analysisX" + "assistant" * (N // 9),
    "unknown": "<ponder>" * (N // 8),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_time_is_linear_in_any_text(name: str) -> None:
    """CPU seconds for a tenth of a megabyte, with room for a slow machine; one quadratic step
    among its ten thousand tags or hundred thousand marks would take far longer."""
    text = HOSTILE[name]
    start = time.process_time()
    split_reasoning(text)
    splitter = Splitter()
    splitter.feed(text)
    for at in range(0, 20_000, 5):
        splitter.feed(text[at : at + 5])
    leaked_markup(text)
    assert time.process_time() - start < 10
