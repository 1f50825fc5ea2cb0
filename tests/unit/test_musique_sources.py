"""MuSiQue built from the original rows: sources, selection, what every row keeps."""

from __future__ import annotations

import json
import logging
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lt_bench.builders.musique import Musique, multihop
from lt_bench.builders.musique.selection import quotas, stratified
from lt_bench.errors import RunError, UsageError
from lt_bench.records import AnswersGold, Example


def original(split: str, size: int) -> list[dict]:
    return list(multihop.rows(split, size, 0))


def save(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def build(source: object, split: str = "test", size: int = 10_000, **options) -> list[Example]:
    seed = options.pop("seed", 0)
    return list(Musique({"source": source, **options}).build(split, size, seed))


def answers(example: Example) -> AnswersGold:
    assert isinstance(example.gold, AnswersGold)
    return example.gold


def test_a_lone_file_serves_test_and_one_named_train_serves_train(tmp_path):
    rows = original("test", 6)
    dev, train = save(tmp_path / "rows.jsonl", rows), save(tmp_path / "my_train.jsonl", rows)
    assert [e.id for e in build(str(dev))] == [row["id"] for row in rows]
    assert Musique({"source": str(train)}).splits == ("train",)
    with pytest.raises(UsageError, match="no rows for train, only for test"):
        build(str(dev), "train")


def test_two_files_serve_the_splits_they_are_named_for(tmp_path):
    one, two = save(tmp_path / "a.jsonl", original("test", 4)), tmp_path / "b.jsonl"
    save(two, original("train", 6))
    builder = Musique({"source": [f"test={one}", f"train={two}"]})
    assert len(list(builder.build("train", 99, 0))) == 6
    assert len(list(builder.build("test", 99, 0))) == 4
    assert set(builder.sources()) == {"a.jsonl", "b.jsonl"}
    with pytest.raises(UsageError, match="both for test"):
        build([str(one), f"test={two}"])


def test_a_folder_with_the_released_files(tmp_path):
    save(tmp_path / "musique_ans_v1.0_dev.jsonl", original("test", 4))
    save(tmp_path / "musique_ans_v1.0_train.jsonl", original("train", 8))
    save(tmp_path / "musique_full_v1.0_dev.jsonl", original("test", 2))
    assert len(build(str(tmp_path), "train")) == 8
    assert len(build(str(tmp_path), "test")) == 4
    assert len(build(str(tmp_path), "test", full=True)) == 2


def test_a_saved_data_set_gives_the_rows_of_the_file(tmp_path):
    import datasets

    rows = original("test", 8)
    from_file = build(str(save(tmp_path / "rows.jsonl", rows)))
    table = datasets.Dataset.from_list(rows)
    table.save_to_disk(str(tmp_path / "alone"))
    datasets.DatasetDict({"validation": table, "train": table}).save_to_disk(str(tmp_path / "both"))
    assert build(str(tmp_path / "alone")) == from_file
    assert build(str(tmp_path / "both")) == from_file
    assert build(str(tmp_path / "both"), "train") == from_file
    sums = Musique({"source": str(tmp_path / "both")}).sources()
    assert set(sums) == {"both:validation", "both:train"}
    assert len(set(sums.values())) == 1


def test_a_hub_copy_is_loaded_by_its_id(tmp_path, monkeypatch):
    import datasets

    rows = original("test", 3)
    asked = []

    def load(name, revision=None):
        asked.append((name, revision))
        table = datasets.Dataset.from_list(rows)
        return datasets.DatasetDict({"train": table, "validation": table})

    monkeypatch.setattr(datasets, "load_dataset", load)
    assert [e.id for e in build("dgslibisey/MuSiQue@c8f4f8c")] == [row["id"] for row in rows]
    assert asked == [("dgslibisey/MuSiQue", "c8f4f8c")]


def test_a_hub_that_does_not_answer_is_no_missing_file(monkeypatch):
    import datasets

    def fail(name, revision=None):
        raise ConnectionError("no route to host")

    monkeypatch.setattr(datasets, "load_dataset", fail)
    with pytest.raises(RunError, match="no route to host"):
        build("dgslibisey/MuSiQue")


@pytest.mark.parametrize("name", ["nowhere.jsonl", "no/such/file.jsonl", "train=nowhere.jsonl"])
def test_a_source_that_is_not_there(name):
    with pytest.raises(UsageError, match="no such file"):
        build(name)


def test_an_empty_folder_names_what_it_should_hold(tmp_path):
    with pytest.raises(UsageError, match="musique_ans_v1.0_train"):
        build(str(tmp_path))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda row: {"context": "all in one", **without(row, "paragraphs")}, "LongBench"),
        (lambda row: {"golden_answers": ["x"], **without(row, "paragraphs")}, "FlashRAG"),
        (lambda row: without(row, "answer"), "no answer"),
        (lambda row: without(row, "answer_aliases"), "answer_aliases"),
        (
            lambda row: {
                **row,
                "paragraphs": [without(p, "is_supporting") for p in row["paragraphs"]],
            },
            "supporting marks",
        ),
        (
            lambda row: {
                **row,
                "question_decomposition": [
                    {**hop, "paragraph_support_idx": 99} for hop in row["question_decomposition"]
                ],
            },
            "idx 99",
        ),
    ],
)
def test_copies_that_lost_what_scoring_needs_are_refused(tmp_path, change, reason):
    path = save(tmp_path / "copy.jsonl", [change(original("test", 1)[0])])
    with pytest.raises(UsageError, match=reason):
        build(str(path))


