"""The labeller of commerce judges: replies to commerce_qa questions whose quality is known.

Every reply is the reference of a row, or made from it by one mutator, and its labels follow from
how it was made. The rows come from rooms of the split `validation`, so that a judge measured on
them has seen neither a room of `train` nor one of `test`.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from itertools import count, cycle, islice
from typing import Any, Final, Literal

from pydantic import Field

from lt_bench.builders.commerce_qa import CommerceQA, Row
from lt_bench.builders.commerce_qa.builder import LANGUAGES
from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.faults import BAD, FAULTS, GOOD, Mutant
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError
from lt_bench.records import HumanLabel, Labelled

NAME: Final = "commerce_judge"
VERSION: Final = 1
SPLIT: Final = "validation"
ANNOTATOR: Final = "construction"
"""Who labels: nobody read these replies, their making decides."""
WAITING: Final = 48
"""Rows kept for a fault that fits them; the oldest are dropped beyond that."""


class Options(Config):
    """Settings of the labeller, changed by `--set builder.KEY=VALUE`. `balance` is the share of
    correct replies; `mix` takes turns between all languages."""

    lang: Literal["en", "zh", "mix"] = "mix"
    balance: float = Field(default=0.5, ge=0.0, le=1.0)


class CommerceJudge:
    """Replies with `correct` and `helpful` by construction, one for an example.

    Of the correct ones and of the others every way of making occurs equally often, in each
    language; a tag `fault:NAME` on the example names it. The group of an example is its room.

    Raises:
        UsageError: an option is unknown, or its language is not there.
    """

    version = VERSION

    def __init__(self, options: dict[str, Any]) -> None:
        found = validate(Options, options, f"builder {NAME}")
        spoken = tuple(lang for lang in LANGUAGES if lang != "mix")
        self.languages = spoken if found.lang == "mix" else (found.lang,)
        self.balance = found.balance

    def build(self, size: int, seed: int) -> Iterator[Labelled]:
        """`size` labelled replies; the first n are the same for every size.

        Raises:
            UsageError: the size is below 0.
        """
        if size < 0:
            raise UsageError(f"size {size} is below 0", "ask for 0 or more rows")
        lanes = [_lane(lang, seed, self.balance) for lang in self.languages]
        return (next(lane) for lane in islice(cycle(lanes), size))


def _lane(lang: str, seed: int, balance: float) -> Iterator[Labelled]:
    """The replies of one language, without end. Rows that do not fit the fault whose turn it is
    wait for one that does."""
    rows = CommerceQA({"lang": lang}).rows(SPLIT, sys.maxsize, seed)
    waiting: deque[Row] = deque(maxlen=WAITING)
    for name in _turns(Draw(NAME, VERSION, lang, seed), balance):
        yield _next(name, waiting, rows)


def _next(name: str, waiting: deque[Row], rows: Iterator[Row]) -> Labelled:
    """The oldest waiting row, or else the next new one, that takes this fault."""
    for place, row in enumerate(waiting):
        if mutant := _mutant(row, name):
            del waiting[place]
            return labelled(row, mutant)
    for row in rows:
        if mutant := _mutant(row, name):
            return labelled(row, mutant)
        waiting.append(row)
    raise AssertionError("rows have no end")


def _turns(draw: Draw, balance: float) -> Iterator[str]:
    """Names of faults without end: after n of them, `balance` * n rounded down are good ones; among
    the good and among the bad, every name comes once before one comes again."""
    good, bad = _bag(draw, tuple(GOOD)), _bag(draw, tuple(BAD))
    for n in count():
        yield next(good if int((n + 1) * balance) > int(n * balance) else bad)


def _bag(draw: Draw, names: tuple[str, ...]) -> Iterator[str]:
    while True:
        yield from draw.shuffled(names)


def _mutant(row: Row, name: str) -> Mutant | None:
    return FAULTS[name](row, Draw(NAME, VERSION, row.example.id, name))


def labelled(row: Row, mutant: Mutant) -> Labelled:
    """A mutant of a row as a record, with its fault among the tags of the example."""
    example = row.example.model_copy(update={"tags": (*row.example.tags, f"fault:{mutant.fault}")})
    label = HumanLabel(annotator=ANNOTATOR, correct=mutant.correct, helpful=mutant.helpful)
    return Labelled(
        id=f"{row.example.id}-{mutant.fault}", example=example, reply=mutant.reply, labels=(label,)
    )
