"""Rows of a run that are held on disk are the rows that were read."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from lt_bench.errors import RunError
from lt_bench.records import AnswersGold, Document, Example, Fact, FactsGold, Utterance
from lt_bench.run.examples import Examples, ids_of


def row(number: int, question: str = "Which?") -> Example:
    fact = Fact(document="d", path="offers.price", value=1.5)
    gold = AnswersGold(answers=("a", "天气")) if number % 2 else None
    return Example(
        id=f"row {number} – «é»",
        task="musique",
        question=question,
        history=(Utterance(role="viewer", name="小明", content="no. 9?\u2028\x00"),),
        documents=(
            Document(id="d", text="t", product={"offers": {"price": 1.5, "n": 10**25}, "x": [1]}),
        ),
        tools=({"type": "function", "function": {"name": "f"}},),
        gold=gold or FactsGold(answerability="full", required=(fact,)),
        group=f"g{number}",
        tags=("a", "b"),
    )


def test_rows_beyond_those_held_come_back_as_they_were() -> None:
    rows = [row(number) for number in range(9)]
    kept = Examples(iter(rows), held=3)
    assert list(kept) == rows
    assert list(kept) == rows
    assert len(kept) == 9
    assert kept[8] == rows[8]
    assert kept[-1] == rows[-1]
    assert kept[2:7:2] == rows[2:7:2]
    assert kept[:2] == rows[:2]
    assert list(ids_of(kept)) == list(ids_of(rows)) == [one.id for one in rows]


def test_a_number_that_is_none_is_told() -> None:
    kept = Examples([row(0)], held=0)
    for number in (1, -2):
        with pytest.raises(IndexError):
            kept[number]


def test_without_rows_there_are_none() -> None:
    assert list(Examples(())) == []


def test_what_json_cannot_hold_stays_in_memory() -> None:
    rows = [row(0), row(1, "half \ud83d of it"), row(2)]
    assert list(Examples(rows, held=1)) == rows


def test_a_full_disk_is_told_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(RunError, match="temporary files") as caught:
        Examples([row(0), row(1)], held=1)
    assert "TMPDIR" in caught.value.fix


def test_a_disk_that_is_full_at_the_last_row_is_told_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was written waits in a buffer until the end."""

    def full(**_: object) -> object:
        return open("/dev/full", "wb", buffering=1 << 20)  # noqa: PTH123

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(RunError, match="temporary files"):
        Examples([row(0), row(1)], held=1)
