"""Lines of the journals are found by sample, and a card made one row at a time is the same card."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lt_bench.errors import RunError
from lt_bench.records import (
    Example,
    Failure,
    Generation,
    Reason,
    Sample,
    SampleKey,
    Score,
    Scored,
    Status,
    Turn,
    Usage,
)
from lt_bench.run.heads import answer_heads, score_heads
from lt_bench.run.journal import Journal
from lt_bench.run.naming import named
from lt_bench.run.places import Answers, Rows, Verdicts, owing
from lt_bench.run.row import Row
from lt_bench.run.tally import Tally
from lt_bench.scorers import Metric
from lt_bench.stats import Observation, estimate

SHA = "a" * 64


def examples(count: int) -> list[Example]:
    return [
        Example(
            id=f"row-{i}",
            task="t",
            question="q",
            group=f"g{i // 2}",
            tags=("even",) if i % 2 == 0 else (),
            lang="en" if i % 3 else "zh",
        )
        for i in range(count)
    ]


def key(row: int, index: int = 0) -> SampleKey:
    return SampleKey(example_id=f"row-{row}", sample_index=index, request_sha=f"{row:064x}")


def answer(row: int, index: int = 0, reply: str = "99 yuan", status: Status = "ok") -> Sample:
    if status in ("error", "refused"):
        failure = Failure(kind="server", message="HTTP 500")
        return Sample(key=key(row, index), status=status, failure=failure)
    turn = Turn(
        reasoning=None,
        reply=reply,
        finish_reason="length" if status == "truncated" else "stop",
        usage=Usage(prompt=1, output=3, counted_by="engine"),
    )
    return Sample(key=key(row, index), status=status, generation=Generation(turns=(turn,)))


def scored(row: int, *scores: Score, index: int = 0, sha: str = SHA) -> Scored:
    return Scored(key=key(row, index), scorers_sha=sha, scores=scores)


def answers(folder: Path, *samples: Sample, rows: int = 3, each: int = 1) -> Answers:
    journal = Journal(folder / "generations.jsonl", Sample)
    with journal:
        for one in samples:
            journal.append(one)
    return Answers(journal, Rows(examples(rows), each))


def verdicts(folder: Path, *lines: Scored, rows: int = 3) -> Verdicts:
    journal = Journal(folder / "scores.jsonl", Scored)
    with journal:
        for one in lines:
            journal.append(one)
    return Verdicts(journal, Rows(examples(rows), 1), SHA)


# --- Where lines stand -----------------------------------------------------------------------


def test_samples_are_found_in_the_order_of_the_examples(tmp_path: Path) -> None:
    written = [answer(2), answer(0, reply="天气很好"), answer(1, status="truncated")]
    found = answers(tmp_path, *written)
    with found:
        assert [found.read(n) for n in found.numbers()] == [written[1], written[2], written[0]]
        assert [found.status(n) for n in range(3)] == ["ok", "truncated", "ok"]
        assert found.text(1).endswith(b"\n")
    assert found.done == 3


def test_several_samples_of_a_row_have_numbers_side_by_side(tmp_path: Path) -> None:
    found = answers(tmp_path, answer(1, 1), answer(0, 0), rows=2, each=2)
    assert list(found.numbers()) == [0, 3]
    assert found.rows.named(3) == "row-1 (sample 1)"


def test_the_last_outcome_of_a_failed_request_counts(tmp_path: Path) -> None:
    found = answers(tmp_path, answer(0, status="error"), answer(0, status="error"), answer(0))
    assert found.status(0) == "ok"
    with found:
        assert found.read(0) == answer(0)
    assert found.done == 1


def test_a_sample_answered_twice_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"answers row-0 \(sample 0\) twice"):
        answers(tmp_path, answer(0), answer(1), answer(0))


@pytest.mark.parametrize("stranger", [answer(7), answer(0, 1)])
def test_a_row_of_another_run_is_named(tmp_path: Path, stranger: Sample) -> None:
    with pytest.raises(RunError, match="not asked in this run"):
        answers(tmp_path, stranger)


def test_a_torn_last_line_is_no_outcome(tmp_path: Path) -> None:
    answers(tmp_path, answer(0), answer(1))
    path = tmp_path / "generations.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    found = Answers(Journal(path, Sample), Rows(examples(3), 1))
    assert list(found.numbers()) == [0]


@pytest.mark.parametrize(
    "line",
    [b"{oops}\n", b"[]\n", b"7\n", b'{"key": {}, "status": "ok"}\n', b"\n",
     b'{"key":{"example_id":"a","sample_index":0,"request_sha":""},"status":"fine"}\n'],
)  # fmt: skip
def test_a_line_that_is_no_sample_is_named_by_its_number(tmp_path: Path, line: bytes) -> None:
    answers(tmp_path, answer(0))
    path = tmp_path / "generations.jsonl"
    path.write_bytes(path.read_bytes() + line + path.read_bytes())
    with pytest.raises(RunError, match="line 2 is not a Sample"):
        list(answer_heads(Journal(path, Sample)))


def test_a_line_with_the_right_head_and_a_broken_body_is_named_when_it_is_read(
    tmp_path: Path,
) -> None:
    answers(tmp_path, answer(0), answer(1))
    path = tmp_path / "generations.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"output":3', b'"output":"many"', 2))
    found = Answers(Journal(path, Sample), Rows(examples(3), 1))
    with found, pytest.raises(RunError, match="line 2 is not a Sample"):
        found.read(1)


KEY = '"example_id":"row-0","sample_index":0,"request_sha"'


@pytest.mark.parametrize(
    "wrong",
    [
        '"example_id":["row-0"],"sample_index":0,"request_sha"',
        '"example_id":{},"sample_index":0,"request_sha"',
        '"example_id":null,"sample_index":0,"request_sha"',
        '"example_id":"row-0","sample_index":[],"request_sha"',
        '"example_id":"row-0","sample_index":0.5,"request_sha"',
        '"example_id":"row-0","sample_index":null,"request_sha"',
    ],
)
def test_a_key_of_another_kind_is_named_and_never_looked_up(tmp_path: Path, wrong: str) -> None:
    answers(tmp_path, answer(1), answer(0))
    path = tmp_path / "generations.jsonl"
    text = path.read_text()
    assert KEY in text
    path.write_text(text.replace(KEY, wrong))
    with pytest.raises(RunError, match="line 2 is not a Sample"):
        Answers(Journal(path, Sample), Rows(examples(3), 1))


def test_a_number_that_another_hand_wrote_as_text_is_that_number(tmp_path: Path) -> None:
    answers(tmp_path, answer(0))
    path = tmp_path / "generations.jsonl"
    path.write_text(path.read_text().replace('"sample_index":0', '"sample_index":0.0'))
    assert list(Answers(Journal(path, Sample), Rows(examples(3), 1)).numbers()) == [0]


def test_a_reason_that_there_is_not_is_named(tmp_path: Path) -> None:
    verdicts(tmp_path, scored(0, Score(name="em", value=None, reason="judge_error")))
    path = tmp_path / "scores.jsonl"
    text = path.read_text()
    path.write_text(text.replace("judge_error", "bad_mood"))
    with pytest.raises(RunError, match="line 1 is not a Scored"):
        list(score_heads(Journal(path, Scored)))
    path.write_text(text.replace('"value":null,"reason":"judge_error"', '"value":1,"reason":null'))
    assert [head.reasons for head in score_heads(Journal(path, Scored))] == [frozenset()]


@pytest.mark.parametrize(
    ("example_id", "shown"),
    [
        ("row-1", "row-1 (sample 2)"),
        ("天气", "天气 (sample 2)"),
        ("a\nfix: pay", "'a\\nfix: pay' (sample 2)"),
        ("\x1b[31mred", "'\\x1b[31mred' (sample 2)"),
        ("", "'' (sample 2)"),
        ("x" * 1_000_000, "x" * 80 + "… (sample 2)"),
    ],
)
def test_a_hostile_id_is_shown_on_one_short_line(example_id: str, shown: str) -> None:
    assert named(example_id, 2) == shown


def test_without_a_file_nothing_is_there(tmp_path: Path) -> None:
    found = Answers(Journal(tmp_path / "none.jsonl", Sample), Rows(examples(3), 1))
    with found:
        assert list(found.numbers()) == []


def test_scores_of_other_scorers_are_not_these(tmp_path: Path) -> None:
    one = Score(name="em", value=1.0)
    found = verdicts(tmp_path, scored(0, one), scored(1, one, sha="b" * 64))
    assert [found.has(n) for n in range(3)] == [True, False, False]
    heads = score_heads(Journal(tmp_path / "scores.jsonl", Scored))
    assert [head.reasons for head in heads] == [frozenset(), frozenset()]


@pytest.mark.parametrize(
    ("reason", "owed"), [("judge_error", True), ("judge_unparsed", True), ("not_applicable", False)]
)
def test_what_a_judge_left_open_is_owed(tmp_path: Path, reason: Reason, owed: bool) -> None:
    silent = scored(0, Score(name="em", value=None, reason=reason))
    found = verdicts(tmp_path, silent)
    assert found.owes(0) == owed
    given = answers(tmp_path, answer(0), answer(1), answer(2, status="error"))
    assert owing(given, found) == ([0, 1] if owed else [1])


def test_a_later_verdict_ends_what_is_owed(tmp_path: Path) -> None:
    silent = Score(name="em", value=None, reason="judge_error")
    found = verdicts(tmp_path, scored(0, silent), scored(0, Score(name="em", value=0.0)))
    assert not found.owes(0)


# --- What they come to -----------------------------------------------------------------------


def test_a_tally_gives_the_estimates_of_all_rows_at_once() -> None:
    """Values, intervals and counts are those of `estimate`, over all rows and over every slice."""
    draw, rows = random.Random(3), []
    for example in examples(60):
        row = int(example.id.removeprefix("row-"))
        for index in range(2):
            status: Status = draw.choice(("ok", "ok", "ok", "truncated", "refused"))
            open_ = status == "refused"
            names = ("em", "f1", "tpr")
            values = (float(draw.random() < 0.5), draw.random(), float(draw.randint(5, 400)))
            scores = [
                Score(name=n, value=None, reason="no_answer") if open_ else Score(name=n, value=v)
                for n, v in zip(names, values, strict=True)
            ]
            one = answer(row, index, status=status)
            rows.append(Row.of(example, one, scored(row, *scores, index=index)))
    metrics = [Metric("em", "quality"), Metric("f1", "quality"), Metric("tpr", "cost", "tokens")]
    tally = Tally(metrics, ("em",))
    for each in rows:
        tally.add(each)

    def of(chosen: list[Row], metric: Metric) -> object:
        scores = [(row.example, row.scores[metric.name]) for row in chosen]
        return estimate(
            [Observation(e.id, e.group, s.value, s.reason) for e, s in scores], metric.unit
        )

    assert tally.estimates() == {metric.name: of(rows, metric) for metric in metrics}
    completed = [row for row in rows if row.sample.status == "ok"]
    even = [row for row in rows if "even" in row.example.tags]
    chinese = [row for row in rows if row.example.lang == "zh"]
    slices = tally.slices()
    assert slices["status:ok"] == {metric.name: of(completed, metric) for metric in metrics}
    assert slices["tag:even"] == {"em": of(even, metrics[0])}
    assert slices["lang:zh"] == {"em": of(chinese, metrics[0])}
    assert list(slices) == ["status:ok", "tag:even", "lang:en", "lang:zh"]
    assert tally.unscored("em") == {"no_answer": tally.statuses["refused"]}
    assert tally.total == 120


def test_a_tally_of_nothing_has_nothing_scored() -> None:
    tally = Tally([Metric("em", "quality")], ("em",))
    assert tally.estimates()["em"].method == "nothing scored"
    assert tally.slices() == {"status:ok": tally.estimates()}


def test_an_example_cannot_be_in_two_groups() -> None:
    one, two = examples(1)[0], examples(1)[0].model_copy(update={"group": "other"})
    tally = Tally([Metric("em", "quality")])
    right = Score(name="em", value=1.0)
    tally.add(Row.of(one, answer(0), scored(0, right)))
    with pytest.raises(ValueError, match="two groups"):
        tally.add(Row.of(two, answer(0, 1), scored(0, right, index=1)))


def test_a_note_counts_once_a_row_and_the_commonest_failure_is_told() -> None:
    tally = Tally([Metric("em", "quality")])
    noted = Score(name="em", value=1.0, notes=("stop_cut",))
    turns = [answer(0).generation.turns[0].model_copy(update={"notes": ("stop_cut",)})] * 2
    generation = Generation(turns=tuple(turns))
    tally.add(Row.of(examples(1)[0], Sample(key=key(0), status="ok", generation=generation),
                     scored(0, noted)))  # fmt: skip
    assert tally.notes == {"stop_cut": 1}
    lacking = Score(name="em", value=None, reason="no_answer")
    for row, kind in ((1, "timeout"), (2, "server"), (3, "server")):
        failure = Failure(kind=kind, message=f"{kind} {row}")
        failed = Sample(key=key(row), status="error", failure=failure)
        tally.add(Row.of(examples(4)[row], failed, scored(row, lacking)))
    assert tally.commonest_failure.message == "server 2"
    assert (tally.answered, tally.counted, tally.counted_by) == (1, 1, "engine")


def test_scores_of_another_request_are_refused() -> None:
    strange = scored(0, Score(name="em", value=1.0))
    other = strange.key.model_copy(update={"request_sha": "f" * 64})
    with pytest.raises(RunError, match=r"scores of row-0 \(sample 0\) are of another request"):
        Row.of(examples(1)[0], answer(0), strange.model_copy(update={"key": other}))


def test_a_score_that_is_missing_is_named() -> None:
    tally = Tally([Metric("em", "quality"), Metric("f1", "quality")])
    row = Row.of(examples(1)[0], answer(0), scored(0, Score(name="em", value=1.0)))
    with pytest.raises(RunError, match=r"scores of row-0 \(sample 0\) lack f1"):
        tally.add(row)


def test_outcomes_are_counted_as_a_card_counts_them(tmp_path: Path) -> None:
    given = [answer(2), answer(0, status="error"), answer(1, status="truncated")]
    found = answers(tmp_path, *given, rows=4)
    assert found.counts == {"error": 1, "ok": 1, "truncated": 1}
    assert list(found.counts) == sorted(found.counts)
