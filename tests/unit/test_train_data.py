"""Rows of a stage: from a file or from the builder, the same every time."""

from __future__ import annotations

from pathlib import Path

import pytest

from lt_bench.errors import UsageError
from lt_bench.task import Task
from lt_bench.train.data import data_sha, examples_of
from lt_bench.train.recipe import Rows


@pytest.fixture(scope="module")
def task() -> Task:
    return Task.load("commerce_qa")


def test_rows_are_built_from_split_number_and_seed(task: Task) -> None:
    rows = examples_of(task, Rows(rows=12, seed=3))
    assert len(rows) == 12
    assert rows == examples_of(task, Rows(rows=12, seed=3))
    assert rows == list(task.builder.build("train", 12, 3))
    assert data_sha(rows) != data_sha(examples_of(task, Rows(rows=12, seed=4)))


def test_a_limit_takes_the_first(task: Task) -> None:
    assert examples_of(task, Rows(rows=12, limit=5)) == examples_of(task, Rows(rows=12))[:5]


def test_a_file_is_read_in_its_order(task: Task) -> None:
    rows = examples_of(task, Rows(file=task.sample, limit=7))
    assert [row.id for row in rows] == [row.id for row in task.examples(task.sample, 7)]


def test_the_sha_hangs_on_the_order_and_on_every_field(task: Task) -> None:
    rows = examples_of(task, Rows(file=task.sample, limit=3))
    changed = rows[0].model_copy(update={"tags": ("new",)})
    shas = {
        data_sha(rows),
        data_sha(rows[::-1]),
        data_sha(rows[:2]),
        data_sha([changed, *rows[1:]]),
    }
    assert len(shas) == 4
    assert data_sha(rows) == data_sha(list(rows))


def test_rows_of_one_id_are_refused(task: Task, tmp_path: Path) -> None:
    line = task.sample.read_text().splitlines()[0]
    file = tmp_path / "twice.jsonl"
    file.write_text(f"{line}\n{line}\n")
    with pytest.raises(UsageError, match="id"):
        examples_of(task, Rows(file=file))


def test_an_empty_file_is_refused(task: Task, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("")
    with pytest.raises(UsageError):
        examples_of(task, Rows(file=tmp_path / "none.jsonl"))
