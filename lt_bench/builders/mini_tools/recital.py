"""Documents in which an agent says over and over what its tools say: in a whole dialogue that is two words."""

from __future__ import annotations

from typing import Final

from lt_bench.builders.mini_tools.performance import TOOL
from lt_bench.builders.mini_tools.scene import Scene
from lt_bench.builders.mini_tools.vocabulary import call_text, heard
from lt_bench.environments.mini_shop import ATTRIBUTES
from lt_bench.records import ToolCall
from lt_bench.stats.draw import Draw

SHARE: Final = 0.5
"""Share of the documents that recite, where a tool is wanted. That a value is what a tool said last is
learnt from these within minutes, and from dialogues alone is not."""
ANSWERS: Final = 4
"""Answers of a recital."""
BOTH: Final = 0.3
"""Share of them that are to two results."""


def recite(scene: Scene, draw: Draw) -> str:
    """A call of any tool for the product that is meant, then results, and after each what an agent
    thinks and says of it."""
    call = ToolCall(name=draw.pick(tuple(TOOL.values())), arguments={"product": scene.product})
    return " <|im_end|> ".join((call_text(call), *(_answer(draw) for _ in range(ANSWERS))))


def _answer(draw: Draw) -> str:
    names = draw.sample(tuple(ATTRIBUTES), 2 if draw.chance(BOTH) else 1)
    values = [draw.pick(ATTRIBUTES[name]) for name in names]
    thought = (
        f"<think> tool says {' and '.join(values)} . done </think> " if draw.chance(0.5) else ""
    )
    said = " , also ".join(
        f"its {name} is {value}" for name, value in zip(names, values, strict=True)
    )
    return f"{heard(*values)} {thought}{said} ."
