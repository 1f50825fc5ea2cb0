"""What a reply says of the gold facts of its example: in words, by yes or no, by naming a winner."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.bare_answers import answered
from lt_bench.claims.cases import Case
from lt_bench.claims.comparisons import claimed_winner, direction
from lt_bench.claims.ledger import Ledger
from lt_bench.claims.subjects import Subject
from lt_bench.claims.targets import Stance, Target

Stances = dict[Target, Stance]


def stances_of(case: Case, ledger: Ledger) -> Stances:
    """The stance on every required, helpful and forbidden fact."""
    facts = (*case.required, *case.helpful, *case.forbidden)
    stances = {target: _stance(target, case, ledger) for target in facts}
    stances |= _by_winner(case, ledger, stances)
    return stances | {
        t: "absent" for t in case.forbidden if not _affirms(t, case, ledger, stances[t])
    }


def _by_winner(case: Case, ledger: Ledger, stances: Stances) -> Stances:
    """Naming the right one answers a comparison without its figures; naming the wrong one denies
    them."""
    if case.winner is None:
        return {}
    products = frozenset(t.product for t in case.required)
    named = claimed_winner(
        ledger.reply.clauses, ledger.told, products, case.question.ranked, case.shown, case.evidence
    )
    if named is None or _guesses_at_another(ledger):
        return {}
    told: Stance = "stated" if named == case.winner else "denied"
    return {t: told for t in case.required if told == "denied" or stances[t] == "absent"}


def _guesses_at_another(ledger: Ledger) -> bool:
    """ "59 is light, the other is in the usual range, I'd guess": nothing is compared. A bare "I'd
    say" is of what stands before it."""
    clauses, told = ledger.reply.clauses, ledger.told
    guessed = [
        max(i - 1, 0) if not _WORD.search(c.language.guess.sub("", c.text)) else i
        for i, c in enumerate(clauses)
        if c.asserts and c.language.guess.search(c.text)
    ]
    return any(
        not told[i].named
        and not direction(clauses[i].text, clauses[i].language)
        and not clauses[i].language.shown.search(clauses[i].text)
        for i in guessed
    )


_WORD: Final = re.compile(r"\w")


def _stance(target: Target, case: Case, ledger: Ledger) -> Stance:
    """In words if it is there in words; a bare yes or no speaks only for what was asked."""
    in_words = ledger.hearing.stance(target)
    if in_words == "absent" and case.question.polar and _asked_value_denied(target, case, ledger):
        return "stated"
    if not (case.question.polar or target.state) or target not in case.required:
        return in_words
    if ledger.opener is None:
        verdict = _verdict(target, ledger) if in_words == "absent" else None
        only = len(case.required) == 1 and not case.question.negated
        return (
            in_words
            if verdict is None
            else answered(target, verdict, case.question.heard, only=only)
        )
    if not all(s.allows(target.product) for s in _answering(ledger)):
        return in_words
    if (
        in_words == "absent"
        and target.flag is not None
        and len(case.required) == 1
        and _asked_denied(target, case)
    ):
        return answered(target, not ledger.opener, case.question.heard)
    if in_words == "absent":
        only = len(case.required) == 1 and not case.question.negated
        return answered(target, ledger.opener, case.question.heard, only=only)
    contrary = target.flag is not None and not case.question.negated
    contrary = contrary and answered(target, ledger.opener, case.question.polar_heard) == "denied"
    return "denied" if contrary else in_words


def _asked_value_denied(target: Target, case: Case, ledger: Ledger) -> bool:
    """Whether the wrong value in words that the question supposes is said not to be so."""
    in_words = not (target.quantity or target.date or target.state) and target.flag is None
    if not in_words or case.required != (target,):
        return False
    supposed = [
        t
        for t in case.forbidden
        if (t.product, t.fact.path) == (target.product, target.fact.path)
        and any(p.content and p.content <= case.question.heard for p in t.phrases)
    ]
    clauses = ledger.reply.clauses
    if any(ledger.hearing.stance(t) == "denied" for t in supposed):
        return True
    taken_up = frozenset().union(*(c.heard for c in clauses if c.kind == "question"))
    return ledger.opener is False and any(
        p.content and p.content <= taken_up for t in supposed for p in t.phrases
    )


def _asked_denied(target: Target, case: Case) -> bool:
    """Whether the question says that the property is not there: "it isn't allowed, right?"."""
    words = target.label.union(*(p.content for p in target.phrases))
    return bool(words & case.question.denied)


def _verdict(target: Target, ledger: Ledger) -> bool | None:
    """What a reply without yes or no says can be done, or cannot."""
    for clause, subject in zip(ledger.reply.clauses, ledger.told, strict=True):
        if ledger.torn or not clause.asserts or not subject.allows(target.product):
            continue
        if clause.language.rejects.search(clause.text):
            return False
        if match := clause.language.approves.search(clause.text):
            return not clause.denied(match.start())
    return None


def _answering(ledger: Ledger) -> list[Subject]:
    """The subjects of the clauses that say yes or no."""
    pairs = zip(ledger.answers, ledger.told, strict=True)
    return [subject for answer, subject in pairs if answer is not None]


def affirmed(target: Target, case: Case, ledger: Ledger) -> set[int]:
    """The clauses that state a forbidden fact, and not a right one that holds its words and more:
    "morning and evening" is not "in the morning"."""
    wider = (t for t in case.required if t.fact.path == target.fact.path and _holds(t, target))
    right = {i for t in wider for i in ledger.hearing.affirming(t)}
    return set(ledger.hearing.affirming(target)) - right


def _holds(one: Target, other: Target) -> bool:
    return any(a.content > b.content for a in one.phrases for b in other.phrases if b.content)


def _affirms(target: Target, case: Case, ledger: Ledger, told: Stance) -> bool:
    """Whether a forbidden fact that seems stated is so in words, or by a plain yes or no."""
    in_words = {*ledger.hearing.affirming(target)}
    return told != "stated" or not in_words or bool(affirmed(target, case, ledger))
