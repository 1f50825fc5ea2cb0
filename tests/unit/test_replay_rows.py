"""Rows of runs in any state, joined, filtered and picked."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.replays import answered, example, failed, scored, turn, write_run

from lt_bench.errors import UsageError
from lt_bench.records import AnswersGold, Claim, Document, Hop
from lt_bench.replay.filters import (
    Bound,
    Filter,
    check_bounds,
    chosen,
    diagnoses,
    differing_first,
    pick,
)
from lt_bench.replay.marks import in_evidence, in_reply, of_gold, pieces
from lt_bench.replay.rows import rows
from lt_bench.replay.source import Source

A, B, C, D = (example(name) for name in "abcd")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Right, wrong, failed, and one that nobody has answered yet."""
    return write_run(
        tmp_path / "run",
        [A, B, C, D],
        [
            answered("b", turn("It is blue.", output=30)),
            answered("a", turn("99 yuan.")),
            failed("c"),
        ],
        [scored("a", 1.0), scored("b", 0.0)],
    )


def found(*sources: Path) -> dict[str, list[str | None]]:
    every = rows(*(Source(path) for path in sources))
    return {row.anchor: [side.code if side else None for side in row.sides] for row in every}


def test_rows_come_in_the_order_of_the_data_with_all_that_is_missing(run: Path) -> None:
    assert found(run) == {"a": ["right"], "b": ["wrong"], "c": ["failed"], "d": ["unanswered"]}
    assert Source(run).problems == [f"{run} has no card yet"]


def test_half_written_and_broken_lines_are_told_and_left_out(run: Path) -> None:
    journal = run / "generations.jsonl"
    text = journal.read_bytes()
    journal.write_bytes(b"not json\n" + text + b'{"key":{"example_id":"d"')
    with (run / "scores.jsonl").open("a") as file:
        file.write('{"key":{"example_id":"b","sample_index":0},"scorers_sha":"' + "5" * 64 + '"}\n')
    source = Source(run)
    assert [row.sides[0].code for row in rows(source) if row.sides[0]] == [
        *("right", "unscored", "failed", "unanswered")
    ]
    told = "; ".join(source.problems)
    assert "generations.jsonl: 1 line cannot be read" in told
    assert "its last line is half written" in told
    assert "scores.jsonl: a line is not a Scored" in told


def test_a_silent_judge_and_answers_without_scores_are_not_scored(tmp_path: Path) -> None:
    run = write_run(
        tmp_path / "run", [A, B], [answered("a", turn("99")), answered("b", turn("99", None))],
        [scored("a", None)],
    )  # fmt: skip
    assert found(run) == {"a": ["unscored"], "b": ["unscored"]}


def test_a_run_whose_data_is_gone_shows_its_answers(run: Path) -> None:
    run.with_suffix(".jsonl").unlink()
    source = Source(run)
    kept = list(rows(source))
    assert [(row.anchor, row.example) for row in kept] == [("a", None), ("b", None), ("c", None)]
    assert any("--data FILE" in problem for problem in source.problems)


def test_changed_data_is_not_shown_as_if_it_had_been_asked(run: Path, tmp_path: Path) -> None:
    data = run.with_suffix(".jsonl")
    moved = tmp_path / "moved.jsonl"
    shutil.copy(data, moved)
    data.write_text(data.read_text("utf-8").replace("How much", "How big"), "utf-8")
    assert all(row.example is None for row in rows(Source(run)))
    again = [row.example for row in rows(Source(run, data=moved))]
    assert all(one is not None and one.question == "How much is it?" for one in again)
    with pytest.raises(UsageError, match="is not the data of"):
        Source(run, data=data)


def test_an_empty_run_has_rows_and_no_answers(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [A], [])
    (run / "generations.jsonl").unlink()
    assert found(run) == {"a": ["unanswered"]}


def test_samples_of_a_row_are_each_others_measure(tmp_path: Path) -> None:
    run = write_run(
        tmp_path / "run",
        [A],
        [answered("a", turn("99", output=60)), answered("a", turn("99", output=20), index=1)],
        [scored("a", 1.0), scored("a", 1.0, index=1)],
        count=2,
    )
    assert found(run) == {"a": ["long"], "a@1": ["right"]}
    every = list(rows(Source(run)))
    assert pick(every, "a@1").sample_index == 1
    assert pick(every, "2").sample_index == 1
    why = every[0].sides[0]
    assert why is not None
    assert why.findings[0].why == "60 tokens; sample 1 needs 20"


