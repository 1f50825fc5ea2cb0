"""Gold facts, and whether a reply states them, denies them or leaves them out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from lt_bench.claims.clauses import Clause
from lt_bench.claims.dates import Date, scan_dates
from lt_bench.claims.evidence import SHARED, Evidence, availability_of
from lt_bench.claims.numbers import Quantity, agrees
from lt_bench.claims.phrases import FUNCTION, Phrase, phrase, says
from lt_bench.claims.subjects import Subject
from lt_bench.claims.units import is_money, unit_named
from lt_bench.claims.wording import fold, stems
from lt_bench.records import Fact

Stance = Literal["stated", "denied", "absent"]


@dataclass(frozen=True)
class Target:
    """A fact made ready to be looked for. One of `flag`, `state`, `quantity`, `date` is set for
    yes-or-no, availability, number and day; `phrases` hold every wording."""

    fact: Fact
    product: int
    label: frozenset[str]
    phrases: tuple[Phrase, ...]
    flag: bool | None = None
    state: str | None = None
    quantity: Quantity | None = None
    date: Date | None = None


_NAMED: Final = re.compile(r"\[[^=\]]+=([^\]]*)\]")
_PLAIN: Final = frozenset({"value", "name", "offers", "additionalProperty", "text"})


def label_of(path: str) -> frozenset[str]:
    """The stems of what a path is about: its last selector that names a property, or its last
    telling key."""
    selected = _NAMED.findall(path)
    keys = [k for k in re.sub(r"\[[^\]]*\]", "", path).split(".") if k and k not in _PLAIN]
    if selected and "additionalProperty" in path:
        chosen = selected[-1]
    else:
        chosen = keys[-1] if keys else ""
    split = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", chosen)
    return frozenset(stems(fold(split))) - FUNCTION


def target_of(fact: Fact, evidence: Evidence) -> Target:
    """The fact as something to look for in replies."""
    product = evidence.product_of.get(fact.document, SHARED)
    label = label_of(fact.path)
    wordings = tuple(phrase(text) for text in fact.accept if text.strip())
    value = fact.value
    if isinstance(value, bool):
        named = (phrase(" ".join(sorted(label))),) if label and not wordings else ()
        return Target(fact, product, label, wordings or named, flag=value)
    if isinstance(value, int | float):
        number = Quantity(float(value), unit_named(fact.unit), 0, 0)
        return Target(fact, product, label, wordings, quantity=number)
    if ("availability" in fact.path.lower() or value.startswith("http")) and availability_of(value):
        return Target(fact, product, label, wordings, state=availability_of(value))
    wordings = (phrase(f"{value} {fact.unit}" if fact.unit else value), *wordings)
    days = scan_dates(fold(value))
    alone = len(days) == 1 and not fold(value).replace(fold(value)[days[0].start : days[0].end], "").strip()
    return Target(fact, product, label, wordings, date=days[0] if alone else None)


def stance(
    target: Target,
    clauses: tuple[Clause, ...],
    told: list[Subject],
    *,
    opener: bool | None = None,
) -> tuple[Stance, int | None]:
    """What the reply says of a fact, and in which clause. `opener`: the reply began with yes or
    with no. Said and denied at once is denied."""
    said: list[int] = []
    denied: list[int] = []
    for i, clause in enumerate(clauses):
        if not clause.asserts or not told[i].allows(target.product):
            continue
        following = clauses[i + 1] if i + 1 < len(clauses) and clauses[i + 1].sentence == clause.sentence else None
        answer = _clause_stance(target, clause, following)
        if answer is not None:
            (said if answer else denied).append(i)
    if target.flag is not None and opener is not None:
        (said if opener == target.flag else denied).append(0)
    if denied:
        return "denied", denied[0]
    return ("stated", said[0]) if said else ("absent", None)


def _clause_stance(target: Target, clause: Clause, following: Clause | None) -> bool | None:
    if target.quantity is not None and (number := _number(target, clause)) is not None:
        return number
    if target.date is not None:
        days = [d for d in scan_dates(clause.text) if d.agrees(target.date)]
        if days:
            return not clause.denied(days[0].start)
    if target.state is not None and (state := stock_state(clause)) is not None:
        return state == target.state
    answers = [says(clause, wording, following=following) for wording in target.phrases]
    if target.flag is not None and not any(answers):
        return False if False in answers else None
    if any(answers):
        return not _hedged(clause)
    # a value denied is not the contrary said: "it is not red" tells of no other colour
    return False if False in answers and target.flag is None else None


def _number(target: Target, clause: Clause) -> bool | None:
    assert target.quantity is not None
    matching = [q for q in clause.quantities if agrees(q, target.quantity) and _unit_told(target, q, clause)]
    if not matching:
        return None
    first = matching[0]
    if clause.denied(first.start):
        return False
    return not any(_alternatives(first, other, clause) for other in clause.quantities)


def _unit_told(target: Target, said: Quantity, clause: Clause) -> bool:
    """Whether a number without its unit still answers: prices, counts, and beside the name of
    the property."""
    known = target.quantity.unit if target.quantity else None
    if known is None:
        return said.unit is None or target.fact.unit is None
    return said.unit is not None or is_money(known) or bool(target.label & set(clause.stems))


def _alternatives(one: Quantity, other: Quantity, clause: Clause) -> bool:
    """"129 or 99 dollars": two values that cannot both be."""
    first, second = sorted((one, other), key=lambda q: q.start)
    between = clause.text[first.end : second.start]
    joined = re.fullmatch(r"\s*,?\s*(?:or|或者?|还是)\s*(?:maybe |perhaps )?\W*", between) is not None
    return joined and not agrees(one, other)


_OR: Final = re.compile(r"\b(?:either|may or may not|or not|yes and no)\b|或许是")


def _hedged(clause: Clause) -> bool:
    return _OR.search(clause.text) is not None


def stock_state(clause: Clause) -> str | None:
    """The availability that a clause asserts: in, out or preorder."""
    for state, pattern in clause.language.availability.items():
        match = pattern.search(clause.text)
        if match:
            flipped = clause.denied(match.start())
            return {"out": "in", "in": "out"}.get(state, state) if flipped else state
    return None
