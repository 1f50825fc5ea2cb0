"""Thought is told from reply in every family of tags, however they are written."""

from __future__ import annotations

import pytest

from lt_bench.errors import UsageError
from lt_bench.text import FAMILIES, Segment, split_reasoning

PAIRS = {
    "think": ("<think>", "</think>"),
    "thinking": ("<thinking>", "</thinking>"),
    "thought": ("<thought>", "</thought>"),
    "reasoning": ("<reasoning>", "</reasoning>"),
    "思考": ("<思考>", "</思考>"),
    "seed:think": ("<seed:think>", "</seed:think>"),
    "[THINK]": ("[THINK]", "[/THINK]"),
    "◁think▷": ("◁think▷", "◁/think▷"),
    "begin_of_thought": ("<|begin_of_thought|>", "<|end_of_thought|>"),
    "START_THINKING": ("<|START_THINKING|>", "<|END_THINKING|>"),
}
HARMONY = (
    "<|channel|>analysis<|message|>Viewer asks price.<|end|>"
    "<|start|>assistant<|channel|>final<|message|>99 yuan<|return|>"
)


def kinds(text: str, **options: object) -> list[tuple[str, str]]:
    return [(s.kind, s.text) for s in split_reasoning(text, **options).segments]  # type: ignore[arg-type]


def test_f01_opening_tag_lives_in_the_prompt() -> None:
    split = split_reasoning("Sheet says 99.</think>\nIt is 99 yuan.")
    assert split.reasoning == "Sheet says 99."
    assert split.reply == "It is 99 yuan."
    assert split.notes == ("open_tag_implied",)
    assert split.closed
    assert split.n_blocks == 1


def test_f01_a_known_prompt_needs_no_guess() -> None:
    split = split_reasoning("\nSheet says 99.</think>\nIt is 99 yuan.", opened=True)
    assert (split.reasoning, split.reply, split.notes) == ("Sheet says 99.", "It is 99 yuan.", ())
    cut = split_reasoning("Sheet says 9", opened=True)
    assert (cut.reasoning, cut.reply, cut.closed) == ("Sheet says 9", "", False)


def test_f01_a_model_that_repeats_the_tag_of_its_prompt() -> None:
    for text in ("<think>a</think>b", "<think>\n<think>\na</think>b"):
        for opened in (True, False):
            split = split_reasoning(text, opened=opened)
            assert (split.reasoning, split.reply, split.n_blocks) == ("a", "b", 1)


def test_f02_unclosed_tag() -> None:
    split = split_reasoning("<think>Both heaters list 2000 W, so")
    assert split.reasoning == "Both heaters list 2000 W, so"
    assert split.reply == ""
    assert not split.closed


def test_f02_second_block_cut_off() -> None:
    split = split_reasoning("<think>a</think>Hello. <think>b")
    assert (split.reply, split.closed, split.n_blocks) == ("Hello.", False, 2)


def test_f04_two_blocks() -> None:
    split = split_reasoning("<think>a</think>Hello.<think>b</think>It is red.")
    assert split.reasoning == "ab"
    assert split.reply == "Hello.It is red."
    assert split.n_blocks == 2
    assert split.notes == ("several_blocks",)


@pytest.mark.parametrize(
    "text",
    ["It is <think>hm</think> red.", "It is<think>hm</think> red.", "It is <think>hm</think>red."],
)
def test_f04_words_around_a_block_do_not_run_together(text: str) -> None:
    assert split_reasoning(text).reply == "It is red."


@pytest.mark.parametrize(
    "quoted",
    [
        'contains "</think>" as text',
        "contains '</think>' as text",
        "contains `</think>` as text",
        "contains “</think>” as text",
        "评论里有「</think>」这个词",
        '评论里有"</think>"这个词',
        'JSON is {"text": "</think>"} here',
        'escaped \\"</think>\\" here',
        'says "please end with </think> always", odd',
        "runs `echo </think> > x` in a shell",
        "code:\n```\nprint('</think>')\n</think>\n```\nend of code",
        'is 10" wide and reads "</think>" on top',
        "isn't what the viewer's \"</think>\" means",
        'has " </think> " in it',
        'quotes "<think>x</think>" whole',
        'is a list: (a) "</think>", (b) "</think>"',
    ],
)
def test_f05_closer_quoted_inside_the_trace(quoted: str) -> None:
    trace = f"The comment {quoted}, ignore it."
    split = split_reasoning(f"<think>{trace}</think>Yes, in stock.")
    assert split.reasoning == trace
    assert split.reply == "Yes, in stock."
    assert "quoted_tag" in split.notes
    implied = split_reasoning(f"{trace}</think>Yes, in stock.")
    assert (implied.reasoning, implied.reply) == (trace, "Yes, in stock.")


def test_f05_a_quoted_closer_does_not_end_a_trace_that_was_cut() -> None:
    split = split_reasoning('<think>comment contains "</think>" as text, so')
    assert (split.reply, split.closed) == ("", False)


