"""The xPQA importer, against rows of our own in the published schema."""

from __future__ import annotations

import pytest
from support.tables import save, table

from lt_bench.builders.importers.xpqa import LANGUAGES, Xpqa
from lt_bench.errors import UsageError
from lt_bench.records import ReferenceGold

HEADER = ("qid", "lang", "ASIN", "question", "question_en", "qa_id", "candidate", "source",
          "context", "label", "answer", "title")  # fmt: skip
ROWS = [
    ("1", "de", "B01", "Ist die Pfanne spülmaschinenfest?", "Is the pan dishwasher safe?", "10",
     "hand wash only", "bullet", "Care: hand wash only.", "2", "Nein, nur von Hand spülen.", "Pan"),
    ("1", "de", "B01", "Ist die Pfanne spülmaschinenfest?", "Is the pan dishwasher safe?", "11",
     "item_weight:  { unit:pounds, value:2. }", "attribute", "", "0", "", "Pan"),
    ("1", "zh", "B02", "这个锅能放进洗碗机吗？", "Can this pot go in a dishwasher?", "20",
     "i would wash it by hand. Question: is it dishwasher safe?", "cqa", "", "1",
     "不确定，有人说用手洗。", "Pot"),
    ("2", "ar", "B02", "هل الغطاء مشمول؟", "Is the lid included?", "30", "comes with a lid",
     "description", "", "2", "نعم، الغطاء مشمول.", "Pot"),
    ("3", "ta", "B03", "இது எவ்வளவு பெரியது?", "How big is it?", "40", "nice", "review", "", "0", "",
     "Box"),
]  # fmt: skip


def imported(tmp_path, rows=ROWS, header=HEADER, **options):
    return list(Xpqa(options).read(save(tmp_path, table(rows, header))))


def test_questions_keep_their_language_and_english_evidence(tmp_path):
    german, chinese, arabic, tamil = imported(tmp_path)
    ids = [e.id for e in (german, chinese, arabic, tamil)]
    assert ids == ["xpqa-de-1", "xpqa-zh-1", "xpqa-ar-2", "xpqa-ta-3"]
    assert [e.lang for e in (german, chinese, arabic, tamil)] == ["mix", "zh", "mix", "mix"]
    assert german.question == "Ist die Pfanne spülmaschinenfest?"
    assert german.gold == ReferenceGold(
        answers=("Nein, nur von Hand spülen.",), relevance={"10": 2, "11": 0}
    )
    assert german.tags == ("xpqa", "language:de", "answerability:full")
    assert german.documents[0].text == "hand wash only"
    assert german.documents[1].product == {
        "name": "Pan", "weight": {"value": 2.0, "unitText": "pounds"},
    }  # fmt: skip
    text = "Question: is it dishwasher safe?\nAnswer: i would wash it by hand."
    assert chinese.documents[0].text == text
    assert chinese.gold.answers == ("不确定，有人说用手洗。",)
    assert chinese.tags[-1] == "answerability:partial"
    assert (tamil.tags[-1], tamil.gold.answers) == ("answerability:none", ())
    assert [e.group for e in (german, chinese, arabic, tamil)] == ["B01", "B02", "B02", "B03"]


def test_one_language_is_read(tmp_path):
    (only,) = imported(tmp_path, language="zh")
    assert only.id == "xpqa-zh-1"
    with pytest.raises(UsageError, match="has no rows of language 'pl'"):
        imported(tmp_path, language="pl")
    with pytest.raises(UsageError, match="importer xpqa: language"):
        Xpqa({"language": "en"})
    with pytest.raises(UsageError, match="unknown key 'lang'"):
        Xpqa({"lang": "de"})


def test_a_file_of_one_language_need_not_have_the_column(tmp_path):
    at = HEADER.index("lang")
    rows = [row[:at] + row[at + 1 :] for row in ROWS[:2]]
    header = HEADER[:at] + HEADER[at + 1 :]
    with pytest.raises(UsageError, match="no column 'lang'") as caught:
        imported(tmp_path, rows, header)
    assert "--set importer.language=de" in caught.value.fix
    (example,) = imported(tmp_path, rows, header, language="de")
    assert example.id == "xpqa-de-1"


def test_names_that_other_copies_use_are_known(tmp_path):
    header = [{"qa_id": "qa_pair_id", "lang": "Language"}.get(name, name) for name in HEADER]
    assert imported(tmp_path, header=header) == imported(tmp_path)


def test_the_fewest_columns_are_enough(tmp_path):
    header = ("qid", "lang", "asin", "question", "qa_id", "candidate", "label")
    rows = [[row[HEADER.index({"asin": "ASIN"}.get(n, n))] for n in header] for row in ROWS]
    first, *_ = imported(tmp_path, rows, header)
    assert first.gold == ReferenceGold(relevance={"10": 2, "11": 0})
    assert first.documents[0].kind == "evidence"
    with pytest.raises(UsageError, match=r"no column 'label'\. Did you mean 'labels'\?"):
        imported(tmp_path, rows, (*header[:-1], "labels"))


@pytest.mark.parametrize(
    ("said", "expected"), [("ZH", "zh"), ("zh-CN", "zh"), ("pt_BR", "pt"), (" ja ", "ja")]
)
def test_ways_to_write_a_language(tmp_path, said, expected):
    (example,) = imported(tmp_path, [(ROWS[0][0], said, *ROWS[0][2:])])
    assert f"language:{expected}" in example.tags
    assert expected in LANGUAGES


@pytest.mark.parametrize("said", ["", "en", "german", "nan"])
def test_other_languages_are_refused(tmp_path, said):
    with pytest.raises(UsageError, match=f"line 2, lang: '{said}' is no language of xPQA"):
        imported(tmp_path, [(ROWS[0][0], said, *ROWS[0][2:])])