def test_two_runs_stand_side_by_side_and_differing_rows_come_first(
    run: Path, tmp_path: Path
) -> None:
    other = write_run(
        tmp_path / "other",
        [A, B, C],
        [answered("a", turn("99 yuan.")), answered("b", turn("It is 99 yuan.")), failed("c")],
        [scored("a", 1.0, helpful=0.0), scored("b", 1.0)],
    )
    assert found(run, other) == {
        "a": ["right", "evasive"],
        "b": ["wrong", "right"],
        "c": ["failed", "failed"],
        "d": ["unanswered", None],
    }
    ordered = differing_first(rows(Source(run), Source(other)))
    assert [(row.anchor, row.difference) for row in ordered] == [
        *(("b", 3), ("a", 2), ("c", 0), ("d", 0))
    ]


def test_runs_without_a_common_row_are_refused(run: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path / "other", [example("z")], [answered("z", turn("99"))])
    with pytest.raises(UsageError, match="no row in common"):
        list(rows(Source(run), Source(other)))


def test_answers_to_different_questions_under_one_id_are_not_put_side_by_side(
    run: Path, tmp_path: Path
) -> None:
    changed = A.model_copy(update={"question": "Is it blue?"})
    other = write_run(tmp_path / "other", [B, changed], [answered("a", turn("Yes."))])
    with pytest.raises(UsageError, match="'a' is not the same question in both"):
        list(rows(Source(run), Source(other)))


def test_filters_hold_together(run: Path) -> None:
    def kept(**asked: object) -> list[str]:
        one = Filter(**asked)  # type: ignore[arg-type]
        return [row.anchor for row in chosen(rows(Source(run)), one)]

    assert kept() == ["a", "b", "c", "d"]
    assert kept(diagnoses=diagnoses(["Wrong", "failed"])) == ["b", "c"]
    assert kept(bounds=(Bound.parse("correctness=0.5", "below"),)) == ["b"]
    assert kept(bounds=(Bound.parse("tokens=25", "above"),)) == ["b"]
    assert kept(tags=frozenset(("intent:price", "lang:en")), find="BLUE") == ["b"]
    assert kept(tags=frozenset(("intent:size",))) == []
    assert [row.anchor for row in chosen(rows(Source(run)), Filter(), 2)] == ["a", "b"]


def test_what_cannot_be_is_refused_with_the_nearest_name(run: Path) -> None:
    with pytest.raises(UsageError, match="Did you mean 'evasive'"):
        diagnoses(["evasiv"])
    with pytest.raises(UsageError, match="not METRIC=NUMBER"):
        Bound.parse("correctness", "below")
    with pytest.raises(UsageError, match="not METRIC=NUMBER"):
        Bound.parse("correctness=nan", "below")
    with pytest.raises(UsageError, match="Did you mean 'correctness'"):
        check_bounds(rows(Source(run)), [Bound.parse("correctnes=1", "below")])
    check_bounds(rows(Source(run)), [Bound.parse("tokens=1", "below")])
    with pytest.raises(UsageError, match="no row '9'"):
        pick(list(rows(Source(run))), "9")
    with pytest.raises(UsageError, match=r"no scores\.12345678\.jsonl"):
        Source(run, variant="12345678")


def test_claims_are_found_in_the_reply_in_their_order() -> None:
    claims = [
        Claim(text="99 yuan", verdict="supported"),
        Claim(text="99 yuan", verdict="contradicted"),
        Claim(text="not there", verdict="supported"),
    ]
    marks = in_reply("99 yuan or 99 yuan", claims)
    assert [(mark.start, mark.end, mark.claim) for mark in marks] == [(0, 7, 1), (11, 18, 2)]


def test_texts_fall_into_pieces_where_marks_overlap() -> None:
    text = "abcdef"
    marks = in_evidence("d", text, [
        Claim(text="x", verdict="supported", document="d", evidence="abcd"),
        Claim(text="y", verdict="contradicted", document="d", evidence="cdef"),
        Claim(text="z", verdict="supported", document="other", evidence="a"),
        Claim(text="w", verdict="supported", document="d", evidence="nowhere"),
    ])  # fmt: skip
    cut = [(piece.text, [mark.claim for mark in piece.marks]) for piece in pieces(text, marks)]
    assert cut == [("ab", [1]), ("cd", [1, 2]), ("ef", [2])]
    assert [piece.text for piece in pieces("", marks)] == []


def test_gold_marks_the_line_of_a_fact_and_the_words_of_an_answer() -> None:
    (mark,) = of_gold(A.gold, A.documents[0])
    assert A.documents[0].text[mark.start : mark.end] == "Price: 99 CNY"
    gold = AnswersGold(
        answers=("Rosa",), supporting=("2",),
        hops=(Hop(question="#1", answer="York", document="1"),),
    )  # fmt: skip
    first, second = (
        Document(id="1", text="New York, Yorkshire"),
        Document(id="2", text="It is ROSA."),
    )
    assert [(m.start, m.end) for m in of_gold(gold, first)] == [(4, 8)]
    assert [(m.start, m.end) for m in of_gold(gold, second)] == [(6, 10)]
