"""A teacher of known quality: thoughts as long as those of a large reasoning model, and replies with
faults whose labels are known by construction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lt_bench.builders.base import TrajectoryLabel
from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.mini_qa.scene import Scene, Sheet
from lt_bench.builders.mini_qa.world import BY_NAME, Value

OFFERS: Final = (
    "you can order a custom made one",
    "you get a free gift",
    "you get free shipping",
)
"""What no sheet bears out."""
AGAIN: Final = 0.6
"""Share of the checks that look at the answer once more, and not at another fact."""


@dataclass(frozen=True)
class Habits:
    """How often a reply has a `wrong` value, an `ungrounded` offer, or nothing beyond the answer
    (`bare`); `checks` is the most redundant checks of a thought, which has any number up to it."""

    wrong: float = 0.0
    ungrounded: float = 0.0
    bare: float = 0.0
    checks: int = 0


GOOD: Final = Habits()
TEACHER: Final = Habits(wrong=0.07, ungrounded=0.04, bare=0.22, checks=10)
"""About the quality of the paper's teacher: correct 89 %, helpful 75 %."""
CROWD: Final = Habits(wrong=0.28, ungrounded=0.06, bare=0.38, checks=11)
"""Who wrote the documents of the base: good enough to learn from, with much to be improved."""


@dataclass(frozen=True)
class Spoken:
    """A reply, the fact that it volunteers (None for none), and what it is worth."""

    reply: str
    extra: str | None
    label: TrajectoryLabel


@dataclass(frozen=True)
class Trajectory:
    """What a model writes, markup included, and what its reply is worth."""

    output: str
    label: TrajectoryLabel


def trajectory(scene: Scene, draw: Draw, habits: Habits) -> Trajectory:
    """One trajectory with the faults that its habits let happen."""
    spoken = speak(scene, draw, habits)
    thought = think(scene, spoken.extra, draw.below(habits.checks + 1), draw)
    return Trajectory(f"<think> {thought} </think> {spoken.reply}", spoken.label)


def speak(scene: Scene, draw: Draw, habits: Habits) -> Spoken:
    """A reply. A wrong value where no sheet has one is `invented`: it is not even helpful, since it
    hides that nothing is known."""
    wrong, bare = draw.chance(habits.wrong), draw.chance(habits.bare)
    ungrounded = draw.chance(habits.ungrounded)
    spare = [name for name in scene.target.facts if name != scene.asked]
    extra = None if bare else draw.pick(spare)
    parts = [_answer(scene, _another(scene, draw) if wrong else scene.answer)]
    if extra:
        parts.append(its(scene.target, extra))
    if ungrounded:
        parts.append(draw.pick(OFFERS))
    invented = wrong and scene.answer is None
    faults = {
        "wrong": wrong and not invented,
        "invented": invented,
        "ungrounded": ungrounded,
        "bare": bare,
    }
    label = TrajectoryLabel(
        correct=not wrong and not ungrounded,
        helpful=not bare and not invented,
        faults=tuple(name for name, there in faults.items() if there),
    )
    return Spoken(f"{' , also '.join(parts)} .", extra, label)


def claim(sheet: Sheet, attribute: str, value: Value) -> str:
    """ "the kettle price is 30 usd"."""
    return f"the {sheet.product} {attribute} is {BY_NAME[attribute].spoken(value)}"


def its(sheet: Sheet, attribute: str) -> str:
    """ "its weight is 4 kg", the further fact of a reply. "its" stands nowhere else but in the thought,
    where it marks the same fact: one word to look behind."""
    return f"its {attribute} is {BY_NAME[attribute].spoken(sheet.facts[attribute])}"


def think(scene: Scene, extra: str | None, checks: int, draw: Draw) -> str:
    """What is asked, what the evidence says, checks, and the further fact. A thought never has the
    fault of its reply: looking up is what a small model has to learn from it."""
    return " ".join(_thought(scene, extra, checks, draw))


def _thought(scene: Scene, extra: str | None, checks: int, draw: Draw) -> Iterator[str]:
    product, asked = scene.target.product, scene.asked
    found = f"{product} {asked} missing" if scene.answer is None else scene.target.line(asked)
    others = [line for line in scene.lines() if line != found]
    yield f"viewer asks {product} {asked} ."
    yield f"evidence says {found} ."
    for _ in range(checks):
        if draw.chance(AGAIN):
            yield f"wait check again {found} ."
        else:
            yield f"hmm also note {draw.pick(others)} ."
    if extra:
        yield f"extra {its(scene.target, extra).replace(' is', '')} ."
    yield "done"


def _answer(scene: Scene, value: Value | None) -> str:
    if value is None:
        return f"sorry the {scene.target.product} {scene.asked} is not listed"
    return claim(scene.target, scene.asked, value)


def _another(scene: Scene, draw: Draw) -> Value:
    """A value that the asked attribute may have and has not."""
    values = BY_NAME[scene.asked].values
    return draw.pick([value for value in values if value != scene.answer])
