"""What keeps a reply from being correct."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.abstention import is_about
from lt_bench.claims.cases import Case
from lt_bench.claims.gold_stances import Stances
from lt_bench.claims.ledger import Ledger
from lt_bench.claims.targets import Target
from lt_bench.records import FactsGold

UNSUPPORTED: Final = "unsupported claim"
"""The one fault that stands in the ledger itself; all others are breaches of gold."""


def faults(
    case: Case,
    ledger: Ledger,
    gold: FactsGold,
    stances: Stances,
    unsupported: int,
    *,
    copy: bool,
) -> tuple[str, ...]:
    """Names of the faults of a reply, in order of weight; none for a correct one."""
    required = [stances[t] for t in case.required]
    flagged = any(t.flag is not None for t in case.required)
    clauses, silent = ledger.reply.clauses, ledger.abstention
    missing = any(is_about(clauses[i], case.topic) for i in silent.missing)
    found = (
        ("required fact missing", "absent" in required),
        ("required fact denied", "denied" in required),
        (UNSUPPORTED, unsupported > 0),
        ("forbidden fact affirmed", any(stances[t] == "stated" for t in case.forbidden)),
        ("yes and no at once", ledger.torn and (flagged or gold.answerability == "none")),
        (
            "answer and abstention at once",
            gold.answerability == "full" and bool(required) and missing,
        ),
        (
            "missing evidence not said",
            gold.answerability != "full" and not _says_missing(case, ledger),
        ),
        (
            "answers what is not there",
            gold.answerability == "none"
            and ledger.opener is not None
            and not opened_by_abstention(ledger),
        ),
        ("guesses what is not there", gold.answerability != "full" and _guesses(ledger)),
        ("size left open", any(_left_open(t, ledger) for t in case.required)),
        ("copy of the evidence", copy),
        ("wrong yes or no", _wrong_opener(case, ledger)),
        ("cut", ledger.reply.cut),
    )
    return tuple(name for name, holds in found if holds)


def _left_open(target: Target, ledger: Ledger) -> bool:
    """ "Somewhere around 41 or 42": a size only ever named beside another one is no answer."""
    if not target.fact.path.startswith("size["):
        return False
    size = re.escape(str(target.fact.value).lower())
    either = re.compile(
        rf"(?<![\w.]){size} or {_SIZE}(?![\w.])|(?<![\w.]){_SIZE} or {size}(?![\w.])"
    )
    clauses = ledger.reply.clauses
    said = [clauses[i].text for i in ledger.hearing.affirming(target)]
    return bool(said) and all(either.search(text) for text in said)


_SIZE: Final = r"(?:a )?(?:\d{2}(?:\.5)?|x{0,3}[sml])"


def _says_missing(case: Case, ledger: Ledger) -> bool:
    """Off the topic, declining is the right answer; elsewhere only the missing evidence is."""
    off_topic = any(tag.replace("-", "_").endswith("off_topic") for tag in case.example.tags)
    declined = ledger.abstention.any or _knows_nothing(ledger)
    return bool(ledger.abstention.missing) or (off_topic and declined)


def _knows_nothing(ledger: Ledger) -> bool:
    """ "No, sorry, I don't", and nothing more that could be true or false."""
    return any(_IGNORANT.match(c.text) for c in ledger.reply.clauses)


_IGNORANT: Final = re.compile(r"^\W*i (?:really |honestly |sadly )?(?:don't|do not)\W*$")


def _guesses(ledger: Ledger) -> bool:
    """ "The sheet doesn't say, but it should be fine": a guess after an abstention."""
    first = min(ledger.abstention.missing, default=len(ledger.checks))
    return any(
        clause.asserts and not checks.entries and clause.language.guess.search(clause.text)
        for clause, checks in list(zip(ledger.reply.clauses, ledger.checks, strict=True))[first:]
    )


def opened_by_abstention(ledger: Ledger) -> bool:
    """ "No, the sheet says nothing about that" answers nothing."""
    clauses = ledger.reply.clauses
    pairs = zip(clauses, ledger.answers, strict=True)
    opening = next(clause for clause, answer in pairs if answer is not None)
    if _CAUTION.search(opening.text) and ledger.abstention.missing:
        return True
    if ledger.opener is False and _knows_nothing(ledger):
        return True
    return ledger.opener is False and any(
        c.kind == "abstention" for c in clauses if c.sentence == opening.sentence
    )


_CAUTION: Final = re.compile(
    r"^\W*(?:(?:oh|um|please|hmm|ooh|no) )*(?:(?:please |honestly )?don't|(?:better|best|rather) not|i (?:really )?wouldn't|(?:i'd )?rather you didn't)\b"
)
"""Advises against something, which is no word on what the goods can do."""


def _wrong_opener(case: Case, ledger: Ledger) -> bool:
    """ "Yes" to "is it 99 dollars?" where the price is another, and the reverse."""
    if ledger.opener is None or not case.question.polar:
        return False
    asked = case.evidence.asked
    pairs = [
        (q, t.quantity)
        for q in asked
        for t in case.required
        if t.quantity and q.unit and t.quantity.unit
    ]
    alike = [
        (q, known)
        for q, known in pairs
        if q.unit and known.unit and q.unit.dimension == known.unit.dimension
    ]
    if len(alike) != 1 or alike[0][0].bound:
        return False
    return (
        False if case.question.limits else (alike[0][0].base == alike[0][1].base) != ledger.opener
    )
