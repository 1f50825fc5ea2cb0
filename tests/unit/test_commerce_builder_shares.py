"""How often each phenomenon occurs, how short the comments are, and how much they vary."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from lt_bench.builders.commerce_qa import CommerceQA, Row
from lt_bench.builders.commerce_qa.builder import LANGUAGES
from lt_bench.records import Example

SHARES = {
    "noise:ellipsis": 45,
    "noise:slot_number": 25,
    "noise:typos": 35,
    "noise:filler": 25,
    "noise:split": 20,
    "noise:interleaved": 30,
    "noise:no_evidence": 15,
    "noise:wrong_premise": 10,
}
SIZE = 3000
SPELLED = {language.spelled(n) for language in LANGUAGES["mix"] for n in range(1, 61)}


@pytest.fixture(scope="module")
def mix() -> list[Example]:
    return list(CommerceQA({"lang": "mix"}).build("train", SIZE, 0))


@pytest.fixture(scope="module", params=["en", "zh", "mix"])
def examples(request: pytest.FixtureRequest, mix: list[Example]) -> list[Example]:
    """The rows of one language in a mix are those of the language alone."""
    return mix if request.param == "mix" else [row for row in mix if row.lang == request.param]


def share(examples: list[Example], *tags: str) -> float:
    return 100 * sum(bool({*tags} & {*row.tags}) for row in examples) / len(examples)


def test_every_share_is_near_that_of_the_card(examples: list[Example]) -> None:
    """Within two points, and within three in half of the rows."""
    near = 2 if len(examples) == SIZE else 3
    off = {tag: share(examples, tag) - wanted for tag, wanted in SHARES.items()}
    off["foreign"] = share(examples, "noise:code_switch", "noise:other_units") - 10
    assert {tag: points for tag, points in off.items() if abs(points) > near} == {}


def test_question_texts_vary(examples: list[Example]) -> None:
    texts = Counter(row.question for row in examples)
    assert len(texts) >= 0.5 * len(examples)
    assert max(texts.values()) <= 0.01 * len(examples)
    assert all(text.strip() for text in texts)


def test_about_a_third_of_the_comments_is_as_short_as_live_comments_are(
    examples: list[Example],
) -> None:
    """Four words, or six characters of Chinese without the marks."""
    short = {"en": 0, "zh": 0}
    for row in examples:
        if row.lang == "en":
            short["en"] += len(row.question.split()) <= 4
        else:
            short["zh"] += len(re.findall(r"\w", row.question)) <= 6
    for lang, rows in Counter(row.lang for row in examples).items():
        assert 0.29 <= short[lang] / rows <= 0.42, lang


def test_what_a_tag_names_shows_in_the_row(examples: list[Example]) -> None:
    for row in examples:
        shown = [said for said in row.history if said.role == "host" and _shows(row, said.content)]
        own = [said.content for said in row.history if said.name == row.viewer]
        typed = " ".join((*own, row.question))
        assert len(own) == ("noise:split" in row.tags)
        assert (len(shown) >= 2) >= ("noise:topic_shift" in row.tags)
        if "noise:slot_number" in row.tags:
            assert re.search(r"\d", typed) or any(word in typed.lower() for word in SPELLED), typed
        if "noise:code_switch" in row.tags and row.lang == "zh":
            assert re.search(r"[a-z]{2}", typed), typed


def _shows(row: Example, said: str) -> bool:
    return any(f"{d.slot}" in said for d in row.documents if d.slot is not None)


def test_gold_tells_a_lookup_from_a_comparison() -> None:
    rows: list[Row] = list(CommerceQA({"lang": "mix"}).rows("train", 400, 1))
    facts = {
        kind: {t for row in rows if f"intent:{kind}" in row.example.tags for t in row.example.tags}
        for kind in ("price", "comparison")
    }
    assert "facts:1" in facts["price"]
    assert "facts:2" not in facts["price"]
    assert "facts:2" in facts["comparison"]
    assert "facts:1" not in facts["comparison"]
