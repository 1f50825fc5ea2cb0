"""Abstention: a reply that says the answer is not there, or declines to give one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lt_bench.claims.clauses import Clause
from lt_bench.claims.language import FUNCTION, stem_set

_ABOUT_NOTHING: Final = FUNCTION | stem_set(
    "sorry unfortunately afraid sadly apologies apologize dear friend friends folks no not never don't doesn't isn't "
    "can't cannot couldn't didn't won't aren't wasn't unable i'm we're that's what what's which whether how any anything "
    "nothing sure certain aware know known say says said state stated states mention mentions mentioned list lists "
    "listed specify specified show shown shows give given tell tells told find found see seen look check confirm "
    "confirmed guarantee answer info information detail details data sheet page listing document documents spec specs "
    "specification specifications description product products item one here right now currently yet actually really "
    "explicitly specific exact official provided provide include included cover covered note noted available unknown "
    "unclear unspecified me us you about just even at all still though however too either idea let out up get back "
    "specifically honestly question exactly today anywhere me moment front faq reviews seller brand manufacturer"
)


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
    content = {s for s in clause.stems if s not in _ABOUT_NOTHING and not s.isdigit()}
    return not content or bool(content & asked)
