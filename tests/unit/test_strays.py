"""Scores without their answer are taken out before that answer is asked for again."""

from __future__ import annotations

from pathlib import Path

import pytest

from lt_bench.errors import RunError
from lt_bench.records import (
    Example,
    Failure,
    Generation,
    Sample,
    SampleKey,
    Score,
    Scored,
    Turn,
)
from lt_bench.run.places import Answers, Rows
from lt_bench.run.rundir import RunDir
from lt_bench.run.strays import drop_strays

SHA = "ab12cd34" + "a" * 56


def key(row: int) -> SampleKey:
    return SampleKey(example_id=f"row-{row}", sample_index=0, request_sha=f"{row:064x}")


def answer(row: int) -> Sample:
    turn = Turn(reasoning=None, reply="99 yuan", finish_reason="stop", usage=None)
    return Sample(key=key(row), status="ok", generation=Generation(turns=(turn,)))


def failed(row: int) -> Sample:
    return Sample(key=key(row), status="error", failure=Failure(kind="server", message="HTTP 500"))


def scores(row: int) -> Scored:
    return Scored(key=key(row), scorers_sha=SHA, scores=(Score(name="em", value=1.0),))


def run(folder: Path, *answers: Sample, scored: tuple[int, ...], variant: str = "") -> RunDir:
    made = RunDir(folder, variant)
    with made.generations as journal, made.scores as lines:
        for one in answers:
            journal.append(one)
        for row in scored:
            lines.append(scores(row))
    return RunDir(folder)


def drop(folder: RunDir, rows: int = 4) -> None:
    examples = [Example(id=f"row-{i}", task="t", question="q", group="g") for i in range(rows)]
    drop_strays(folder, Answers(folder.generations, Rows(examples, 1)))


def scored_rows(folder: RunDir) -> list[str]:
    return [line.key.example_id for line in folder.scores]


def test_scores_of_answers_that_are_gone_go_too(tmp_path: Path) -> None:
    folder = run(tmp_path, answer(0), answer(2), scored=(0, 1, 2, 3, 1))
    drop(folder)
    assert scored_rows(folder) == ["row-0", "row-2"]


def test_scores_of_a_row_that_has_only_failed_since_go_too(tmp_path: Path) -> None:
    folder = run(tmp_path, answer(0), failed(1), scored=(0, 1))
    drop(folder)
    assert scored_rows(folder) == ["row-0"]


def test_where_every_answer_is_there_no_byte_changes(tmp_path: Path) -> None:
    folder = run(tmp_path, answer(0), answer(1), scored=(1, 0))
    with folder.scores.path.open("ab") as file:
        file.write(b'{"torn":')
    before = folder.scores.path.read_bytes(), folder.scores.path.stat().st_ino
    drop(folder)
    assert (folder.scores.path.read_bytes(), folder.scores.path.stat().st_ino) == before


def test_the_scores_of_other_judges_are_looked_at_as_well(tmp_path: Path) -> None:
    run(tmp_path, answer(0), scored=(0,))
    run(tmp_path, scored=(0, 1), variant="ab12cd34")
    (tmp_path / "scores.backup.jsonl").write_text("mine, not a journal\n")
    drop(RunDir(tmp_path))
    assert scored_rows(RunDir(tmp_path, "ab12cd34")) == ["row-0"]


def test_without_scores_there_is_nothing_to_do(tmp_path: Path) -> None:
    folder = run(tmp_path, answer(0), scored=())
    folder.scores.path.unlink()
    drop(folder)
    assert not folder.scores.path.exists()


def test_a_damaged_file_of_scores_is_named_and_left_alone(tmp_path: Path) -> None:
    folder = run(tmp_path, answer(0), scored=(0, 1))
    broken = folder.scores.path.read_bytes() + b"{oops}\n"
    folder.scores.path.write_bytes(broken)
    with pytest.raises(RunError, match="line 3 is not a Scored"):
        drop(folder)
    assert folder.scores.path.read_bytes() == broken
