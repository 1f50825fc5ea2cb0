"""Answers of judge models: read by the letter, or not at all."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lt_bench.judge.derivation import label_of
from lt_bench.judge.reading import Reading, Unreadable, read
from lt_bench.judge.schema import schema_of
from lt_bench.judge.spec import JudgeSpec
from lt_bench.judge.subject import Evidence, Subject
from lt_bench.records import Claim

SUBJECT = Subject(question="How much?", reply="It is 99.")
TRUTH = {"yes": {"says": True, "value": 1.0}, "no": {"says": False, "value": 0.0}}
GRADES = {"good": {"says": "C", "value": 1.0}, "bad": {"says": "I", "value": 0.0}}
WORDS = {
    "good": {"says": "CORRECT", "value": 1.0},
    "bad": {"says": "INCORRECT", "value": 0.0},
    "none": {"says": "not attempted", "value": None},
}


def spec(answer: dict[str, Any], labels: dict[str, Any]) -> JudgeSpec:
    return JudgeSpec(name="j", version=1, summary="s", metric="m", labels=labels, answer=answer)


JSON = spec({"form": "json", "field": "correct"}, TRUTH)
GRADE = spec({"form": "line", "key": "GRADE"}, GRADES)
BARE = spec({"form": "line"}, WORDS)


def unreadable(judge: JudgeSpec, text: str, subject: Subject = SUBJECT) -> str:
    with pytest.raises(Unreadable) as caught:
        read(judge, text, subject)
    assert str(caught.value)
    return str(caught.value)


# --- json ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '{"correct": true, "reason": "as the sheet says"}',
        '{"reason": "as the sheet says", "correct": true}',
        '```json {"reason": "as the sheet says", "correct":true} ```',
        '```json\n{"reason": "as the sheet says", "correct": true}\n```',
        '```\n{"reason": "as the sheet says",\n "correct": true}```\n',
        '````JSON\r\n{"reason": "as the sheet says", "correct": true}\r\n````',
        '\ufeff\u200b {"reason": "as the sheet says", "correct": true} \u200b\n\u00a0\u3000',
    ],
)
def test_one_object_is_read_whatever_the_order_and_the_fence(text: str) -> None:
    assert read(JSON, text, SUBJECT) == Reading("yes", "as the sheet says")


def test_a_fence_within_a_string_cuts_nothing() -> None:
    text = '{"reason":"sheet shows ```99```","correct":true}'
    assert read(JSON, text, SUBJECT) == Reading("yes", "sheet shows ```99```")
    assert read(JSON, f"```json\n{text}\n```", SUBJECT).label == "yes"
    ends_in_fence = '{"correct":false,"reason":"```"}'
    assert read(JSON, ends_in_fence, SUBJECT) == Reading("no", "```")


def test_the_reason_may_be_missing() -> None:
    assert read(JSON, '{"correct": false}', SUBJECT) == Reading("no", "")


@pytest.mark.parametrize(
    "value", ['"true"', '"false"', "1", "0", "1.0", "90", "null", "[true]", '{"a": true}', '""']
)
def test_a_value_of_another_type_is_no_verdict(value: str) -> None:
    message = unreadable(JSON, f'{{"correct": {value}, "reason": "x"}}')
    assert "true or false, without quotes" in message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("  \n\ufeff", "empty"),
        ("I would rather not grade this", "does not begin with {"),
        ('Sure! {"correct": true}', "does not begin with {"),
        ("[true]", "does not begin with {"),
        ('[{"correct": true}]', "does not begin with {"),
        ('{"correct": true} I hope that helps', "after the JSON object"),
        ('{"correct": true}{"correct": false}', "more than one"),
        ('{"correct": true}\n{"correct": true}', "more than one"),
        ('{"correct": true}, {"correct": false}', "more than one"),
        ('```json\n{"correct": true}\n```\n```json\n{"correct": false}\n```', "after the JSON"),
        ('```json\n{"correct": true}', "does not begin with {"),
        ('{"correct": true', "cut off"),
        ('{"correct": true, "reason": "the sheet', "cut off"),
        ('{"correct": NaN}', "NaN"),
        ('{"correct": true, "score": -Infinity}', "NaN"),
        ('{"correct": true, "correct": false}', "twice"),
        ('{"correct": true, "reason": {"a": 1, "a": 2}}', "twice"),
        ('{"correct": true, "verdict": false}', "unknown keys"),
        ('{"Correct": true}', "unknown keys"),
        ('{"reason": "x"}', 'no "correct"'),
        ("{}", 'no "correct"'),
        ('{"correct": true, "reason": ["x"]}', "must be a text"),
        ('{"correct": true, "reason": "a\nb"}', "line break"),
        ("{'correct': true}", "broken at character 2"),
        ('{"correct": True}', "broken"),
        ('{"correct": true,}', "broken"),
        ('{"correct": true} // done', "after the JSON object"),
    ],
)
def test_whatever_is_not_one_object_says_what_to_do_better(text: str, says: str) -> None:
    assert says in unreadable(JSON, text)


def test_string_labels_ignore_case_and_what_nobody_sees() -> None:
    judge = spec({"form": "json", "field": "grade"}, WORDS)
    assert read(judge, '{"grade": "correct"}', SUBJECT).label == "good"
    assert read(judge, '{"grade": " in\\u200bCORRECT\\ufeff "}', SUBJECT).label == "bad"
    assert read(judge, '{"grade": "Not attempted"}', SUBJECT).label == "none"
    assert "must be" in unreadable(judge, '{"grade": "CORRECT."}')
    assert "must be" in unreadable(judge, '{"grade": true}')


def test_half_a_surrogate_in_a_reason_does_not_reach_a_record() -> None:
    reading = read(JSON, '{"correct": true, "reason": "ok \\ud83d"}', SUBJECT)
    assert reading.rationale == "ok \ufffd"
    reading.rationale.encode()


@pytest.mark.parametrize(
    "text",
    [
        "x" * 10_000_000,
        '{"reason": "' + "x" * 10_000_000 + '", "correct": true}',
        '{"a":' * 60_000,
        '{"a":' * 30_000 + "1" + "}" * 30_000,
        '{"correct": ' + "[" * 150_000,
        '{"correct": ' + "9" * 100_000 + "}",
        "`" * 200_000,
        "```" + " " * 199_000 + "{",
        " " * 199_000 + "x" + " " * 500,
        "\u200b \n" * 60_000 + "x",
        '{"correct": true}' + " " * 190_000 + "x",
        "{" * 200_000,
        '{"' * 100_000,
    ],
    ids=range(13),
)
def test_monstrous_answers_are_refused_in_no_time(text: str) -> None:
    start = time.process_time()
    unreadable(JSON, text)
    assert time.process_time() - start < 10


@given(st.text(max_size=60))
def test_no_text_makes_the_reader_fail_otherwise(text: str) -> None:
    for judge in (JSON, GRADE, BARE, LEDGER):
        with contextlib.suppress(Unreadable):
            assert read(judge, text, LEDGER_SUBJECT).label in judge.labels


@given(st.text(alphabet='{}[]":,truefalse`jsoncr0 \n\u200b', max_size=40))
def test_nothing_but_an_object_with_the_literal_true_reads_as_yes(text: str) -> None:
    try:
        label = read(JSON, text, SUBJECT).label
    except Unreadable:
        return
    kept = text[text.index("{") : text.rindex("}") + 1]
    assert label == ("yes" if json.loads(kept)["correct"] is True else "no")


def test_a_message_repeats_nothing_of_the_answer() -> None:
    trap = "OVERRIDE"
    answers = [
        trap,
        f'{{"{trap}": 1}}',
        f'{{"correct": "{trap}"}}',
        f'{{"correct": true}} {trap}',
        f'{{"correct": {trap}}}',
        f"GRADE: {trap}",
    ]
    for judge in (JSON, GRADE, BARE, LEDGER):
        for answer in answers:
            assert trap not in unreadable(judge, answer, LEDGER_SUBJECT)


# --- line ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "GRADE: C",
        "grade: c",
        "GRADE:\u200bC",
        "G\u200bRADE\ufeff: C\u2060",
        "Grade：C",
        "**GRADE:** C",
        "**GRADE: C**",
        "`GRADE: C`",
        "GRADE :C.",
        "GRADE:\nC",
        "The price is right.\n\nGRADE: C",
        "GRADE: C ... no reason to downgrade: I",
        "GRADE: C because there is no reason to downgrade: I",
        "GRADE: C, since a sub-grade: I would be unfair",
        "degrade: I\nGRADE: C.\nGRADE: C",
        "### GRADE: C",
        "- **GRADE**: C",
        "The price is right.\r\nGRADE: C\r\n",
        "GRADE: C! I checked it.",
    ],
)
def test_the_label_after_the_key_is_read(text: str) -> None:
    assert read(GRADE, text, SUBJECT).label == "good"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "C",
        "I would rather not grade this",
        "no reason to downgrade: C",
        "GRADE: Correct",
        "GRADE: C-",
        "GRADE: C+",
        "GRADE: C? Hardly.",
        "GRADE: C or I",
        "GRADE: C/I",
        "GRADE: C | I",
        "GRADE: [[C]]",
        "GRADE: [[90]]",
        "GRADE: 90",
        "GRADE: not C",
        "GRADE: I think it is right",
        "GRADE: C\nGRADE: I",
        "GRADE: see below\nGRADE: C",
        "GRADE:",
        "There are 5 claims; score C",
        "not GRADE: C",
        "> GRADE: C",
        "~~GRADE: C~~",
        "I cannot say GRADE: C because it is false",
        'The reply says "GRADE: C". I will not grade.',
        "The reply says:\nGRADE: C\nI will not grade.",
        "I cannot say GRADE: C.\nGRADE: I",
        "GRADE: C; no, I",
        "GRADE: C. No, I.",
        "GRADE: C... or I",
        "GRADE: C → I",
        "GRADE: C versus I",
        "GRADE: C (in part)",
        "GRADE: C, but barely",
        "GRADE: C\u0336",
        "GRADE: \u0336C",
        "GRADE:\u0336 C",
        "GRADE: C.\u0336",
        "GRADE\u0338: C",
        "GRADE = I\nGRADE: C",
        "GRADE = C",
        "GRADE: C when charitable, otherwise I",
    ],
)
def test_a_key_without_one_clear_label_is_no_verdict(text: str) -> None:
    assert "the label being C or I" in unreadable(GRADE, text)


@pytest.mark.parametrize(
    "text",
    [
        "VERDICT: correct only in part",
        "VERDICT: CORRECT is not what I would say",
        "VERDICT: CO\u0336RRECT",
        "VERDICT: correct\u20e0",
        "VERDICT: CORRECT. Rather: INCORRECT",
    ],
)
def test_a_label_that_the_line_takes_back_is_no_verdict(text: str) -> None:
    unreadable(VERDICT, text)


def test_a_reason_may_name_what_it_denies() -> None:
    text = "VERDICT: INCORRECT. The price is not correct."
    assert read(VERDICT, text, SUBJECT).label == "bad"


VERDICT = spec({"form": "line", "key": "VERDICT"}, WORDS)


@pytest.mark.parametrize(
    ("text", "label"),
    [("SCORE: 1", "full"), ("score: 0.", "zero"), ("There are 5 claims; SCORE: 1", "full")],
)
def test_numbers_are_labels_like_others(text: str, label: str) -> None:
    assert read(SCORE, text, SUBJECT).label == label


@pytest.mark.parametrize(
    "text", ["SCORE: 10", "SCORE: 1.5", "SCORE: 1/5", "SCORE: 0,5", "SCORE: [[90]]", "SCORE: 1%x",
             "SCORE: -1", "SCORE: 1 of 10", "SCORE: 1 / 10", "SCORE: 1 out of 5", "SCORE: 1 %", "SCORE: 90", "There are 1 claims; score 1"]
)  # fmt: skip
def test_a_number_off_the_scale_is_no_verdict(text: str) -> None:
    unreadable(SCORE, text)


SCORE = spec(
    {"form": "line", "key": "SCORE"},
    {"full": {"says": "1", "value": 1.0}, "zero": {"says": "0", "value": 0.0}},
)


def test_the_longest_label_wins_over_the_one_that_it_begins_with() -> None:
    judge = spec(
        {"form": "line", "key": "Final"},
        {
            "pass": {"says": "SUCCESS", "value": 1.0},
            "fail": {"says": "NOT SUCCESS", "value": 0.0},
            "part": {"says": "SUCCESS in part", "value": 0.5},
        },
    )
    text = "Looks like SUCCESS at first. Final: NOT SUCCESS"
    assert read(judge, text, SUBJECT) == Reading("fail", text)
    assert read(judge, "final: success in part", SUBJECT).label == "part"
    assert read(judge, "Final: Success", SUBJECT).label == "pass"
    unreadable(judge, "Final: SUCCESSFUL")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("INCORRECT", "bad"),
        ("CORRECT", "good"),
        (" \ufeffincorrect.\n", "bad"),
        ("**Correct**", "good"),
        ('"not attempted"', "none"),
        ("in\u200bcorrect", "bad"),
    ],
)
def test_without_a_key_the_answer_is_one_label(text: str, label: str) -> None:
    assert read(BARE, text, SUBJECT).label == label


@pytest.mark.parametrize(
    "text",
    ["It is CORRECT", "CORRECT INCORRECT", "CORRECT\nCORRECT", "not correct", "CORRECT?", "[[90]]",
     "NOT INCORRECT", "CORRECT, I think", ""],
)  # fmt: skip
def test_without_a_key_any_further_word_is_no_verdict(text: str) -> None:
    assert "CORRECT or INCORRECT or not attempted" in unreadable(BARE, text)


def test_chinese_keys_and_labels() -> None:
    judge = spec(
        {"form": "line", "key": "结论"},
        {"good": {"says": "正确", "value": 1.0}, "bad": {"says": "不正确", "value": 0.0}},
    )
    assert read(judge, "价格一致。\n结论：正确，因为价格一致", SUBJECT).label == "good"
    assert read(judge, "结论：不正确。", SUBJECT).label == "bad"
    unreadable(judge, "结论：正确或不正确")
    unreadable(judge, "结论：正确的可能性很大")


@pytest.mark.parametrize(
    "text", ["GRADE:" * 30_000, "GRADE: C " * 20_000, "grade " * 30_000, "GRADE: C. " * 19_000,
             "GRADE: C.\n" * 19_000, "GRADE: C. " + "or I " * 30_000, ". " * 99_000, "GRADE: C\n" + "#" * 190_000, "GRADE" + " " * 190_000]
)  # fmt: skip
def test_lines_without_end_are_read_in_no_time(text: str) -> None:
    start = time.process_time()
    with contextlib.suppress(Unreadable):
        read(GRADE, text, SUBJECT)
    assert time.process_time() - start < 10


# --- ledger ----------------------------------------------------------------------------------

LEDGER = spec(
    {"form": "ledger"},
    {
        "correct": {"says": "correct", "value": 1.0},
        "incorrect": {"says": "incorrect", "value": 0.0},
        "abstained": {"says": "abstained", "value": None},
    },
)
LEDGER_SUBJECT = Subject(
    question="How much is the kettle?",
    reply="Hi Ann! It is $19.90. It has two year warranty.",
    documents=(
        Evidence("d1", "product", "Arca kettle", 'Price: 19.90 USD\nLid: "soft" close'),
        Evidence("d2", "policy", "", "Warranty: 12 months"),
    ),
    claims=("Hi Ann!", "It is $19.90.", "It has two year warranty."),
)
GREETING = {"n": 1, "verdict": "not_a_claim", "document": None, "evidence": None}
PRICE = {"n": 2, "verdict": "supported", "document": "d1", "evidence": "19.90 USD"}
WARRANTY = {"n": 3, "verdict": "contradicted", "document": "d2", "evidence": "12 months"}


def ledger(*claims: dict[str, Any], answers: Any = True, **more: Any) -> str:
    return json.dumps({"claims": claims, "answers": answers, "reason": "read", **more})


def with_(entry: dict[str, Any], **changes: Any) -> str:
    entries = [{**one, **changes} if one is entry else one for one in (GREETING, PRICE, WARRANTY)]
    return ledger(*entries)


def test_a_ledger_gives_claims_and_the_label_that_follows() -> None:
    reading = read(LEDGER, f"```json\n{ledger(WARRANTY, GREETING, PRICE)}\n```", LEDGER_SUBJECT)
    assert reading.label == "incorrect"
    assert reading.rationale == "read"
    assert reading.claims == (
        Claim(text="Hi Ann!", verdict="not_a_claim"),
        Claim(text="It is $19.90.", verdict="supported", document="d1", evidence="19.90 USD"),
        Claim(
            text="It has two year warranty.",
            verdict="contradicted",
            document="d2",
            evidence="12 months",
        ),
    )


def test_a_title_is_evidence_and_nothing_may_be_written_as_empty_text() -> None:
    text = ledger(
        {"n": 1, "verdict": "not_a_claim", "document": "", "evidence": ""},
        {**PRICE, "evidence": "Arca kettle"},
        {"n": 3, "verdict": "not_a_claim"},
    )
    reading = read(LEDGER, text, LEDGER_SUBJECT)
    assert reading.label == "correct"
    assert reading.claims[0].evidence is None
    quoted = with_(PRICE, evidence='Lid: "soft" close', document=" d1\u200b")
    assert read(LEDGER, quoted, LEDGER_SUBJECT).claims[1].document == "d1"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (ledger(GREETING, PRICE), "claim 3 has no entry"),
        (ledger(), "claim 1 has no entry"),
        (ledger(GREETING, PRICE, WARRANTY, PRICE), "claim 2 has two entries"),
        (with_(WARRANTY, n=4), "from 1 to 3"),
        (with_(WARRANTY, n=0), "from 1 to 3"),
        (with_(WARRANTY, n="3"), "from 1 to 3"),
        (with_(GREETING, n=True), "from 1 to 3"),
        (with_(PRICE, n=2.0), "from 1 to 3"),
        (with_(PRICE, verdict="true"), "claim 2: verdict must be one of supported"),
        (with_(PRICE, verdict=["supported"]), "claim 2: verdict"),
        (with_(PRICE, verdict=None), "claim 2: verdict"),
        (with_(PRICE, document="d2"), "claim 2: the evidence is not in that document"),
        (with_(PRICE, document="d9"), "claim 2: there is no such document"),
        (with_(PRICE, document=None), "claim 2: supported needs a document"),
        (with_(PRICE, evidence=""), "claim 2: supported needs a document and words"),
        (with_(PRICE, evidence="19.9 USD"), "claim 2: the evidence is not in that document"),
        (with_(PRICE, evidence="price: 19.90 USD"), "claim 2: the evidence is not"),
        (with_(PRICE, evidence="Price: 19.90 USD Lid"), "claim 2: the evidence is not"),
        (with_(PRICE, evidence="\n"), "claim 2: the evidence holds no word"),
        (with_(PRICE, evidence="U"), "claim 2: the evidence is too short"),
        (with_(PRICE, evidence="SD"), "claim 2: the evidence is too short"),
        (with_(PRICE, evidence=" U"), "claim 2: the evidence is too short"),
        (with_(PRICE, evidence=": "), "claim 2: the evidence holds no word"),
        (with_(PRICE, evidence=19.9), "claim 2: evidence must be a text"),
        (with_(GREETING, evidence="19.90 USD"), "claim 1: not_a_claim has no evidence"),
        (with_(GREETING, document="d1"), "claim 1: not_a_claim has no evidence"),
        (with_(WARRANTY, verdict="not_in_documents"), "claim 3: not_in_documents has no evidence"),
        (with_(PRICE, confidence=0.9), "claim 2 has unknown keys"),
        (ledger(GREETING, PRICE, WARRANTY, answers="true"), '"answers" must be true or false'),
        (ledger(GREETING, PRICE, WARRANTY, answers=1), '"answers" must be true or false'),
        (ledger(GREETING, PRICE, WARRANTY, correct=True), "unknown keys"),
        ('{"answers": true, "reason": ""}', '"claims" must be a list'),
        ('{"claims": {}, "answers": true}', '"claims" must be a list'),
        ('{"claims": [1], "answers": true}', '"claims" must be a list'),
        ('{"claims": [[]], "answers": true}', '"claims" must be a list'),
        (ledger(GREETING, PRICE, WARRANTY, reason=3), '"reason" must be a text'),
        ('{"claims": [', "cut off"),
    ],
)
def test_a_breach_of_the_ledger_names_the_claim(text: str, says: str) -> None:
    assert says in unreadable(LEDGER, text, LEDGER_SUBJECT)


@pytest.mark.parametrize(("text", "title"), [("红", "颜色是什么"), (" 9 ", ""), ("see title", "L")])
def test_the_whole_of_a_short_text_or_title_is_evidence(text: str, title: str) -> None:
    subject = Subject("Q", "R", (Evidence("d", "faq", title, text),), claims=("R",))
    words = text.strip() if len(text.strip()) < 3 else title
    entry = {"n": 1, "verdict": "supported", "document": "d", "evidence": words}
    assert read(LEDGER, ledger(entry), subject).label == "correct"


def test_a_reply_without_claims_needs_no_entry() -> None:
    assert read(LEDGER, '{"claims": [], "answers": true}', SUBJECT).label == "abstained"
    assert "from 1 to 0" in unreadable(LEDGER, ledger(GREETING), SUBJECT)


def claims(*verdicts: str) -> list[Claim]:
    return [Claim.model_validate({"text": "x", "verdict": verdict}) for verdict in verdicts]


@pytest.mark.parametrize(
    ("verdicts", "answers", "label"),
    [
        ((), True, "abstained"),
        (("not_a_claim",), True, "abstained"),
        (("not_a_claim",), False, "abstained"),
        (("supported",), True, "correct"),
        (("supported", "not_a_claim"), True, "correct"),
        (("supported",), False, "incorrect"),
        (("supported", "contradicted"), True, "incorrect"),
        (("supported", "not_in_documents"), True, "incorrect"),
        (("not_a_claim", "not_in_documents"), False, "incorrect"),
    ],
)
def test_one_bad_claim_spoils_a_reply_and_silence_is_a_class_of_its_own(
    verdicts: tuple[str, ...], answers: bool, label: str
) -> None:
    assert label_of(claims(*verdicts), answers) == label
    assert label_of(reversed(claims(*verdicts)), answers) == label


# --- schema ----------------------------------------------------------------------------------


def objects(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Every object schema in a schema."""
    inner = [
        *schema.get("properties", {}).values(),
        *([schema["items"]] if "items" in schema else []),
    ]
    found = [one for part in inner for one in objects(part)]
    return [schema, *found] if schema.get("type") == "object" else found


@pytest.mark.parametrize("judge", [JSON, LEDGER], ids=["json", "ledger"])
def test_a_schema_is_closed_and_requires_all(judge: JudgeSpec) -> None:
    schema = schema_of(judge)
    assert schema is not None
    assert objects(schema)
    for one in objects(schema):
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])


def test_a_schema_says_what_the_reader_takes() -> None:
    schema = schema_of(JSON)
    assert schema is not None
    assert schema["properties"] == {"reason": {"type": "string"}, "correct": {"type": "boolean"}}
    words = schema_of(spec({"form": "json", "field": "grade", "reason": ""}, WORDS))
    assert words is not None
    assert words["properties"] == {
        "grade": {"type": "string", "enum": ["CORRECT", "INCORRECT", "not attempted"]}
    }
    mixed = {"yes": {"says": True, "value": 1.0}, "unsure": {"says": "unsure", "value": None}}
    both = schema_of(spec({"form": "json", "field": "f"}, mixed))
    assert both is not None
    assert both["properties"]["f"] == {
        "anyOf": [{"type": "boolean", "enum": [True]}, {"type": "string", "enum": ["unsure"]}]
    }
    assert schema_of(GRADE) is None
