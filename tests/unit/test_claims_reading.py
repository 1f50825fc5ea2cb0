"""How a reply is read: clauses, negation, abstention, subjects, and wordings of facts."""

from __future__ import annotations

import pytest

from lt_bench.claims.abstention import abstention
from lt_bench.claims.clauses import read
from lt_bench.claims.evidence import evidence_of
from lt_bench.claims.phrases import phrase, says
from lt_bench.claims.stock import stock_state
from lt_bench.claims.subjects import subjects
from lt_bench.claims.targets import label_of
from lt_bench.records import Document, Example

MISSING = [
    "The sheet doesn't say.",
    "That's not listed.",
    "It isn't mentioned anywhere on the page.",
    "I don't have that information, sorry.",
    "There's no information on that.",
    "I'm not sure.",
    "I can't confirm that.",
    "I don't know.",
    "I couldn't find the fill power on the sheet.",
    "The page says nothing about it.",
    "Unspecified.",
    "Nothing here says whether it does.",
    "资料里没有写。",
    "不清楚。",
    "暂无相关信息。",
]
SAID = [
    "It's sold out.",
    "It's not waterproof.",
    "It has no app.",
    "You can't go wrong with it.",
    "Sorry, it's $99.",
    "It doesn't come with a case.",
    "No, it does not heat.",
    "It's not available in red.",
    "I know you'll like it.",
    "Sure, 48 dB.",
    "没有货了。",
    "不防水。",
]


@pytest.mark.parametrize("text", MISSING)
def test_f54_missing_information_is_an_abstention(text):
    assert abstention(read(text).clauses).missing


@pytest.mark.parametrize("text", SAID)
def test_a_negative_answer_is_no_abstention(text):
    assert not abstention(read(text).clauses).any


@pytest.mark.parametrize("text", ["I can't help with that.", "Please contact our customer service.", "As an AI I have no view.", "I can only talk about the products."])  # fmt: skip
def test_evasion_is_a_refusal(text):
    assert abstention(read(text).clauses).any


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is waterproof.", True),
        ("It is not waterproof.", False),
        ("It isn't waterproof.", False),
        ("It is not only waterproof.", True),
        ("It's never been waterproof", False),
        ("It does not heat but it is waterproof.", True),
        ("No worries, waterproof it is.", True),
        ("If you want waterproof, look elsewhere.", None),
        ("You asked for waterproof.", None),
        ("Is it waterproof?", None),
        ("It is red.", None),
    ],
)
def test_negation_and_wishes_decide_what_is_said(text, expected):
    answers = {says(c, phrase("waterproof")) for c in read(text).clauses if c.asserts} - {None}
    assert answers == ({expected} if expected is not None else set())


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("it's in stock", "in"),
        ("it is still available", "in"),
        ("only 3 left", "in"),
        ("it's sold out", "out"),
        ("it's out of stock", "out"),
        ("it isn't available right now", "out"),
        ("it is not in stock", "out"),
        ("it's not sold out", "in"),
        ("it's on pre-order", "preorder"),
        ("it's available in red", None),
        ("有现货", "in"),
        ("卖完了", "out"),
    ],
)
def test_availability_in_words(text, state):
    assert stock_state(read(text).clauses[-1]) == state


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("offers.price", {"price"}),
        ("weight.value", {"weight"}),
        ("additionalProperty[name=noise_level].value", {"nois", "level"}),
        ("offers.hasMerchantReturnPolicy.merchantReturnDays", {"merchant", "return", "day"}),
        ("text", set()),
    ],
)
def test_a_path_tells_what_it_is_about(path, label):
    assert label_of(path) == label


def _room():
    names = (("Norvik Breeze", 1), ("Tarn Cove", 2), ("Norvik Gale", 3))
    documents = tuple(
        Document(id=f"d{slot}", kind="product", title=name, text=f"No. {slot}: {name} air conditioner", product={"name": name}, slot=slot)
        for name, slot in names
    )  # fmt: skip
    return evidence_of(
        Example(id="x", task="commerce_qa", question="?", documents=documents, group="g")
    )


@pytest.mark.parametrize(
    ("text", "products"),
    [
        ("The Breeze is light.", {0}),
        ("the norvik breeze is light", {0}),
        ("No. 2 is light.", {1}),
        ("#3 is light", {2}),
        ("It is light.", set()),
        ("The Cove is lighter than the Breeze.", {1}),
        ("Both are light.", set()),
        ("Norvik makes it.", set()),
    ],
)
def test_subject_of_a_sentence(text, products):
    assert subjects(read(text).clauses, _room())[-1].products == products


def test_a_name_holds_until_the_next_one():
    told = subjects(read("The Breeze is light. It costs $5. The Cove costs $6.").clauses, _room())
    assert [set(subject.products) for subject in told] == [{0}, {0}, {1}]


def test_every_clause_keeps_its_place_in_the_reply():
    reply = read("  Yes,   it's $1,299.00 - and  it “ships” in 3 days (free)!  ")
    assert all(reply.folded[c.start : c.end] == c.text for c in reply.clauses)
    assert all(reply.written(clause) in reply.raw for clause in reply.clauses)
