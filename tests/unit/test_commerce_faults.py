"""Mutators: each makes the fault it names, nothing else, and labels it as its docstring says."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

import pytest

from lt_bench.builders.commerce_qa import CommerceQA, Row
from lt_bench.builders.commerce_qa.builder import LANGUAGES
from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.en import ENGLISH
from lt_bench.builders.commerce_qa.faults import BAD, FAULTS, GOOD, Mutant
from lt_bench.builders.commerce_qa.faults.counterfactual import with_value
from lt_bench.builders.commerce_qa.faults.host import host_of
from lt_bench.builders.commerce_qa.faults.invented import low_price
from lt_bench.builders.commerce_qa.faults.told import PRICE, SIZE, VARIANT, told
from lt_bench.builders.commerce_qa.faults.values import false_value, figures_of, near, overlap
from lt_bench.builders.commerce_qa.faults.wrong import false_answer
from lt_bench.builders.commerce_qa.language import Language
from lt_bench.claims.paths import value_at
from lt_bench.records import FactsGold

SPOKEN = {lang: found[0] for lang, found in LANGUAGES.items() if lang != "mix"}
ADDING = {"wrong_value", "wrong_unit", "wrong_product", "invented_attribute"} | {
    "unsupported_alternative", "missed_wrong_premise", "needless_guess",
}  # fmt: skip
SILENT = {"evasive", "off_topic", "needless_refusal"}


@pytest.fixture(scope="module", params=sorted(SPOKEN))
def rows(request: pytest.FixtureRequest) -> list[Row]:
    return list(CommerceQA({"lang": request.param}).rows("validation", 260, 3))


def made(row: Row, *, seed: int = 0) -> dict[str, Mutant]:
    mutants = ((n, make(row, Draw(seed, row.example.id, n))) for n, make in FAULTS.items())
    return {name: mutant for name, mutant in mutants if mutant}


_MADE: dict[tuple[str, str, int], dict[str, Mutant]] = {}


def mutants(row: Row, *, seed: int = 0) -> dict[str, Mutant]:
    """Those of a row of the fixture, made once."""
    key = (row.example.lang, row.example.id, seed)
    if key not in _MADE:
        _MADE[key] = made(row, seed=seed)
    return _MADE[key]


def gold(row: Row) -> FactsGold:
    assert isinstance(row.example.gold, FactsGold)
    return row.example.gold


def with_tag(rows: list[Row], tag: str) -> list[Row]:
    return [row for row in rows if tag in row.example.tags]


# --- labels ----------------------------------------------------------------------------------


def test_good_mutants_are_labelled_correct_and_bad_ones_are_not(rows: list[Row]) -> None:
    for row in rows:
        for name, mutant in mutants(row).items():
            assert mutant.fault == name
            assert mutant.correct == (name in GOOD)
    assert not set(GOOD) & set(BAD)


def test_faults_that_speak_to_the_question_are_helpful_half_the_time(rows: list[Row]) -> None:
    helpful: dict[str, Counter[bool]] = {name: Counter() for name in FAULTS}
    for row in rows:
        for seed in range(2):
            for name, mutant in mutants(row, seed=seed).items():
                helpful[name][mutant.helpful] += 1
    for name in ADDING:
        share = helpful[name][True] / sum(helpful[name].values())
        assert 0.2 <= share <= 0.7, (name, share)
    for name in (*SILENT, "unhelpful_but_correct"):
        assert helpful[name][True] == 0
    for name in ("reference", "reworded"):
        assert helpful[name][False] == 0


def test_a_fault_is_none_where_it_does_not_fit(rows: list[Row]) -> None:
    for row in rows:
        fitting, plan = mutants(row), row.moment.plan
        assert ("missed_wrong_premise" in fitting) == (plan.intent == "wrong_premise")
        assert ("needless_refusal" in fitting) == (plan.answerability != "none")
        assert plan.answerability != "full" or "needless_guess" not in fitting
        assert plan.intent != "off_topic" or not {"evasive", "off_topic"} & set(fitting)
        assert plan.required or not {"wrong_unit", "wrong_product"} & set(fitting)


def test_every_fault_fits_enough_rows(rows: list[Row]) -> None:
    fitting = Counter(name for row in rows for name in mutants(row))
    assert set(fitting) == set(FAULTS)
    assert fitting["missed_wrong_premise"] >= 0.05 * len(rows)
    for name in set(FAULTS) - {"missed_wrong_premise", "needless_guess"}:
        assert fitting[name] >= 0.2 * len(rows), name


# --- sameness --------------------------------------------------------------------------------


def test_equal_draws_make_equal_mutants(rows: list[Row]) -> None:
    for row in rows[:40]:
        assert made(row) == made(row) == mutants(row)


def test_making_mutants_leaves_the_rows_as_they_are(rows: list[Row]) -> None:
    lang = rows[0].example.lang
    for fresh, known in zip(
        CommerceQA({"lang": lang}).rows("validation", 40, 3), rows, strict=False
    ):
        before = fresh.example.model_dump_json()
        made(fresh)
        assert fresh.example.model_dump_json() == before == known.example.model_dump_json()
        assert fresh.reply == known.reply


def test_replies_are_whole_sentences_without_gaps(rows: list[Row]) -> None:
    for row in rows:
        for name, mutant in mutants(row).items():
            assert not re.search(r"[{}]|  |^\s|\s$|None|\.\.|。。|,\.", mutant.reply), (
                name,
                mutant,
            )
            assert mutant.reply[-1] in ".!?。！？", (name, mutant.reply)


def test_bad_replies_differ_from_the_reference(rows: list[Row]) -> None:
    for row in rows:
        for name, mutant in mutants(row).items():
            if name != "reference":
                assert mutant.reply != row.reply, name


# --- falsehood -------------------------------------------------------------------------------


def test_a_wrong_value_is_no_other_figure_of_the_sheet(rows: list[Row]) -> None:
    checked = 0
    for row in rows:
        scene, taken = row.moment.scene, figures_of(row.moment.scene.target.document.text)
        for fact in told(row.moment.plan, scene):
            if isinstance(fact.value, (bool, str)) or fact.listing is not scene.target:
                continue
            false = false_value(fact.listing, fact.path, fact.value, Draw(row.example.id))
            assert false is None or float(false) not in taken
            checked += false is not None
    assert checked >= 40


def test_a_wrong_value_leaves_no_true_one_in_the_answer(rows: list[Row]) -> None:
    checked = 0
    for row in rows:
        plan, scene = row.moment.plan, row.moment.scene
        facts = told(plan, scene)
        answer = false_answer(host_of(row, Draw(row.example.id)))
        if answer is None or len(facts) != 1:
            continue
        fact = facts[0]
        assert fact.clause not in answer
        if not isinstance(fact.value, bool) and not VARIANT.fullmatch(fact.path):
            said = scene.language.quantity(fact.value, fact.unit or "")
            assert not re.search(rf"(?<![\w.]){re.escape(said)}(?![\w.])", answer), answer
            checked += 1
    assert checked >= 40


def test_a_wrong_unit_keeps_the_figure_and_changes_the_measure(rows: list[Row]) -> None:
    checked = 0
    for row in rows:
        mutant, language = mutants(row).get("wrong_unit"), row.moment.scene.language
        facts = told(row.moment.plan, row.moment.scene)
        if not mutant or len(facts) != 1 or mutant.helpful:
            continue
        fact = facts[0]
        assert fact.unit
        assert not isinstance(fact.value, (str, bool))
        spoken = language.quantity(fact.value, fact.unit)
        spoken = language.money(float(fact.value), fact.unit) if fact.is_money else spoken
        assert spoken not in mutant.reply
        assert abs(float(fact.value)) in figures_of(mutant.reply)
        checked += 1
    assert checked >= 10


def test_a_wrong_unit_is_never_the_same_amount_in_other_words() -> None:
    for language in SPOKEN.values():
        for purpose, units in language.phrases.items():
            if purpose.startswith("fault.unit."):
                unit = purpose.removeprefix("fault.unit.")
                assert all(
                    wording.format(n="24") not in language.quantity(24, unit) for wording in units
                )


def test_a_wrong_premise_is_agreed_with(rows: list[Row]) -> None:
    agreed = 0
    for row in with_tag(rows, "intent:wrong_premise"):
        mutant = mutants(row)["missed_wrong_premise"]
        for fact in gold(row).required:
            language = row.moment.scene.language
            if not isinstance(fact.value, (str, bool)) and not mutant.helpful:
                spoken = language.quantity(fact.value, fact.unit or "")
                assert not re.search(rf"(?<![\w.]){re.escape(spoken)}(?![\w.])", mutant.reply)
                agreed += 1
    assert agreed >= 3


def test_the_wrong_recommendation_names_another_product(rows: list[Row]) -> None:
    checked = 0
    for row in with_tag(rows, "intent:recommendation"):
        scene, mutant = row.moment.scene, mutants(row)["wrong_product"]
        slots = {one.slot: str(one.slot) for one in scene.others}
        named = set(re.findall(r"\d+", mutant.reply))
        assert named & set(slots.values())
        assert scene.target.product.short not in mutant.reply
        checked += 1
    assert checked >= 5


def test_an_invention_adds_to_the_answer_and_takes_nothing_away(rows: list[Row]) -> None:
    for row in rows:
        if row.moment.plan.answerability != "full":
            continue
        for name in ("invented_attribute", "unsupported_alternative"):
            host = host_of(row, Draw(0, row.example.id, name))
            answer = host.plan.answer.partition("{")[0]
            assert answer.casefold() in mutants(row)[name].reply.casefold()


def test_inventions_stand_in_no_document(rows: list[Row]) -> None:
    language = row_language(rows)
    texts = " ".join(d.text for row in rows for d in row.example.documents).lower()
    for clause in language.phrases["fault.invented"]:
        assert clause.replace("{it}", "").strip().lower() not in texts
        words = [w for w in re.split(r"[\s{}]+", clause.lower()) if w and w != "it"]
        assert any(word not in texts for word in words), clause


def test_an_alternative_price_stands_in_no_document(rows: list[Row]) -> None:
    for row in rows:
        amount = low_price(host_of(row, Draw(row.example.id)))
        assert amount not in figures_of(" ".join(d.text for d in row.example.documents))
        assert amount < min(value_at(one.document, PRICE) for one in row.moment.scene.retrieved)


def row_language(rows: list[Row]) -> Language:
    return rows[0].moment.scene.language


# --- values ----------------------------------------------------------------------------------


def test_near_misses_are_off_by_a_tenth_or_have_digits_exchanged() -> None:
    assert {1161, 1419, 2190, 1920} <= set(near(1290))
    assert {80.91, 98.9} <= set(near(89.9)) | {80.91}
    assert all(abs(float(v) - 24) > 0.04 * 24 for v in near(24))
    assert near(0) == []


@pytest.mark.parametrize(
    ("one", "other", "alternatives", "same"),
    [
        ("polyester", "recycled polyester", ("nylon", "polyester", "recycled polyester"), True),
        ("in the evening", "morning and evening", ("in the morning", "in the evening", "morning and evening"), True),
        ("dry skin", "oily skin", ("dry skin", "oily skin"), False),
        ("A+", "A++", ("A+", "A++", "A"), False),
        ("cooling and heating", "cooling only", ("cooling and heating", "cooling only"), False),
        ("早上", "早晚", ("早上", "晚上", "早晚"), True),
        ("干皮", "油皮", ("干皮", "油皮", "混合皮"), False),
    ],
)  # fmt: skip
def test_values_that_imply_each_other_are_no_falsehoods(
    one: str, other: str, alternatives: tuple[str, ...], same: bool
) -> None:
    assert overlap(one, other, alternatives) == same


def test_a_counterfactual_changes_one_value_of_a_copy() -> None:
    row = next(iter(CommerceQA({}).rows("validation", 1, 0)))
    listing = row.moment.scene.target
    before = listing.document.model_dump_json()
    changed = with_value(listing, PRICE, 1.0)
    assert value_at(changed.document, PRICE) == 1.0
    assert listing.document.model_dump_json() == before
    assert value_at(listing.document, PRICE) != 1.0


def test_sizes_are_missed_by_one_or_two() -> None:
    rows = with_tag(list(CommerceQA({}).rows("validation", 400, 1)), "intent:sizing")
    assert rows
    for row in rows:
        target, fact = row.moment.scene.target, gold(row).required[0]
        assert SIZE.fullmatch(fact.path)
        assert target.product.category.chart
        names = [size.name for size in target.product.category.chart.sizes]
        false = false_value(target, fact.path, fact.value, Draw(row.example.id))
        assert 1 <= abs(names.index(str(false)) - names.index(str(fact.value))) <= 2


# --- phrase tables ---------------------------------------------------------------------------


@pytest.mark.parametrize("lang", sorted(SPOKEN))
def test_every_unit_with_a_false_twin_is_used_by_the_language(lang: str) -> None:
    language = SPOKEN[lang]
    used = {a.unit for category in language.categories for a in category.attributes}
    used |= {region.currency for region in language.regions} | {language.phrase("unit.days")}
    for purpose in language.phrases:
        if purpose.startswith("fault.unit."):
            assert purpose.removeprefix("fault.unit.") in used


@pytest.mark.parametrize("lang", sorted(SPOKEN))
def test_every_faq_answer_has_a_contrary_that_lacks_its_key(lang: str) -> None:
    language = SPOKEN[lang]
    pairs = [entry.split("=") for entry in language.phrases["fault.faq"]]
    lacking = []
    for category in language.categories:
        for faq in category.faqs:
            turned = [faq.answer.replace(a, b) for a, b in pairs if a in faq.answer]
            known = [key.lower() for key in (faq.key, *faq.accept)]
            if not any(all(key not in text.lower() for key in known) for text in turned):
                lacking.append(faq.answer)
    assert lacking == []


@pytest.mark.parametrize("lang", sorted(SPOKEN))
def test_all_languages_have_the_same_purposes(lang: str) -> None:
    def purposes(language: Language) -> set[str]:
        faults = (p for p in language.phrases if p.startswith("fault."))
        return {p for p in faults if not p.startswith("fault.unit.")}

    assert purposes(SPOKEN[lang]) == purposes(ENGLISH)


def test_rows_can_be_mutated_while_they_stream() -> None:
    stream = CommerceQA({}).rows("validation", 10**9, 0)
    replies = [made(row)["reference"].reply for row in islice(stream, 12)]
    assert replies == [row.reply for row in CommerceQA({}).rows("validation", 12, 0)]
