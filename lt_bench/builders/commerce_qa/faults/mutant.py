"""A mutant: a reply made from a good one, with the labels that its making implies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.row import Row


@dataclass(frozen=True)
class Mutant:
    """`reply` has `fault` and nothing else wrong with it.

    `correct`: the required facts are stated, every claim about a product stands in the evidence,
    and what is missing or wrongly supposed is said to be so. `helpful`: it speaks to the question
    that was asked and adds a documented fact that was not asked for. Neither implies the other.
    """

    reply: str
    fault: str
    correct: bool
    helpful: bool


Mutator = Callable[[Row, Draw], Mutant | None]
"""Makes a mutant of a row, the same for equal draws; None where the fault does not fit."""
