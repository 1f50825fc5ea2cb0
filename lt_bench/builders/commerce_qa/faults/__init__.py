"""Faults on purpose: from a row with its good reply, replies whose quality is known.

Each mutator makes one fault and says what it does to the two labels, which are independent: a
wrong value with a useful extra is not correct and still helpful, the bare answer is correct and
not helpful.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lt_bench.builders.commerce_qa.faults import another, invented, premise, silent, sound, wrong
from lt_bench.builders.commerce_qa.faults.mutant import Mutant, Mutator

GOOD: Final[Mapping[str, Mutator]] = MappingProxyType(
    {
        "reference": sound.reference,
        "reworded": sound.reworded,
        "unhelpful_but_correct": sound.unhelpful_but_correct,
    }
)
"""Name of a way to be correct -> what makes such replies."""

BAD: Final[Mapping[str, Mutator]] = MappingProxyType(
    {
        "wrong_value": wrong.wrong_value,
        "wrong_unit": wrong.wrong_unit,
        "wrong_product": another.wrong_product,
        "invented_attribute": invented.invented_attribute,
        "unsupported_alternative": invented.unsupported_alternative,
        "missed_wrong_premise": premise.missed_wrong_premise,
        "needless_guess": invented.needless_guess,
        "evasive": silent.evasive,
        "off_topic": silent.off_topic,
        "needless_refusal": silent.needless_refusal,
    }
)
"""Name of a fault -> what makes replies with it, none of them correct."""

FAULTS: Final[Mapping[str, Mutator]] = MappingProxyType({**GOOD, **BAD})

__all__ = ["BAD", "FAULTS", "GOOD", "Mutant", "Mutator"]
