"""The answers scorer: what it looks at, how it compares, and when it does not apply."""

from __future__ import annotations

import asyncio
import re
import string
import time
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lt_bench.errors import UsageError
from lt_bench.records import (
    AnswersGold,
    Document,
    Example,
    Generation,
    ReferenceGold,
    Sample,
    SampleKey,
    Turn,
)
from lt_bench.scorers import ScoringContext, score_sample
from lt_bench.scorers.extract import answer_in, support_in
from lt_bench.scorers.overlap import exact_match, f1, match, normalize, numeric_tokens, zh_tokens
from lt_bench.scorers.qa import AnswerScorer, support_f1

DOCUMENTS = tuple(
    Document(id=f"p{idx}", kind="paragraph", text="x", supporting=idx in (3, 9))
    for idx in (1, 3, 4, 9)
)


def row(*answers, supporting=("p3", "p9"), answerable=True, gold=None):
    gold = gold or AnswersGold(answers=answers, supporting=supporting, answerable=answerable)
    return Example(id="r", task="musique", question="q", documents=DOCUMENTS, gold=gold, group="g")


def answered(reply, reasoning=None, finish="stop"):
    turn = Turn(reasoning=reasoning, reply=reply, finish_reason=finish, usage=None)
    return Generation(turns=(turn,))


def scores(example_row, reply, *, reasoning=None, finish="stop", **options):
    scorer = AnswerScorer(ScoringContext(options=options), {})
    generation = answered(reply, reasoning, finish)
    key = SampleKey(example_id="r", sample_index=0, request_sha="s")
    sample = Sample(key=key, status=generation.status, generation=generation)
    found = asyncio.run(score_sample(scorer, example_row, sample))
    return {score.name: score.value if score.reason is None else score.reason for score in found}


# --- what is compared --------------------------------------------------------------------------


def test_f16_only_the_reply_is_searched_never_the_trace():
    trace = "Answer: Paris? no. <answer>Paris</answer> Support: 1"
    found = scores(row("Lyon"), "Answer: Lyon\nSupport: 2, 4", reasoning=trace)
    assert found == {"em": 1, "f1": 1, "support_f1": 1}
    assert scores(row("Paris"), "Answer: Lyon", reasoning=trace)["em"] == 0
    assert scores(row("Paris"), "", reasoning=trace)["em"] == 0


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("<answer>Lyon</answer>", "Lyon"),
        ("<answer>Paris</answer> no: <answer> Lyon </answer>. Answer: Nice", "Lyon"),
        ("<ANSWER>Lyon</Answer>", "Lyon"),
        ("<answer>Paris<answer>Lyon</answer></answer>", "Lyon"),
        ("<answer></answer>", ""),
        ("</answer><answer>Lyon", "Lyon"),
        ("Answer: Paris\nAnswer: Lyon", "Lyon"),
        ("Answer: Lyon\nSupport: 2, 4", "Lyon"),
        ("  **Answer:** Lyon", "Lyon"),
        ("**Answer**: Lyon**", "Lyon"),
        ("## Final answer: Lyon", "Lyon"),
        ("ANSWER:Lyon\r\nSupport: 2", "Lyon"),
        ("Answer:\n\n  Lyon\nSupport: 2", "Lyon"),
        ("Answer:\nSupport: 2", ""),
        ("Answer:", ""),
        ("答案：里昂", "里昂"),
        ("The answer is Lyon.", "The answer is Lyon."),
        ("It says Answer: Lyon", "It says Answer: Lyon"),
        ("Lyon\nSupport: 2", "Lyon"),
        ("  Lyon  ", "Lyon"),
        ("", ""),
    ],
)
def test_answer_is_found_in_the_reply(reply, answer):
    assert answer_in(reply) == answer


def test_extraction_off_compares_the_reply_as_it_is():
    reply = "Answer: Lyon\nSupport: 2"
    assert answer_in(reply, "none") == reply
    assert scores(row("Lyon"), reply)["em"] == 1
    assert scores(row("Lyon"), reply, extract="none")["em"] == 0
    assert scores(row("<answer>Lyon</answer>"), "<answer>Lyon</answer>", extract="none")["em"] == 1


