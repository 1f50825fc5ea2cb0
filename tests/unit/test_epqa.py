"""The ePQA importer: raw tables as people have them, prepared lines, attribute strings."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lt_bench.builders.importers import attributes
from lt_bench.builders.importers.epqa import COLUMNS, import_epqa, inspect_epqa
from lt_bench.errors import UsageError
from lt_bench.records import ReferenceGold

CANDIDATES = [
    ("7", "does it fit, really?", "B01", "yes it does. Question: will this fit?  ", "cqa", "70", "Big Box", "2", "Yes, it fits."),
    ("7", "does it fit, really?", "B01", 'it says "fits all",\nand it does', "review", "71", "Big Box", "1", "I'm not sure."),
    ("7", "does it fit, really?", "B01", "item_weight:  { unit:pounds, value:13. }", "attribute", "72", "Big Box", "0", ""),
    ("8", "is it red?", "B02", "red paint", "bullet", "80", "Tin", "1", "I'm not sure but it is red."),
    ("9", "is it blue?", "B01", "a box", "description", "90", "Big Box", "0", ""),
]  # fmt: skip


def table(rows=CANDIDATES, delimiter=",", end="\n", header=COLUMNS) -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
    writer.writerows([header, *rows])
    return text.getvalue()


def save(tmp_path: Path, data: str | bytes, name="epqa.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def imported(tmp_path, data, name="epqa.csv"):
    return list(import_epqa(save(tmp_path, data, name)))


def test_candidates_become_one_example_a_question(tmp_path):
    first, second, third = imported(tmp_path, table())
    assert [e.id for e in (first, second, third)] == ["epqa-7", "epqa-8", "epqa-9"]
    assert [e.group for e in (first, second, third)] == ["B01", "B02", "B01"]
    assert first.task == "commerce_qa"
    assert first.question == "does it fit, really?"
    assert first.license == "CDLA-Sharing-1.0"
    assert first.gold == ReferenceGold(
        answers=("Yes, it fits.",), relevance={"70": 2, "71": 1, "72": 0}
    )
    assert second.gold.answers == ("I'm not sure but it is red.",)
    assert third.gold.answers == ()
    assert [e.tags[-1] for e in (first, second, third)] == [
        "evidence_full", "evidence_partial", "evidence_none",
    ]  # fmt: skip


def test_documents_have_the_kind_of_their_source(tmp_path):
    first, second, third = imported(tmp_path, table())
    faq, review, attribute = first.documents
    assert (faq.kind, review.kind, attribute.kind) == ("faq", "review", "product")
    assert faq.text == "Question: will this fit?\nAnswer: yes it does."
    assert review.text == 'it says "fits all",\nand it does'
    assert attribute.text == "item weight: 13 pounds"
    assert attribute.product == {"name": "Big Box", "weight": {"value": 13.0, "unitText": "pounds"}}
    assert second.documents[0].kind == third.documents[0].kind == "product"
    assert second.documents[0].product is None
    assert {document.title for document in first.documents} == {"Big Box"}


@pytest.mark.parametrize(
    "form",
    [
        "bom", "crlf", "bom_crlf", "tab", "semicolon", "gzip", "utf16", "quoted", "header_case",
        "more_columns", "blank_lines",
    ],
)  # fmt: skip
def test_f89_every_form_of_the_table_gives_the_same_examples(tmp_path, form):
    plain = table()
    header = [f" {name.upper()} " for name in COLUMNS]
    forms = {
        "bom": b"\xef\xbb\xbf" + plain.encode(),
        "crlf": table(end="\r\n").encode(),
        "bom_crlf": b"\xef\xbb\xbf" + table(end="\r\n").encode(),
        "tab": table(delimiter="\t").encode(),
        "semicolon": table(delimiter=";").encode(),
        "gzip": gzip.compress(plain.encode()),
        "utf16": plain.encode("utf-16"),
        "quoted": ('"' + '","'.join(COLUMNS) + '"\n' + plain.partition("\n")[2]).encode(),
        "header_case": table(header=header).encode(),
        "more_columns": table(
            [(*row, "x") for row in CANDIDATES], header=(*COLUMNS, "note")
        ).encode(),
        "blank_lines": (plain + "\n\n").encode(),
    }
    expected = imported(tmp_path, plain, "plain.csv")
    assert imported(tmp_path, forms[form]) == expected


PREPARED = {
    "id": "epqa-dev-7",
    "question": "does it fit?",
    "history": [],
    "product": {"asin": "B01", "title": "Big Box"},
    "evidence": [{"id": "70", "source": "review", "text": "it\nfits", "relevance": 2}],
    "answers": ["Yes."],
    "answerability": "full",
    "source": "somewhere:dev.csv",
    "license": "CDLA-Sharing-1.0",
}


def test_f89_prepared_lines_with_bom_crlf_gzip_or_as_array_are_the_same(tmp_path):
    line = json.dumps(PREPARED)
    (expected,) = imported(tmp_path, line + "\n", "a.jsonl")
    assert expected.source == "somewhere:dev.csv"
    forms = [
        b"\xef\xbb\xbf" + line.encode() + b"\r\n",
        gzip.compress(line.encode()),
        json.dumps([PREPARED], indent=1).encode(),
        b"\n\n" + line.encode(),
    ]
    for at, form in enumerate(forms):
        assert imported(tmp_path, form, f"{at}.jsonl") == [expected]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", "no column 'qid'"),
        (table(header=("id", *COLUMNS[1:])), "no column 'qid'. Did you mean 'id'?"),
        (table([(*CANDIDATES[0][:7], "3", "")]), "line 2, label: '3'"),
        (table([(*CANDIDATES[0][:7], "", "")]), "label"),
        (table([("", *CANDIDATES[0][1:])]), "line 2, qid: is empty"),
        (table([CANDIDATES[0], ("7", "another?", *CANDIDATES[1][2:])]), "question 7 has another"),
        (table([CANDIDATES[0], CANDIDATES[0]]), "two candidates have the id '70'"),
        (table() + "7,too,few\n", "3 cells where the header has 9"),
        (table() + '9,"left open', "line"),
        (table().encode("utf-8").replace(b"red paint", b"r\xe9d paint"), "is not utf-8"),
        (b"\x1f\x8b\x08broken", "cannot read"),
    ],
)
def test_broken_tables_are_refused_with_cause_and_fix(tmp_path, data, words):
    with pytest.raises(UsageError) as caught:
        imported(tmp_path, data)
    assert words in caught.value.cause
    assert caught.value.cause.startswith((str(tmp_path), f"cannot read {tmp_path}"))
    assert str(caught.value).count("\n") < 6


def test_broken_prepared_line_is_named(tmp_path):
    bad = {**PREPARED, "evidence": [{**PREPARED["evidence"][0], "relevance": 7}]}
    data = json.dumps(PREPARED) + "\n" + json.dumps({**bad, "id": "x"}) + "\n"
    with pytest.raises(UsageError, match=r"line 2, evidence\.0\.relevance"):
        imported(tmp_path, data, "p.jsonl")
    with pytest.raises(UsageError, match=r"line 2, id: .* is on line 1 already"):
        imported(tmp_path, 2 * (json.dumps(PREPARED) + "\n"), "p.jsonl")


def test_missing_file_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"cannot read .*nowhere\.csv"):
        list(import_epqa(tmp_path / "nowhere.csv"))


def test_inspection_goes_on_after_a_problem(tmp_path):
    rows = [(*CANDIDATES[0][:7], "9", ""), *CANDIDATES[3:]]
    items = list(inspect_epqa(save(tmp_path, table(rows))))
    assert [type(item).__name__ for item in items] == ["Problem", "Row", "Row"]


# --- attribute strings ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said", "fields"),
    [
        ('brand:  { value:"adidas" }', "brand: adidas", {"brand": "adidas"}),
        (
            'material:  { value:"metal" }; { value:"gel" }',
            "material: metal, gel",
            {"material": "metal, gel"},
        ),
        (
            "capacity:  { unit:cubic_feet, value:0. }",
            "capacity: 0 cubic feet",
            {"additionalProperty": [{"name": "capacity", "value": 0.0, "unitText": "cubic feet"}]},
        ),
        (
            "batteries_required:  { value:false }",
            "batteries required: no",
            {"additionalProperty": [{"name": "batteries required", "value": False}]},
        ),
        (
            "item_weight:  { unit:ounces, normalized_value:{ unit:pounds, value:0.72 }, value:11.5 }",
            "item weight: 11.5 ounces (0.72 pounds)",
            {"weight": {"value": 11.5, "unitText": "ounces"}},
        ),
        (
            "display:  { size:[ { unit:inches, value:13 } ] }",
            "display: size 13 inches",
            {"additionalProperty": [{"name": "display size", "value": 13, "unitText": "inches"}]},
        ),
        (
            'color:  { standardized_values:[ "multi" ], value:"black/white" }',
            "color: black/white",
            {"color": "black/white"},
        ),
        (
            'unit_count:  { type:{ value:"fl oz" }, value:6. }',
            "unit count: 6 fl oz",
            {"additionalProperty": [{"name": "unit count", "value": 6.0, "unitText": "fl oz"}]},
        ),
        (
            "dims:  { width:{ unit:cm, value:1 }, height:{ unit:cm, value:-2.5 } }",
            "dims: width 1 cm, height -2.5 cm",
            {
                "additionalProperty": [
                    {"name": "dims width", "value": 1, "unitText": "cm"},
                    {"name": "dims height", "value": -2.5, "unitText": "cm"},
                ]
            },
        ),
        ("x:  { value:'a b' }", "x: a b", {"additionalProperty": [{"name": "x", "value": "a b"}]}),
        ('x:  { value:"a: b; {c}" }', "x: a: b; {c}", {"additionalProperty": [{"name": "x", "value": "a: b; {c}"}]}),
    ],
)  # fmt: skip
def test_attribute_strings_are_read(text, said, fields):
    found = attributes.parse(text)
    assert attributes.sentence(found) == said
    assert attributes.product(found) == fields


@pytest.mark.parametrize(
    "text",
    [
        "", "no colon", "a sentence: { value:1 }", "x:", "x: {", "x: { value }", "x: { value:1",
        "x: { value:1 } { value:2 }", "x: { value:1 };", "x: { , }", 'x: { value:"9|" x 3|"" }',
        "x: { value:2018-08-20t00:00:01z }", 'x: { "a }', "x: " + "[" * 5000, "x: " + "{a:" * 5000,
    ],
)  # fmt: skip
def test_other_strings_stay_text(text):
    assert attributes.parse(text) is None


def test_long_digits_stay_words():
    assert attributes.parse(f"x: {{ value:{'9' * 5000} }}").values == ({"value": "9" * 5000},)


@given(st.text(alphabet="ab1.{}[]:;,\"' _-\n", max_size=40))
def test_any_string_parses_or_stays_text(text):
    found = attributes.parse("key:" + text)
    if found is not None:
        assert attributes.sentence(found)
        json.dumps(attributes.product(found))


# --- real files ----------------------------------------------------------------------------------


def test_real_prepared_rows(shared_data):
    examples = list(import_epqa(shared_data / "commerce" / "epqa.jsonl"))
    assert len(examples) == 100
    assert len({example.group for example in examples}) == 92
    assert Counter(example.tags[-1] for example in examples) == {
        "evidence_full": 84, "evidence_partial": 11, "evidence_none": 5,
    }  # fmt: skip
    kinds = Counter(document.kind for example in examples for document in example.documents)
    assert kinds == {"review": 420, "faq": 172, "product": 228 + 123 + 57}
    assert all(example.source.startswith("amazon-science/") for example in examples)


def test_real_raw_rows_agree_with_the_prepared_ones(shared_data):
    raw = list(import_epqa(shared_data / "commerce" / "ePQA_dev_head1000.csv"))
    assert len(raw) == 100
    assert sum(len(example.documents) for example in raw) == 1000
    prepared = {
        e.id.replace("-dev-", "-"): e for e in import_epqa(shared_data / "commerce" / "epqa.jsonl")
    }
    both = [(example, prepared[example.id]) for example in raw if example.id in prepared]
    assert len(both) >= 10
    for one, other in both:
        assert (one.question, one.documents, one.gold, one.group) == (
            other.question, other.documents, other.gold, other.group,
        )  # fmt: skip


def test_real_attribute_strings_parse(shared_data):
    folder = shared_data / "commerce"
    with (folder / "semiPQA_attribute_ranking_dev_head400.csv").open(
        newline="", encoding="utf-8"
    ) as file:
        semi = [row["candidate"] for row in csv.DictReader(file, delimiter="\t")]
    with (folder / "ePQA_dev_head1000.csv").open(newline="", encoding="utf-8") as file:
        full = [row["candidate"] for row in csv.DictReader(file) if row["source"] == "attribute"]
    assert len(semi) == 400
    assert all(attributes.parse(text) for text in semi)
    assert sum(attributes.parse(text) is not None for text in full) / len(full) > 0.95
