"""The ePQA importer: raw tables as people have them, prepared lines, attribute strings."""

from __future__ import annotations

import gzip
import json
from collections import Counter

import pytest
from support import tables
from support.tables import save

from lt_bench.builders.importers.epqa import COLUMNS, Epqa
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
    return tables.table(rows, header, delimiter, end)


def imported(tmp_path, data, name="epqa.csv"):
    return list(Epqa({}).read(save(tmp_path, data, name)))


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
        "answerability:full", "answerability:partial", "answerability:none",
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
        gzip.compress(line.encode(), mtime=0),
        json.dumps([PREPARED], indent=1).encode(),
        b"\n\n" + line.encode(),
    ]
    for at, form in enumerate(forms):
        assert imported(tmp_path, form, f"{at}.jsonl") == [expected]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([(*CANDIDATES[0][:7], "3", "")], "line 2, label: '3' is no label"),
        ([(*CANDIDATES[0][:7], "", "")], "line 2, label: '' is no label"),
        ([(*CANDIDATES[0][:7], "nan", "")], "line 2, label: 'nan' is no label"),
        ([("", *CANDIDATES[0][1:])], "line 2, qid: is empty"),
        ([(*CANDIDATES[0][:5], " ", *CANDIDATES[0][6:])], "line 2, qa_pair_id: is empty"),
        (
            [CANDIDATES[0], ("7", "another?", *CANDIDATES[1][2:])],
            "line 3, question: is another one than on line 2, of the same question",
        ),
        (
            [CANDIDATES[0], CANDIDATES[0]],
            "line 3, qa_pair_id: '70' is the candidate on line 2 already",
        ),
    ],
)
def test_broken_rows_are_refused_with_line_field_and_fix(tmp_path, rows, words):
    with pytest.raises(UsageError) as caught:
        imported(tmp_path, table(rows))
    assert words in caught.value.cause
    assert caught.value.cause.startswith(str(tmp_path))
    assert caught.value.fix


def test_labels_saved_as_floats_are_read(tmp_path):
    (example,) = imported(tmp_path, table([(*CANDIDATES[0][:7], "2.0", "Yes.")]))
    assert example.gold.relevance == {"70": 2}


def test_an_empty_candidate_is_kept_with_a_warning(tmp_path, caplog):
    rows = [CANDIDATES[3], (*CANDIDATES[4][:3], "", *CANDIDATES[4][4:])]
    _, second = imported(tmp_path, table(rows))
    assert second.documents[0].text == ""
    assert "line 3, candidate: is empty" in caplog.text


def test_candidates_far_apart_come_together_and_the_first_whole_question_comes_first(tmp_path):
    rows = [CANDIDATES[0], CANDIDATES[3], CANDIDATES[1], CANDIDATES[4], CANDIDATES[2]]
    found = imported(tmp_path, table(rows))
    assert [example.id for example in found] == ["epqa-8", "epqa-9", "epqa-7"]
    assert sorted(found, key=lambda e: e.id) == imported(tmp_path, table())


def test_broken_prepared_line_is_named(tmp_path):
    bad = {**PREPARED, "evidence": [{**PREPARED["evidence"][0], "relevance": 7}]}
    data = json.dumps(PREPARED) + "\n" + json.dumps({**bad, "id": "x"}) + "\n"
    with pytest.raises(UsageError, match=r"line 2, evidence\.0\.relevance"):
        imported(tmp_path, data, "p.jsonl")
    with pytest.raises(UsageError, match=r"line 2, id: .* is on line 1 already"):
        imported(tmp_path, 2 * (json.dumps(PREPARED) + "\n"), "p.jsonl")


def test_options_are_refused():
    with pytest.raises(UsageError, match="unknown key 'limit'"):
        Epqa({"limit": 3})


def test_inspection_goes_on_after_a_problem(tmp_path):
    rows = [(*CANDIDATES[0][:7], "9", ""), *CANDIDATES[3:]]
    items = list(Epqa({}).inspect(save(tmp_path, table(rows))))
    assert [type(item).__name__ for item in items] == ["Problem", "Row", "Row"]


# --- real files ----------------------------------------------------------------------------------


def test_real_prepared_rows(shared_data):
    examples = list(Epqa({}).read(shared_data / "commerce" / "epqa.jsonl"))
    assert len(examples) == 100
    assert len({example.group for example in examples}) == 92
    assert Counter(example.tags[-1] for example in examples) == {
        "answerability:full": 84, "answerability:partial": 11, "answerability:none": 5,
    }  # fmt: skip
    kinds = Counter(document.kind for example in examples for document in example.documents)
    assert kinds == {"review": 420, "faq": 172, "product": 228 + 123 + 57}
    assert all(example.source.startswith("amazon-science/") for example in examples)


def test_real_raw_rows_agree_with_the_prepared_ones(shared_data):
    raw = list(Epqa({}).read(shared_data / "commerce" / "ePQA_dev_head1000.csv"))
    assert len(raw) == 100
    assert sum(len(example.documents) for example in raw) == 1000
    prepared = {
        e.id.replace("-dev-", "-"): e
        for e in Epqa({}).read(shared_data / "commerce" / "epqa.jsonl")
    }
    both = [(example, prepared[example.id]) for example in raw if example.id in prepared]
    assert len(both) >= 10
    for one, other in both:
        assert (one.question, one.documents, one.gold, one.group) == (
            other.question, other.documents, other.gold, other.group,
        )  # fmt: skip
