"""The claims of one reply, each with its verdict, and what the reply does with the gold facts."""

from __future__ import annotations

from dataclasses import dataclass

from lt_bench.claims.abstention import Abstention, abstention
from lt_bench.claims.answers import answer_of
from lt_bench.claims.cases import Case
from lt_bench.claims.checks import Checks
from lt_bench.claims.clauses import Clause, Reply, read
from lt_bench.claims.evidence import Evidence
from lt_bench.claims.quotes import quoted
from lt_bench.claims.scope import Scope
from lt_bench.claims.stances import Hearing
from lt_bench.claims.subjects import Subject, subjects
from lt_bench.claims.support import check
from lt_bench.records import Claim


@dataclass(frozen=True)
class Ledger:
    """A reply against its case. `checks[i]`, `told[i]` and `answers[i]` belong to clause i; an
    answer is True for yes, False for no, None for neither. `opener` is the answer of all that
    give one; `torn`: the reply says both. `hearing` tells what it says of facts."""

    reply: Reply
    told: tuple[Subject, ...]
    checks: tuple[Checks, ...]
    abstention: Abstention
    answers: tuple[bool | None, ...]
    opener: bool | None
    torn: bool
    hearing: Hearing

    def claims(self, evidence: Evidence) -> tuple[Claim, ...]:
        """One claim a clause, in order, with the words of the document behind it."""
        pairs = zip(self.reply.clauses, self.checks, strict=True)
        return tuple(_claim(self.reply, clause, checks, evidence) for clause, checks in pairs)


def examine(case: Case, text: str) -> Ledger:
    """The claims of a reply and their check. Never raises, whatever the text."""
    reply = read(text)
    told = tuple(subjects(reply.clauses, case.evidence, case.scope.asked))
    pairs = tuple(zip(reply.clauses, told, strict=True))
    checks = tuple(_checked(clause, subject, case.scope) for clause, subject in pairs)
    answers = tuple(answer_of(clause, subject, case) for clause, subject in pairs)
    given = set(answers) - {None}
    opener = next(iter(given)) if len(given) == 1 else None
    silent = abstention(reply.clauses)
    hearing = Hearing(reply.clauses, told, case.stances)
    return Ledger(reply, told, checks, silent, answers, opener, len(given) == 2, hearing)


def _checked(clause: Clause, subject: Subject, scope: Scope) -> Checks:
    if not clause.asserts:
        return scope.unchecked
    key = (clause.text, clause.language.name, subject.products, subject.beside)
    return scope.checked.get(key, lambda: check(clause, subject, scope))


def _claim(reply: Reply, clause: Clause, checks: Checks, evidence: Evidence) -> Claim:
    text = reply.written(clause)
    claim = checks.claims.get(text)
    if claim is None:
        verdict, entry = checks.worst
        claim = checks.claims[text] = Claim(
            text=text,
            verdict=verdict,
            document=entry.document if entry else None,
            evidence=quoted(entry, evidence) if entry else None,
        )
    return claim
