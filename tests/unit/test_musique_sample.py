"""The invented multi-hop rows, and the sample of them that ships with the task."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from lt_bench.backends.turn import turn_from_text
from lt_bench.builders.musique import Musique, multihop
from lt_bench.builders.musique.names import (
    ANCHORS,
    CODAS,
    GIVEN,
    SPLITS,
    SYLLABLES,
    WORDS,
    Names,
    anchor_root,
    seeded,
    spell,
)
from lt_bench.builders.musique.sample import write_sample
from lt_bench.catalog import builtin_root
from lt_bench.errors import UsageError
from lt_bench.records import Generation
from lt_bench.scorers import ScoringContext
from lt_bench.scorers.qa import AnswerScorer

SAMPLE = builtin_root() / "tasks" / "musique" / "sample"
KEYS = [
    "id",
    "paragraphs",
    "question",
    "question_decomposition",
    "answer",
    "answer_aliases",
    "answerable",
]


@pytest.fixture(scope="module")
def rows():
    return list(multihop.rows("test", 200, 0))


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def supporting(row):
    return [p for p in row["paragraphs"] if p["is_supporting"]]


# --- the schema --------------------------------------------------------------------------------


def test_keys_are_those_of_the_original_in_their_order(rows):
    for row in rows:
        assert list(row) == KEYS
        assert [p["idx"] for p in row["paragraphs"]] == list(range(20))
        for part in row["paragraphs"]:
            assert list(part) == ["idx", "title", "paragraph_text", "is_supporting"]
        for hop in row["question_decomposition"]:
            assert list(hop) == ["id", "question", "answer", "paragraph_support_idx"]


def test_schema_is_that_of_a_real_row(rows, shared_data):
    with (shared_data / "musique" / "rows.jsonl").open(encoding="utf-8") as file:
        real = json.loads(file.readline())
    ours = rows[0]
    assert list(ours) == list(real)
    assert list(ours["paragraphs"][0]) == list(real["paragraphs"][0])
    assert list(ours["question_decomposition"][0]) == list(real["question_decomposition"][0])
    assert {key: type(value) for key, value in ours.items()} == {
        key: type(value) for key, value in real.items()
    }


def test_shapes_are_mixed_and_their_hops_are_marked(rows):
    hops = {"2hop": 2, "3hop1": 3, "3hop2": 3, "4hop1": 4}
    shapes = Counter(row["id"].partition("__")[0] for row in rows)
    assert set(shapes) == set(hops)
    assert min(shapes.values()) >= 10
    for row in rows:
        wanted = hops[row["id"].partition("__")[0]]
        assert len(row["question_decomposition"]) == len(supporting(row)) == wanted


def test_ids_and_questions_are_unique_and_pairs_share_the_final_question(rows):
    assert len({row["id"] for row in rows}) == len(rows)
    assert len({row["question"] for row in rows}) == len(rows)
    finals = Counter(row["id"].rpartition("_")[2] for row in rows)
    assert set(finals.values()) == {2}
    for one, other in zip(rows[::2], rows[1::2], strict=True):
        assert one["answer"] == other["answer"]
        assert one["question"] != other["question"]


# --- a lookup of one paragraph is not enough ---------------------------------------------------


def test_every_hop_is_stated_in_its_paragraph_only(rows):
    for row in rows:
        for hop in row["question_decomposition"]:
            home = row["paragraphs"][hop["paragraph_support_idx"]]
            assert home["is_supporting"]
            assert hop["answer"] in home["paragraph_text"]


def test_question_names_the_start_and_nothing_on_the_way(rows):
    for row in rows:
        way = [hop["answer"] for hop in row["question_decomposition"]]
        assert not any(name in row["question"] for name in way), row["question"]
        starts = [
            hop["question"].partition(" >> ")[0]
            for hop in row["question_decomposition"]
            if "#" not in hop["question"]
        ]
        assert all(start in row["question"] for start in starts)


def test_answer_stands_in_the_last_paragraph_alone(rows):
    for row in rows:
        last = row["question_decomposition"][-1]["paragraph_support_idx"]
        holders = [
            p["idx"]
            for p in row["paragraphs"]
            if re.search(rf"\b{re.escape(row['answer'])}\b", p["paragraph_text"])
        ]
        assert holders == [last], row["id"]


def test_every_supporting_kind_of_paragraph_has_rivals(rows):
    """For each hop another paragraph says the same relation of another subject."""
    for row in rows:
        titles = [p["title"] for p in row["paragraphs"]]
        assert len(set(titles)) == 20
    relations = {r.name: r for r in multihop.RELATIONS}
    for row in rows:
        for hop in row["question_decomposition"]:
            subject, _, name = hop["question"].partition(" >> ")
            patterns = [
                re.sub(r"\\\{[so]\\\}", ".+", re.escape(say))
                for relation in multihop.RELATIONS
                if relation.name == name
                for say in relation.say
            ]
            said = [
                p["idx"]
                for p in row["paragraphs"]
                if any(
                    re.search(pattern, p["paragraph_text"], re.IGNORECASE) for pattern in patterns
                )
            ]
            assert len(said) >= 3, (row["id"], subject, relations[name])


# --- deterministic, prefix-stable, disjoint ------------------------------------------------------


def test_a_longer_build_begins_with_the_shorter_one(rows):
    assert list(multihop.rows("test", 7, 0)) == rows[:7]
    assert list(multihop.rows("test", 200, 0)) == rows


def test_seeds_and_splits_give_other_rows(rows):
    assert next(multihop.rows("test", 1, 1))["question"] != rows[0]["question"]
    assert next(multihop.rows("train", 1, 0))["question"] != rows[0]["question"]


def test_splits_share_no_name_and_no_wording(rows):
    train = list(multihop.rows("train", 200, 0))

    def roots(some):
        text = " ".join(
            f"{p['title']} {p['paragraph_text']}" for r in some for p in r["paragraphs"]
        )
        return set(re.findall(r"[A-Z][a-z]+", text))

    def wordings(some):
        return {re.sub(r"\b(?:[A-Z]\w+|of|the)\b ?", "", row["question"][1:]) for row in some}

    every = {spell(n, 2) for n in range(SYLLABLES**2 * len(CODAS))}
    assert roots(rows) & roots(train) & every <= {*GIVEN, *WORDS}
    assert not {row["question"] for row in rows} & {row["question"] for row in train}
    assert not wordings(rows) & wordings(train)


def test_names_are_bijective_with_numbers():
    two = {spell(n, 2) for n in range(SYLLABLES**2 * len(CODAS))}
    assert len(two) == SYLLABLES**2 * len(CODAS)
    anchors = {anchor_root("test", 0, index) for index in range(5000)}
    assert len(anchors) == 5000
    assert not anchors & two
    others = {anchor_root("train", 0, index) for index in range(5000)}
    assert not anchors & others


def test_names_of_one_row_never_repeat():
    names, draw = Names("test"), seeded("x")
    drawn = [names.root(draw) for _ in range(20_000)]
    assert len(set(drawn)) == 20_000
    assert not {*GIVEN, *WORDS} & set(drawn)


def test_unknown_split_and_too_many_rows_are_refused():
    with pytest.raises(UsageError, match="unknown split 'validation'"):
        multihop.rows("validation", 1, 0)
    with pytest.raises(UsageError, match="at most"):
        anchor_root(SPLITS[0], 0, ANCHORS)


# --- the shipped sample ------------------------------------------------------------------------


def test_shipped_sample_is_exactly_what_the_generator_makes(tmp_path):
    write_sample(tmp_path)
    for name in ("test.jsonl", "replies.jsonl"):
        assert (SAMPLE / name).read_bytes() == (tmp_path / name).read_bytes(), "make samples"


def test_shipped_sample_has_100_rows_in_at_least_25_groups():
    examples = list(Musique({}).read(SAMPLE / "test.jsonl"))
    assert len(examples) == 100
    assert len({example.group for example in examples}) >= 25
    assert {example.license for example in examples} == {"Apache-2.0"}
    assert examples == list(Musique({}).build("test", 100, 0))


def test_reference_replies_are_right_and_cite_the_right_documents():
    scorer = AnswerScorer(ScoringContext(), {})
    replies = {line["id"]: line["output"] for line in lines(SAMPLE / "replies.jsonl")}
    for example in Musique({}).read(SAMPLE / "test.jsonl"):
        turn = turn_from_text(
            replies.pop(example.id),
            finish_reason="stop",
            prompt_tokens=None,
            spans=None,
            counted_by=None,
        )
        assert turn.reasoning
        scores = asyncio.run(scorer.score(example, Generation(turns=(turn,))))
        assert [score.value for score in scores] == [1, 1, 1], example.id
    assert not replies