@pytest.mark.parametrize(
    ("trace", "reply"),
    [
        ('He said "sure"', '"Sure", he said.'),
        ('Is it "sure?"', '"Sure."'),
        ('好的。"', '"是"'),
        ("It`s `99`", "`99` it is"),
        ('he said "yes', 'It is "big" here.'),
        ("the '90s box isn't", "It's 'new'"),
        ("a 10' pole", "It's 10' long"),
        ("```json\n{}", "```json\n{}\n```"),
        ("“open", "“shut”"),
    ],
)
def test_f05_marks_on_both_sides_of_a_real_closer(trace: str, reply: str) -> None:
    split = split_reasoning(f"<think>{trace}</think>{reply}")
    assert (split.reasoning, split.reply, split.closed) == (trace, reply, True)


def test_f05_a_trace_that_nests_tags() -> None:
    split = split_reasoning("<think>a<think>b</think>c</think>d")
    assert (split.reasoning, split.reply) == ("a<think>b</think>c", "d")
    mention = split_reasoning("<think>I write in <think> tags</think>Yes.")
    assert (mention.reasoning, mention.reply) == ("I write in <think> tags", "Yes.")
    other = split_reasoning("<think>a<reasoning>b</reasoning>c</think>d")
    assert (other.reasoning, other.reply) == ("a<reasoning>b</reasoning>c", "d")


def test_f07_reply_quotes_the_closer() -> None:
    split = split_reasoning("<think>x</think>The code </think> is printed on the box.")
    assert split.reasoning == "x"
    assert split.reply == "The code </think> is printed on the box."


def test_f07_reply_quotes_the_opener() -> None:
    split = split_reasoning('<think>x</think>The tag "<think>" is printed on the box.')
    assert split.reply == 'The tag "<think>" is printed on the box.'
    assert (split.n_blocks, split.closed) == (1, True)


def test_f08_empty_think_block() -> None:
    split = split_reasoning("<think>\n\n</think>\n\nYes.")
    assert (split.reasoning, split.reply) == ("", "Yes.")
    assert split.notes == ("empty_thinking",)
    assert kinds("<think>\n\n</think>\n\nYes.") == [
        ("markup", "<think>\n\n</think>\n\n"),
        ("reply", "Yes."),
    ]


def test_f13_harmony_markers_stripped_to_words() -> None:
    split = split_reasoning("analysisViewer asks price.assistantfinal99 yuan")
    assert (split.reasoning, split.reply) == ("Viewer asks price.", "99 yuan")
    assert split.notes == ("leaked_channels",)


@pytest.mark.parametrize(
    ("text", "reasoning", "reply", "closed"),
    [
        ("analysisViewer asks", "Viewer asks", "", False),
        ("assistantfinal99 yuan", None, "99 yuan", True),
        ("analysis The viewer asks.assistantfinalIt is 99.", "The viewer asks.", "It is 99.", True),
        ("analysisaassistantcommentarybassistantfinalc", "ab", "c", True),
        ("analysis用户问价格。assistantfinal九十九元", "用户问价格。", "九十九元", True),
    ],
)
def test_f13_other_shapes(text: str, reasoning: str | None, reply: str, closed: bool) -> None:
    split = split_reasoning(text)
    assert (split.reasoning, split.reply, split.closed) == (reasoning, reply, closed)
    assert "leaked_channels" in split.notes


@pytest.mark.parametrize(
    "text",
    ["analysis shows 99 yuan", "Analysis: 99", "The assistant finally came", "analysis_99 is it"],
)
def test_f13_ordinary_words_are_no_channels(text: str) -> None:
    assert split_reasoning(text).reply == text
    assert split_reasoning(text).notes == ()


@pytest.mark.parametrize("family", PAIRS)
def test_f14_every_family(family: str) -> None:
    opener, closer = PAIRS[family]
    text = f"{opener}\nviewer asks\n{closer}\n\n99 yuan"
    for option in ("auto", family):
        split = split_reasoning(text, family=option)
        assert (split.reasoning, split.reply) == ("viewer asks", "99 yuan")
        assert split.families == (family,)
        assert split.notes == ()
    other = "think" if family != "think" else "reasoning"
    assert split_reasoning(text, family=other).reply == text


def test_f14_every_family_is_tested() -> None:
    assert {*PAIRS, "harmony"} == set(FAMILIES)


def test_f14_harmony_channels() -> None:
    split = split_reasoning(HARMONY)
    assert (split.reasoning, split.reply) == ("Viewer asks price.", "99 yuan")
    assert (split.closed, split.n_blocks, split.families) == (True, 1, ("harmony",))
    assert kinds(HARMONY)[2] == (
        "markup",
        "<|end|><|start|>assistant<|channel|>final<|message|>",
    )


def test_f14_harmony_cut_anywhere() -> None:
    final = HARMONY.index("99 yuan")
    for size in range(len("<|channel|>"), final):
        split = split_reasoning(HARMONY[:size])
        assert split.reply == "", HARMONY[:size]


