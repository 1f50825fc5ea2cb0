"""Which clauses of a reply say yes, and which say no."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.cases import Case
from lt_bench.claims.clauses import Clause
from lt_bench.claims.language import FUNCTION
from lt_bench.claims.subjects import Subject
from lt_bench.claims.wording import stems


def answer_of(clause: Clause, subject: Subject, case: Case) -> bool | None:
    """True for a clause that says yes, False for one that says no, None for neither."""
    if clause.kind not in ("statement", "abstention"):
        return None
    elsewhere = bool(subject.products) and subject.products.isdisjoint(case.scope.asked)
    key = (clause.text, clause.kind, elsewhere)
    return case.answers.get(key, lambda: _found(clause, case, elsewhere=elsewhere))


def _found(clause: Clause, case: Case, *, elsewhere: bool) -> bool | None:
    text = _without_vocative(clause.text, case)
    if clause.language.no.search(text):
        return False
    if clause.language.yes.search(text):
        return True
    return None if elsewhere else _echo(clause, case)


_VOCATIVE: Final = re.compile(
    r"(?<=[a-z]),? (?:(?:my |you )?(?:mate|matey|love|lovely|dear|hon|honey|hun|babe|darling|sweetie|friends?|folks|"
    r"guys|buddy|pal|bro|sis|fam|everyone|all|lot|team|chat))(?=\W*$)"
)


def _without_vocative(text: str, case: Case) -> str:
    """A short clause without the name of whom it speaks to: "no Ines", "nope mate"."""
    name = case.question.viewer
    if len(name) > 1 and name in text:
        text = re.sub(rf"(?<=[a-z]),? {name}\d*(?=\W*$)", "", text)
    return _VOCATIVE.sub("", text)


def _echo(clause: Clause, case: Case) -> bool | None:
    """The answer of a clause that repeats the question's own words and adds none: "does the hood
    come off?" - "it doesn't come off"."""
    if len(case.required) > 1 or case.question.negated:
        return None
    plain = clause.language.negator.sub(" ", clause.text)
    content = {s for s in stems(plain) if not s.isdigit()} - FUNCTION - case.names
    short = 0 < len(content) <= _MAX_ECHO and not clause.quantities
    if (
        not case.question.polar
        or not short
        or not content <= case.question.polar_heard
        or not clause.asserts
    ):
        return None
    if not clause.language.echo.search(clause.text):
        return None
    pairs = zip(clause.stems, clause.places, strict=True)
    return not any(clause.denied(place) for stem, place in pairs if stem in content)


_MAX_ECHO: Final = 4
