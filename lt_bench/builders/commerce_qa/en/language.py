"""The English language as the generator sees it."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.en import (
    climate,
    gadgets,
    kitchen,
    personal,
    slips,
    wear,
    wording,
)
from lt_bench.builders.commerce_qa.en.brands import BRANDS
from lt_bench.builders.commerce_qa.en.chatter import CHATTER
from lt_bench.builders.commerce_qa.en.faults import FAULTS
from lt_bench.builders.commerce_qa.en.phrases import PHRASES
from lt_bench.builders.commerce_qa.en.replies import REPLIES
from lt_bench.builders.commerce_qa.en.sheet import sheet
from lt_bench.builders.commerce_qa.en.thoughts import THOUGHTS
from lt_bench.builders.commerce_qa.language import Language, Region

_AMERICA = ("Canada", "Mexico", "Puerto Rico")
_EUROPE = ("Austria", "Belgium", "Portugal", "the Netherlands")
_BRITAIN = ("Ireland", "Jersey", "Malta")

ENGLISH = Language(
    code="en",
    categories=(
        climate.AIR_CONDITIONER,
        climate.HEATER,
        climate.ROBOT_VACUUM,
        kitchen.AIR_FRYER,
        kitchen.COFFEE_MACHINE,
        kitchen.NUT_BOX,
        gadgets.EARBUDS,
        gadgets.POWER_BANK,
        gadgets.OFFICE_CHAIR,
        wear.JACKET,
        wear.SHOES,
        wear.LEGGINGS,
        personal.SERUM,
        personal.BACKPACK,
    ),
    phrases={**PHRASES, **CHATTER, **REPLIES, **THOUGHTS, **FAULTS},
    regions=(
        Region("USD", 0.60, (("the United States",),), _AMERICA),
        Region("EUR", 0.25, (("Germany",), ("France",), ("Spain",), ("Italy",)), _EUROPE),
        Region("GBP", 0.15, (("the United Kingdom",),), _BRITAIN),
    ),
    brands=BRANDS,
    gap=" ",
    either=" or ",
    complete=wording.complete,
    shortened=wording.shortened,
    chained=wording.chained,
    question=wording.question,
    sentences=wording.sentences,
    slips=slips.SLIPS,
    careless=slips.careless,
    script=None,
    variant=wording.variant,
    spelled=wording.spelled,
    quantity=wording.quantity,
    money=wording.money,
    day=wording.day,
    discount=wording.discount,
    sheet=sheet,
    convert=wording.convert,
)
