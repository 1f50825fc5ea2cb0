"""The claims of one reply, each with its verdict, and what the reply does with the gold facts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from lt_bench.claims.abstention import Abstention, abstention
from lt_bench.claims.amounts import Scope
from lt_bench.claims.clauses import Clause, Reply, read
from lt_bench.claims.comparisons import direction, winner
from lt_bench.claims.entries import Entry
from lt_bench.claims.evidence import SHARED, Evidence, evidence_of
from lt_bench.claims.language import FUNCTION
from lt_bench.claims.languages import language_of
from lt_bench.claims.numbers import scan
from lt_bench.claims.stances import Hearing
from lt_bench.claims.subjects import Subject, subjects
from lt_bench.claims.support import Checks, check
from lt_bench.claims.targets import Target, target_of
from lt_bench.claims.wording import fold, stems
from lt_bench.records import Claim, Example, Fact, FactsGold


@dataclass(frozen=True)
class Case:
    """One example, taken apart once for all of its replies.

    `topic` holds the stems of what was asked: the question, without function words and product
    names, and the properties of the required facts (`labels`). `polar`: the question can be
    answered by yes or no; `negated`: it asks whether something is not so; `hypothetical`: it
    compares a number with a limit. `names` are the stems of all product names, `heard` those of
    the question, `polar_heard` those of the part that asks for yes or no, `unknown` those of them that no evidence holds; `lines` are the folded lines of
    the evidence that are long enough to be recognised; `bounds` are the dimensions of the numbers
    that the question sets a limit with; `winner` is the product that wins the comparison asked
    for, `denied` what the question says is not so, `shown` the one of its products that the question only points at, `ranked` whether more or less of the property wins.
    """

    example: Example
    evidence: Evidence
    required: tuple[Target, ...]
    helpful: tuple[Target, ...]
    forbidden: tuple[Target, ...]
    scope: Scope
    topic: frozenset[str]
    polar: bool
    negated: bool
    hypothetical: bool
    labels: frozenset[str]
    names: frozenset[str]
    heard: frozenset[str]
    polar_heard: frozenset[str]
    unknown: frozenset[str]
    lines: frozenset[str]
    bounds: frozenset[str]
    winner: int | None
    ranked: str
    shown: int | None
    denied: frozenset[str]


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


def case_of(example: Example) -> Case:
    """Takes an example apart; gold facts are used where it has them."""
    evidence = evidence_of(example)
    gold = example.gold if isinstance(example.gold, FactsGold) else FactsGold(answerability="full")
    required = tuple(target_of(fact, evidence) for fact in gold.required)
    helpful = tuple(target_of(fact, evidence, extra=True) for fact in gold.helpful)
    forbidden = tuple(target_of(fact, evidence) for fact in gold.forbidden)
    asked = frozenset(t.product for t in (*required, *helpful, *forbidden) if t.product != SHARED)
    numbers = tuple(t.quantity for t in required if t.quantity)
    granted = _granted((*gold.required, *gold.helpful))
    question = fold(f"{example.question} \n {gold.resolved_question}")
    heard = frozenset(stems(question))
    names = frozenset(s for n in evidence.names for s in n.all)
    labels = frozenset().union(*(t.label for t in required))
    speaker = language_of(question)
    limits = speaker.limits.search(question) is not None
    best = winner(question, speaker, required)
    evidence.asked += tuple(scan(fold(gold.resolved_question)))
    return Case(
        example=example,
        evidence=evidence,
        required=required,
        helpful=helpful,
        forbidden=forbidden,
        scope=Scope(evidence, asked, numbers, limits, labels, granted),
        topic=(heard - FUNCTION - names) | labels,
        polar=speaker.polar.search(question) is not None,
        negated=_negated(question),
        hypothetical=limits,
        labels=labels,
        names=names,
        heard=heard,
        polar_heard=_polar_stems(question),
        unknown=heard - FUNCTION - names - speaker.common - evidence.words_of(asked) - granted,
        lines=evidence.lines,
        winner=best,
        ranked=direction(question, speaker),
        denied=_denied_stems(question),
        shown=_shown(example.question, required, evidence),
        bounds=frozenset(q.unit.dimension for q in scan(question) if q.unit and q.bound),
    )


def _negated(question: str) -> bool:
    """Whether a question has a negator that does more than ask."""
    return any(
        not m["idiom"]
        for clause in _clauses_of(question)
        if not _ends_by_asking(clause)
        for m in clause.language.negator.finditer(clause.text)
    )


def _denied_stems(question: str) -> frozenset[str]:
    """The stems behind a negating word of a question; one at its end only asks."""
    return frozenset(
        stem
        for clause in _clauses_of(question)
        if not _ends_by_asking(clause)
        for stem, place in zip(clause.stems, clause.places, strict=True)
        if clause.denied(place)
    )


def _ends_by_asking(clause: Clause) -> bool:
    """Whether the only negator is the one that asks: 有充电口没."""
    asked = clause.language.polar.search(clause.text)
    spoken = [m for m in clause.language.negator.finditer(clause.text) if not m["idiom"]]
    return asked is not None and len(spoken) == 1 and spoken[0].start() == asked.start()


def _shown(question: str, required: tuple[Target, ...], evidence: Evidence) -> int | None:
    """The one product of those asked for that the question does not name."""
    asked = frozenset(t.product for t in required)
    named = frozenset().union(
        *(s.named | s.beside for s in subjects(_clauses_of(question), evidence))
    )
    left = asked - named
    return next(iter(left)) if len(left) == 1 < len(asked) else None


@lru_cache(maxsize=64)
def _clauses_of(question: str) -> tuple[Clause, ...]:
    return read(question).clauses


def _polar_stems(question: str) -> frozenset[str]:
    """The stems of the clauses that ask for yes or no: "I have a cat, does it mop?" asks whether
    it mops."""
    if not language_of(question).polar.search(question):
        return frozenset()
    clauses = _clauses_of(question)
    asking = (c.heard for c in clauses if c.language.polar.search(c.text))
    return frozenset().union(*asking)


def _granted(facts: tuple[Fact, ...]) -> frozenset[str]:
    """Stems that gold itself uses for its facts: saying them is no invention."""
    return frozenset(
        s for fact in facts for text in (str(fact.value), *fact.accept) for s in stems(fold(text))
    )


def examine(case: Case, text: str) -> Ledger:
    """The claims of a reply and their check. Never raises, whatever the text."""
    reply = read(text)
    told = tuple(subjects(reply.clauses, case.evidence, case.scope.asked))
    checks = tuple(check(c, s, case.scope) for c, s in zip(reply.clauses, told, strict=True))
    answers = tuple(_answer(c, s, case) for c, s in zip(reply.clauses, told, strict=True))
    given = set(answers) - {None}
    opener = next(iter(given)) if len(given) == 1 else None
    silent = abstention(reply.clauses)
    hearing = Hearing(reply.clauses, told)
    return Ledger(reply, told, checks, silent, answers, opener, len(given) == 2, hearing)


def _answer(clause: Clause, subject: Subject, case: Case) -> bool | None:
    """True for a clause that says yes, False for one that says no, None for neither."""
    if clause.kind not in ("statement", "abstention"):
        return None
    text = _without_vocative(clause.text, case)
    if clause.language.no.search(text):
        return False
    if clause.language.yes.search(text):
        return True
    elsewhere = subject.products and subject.products.isdisjoint(case.scope.asked)
    return None if elsewhere else _echo(clause, case)


_VOCATIVE: Final = re.compile(
    r"(?<=[a-z]),? (?:(?:my |you )?(?:mate|matey|love|lovely|dear|hon|honey|hun|babe|darling|sweetie|friends?|folks|"
    r"guys|buddy|pal|bro|sis|fam|everyone|all|lot|team|chat))(?=\W*$)"
)


def _without_vocative(text: str, case: Case) -> str:
    """A short clause without the name of whom it speaks to: "no Ines", "nope mate"."""
    name = re.sub(r"[^a-z]", "", fold(case.example.viewer or ""))
    if len(name) > 1:
        text = re.sub(rf"(?<=[a-z]),? {name}\d*(?=\W*$)", "", text)
    return _VOCATIVE.sub("", text)


def _echo(clause: Clause, case: Case) -> bool | None:
    """The answer of a clause that repeats the question's own words and adds none: "does the hood
    come off?" - "it doesn't come off"."""
    if len(case.required) > 1 or case.negated:
        return None
    plain = clause.language.negator.sub(" ", clause.text)
    content = {s for s in stems(plain) if not s.isdigit()} - FUNCTION - case.names
    short = 0 < len(content) <= _MAX_ECHO and not clause.quantities
    if not case.polar or not short or not content <= case.polar_heard or not clause.asserts:
        return None
    if not clause.language.echo.search(clause.text):
        return None
    pairs = zip(clause.stems, clause.places, strict=True)
    return not any(clause.denied(place) for stem, place in pairs if stem in content)


_MAX_ECHO: Final = 4


def _claim(reply: Reply, clause: Clause, checks: Checks, evidence: Evidence) -> Claim:
    verdict, entry = checks.worst
    quoted = _quoted(entry, evidence) if entry else None
    return Claim(
        text=reply.written(clause),
        verdict=verdict,
        document=entry.document if entry else None,
        evidence=quoted,
    )


def _quoted(entry: Entry, evidence: Evidence) -> str | None:
    """The line of the document that holds an entry of its product's data, where there is one."""
    if entry.start is None:
        alike = (e for e in evidence.entries[entry.product] if _tells(e, entry))
        entry = next(alike, entry)
    if entry.start is None:
        return None
    return evidence.documents[entry.document].text[entry.start : entry.end]


def _tells(line: Entry, data: Entry) -> bool:
    if line.start is None or line.document != data.document:
        return False
    if data.quantities:
        return any(a.base == b.base for a in line.quantities for b in data.quantities)
    named = bool(data.label & line.label)
    return (bool(data.value) and set(data.value) <= {*line.value, *line.label}) or (
        named and data.flag == line.flag is not None
    )
