"""A tool world of a few lines: a till that adds up, and tools that fail in every way a tool can."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from lt_bench.environments.base import Outcome
from lt_bench.errors import UsageError
from lt_bench.records import World


def tool(name: str, **properties: str) -> dict[str, Any]:
    """A tool in OpenAI's form, all of whose parameters are required."""
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": f"what {name} does",
            "parameters": {
                "type": "object",
                "properties": {key: {"type": kind} for key, kind in properties.items()},
                "required": list(properties),
            },
        },
    }


TOOLS = (tool("add", amount="integer"), tool("total"), tool("jam"), tool("hidden"))


class Till:
    """`opened` and `closed` hold every copy, so that a test sees which dialogue had which."""

    opened: ClassVar[list[Till]] = []
    closed: ClassVar[list[Till]] = []
    tools = TOOLS

    def __init__(self, start: int) -> None:
        self.sum = start
        self.ran: list[str] = []
        Till.opened.append(self)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Outcome:
        self.ran.append(name)
        match name:
            case "add" if isinstance(arguments.get("amount"), int):
                self.sum += arguments["amount"]
                return Outcome(f'{{"sum": {self.sum}}}')
            case "add":
                return Outcome('{"error": "amount: a whole number"}', error=True)
            case "total":
                return Outcome(f'{{"sum": {self.sum}}}')
            case "jam":
                raise ZeroDivisionError("the drawer is stuck")
        return Outcome(f'{{"error": "no tool {name}"}}', error=True)

    def state_sha(self) -> str:
        return hashlib.sha256(str(self.sum).encode()).hexdigest()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        Till.closed.append(self)


def open_till(world: World) -> Till:
    """A till that holds `seed`, or what the patch says."""
    if not world.patch.keys() <= {"sum"}:
        raise UsageError(f"a till has no {', '.join(world.patch)}", "give sum")
    return Till(world.patch.get("sum", world.seed))


def state(total: int) -> str:
    """The hash of a till that holds `total`."""
    return Till(total).state_sha()
