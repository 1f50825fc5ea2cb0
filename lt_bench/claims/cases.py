"""One example, taken apart once for all of its replies."""

from __future__ import annotations

from dataclasses import dataclass, field

from lt_bench.claims.comparisons import winner
from lt_bench.claims.evidence import SHARED, Evidence, evidence_of
from lt_bench.claims.kept import Kept
from lt_bench.claims.language import FUNCTION
from lt_bench.claims.languages import language_of
from lt_bench.claims.numbers import scan
from lt_bench.claims.question import Question, question_of
from lt_bench.claims.scope import Scope
from lt_bench.claims.stances import KeptStances
from lt_bench.claims.subjects import subjects
from lt_bench.claims.targets import Target, target_of
from lt_bench.claims.wording import fold, stems
from lt_bench.records import Example, Fact, FactsGold


@dataclass(frozen=True)
class Case:
    """Evidence, question and gold facts of one example, ready for its replies.

    `topic` holds the stems of what was asked: the question without function words and product
    names, and what the required facts are called (`labels`). `names` are the stems of all product
    names, `unknown` those of the question that no evidence holds. `winner` is the product that wins
    the comparison asked for, `shown` the one of its products that the question only points at.
    `answers` keeps which clauses say yes or no, `stances` what they tell of facts.
    """

    example: Example
    evidence: Evidence
    question: Question
    scope: Scope
    required: tuple[Target, ...]
    helpful: tuple[Target, ...]
    forbidden: tuple[Target, ...]
    topic: frozenset[str]
    labels: frozenset[str]
    names: frozenset[str]
    unknown: frozenset[str]
    winner: int | None
    shown: int | None
    answers: Kept[tuple[str, str, bool], bool | None] = field(default_factory=Kept)
    stances: KeptStances = field(default_factory=Kept)


def case_of(example: Example) -> Case:
    """Takes an example apart; gold facts are used where it has them."""
    gold = example.gold if isinstance(example.gold, FactsGold) else FactsGold(answerability="full")
    evidence, question = evidence_of(example), question_of(example)
    evidence.asked += tuple(scan(fold(gold.resolved_question)))
    required = tuple(target_of(fact, evidence) for fact in gold.required)
    helpful = tuple(target_of(fact, evidence, extra=True) for fact in gold.helpful)
    forbidden = tuple(target_of(fact, evidence) for fact in gold.forbidden)
    asked = frozenset(t.product for t in (*required, *helpful, *forbidden) if t.product != SHARED)
    numbers = tuple(t.quantity for t in required if t.quantity)
    granted = _granted((*gold.required, *gold.helpful))
    labels = frozenset().union(*(t.label for t in required))
    speaker = language_of(question.folded)
    told = question.heard - FUNCTION - evidence.called
    return Case(
        example=example,
        evidence=evidence,
        question=question,
        scope=Scope(evidence, asked, numbers, question.limits, labels, granted),
        required=required,
        helpful=helpful,
        forbidden=forbidden,
        topic=told | labels,
        labels=labels,
        names=evidence.called,
        unknown=told - speaker.common - evidence.view(asked).vocabulary - granted,
        winner=winner(question.folded, speaker, required),
        shown=_shown(question, required, evidence),
    )


def _shown(question: Question, required: tuple[Target, ...], evidence: Evidence) -> int | None:
    """The one product of those asked for that the question does not name."""
    asked = frozenset(t.product for t in required)
    named = frozenset().union(*(s.named | s.beside for s in subjects(question.clauses, evidence)))
    left = asked - named
    return next(iter(left)) if len(left) == 1 < len(asked) else None


def _granted(facts: tuple[Fact, ...]) -> frozenset[str]:
    """Stems that gold itself uses for its facts: saying them is no invention."""
    return frozenset(
        s for fact in facts for text in (str(fact.value), *fact.accept) for s in stems(fold(text))
    )
