"""Calls matched one to one with gold calls; every figure computed by hand."""

from __future__ import annotations

import itertools
import random
from typing import Any, Literal

import pytest

from lt_bench.records import CallsGold, GoldCall, ToolCall
from lt_bench.scorers.tools import Matching
from lt_bench.scorers.tools.assignment import assign

Order = Literal["strict", "any"]


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name=name, arguments=arguments)


def gold(name: str, **arguments: Any) -> GoldCall:
    return GoldCall(name=name, arguments=arguments)


def matching(calls: list[ToolCall], wanted: list[GoldCall], order: Order = "any") -> Matching:
    return Matching(calls, CallsGold(type="call", calls=tuple(wanted), order=order), {})


def test_a_call_answers_one_gold_call_only() -> None:
    found = matching([call("f", a=1), call("f", a=1)], [gold("f", a=1)])
    assert (found.matched, found.precision, found.recall) == (1, 0.5, 1.0)
    assert found.f1 == pytest.approx(2 / 3)
    assert (found.over, found.under) == (True, False)


def test_the_largest_matching_is_found_where_taking_the_first_would_not() -> None:
    wide = GoldCall(name="f", accept={"a": (1, 2)})
    narrow = GoldCall(name="f", accept={"a": (1,)})
    assert matching([call("f", a=1), call("f", a=2)], [wide, narrow]).matched == 2


def test_strict_order_counts_the_longest_run_in_order() -> None:
    wanted = [gold("a"), gold("b"), gold("c")]
    calls = [call("b"), call("a"), call("x"), call("c")]
    assert matching(calls, wanted).matched == 3
    assert matching(calls, wanted, "strict").matched == 2
    assert matching([call("c"), call("b"), call("a")], wanted, "strict").matched == 1
    assert matching([call("a"), call("x"), call("b"), call("c")], wanted, "strict").matched == 3


def test_strict_order_agrees_with_trying_every_choice() -> None:
    draw = random.Random(5)
    for _ in range(200):
        names = [draw.choice("abc") for _ in range(draw.randint(0, 6))]
        wanted = [draw.choice("abc") for _ in range(draw.randint(1, 5))]
        best = max(
            size
            for size in range(len(wanted) + 1)
            for part in itertools.combinations(wanted, size)
            if _is_within(part, names)
        )
        found = matching([call(one) for one in names], [gold(one) for one in wanted], "strict")
        assert found.matched == best, (names, wanted)


def _is_within(part: tuple[str, ...], whole: list[str]) -> bool:
    left = iter(whole)
    return all(one in left for one in part)


def test_over_and_under_calling_go_by_name() -> None:
    wrong = matching([call("f", a=9)], [gold("f", a=1)])
    assert (wrong.matched, wrong.over, wrong.under) == (0, False, False)
    other = matching([call("g")], [gold("f", a=1)])
    assert (other.over, other.under) == (True, True)
    few = matching([call("f", a=1)], [gold("f", a=1), gold("f", a=2)])
    assert (few.over, few.under) == (False, True)
    none = matching([], [gold("f")])
    assert (none.precision, none.recall, none.f1, none.over, none.under) == (0, 0, 0, False, True)


def test_arguments_are_counted_in_the_calls_that_fit_best() -> None:
    wanted = [gold("f", a=1, b=2), gold("f", a=3, b=4), gold("g", c=5)]
    calls = [call("f", a=3, b=9), call("f", a=1, b=2), call("h", c=5)]
    assert matching(calls, wanted).arguments == (3, 4)
    assert matching([call("f", a=3)], wanted).arguments == (1, 2)
    assert matching([call("h")], wanted).arguments == (0, 0)


def test_an_optional_argument_counts_when_it_is_given() -> None:
    wanted = [GoldCall(name="f", arguments={"a": 1}, accept={"b": (2,)}, optional=("b",))]
    assert matching([call("f", a=1)], wanted).arguments == (1, 1)
    assert matching([call("f", a=1, b=3)], wanted).arguments == (1, 2)
    assert matching([call("f", a=1, b=2)], wanted).arguments == (2, 2)


def test_a_call_without_readable_arguments_matches_nothing_but_is_a_call() -> None:
    broken = ToolCall(name="f", malformed='{"a": ')
    found = matching([broken], [gold("f")])
    assert (found.matched, found.precision, found.under) == (0, 0.0, False)


def test_the_assignment_is_the_best_of_all() -> None:
    draw = random.Random(2)
    for _ in range(150):
        rows, columns = draw.randint(1, 4), draw.randint(1, 5)
        gains = [[draw.randint(0, 5) for _ in range(columns)] for _ in range(rows)]
        pairs = assign(gains)
        short, long = sorted((rows, columns))
        assert len(pairs) == short == len({r for r, _ in pairs}) == len({c for _, c in pairs})
        turned = gains if rows <= columns else [list(one) for one in zip(*gains, strict=True)]
        best = max(
            sum(turned[row][column] for row, column in enumerate(chosen))
            for chosen in itertools.permutations(range(long), short)
        )
        assert sum(gains[r][c] for r, c in pairs) == best


def test_nothing_is_assigned_to_nothing() -> None:
    assert assign([]) == [] == assign([[], []])
