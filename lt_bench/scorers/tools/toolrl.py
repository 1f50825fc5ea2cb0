"""The graded reward of ToolRL (Qian et al., 2025): format in {0, 1} and correctness in [-3, 3].

It never looks at what the reply says and takes little for a needless call: an option for training,
never the measure. Its own rules are kept, the odd ones too: a call that shares neither a parameter
nor a value with its gold call is not used up, and no gold call means 0 whatever is done.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from lt_bench.records import GoldCall, ToolCall

BEST: Final = 3.0
WORST: Final = -3.0

_SHAPES: Final = {
    (False, True): r"<think>.*?</think>\n<response>.*?</response>",
    (True, False): r"<think>.*?</think>\n<tool_call>\n.*?\n</tool_call>",
    (
        True,
        True,
    ): r"<think>.*?</think>\n<tool_call>\n.*?\n</tool_call>\n<response>.*?</response>",
    (False, False): r"<think>.*?</think>",
}
"""Whether the gold text has calls and a response -> the whole text of a reply of its form."""
_COMPILED: Final = {parts: re.compile(rf"^{shape}$", re.DOTALL) for parts, shape in _SHAPES.items()}


class ToolrlReward(NamedTuple):
    format: float
    correctness: float

    @property
    def total(self) -> float:
        return self.format + self.correctness


class Made(NamedTuple):
    """A call as the reward sees it. `parameters` may be anything: nobody looks at those of a tool that
    gold does not call."""

    name: Any
    parameters: Any


def toolrl_reward(response: str, gold: str) -> ToolrlReward:
    """The reward of a text against a gold text, both in the RLLA form: `<think>`, `<tool_call>` with one
    JSON object {"name", "parameters"} a line, `<response>`.

    Raises:
        ValueError: the calls of the gold text are no such objects.
    """
    response = response.strip()
    return ToolrlReward(_format(response, gold), _correctness(response, gold))


def toolrl_correctness(calls: Sequence[ToolCall], gold: Sequence[GoldCall]) -> float:
    """The part for correctness, of calls that are read already: of gold calls the canonical arguments
    count. A call without readable arguments is as bad as none, as broken JSON is there."""
    if not gold:
        return 0.0
    if not calls or any(call.malformed is not None for call in calls):
        return WORST
    made = [Made(call.name, call.arguments) for call in calls]
    return _graded([Made(call.name, call.arguments) for call in gold], made)


def _format(response: str, gold: str) -> float:
    """1 where the text has the parts of the gold text and no other, each once."""
    calls, says = "<tool_call>" in gold, "<response>" in gold
    found = _COMPILED[calls, says].search(response)
    marks = [*(["tool_call"] if calls else []), *(["response"] if says else [])]
    once = all(
        response.count(f"<{mark}>") == 1 and response.count(f"</{mark}>") == 1 for mark in marks
    )
    return float(found is not None and once)


def _correctness(response: str, gold: str) -> float:
    if "<tool_call>" not in gold:
        return 0.0
    wanted = _read(gold)
    if "<tool_call>" not in response or "</tool_call>" not in response:
        return WORST
    try:
        return _graded(wanted, _read(response))
    except ValueError:
        return WORST


def _read(text: str) -> list[Made]:
    """The calls of a text, one a line.

    Raises:
        ValueError: a line is no call.
    """
    body = text.split("<tool_call>")[1].split("</tool_call>")[0].strip()
    found = []
    for line in body.split("\n"):
        try:
            data = json.loads(line)
        except RecursionError as error:
            raise ValueError("nested too deep") from error
        if not isinstance(data, dict) or isinstance(data.get("name", []), list | dict):
            raise ValueError(f"no call: {line[:80]}")
        found.append(Made(data["name"], data.get("parameters")))
    return found


def _graded(wanted: Sequence[Made], made: Sequence[Made]) -> float:
    """Names, parameter names and values that agree, as a share of all there are, on [-3, 3]."""
    if list(wanted) == list(made):
        return BEST
    score: float = _overlap([one.name for one in wanted], [one.name for one in made])
    most = 1.0 + sum(1.0 + len(_parameters(one)) for one in wanted)
    used: set[int] = set()
    for gold in wanted:
        best, best_at = 0.0, -1
        for place, one in enumerate(made):
            if place not in used and one.name == gold.name:
                agreed = _agreement(gold, one)
                if agreed > best:
                    best, best_at = agreed, place
        if best_at >= 0:
            used.add(best_at)
            score += best
    return (BEST - WORST) * score / most + WORST


def _agreement(gold: Made, made: Made) -> float:
    wanted, given = _parameters(gold), _parameters(made)
    values: int = sum(name in given and given[name] == value for name, value in wanted.items())
    return _overlap(list(wanted), list(given)) + float(values)


def _parameters(call: Made) -> dict[str, Any]:
    """Raises:
    ValueError: they are no object.
    """
    if not isinstance(call.parameters, dict):
        raise ValueError(f"no parameters: {call.name}")
    return call.parameters


def _overlap(one: Sequence[Any], other: Sequence[Any]) -> float:
    """Shared names over all names, each as often as it comes; 1 for two equal lists, also empty ones."""
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    shared: int = (Counter(one) & Counter(other)).total()
    return shared / (len(one) + len(other) - shared)
