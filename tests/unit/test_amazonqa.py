"""The AmazonQA importer, against rows of our own in the published schema."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from support.tables import save

from lt_bench.builders.importers.amazonqa import AmazonQA
from lt_bench.errors import UsageError
from lt_bench.records import ReferenceGold

ROW = {
    "asin": "B0XYZ",
    "category": "Home_and_Kitchen",
    "questionText": "Does the lid lock?",
    "questionType": "yesno",
    "review_snippets": ["The lid clicks shut.", " ", "Holds heat for hours.\nNo leaks."],
    "random_sentence": ["We gave it away."],
    "top_sentences_IR": ["The lid clicks shut."],
    "answers": [
        {"answerText": "I think so", "answerType": "?", "helpful": [0, 3]},
        {"answerText": "Yes, with a click.", "answerType": "Y", "helpful": [5, 6]},
        {"answerText": "Yes, with a click.", "answerType": "Y", "helpful": [0, 0]},
    ],
    "is_answerable": 1,
    "qid": 42,
}


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def imported(tmp_path, data):
    return list(AmazonQA({}).read(save(tmp_path, data, "qar.jsonl")))


def test_a_question_has_its_snippets_and_its_answers_by_votes(tmp_path):
    (example,) = imported(tmp_path, lines(ROW))
    assert (example.id, example.group, example.task) == ("amazonqa-42", "B0XYZ", "commerce_qa")
    assert [(d.id, d.kind, d.text) for d in example.documents] == [
        ("review-1", "review", "The lid clicks shut."),
        ("review-2", "review", "Holds heat for hours.\nNo leaks."),
    ]
    assert example.gold == ReferenceGold(answers=("Yes, with a click.", "I think so"))
    assert example.tags == ("amazonqa", "type:yesno", "category:Home_and_Kitchen", "answerable")
    assert (example.source, example.license) == ("amazonqa/amazonqa", "")


def test_a_file_of_the_public_script_has_no_qid(tmp_path):
    bare = {key: value for key, value in ROW.items() if key not in ("qid", "is_answerable")}
    other = {**bare, "answers": []}
    first, second = imported(tmp_path, lines(bare, other))
    assert first.id != second.id
    assert second.gold == ReferenceGold()
    assert not {"answerable", "unanswerable"} & set(first.tags)
    assert imported(tmp_path, lines(other))[0].id == second.id
    with pytest.raises(UsageError, match=r"line 2, id: .* is on line 1 already"):
        imported(tmp_path, lines(bare, bare))


@pytest.mark.parametrize(("said", "tag"), [(True, "answerable"), (False, "unanswerable"), (0, "unanswerable")])  # fmt: skip
def test_the_classifier_is_a_tag(tmp_path, said, tag):
    (example,) = imported(tmp_path, lines({**ROW, "is_answerable": said}))
    assert example.tags[-1] == tag


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"questionText": None}, "line 2, questionText"),
        ({"questionText": " "}, "line 2, questionText: is empty"),
        ({"asin": ""}, "line 2, asin: is empty"),
        ({"review_snippets": "one text"}, "line 2, review_snippets"),
        ({"review_snippets": ["a", 3]}, r"line 2, review_snippets\.1"),
        ({"answers": [{"answer": "x"}]}, r"line 2, answers\.0\.answerText"),
        ({"is_answerable": 7}, "line 2, is_answerable"),
        ({"qid": 42}, "line 2, id: 'amazonqa-42' is on line 1 already"),
    ],
)
def test_rows_of_other_types_are_refused(tmp_path, change, words):
    with pytest.raises(UsageError, match=words) as caught:
        imported(tmp_path, lines(ROW, {**ROW, "qid": 43, **change}))
    assert caught.value.fix


def test_a_renamed_key_is_named(tmp_path):
    row = {("question_text" if key == "questionText" else key): v for key, v in ROW.items()}
    with pytest.raises(
        UsageError, match=r"line 1, questionText: is missing\. Is it 'question_text'"
    ):
        imported(tmp_path, lines(row))


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"asin": "B", "category": "C", "questions": [], "reviews": []}, "the raw products"),
        ({"context": "x", "qas": []}, "the SQuAD form"),
        ({"passages": [], "query": "x", "answers": []}, "the MS MARCO form"),
    ],
)
def test_other_published_forms_are_told(tmp_path, row, words):
    with pytest.raises(UsageError, match=words) as caught:
        imported(tmp_path, lines(row))
    assert "train-qar.jsonl" in caught.value.fix


def test_rows_are_streamed(tmp_path):
    rows = ({**ROW, "qid": number, "review_snippets": ["word " * 400]} for number in range(2_000))
    path = save(tmp_path, lines(*rows))
    tracemalloc.start()
    count = sum(1 for _ in AmazonQA({}).read(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 2_000
    assert peak < 1_500_000, f"{peak:,} bytes for a file of {path.stat().st_size:,}"
