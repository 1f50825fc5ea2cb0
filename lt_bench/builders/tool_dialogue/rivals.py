"""What a right reply has no reason to say: words of other matters, and figures near to the right one.

`must_include` counts words. Without these, one text that claims everything, that it is cancelled and
sold out and not possible, would be right wherever words alone are asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from lt_bench.builders.tool_dialogue.language import Matter
from lt_bench.builders.tool_dialogue.stage import Ending, Stage
from lt_bench.environments.shop import WRITING, policy
from lt_bench.environments.shop.calendar import TODAY

FAR: Final = 3
"""Days before and after the right one that are taken for guesses."""
_FIGURE: Final = re.compile(r"\d+(?:\.\d+)?")
_NUMBERED: Final = re.compile(r"^\d+\. ?", re.MULTILINE)


def must_not(stage: Stage, ending: Ending) -> tuple[str, ...]:
    """All that no reply to a row may say, what its situation names first. Nothing, where nothing must be
    said: small talk has no wrong words."""
    if not ending.must:
        return ending.must_not
    spoken = _spoken(stage, ending)
    found = [*ending.must_not]
    for matter in stage.language.matters:
        if _alien(matter, stage, ending, spoken):
            found += matter.words
    rules = _NUMBERED.sub("", policy(stage.language.code))
    told = f"{spoken}\n{rules}\n{TODAY}"
    found += _figures(ending.must, told, steps=(1, 2) if ending.kind != "no_call" else (2,))
    reply = ending.reply.casefold()
    return tuple(one for one in dict.fromkeys(found) if one.casefold() not in reply)


def _spoken(stage: Stage, ending: Ending) -> str:
    """What was said in a dialogue, by its user, its tools and its agent, and what may be said."""
    lines = [stage.question, *(one.content for one in stage.history), ending.reply]
    words = [*ending.must, *(word for some in ending.accept.values() for word in some)]
    return "\n".join((*lines, *words, *_values(stage))).casefold()


def _values(stage: Stage) -> Iterator[str]:
    """All that the tools said, without the names of its fields."""
    for step in stage.steps:
        for outcome in step.outcomes:
            yield from _leaves(json.loads(outcome.content))


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    else:
        yield str(value)


def _alien(matter: Matter, stage: Stage, ending: Ending, spoken: str) -> bool:
    """Whether nothing in a row leads to a matter."""
    called = {call.name for step in stage.steps for call in step.calls}
    if called & set(matter.tools) or re.search(matter.near, spoken):
        return False
    return matter.when is None or _WHEN[matter.when](_Row(stage, ending))


@dataclass(frozen=True)
class _Row:
    stage: Stage
    ending: Ending

    @property
    def done(self) -> bool:
        """Whether something was changed, and nothing refused."""
        steps = self.stage.steps
        return any(call.name in WRITING for step in steps for call in step.calls) and not any(
            outcome.error for step in steps for outcome in step.outcomes
        )


_WHEN: Final[dict[str, Callable[[_Row], bool]]] = {
    "done": lambda row: row.done,
    "called": lambda row: row.ending.kind == "call",
    "asked": lambda row: row.ending.kind == "clarify",
}


def _figures(must: Sequence[str], told: str, steps: Sequence[int]) -> Iterator[str]:
    """Figures that are nearly those that must be said, and that nobody had a reason to say. `steps`: how
    far from the right number. Of a limit, the next number is beyond it, and may well be named."""
    known = set(_FIGURE.findall(told))
    for wanted in must:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", wanted):
            day = date.fromisoformat(wanted)
            near = [day + timedelta(days) for days in range(-FAR, FAR + 1)]
            yield from (str(one) for one in near if str(one) not in told)
        elif match := re.fullmatch(r"(\d+)(%?)", wanted):
            numbers = sorted(int(match[1]) + sign * step for sign in (-1, 1) for step in steps)
            yield from (f"{n}{match[2]}" for n in numbers if n > 0 and str(n) not in known)
