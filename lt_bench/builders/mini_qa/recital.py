"""Documents for a base model: half trajectories of a crowd, half sheets said over and over."""

from __future__ import annotations

from typing import Final

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.mini_qa.scene import Scene

SHARE: Final = 0.5
"""Share of the documents that recite. Looking up a fact is learnt from these: in a trajectory it
is one word among sixty."""
LINES: Final = 8
"""Facts that a recital says, whatever the sheets hold."""


def recite(scene: Scene, draw: Draw) -> str:
    """Facts of the evidence in any order, some of them twice."""
    lines = scene.lines()
    return " ".join(f"{draw.pick(lines)} ." for _ in range(LINES))
