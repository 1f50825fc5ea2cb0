"""The judgement on one reply: correct, helpful, refused without need, and what is unsupported."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lt_bench.claims.abstention import changes_subject, is_about
from lt_bench.claims.bare_answers import answered
from lt_bench.claims.cases import Case
from lt_bench.claims.comparisons import claimed_winner, direction
from lt_bench.claims.extras import addresses, copied, extras_of
from lt_bench.claims.labels import label_of
from lt_bench.claims.ledger import Ledger, examine
from lt_bench.claims.properties import takes_up
from lt_bench.claims.subjects import Subject
from lt_bench.claims.targets import Stance, Target
from lt_bench.judge.derivation import LedgerLabel
from lt_bench.records import Claim, FactsGold

UNSUPPORTED: Final = "unsupported claim"
"""The one fault that stands in the ledger itself; all others are breaches of gold."""
MAX_EXTRAS: Final = 6
"""More volunteered facts than these are a recital, which helps nobody who listens."""


@dataclass(frozen=True)
class Assessment:
    """`why` names, in order of weight, what keeps the reply from being correct; empty if it is.
    `label` is `abstained` for a reply that makes no claim about goods, whatever gold makes of that.
    `extras` counts the documented facts it volunteers; `answerable`: a refusal would be needless."""

    answerable: bool
    correct: bool
    label: LedgerLabel
    helpful: bool
    refused: bool
    unsupported: int
    extras: int
    why: tuple[str, ...]
    claims: tuple[Claim, ...]


def assess(case: Case, text: str) -> Assessment:
    """The judgement on a reply to an example with gold facts."""
    gold = case.example.gold
    assert isinstance(gold, FactsGold)
    ledger = examine(case, text)
    stances = {
        t: _stance(t, case, ledger) for t in (*case.required, *case.helpful, *case.forbidden)
    }
    stances |= _by_winner(case, ledger, stances)
    stances |= {t: "absent" for t in case.forbidden if not _affirms(t, case, ledger, stances[t])}
    told = [stances[t] for t in case.required]
    claims = _with_inventions(case, ledger, gold)
    spoken = [*told, *(stances[t] for t in case.forbidden)]
    unsupported = sum(c.verdict in ("contradicted", "not_in_documents") for c in claims)
    dump = copied(case, ledger)
    why = _faults(case, ledger, gold, stances, unsupported, copy=dump)
    refused = ledger.abstention.any and "stated" not in told and "denied" not in told
    answerable = gold.answerability != "none" and bool(told)
    needless = refused and answerable
    extras = extras_of(case, ledger, stances)
    helpful = (
        not needless and 1 <= extras <= MAX_EXTRAS and not dump and addresses(case, ledger, spoken)
    )
    label = label_of(
        claims,
        tuple(fault for fault in why if fault != UNSUPPORTED),
        silent=keeps_silent(case, ledger) and not {"stated", "denied"} & {*told},
    )
    return Assessment(
        answerable, not why, label, helpful, needless, unsupported, extras, why, claims
    )


def keeps_silent(case: Case, ledger: Ledger) -> bool:
    """Whether a reply says neither yes nor no, and abstains or speaks of something else."""
    clauses = ledger.reply.clauses
    answered = ledger.torn or (ledger.opener is not None and not _opened_by_abstention(ledger))
    if answered or not clauses:
        return False
    return ledger.abstention.any or changes_subject(clauses, case.topic | case.names)


def _by_winner(case: Case, ledger: Ledger, stances: dict[Target, Stance]) -> dict[Target, Stance]:
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


# --- correctness -----------------------------------------------------------------------------


def _faults(
    case: Case,
    ledger: Ledger,
    gold: FactsGold,
    stances: dict[Target, Stance],
    unsupported: int,
    *,
    copy: bool,
) -> tuple[str, ...]:
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
            and not _opened_by_abstention(ledger),
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


def _opened_by_abstention(ledger: Ledger) -> bool:
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


def _affirmed(target: Target, case: Case, ledger: Ledger) -> set[int]:
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
    return told != "stated" or not in_words or bool(_affirmed(target, case, ledger))


def _with_inventions(case: Case, ledger: Ledger, gold: FactsGold) -> tuple[Claim, ...]:
    """The claims; where the evidence holds no answer, whatever is said of the asked thing is
    an invention."""
    affirmed = {i for t in case.forbidden for i in _affirmed(t, case, ledger)}
    claims = tuple(
        Claim(text=claim.text, verdict="contradicted") if i in affirmed else claim
        for i, claim in enumerate(ledger.claims(case.evidence))
    )
    if gold.answerability != "none":
        return claims
    clauses = ledger.reply.clauses
    silent = {c.sentence for c in clauses if c.kind == "abstention"}
    asked = case.scope.asked
    others = [
        bool(asked and s.products) and s.products.isdisjoint(asked) and c.verdict == "supported"
        for s, c in zip(ledger.told, claims, strict=True)
    ]
    return tuple(
        Claim(text=claim.text, verdict="not_in_documents")
        if claim.verdict in ("supported", "not_a_claim")
        and not other
        and clause.asserts
        and (clause.sentence not in silent or clause.language.turn.match(clause.text))
        and not clause.language.topical.match(clause.text)
        and not takes_up(clause, case.evidence)
        and case.unknown & set(clause.stems)
        and (answer is None or len(clause.stems) > _BARE)
        else claim
        for clause, claim, answer, other in zip(
            clauses, claims, ledger.answers, others, strict=True
        )
    )


_BARE: Final = 3
"""A clause of so few words that says yes or no says hardly more."""
