"""Gold facts, and whether a reply states them, denies them or leaves them out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from lt_bench.claims.clauses import Clause
from lt_bench.claims.dates import Date, scan_dates
from lt_bench.claims.entries import availability_of, split_words, variants_of
from lt_bench.claims.evidence import SHARED, Evidence
from lt_bench.claims.language import FUNCTION, stem_set
from lt_bench.claims.numbers import Quantity, agrees, scan
from lt_bench.claims.paths import unit_beside
from lt_bench.claims.phrases import Phrase, phrase, says
from lt_bench.claims.subjects import Subject, slots_named
from lt_bench.claims.units import is_money, unit_named
from lt_bench.claims.wording import fold, stems
from lt_bench.records import Fact

Stance = Literal["stated", "denied", "absent"]


@dataclass(frozen=True, eq=False)
class Target:
    """A fact made ready to be looked for; a number has its unit, where that is known. One of `flag`, `state`, `quantity`, `date` is set for
    yes-or-no, availability, number and day; `phrases` hold every wording; `keys` are the words of
    the label that the question used too; `rivals` name the other colours and sizes of a variant, `parts` all of
    them where the availability is of the whole product."""

    fact: Fact
    product: int
    label: frozenset[str]
    phrases: tuple[Phrase, ...]
    keys: frozenset[str] = frozenset()
    extra: bool = False
    flag: bool | None = None
    state: str | None = None
    quantity: Quantity | None = None
    date: Date | None = None
    rivals: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()


COMMON_KEYS: Final = stem_set(
    "work control up in on use power size self size mode level type compatible"
)
_NAMED: Final = re.compile(r"\[[^=\]]+=([^\]]*)\]")
_PLAIN: Final = frozenset({"value", "name", "offers", "additionalProperty", "text"})


@lru_cache(maxsize=8192)
def label_of(path: str) -> frozenset[str]:
    """The stems of what a path is about: its last selector that names a property, or its last
    telling key."""
    selected = _NAMED.findall(path)
    keys = [k for k in re.sub(r"\[[^\]]*\]", "", path).split(".") if k and k not in _PLAIN]
    chosen = selected[-1] if selected and "additionalProperty" in path else keys[-1] if keys else ""
    return frozenset(stems(fold(split_words(chosen)))) - FUNCTION


def target_of(fact: Fact, evidence: Evidence, *, extra: bool = False) -> Target:
    """The fact as something to look for in replies."""
    product = evidence.product_of.get(fact.document, SHARED)
    label = label_of(fact.path)
    wordings = tuple(phrase(text) for text in fact.accept if text.strip())
    value = fact.value
    if isinstance(value, bool):
        named = (phrase(" ".join(sorted(label))),) if label and not wordings else ()
        keys = label & evidence.question - COMMON_KEYS
        return Target(fact, product, label, wordings or named, keys=keys, extra=extra, flag=value)
    if isinstance(value, int | float):
        fact = _with_unit(fact, value, evidence)
        number = Quantity(float(value), unit_named(fact.unit), 0, 0)
        return Target(fact, product, label, wordings, extra=extra, quantity=number)
    if ("availability" in fact.path.lower() or value.startswith("http")) and availability_of(value):
        state, rivals = availability_of(value), _rivals(fact, evidence)
        parts = _parts(fact, evidence)
        return Target(
            fact, product, label, wordings, extra=extra, state=state, rivals=rivals, parts=parts
        )
    wordings = (phrase(f"{value} {fact.unit}" if fact.unit else value), *wordings)
    days = scan_dates(fold(value))
    alone = (
        len(days) == 1
        and not fold(value).replace(fold(value)[days[0].start : days[0].end], "").strip()
    )
    return Target(fact, product, label, wordings, extra=extra, date=days[0] if alone else None)


_VARIANT: Final = re.compile(r"hasVariant\[(\d+)\]")


def _rivals(fact: Fact, evidence: Evidence) -> frozenset[str]:
    """The stems of colours and sizes that the variant of a fact has not, and others have."""
    match = _VARIANT.match(fact.path)
    document = evidence.documents.get(fact.document)
    named = [names for names, _ in variants_of(document)] if match and document else []
    if match is None or int(match[1]) >= len(named):
        return frozenset()
    own = named[int(match[1])]
    return frozenset().union(*named) - own if own else frozenset()


def _parts(fact: Fact, evidence: Evidence) -> frozenset[str]:
    """The stems of all colours and sizes of a product whose own availability a fact tells."""
    document = evidence.documents.get(fact.document)
    if document is None or fact.path != "offers.availability":
        return frozenset()
    return frozenset().union(*(names for names, _ in variants_of(document)))


def _with_unit(fact: Fact, value: float, evidence: Evidence) -> Fact:
    """A number that comes without a unit has the one it has in its document."""
    document = evidence.documents.get(fact.document)
    if fact.unit or document is None:
        return fact
    if fact.path != "text":
        return fact.model_copy(update={"unit": unit_beside(document, fact.path)})
    units = {q.unit.name if q.unit else None for q in scan(fold(document.text)) if q.value == value}
    return fact.model_copy(update={"unit": units.pop() if len(units) == 1 else None})


def stance(target: Target, clauses: tuple[Clause, ...], told: tuple[Subject, ...]) -> Stance:
    """What the reply says of a fact in so many words. Said and denied at once is denied."""
    answers = {answer for _, answer in _answers(target, clauses, told)}
    return "denied" if False in answers else "stated" if True in answers else "absent"


def affirming(
    target: Target, clauses: tuple[Clause, ...], told: tuple[Subject, ...]
) -> Iterator[int]:
    """The clauses that state a fact."""
    return (i for i, answer in _answers(target, clauses, told) if answer)


def _answers(
    target: Target, clauses: tuple[Clause, ...], told: tuple[Subject, ...]
) -> Iterator[tuple[int, bool | None]]:
    for i, clause in enumerate(clauses):
        if clause.asserts and told[i].allows(target.product):
            named = target.fact.path == "name" and target.product in told[i].named
            near = _beside(i, clauses) if _touches(target, clause) else ()
            yield i, True if named else _clause_stance(target, clause, near)


def _touches(target: Target, clause: Clause) -> bool:
    """Whether a clause has a word of a wording, which another clause might complete."""
    return any(not p.content.isdisjoint(clause.heard) for p in target.phrases)


def _beside(i: int, clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """The clauses before and after one in its sentence."""
    near = (*clauses[max(0, i - 1) : i], *clauses[i + 1 : i + 2])
    return tuple(clause for clause in near if clause.sentence == clauses[i].sentence)


_STOCK_WORDS: Final = stem_set("stock available availability left get buy order have")
_GONE_WORDS: Final = stem_set("sold out gone unavailable")


_SPAN_WORDS: Final = stem_set("day long week month window 几天 多久 多长")


def answered(
    target: Target, opener: bool, question: frozenset[str], *, only: bool = False
) -> Stance:
    """What a bare yes or no says of a fact: all that the question said of it, or nothing. `only`:
    it is all that was asked, so that the question means it whatever its words."""
    if target.state is not None:
        if not question & (_STOCK_WORDS | _GONE_WORDS):
            return "absent"
        gone = bool(question & stem_set("sold gone unavailable"))
        return "stated" if (target.state == "in") == (opener != gone) else "denied"
    if target.fact.path.endswith("returnFees"):
        free = target.fact.value == "FreeReturn"
        return ("stated" if opener == free else "denied") if "free" in question else "absent"
    if target.fact.path.endswith("merchantReturnDays") and not question & _SPAN_WORDS:
        takes = bool(target.quantity and target.quantity.value)
        return ("stated" if opener == takes else "denied") if "return" in question else "absent"
    if target.flag is None:
        named = any(p.content and p.content <= question for p in target.phrases[:1])
        return (
            ("stated" if opener else "denied")
            if named and only and _named_place(target)
            else "absent"
        )
    wordings = [target.label, *(wording.content for wording in target.phrases)]
    if only and not any(words & question for words in wordings):
        return "stated" if opener == target.flag else "absent"
    direct = any(words and words <= question for words in wordings)
    if direct or any(words & question for words in wordings):
        return "stated" if opener == target.flag else "denied" if direct else "absent"
    return "absent"


def _named_place(target: Target) -> bool:
    return "shippingDestination" in target.fact.path


def _slot_stems(clause: Clause) -> frozenset[str]:
    return frozenset(str(number) for number, _ in slots_named(clause))


def _clause_stance(target: Target, clause: Clause, beside: tuple[Clause, ...]) -> bool | None:
    if target.quantity is not None and (number := _number(target, clause)) is not None:
        return number
    if target.date is not None:
        days = [d for d in clause.dates if d.agrees(target.date)]
        if days:
            return not clause.denied(days[0].start)
    if target.rivals and target.rivals & (clause.heard - _slot_stems(clause)):
        return None
    if target.state is not None and (state := stock_state(clause)) is not None:
        named = target.parts & (clause.heard - _slot_stems(clause))
        partly = (target.state, state) == ("in", "out") and named and named < target.parts
        return None if partly else state == target.state
    answers = [
        says(clause, wording, beside=beside)
        for wording in target.phrases
        if _telling(target, wording, clause)
    ]
    if target.flag is not None and not any(a is not None for a in answers):
        return _by_key(target, clause)
    if target.flag is not None and not any(answers):
        return False if False in answers else None
    if any(answers):
        return not (_hedged(clause) or _undecided(target, clause))
    # a value denied is not the contrary said: "it is not red" tells of no other colour
    return False if False in answers and target.flag is None else None


def _telling(target: Target, wording: Phrase, clause: Clause) -> bool:
    """Whether a wording is enough here. One letter needs the property's name right before it
    ("size S"), unless it is all that was said; as an extra, a common word needs the name too."""
    if len(wording.text) == 1:
        before = ("", *clause.stems)
        named = target.label | clause.language.picking
        pairs = zip(before, clause.stems, strict=False)
        if clause.stems[:1] == (wording.text,) and "size" in clause.heard:
            return True
        if target.fact.path.startswith("size[") and _among_signs(wording.text, clause.text):
            return True
        return clause.stems == (wording.text,) or any(
            word == wording.text and last in named for last, word in pairs
        )
    vague = target.extra and len(wording.content) < 2 and not wording.quantities
    vague = vague and wording.text.isascii()
    if vague and wording.content <= clause.language.common:
        return bool(target.label & clause.heard)
    return True


def _among_signs(letter: str, text: str) -> bool:
    """Whether a letter stands alone among the characters of another script."""
    found = re.search(rf"(?:^|[^\x00-\x7f])\W*{re.escape(letter)}\W*(?:$|[^\x00-\x7f])", text)
    return found is not None and not text.isascii()


def _by_key(target: Target, clause: Clause) -> bool | None:
    """ "There's no app for it": a yes-or-no property called by its telling word alone, under a
    verb of having."""
    places = [p for s, p in zip(clause.stems, clause.places, strict=True) if s in target.keys]
    speaker = clause.language
    if places and speaker.rejects.search(clause.text):
        return not target.flag
    if places and clause.denied(places[0]):
        return not target.flag
    if not places or not (
        speaker.having.search(clause.text) or speaker.approves.search(clause.text)
    ):
        return None
    return target.flag


def _number(target: Target, clause: Clause) -> bool | None:
    assert target.quantity is not None
    matching = [
        q
        for q in clause.quantities
        if agrees(q, target.quantity)
        and _unit_told(target, q, clause)
        and not clause.language.vague.match(clause.text, q.end)
        and not (q.unit is None and clause.language.calling.match(clause.text, q.end))
    ]
    if not matching:
        return None
    first = matching[0]
    if clause.denied(first.start):
        return False
    if _SPANNED.search(target.fact.path):
        return True  # "three or four days" is a span
    return not any(_alternatives(first, other, clause) for other in clause.quantities)


_SPANNED: Final = re.compile(r"deliveryTime\.(?:min|max)Value$")


def _unit_told(target: Target, said: Quantity, clause: Clause) -> bool:
    """Whether a number without its unit still answers: prices, counts, and beside the name of
    the property."""
    known = target.quantity.unit if target.quantity else None
    if said.loose:
        noun = target.label.union(stems(fold(target.fact.unit or "")))
        noun |= _REMAINING if "inventory" in target.label else frozenset()
        return bool(noun & clause.heard) or (len(clause.stems) <= 4 and not target.extra)
    if (
        said.unit is None
        and known is not None
        and not target.extra
        and _bare(said, clause, target.label)
    ):
        return True
    if known is None:
        timed = said.unit is not None and said.unit.dimension in ("time", "business time", "months")
        return (
            said.unit is None
            or said.unit.name == "star"
            or (timed and _TIMED.search(target.fact.path) is not None)
            or (not target.fact.unit and _COUNTED.search(target.fact.path) is None)
        )
    return said.unit is not None or is_money(known) or bool(target.label & clause.heard)


_REMAINING: Final = stem_set("left last remaining pair pairs piece pieces unit units item stock")
_PLAIN_NUMBER: Final = 100


def _bare(said: Quantity, clause: Clause, label: frozenset[str]) -> bool:
    """Whether a number without its unit is all that a clause tells: "20000", "that's 405"."""
    alone = len(clause.quantities) == 1 and not clause.dates
    places = zip(clause.stems, clause.places, strict=True)
    words = {s for s, p in places if not said.start <= p < said.end} - FUNCTION
    other = words - clause.language.common - label
    return alone and (said.value >= _PLAIN_NUMBER or len(words) < 3 or not other)


_COUNTED: Final = re.compile(r"rating|(?<!dis)count|inventory", re.IGNORECASE)
"""Paths of numbers that have no unit at all: "4 kg" does not state a rating of 4."""
_TIMED: Final = re.compile(r"days|time|hours|minutes|months|weeks|years|duration", re.IGNORECASE)


def _alternatives(one: Quantity, other: Quantity, clause: Clause) -> bool:
    """ "129 or 99 dollars": two values that cannot both be."""
    first, second = sorted((one, other), key=lambda q: q.start)
    between = clause.text[first.end : second.start]
    joined = (
        re.fullmatch(r"\s*,?\s*(?:or|或者?|还是)\s*(?:maybe |perhaps )?\W*", between) is not None
    )
    return joined and not agrees(one, other)


def _hedged(clause: Clause) -> bool:
    return clause.language.hedge.search(clause.text) is not None


_SIZE: Final = r"(?:x*[sml]|small|medium|large|extra large|\d{2})"
_TWO_SIZES: Final = re.compile(
    rf"(?<![a-z0-9'])(?P<one>{_SIZE}),? or (?:maybe |even |perhaps |possibly )?(?:an? |the )?(?:size )?(?P<two>{_SIZE})(?![a-z0-9'])"
)


def _undecided(target: Target, clause: Clause) -> bool:
    """ "L or XL maybe": two sizes are no choice."""
    match = _TWO_SIZES.search(clause.text) if target.fact.path.startswith("size[") else None
    return match is not None and match["one"][0] != match["two"][0]


def _denied_from_outside(clause: Clause, start: int, end: int) -> bool:
    """Whether a negator reaches `start` that is no part of the wording itself."""
    return any(a <= start < b and not start < b < end for a, b in clause.reaches)


def stock_state(clause: Clause) -> str | None:
    """The availability that a clause asserts: in, out or preorder."""
    for state, pattern in clause.language.availability.items():
        match = pattern.search(clause.text)
        if match:
            flipped = _denied_from_outside(clause, *match.span())
            return {"out": "in", "in": "out"}.get(state, state) if flipped else state
    return None
