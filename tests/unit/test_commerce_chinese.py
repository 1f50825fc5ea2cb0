"""Chinese rows of commerce_qa: what viewers type, gold that stands in the evidence, replies."""

from __future__ import annotations

import re
import unicodedata

import pytest

from lt_bench.builders.commerce_qa import CommerceQA, Row
from lt_bench.builders.commerce_qa.builder import plain
from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.noise import typed
from lt_bench.builders.commerce_qa.zh import CHINESE, wording
from lt_bench.claims.paths import value_at
from lt_bench.records import Document, Example, Fact, FactsGold

FOREIGN = re.compile(r"[A-Za-z]{3,}")


@pytest.fixture(scope="module")
def train() -> list[Row]:
    return list(CommerceQA({"lang": "zh"}).rows("train", 800, 0))


@pytest.fixture(scope="module")
def test_rows() -> list[Row]:
    return list(CommerceQA({"lang": "zh"}).rows("test", 400, 0))


def gold(row: Row) -> FactsGold:
    assert isinstance(row.example.gold, FactsGold)
    return row.example.gold


def document(example: Example, fact: Fact) -> Document:
    return next(d for d in example.documents if d.id == fact.document)


def tagged(rows: list[Row], tag: str) -> list[Row]:
    return [row for row in rows if tag in row.example.tags]


def test_every_fact_is_found_at_its_path_and_on_the_sheet(train: list[Row]) -> None:
    checked = 0
    for row in train:
        for fact in (*gold(row).required, *gold(row).helpful):
            found = document(row.example, fact)
            there = value_at(found, fact.path)
            if fact.path == "text":
                assert str(fact.value) in str(there)
                continue
            assert there == fact.value
            assert type(there) is type(fact.value)
            if not isinstance(fact.value, (bool, str)):
                digits = (f"{fact.value:g}", f"{fact.value}", f"{fact.value:.2f}", "包邮")
                assert any(form in found.text for form in digits), (fact, found.text)
                assert not fact.unit or fact.unit == "CNY" or fact.unit in found.text
            checked += 1
    assert checked > 6_000


def test_forbidden_facts_are_false(train: list[Row]) -> None:
    forbidden = [(row, fact) for row in train for fact in gold(row).forbidden]
    assert len(forbidden) > 150
    for row, fact in forbidden:
        assert value_at(document(row.example, fact), fact.path) != fact.value


def test_the_sheet_is_chinese_and_starts_with_the_slot(train: list[Row]) -> None:
    for row in train[:200]:
        for sheet in (d for d in row.example.documents if d.product):
            lines = sheet.text.split("\n")
            assert lines[0] == f"{sheet.slot}号：{sheet.title}"
            price = sheet.product["offers"]["price"]  # type: ignore[index]
            assert lines[1] == f"价格：{price:.2f}元"
            assert all("：" in line for line in lines)


def test_cooling_only_is_asked_where_every_listed_one_heats_too() -> None:
    """The case of the paper: no relabelling, no invented product."""
    rows = (
        row
        for row in CommerceQA({"lang": "zh"}).rows("train", 8000, 0)
        if "premise:lineup" in row.example.tags
        and any(f.value == "单冷" for f in gold(row).forbidden)
    )
    row = next(rows)
    sheets = [d.text for d in row.example.documents if d.kind == "product"]
    assert all("功能：冷暖" in sheet for sheet in sheets)
    assert [f.value for f in gold(row).required] == ["冷暖"]
    assert "单冷" in gold(row).resolved_question


def test_body_data_lie_in_the_size_that_gold_names(train: list[Row]) -> None:
    checked = 0
    for row in tagged(train, "intent:sizing"):
        if "noise:other_units" in row.example.tags:
            continue
        told = re.findall(r"(\d+)(cm|kg|mm)", gold(row).resolved_question)
        chart = document(row.example, gold(row).required[0]).product["size"]  # type: ignore[index]
        places = []
        for value, unit in told:
            fitting = [
                i
                for i, size in enumerate(chart)
                for m in size["suggestedMeasurement"]
                if m["unitText"] == unit and m["minValue"] <= int(value) <= m["maxValue"]
            ]
            places.append(fitting)
        best = max(max(fitting) for fitting in places)
        assert chart[best]["name"] == gold(row).required[0].value
        checked += 1
    assert checked > 25


def test_splits_share_no_product_brand_room_or_question(
    train: list[Row], test_rows: list[Row]
) -> None:
    def parts(rows: list[Row]) -> list[set[str]]:
        goods = [d for row in rows for d in row.example.documents if d.product]
        return [
            {d.title for d in goods},
            {d.product["brand"]["name"] for d in goods if d.product},
            {row.example.group for row in rows},
            {plain(row.example.question) for row in rows},
        ]

    validation = list(CommerceQA({"lang": "zh"}).rows("validation", 200, 0))
    for one, other in ((train, test_rows), (train, validation), (test_rows, validation)):
        for mine, theirs in zip(parts(one), parts(other), strict=True):
            assert not mine & theirs


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("价格？", "价格"),
        ("价格？？？", " 价格。。"),
        ("9号 多少钱", "９号多少钱？"),
        ("多少钱😍", "多少钱[比心]".replace("[比心]", "～")),
        ("这个Price多少", "这个 price 多少!!"),
    ],
)
def test_f91_marks_width_spaces_case_and_emoji_make_no_other_question(one: str, other: str) -> None:
    assert plain(one) == plain(other)


