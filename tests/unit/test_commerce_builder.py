"""The commerce_qa builder: same rows every time, gold that stands in the evidence, no leaks."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from lt_bench.builders.commerce_qa import CommerceQA, Row
from lt_bench.builders.commerce_qa.builder import owner, plain
from lt_bench.builders.commerce_qa.en import ENGLISH
from lt_bench.builders.commerce_qa.sample import write_sample
from lt_bench.catalog import find
from lt_bench.claims.paths import value_at
from lt_bench.errors import UsageError
from lt_bench.records import Document, Example, Fact, FactsGold


@pytest.fixture(scope="module")
def train() -> list[Row]:
    return list(CommerceQA({}).rows("train", 1000, 0))


@pytest.fixture(scope="module")
def test_rows() -> list[Row]:
    return list(CommerceQA({}).rows("test", 400, 0))


def gold(row: Row) -> FactsGold:
    assert isinstance(row.example.gold, FactsGold)
    return row.example.gold


def normal(text: str) -> str:
    return "".join(re.findall(r"\w", text.lower()))


def document(example: Example, fact: Fact) -> Document:
    return next(d for d in example.documents if d.id == fact.document)


def as_bytes(rows: list[Row]) -> bytes:
    dumped = [[row.example.model_dump(mode="json"), row.reply] for row in rows]
    return json.dumps(dumped, ensure_ascii=False).encode()


def test_shipped_sample_is_what_the_builder_makes(tmp_path: Path) -> None:
    write_sample(tmp_path)
    folder = find("tasks", "commerce_qa") / "sample"
    for name in ("test.jsonl", "replies.jsonl"):
        assert (folder / name).read_bytes() == (tmp_path / name).read_bytes(), "make samples"


def test_shipped_sample_has_100_rows_in_at_least_25_rooms() -> None:
    rows = list(CommerceQA({}).read(find("tasks", "commerce_qa") / "sample" / "test.jsonl"))
    assert Counter(row.lang for row in rows) == {"en": 60, "zh": 40}
    assert len({row.group for row in rows}) >= 25


def test_row_k_does_not_depend_on_the_size(test_rows: list[Row]) -> None:
    builder = CommerceQA({})
    assert list(builder.rows("test", 37, 0)) == test_rows[:37]
    assert list(builder.build("test", 37, 0)) == [row.example for row in test_rows[:37]]
    assert list(islice(builder.rows("test", 10**9, 0), 5)) == test_rows[:5]
    assert list(builder.rows("test", 0, 0)) == []


def test_rows_are_the_same_in_a_process_with_another_hash_seed(test_rows: list[Row]) -> None:
    code = (
        "import json, sys; from lt_bench.builders.commerce_qa import CommerceQA;"
        "rows = [[r.example.model_dump(mode='json'), r.reply] for r in CommerceQA({}).rows('test', 60, 0)];"
        "sys.stdout.buffer.write(json.dumps(rows, ensure_ascii=False).encode())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": "4711"},
        capture_output=True,
        check=True,
    )
    assert run.stdout == as_bytes(test_rows[:60])


@pytest.mark.parametrize(("lang", "sha"), [("en", "5f882cae8a2984d3"), ("zh", "f62804b72f31da01")])
def test_rows_are_those_of_version_2(lang: str, sha: str) -> None:
    """Fails when the rows change: then raise VERSION, write the sample anew, and these sums."""
    rows = list(CommerceQA({"lang": lang}).rows("train", 50, 3))
    assert hashlib.sha256(as_bytes(rows)).hexdigest()[:16] == sha


def test_another_seed_gives_other_rooms(test_rows: list[Row]) -> None:
    other = list(CommerceQA({}).rows("test", 100, 1))
    names = {d.title for row in test_rows for d in row.example.documents if d.product}
    assert not {row.example.id for row in other} & {row.example.id for row in test_rows}
    assert not {d.title for row in other for d in row.example.documents if d.product} & names


def test_every_fact_is_found_at_its_path(train: list[Row], test_rows: list[Row]) -> None:
    checked = 0
    for row in (*train, *test_rows):
        for fact in (*gold(row).required, *gold(row).helpful):
            there = value_at(document(row.example, fact), fact.path)
            if fact.path == "text":
                assert str(fact.value).lower() in str(there).lower()
            else:
                assert there == fact.value
                assert type(there) is type(fact.value)
            checked += 1
    assert checked > 7_500


def test_forbidden_facts_are_false(train: list[Row]) -> None:
    """What must not be said of a product is not what its document says."""
    forbidden = [(row, fact) for row in train for fact in gold(row).forbidden]
    assert len(forbidden) > 200
    for row, fact in forbidden:
        assert value_at(document(row.example, fact), fact.path) != fact.value


def test_values_stand_in_the_text_a_model_reads(train: list[Row]) -> None:
    """Numbers of the gold are on the sheet, digit for digit."""
    for row in train[:800]:
        for fact in (*gold(row).required, *gold(row).helpful):
            if isinstance(fact.value, bool) or not isinstance(fact.value, (int, float)):
                continue
            text = document(row.example, fact).text
            assert any(
                form in text
                for form in (f"{fact.value:g}", f"{fact.value:,}", f"{fact.value:.2f}", "free")
            ), (fact, text)


def test_rows_without_evidence_require_nothing_and_withhold_the_property(train: list[Row]) -> None:
    silent = [row for row in train if "noise:no_evidence" in row.example.tags]
    assert all(gold(r).answerability == "none" and not gold(r).required for r in silent)
    assert all(gold(r).helpful for r in silent)
    for row in silent:
        for fact in gold(row).forbidden:
            assert value_at(document(row.example, fact), fact.path) is not fact.value


def test_wrong_premises_require_the_fact_against_them(train: list[Row]) -> None:
    wrong = [row for row in train if "noise:wrong_premise" in row.example.tags]
    assert all(gold(row).required and gold(row).answerability == "full" for row in wrong)
    kinds = {tag for row in wrong for tag in row.example.tags if tag.startswith("premise:")}
    assert kinds == {f"premise:{k}" for k in ("value", "lineup", "price", "too_cheap", "coupon")}


def test_cooling_only_is_asked_where_every_listed_one_heats_too() -> None:
    """The case of the paper: no relabelling, no invented product."""
    rows = (
        row
        for row in CommerceQA({}).rows("train", 8000, 0)
        if "premise:lineup" in row.example.tags
        and any(f.value == "cooling only" for f in gold(row).forbidden)
    )
    asked = list(islice(rows, 2))
    assert len(asked) == 2
    for row in asked:
        sheets = [d.text for d in row.example.documents if d.kind == "product"]
        assert all("Functions: cooling and heating" in sheet for sheet in sheets)
        assert [f.value for f in gold(row).required] == ["cooling and heating"]


def test_body_data_lie_in_the_size_that_gold_names(train: list[Row]) -> None:
    """In the chart's own units every measure fits the size or the one below it."""
    checked = 0
    for row in train:
        tags = row.example.tags
        if "intent:sizing" not in tags or "noise:other_units" in tags:
            continue
        told = [int(n) for n in re.findall(r"(\d+) (?:cm|kg|mm)", gold(row).resolved_question)]
        chart = document(row.example, gold(row).required[0]).product["size"]  # type: ignore[index]
        sizes = [
            max(
                i
                for i, size in enumerate(chart)
                if size["suggestedMeasurement"][k]["minValue"] <= value <= size["suggestedMeasurement"][k]["maxValue"]
            )
            for k, value in enumerate(told)
        ]  # fmt: skip
        assert chart[max(sizes)]["name"] == gold(row).required[0].value
        assert (max(sizes) - min(sizes) == 1) == ("asks:between_sizes" in tags)
        checked += 1
    assert checked > 20


