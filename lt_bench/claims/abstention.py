"""Abstention: a reply that says the answer is not there, or declines to give one."""

from __future__ import annotations

from dataclasses import dataclass

from lt_bench.claims.clauses import Clause


@dataclass(frozen=True)
class Abstention:
    """`missing`: it says that the information is not there. `refused`: it declines, evades or
    changes the subject. Numbers are those of the clauses."""

    missing: tuple[int, ...]
    refused: tuple[int, ...]

    @property
    def any(self) -> bool:
        """Whether the reply abstains at all."""
        return bool(self.missing or self.refused)


def abstention(clauses: tuple[Clause, ...]) -> Abstention:
    """The abstaining clauses of a reply."""
    return Abstention(
        tuple(i for i, c in enumerate(clauses) if c.kind == "abstention"),
        tuple(i for i, c in enumerate(clauses) if c.kind == "refusal"),
    )


def is_about(clause: Clause, asked: frozenset[str]) -> bool:
    """Whether an abstaining clause concerns what was asked: it names nothing, or something of
    the question. "The sheet says nothing about shipping" is no refusal to tell the price."""
    content = {s for s in clause.stems if s not in clause.language.idle and not s.isdigit()}
    return not content or bool(content & asked)
