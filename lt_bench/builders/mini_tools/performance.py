"""An agent at work in the shop of a scene: what it thinks, calls, hears and says, with the faults that
its habits let happen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from lt_bench.builders.base import ActedTurn, TrajectoryLabel
from lt_bench.builders.mini_tools.scene import Scene
from lt_bench.builders.mini_tools.wording import (
    CANCELLED,
    ORDERED,
    SOLD_OUT,
    STATED,
    TALK,
    WHICH,
    quoted,
)
from lt_bench.environments import Environment, open_world
from lt_bench.environments.mini_shop import ASKED, ATTRIBUTES, PRODUCTS
from lt_bench.records import ToolCall, ToolResult
from lt_bench.stats.draw import Draw

TOOL: Final[Mapping[str, str]] = {attribute: tool for tool, attribute in ASKED.items()}
"""The tool that says an attribute."""
REDUNDANT: Final = 3
"""So many checks in a dialogue are a fault."""


@dataclass(frozen=True)
class Habits:
    """How often an agent calls the `wrong_tool`, calls one that nobody asked for (`spurious`), makes an
    answer up and calls nothing (`silent`), or says another value than it heard (`wrong`); `checks` is
    the most redundant checks of a thought. `thinks`: the share of its dialogues with thoughts."""

    wrong_tool: float = 0.0
    spurious: float = 0.0
    silent: float = 0.0
    wrong: float = 0.0
    checks: int = 0
    thinks: float = 1.0


GOOD: Final = Habits()
TEACHER: Final = Habits(wrong_tool=0.05, spurious=0.08, silent=0.04, wrong=0.04, checks=2)
"""A good agent with some faults of each kind."""
CROWD: Final = Habits(wrong_tool=0.22, spurious=0.3, silent=0.2, wrong=0.15, checks=1, thinks=0.5)
"""Whose dialogues the base reads: good enough to learn from, with much to be improved."""


@dataclass(frozen=True)
class Performance:
    """All turns of a dialogue, the last of which only replies, and what it is worth."""

    turns: tuple[ActedTurn, ...]
    label: TrajectoryLabel
    end_state: str

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(call for turn in self.turns for call in turn.calls)

    @property
    def reply(self) -> str:
        return self.turns[-1].reply


def perform(scene: Scene, draw: Draw, habits: Habits) -> Performance:
    """One dialogue. The calls are made in a fresh copy of the shop, so that what is heard is what
    everybody hears who calls the same."""
    with open_world(scene.world) as world:
        agent = _Agent(scene, draw, habits, world)
        agent.play()
        return Performance(tuple(agent.turns), agent.label, world.state_sha())


@dataclass
class _Agent:
    """The faults are drawn before anything is done, at most one that spoils the answer."""

    scene: Scene
    draw: Draw
    habits: Habits
    world: Environment
    turns: list[ActedTurn] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    checks: int = 0

    def __post_init__(self) -> None:
        calls = bool(self._wanted())
        chances = (
            ("wrong_tool", self.habits.wrong_tool if calls else 0.0),
            ("no_call", self.habits.silent if calls else 0.0),
            ("wrong_answer", self.habits.wrong if self.scene.goal != "talk" else 0.0),
        )
        spoilt = [name for name, chance in chances if self.draw.chance(chance)]
        spurious = self.draw.chance(self.habits.spurious)
        self.fault = spoilt[0] if spoilt else ""
        self.spurious = spurious and self.fault in ("", "wrong_answer")
        self.thinks = self.draw.chance(self.habits.thinks)

    def play(self) -> None:
        """Calls, then the reply."""
        first = self._first()
        if first:
            self._call(first)
            if self.scene.goal == "buy_if" and not self.fault and self.heard[0] != "none":
                self._call([("order", self.scene.product)])
        reply = self._reply()
        self.turns.append(ActedTurn(self._thought(self._concluding()), reply=reply))

    @property
    def label(self) -> TrajectoryLabel:
        """`correct`: the wish is met and the user is told the truth; a call where none may be is as
        wrong. `helpful`: nothing was called that nobody asked for."""
        needless = self.spurious and self.scene.goal in ("talk", "vague")
        faults = [self.fault] if self.fault else []
        faults += ["spurious_call"] if self.spurious else []
        faults += ["redundant"] if self.checks >= REDUNDANT else []
        return TrajectoryLabel(
            correct=not self.fault and not needless,
            helpful=not self.spurious,
            faults=tuple(faults),
        )

    # --- calls -------------------------------------------------------------------------------

    def _wanted(self) -> list[tuple[str, str]]:
        """The right calls of the first turn."""
        scene = self.scene
        match scene.goal:
            case "ask" | "two":
                return [(TOOL[name], scene.product) for name in scene.asked]
            case "buy":
                return [("order", scene.product)]
            case "buy_if":
                return [("check_stock", scene.product)]
            case "cancel":
                return [("cancel", scene.product)]
            case _:
                return []

    def _first(self) -> list[tuple[str, str]]:
        wanted = self._wanted()
        if self.fault == "no_call":
            return []
        if self.fault == "wrong_tool":
            return [(self._other_tool(wanted), self.scene.product), *wanted[1:]]
        if self.spurious:
            product = self.scene.product
            if self.scene.goal in ("talk", "vague"):
                product = self.draw.pick(PRODUCTS)
            asked = TOOL[self.scene.asked[0]] if not wanted and self.scene.goal != "talk" else ""
            return [*wanted, (asked or self._other_tool(wanted), product)]
        return wanted

    def _other_tool(self, wanted: Sequence[tuple[str, str]]) -> str:
        """A tool that reads, and that nobody asked for."""
        taken = {name for name, _ in wanted}
        return self.draw.pick([name for name in ASKED if name not in taken])

    def _call(self, calls: Sequence[tuple[str, str]]) -> None:
        start, made, results = len(self.heard), list[ToolCall](), list[ToolResult]()
        for number, (name, product) in enumerate(calls, start):
            call = ToolCall(id=f"call{number}", name=name, arguments={"product": product})
            outcome = self.world.call(name, call.arguments)
            made.append(call)
            results.append(
                ToolResult(call_id=call.id, content=outcome.content, error=outcome.error)
            )
            self.heard.append(outcome.content)
        thought = self._thought(self._deciding(calls))
        self.turns.append(ActedTurn(thought, tuple(made), tuple(results)))

    # --- words -------------------------------------------------------------------------------

    def _reply(self) -> str:
        scene = self.scene
        product = quoted(self._spoken_of())
        match scene.goal:
            case "talk":
                return TALK[_talk_of(scene.question)]
            case "vague" if not self.spurious and not self.fault:
                return WHICH
            case "ask" | "two" | "again" | "vague":
                return self._values(product)
            case "cancel":
                return (SOLD_OUT if self.fault == "wrong_answer" else CANCELLED).format(
                    product=product
                )
            case _:
                return (ORDERED if self._claims_order() else SOLD_OUT).format(product=product)

    def _claims_order(self) -> bool:
        if self.fault in ("no_call", "wrong_tool"):
            return True
        return (self.scene.values["stock"] != "none") != (self.fault == "wrong_answer")

    def _spoken_of(self) -> str:
        """The product of the reply: that of the first call, or any where nobody named one."""
        if self.scene.goal != "vague":
            return self.scene.product
        calls = self.turns[0].calls if self.turns else ()
        return str(calls[0].arguments["product"]) if calls else self.draw.pick(PRODUCTS)

    def _values(self, product: str) -> str:
        """The sentences that say what was asked for, in its order."""
        said = []
        for place, attribute in enumerate(self.scene.asked):
            value = self._value(place, attribute)
            if place == 0:
                said.append(STATED.format(product=product, attribute=attribute, value=value))
            else:
                said.append(f"its {attribute} is {value}")
        return f"{' , also '.join(said)} ."

    def _value(self, place: int, attribute: str) -> str:
        """What it heard, or else knows from the history; another value where it errs."""
        right = self.scene.values[attribute]
        if self.fault == "no_call" or (self.fault == "wrong_answer" and place == 0):
            return self.draw.pick([one for one in ATTRIBUTES[attribute] if one != right])
        if self.scene.goal == "again":
            return right
        return self.heard[place] if place < len(self.heard) else right

    # --- thoughts ----------------------------------------------------------------------------

    def _thought(self, lines: Iterator[str]) -> str:
        if not self.thinks:
            return ""
        told = list(lines)
        checks = self.draw.below(self.habits.checks + 1)
        self.checks += checks
        again = [f"wait check again {told[0]}"] * checks
        return " ".join(f"{line} ." for line in (told[0], *again, *told[1:])) + " done"

    def _deciding(self, calls: Sequence[tuple[str, str]]) -> Iterator[str]:
        """The thought before a turn of calls."""
        if self.turns:
            yield f"tool says {self.heard[0]}"
        else:
            yield self._wish()
        yield f"need {' '.join(name for name, _ in calls)}"

    def _concluding(self) -> Iterator[str]:
        """The thought before the reply."""
        if self.turns:
            yield f"tool says {' and '.join(self.heard[-len(self.turns[-1].calls) :])}"
            return
        yield self._wish()
        if self.scene.goal == "again":
            yield f"history says {quoted(self.scene.product)} {self.scene.asked[0]} {self._known()}"
        yield "ask which product" if self.scene.goal == "vague" and not self.fault else "no tool"

    def _known(self) -> str:
        return self.scene.values[self.scene.asked[0]]

    def _wish(self) -> str:
        scene, product = self.scene, quoted(self.scene.product)
        match scene.goal:
            case "ask" | "two" | "again":
                return f"user asks {product} {' and '.join(scene.asked)}"
            case "vague":
                return f"user asks {scene.asked[0]} of no product"
            case "buy":
                return f"user wants {product}"
            case "buy_if":
                return f"user wants {product} if in stock"
            case "cancel":
                return f"user cancels {product}"
            case _:
                return "user talks"


def _talk_of(question: str) -> str:
    """The small talk within its noise."""
    return next(words for words in TALK if f" {words} " in f" {question} ")
