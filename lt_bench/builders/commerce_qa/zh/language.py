"""The Chinese language as the generator sees it."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.language import Language, Region
from lt_bench.builders.commerce_qa.zh import (
    climate,
    gadgets,
    kitchen,
    personal,
    slips,
    wear,
    wording,
)
from lt_bench.builders.commerce_qa.zh.brands import BRANDS
from lt_bench.builders.commerce_qa.zh.chatter import CHATTER
from lt_bench.builders.commerce_qa.zh.faults import FAULTS
from lt_bench.builders.commerce_qa.zh.phrases import PHRASES
from lt_bench.builders.commerce_qa.zh.replies import REPLIES
from lt_bench.builders.commerce_qa.zh.sheet import sheet
from lt_bench.builders.commerce_qa.zh.thoughts import THOUGHTS
from lt_bench.builders.commerce_qa.zh.traditional import traditional

_HOMES = (
    ("江浙沪", "广东", "福建"),
    ("江浙沪", "北京", "山东", "河南"),
    ("广东", "广西", "湖南", "湖北"),
    ("四川", "重庆", "云南", "贵州"),
    ("北京", "天津", "河北", "东北"),
    ("江浙沪", "安徽", "江西"),
    ("陕西", "河南", "湖北", "四川"),
)
_FAR = ("新疆", "西藏", "内蒙古", "青海", "海南", "香港", "澳门")

CHINESE = Language(
    code="zh",
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
    regions=(Region("CNY", 1.0, _HOMES, _FAR),),
    brands=BRANDS,
    gap="",
    either="还是",
    complete=wording.complete,
    shortened=wording.shortened,
    chained=wording.chained,
    question=wording.question,
    sentences=wording.sentences,
    slips=slips.SLIPS,
    careless=slips.careless,
    script=traditional,
    variant=wording.variant,
    spelled=wording.spelled,
    quantity=wording.quantity,
    money=wording.money,
    day=wording.day,
    discount=wording.discount,
    sheet=sheet,
    convert=wording.convert,
)
