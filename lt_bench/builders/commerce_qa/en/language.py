"""The English language as the generator sees it."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.en import climate, gadgets, kitchen, personal, wear, wording
from lt_bench.builders.commerce_qa.en.chatter import CHATTER
from lt_bench.builders.commerce_qa.en.phrases import PHRASES
from lt_bench.builders.commerce_qa.en.replies import REPLIES
from lt_bench.builders.commerce_qa.en.sheet import sheet
from lt_bench.builders.commerce_qa.en.thoughts import THOUGHTS
from lt_bench.builders.commerce_qa.language import Language

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
    phrases={**PHRASES, **CHATTER, **REPLIES, **THOUGHTS},
    quantity=wording.quantity,
    money=wording.money,
    day=wording.day,
    sheet=sheet,
    convert=wording.convert,
)
