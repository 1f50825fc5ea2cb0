"""What a tool world is: tools over a state of its own, a fresh copy for every dialogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from lt_bench.records import World


@dataclass(frozen=True)
class Outcome:
    """What a tool says to a call, as the model reads it. `error`: it did nothing; what it says then
    tells the model why."""

    content: str
    error: bool = False


def name_of(tool: Mapping[str, Any]) -> str:
    """The name of a tool in OpenAI's form."""
    return str(tool.get("function", tool).get("name"))


class Environment(Protocol):
    """One copy of a world, for one dialogue. Equal worlds are equal in every byte of state."""

    @property
    def tools(self) -> tuple[dict[str, Any], ...]:
        """The tools in OpenAI's form, parameters as JSON Schema."""
        ...

    def call(self, name: str, arguments: Mapping[str, Any]) -> Outcome:
        """What the tool does and says. An unknown tool, wrong arguments or a tool that fails are an
        Outcome with `error`, never an exception."""
        ...

    def state_sha(self) -> str:
        """sha256 (hex) of the whole state; equal states have equal hashes, however they came about."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


class EnvironmentFactory(Protocol):
    """Opens a fresh copy of a world.

    Raises:
        UsageError: its patch does not fit the world.
    """

    def __call__(self, world: World) -> Environment: ...
