"""The hetPQA importer: evidence ranking and answer generation."""

from __future__ import annotations

from collections import Counter

import pytest
from support.tables import real_rows, save, table

from lt_bench.builders.importers.hetpqa import GENERATION, RANKING, Hetpqa
from lt_bench.errors import UsageError
from lt_bench.records import ReferenceGold

RANKED = [
    ("7", "B01", "70", "does it float?", "floats:  { value:true }", "1", "attribute", "high"),
    ("8", "B02", "70", "how tall is it?", "it stands high.", "0", "OSP", "mid"),
    ("7", "B01", "71", "does it float?", "it swims, says my son", "0", "CQA", "high"),
    ("8", "B02", "81", "how tall is it?", "about a foot", "0", "Desc", "high"),
]
ANSWERED = [
    ("B01", "does it float?", "it swims, says my son", "yes, it swims.", "CQA"),
    ("B02", "how tall is it?", "about a foot", "it is a foot tall.", "Desc"),
    ("B01", "does it float?", "floats:  { value:true }", "yes, it floats.", "attribute"),
    ("B01", "does it float?", "it swims, says my son", "it swims.", "CQA"),
]


def imported(tmp_path, rows, header, delimiter="\t"):
    path = save(tmp_path, table(rows, header, delimiter))
    return list(Hetpqa({}).read(path))


def test_ranked_evidence_of_one_question_comes_together_from_far_apart(tmp_path):
    first, second = imported(tmp_path, RANKED, (*RANKING, "confidence"))
    assert (first.id, first.group, first.task) == ("hetpqa-7", "B01", "commerce_qa")
    assert first.gold == ReferenceGold(relevance={"70": 1, "71": 0})
    assert first.tags == ("hetpqa", "confidence:high", "answerability:some")
    attribute, answer = first.documents
    assert (attribute.kind, attribute.text) == ("product", "floats: yes")
    assert attribute.product == {"additionalProperty": [{"name": "floats", "value": True}]}
    assert (answer.kind, answer.text, answer.product) == ("faq", "it swims, says my son", None)
    assert second.tags == ("hetpqa", "confidence:mixed", "answerability:none")
    assert [document.kind for document in second.documents] == ["evidence", "product"]
    assert second.license == "CDLA-Sharing-1.0"


def test_a_table_without_confidence_is_read(tmp_path):
    first, _ = imported(tmp_path, [row[:-1] for row in RANKED], RANKING)
    assert first.tags == ("hetpqa", "answerability:some")


def test_answers_to_one_question_come_together(tmp_path):
    second, first = imported(tmp_path, ANSWERED, GENERATION)
    assert first.question == "does it float?"
    assert [d.text for d in first.documents] == ["it swims, says my son", "floats: yes"]
    assert first.gold == ReferenceGold(
        answers=("yes, it swims.", "yes, it floats.", "it swims."), relevance={"1": 2, "2": 2}
    )
    assert (first.group, second.group) == ("B01", "B02")
    assert first.id.startswith("hetpqa-answer-")
    turned = imported(tmp_path, ANSWERED[::-1], GENERATION)
    assert {e.id for e in turned} == {first.id, second.id}, "ids hang on the place in the file"


def test_a_label_of_epqa_is_refused(tmp_path):
    rows = [(*RANKED[0][:5], "2", *RANKED[0][6:])]
    with pytest.raises(UsageError, match="line 2, label: '2' is no label"):
        imported(tmp_path, rows, (*RANKING, "confidence"))


def test_neither_header_is_refused_with_both(tmp_path):
    with pytest.raises(UsageError, match=r"no column 'answer'\. Did you mean 'answers'") as caught:
        imported(tmp_path, [], ("ASIN", "question", "candidate", "answers", "source"))
    assert "qid, ASIN" in caught.value.fix
    assert "ASIN, question" in caught.value.fix


# --- real files ----------------------------------------------------------------------------------


def test_every_real_ranked_row_is_a_document(shared_data):
    path = shared_data / "commerce" / "hetPQA_evidence_ranking_dev_head300.csv"
    rows, examples = real_rows(path), list(Hetpqa({}).read(path))
    assert len(rows) == 300
    documents = {(e.id, d.id): d for e in examples for d in e.documents}
    wanted = {(f"hetpqa-{row['qid']}", row["qa_pair_id"]): row for row in rows}
    assert documents.keys() == wanted.keys()
    assert len(documents) == 300
    labels = Counter(label for e in examples for label in e.gold.relevance.values())
    assert labels == Counter(int(row["label"]) for row in rows)
    assert {e.group for e in examples} == {row["ASIN"] for row in rows}
    fields = [documents[key] for key, row in wanted.items() if row["source"] == "attribute"]
    assert sum(bool(document.product) for document in fields) / len(fields) >= 0.97


def test_every_real_answered_row_is_a_document_and_an_answer(shared_data):
    path = shared_data / "commerce" / "hetPQA_answer_generation_dev_head100.csv"
    rows, examples = real_rows(path), list(Hetpqa({}).read(path))
    by_question = {(e.group, e.question): e for e in examples}
    assert len(rows) == 100
    assert len(examples) == len({(row["ASIN"], row["question"]) for row in rows})
    for row in rows:
        example = by_question[row["ASIN"], row["question"]]
        assert row["answer"].strip() in example.gold.answers
        if row["source"] != "attribute":
            assert row["candidate"].strip() in [d.text for d in example.documents]
    assert sum(len(e.documents) for e in examples) == 100