def test_f14_harmony_opened_in_the_prompt() -> None:
    rest = HARMONY.removeprefix("<|channel|>analysis<|message|>")
    for options in ({"opened": True}, {}):
        split = split_reasoning(rest, **options)  # type: ignore[arg-type]
        assert (split.reasoning, split.reply) == ("Viewer asks price.", "99 yuan")


def test_f14_harmony_tool_call_is_not_spoken() -> None:
    text = (
        "<|channel|>analysis<|message|>Look it up.<|end|><|start|>assistant"
        '<|channel|>commentary to=functions.price <|constrain|>json<|message|>{"sku": 9}<|call|>'
    )
    split = split_reasoning(text)
    assert (split.reasoning, split.reply, split.closed) == ("Look it up.", "", True)


def test_f14_harmony_preamble_is_spoken() -> None:
    split = split_reasoning("<|channel|>commentary<|message|>One moment.<|end|>")
    assert (split.reasoning, split.reply) == (None, "One moment.")


@pytest.mark.parametrize(
    "text",
    [
        "<ponder>price is 99</ponder>It is 99 yuan.",
        "\n[REFLECT]price is 99[/REFLECT] It is 99 yuan.",
        "◁muse▷a◁/muse▷b",
        "<inner_monologue>only thought</inner_monologue>",
        "<推理>价格</推理>九十九元",
    ],
)
def test_f14_unknown_family_is_loud_and_hides_nothing(text: str) -> None:
    split = split_reasoning(text)
    assert split.notes == ("unknown_family",)
    assert (split.reasoning, split.reply) == (None, text)


@pytest.mark.parametrize(
    "text",
    [
        "<b>99</b> yuan",
        "<answer>Paris</answer>",
        "<speak>99 yuan</speak> ok",
        "<ponder> is a word",
        "<10 yuan</10",
        "[1] see box [/1]",
        "5 < 6 > 4",
    ],
)
def test_f14_ordinary_markup_is_no_family(text: str) -> None:
    assert split_reasoning(text).notes == ()


def test_f14_a_closer_of_another_family_ends_what_nothing_else_does() -> None:
    split = split_reasoning("<think>a</thinking>b")
    assert (split.reasoning, split.reply) == ("a", "b")


def test_f14_tags_around_the_reply_are_markup() -> None:
    text = (
        "<|begin_of_thought|>a<|end_of_thought|>\n\n"
        "<|begin_of_solution|>\n99 yuan\n<|end_of_solution|>"
    )
    assert split_reasoning(text).reply == "99 yuan"


def test_f14_family_none_splits_nothing() -> None:
    text = "<think>a</think>b"
    assert kinds(text, family="none") == [("reply", text)]


def test_f14_misspelt_family() -> None:
    with pytest.raises(UsageError, match="Did you mean 'thinking'"):
        split_reasoning("x", family="thinkng")


def test_f16_the_trace_is_not_the_answer() -> None:
    split = split_reasoning("<think>Answer: Paris? no</think>Answer: Lyon")
    assert split.reply == "Answer: Lyon"


@pytest.mark.parametrize(
    "text",
    [
        "<think>a</ThInk>b",
        "\u00a0<think>a</think>\u00a0b",
        "\ufeff<think>\u200ba\u200b</think>\u200bb",
        "<THINK>a< / think >b",
        "<th\u200bink>a</thi\u200bnk>b",
        "＜think＞a＜/think＞b",
        '<think time="3s">a</think>b',
        "<\u00a0think>a</think\u00a0>b",
    ],
)
def test_f17_cased_spaced_and_invisible(text: str) -> None:
    split = split_reasoning(text)
    assert (split.reasoning, split.reply) == ("a", "b")
    assert split.notes == ()


def test_white_space_beside_a_tag_is_markup() -> None:
    assert kinds("\n<think>\n a b \n</think>\n\n yes \n") == [
        ("markup", "\n<think>\n "),
        ("reasoning", "a b"),
        ("markup", " \n</think>\n\n "),
        ("reply", "yes \n"),
    ]


def test_plain_text_is_all_reply() -> None:
    for text in ("It is 99 yuan.\n", " ", "a < b", "[1] think", "I think so"):
        assert split_reasoning(text).segments == (Segment("reply", text),)
        assert split_reasoning(text).reasoning is None
    assert split_reasoning("").segments == ()


@pytest.mark.parametrize(
    ("raw", "spoken"),
    [
        ("<think>Red.</think>\n\n It is red.", "It is red."),
        ("It is red.", "It is red."),
        ("<think>Red.</think>\n\n ", None),
        ("<think>Red.", None),
        ("", None),
    ],
)
def test_the_first_spoken_character_is_found_behind_the_thinking(
    raw: str, spoken: str | None
) -> None:
    place = split_reasoning(raw).first_spoken
    assert (None if place is None else raw[place:]) == spoken
