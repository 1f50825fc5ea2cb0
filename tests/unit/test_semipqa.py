"""The semiPQA importer: attribute ranking and data-to-text."""

from __future__ import annotations

from collections import Counter

import pytest
from support.tables import real_rows, save, table

from lt_bench.builders.importers.semipqa import RANKING, TEXTS, Semipqa
from lt_bench.errors import UsageError
from lt_bench.records import ReferenceGold

SHEET = ['brand:  { value:"acme" }', "item_weight:  { unit:pounds, value:2.5 }"]
RANKED = [
    ("1", "10", "who makes it?", SHEET[0], "1"),
    ("1", "11", "who makes it?", SHEET[1], "0"),
    ("2", "20", "is it red?", SHEET[1], "0"),
    ("2", "21", "is it red?", SHEET[0], "0"),
    ("3", "30", "is it big?", 'size:  { value:"xl" }', "1"),
]
TOLD = [
    ("thread_count: { value:160 }", "It has a thread count of 160."),
    ('size: { value:"One Size\nfits all" }', "One size."),
    ("thread_count: { value:160 }", "160 threads."),
    ("just words", "Some words."),
]


def imported(tmp_path, rows, header):
    return list(Semipqa({}).read(save(tmp_path, table(rows, header, "\t"))))


def test_questions_about_one_sheet_are_one_group(tmp_path):
    first, second, third = imported(tmp_path, RANKED, RANKING)
    assert [e.id for e in (first, second, third)] == ["semipqa-1", "semipqa-2", "semipqa-3"]
    assert first.group == second.group != third.group
    assert first.gold == ReferenceGold(relevance={"10": 1, "11": 0})
    assert [e.tags[-1] for e in (first, second)] == ["answerability:some", "answerability:none"]
    brand, weight = first.documents
    assert (brand.kind, brand.text, brand.product) == ("product", "brand: acme", {"brand": "acme"})
    assert weight.product == {"weight": {"value": 2.5, "unitText": "pounds"}}


def test_sentences_of_an_attribute_answer_a_plain_question(tmp_path):
    size, threads, text = imported(tmp_path, TOLD, TEXTS)
    assert threads.question == "what can you tell me about the thread count?"
    assert threads.gold.answers == ("It has a thread count of 160.", "160 threads.")
    assert threads.documents[0].text == "thread count: 160"
    assert "question:made" in threads.tags
    assert size.documents[0].product == {"size": "One Size\nfits all"}
    assert text.question == "what can you tell me about the product?"
    assert text.documents[0].text == "just words"
    assert len({e.group for e in (size, threads, text)}) == 3


def test_a_row_without_a_sentence_is_kept_with_a_warning(tmp_path, caplog):
    (example,) = imported(tmp_path, [("size: { value:4 }", " ")], TEXTS)
    assert example.gold == ReferenceGold(relevance={"1": 2})
    assert "line 2, text: is empty" in caplog.text


def test_neither_header_is_refused_with_both(tmp_path):
    with pytest.raises(UsageError, match=r"no column 'text'\. Did you mean 'texts'") as caught:
        imported(tmp_path, [], ("data", "texts"))
    assert "qid, qa_pair_id" in caught.value.fix


# --- real files ----------------------------------------------------------------------------------


def test_every_real_ranked_row_is_a_document(shared_data):
    path = shared_data / "commerce" / "semiPQA_attribute_ranking_dev_head400.csv"
    rows, examples = real_rows(path), list(Semipqa({}).read(path))
    assert len(rows) == 400
    found = [(e.id, d.id, e.gold.relevance[d.id]) for e in examples for d in e.documents]
    assert found == [(f"semipqa-{r['qid']}", r["qa_pair_id"], int(r["label"])) for r in rows]
    questions = dict.fromkeys((row["qid"], row["question"]) for row in rows)
    assert [e.question for e in examples] == [question for _, question in questions]
    assert len({e.group for e in examples}) < len(examples)
    fields = [document for e in examples for document in e.documents]
    assert sum(bool(document.product) for document in fields) / len(fields) >= 0.97


def test_every_real_told_row_is_an_example(shared_data):
    path = shared_data / "commerce" / "semiPQA_data_to_text_dev_head100.csv"
    rows, examples = real_rows(path), list(Semipqa({}).read(path))
    assert len(rows) == len(examples) == 100
    assert [e.gold.answers for e in examples] == [(r["text"].strip(),) for r in rows]
    assert Counter(document.kind for e in examples for document in e.documents) == {"product": 100}
    assert all("{" not in document.text for e in examples for document in e.documents)
