"""Rows are divided by their ids alone, and the parts come together to the whole."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lt_bench.errors import UsageError
from lt_bench.records import Example
from lt_bench.run import Ask, prepare
from lt_bench.run.shard import Shard, part_of, whole_name

IDS = [f"row-{i}" for i in range(2000)]


def examples(ids: list[str]) -> list[Example]:
    return [Example(id=i, task="t", question="q", group=i) for i in ids]


@pytest.mark.parametrize("of", [1, 2, 7, 16])
def test_every_row_is_in_exactly_one_shard(of: int) -> None:
    held = Counter(i for index in range(1, of + 1) for i in IDS if Shard(of, index).holds(i))
    assert held == Counter(IDS)


def test_shards_are_of_about_one_size() -> None:
    sizes = [len(list(part_of(examples(IDS), f"{index}/16"))) for index in range(1, 17)]
    assert sum(sizes) == 2000
    assert min(sizes) > 85
    assert max(sizes) < 165


def test_the_division_is_the_same_on_every_machine_and_in_every_version() -> None:
    assert [Shard(16, 1).index_of(i) for i in ("row-0", "row-1", "天气", "")] == [6, 14, 8, 5]


def test_neither_order_nor_the_rows_beside_it_move_a_row() -> None:
    here = held(IDS)
    assert held(IDS[::-1]) == here[::-1]
    assert held(IDS[:500]) == [i for i in here if i in IDS[:500]]


def held(ids: list[str]) -> list[str]:
    return [example.id for example in part_of(examples(ids), "2/3")]


@given(st.text(), st.integers(1, 50))
def test_any_id_has_one_shard(example_id: str, of: int) -> None:
    assert 1 <= Shard(of, 1).index_of(example_id) <= of


def test_a_shard_is_read_as_it_is_written() -> None:
    assert Shard.parse(" 3/16 ") == Shard(of=16, index=3)
    assert str(Shard.parse("3/16")) == "3/16"
    assert Shard.parse("3/16").suffix == "-shard-3-of-16"


@pytest.mark.parametrize(
    "text",
    ["", "3", "3/", "/3", "0/3", "4/3", "-1/3", "1/0", "1.5/3", "a/b", "1/2/3", "1/99999", "١/٣"],
)
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="shard"):
        Shard.parse(text)


@pytest.mark.parametrize(
    ("name", "whole"),
    [("a-shard-3-of-16", "a"), ("a", "a"), ("a-shard-1-of-2-b", "a-shard-1-of-2-b")],
)
def test_the_whole_run_is_named_without_its_shard(name: str, whole: str) -> None:
    assert whole_name(name) == whole


def test_without_a_shard_all_rows_are_there() -> None:
    assert list(part_of(examples(IDS[:5]), None)) == examples(IDS[:5])


def ask(shard: str | None, **changes: object) -> Ask:
    return Ask(model="openai/x", tasks=("musique",), shard=shard, **changes)  # type: ignore[arg-type]


def test_the_limit_is_that_of_the_whole_run() -> None:
    (whole,) = prepare(ask(None, limit=20))
    parts = [prepare(ask(f"{index}/3", limit=20))[0] for index in (1, 2, 3)]
    ids = [example.id for part in parts for example in part.examples]
    assert sorted(ids) == sorted(example.id for example in whole.examples)


def test_the_run_of_a_shard_has_its_name() -> None:
    assert prepare(ask("2/3", run="night"))[0].run == Path("runs/night-shard-2-of-3")
    assert prepare(ask("2/3", run=Path("/data/night")))[0].run == Path("/data/night-shard-2-of-3")
    (own,), (whole,) = prepare(ask("2/3")), prepare(ask(None))
    assert own.run.name == f"{whole.run.name}-shard-2-of-3"


def test_two_tasks_are_two_runs_of_the_shard() -> None:
    both = prepare(Ask(model="openai/x", tasks=("musique", "commerce_qa"), run="n", shard="1/2"))
    assert [one.run.name for one in both] == [
        "n-musique-shard-1-of-2",
        "n-commerce_qa-shard-1-of-2",
    ]


def test_a_shard_may_hold_no_rows() -> None:
    sizes = [len(prepare(ask(f"{index}/9", limit=2))[0].examples) for index in range(1, 10)]
    assert sum(sizes) == 2
    assert 0 in sizes