def test_a_recommended_product_is_the_only_one_within_budget(train: list[Row]) -> None:
    checked = 0
    for row in train:
        found = re.search(
            r"(?:under|below|less than|for max) [$€£]([\d,]+)", gold(row).resolved_question
        )
        if (
            "intent:recommendation" not in row.example.tags
            or "wishes:1" not in row.example.tags
            or not found
        ):
            continue
        limit = float(found[1].replace(",", ""))
        fitting = [
            d.id
            for d in row.example.documents
            if d.product and d.product["offers"]["price"] <= limit
        ]
        assert fitting == [gold(row).required[0].document]
        checked += 1
    assert checked > 3


def test_a_pronoun_is_resolved_by_what_is_shown(train: list[Row]) -> None:
    """The product of the gold is the last one the host showed, or the one before where asked."""
    checked = 0
    for row in train:
        tags, example = row.example.tags, row.example
        if (
            "noise:ellipsis" not in tags
            or "noise:slot_number" in tags
            or len(gold(row).required) != 1
        ):
            continue
        target = gold(row).required[0].document
        product = next((d for d in example.documents if d.id == target and d.product), None)
        if product is None:
            continue
        brand_and_form = " ".join(product.title.split()[:2])
        shows = [
            u.content
            for u in example.history
            if u.role == "host" and str(product.slot) in u.content
        ]
        assert any(brand_and_form in line for line in shows)
        checked += 1
    assert checked > 300


