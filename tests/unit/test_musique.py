"""The musique builder: reading, drawing distractors, refusing what cannot be scored."""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
from pathlib import Path

import pytest

from lt_bench.builders.musique import Musique
from lt_bench.errors import UsageError
from lt_bench.records import AnswersGold, Hop


def paragraph(place, *, supporting=False, **changes):
    return {
        "idx": place,
        "title": f"Title {place // 2}",
        "paragraph_text": f"Text {place}.",
        "is_supporting": supporting,
        **changes,
    }


def musique_row(row_id="3hop1__11_22_33", **changes):
    """Twenty paragraphs of which 2, 5 and 17 support; an original row in all keys."""
    return {
        "id": row_id,
        "paragraphs": [paragraph(idx, supporting=idx in (2, 5, 17)) for idx in range(20)],
        "question": "Which river?",
        "question_decomposition": [
            {"id": 11, "question": "x >> y", "answer": "z", "paragraph_support_idx": 5}
        ],
        "answer": "Elbe",
        "answer_aliases": ["River Elbe"],
        "answerable": True,
        **changes,
    }


def without(key, **changes):
    return {name: value for name, value in musique_row(**changes).items() if name != key}


def write(path: Path, *rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(path, **options):
    return list(Musique(options).read(path))


def test_all_supporting_paragraphs_stay_and_order_is_kept(tmp_path):
    (example,) = read(write(tmp_path / "m.jsonl", musique_row()))
    indices = [int(document.id[1:]) for document in example.documents]
    assert len(indices) == 10
    assert indices == sorted(indices)
    assert {2, 5, 17} <= set(indices)
    assert example.gold == AnswersGold(
        answers=("Elbe", "River Elbe"),
        supporting=("p2", "p5", "p17"),
        hops=(Hop(question="x >> y", answer="z", document="p5"),),
    )
    assert [d.id for d in example.documents if d.supporting] == ["p2", "p5", "p17"]
    assert all(d.text == f"Text {d.id[1:]}." and d.kind == "paragraph" for d in example.documents)


def test_ids_name_documents_where_titles_repeat(tmp_path):
    (example,) = read(write(tmp_path / "m.jsonl", musique_row()), documents=20)
    titles = [document.title for document in example.documents]
    assert len(set(titles)) == 10
    assert len({document.id for document in example.documents}) == 20


@pytest.mark.parametrize(("documents", "kept"), [(1, 3), (3, 3), (4, 4), (20, 20), (99, 20)])
def test_supporting_paragraphs_count_but_are_never_dropped(tmp_path, documents, kept):
    (example,) = read(write(tmp_path / "m.jsonl", musique_row()), documents=documents)
    assert len(example.documents) == kept


def test_fewer_documents_are_part_of_more(tmp_path):
    path = write(tmp_path / "m.jsonl", musique_row())
    drawn = [{d.id for d in read(path, documents=n)[0].documents} for n in (5, 10, 15)]
    assert drawn[0] < drawn[1] < drawn[2]


def test_draw_depends_on_seed_id_and_answerability_but_not_on_other_rows(tmp_path):
    alone = read(write(tmp_path / "a.jsonl", musique_row()))[0]
    other = musique_row("2hop__1_2")
    beside = read(write(tmp_path / "b.jsonl", other, musique_row()))[1]
    seeded = read(tmp_path / "a.jsonl", seed=1)[0]
    unanswerable = write(tmp_path / "c.jsonl", musique_row(answerable=False))
    assert beside == alone

    def drawn(example):
        return [document.id for document in example.documents]

    assert drawn(seeded) != drawn(alone)
    assert drawn(read(tmp_path / "b.jsonl")[0]) != drawn(alone)
    assert drawn(read(unanswerable, full=True)[0]) != drawn(alone)


def test_distractors_have_the_smallest_hashes_of_seed_id_answerability_and_index(tmp_path):
    (example,) = read(write(tmp_path / "m.jsonl", musique_row()))
    hashes = {
        idx: hashlib.sha256(f"0|3hop1__11_22_33|true|{idx}".encode()).hexdigest()
        for idx in range(20)
        if idx not in (2, 5, 17)
    }
    kept = sorted([*sorted(hashes, key=hashes.__getitem__)[:7], 2, 5, 17])
    assert [document.id for document in example.documents] == [f"p{idx}" for idx in kept]


def test_json_array_gzip_and_byte_order_mark_give_the_same_rows(tmp_path):
    rows = [musique_row(), musique_row("2hop__1_2")]
    expected = read(write(tmp_path / "m.jsonl", *rows))
    array = tmp_path / "m.json"
    array.write_text(json.dumps(rows, indent=1), encoding="utf-8-sig")
    packed = tmp_path / "m.jsonl.gz"
    packed.write_bytes(gzip.compress((tmp_path / "m.jsonl").read_bytes(), mtime=0))
    crlf = tmp_path / "crlf.jsonl"
    crlf.write_bytes(b"\xef\xbb\xbf" + (tmp_path / "m.jsonl").read_bytes().replace(b"\n", b"\r\n"))
    assert read(array) == read(packed) == read(crlf) == expected


def test_examples_of_a_build_are_read_as_they_are(tmp_path):
    examples = list(Musique({}).build("test", 3, 0))
    path = tmp_path / "e.jsonl"
    path.write_text("".join(e.model_dump_json() + "\n" for e in examples), encoding="utf-8")
    assert read(path) == examples
    assert read(path, documents=4) == examples


def test_unanswerable_rows_only_with_full(tmp_path, caplog):
    path = write(tmp_path / "m.jsonl", musique_row(), musique_row(answerable=False))
    with caplog.at_level(logging.WARNING):
        assert [example.id for example in read(path)] == ["3hop1__11_22_33"]
    assert "1 unanswerable row from here on left out" in caplog.text
    answerable, unanswerable = read(path, full=True)
    assert unanswerable.id == "3hop1__11_22_33::unanswerable"
    assert not unanswerable.gold.answerable
    assert answerable.group == unanswerable.group
    assert answerable.tags == ("3hop1", "answerable")
    assert unanswerable.tags == ("3hop1", "unanswerable")


def test_unanswerable_rows_need_no_supporting_mark(tmp_path):
    bare = musique_row(answerable=False, paragraphs=[paragraph(idx) for idx in range(20)])
    (example,) = read(write(tmp_path / "m.jsonl", bare), full=True)
    assert example.gold.supporting == ()


def test_rows_with_the_same_final_question_share_a_group(tmp_path):
    ids = ["4hop1__1_2_3_9", "2hop__7_9", "2hop__9_7", "my-row"]
    path = write(tmp_path / "m.jsonl", *(musique_row(row_id) for row_id in ids))
    assert [example.group for example in read(path)] == ["9", "9", "7", "my-row"]


def test_licence_is_told_by_the_id_only(tmp_path):
    ids = ["2hop__1_2", "2hop__syn_1_2", "my-row"]
    path = write(tmp_path / "m.jsonl", *(musique_row(row_id) for row_id in ids))
    assert [example.license for example in read(path)] == ["CC-BY-4.0", "Apache-2.0", ""]


def test_f24_alias_that_normalises_to_nothing_is_reported_and_kept(tmp_path, caplog):
    path = write(tmp_path / "m.jsonl", musique_row(answer_aliases=["River Elbe", "???", "The"]))
    with caplog.at_level(logging.WARNING):
        (example,) = read(path)
    assert example.gold.answers == ("Elbe", "River Elbe", "???", "The")
    assert "line 1, answer_aliases.1: '???' is empty after normalisation" in caplog.text
    assert "answer_aliases.2" in caplog.text


LONGBENCH = {"input": "Which river?", "context": "Passage 1: ...", "answers": ["Elbe"], "_id": "1"}
FLASHRAG = {"id": "1", "question": "Which river?", "golden_answers": ["Elbe"], "metadata": {}}


@pytest.mark.parametrize(
    ("row", "field", "words"),
    [
        (LONGBENCH, "context", "joined into one text"),
        (FLASHRAG, "golden_answers", "without its paragraphs"),
        (without("paragraphs"), "paragraphs", "no paragraphs"),
        (musique_row(paragraphs=[]), "paragraphs", "at least one"),
        (musique_row(paragraphs="Text"), "paragraphs", "must be a list"),
        (musique_row(paragraphs=["Text"]), "paragraphs", "must be an object"),
        (
            musique_row(paragraphs=[{"idx": 0, "title": "t", "paragraph_text": "x"}]),
            "paragraphs.is_supporting",
            "lost the supporting marks",
        ),
        (musique_row(paragraphs=[paragraph(0)]), "paragraphs.is_supporting", "is marked"),
        (
            musique_row(paragraphs=[paragraph(0, supporting=True), paragraph(0)]),
            "paragraphs.idx",
            "two paragraphs",
        ),
        (
            musique_row(paragraphs=[paragraph(0, supporting="yes")]),
            "paragraphs.0.is_supporting",
            "bool",
        ),
        (
            musique_row(paragraphs=[paragraph(0, supporting=True, idx="0")]),
            "paragraphs.0.idx",
            "integer",
        ),
        (without("answer"), "answer", "test labels are hidden"),
        (without("answer_aliases"), "answer_aliases", "count as wrong"),
        (musique_row(answer_aliases="River Elbe"), "answer_aliases", "list"),
        (musique_row(answer=4), "answer", "string"),
        (musique_row(answerable="true"), "answerable", "bool"),
        (without("question"), "question", "Field required"),
        (without("id"), "id", "Field required"),
    ],
)
def test_what_cannot_be_scored_is_refused_with_line_and_field(tmp_path, row, field, words):
    path = write(tmp_path / "bad.jsonl", musique_row("2hop__1_2"), row)
    with pytest.raises(UsageError) as caught:
        read(path)
    assert caught.value.cause.startswith(f"{path}, line 2, {field}: ")
    assert words in caught.value.cause
    assert str(caught.value).count("\n") < 6


def test_an_id_that_comes_twice_is_refused(tmp_path):
    path = write(tmp_path / "m.jsonl", musique_row(), musique_row("2hop__1_2"), musique_row())
    with pytest.raises(UsageError, match=r"line 3, id: .* is on line 1 already"):
        read(path)


@pytest.mark.parametrize(
    "options", [{"documents": 0}, {"documents": "ten"}, {"distractors": 8}, {"full": "maybe"}]
)
def test_unknown_options_are_refused(options):
    with pytest.raises(UsageError, match="builder musique"):
        Musique(options)


def test_invented_rows_are_all_answerable():
    with pytest.raises(UsageError, match="answerable"):
        Musique({"full": True}).build("test", 1, 0)


def test_real_rows_run_as_they_are(shared_data):
    examples = read(shared_data / "musique" / "rows.jsonl")
    assert len(examples) == 160
    assert all(len(example.documents) == 10 for example in examples)
    assert all(example.gold.supporting for example in examples)
    assert {tag for example in examples for tag in example.tags} == {
        "2hop", "3hop1", "3hop2", "4hop1", "4hop2", "4hop3",
    }  # fmt: skip
    assert {example.license for example in examples} == {"CC-BY-4.0"}
    everything = read(shared_data / "musique" / "rows.jsonl", full=True, documents=20)
    assert len(everything) == 165
    assert all(len(example.documents) == 20 for example in everything)


@pytest.mark.parametrize("name", ["em_f1_cases.jsonl", "em_f1_cases_real.jsonl"])
def test_score_cases_wrapped_as_rows_are_read_whole(shared_data, tmp_path, name):
    cases = [json.loads(line) for line in (shared_data / "musique" / name).open(encoding="utf-8")]
    rows = [
        musique_row(f"case-{at}", answer=case["gold"], answer_aliases=case["aliases"])
        for at, case in enumerate(cases)
    ]
    examples = read(write(tmp_path / "cases.jsonl", *rows))
    assert [example.gold.answers for example in examples] == [
        (case["gold"], *case["aliases"]) for case in cases
    ]
