"""What a bare yes or no says of a fact that the question asked for."""

from __future__ import annotations

from typing import Final

from lt_bench.claims.language import stem_set
from lt_bench.claims.targets import Stance, Target

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
