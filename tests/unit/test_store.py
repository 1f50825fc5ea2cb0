"""Data sets on disk: equal inputs give equal bytes, files are whole or absent, problems are named."""

from __future__ import annotations

import hashlib
import json

import pytest

from lt_bench.builders.commerce_qa import CommerceQA
from lt_bench.builders.examples import inspect_examples
from lt_bench.builders.musique import Musique
from lt_bench.builders.store import (
    Origin,
    read_manifest,
    validate,
    write_dataset,
    write_examples,
)
from lt_bench.builders.survey import stats
from lt_bench.errors import RunError, UsageError
from lt_bench.records import (
    AnswersGold,
    CallsGold,
    Document,
    Example,
    FactsGold,
    ReferenceGold,
    Utterance,
    World,
)

ORIGIN = Origin(builder="musique", version=1, seed=0, options={"documents": 10})


def build(size=6, split="test"):
    return list(Musique({}).build(split, size, 0))


def example(example_id="a", **changes):
    return Example(**{"id": example_id, "task": "t", "question": "q", "group": "g", **changes})


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_equal_inputs_give_equal_bytes(tmp_path):
    for name in ("one", "two"):
        write_dataset(tmp_path / name, {"test": build(), "train": build(4, "train")}, ORIGIN)
    one = files(tmp_path / "one")
    assert one == files(tmp_path / "two")
    assert set(one) == {"manifest.json", "test.jsonl", "train.jsonl"}


def test_manifest_says_what_the_folder_holds(tmp_path):
    origin = ORIGIN.model_copy(update={"sources": {"dev.jsonl": "ab" * 32}})
    manifest = write_dataset(tmp_path, {"test": build()}, origin)
    assert read_manifest(tmp_path) == manifest
    test = manifest.splits["test"]
    data = (tmp_path / "test.jsonl").read_bytes()
    assert test.sha256 == hashlib.sha256(data).hexdigest()
    assert (test.rows, test.groups, data.count(b"\n")) == (6, 3, 6)
    assert sum(test.tags.values()) == 6
    assert test.licenses == {"Apache-2.0": 6}
    assert json.loads((tmp_path / "manifest.json").read_text())["origin"]["sources"] == {
        "dev.jsonl": "ab" * 32
    }


def test_every_kind_of_example_comes_back_as_it_was(tmp_path):
    written = [
        example("a", gold=AnswersGold(answers=("x", "\u2028"), answerable=False)),
        example("b", gold=FactsGold(answerability="none"), lang="zh", question="多少钱？\n"),
        example(
            "c", gold=ReferenceGold(relevance={"d": 2}), documents=(Document(id="d", text="x"),)
        ),
        example("d", gold=CallsGold(type="clarify"), world=World(kind="shop", seed=3)),
        example(
            "e",
            history=(Utterance(role="viewer", name="", content="hi"),),
            documents=(Document(id="d", text="", product={"offers": None, "n": {"v": [1, 2.5]}}),),
        ),
    ]
    path = tmp_path / "e.jsonl"
    write_examples(path, written)
    assert [item.example for item in inspect_examples(path)] == written
    assert path.read_bytes().count(b"\n") == 5


def test_build_can_be_read_by_its_builder(tmp_path):
    write_dataset(tmp_path, {"test": build()}, ORIGIN)
    assert list(Musique({}).read(tmp_path / "test.jsonl")) == build()
    assert validate(tmp_path / "test.jsonl", Musique({})) == []


def test_second_split_of_the_same_origin_joins_the_first(tmp_path):
    write_dataset(tmp_path, {"test": build()}, ORIGIN)
    manifest = write_dataset(tmp_path, {"train": build(4, "train")}, ORIGIN)
    assert list(manifest.splits) == ["test", "train"]


def test_data_set_of_another_origin_is_not_overwritten(tmp_path):
    write_dataset(tmp_path, {"test": build()}, ORIGIN)
    before = files(tmp_path)
    with pytest.raises(UsageError, match="seed: 0 there, 1 now"):
        write_dataset(tmp_path, {"test": build()}, ORIGIN.model_copy(update={"seed": 1}))
    assert files(tmp_path) == before


def test_failure_in_the_middle_leaves_what_was_there(tmp_path):
    write_dataset(tmp_path, {"test": build()}, ORIGIN)
    before = files(tmp_path)

    def broken():
        yield from build(2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset(tmp_path, {"test": broken()}, ORIGIN)
    assert files(tmp_path) == before


def test_two_rows_of_one_id_are_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(UsageError, match="two examples have the id 'a'"):
        write_examples(tmp_path / "e.jsonl", [example("a"), example("a")])
    assert files(tmp_path) == {}


def test_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"cannot write .*file.*e\.jsonl"):
        write_examples(tmp_path / "file" / "e.jsonl", [example()])


@pytest.mark.parametrize("text", ["{}", "not json", '{"origin": {}, "splits": {}}'])
def test_foreign_manifest_is_refused(tmp_path, text):
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(UsageError, match=r"manifest\.json"):
        write_dataset(tmp_path, {"test": build()}, ORIGIN)


@pytest.mark.parametrize("builder", [Musique, CommerceQA])
def test_validate_names_every_problem_with_line_field_and_fix(tmp_path, builder):
    rows = [json.loads(line.model_dump_json()) for line in build(3)]
    del rows[0]["question"]
    rows[1]["questoin"] = "?"
    rows[2]["gold"]["kind"] = "answer"
    path = tmp_path / "bad.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    problems = validate(path, builder({}))
    assert [(p.level, p.line, p.field) for p in problems] == [
        ("error", 1, "question"),
        ("error", 2, "questoin"),
        ("error", 3, "gold"),
    ]
    assert problems[1].fix == "remove or rename it"


def test_validate_reports_broken_json_with_its_line(tmp_path):
    path = tmp_path / "bad.jsonl"
    good = [row.model_dump_json() for row in build(6)]
    path.write_text("\n".join([*good, "{broken"]) + "\n")
    (problem,) = validate(path, Musique({}))
    assert (problem.level, problem.line) == ("error", 7)
    assert "broken JSON" in problem.message


def test_validate_serves_builders_that_stop_at_the_first_error(tmp_path):
    class Reader:
        version = 1

        def read(self, path):
            raise UsageError(f"{path}, line 4, price: not a number", "write 12.50")

        def build(self, split, size, seed): ...

    (problem,) = validate(tmp_path / "x", Reader())
    assert (problem.line, problem.fix) == (4, "write 12.50")


def test_stats_show_lengths_tags_and_answerability():
    found = stats(
        [
            example("a", gold=AnswersGold(answers=("x",)), tags=("2hop",), question="abcd"),
            example("b", gold=AnswersGold(answers=("x",), answerable=False), group="h"),
            example("c", gold=FactsGold(answerability="partial"), lang="zh", license="MIT"),
            example("d", gold=ReferenceGold(relevance={"d": 1, "e": 2})),
            example("e", documents=(Document(id="1", text="xyz"), Document(id="2", text="z"))),
        ]
    )
    assert (found.rows, found.groups) == (5, 2)
    assert found.answerability == {"full": 2, "none": 1, "partial": 1, "unknown": 1}
    assert found.tags == {"2hop": 1}
    assert found.langs == {"en": 4, "zh": 1}
    assert found.licenses == {"MIT": 1, "unknown": 4}
    assert (found.question.low, found.question.high, found.question.mean) == (1, 4, 1.6)
    assert (found.documents.high, found.evidence.high) == (2, 4)


def test_stats_of_nothing_have_no_lengths():
    found = stats([])
    assert found.rows == 0
    assert found.question is None
