"""What a strict reader would trip over in a row: sold-out goods, scripts, stock, silent sheets."""

from __future__ import annotations

import re

import pytest

from lt_bench.builders.commerce_qa import CommerceQA, Row
from lt_bench.builders.commerce_qa.builder import LANGUAGES
from lt_bench.builders.commerce_qa.zh.traditional import traditional
from lt_bench.records import FactsGold


@pytest.fixture(scope="module", params=["en", "zh"])
def rows(request: pytest.FixtureRequest) -> list[Row]:
    return list(CommerceQA({"lang": request.param}).rows("train", 700, 8))


def gold(row: Row) -> FactsGold:
    assert isinstance(row.example.gold, FactsGold)
    return row.example.gold


def availability(row: Row) -> str:
    return str(row.moment.scene.target.product.data["offers"]["availability"])


def test_a_reply_on_sold_out_goods_says_so(rows: list[Row]) -> None:
    checked = 0
    for row in rows:
        plan = row.moment.plan
        if availability(row) != "OutOfStock" or plan.other or not plan.about_one:
            continue
        asked = any(fact.value == "OutOfStock" for fact in plan.required)
        assert asked or row.spoken.added.sold_out, row.reply
        paths = " ".join(fact.path for fact in gold(row).helpful)
        assert not re.search("shippingDetails|Return|addOn|priceSpecification", paths)
        checked += 1
    assert checked > 15


def test_what_is_recommended_can_be_had_at_once(rows: list[Row]) -> None:
    picked = [row for row in rows if row.moment.plan.intent == "recommendation"]
    assert len(picked) > 20
    assert {availability(row) for row in picked} <= {"InStock", "LimitedAvailability"}


def test_no_more_variants_are_in_stock_than_pieces_are_left(rows: list[Row]) -> None:
    for row in rows:
        for document in row.example.documents:
            offer = document.product["offers"] if document.product else {}
            variants = document.product.get("hasVariant", ()) if document.product else ()
            there = [v for v in variants if v["offers"]["availability"] == "InStock"]
            if there:
                assert 1 <= len(there) <= offer["inventoryLevel"]["value"]


def test_a_pre_order_takes_longer_than_the_rest(rows: list[Row]) -> None:
    for row in rows:
        goods = [listing.product.data["offers"] for listing in row.moment.scene.room.listings]
        days = {
            stock: min(o["shippingDetails"]["deliveryTime"]["minValue"] for o in goods
                       if (o["availability"] == "PreOrder") == stock)
            for stock in {o["availability"] == "PreOrder" for o in goods}
        }  # fmt: skip
        assert len(days) < 2 or days[True] >= days[False] + 10


def test_a_silent_sheet_forbids_yes_and_no(rows: list[Row]) -> None:
    checked = 0
    for row in rows:
        values = [fact.value for fact in gold(row).forbidden]
        if gold(row).answerability != "full" and {True, False} & {
            v for v in values if v is True or v is False
        }:
            assert values == [True, False]
            checked += 1
    assert checked > 10


def test_a_line_up_without_such_a_one_is_all_alike(rows: list[Row]) -> None:
    checked = 0
    for row in rows:
        if "premise:lineup" not in row.example.tags:
            continue
        path = gold(row).required[0].path
        scene = row.moment.scene
        attribute = next(a for a in scene.room.category.attributes if a.path == path)
        assert len({one.product.values[attribute.name] for one in scene.retrieved}) == 1
        checked += 1
    assert checked > 10


def test_the_host_speaks_last_of_what_is_on_show(rows: list[Row]) -> None:
    for row in rows:
        said = [u.content for u in row.example.history if u.role == "host"]
        assert str(row.moment.shown.slot) in said[-1] or row.moment.shown.product.form in said[-1]


def test_a_question_in_full_is_that_of_the_words_typed() -> None:
    """Who pays is not whether it is free."""
    checked = 0
    for row in CommerceQA({"lang": "en"}).rows("train", 4000, 8):
        if re.search(r"who pays returns", row.example.question, re.IGNORECASE):
            assert gold(row).resolved_question.startswith("Who pays")
            checked += 1
        if checked > 2:
            return
    raise AssertionError("nobody asks who pays")


def test_traditional_script_leaves_no_simplified_character() -> None:
    """Big5 holds none of those that only the simplified script has."""
    language = LANGUAGES["zh"][0]
    typed = ("ask", "short", "mixed", "ref", "lead", "filler", "join")
    words = [w for p, texts in language.phrases.items() if p.startswith(typed) for w in texts]
    words += [
        text for c in language.categories for a in c.attributes for text in (*a.asks, *a.shorts)
    ]
    words += [form for c in language.categories for form in c.forms]
    for text in words:
        plain = "".join(re.findall(r"[\u4e00-\u9fff]", traditional(text)))
        plain.encode("big5")


def test_a_viewer_writes_one_script() -> None:
    mixed = 0
    for row in CommerceQA({"lang": "zh"}).rows("train", 3000, 8):
        asked, lead = row.example.question, row.moment.asked.lead
        if lead and "noise:typos" in row.example.tags and re.search("[這嗎號錢幾]", asked):
            assert lead == traditional(lead)
            mixed += 1
        if mixed > 2:
            return
    raise AssertionError("nobody writes the traditional script")
