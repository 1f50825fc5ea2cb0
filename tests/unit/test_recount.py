"""Tokens that nobody counted are counted from the text, and the reported whole stands."""

from __future__ import annotations

from typing import Any

from lt_bench.backends.recount import recounted
from lt_bench.backends.spans import OffsetSpans
from lt_bench.backends.turn import turn_from_fields, turn_from_text
from lt_bench.records import Turn, Usage


class Words:
    """A tokenizer of one token a word."""

    is_fast = True

    def __call__(self, text: str, **options: Any) -> dict[str, Any]:
        return {"input_ids": list(range(len(text.split())))}

    def decode(self, token_ids: Any, **options: Any) -> str:
        raise AssertionError("nothing is decoded")


def turn(usage: Usage | None) -> Turn:
    return turn_from_fields(reasoning="a b c", content="d e", finish_reason="stop", usage=usage)


def provider(output: int, reasoning: int | None = None, reply: int | None = None) -> Usage:
    return Usage(prompt=9, output=output, reasoning=reasoning, reply=reply, counted_by="provider")


def test_f73_a_trace_counted_as_nothing_is_counted_again() -> None:
    found = recounted(turn(provider(474, reasoning=0)), Words())
    assert found.usage == provider(474, reasoning=3, reply=2)
    assert found.notes == ("retokenized",)


def test_f73_parts_that_do_not_fit_stay_unknown_and_say_so() -> None:
    found = recounted(turn(provider(4, reasoning=0)), Words())
    assert found.usage == provider(4)
    assert set(found.notes) == {"retokenized", "reasoning_uncounted", "token_drift"}


def test_without_any_usage_the_text_is_all_there_is_to_count() -> None:
    found = recounted(turn(None), Words())
    assert found.usage == Usage(prompt=None, output=5, reasoning=3, reply=2, counted_by="tokenizer")
    assert found.notes == ("retokenized",)


def test_what_the_server_counted_is_left_alone() -> None:
    told = turn(provider(50, reasoning=40))
    assert recounted(told, Words()) is told


def drift(reported: int | None) -> bool:
    found = turn_from_text(
        "abcd",
        finish_reason="stop",
        prompt_tokens=None,
        spans=OffsetSpans([0, 1, 2, 3]),
        counted_by="provider",
        output_tokens=reported,
    )
    return "token_drift" in found.notes


def test_f74_a_recount_that_differs_from_the_report_is_noted() -> None:
    assert [drift(reported) for reported in (3, 4, 5, 6, 64, None)] == [
        True,
        False,  # the same
        False,  # the end of the turn is a token and no text
        True,
        True,
        False,
    ]