def test_splits_share_no_product_brand_room_or_question(
    train: list[Row], test_rows: list[Row]
) -> None:
    def parts(rows: list[Row]) -> list[set[str]]:
        goods = [d for row in rows for d in row.example.documents if d.product]
        return [
            {d.title for d in goods},
            {d.product["sku"] for d in goods if d.product},
            {d.product["brand"]["name"] for d in goods if d.product},
            {row.example.group for row in rows},
            {normal(row.example.question) for row in rows},
            {row.example.id for row in rows},
        ]

    validation = list(CommerceQA({}).rows("validation", 300, 0))
    for one, other in ((train, test_rows), (train, validation), (test_rows, validation)):
        for mine, theirs in zip(parts(one), parts(other), strict=True):
            assert not mine & theirs


def test_f91_case_marks_and_spaces_do_not_move_a_question_to_another_split() -> None:
    assert plain("How much is  it?") == plain("how much is it") == plain("HOW MUCH IS IT !! 🔥")
    assert plain("#9 price") == plain("9: Price??") != plain("no. 9 price")
    assert Counter(owner(f"question {n}") for n in range(4000)).keys() == {
        "train",
        "test",
        "validation",
    }


def test_every_intent_and_category_occurs(train: list[Row]) -> None:
    counts = Counter(tag for row in train for tag in row.example.tags)
    intents = {tag for tag in counts if tag.startswith("intent:")}
    assert intents == {
        f"intent:{name}"
        for name in [
            "price",
            "spec",
            "comparison",
            "availability",
            "compatibility",
            "sizing",
            "recommendation",
            "promotion",
            "shipping",
            "returns",
            "bundle",
            "missing_evidence",
            "wrong_premise",
            "off_topic",
        ]
    }
    assert {tag for tag in counts if tag.startswith("category:")} == {
        f"category:{category.name}" for category in ENGLISH.categories
    }
    assert {"answerability:full", "answerability:partial", "answerability:none"} <= set(counts)


def test_no_placeholder_is_left_anywhere(train: list[Row]) -> None:
    for row in train:
        texts = [row.example.question, row.reply, gold(row).resolved_question]
        texts += [u.content for u in row.example.history] + [d.text for d in row.example.documents]
        assert not [text for text in texts if "{" in text or "}" in text]


def test_a_split_question_is_told_by_the_viewer_who_asks(train: list[Row]) -> None:
    for row in train:
        own = [
            u for u in row.example.history if u.role == "viewer" and u.name == row.example.viewer
        ]
        assert len(own) == ("noise:split" in row.example.tags)
        others = [
            u for u in row.example.history if u.role == "viewer" and u.name != row.example.viewer
        ]
        assert bool(others) == ("noise:interleaved" in row.example.tags)


def test_rooms_have_a_license_and_a_source(test_rows: list[Row]) -> None:
    assert {row.example.license for row in test_rows} == {"Apache-2.0"}
    assert {row.example.source for row in test_rows} == {"lt-bench commerce_qa generator v2"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: CommerceQA({"lang": "xx"}), "no language 'xx'"),
        (lambda: CommerceQA({"langs": "en"}), "Did you mean 'lang'"),
        (lambda: CommerceQA({}).build("tests", 1, 0), "Did you mean 'test'"),
        (lambda: CommerceQA({}).build("test", -1, 0), "below 0"),
    ],
)
def test_impossible_requests_are_refused_at_once(call, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        call()
    assert message in str(caught.value)
