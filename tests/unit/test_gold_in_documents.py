"""Gold that the documents of its row do not bear out is refused, by line, field and fix."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from lt_bench.builders.commerce_qa import CommerceQA
from lt_bench.builders.musique import Musique
from lt_bench.builders.problem import Problem
from lt_bench.errors import UsageError

PRODUCT = {
    "name": "Orla",
    "color": "red",
    "cordless": True,
    "weight": {"value": 1.2, "unitText": "kg"},
    "offers": {"price": "20.00", "priceCurrency": "USD"},
    "additionalProperty": [{"name": "warranty", "value": 24, "unitText": "months"}],
}
DOCUMENTS = [
    {"id": "p3", "kind": "product", "text": "Orla, 20 USD, 1.2 kg", "product": PRODUCT},
    {"id": "faq", "kind": "faq", "text": "Rinse it with  warm water, for 30 seconds."},
]


def fact(path: str = "color", value: Any = "red", document: str = "p3") -> dict[str, Any]:
    return {"document": document, "path": path, "value": value}


def row(gold: dict[str, Any], row_id: str = "a") -> dict[str, Any]:
    fields = {"id": row_id, "task": "commerce_qa", "question": "how?", "group": "g"}
    return {**fields, "documents": DOCUMENTS, "gold": gold}


def facts(role: str, *found: dict[str, Any]) -> dict[str, Any]:
    return row({"kind": "facts", "answerability": "full", role: list(found)})


def problems(path: Path, *rows: dict[str, Any], builder: Any = None) -> list[Problem]:
    path = path / "x.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    found = (builder or CommerceQA({})).inspect(path)
    return [item for item in found if isinstance(item, Problem)]


GOOD = [
    fact(),
    fact("color", "Red"),
    fact("cordless", True),
    fact("weight.value", 1.2),
    fact("offers.price", 20),
    fact("offers.price", "20.00"),
    fact("additionalProperty[name=warranty].value", 24.0),
    fact("text", "rinse it with warm water", "faq"),
    fact("text", 30, "faq"),
    fact("text", True, "faq"),
]


@pytest.mark.parametrize("good", GOOD, ids=lambda f: f"{f['path']}={f['value']}")
@pytest.mark.parametrize("role", ["required", "helpful", "forbidden"])
def test_a_fact_that_stands_in_its_document_is_taken(tmp_path, role, good):
    assert problems(tmp_path, facts(role, good)) == []


BAD = [
    (fact(document="p4"), "document", "no document 'p4'", "p3, faq"),
    (fact("colour"), "path", "Did you mean 'color'?", "weight.value"),
    (fact("offers.prise", 20), "path", "Did you mean 'offers.price'?", "offers.price"),
    (fact("additionalProperty[name=power].value", 9), "path", "leads nowhere", "[name=warranty]"),
    (fact("color", "red", "faq"), "path", "leads nowhere in document 'faq'", "text"),
    (fact("weight", 1.2), "path", "not one value", "weight.value"),
    (fact("color", "blue"), "value", "'blue' is not what stands at", "'red'"),
    (fact("weight.value", 1.3), "value", "1.3 is not what stands at", "1.2"),
    (fact("weight.value", "1.2"), "value", "is not what stands at", "1.2"),
    (fact("cordless", 1), "value", "is not what stands at", "True"),
    (fact("cordless", False), "value", "is not what stands at", "True"),
    (fact("weight.value", True), "value", "is not what stands at", "1.2"),
    (fact("text", "boil it", "faq"), "value", "does not stand in", "accept"),
    (fact("text", 31, "faq"), "value", "does not stand in", "text has them"),
]


@pytest.mark.parametrize(
    ("bad", "field", "said", "fix"), BAD, ids=lambda f: str(f["value"]) if type(f) is dict else ""
)
@pytest.mark.parametrize("role", ["required", "helpful"])
def test_a_fact_that_is_not_there_is_named_with_field_and_fix(
    tmp_path, role, bad, field, said, fix
):
    (problem,) = problems(tmp_path, facts(role, fact(), bad))
    assert (problem.level, problem.line, problem.field) == ("error", 1, f"gold.{role}.1.{field}")
    assert said in problem.message
    assert fix in f"{problem.message} {problem.fix}"


def test_a_forbidden_fact_needs_its_document_alone(tmp_path):
    invented = fact("additionalProperty[name=power].value", 9)
    assert problems(tmp_path, facts("forbidden", invented, fact("color", "blue"))) == []
    (problem,) = problems(tmp_path, facts("forbidden", fact(document="p4")))
    assert problem.field == "gold.forbidden.0.document"


def test_every_fault_of_a_row_and_every_row_is_named(tmp_path):
    twice = facts("required", fact("colour"), fact("color", "blue"))
    found = problems(tmp_path, twice, row({"kind": "reference"}, "b"), facts("helpful", fact("x")))
    assert [(p.line, p.field) for p in found] == [
        (1, "gold.required.0.path"),
        (1, "gold.required.1.value"),
        (3, "gold.helpful.0.path"),
    ]


def test_supporting_and_relevance_name_documents_of_the_row(tmp_path):
    answers = {"kind": "answers", "answers": ["x"], "supporting": ["faq", "fax"]}
    (problem,) = problems(tmp_path, row(answers))
    assert problem.field == "gold.supporting.1"
    assert "Did you mean 'faq'?" in problem.message
    (again,) = problems(tmp_path, {**row(answers), "task": "musique"}, builder=Musique({}))
    assert again == problem
    (problem,) = problems(tmp_path, row({"kind": "reference", "relevance": {"p3": 2, "p9": 1}}))
    assert problem.field == "gold.relevance.p9"


def test_reading_stops_at_such_a_row(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(facts("required", fact("colour"))) + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"line 1, gold\.required\.0\.path") as caught:
        list(CommerceQA({}).read(path))
    assert len(str(caught.value).splitlines()) <= 6


@pytest.mark.parametrize("product", [None, {}, {"color": None}, {"color": [[[]]]}])
def test_any_product_is_read_without_a_crash(tmp_path, product):
    bad = facts("required", fact("color", 1e300))
    bad["documents"] = [{**DOCUMENTS[0], "product": product}]
    (problem,) = problems(tmp_path, bad)
    assert problem.level == "error"


@pytest.mark.parametrize("split", ["test", "train"])
def test_nothing_that_the_generator_makes_is_refused(tmp_path, split):
    made = CommerceQA({}).build(split, 300, 5)
    rows = [example.model_dump(mode="json", exclude_none=True) for example in made]
    start = time.process_time()
    assert problems(tmp_path, *rows) == []
    assert time.process_time() - start < 5
