"""A teacher of commerce_qa: trajectories of several lengths, with faults whose labels are known."""

from __future__ import annotations

from collections.abc import Iterator

from lt_bench.builders.base import Taught, TrajectoryLabel
from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.faults import BAD, Mutant, sound
from lt_bench.builders.commerce_qa.row import Row
from lt_bench.builders.commerce_qa.trace import varied

WRONG, BARE = 0.11, 0.2
"""Shares of replies with a fault, and of right ones with nothing beyond the answer. With the faulty
ones that add nothing either, this is about the paper's teacher: correct 89 %, helpful 75 %."""


def taught(row: Row, samples: int) -> Taught:
    """A row with as many trajectories, the same for equal arguments."""
    drawn = [_spoken(row, Draw("teacher", row.example.id, k)) for k in range(samples)]
    return Taught(
        row.example,
        tuple(output for output, _ in drawn),
        tuple(_label(mutant) for _, mutant in drawn),
    )


def _spoken(row: Row, draw: Draw) -> tuple[str, Mutant]:
    """A trace and a reply. The trace leads to the right reply, whatever is then said."""
    thought = varied(row, draw)
    mutant = next(found for found in _tried(row, draw) if found)
    return f"<think>\n{thought}\n</think>\n\n{mutant.reply}", mutant


def _tried(row: Row, draw: Draw) -> Iterator[Mutant | None]:
    """A faulty reply or a bare one, as often as either is wanted and where it fits; else a good one."""
    if draw.chance(WRONG):
        for name in draw.shuffled(tuple(BAD)):
            yield BAD[name](row, draw)
    if draw.chance(BARE):
        yield sound.unhelpful_but_correct(row, draw)
    if draw.chance(0.5):
        yield sound.reworded(row, draw)
    yield sound.reference(row, draw)


def _label(mutant: Mutant) -> TrajectoryLabel:
    faults = () if mutant.correct and mutant.helpful else (mutant.fault,)
    return TrajectoryLabel(mutant.correct, mutant.helpful, faults)
