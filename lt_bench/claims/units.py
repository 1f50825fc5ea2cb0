"""Units of measure: their names in text and in product data, and how they convert."""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Unit(NamedTuple):
    """`value * factor` is the value in the base unit of the dimension (g, mm, ml, s, ...).

    Each currency is a dimension of its own: money is never converted. Business days are no
    days, and months no weeks.
    """

    name: str
    dimension: str
    factor: float = 1.0


# canonical name, dimension, factor, further names and UN/CEFACT codes
_TABLE: Final[tuple[tuple[str, str, float, str], ...]] = (
    ("mg", "mass", 0.001, "milligram,milligrams,mgm,毫克"),
    ("g", "mass", 1.0, "gram,grams,gr,grm,gm,gms,克"),
    ("kg", "mass", 1000.0, "kilo,kilos,kgs,kilogram,kilograms,kgm,公斤,千克"),
    ("jin", "mass", 500.0, "斤,市斤"),
    ("liang", "mass", 50.0, "两"),
    ("oz", "mass", 28.349523, "ounce,ounces,onz,盎司"),
    ("lb", "mass", 453.59237, "lbs,lbr,磅"),
    ("pound", "mass", 453.59237, "pounds"),
    ("mm", "length", 1.0, "millimeter,millimeters,millimetre,millimetres,mmt,毫米"),
    ("cm", "length", 10.0, "centimeter,centimeters,centimetre,centimetres,cms,cmt,厘米,公分"),
    ("m", "length", 1000.0, "meter,meters,metre,metres,mtr,米"),
    ("km", "length", 1e6, "kilometer,kilometers,kilometre,kilometres,kmt,公里,千米"),
    ("in", "length", 25.4, "inch,inches,inh,英寸,寸,吋"),
    ("ft", "length", 304.8, "foot,feet,fot,英尺"),
    ("chi", "length", 333.333333, "尺"),
    ("yd", "length", 914.4, "yard,yards,yrd"),
    ("mi", "length", 1609344.0, "mile,miles,smi,英里"),
    ("ml", "volume", 1.0, "milliliter,milliliters,millilitre,millilitres,mlt,cc,毫升"),
    ("cl", "volume", 10.0, "centiliter,centiliters,centilitre,clt"),
    ("l", "volume", 1000.0, "liter,liters,litre,litres,ltr,升,公升"),
    ("fl oz", "volume", 29.57353, "fluid ounce,fluid ounces,fl. oz,floz,oza"),
    ("cup", "volume", 236.588, "cups"),
    ("qt", "volume", 946.353, "quart,quarts,qti"),
    ("gal", "volume", 3785.41, "gallon,gallons,gll,加仑"),
    ("s", "time", 1.0, "sec,secs,second,seconds,秒"),
    ("min", "time", 60.0, "mins,minute,minutes,分钟"),
    ("quarter", "time", 900.0, "刻钟"),
    ("h", "time", 3600.0, "hr,hrs,hour,hours,hur,小时,钟头,个钟"),
    ("day", "time", 86400.0, "days,天,日"),
    ("business day", "business time", 1.0, "business days,working day,working days,工作日"),
    ("fortnight", "time", 1209600.0, "fortnights"),
    ("week", "time", 604800.0, "weeks,wk,wks,周,星期,礼拜"),
    ("month", "months", 1.0, "months,mon,个月,月"),
    ("year", "months", 12.0, "years,yr,yrs,ann,年"),
    ("w", "power", 1.0, "watt,watts,wtt,瓦"),
    ("kw", "power", 1000.0, "kilowatt,kilowatts,kwt,千瓦"),
    ("hp", "power", 745.7, "horsepower"),
    ("匹", "cooling", 1.0, ""),
    ("wh", "energy", 1.0, "watt hour,watt hours,watt-hour,watt-hours,whr,瓦时"),
    ("kwh", "energy", 1000.0, "kilowatt hour,kilowatt hours,kilowatt-hours,千瓦时,度电"),
    ("v", "voltage", 1.0, "volt,volts,vlt,伏"),
    ("a", "current", 1.0, "amp,amps,ampere,amperes,安"),
    ("mah", "charge", 1.0, "milliamp hours,milliamp-hours,毫安时,毫安"),
    ("ah", "charge", 1000.0, "amp hours,amp-hours,安时"),
    ("hz", "frequency", 1.0, "hertz,htz,赫兹,赫"),
    ("khz", "frequency", 1e3, "kilohertz"),
    ("mhz", "frequency", 1e6, "megahertz"),
    ("ghz", "frequency", 1e9, "gigahertz"),
    ("db", "loudness", 1.0, "decibel,decibels,dba,db(a),分贝"),
    ("mb", "data", 1e6, "megabyte,megabytes"),
    ("gb", "data", 1e9, "gigabyte,gigabytes"),
    ("tb", "data", 1e12, "terabyte,terabytes"),
    ("c", "temperature", 1.0, "°c,degrees c,degrees celsius,degree celsius,celsius,cel,摄氏度,℃"),
    ("f", "temperature f", 1.0, "°f,degrees f,degrees fahrenheit,fahrenheit,华氏度,℉"),
    ("degree", "angle", 1.0, "degrees,°,度"),
    ("btu", "heat", 1.0, "btus"),
    ("lm", "light", 1.0, "lumen,lumens,流明"),
    ("rpm", "speed", 1.0, "revolutions per minute,转"),
    ("mph", "velocity", 1.609344, "miles per hour"),
    ("km/h", "velocity", 1.0, "kph,kmh"),
    ("psi", "pressure", 1.0, ""),
    ("pa", "suction", 1.0, "pascal,pascals,帕"),
    ("kpa", "suction", 1000.0, "千帕"),
    ("bar", "bar", 1.0, "bars"),
    ("mp", "pixels", 1.0, "megapixel,megapixels"),
    ("pixel", "pixels", 1e-6, "像素"),
    ("m2", "area", 1.0, "sqm,m²,square meter,square meters,square metre,square metres,sq m,mtk,平方米,平米,平方,平,㎡"),
    ("sq ft", "area", 0.09290304, "square foot,square feet,sqft,sq. ft,ft²,ftk,平方英尺,平方尺"),
    ("%", "share", 1.0, "percent,per cent,pct,p1"),
    ("star", "rating", 1.0, "stars,星,颗星,分"),
    ("tog", "warmth", 1.0, "togs"),
    ("gsm", "density", 1.0, "g/m2,g/m²"),
    ("kcal", "food energy", 1.0, "calories,kilocalories,千卡,大卡"),
    ("carat", "carat", 1.0, "carats,克拉"),
    ("usd", "usd", 1.0, "$,us$,us $,dollar,dollars,buck,bucks,美元,美金"),
    ("cent", "usd", 0.01, "cents,¢"),
    ("eur", "eur", 1.0, "€,euro,euros,欧元"),
    ("gbp", "gbp", 1.0, "£,quid,英镑"),
    ("cny", "cny", 1.0, "¥,yuan,rmb,kuai,元,圆,块,块钱,元钱,人民币,大洋"),
    ("jiao", "cny", 0.1, "毛,角,毛钱"),
    ("fen", "cny", 0.01, "分钱"),
    ("jpy", "jpy", 1.0, "yen,日元"),
    ("cad", "cad", 1.0, "c$,ca$"),
    ("aud", "aud", 1.0, "a$,au$"),
    ("inr", "inr", 1.0, "₹,rupee,rupees"),
    ("krw", "krw", 1.0, "₩,won"),
)  # fmt: skip
CURRENCIES: Final = frozenset({"usd", "eur", "gbp", "cny", "jpy", "cad", "aud", "inr", "krw"})

