"""The Chinese goods: every template fills, no two properties are confused, and all is Chinese."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from string import Formatter

import pytest

from lt_bench.builders.commerce_qa.en import climate as en_climate
from lt_bench.builders.commerce_qa.en import gadgets as en_gadgets
from lt_bench.builders.commerce_qa.en import kitchen as en_kitchen
from lt_bench.builders.commerce_qa.en import personal as en_personal
from lt_bench.builders.commerce_qa.en import wear as en_wear
from lt_bench.builders.commerce_qa.schema import Attribute, Category, Value
from lt_bench.builders.commerce_qa.zh import climate, gadgets, kitchen, personal, wear
from lt_bench.claims.clauses import read
from lt_bench.claims.evidence import Evidence, evidence_of
from lt_bench.claims.stances import Hearing
from lt_bench.claims.subjects import subjects
from lt_bench.claims.targets import Stance, target_of
from lt_bench.claims.units import unit_named
from lt_bench.records import Document, Example, Fact

CONSTANTS = {
    "AIR_CONDITIONER": (climate, en_climate),
    "HEATER": (climate, en_climate),
    "ROBOT_VACUUM": (climate, en_climate),
    "AIR_FRYER": (kitchen, en_kitchen),
    "COFFEE_MACHINE": (kitchen, en_kitchen),
    "NUT_BOX": (kitchen, en_kitchen),
    "EARBUDS": (gadgets, en_gadgets),
    "POWER_BANK": (gadgets, en_gadgets),
    "OFFICE_CHAIR": (gadgets, en_gadgets),
    "JACKET": (wear, en_wear),
    "SHOES": (wear, en_wear),
    "LEGGINGS": (wear, en_wear),
    "SERUM": (personal, en_personal),
    "BACKPACK": (personal, en_personal),
}
GOODS: tuple[Category, ...] = tuple(getattr(zh, name) for name, (zh, _) in CONSTANTS.items())
each_category = pytest.mark.parametrize("category", GOODS, ids=lambda category: category.name)

COUNTED = {"个", "袋", "种", "度"}
"""Measure words that are no unit of measure to the reader of replies."""
BORROWED = {
    "USB", "Type-C", "C", "ANC", "App", "PD", "A", "D", "PTFE", "Lightning", "IPX", "IP",
    "Switch", "MacBook", "iPad", "W", "L", "kg", "cm", "mm", "ml", "mAh", "Pa", "bar",
    "S", "M", "XL", "XXL",
}  # fmt: skip
CHINESE = re.compile(r"[\u4e00-\u9fff]")
CALLED = ("这款", "9号", "维澜清风")


def quantity(value: Value, unit: str) -> str:
    return value if isinstance(value, str) else f"{value:g}{unit}"


def fields(template: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(template) if name is not None]


def clause(attribute: Attribute, value: Value, it: str) -> str:
    template = attribute.says_no if value is False else attribute.says
    return template.format(it=it, v=quantity(value, attribute.unit))


def values(attribute: Attribute) -> tuple[Value, ...]:
    return (True, False) if attribute.kind == "flag" else tuple(dict.fromkeys(attribute.values))


def questions(category: Category) -> Iterator[str]:
    for attribute in category.attributes:
        yield from (*attribute.asks, *attribute.shorts)
        yield from (ask for _, ask in attribute.leads)
        if attribute.check:
            yield attribute.check.ask
    yield from category.unlisted
    for faq in category.faqs:
        yield from faq.asks


def everything(category: Category) -> Iterator[str]:
    """All that a person may read of a category."""
    yield from (category.noun, category.plural, category.one)
    yield from (*category.forms, *category.colors, *category.reviews, *category.gifts)
    yield from questions(category)
    for a in category.attributes:
        yield from (a.label, a.says, a.says_no, a.wins, a.want, a.unit)
        yield from (v for v in a.values if isinstance(v, str))
        yield from (lead for lead, _ in a.leads)
        yield from (word for words in a.accept.values() for word in words)
        yield a.check.lead if a.check else ""
    for faq in category.faqs:
        yield from (faq.answer, *faq.accept)
    if category.chart:
        yield from (*category.chart.tell, *category.chart.tell_other)


# --- what is there -----------------------------------------------------------------------------


@pytest.mark.parametrize("constant", CONSTANTS)
def test_every_english_category_has_its_chinese_twin(constant: str) -> None:
    zh, en = CONSTANTS[constant]
    mine, twin = getattr(zh, constant), getattr(en, constant)
    assert mine.name == twin.name
    assert (mine.chart is None) == (twin.chart is None)
    ours, theirs = (
        Counter(a.kind for a in c.attributes if a.topic == "compatibility") for c in (mine, twin)
    )
    assert bool(ours) == bool(theirs)


@each_category
def test_a_category_is_rich_enough(category: Category) -> None:
    assert 9 <= len(category.attributes) <= 11
    assert len(category.forms) == 8
    assert 2 <= len(category.faqs) <= 3
    assert (len(category.reviews), len(category.unlisted), len(category.gifts)) == (3, 5, 3)
    assert 0 < category.prices[0] < category.prices[1]
    assert category.one.endswith(category.noun)
    for attribute in category.attributes:
        assert len(attribute.asks) >= 4, attribute.label
        assert len(attribute.shorts) >= 2, attribute.label
        assert len(values(attribute)) >= 2, attribute.label


@each_category
def test_names_are_chinese_labels_and_unique(category: Category) -> None:
    names = [attribute.name for attribute in category.attributes]
    assert len(set(names)) == len(names)
    assert all(CHINESE.search(name) for name in names)
    assert [attribute.label for attribute in category.attributes] == names


def test_model_words_belong_to_one_category_and_are_no_words_of_its_questions() -> None:
    forms = Counter(form for category in GOODS for form in category.forms)
    assert max(forms.values()) == 1
    for category in GOODS:
        text = " ".join(set(everything(category)) - set(category.forms))
        assert [form for form in category.forms if form in text] == []


def test_an_air_conditioner_cools_only_or_heats_too() -> None:
    attribute = next(a for a in climate.AIR_CONDITIONER.attributes if a.name == "功能")
    assert set(attribute.values) == {"冷暖", "单冷"}
    assert attribute.values.count("冷暖") > attribute.values.count("单冷")
    assert attribute.want.format(v="单冷") == "单冷的"


# --- templates ---------------------------------------------------------------------------------


@each_category
@pytest.mark.parametrize("it", CALLED)
def test_every_clause_fills(category: Category, it: str) -> None:
    for attribute in category.attributes:
        assert fields(attribute.says).count("it") == 1, attribute.label
        for value in values(attribute):
            said = clause(attribute, value, it)
            assert said.startswith(it), said
            assert quantity(value, attribute.unit) in said or isinstance(value, bool)
            assert not re.search(r"[{}\s。？！，]", said), said


@each_category
def test_every_question_names_the_product_once_and_has_no_closing_mark(category: Category) -> None:
    for attribute in category.attributes:
        asks = [*attribute.asks, *(ask for _, ask in attribute.leads)]
        asks += [attribute.check.ask] if attribute.check else []
        for ask in asks:
            assert fields(ask) == ["it"], ask
        assert not any(fields(short) for short in attribute.shorts)
        if attribute.check:
            assert fields(attribute.check.lead) == ["n"]
    for question in questions(category):
        assert not re.search(r"[?？.。!！\s]", question), question
    assert all(fields(question) == ["it"] for question in category.unlisted)


@each_category
def test_no_wording_asks_for_two_things(category: Category) -> None:
    owners = {
        **{a.name: (*a.asks, *a.shorts) for a in category.attributes},
        **{f"faq {i}": faq.asks for i, faq in enumerate(category.faqs)},
        **{question: (question,) for question in category.unlisted},
    }
    counted = Counter(ask for asks in owners.values() for ask in set(asks))
    assert [ask for ask, n in counted.items() if n > 1] == []
    assert all(len(set(asks)) == len(asks) for asks in owners.values())


@each_category
def test_a_wish_goes_before_the_noun_and_a_win_after_which(category: Category) -> None:
    for attribute in category.attributes:
        for value in values(attribute):
            wish = attribute.want.format(v=quantity(value, attribute.unit))
            assert not wish or wish.endswith("的"), attribute.label
        assert set(fields(attribute.want)) <= {"v"}
        assert bool(attribute.wins) == (attribute.kind == "number"), attribute.label
        assert not attribute.wins or re.search(r"更|最", attribute.wins), attribute.label


@each_category
def test_yes_and_no_differ_and_the_denial_comes_first(category: Category) -> None:
    for attribute in (a for a in category.attributes if a.kind == "flag"):
        yes, no = (clause(attribute, value, "") for value in (True, False))
        assert yes != no
        assert no[0] in "不没", no
        assert attribute.accept[True][0] == yes
        assert attribute.accept[False][0] == no
        words = [word for both in attribute.accept.values() for word in both]
        assert len(set(words)) == len(words)
        assert not re.search(r"[{}]", "".join(words))


@each_category
def test_a_yes_or_no_question_is_no_choice(category: Category) -> None:
    for attribute in (a for a in category.attributes if a.kind == "flag"):
        asked = (*attribute.asks, *attribute.shorts, *(ask for _, ask in attribute.leads))
        assert [ask for ask in asked if "还是" in ask] == []


@each_category
def test_only_usual_borrowings_are_not_chinese(category: Category) -> None:
    latin = {
        word
        for text in everything(category)
        for word in re.findall(r"Type-C|[A-Za-z]+", re.sub(r"\{\w+\}", " ", text))
    }
    assert latin <= BORROWED


# --- numbers -----------------------------------------------------------------------------------


@each_category
def test_units_are_known_and_no_two_properties_share_a_measured_value(category: Category) -> None:
    measures = [a for a in category.attributes if a.kind == "number"]
    assert all(unit_named(a.unit) or a.unit in COUNTED for a in measures)
    for one, other in combinations(measures, 2):
        alike = one.unit == other.unit or {one.unit, other.unit} & COUNTED
        shared = set(one.values) & set(other.values)
        assert not (alike and shared), (one.name, other.name, shared)


@each_category
def test_reviews_hold_no_figure(category: Category) -> None:
    assert not [text for text in category.reviews if re.search(r"\d", text)]


@each_category
def test_the_words_that_count_stand_in_the_faq_answer(category: Category) -> None:
    for faq in category.faqs:
        assert faq.key in faq.answer
        assert faq.answer.endswith("。")
        assert len(faq.asks) >= 3
        assert faq.accept
        others = [other for other in category.faqs if other is not faq]
        assert not [other for other in others if faq.key in other.answer]


@pytest.mark.parametrize("category", [wear.JACKET, wear.SHOES, wear.LEGGINGS])
def test_a_chart_rises_without_overlap(category: Category) -> None:
    chart = category.chart
    assert chart
    for size in chart.sizes:
        assert [measure for measure, _, _ in size.ranges] == list(chart.units)
        # a measure is told at least 2 away from both ends
        assert all(high - low >= 4 for _, low, high in size.ranges)
        assert f"{size.name}码" in size.accept
    for smaller, larger in pairwise(chart.sizes):
        for (_, _, high), (_, low, _) in zip(smaller.ranges, larger.ranges, strict=True):
            assert low == high + 1
    for tell in (*chart.tell, *chart.tell_other):
        assert sorted(fields(tell)) == sorted(chart.units), tell
    assert len(chart.tell) >= 4
    assert len(chart.tell_other) >= 3


# --- as the scorer reads it --------------------------------------------------------------------


@pytest.fixture(scope="module")
def nothing() -> Evidence:
    """One product, of which nothing is known but its name and slot."""
    document = Document(
        id="product-57", kind="product", title="维澜清风 K12", text="57号：维澜清风 K12", slot=57
    )
    return evidence_of(
        Example(id="1", task="commerce_qa", question="57号", documents=(document,), group="1")
    )


def heard(said: str, attribute: Attribute, value: Value, evidence: Evidence) -> Stance:
    """What the scorer takes `said` to tell of an attribute that has `value`."""
    accept = attribute.accept.get(value, ())
    if attribute.kind == "number":
        accept = (quantity(value, attribute.unit),)
    fact = Fact(
        document="product-57",
        path=attribute.path,
        value=value,
        unit=attribute.unit or None,
        accept=accept,
    )
    clauses = read(f"{said}。").clauses
    told = tuple(subjects(clauses, evidence))
    return Hearing(clauses, told).stance(target_of(fact, evidence))


@each_category
def test_a_clause_states_its_own_value_and_no_other(category: Category, nothing: Evidence) -> None:
    for attribute in category.attributes:
        for value in values(attribute):
            said = clause(attribute, value, "57号")
            assert heard(said, attribute, value, nothing) == "stated", said
            for other in values(attribute):
                if other != value:
                    assert heard(said, attribute, other, nothing) != "stated", (said, other)


@each_category
def test_a_clause_tells_nothing_of_another_property(category: Category, nothing: Evidence) -> None:
    told = [(a, clause(a, value, "57号")) for a in category.attributes for value in values(a)]
    wrong = [
        (said, attribute.name, value)
        for attribute in category.attributes
        for value in values(attribute)
        for about, said in told
        if about is not attribute and heard(said, attribute, value, nothing) != "absent"
    ]
    assert wrong == []


@each_category
def test_other_words_for_a_value_do_not_state_another(
    category: Category, nothing: Evidence
) -> None:
    for attribute in category.attributes:
        for value, words in attribute.accept.items():
            for word in words:
                assert heard(f"57号{word}", attribute, value, nothing) == "stated", word
                for other in values(attribute):
                    if other != value:
                        assert heard(f"57号{word}", attribute, other, nothing) != "stated", word