@pytest.mark.parametrize(
    ("reply", "numbers"),
    [
        ("Answer: Lyon\nSupport: 2, 7", (2, 7)),
        ("Support: [2] and [7], [2]", (2, 7)),
        ("**Support:** documents 2, 7.", (2, 7)),
        ("Support: 1\nSupport: 4", (4,)),
        ("Support: none", ()),
        ("See [2].", ()),
        ("", ()),
        ("Support: " + "9" * 5000, (0,)),
    ],
)
def test_support_is_the_last_support_line(reply, numbers):
    assert support_in(reply) == numbers


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("Lyon\nSupport: 2, 4", 1.0),
        ("Lyon\nSupport: 2", 2 / 3),
        ("Lyon\nSupport: 1, 2, 3, 4", 2 / 3),
        ("Lyon\nSupport: 1, 3", 0.0),
        ("Lyon\nSupport: 2, 4, 99, 0", 2 / 3),
        ("Lyon", 0.0),
    ],
)
def test_support_f1_counts_documents_by_their_number_in_the_prompt(reply, value):
    assert scores(row("Lyon"), reply)["support_f1"] == pytest.approx(value)


def test_support_f1_of_nothing_and_nothing_is_one():
    assert support_f1((), ()) == 1.0
    assert support_f1(("a",), ()) == 0.0
    assert support_f1((), ("a",)) == 0.0


# --- the faults people meet ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("golds", "prediction", "em", "overlap"),
    [
        (("A",), "zebra", 0, 0.0),
        (("A",), "A", 1, 1.0),
        (("Paris", "???"), "Paris", 1, 1.0),
        (("天气很好",), "天气好", 0, 0.0),
        (("无法提供",), "yes", 0, 0.0),
        (("10",), "10\n\nPassage", 0, 2 / 3),
        (("yes",), "yes.", 1, 1.0),
        (("yes",), "no, it is not", 0, 0.0),
        (("NYC", "New York City"), "New York City", 1, 1.0),
    ],
    ids=["f23_zebra", "f23_A", "f24", "f26_official", "f27", "f29", "f30", "f32", "f33"],
)
def test_section_c_of_the_faults(golds, prediction, em, overlap):
    found = scores(row(*golds), prediction)
    assert (found["em"], found["f1"]) == (em, pytest.approx(overlap))


def test_f26_chinese_by_characters_in_mode_zh():
    found = scores(row("天气很好"), "Answer: 天气好。", mode="zh")
    assert found["em"] == 0
    assert round(found["f1"], 3) == 0.857
    assert scores(row("天气很好"), "天 气，很好！", mode="zh")["em"] == 1


def test_zh_tokens_keep_numbers_and_latin_words_whole():
    assert zh_tokens("iPhone 15，９９元。\u200b") == ["iphone", "15", "99", "元"]
    assert zh_tokens("\ud55c\uad6d 日本") == ["\ud55c", "\uad6d", "日", "本"]


@pytest.mark.parametrize(
    ("gold", "prediction", "em"),
    [
        ("1,500", "$1500.00", 1),
        ("1.5 thousand", "1500", 1),
        ("about $1.18 trillion", "1,180,000,000,000", 1),
        ("-5", "5", 0),
        ("\u22125", "-5", 1),
        ("1939-1945", "1939 to 1945", 1),
        ("3.14", "314", 0),
        ("07", "7", 1),
        ("15 km", "15%", 1),
        ("two", "Two.", 1),
        ("两万", "20000", 0),
        ("2万", "20000", 1),
        ("10", "10 or 11", 0),
        ("0", "0.00", 1),
    ],
)
def test_numeric_mode_compares_numbers(gold, prediction, em):
    assert scores(row(gold), prediction, mode="numeric")["em"] == em


def test_each_score_takes_its_own_maximum():
    found = match("p q r", ["p", "r q p", "p q"])
    assert found == (0, 1.0)


def test_no_accepted_answer_is_refused():
    with pytest.raises(ValueError, match="no accepted answer"):
        match("x", [])


# --- when it applies ---------------------------------------------------------------------------


