"""The stage a dialogue is made on: a shop of its own, what is said on it, and the calls that are right.

A situation sets the shop up (`change`), lets user and agent talk (`user`, `agent`), puts the question
(`ask`), makes the right calls (`call`, `together`) in the very world that a model will meet, and ends
with what a good agent says. So gold is never what somebody thought the tools would say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from lt_bench.builders.tool_dialogue.language import Language
from lt_bench.environments import Environment, Outcome, open_world
from lt_bench.environments.shop import Shop
from lt_bench.records import GoldCall, Utterance, World
from lt_bench.stats.draw import Draw

Kind = Literal["call", "no_call", "clarify", "answer"]
WORLD: Final = "shop"
_WORD: Final = re.compile(r"[^\W_]+")


class Unfit(Exception):
    """The shop has not what a situation needs; another is tried."""


@dataclass(frozen=True)
class Result:
    """What a tool said to a right call. `error`: it refused, and that is why `data` has "error"."""

    data: Mapping[str, Any]
    error: bool

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    @property
    def because(self) -> str:
        """The sentence with which it refused."""
        return str(self.data["error"])


@dataclass(frozen=True)
class Wanted:
    """A right call before it is made; `accept` and `optional` as in a GoldCall."""

    name: str
    arguments: Mapping[str, Any]
    accept: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    optional: tuple[str, ...] = ()

    def gold(self) -> GoldCall:
        """The call as gold: an argument with accepted values accepts its own first."""
        accept = {
            name: tuple(dict.fromkeys((*_own(self.arguments, name), *values)))
            for name, values in self.accept.items()
        }
        return GoldCall(
            name=self.name,
            arguments=dict(self.arguments),
            accept=accept,
            optional=self.optional,
        )


def _own(arguments: Mapping[str, Any], name: str) -> tuple[Any, ...]:
    return (arguments[name],) if name in arguments else ()


@dataclass(frozen=True)
class Step:
    """One turn of the right agent that calls: a thought, the calls, and what the tools said."""

    thought: str
    calls: tuple[GoldCall, ...]
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True)
class Ending:
    """How it ends: the type of the row, the last thought, the reply, and what any reply must hold."""

    kind: Kind
    thought: str
    reply: str
    must: tuple[str, ...]
    must_not: tuple[str, ...]
    accept: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Setting:
    """Where a dialogue plays: the shop of a seed, in a language, for a split."""

    language: Language
    shop: Shop
    seed: int
    split: str


class Stage:
    """One dialogue while it is made. The world opens with the first call or look, and from then on
    the shop cannot be set up any more. `person`: the id of the customer who speaks, once it is known.
    `exact`: what is typed goes into the store as it is, so that it bears no slips."""

    def __init__(self, setting: Setting, draw: Draw) -> None:
        self.setting, self.draw = setting, draw
        self.language, self.shop = setting.language, setting.shop
        self.patch: dict[str, Any] = {} if self.language.code == "en" else {"lang": "zh"}
        self.history: list[Utterance] = []
        self.question = ""
        self.steps: list[Step] = []
        self.tags: list[str] = []
        self.names: set[str] = set()
        self.person = ""
        self.exact = False
        self._world: Environment | None = None

    # --- the shop

    def change(self, table: str, key: str, **columns: Any) -> None:
        """Sets columns of a row; without any, the row is taken out."""
        assert self._world is None, "the world is open already"
        rows = self.patch.setdefault(table, {})
        rows[key] = {**(rows.get(key) or {}), **columns} if columns else None

    @property
    def world(self) -> World:
        """The world of the row."""
        return World(kind=WORLD, seed=self.setting.seed, patch=self.patch)

    def open(self) -> Environment:
        """The running world."""
        if self._world is None:
            self._world = open_world(self.world)
        return self._world

    def close(self) -> None:
        """Gives the world back."""
        if self._world is not None:
            self._world.__exit__(None, None, None)

    # --- what is said

    def say(self, purpose: str, **values: Any) -> str:
        """A wording for a purpose, filled in. Names are kept from slips of the keyboard."""
        self.names.update(word for one in values.values() for word in _WORD.findall(str(one)))
        wording = self.draw.pick(self.language.wordings.of(purpose, self.setting.split))
        raised = {
            name.capitalize(): value[:1].upper() + value[1:]
            for name, value in values.items()
            if isinstance(value, str) and name in ("why", "color")
        }
        return wording.format(**values, **raised)

    def money(self, amount: float) -> str:
        return self.language.money(amount)

    def user(self, purpose: str, **values: Any) -> None:
        """A line of the user before the question."""
        self._line("user", self.say(purpose, **values))

    def agent(self, purpose: str, **values: Any) -> None:
        """A line of the agent before the question."""
        self._line("assistant", self.say(purpose, **values))

    def _line(self, role: Literal["user", "assistant"], text: str) -> None:
        self.history.append(Utterance(role=role, content=text))

    def ask(self, purpose: str, **values: Any) -> None:
        """The question."""
        self.question = self.say(purpose, **values)

    def tag(self, *tags: str) -> None:
        self.tags += tags

    # --- what is done

    def look(self, name: str, **arguments: Any) -> Mapping[str, Any]:
        """What a reading tool would say, for lines before the question; no call of the row."""
        outcome = self.open().call(name, arguments)
        if outcome.error:
            raise Unfit(outcome.content)
        found: Mapping[str, Any] = json.loads(outcome.content)
        return found

    def call(self, wanted: Wanted, think: str = "", **values: Any) -> Result:
        """A turn with one call."""
        (result,) = self._turn((wanted,), think or f"think.{wanted.name}", values)
        return result

    def together(self, *wanted: Wanted) -> list[Result]:
        """A turn with calls that do not depend on each other."""
        return self._turn(wanted, "think.together", {})

    def _turn(
        self, wanted: Sequence[Wanted], think: str, values: Mapping[str, Any]
    ) -> list[Result]:
        world = self.open()
        thought = self.say(think, **{**wanted[0].arguments, **values})
        outcomes = tuple(world.call(one.name, one.arguments) for one in wanted)
        self.steps.append(Step(thought, tuple(one.gold() for one in wanted), outcomes))
        return [Result(json.loads(one.content), one.error) for one in outcomes]

    # --- how it ends

    def end(
        self,
        kind: Kind,
        think: str,
        reply: str,
        must: Sequence[str] = (),
        must_not: Sequence[str] = (),
        stated: Sequence[str] = (),
        **values: Any,
    ) -> Ending:
        """The end. `must` are texts that any reply holds as they are; `stated` are names of what it
        says in words of its own, see `Language.stated`."""
        accept: dict[str, tuple[str, ...]] = {}
        for name in stated:
            word, *others = self.language.stated[name]
            accept[word] = tuple(others)
        return Ending(
            kind=kind,
            thought=self.say(think, **values),
            reply=reply,
            must=tuple(dict.fromkeys((*must, *accept))),
            must_not=tuple(must_not),
            accept=accept,
        )