def without(row: dict, key: str) -> dict:
    return {name: value for name, value in row.items() if name != key}


def test_shapes_keep_their_shares_and_rows_their_order(tmp_path):
    rows = original("train", 300)
    path = save(tmp_path / "rows.jsonl", rows)
    chosen = build(str(path), size=60)
    assert len(chosen) == 60
    shares = Counter(row["id"].split("__")[0] for row in rows)
    got = Counter(example.tags[0] for example in chosen)
    assert all(abs(got[shape] - count / 5) < 1 for shape, count in shares.items())
    order = {row["id"]: place for place, row in enumerate(rows)}
    places = [order[example.id] for example in chosen]
    assert places == sorted(places)
    assert build(str(path), size=60) == chosen
    assert build(str(path), size=60, seed=1) != chosen


@given(st.dictionaries(st.text(max_size=3), st.integers(1, 50), min_size=1), st.integers(0, 400))
def test_quotas_add_up_and_never_ask_for_more_than_there_is(counts, size):
    taken = quotas(counts, size)
    assert sum(taken.values()) == min(size, sum(counts.values()))
    assert all(taken[shape] <= counts[shape] for shape in counts)


def test_selection_within_a_shape_does_not_depend_on_order_or_on_other_shapes():
    pairs = [(f"a{i}", "2hop") for i in range(20)] + [(f"b{i}", "3hop1") for i in range(20)]
    one = stratified(pairs, 10, 0)
    assert stratified(reversed(pairs), 10, 0) == one
    assert {i for i in one if i[0] == "a"} == stratified(pairs[:20], 5, 0)


def test_real_answerable_rows_with_ten_documents_keep_all_that_they_need(shared_data, caplog):
    path = shared_data / "musique" / "rows.jsonl"
    with caplog.at_level(logging.WARNING):
        examples = build(str(path), documents=10)
    assert len(examples) == 160
    assert "5 unanswerable rows" in caplog.text
    rows = {row["id"]: row for row in map(json.loads, path.read_text().splitlines())}
    for example in examples:
        row, gold = rows[example.id], answers(example)
        paragraphs = {f"p{p['idx']}": p for p in row["paragraphs"]}
        supporting = [key for key, p in paragraphs.items() if p["is_supporting"]]
        assert len(example.documents) == 10
        assert [d.id for d in example.documents if d.supporting] == supporting
        assert gold.supporting == tuple(supporting)
        for document in example.documents:
            assert document.text == paragraphs[document.id]["paragraph_text"]
        kept = {d.id: d for d in example.documents}
        assert [(h.question, h.answer) for h in gold.hops] == [
            (h["question"], h["answer"]) for h in row["question_decomposition"]
        ]
        assert {hop.document for hop in gold.hops} == set(supporting)
        assert all(hop.document in kept for hop in gold.hops)
        texts = [f"{d.title} {d.text}".lower() for d in example.documents if d.supporting]
        assert any(row["answer"].lower() in text for text in texts)


def test_real_unanswerable_rows_keep_the_supporting_paragraphs_they_have(shared_data):
    path = shared_data / "musique" / "rows.jsonl"
    examples = build(str(path), documents=10, full=True)
    assert len(examples) == 165
    rows = [row for row in map(json.loads, path.read_text().splitlines()) if not row["answerable"]]
    silent = [example for example in examples if not answers(example).answerable]
    assert sorted(e.id for e in silent) == sorted(f"{row['id']}::unanswerable" for row in rows)
    for example in silent:
        row = next(row for row in rows if example.id.startswith(row["id"]))
        marked = [f"p{p['idx']}" for p in row["paragraphs"] if p["is_supporting"]]
        assert [d.id for d in example.documents if d.supporting] == marked
        assert None in {hop.document for hop in answers(example).hops}


def test_files_of_one_name_keep_both_hashes(tmp_path):
    for split in ("train", "test"):
        (tmp_path / split).mkdir()
        save(tmp_path / split / "rows.jsonl", original(split, 4))
    named = [f"{split}={tmp_path / split / 'rows.jsonl'}" for split in ("train", "test")]
    found = Musique({"source": named}).sources()
    assert list(found) == ["train=rows.jsonl", "test=rows.jsonl"]
    assert len(set(found.values())) == 2


def test_every_broken_line_is_named(tmp_path):
    rows = [json.dumps(row) for row in original("test", 2)]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(["{", rows[0], "nope", rows[1]]))
    found = list(Musique({}).inspect(path))
    assert [getattr(item, "message", "")[:11] for item in found] == [
        *("broken JSON", "", "broken JSON", ""),
    ]


def test_rows_of_another_multi_hop_set_are_called_so(tmp_path):
    row = {"_id": "x", "question": "q", "answer": "a", "supporting_facts": [], "context": []}
    with pytest.raises(UsageError, match="HotpotQA"):
        build(str(save(tmp_path / "rows.jsonl", [row])))