UNITS: Final[dict[str, Unit]] = {
    spelled: Unit(name, dimension, factor)
    for name, dimension, factor, further in _TABLE
    for spelled in (name, *filter(None, further.split(",")))
}
_AMBIGUOUS: Final = frozenset(
    {"a", "c", "f", "in", "mon", "cups", "cup", "bar", "bars", "won", "ann"}
)
"""Names too short or common to be units in running text; `_SPACED` says when they still are."""


def unit_named(name: str | None) -> Unit | None:
    """The unit behind a name, symbol or code, in any case: "KGM", "lbs", "°C", "$"."""
    return UNITS.get(name.strip().lower()) if name else None


def is_money(unit: Unit | None) -> bool:
    """Whether it is a currency."""
    return unit is not None and unit.dimension in CURRENCIES


def alike(one: Unit, other: Unit) -> bool:
    """Whether both measure the same; a plain degree may be one of heat."""
    return one.dimension == other.dimension or other.dimension in KIN.get(one.dimension, ())


_CALENDAR: Final = frozenset({"time", "months"})
KIN: Final = {
    "angle": ("temperature", "temperature f"),
    "temperature": ("angle",),
    "temperature f": ("angle",),
    "time": ("months",),
    "months": ("time",),
}
"""The other dimensions in which people may tell what is of one."""
MONTH: Final = 30 * 86400.0
"""Seconds of a month as people count it."""


