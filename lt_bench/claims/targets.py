"""Gold facts made ready to be looked for in replies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal

from lt_bench.claims.dates import Date, scan_dates
from lt_bench.claims.evidence import SHARED, Evidence
from lt_bench.claims.fields import split_words
from lt_bench.claims.language import FUNCTION, stem_set
from lt_bench.claims.numbers import Quantity, scan
from lt_bench.claims.paths import unit_beside
from lt_bench.claims.phrases import Phrase, phrase
from lt_bench.claims.units import unit_named
from lt_bench.claims.variants import availability_of, variants_of
from lt_bench.claims.wording import fold, stems
from lt_bench.records import Fact

Stance = Literal["stated", "denied", "absent"]


@dataclass(frozen=True, eq=False)
class Target:
    """A fact made ready to be looked for; a number has its unit, where that is known.

    One of `flag`, `state`, `quantity`, `date` is set for yes-or-no, availability, number and day.
    `phrases` hold every wording, `words` the stems of them all; `keys` are the words of the label
    that the question used too. `rivals` name the other colours and sizes of a variant, `parts` all
    of them where the availability is of the whole product.
    """

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

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems that carry the meaning of its wordings."""
        return frozenset().union(*(wording.content for wording in self.phrases))


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