def test_other_words_are_another_question() -> None:
    texts = ["9号多少钱", "8号多少钱", "多少钱", "券后多少钱", "9号多重"]
    assert len({plain(text) for text in texts}) == len(texts)


def test_slips_keep_numbers_and_names() -> None:
    text = "9号链接还是第12个，维澜清风的价格是不是1299元，现在有货吗"
    names = frozenset(("维澜", "清风", "x120", "空调"))
    seen = set()
    for n in range(600):
        rough = typed(text, CHINESE, Draw("slips", n), names)
        assert rough != CHINESE.question(text)
        folded = unicodedata.normalize("NFKC", rough)
        assert re.findall(r"\d+", folded) == ["9", "12", "1299"]
        assert "维澜" in rough
        assert "清风" in rough or "清風" in rough
        seen.add(rough)
    assert len(seen) > 60


def test_replies_history_and_questions_are_chinese(train: list[Row]) -> None:
    """Latin words are those of goods, of a switch to English, and of chat."""
    known = set()
    for category in CHINESE.categories:
        known |= {word.lower() for word in FOREIGN.findall(repr(category))}
    known |= {word.lower() for word in FOREIGN.findall(repr(CHINESE.phrases["names.viewer"]))}
    known |= {word.lower() for word in FOREIGN.findall(repr(CHINESE.phrases["names.host"]))}
    for row in train:
        words = FOREIGN.findall(row.reply + gold(row).resolved_question)
        assert {word.lower() for word in words} <= known | {"wifi"}, row.reply
        assert "  " not in row.reply
        assert not re.search(r"[，。：！？]{2}|[?!,]", row.reply), row.reply


def test_no_placeholder_is_left_anywhere(train: list[Row]) -> None:
    for row in train:
        texts = [row.example.question, row.reply, gold(row).resolved_question]
        texts += [u.content for u in row.example.history] + [d.text for d in row.example.documents]
        assert not [text for text in texts if "{" in text or "}" in text or not text.strip()]


def test_slots_are_called_in_the_ways_of_a_live_room(train: list[Row]) -> None:
    asked = " ".join(row.example.question for row in tagged(train, "noise:slot_number"))
    for form in (
        r"\d号",
        r"\d号链接",
        r"[一二三四五六七八九十]号",
        r"#\d",
        r"第\d+个",
        r"号，不对，",
    ):
        assert re.search(form, asked), form


def test_other_units_are_those_of_viewers(train: list[Row]) -> None:
    rows = tagged(train, "noise:other_units")
    typed_in = " ".join(gold(row).resolved_question for row in rows)
    assert len(rows) >= 10
    assert re.search(r"一米[一二三四五六七八九]", typed_in)
    assert re.search(r"\d斤", typed_in)


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (168, "cm", "一米六八"),
        (170, "cm", "一米七"),
        (205, "cm", "两米零五"),
        (70, "cm", "2尺1"),
        (8.8, "cm", "8.8公分"),
        (245, "mm", "24.5厘米"),
        (55, "kg", "110斤"),
        (0.6, "kg", "1.2斤"),
        (500, "克", "1斤"),
        (350, "g", "7两"),
        (333, "g", None),
        (25, "㎡", "25平"),
        (20000, "mAh", "2万毫安"),
        (-12, "℃", "零下12度"),
        (120, "分钟", "2个小时"),
        (24, "个月", "2年"),
        (30, "分贝", None),
    ],
)
def test_amounts_in_the_units_of_viewers(value: float, unit: str, said: str | None) -> None:
    assert wording.convert(value, unit) == said


@pytest.mark.parametrize(
    ("number", "said"),
    [(1, "一"), (9, "九"), (10, "十"), (11, "十一"), (20, "二十"), (42, "四十二"), (60, "六十")],
)
def test_slot_numbers_in_words(number: int, said: str) -> None:
    assert wording.spelled(number) == said


def test_quantities_money_days_and_discounts_as_they_are_said() -> None:
    assert wording.quantity(30, "小时") == "30小时"
    assert wording.quantity(1.6, "kg") == "1.6kg"
    assert wording.quantity(20000, "mAh") == "20000mAh"
    assert wording.quantity(True, "") == "是"
    assert wording.money(1299.0, "CNY") == "1299元"
    assert wording.money(89.9, "CNY") == "89.9元"
    assert wording.day("2026-03-31") == "3月31日"
    assert [wording.discount(n) for n in (5, 15, 20, 50)] == ["9.5折", "8.5折", "8折", "5折"]
    assert wording.variant("黑色", "XL") == "黑色XL码"
    assert wording.variant("黑色", "") == "黑色"