def of_calendar(one: Unit | None, other: Unit | None) -> bool:
    """Whether one counts in months and the other in days or shorter."""
    return one is not None and other is not None and {one.dimension, other.dimension} == _CALENDAR


def _alternatives(spellings: list[str]) -> str:
    return "|".join(re.escape(s) for s in sorted(spellings, key=len, reverse=True))


_LATIN = [s for s in UNITS if s[0].isascii() and s[0].isalpha() and s not in _AMBIGUOUS]
_HAN = [s for s in UNITS if s[0] >= "\u3400"]
_SIGNS = [s for s in UNITS if s[0] < "\u3400" and not (s[0].isascii() and s[0].isalpha())]
AFTER: Final = (
    rf"(?:[ -]?(?:{_alternatives(_LATIN)}|(?<=\d)(?:in|a|c|f|bars?)|(?<= )in(?=[.,;)]|$| (?:long|wide|tall|high|deep)))"
    rf"(?![a-z0-9])|[ ]?(?:{_alternatives(_SIGNS)}|\"))"
)
"""Pattern of a unit right behind a number, in folded text."""
BEFORE: Final = r"(?:us ?\$|ca?\$|au?\$|[$€£¥₹₩]|(?:usd|eur|gbp|cny|rmb|cad|aud|inr) ?)"
"""Pattern of a currency right in front of a number, in folded text."""

_NO_UNIT: Final = {
    "米": "色白粉其饭线家兰就带拿到包", "天": "猫气然生线花空鹅使才", "年": "轻货会终纪代级糕前底初",
    "周": "年边末", "度": "数假过电", "寸": "步", "块": "电屏布板砖儿状表", "元": "素旦气宝件老",
    "升": "级温降值学旗", "安": "全装心静排卓慰利稳", "瓦": "片楞斯", "帕": "子", "克": "服隆罗力莱",
"毛": "病巾衣绒毯呢孩孔线躁发", "角": "落度色", "星": "期空球座级",
    "秒": "杀充热变懂回", "伏": "天", "匹": "配", "磅": "礴", "平": "时均常台板稳静整",
    "日": "常用系本式后期", "转": "换动让", "尺": "寸码", "月": "",
    "两": "个款种件条天年双三百千万用边只台支瓶盒者全周人位次色样倍",
}  # fmt: skip
"""Characters behind which a unit of one character is the beginning of another word."""
_ONLY: Final = {
    "分": r"(?=$|\W|左右|以上|满分|的|呢|哦|啊|高)",
    "月": r"(?<=[个多半]月)",
    "圆": r"(?=$|\W)",
}
HAN_UNIT: Final = "|".join(
    re.escape(s) + _ONLY.get(s, "") + (f"(?![{_NO_UNIT[s]}])" if _NO_UNIT.get(s) else "")
    for s in sorted(_HAN, key=len, reverse=True)
)
"""Pattern of a Chinese unit, in folded text."""