def test_other_gold_is_not_applicable():
    gold = ReferenceGold(answers=("Lyon",))
    assert set(scores(row(gold=gold), "Lyon").values()) == {"not_applicable"}


def test_unanswerable_rows_are_not_applicable_as_in_the_official_script():
    found = scores(row("Lyon", answerable=False), "Lyon\nSupport: 2")
    assert set(found.values()) == {"not_applicable"}


def test_support_is_not_applicable_where_no_document_is_marked():
    found = scores(row("Lyon", supporting=()), "Lyon\nSupport: 2")
    assert found == {"em": 1, "f1": 1, "support_f1": "not_applicable"}


def test_support_is_not_applicable_where_the_whole_reply_is_the_answer():
    assert scores(row("Lyon"), "Lyon", extract="none")["support_f1"] == "not_applicable"


def test_an_empty_reply_follows_the_official_rule_and_a_cut_one_is_zero():
    assert scores(row("Lyon"), "")["f1"] == 0
    assert scores(row("???"), "")["f1"] == 1
    assert scores(row("???"), "", finish="length")["f1"] == 0


@pytest.mark.parametrize(
    "options", [{"extract": "regex"}, {"mode": "chinese"}, {"extract": None}, {"mode": 1}]
)
def test_unknown_values_are_refused(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        AnswerScorer(ScoringContext(options=options), {})


def test_unknown_options_of_the_entry_are_refused_and_other_task_options_are_left_alone():
    with pytest.raises(UsageError, match="unknown key 'modus'"):
        AnswerScorer(ScoringContext(), {"modus": "zh"})
    AnswerScorer(ScoringContext(options={"spoken": True}), {"mode": "zh"})


def test_sha_and_remarks_tell_the_mode():
    official, zh = (
        AnswerScorer(ScoringContext(options={"mode": mode}), {}) for mode in ("official", "zh")
    )
    assert official.sha != zh.sha
    assert official.sha == AnswerScorer(ScoringContext(), {}).sha
    assert "mode zh" in zh.remarks["em"]


# --- against the official rule, said once more in the plainest way -------------------------------


def plain_normalize(text):
    text = "".join(char for char in text.lower() if char not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split()).split()


def plain_f1(prediction, gold):
    guess, true = plain_normalize(prediction), plain_normalize(gold)
    same = sum((Counter(guess) & Counter(true)).values())
    if not guess or not true:
        return float(guess == true)
    if same == 0:
        return 0.0
    precision, recall = 1.0 * same / len(guess), 1.0 * same / len(true)
    return 2 * precision * recall / (precision + recall)


words = st.lists(
    st.sampled_from(
        ["a", "an", "the", "The", "x", "y", "2", "\u00a0", "\x1c", "\x00", "é", "e\u0301"]
    )
    | st.text(max_size=3),
    max_size=6,
).flatmap(lambda parts: st.sampled_from(["", " ", ".", "\n"]).map(lambda glue: glue.join(parts)))


@given(words, st.lists(words, min_size=1, max_size=3))
@example("\ud800 a", ["\ud800"])
@example("a\x85b", ["b"])
def test_any_text_scores_as_by_the_plain_rule(prediction, golds):
    assert normalize(prediction) == plain_normalize(prediction)
    assert exact_match(prediction, golds) == max(
        int(plain_normalize(prediction) == plain_normalize(gold)) for gold in golds
    )
    assert f1(prediction, golds) == max(plain_f1(prediction, gold) for gold in golds)


@given(st.text(max_size=40))
def test_every_mode_agrees_with_itself_on_any_text(text):
    for mode in ("official", "zh", "numeric"):
        assert match(text, [text], mode) == (1, 1.0)
    answer_in(text)
    support_in(text)


@pytest.mark.parametrize(
    "reply",
    [
        "<answer>" * 30_000,
        "1,000," * 30_000,
        "9" * 200_000,
        "* " * 100_000,
        "Answer:\n" * 30_000,
    ],
)
def test_hostile_length_costs_linear_time(reply):
    start = time.process_time()
    answer_in(reply)
    support_in(reply)
    numeric_tokens(reply)
    assert time.process_time() - start < 5
