"""A row while it is still known how it was made: the example, the reply, and the moment."""

from __future__ import annotations

from dataclasses import dataclass, field

from lt_bench.builders.commerce_qa.plan import Plan, Scene
from lt_bench.builders.commerce_qa.question import Asked, Mode
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.speech import Reply
from lt_bench.records import Example


@dataclass(frozen=True)
class Moment:
    """A question as it is typed, and where in the stream that happens."""

    scene: Scene
    plan: Plan
    mode: Mode
    before: Listing | None
    shown: Listing
    asked: Asked
    question: str
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """An example, the reference reply made from the same gold, and the moment both came from."""

    example: Example
    spoken: Reply
    moment: Moment = field(compare=False, repr=False)

    @property
    def reply(self) -> str:
        return self.spoken.text
