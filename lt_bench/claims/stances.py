"""What the clauses of a reply say of a fact: that it is so, that it is not, or nothing."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.clauses import Clause
from lt_bench.claims.kept import Kept
from lt_bench.claims.language import Language
from lt_bench.claims.phrases import Phrase, says
from lt_bench.claims.stated_numbers import number_stated
from lt_bench.claims.stock import stock_state
from lt_bench.claims.subjects import Subject, slots_named
from lt_bench.claims.targets import Stance, Target

KeptStances = Kept[tuple[Target, str, Language, tuple[str, ...]], bool | None]
"""What a clause tells of a fact, by its words and those beside it."""


class Hearing:
    """What one reply says of facts. Each fact is looked for once, however often it is asked about."""

    def __init__(
        self,
        clauses: tuple[Clause, ...],
        told: tuple[Subject, ...],
        kept: KeptStances | None = None,
    ) -> None:
        self._clauses = clauses
        self._told = told
        self._kept: KeptStances = Kept() if kept is None else kept
        self._found: dict[Target, tuple[tuple[int, bool], ...]] = {}

    def stance(self, target: Target) -> Stance:
        """What the reply says of a fact in so many words. Said and denied at once is denied."""
        answers = [answer for _, answer in self._answers(target)]
        return "denied" if False in answers else "stated" if answers else "absent"

    def affirming(self, target: Target) -> list[int]:
        """The clauses that state a fact."""
        return [i for i, answer in self._answers(target) if answer]

    def _answers(self, target: Target) -> tuple[tuple[int, bool], ...]:
        found = self._found.get(target)
        if found is None:
            each = ((i, self._answer(target, i)) for i in range(len(self._clauses)))
            found = tuple((i, answer) for i, answer in each if answer is not None)
            self._found[target] = found
        return found

    def _answer(self, target: Target, i: int) -> bool | None:
        clause, subject = self._clauses[i], self._told[i]
        if not clause.asserts or not subject.allows(target.product):
            return None
        if target.fact.path == "name" and target.product in subject.named:
            return True
        touched = not target.words.isdisjoint(clause.heard)
        if not touched and not _may_tell(target, clause):
            return None
        beside = _beside(i, self._clauses) if touched else ()
        key = (target, clause.text, clause.language, tuple(other.text for other in beside))
        return self._kept.get(key, lambda: _clause_stance(target, clause, beside))


def _may_tell(target: Target, clause: Clause) -> bool:
    """Whether a clause without any word of the wordings could tell of the fact all the same."""
    return bool(
        clause.quantities
        or clause.dates
        or target.state is not None
        or not target.keys.isdisjoint(clause.heard)
        or any(wording.coded or wording.text in clause.text for wording in target.phrases)
    )


def _beside(i: int, clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """The clauses before and after one in its sentence."""
    near = (*clauses[max(0, i - 1) : i], *clauses[i + 1 : i + 2])
    return tuple(clause for clause in near if clause.sentence == clauses[i].sentence)


def _slot_stems(clause: Clause) -> frozenset[str]:
    return frozenset(str(number) for number, _ in slots_named(clause))


def _clause_stance(target: Target, clause: Clause, beside: tuple[Clause, ...]) -> bool | None:
    if target.quantity is not None and (number := number_stated(target, clause)) is not None:
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
