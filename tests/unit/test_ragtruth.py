"""The RAGTruth importer, on rows of our own in the published schema."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from lt_bench.builders import IMPORTERS
from lt_bench.builders.problem import Problem, Row
from lt_bench.errors import UsageError
from lt_bench.records import HumanLabel, Labelled

PASSAGES = (
    "passage 1:Rinse the rice twice. Use two cups of water.\n\n"
    "passage 2:Let it stand for ten minutes.\n\n"
)
BUSINESS = {
    "name": "Corner Bakery",
    "city": "Graz",
    "hours": {"Monday": "7:0-18:0"},
    "attributes": {"WiFi": "no", "Parking": {"garage": False, "street": True}, "Music": None},
    "business_stars": 4.5,
    "review_info": [
        {"review_stars": 5.0, "review_date": "2020-01-02", "review_text": "Great rye bread."},
        {"review_stars": 2.0, "review_date": "2020-02-03", "review_text": "Closed early."},
    ],
}
NEWS = "The council voted on Monday.\nThe bridge will close for repairs."
SOURCES = [
    {"source_id": "10", "task_type": "QA", "source": "MARCO",
     "source_info": {"question": "how to cook rice", "passages": PASSAGES}, "prompt": "Briefly …"},
    {"source_id": "20", "task_type": "Data2txt", "source": "Yelp", "source_info": BUSINESS,
     "prompt": "Instruction:\nWrite an overview of this shop in 100 words. Structured data:\n{'name'…"},
    {"source_id": "30", "task_type": "Summary", "source": "CNN/DM", "source_info": NEWS,
     "prompt": f"Summarize the following news within 20 words:\n{NEWS}\noutput:"},
]  # fmt: skip


def span(kind: str, **more) -> dict:
    return {"start": 0, "end": 4, "text": "Rins", "meta": "", "label_type": kind, **more}


RESPONSES = [
    {"id": "1", "source_id": "10", "model": "gpt-4-0613", "temperature": 0.7, "labels": [],
     "split": "train", "quality": "good", "response": "Rinse it twice."},
    {"id": "2", "source_id": "10", "model": "llama-2-7b-chat", "temperature": 0.7,
     "labels": [span("Evident Conflict"), span("Subtle Baseless Info", due_to_null=False)],
     "split": "test", "quality": "good", "response": "Rinse it ten times in milk."},
    {"id": "3", "source_id": "20", "model": "gpt-4-0613", "temperature": 0.7,
     "labels": [span("Evident Baseless Info", implicit_true=True)],
     "split": "train", "quality": "good", "response": "A bakery in Austria."},
    {"id": "4", "source_id": "30", "model": "gpt-4-0613", "temperature": 0.7, "labels": [],
     "split": "train", "quality": "truncated", "response": "The council"},
    {"id": "5", "source_id": "30", "model": "gpt-4-0613", "temperature": 0.7, "labels": [],
     "split": "train", "quality": "good", "response": "The bridge closes."},
]  # fmt: skip


def folder(tmp_path: Path, responses=RESPONSES, sources=SOURCES) -> Path:
    for name, rows in (("response.jsonl", responses), ("source_info.jsonl", sources)):
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (tmp_path / name).write_text(lines, encoding="utf-8")
    return tmp_path


def imported(path: Path, **options) -> list[Labelled]:
    return list(IMPORTERS.get("ragtruth")(options).read(path))


def refused(path: Path, **options) -> str:
    with pytest.raises(UsageError) as caught:
        imported(path, **options)
    assert str(caught.value).count("\n") < 6
    assert caught.value.fix
    return str(caught.value)


def test_a_reply_is_correct_when_no_span_is_marked(tmp_path):
    rows = imported(folder(tmp_path))
    assert [(row.id, row.labels[0].correct) for row in rows] == [
        ("ragtruth-1", True), ("ragtruth-2", False), ("ragtruth-3", False), ("ragtruth-5", True),
    ]  # fmt: skip
    assert all(row.labels == (HumanLabel(annotator="ragtruth", correct=row.labels[0].correct),) for row in rows)  # fmt: skip
    assert rows[0].reply == "Rinse it twice."
    assert rows[1].example.tags == (
        "ragtruth", "type:QA", "model:llama-2-7b-chat", "span:evident_conflict",
        "span:subtle_baseless_info",
    )  # fmt: skip
    assert {row.example.license for row in rows} == {"MIT"}
    assert rows[0].example.source == "ParticleMedia/RAGTruth:MARCO"
    assert rows[0].example.group == rows[1].example.group != rows[2].example.group


def test_questions_have_their_passages(tmp_path):
    example = imported(folder(tmp_path), task_type="QA")[0].example
    assert example.question == "how to cook rice"
    assert [(d.id, d.kind, d.text) for d in example.documents] == [
        ("passage-1", "paragraph", "Rinse the rice twice. Use two cups of water."),
        ("passage-2", "paragraph", "Let it stand for ten minutes."),
    ]


def test_structured_data_is_lines_and_reviews(tmp_path):
    (row,) = imported(folder(tmp_path), task_type="Data2txt")
    assert row.example.question == "Write an overview of this shop in 100 words."
    business, first, _ = row.example.documents
    assert business.text.splitlines() == [
        "name: Corner Bakery", "city: Graz", "hours Monday: 7:0-18:0", "attributes WiFi: no",
        "attributes Parking garage: no", "attributes Parking street: yes",
        "attributes Music: not known", "business_stars: 4.5",
    ]  # fmt: skip
    assert (first.kind, first.title) == ("review", "Review of Corner Bakery")
    assert "review_text: Great rye bread." in first.text


def test_summaries_have_the_task_without_the_text(tmp_path):
    (row,) = imported(folder(tmp_path), task_type="Summary")
    assert row.example.question == "Summarize the following news within 20 words"
    assert [document.text for document in row.example.documents] == [NEWS]


def test_options_choose_rows(tmp_path):
    path = folder(tmp_path)
    assert [row.id for row in imported(path, split="test")] == ["ragtruth-2"]
    assert [row.id for row in imported(path, quality="truncated")] == ["ragtruth-4"]
    assert len(imported(path, quality="any")) == 5
    (shop,) = imported(path, task_type="Data2txt", implicit_true="right")
    assert shop.labels[0].correct is True
    assert imported(path, task="mine")[0].example.task == "mine"
    with pytest.raises(UsageError, match="task_type"):
        IMPORTERS.get("ragtruth")({"task_type": "qa"})
    with pytest.raises(UsageError, match="unknown key 'splt'.*Did you mean 'split'"):
        IMPORTERS.get("ragtruth")({"splt": "test"})


def test_the_file_its_folder_and_the_repository_are_the_same(tmp_path):
    inner = tmp_path / "dataset"
    inner.mkdir()
    expected = imported(folder(inner))
    assert imported(tmp_path) == imported(inner / "response.jsonl") == expected
    for name in ("response.jsonl", "source_info.jsonl"):
        data = b"\xef\xbb\xbf" + (inner / name).read_bytes().replace(b"\n", b"\r\n")
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(data, mtime=0))
    assert imported(tmp_path / "response.jsonl.gz") == expected


def test_files_that_are_missing_or_swapped_are_named(tmp_path):
    assert "has no response.jsonl" in refused(tmp_path)
    assert "no such file" in refused(tmp_path / "response.jsonl")
    folder(tmp_path)
    assert "holds the sources" in refused(tmp_path / "source_info.jsonl")
    (tmp_path / "source_info.jsonl").unlink()
    assert "has no source_info.jsonl" in refused(tmp_path)
    folder(tmp_path, responses=[])
    assert "holds no rows" in refused(tmp_path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"source_id": "11"}, "line 1, source_id: source_info.jsonl has no '11'"),
        ({"labels": None}, "line 1, labels"),
        ({"labels": [{"start": 1}]}, "line 1, labels.0.end"),
        ({"response": 7}, "line 1, response"),
        ({"id": None}, "line 1, id"),
    ],
)
def test_broken_responses_are_named(tmp_path, change, words):
    assert words in refused(folder(tmp_path, responses=[{**RESPONSES[0], **change}]))


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        ([SOURCES[0], SOURCES[0]], "line 2, source_id: '10' is there twice"),
        ([{**SOURCES[0], "task_type": "Chat"}], "line 1, task_type"),
        ([{**SOURCES[0], "source_info": [1]}], "line 1, source_info"),
        ([{**SOURCES[0], "source_info": {"question": " "}}], "source_info.question"),
        ([{**SOURCES[0], "source_info": {"question": "q"}}], "source_info.passages"),
    ],
)
def test_broken_sources_are_named(tmp_path, sources, words):
    assert words in refused(folder(tmp_path, responses=RESPONSES[:1], sources=sources))


def test_every_problem_is_named_and_the_rest_is_read(tmp_path):
    rows = [RESPONSES[0], {**RESPONSES[1], "source_id": "?"}, RESPONSES[0], RESPONSES[4]]
    path = folder(tmp_path, responses=rows)
    with (path / "response.jsonl").open("a") as file:
        file.write('{"id": NaN}\n{"id": "\\ud800"}\n')
    items = list(IMPORTERS.get("ragtruth")({}).inspect(path))
    assert [(p.line, p.field) for p in items if isinstance(p, Problem)] == [
        (2, "source_id"), (3, "id"), (5, ""), (6, ""),
    ]  # fmt: skip
    assert [i.record.id for i in items if isinstance(i, Row)] == ["ragtruth-1", "ragtruth-5"]


def test_ids_may_be_numbers_and_deep_data_ends(tmp_path):
    deep: dict = {"name": "x"}
    for _ in range(50):
        deep = {"inner": deep}
    source = {"source_id": 10, "task_type": "Data2txt", "source_info": deep, "prompt": ""}
    response = {**RESPONSES[0], "id": 1, "source_id": 10}
    (row,) = imported(folder(tmp_path, responses=[response], sources=[source]))
    assert row.id == "ragtruth-1"
    assert row.example.question == "Write an objective overview of this business."
    assert row.example.documents[0].text.startswith("inner inner")
