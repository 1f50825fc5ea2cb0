"""Quantities in the ways of Chinese: numerals, 万 and 折, 一米六八, 两斤半, 三百多块, 两三天."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims import numerals
from lt_bench.claims.bounds import bound_of
from lt_bench.claims.quantities import Quantity, signed
from lt_bench.claims.units import AFTER, HAN_UNIT, UNITS, Unit, unit_named

_DIGITS: Final = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_ONE_TO_NINE: Final = "一二两三四五六七八九"
_COUNTERS: Final = "码个件款双条台支瓶盒袋包套张片颗粒根把位只部枚顶杯箱种人次档挡层口键样色"
HAN_MASK: Final = re.compile(
    rf"(?:19|20)\d\d ?年|第 ?(?:\d+|[{_ONE_TO_NINE}十]+)|(?:\d{{1,3}}|[{_ONE_TO_NINE}十]{{1,4}}) ?号(?!电池)(?:链接|商品|款|宝贝)?"
    rf"|(?:链接|编号) ?(?:\d{{1,3}}|[{_ONE_TO_NINE}十]{{1,4}})|(?<![\d{_ONE_TO_NINE}个每半])(?:星期|周|礼拜)[一二三四五六日天](?![次回遍趟])"
    rf"|(?:早上|上午|中午|下午|晚上|今晚|明早|明晚|凌晨|今天|明天)(?:\d{{1,2}}|[{_ONE_TO_NINE}十]{{1,3}})点(?:半|钟|\d{{1,2}}分?)?"
    rf"|(?:\d{{1,2}}|[{_ONE_TO_NINE}十]{{1,3}})点(?:半|钟|整)|一年四季|一分钱(?:一分货)?|一天(?=只|才|也|就|下|到晚|不)|百分百|双十一|一心一意|万一|三七分"
)
"""Text in which digits and numerals are no quantities: slots, years, weekdays, hours, idioms."""

_SHAPE: Final = re.compile(
    rf"百分之(?P<share>{_DIGITS}|{numerals.CHINESE})"
    rf"|(?<![\d.{_ONE_TO_NINE}])(?P<fold>\d(?:\.\d)?|\d\d|[{_ONE_TO_NINE}]{{1,2}})折(?![叠扣线痕断页])"
    rf"|(?P<tenths>[{_ONE_TO_NINE}])成(?P<and_half>半)?(?![分都立功为本品色员熟交长套])"
    r"|(?P<half_price>半价|对折)"
    rf"|(?<!一)(?P<half>半) ?个?(?P<half_unit>(?!天){HAN_UNIT})"
    rf"|(?:(?<![a-z0-9.])(?P<digits>{_DIGITS})(?P<scale>[万千百]|w(?=毫安|mah|块|元))?"
    rf"|(?P<vague>几[十百千万])|(?P<han>{numerals.CHINESE}))(?P<more>好几|[多来余几](?!功能|种|样|款|久|少))?"
    rf"(?P<ge> ?个(?P<and_a_half>半)?(?P<odd>多)?)?(?: ?(?P<unit>{HAN_UNIT})(?:(?P<tail>半|\d{{1,2}}|[一二三四五六七八九]{{1,2}})"
    rf"(?=包邮|[{_ONE_TO_NINE}]百|(?![\d.{_ONE_TO_NINE}十百千万{_COUNTERS}年月天小元块折号厘公斤两克毫分角毛~至到-]| ?[a-z%])))?(?P<past>(?<=[块元斤米克升])多(?![少大久几]))?|(?P<latin>{AFTER})|(?P<counter>[{_COUNTERS}]))?"
)
_TAILED: Final = frozenset(
    ["米", "块", "毛", "斤", "公斤", "尺", "升", "克", "千克", "公分", "厘米", "两", "寸"]
)
_TO: Final = re.compile(rf"\s*(?:到|至|-|~|–|或)\s*(?:\d|[{_ONE_TO_NINE}十])")
_LEADING: Final = frozenset("一二两三四五六七八九十零〇俩仨")
MAX_CHARS: Final = 15
_AN_HOUR: Final = re.compile(r"(?:小时|钟头|个钟)[零又]?$")
_SINGLE: Final = frozenset("零〇一二三四五六七八九")
_SCALED: Final = frozenset("百千万")
_FOLD_ODD: Final = re.compile(r"出头|多(?!少)|开外")
_HALF_FOLD: Final = 5.0
"""九折出头 is up to half a tenth more to pay, and so less off."""


def scan_chinese(masked: str) -> list[Quantity]:
    """The quantities of a folded text that only Chinese writes so, in order; plain digits with
    or without a Latin unit are left to others."""
    return [found for match in _SHAPE.finditer(masked) if (found := _quantity(match, masked))]


def _quantity(match: re.Match[str], text: str) -> Quantity | None:
    if share := _share(match):
        value, decimals = share
        if match["fold"] and _FOLD_ODD.match(text, match.end()):
            return _made(
                match, text, value - _HALF_FOLD, decimals, unit_named("%"), "between", value
            )
        return _made(match, text, value, decimals, unit_named("%"))
    if match["half"]:
        return _made(match, text, 0.5, 1, unit_named(match["half_unit"]))
    if match["vague"]:
        scale = numerals.chinese("一" + match["vague"][1])[0]
        low, high = 2 * scale, 10 * scale - 1
        return _made(match, text, low, 0, _unit(match), "between", high)
    return _from_digits(match, text) if match["digits"] else _from_numerals(match, text)


def _made(
    match: re.Match[str],
    text: str,
    value: float,
    decimals: int,
    unit: Unit | None,
    bound: str = "",
    high: float = 0.0,
    *,
    loose: bool = False,
) -> Quantity:
    start, end = match.span()
    bound = bound or bound_of(text, start, end)
    value = signed(value, unit, text[:start])
    return Quantity(value, unit, start, end, 10.0**-decimals, bound, loose, high)


def _share(match: re.Match[str]) -> tuple[float, int] | None:
    """The percentage of 百分之二十, 八成, 八五折 (15 % off) and 半价."""
    if match["share"]:
        return _number(match["share"])
    if match["tenths"]:
        return numerals.chinese(match["tenths"])[0] * 10 + 5 * bool(match["and_half"]), 0
    if match["half_price"]:
        return 50.0, 0
    if not match["fold"]:
        return None
    value = _number(match["fold"])[0]
    tenths = value / 10 if value >= 10 and "." not in match["fold"] else value
    return round(100 - 10 * tenths, 6), 0


def _number(text: str) -> tuple[float, int]:
    if text[0].isdigit():
        text = text.replace(",", "")[:MAX_CHARS]
        return float(text), len(text.partition(".")[2])
    return numerals.chinese(text)


def _unit(match: re.Match[str]) -> Unit | None:
    if match["unit"] == "分" and _AN_HOUR.search(match.string, 0, match.start()):
        return UNITS["分钟"]
    return unit_named(match["unit"] or (match["latin"] or "").strip(" -"))


def _from_digits(match: re.Match[str], text: str) -> Quantity | None:
    if len(match["digits"]) > MAX_CHARS or not (
        match["unit"] or match["scale"] or match["more"] or match["odd"]
    ):
        return None
    value, decimals = _number(match["digits"])
    if match["scale"]:
        factor = {"百": 100, "千": 1000}.get(match["scale"], 10_000)
        value, decimals = value * factor, decimals - len(str(factor)) + 1
    return _finished(match, text, value, decimals)


def _from_numerals(match: re.Match[str], text: str) -> Quantity | None:
    number = match["han"]
    if number[0] not in _LEADING or (
        number == "一" and match["unit"] == "块" and not match["tail"]
    ):
        return None
    if ends := numerals.span(number):
        known = match["unit"] or match["counter"] or match["latin"] or match["ge"]
        if not (known or number[-1] in _SCALED):
            return None
        return _made(match, text, ends[0], 0, _unit(match), "between", ends[1])
    if len(number) > 1 and number[-1] == "两" and not _unit(match) and not match["counter"]:
        return _made(match, text, *numerals.chinese(number[:-1]), UNITS["两"])
    value, decimals = numerals.chinese(number)
    ranged = _TO.match(text, match.end()) is not None
    known = (
        match["unit"]
        or match["latin"]
        or match["counter"]
        or match["ge"]
        or ranged
        or number in "俩仨"
        or _dictated(number)
    )
    if not known and not numerals.is_compound(number):
        return None
    return _finished(match, text, value, decimals)


def _dictated(number: str) -> bool:
    """Whether a numeral is digits one by one, and none of "一二三" and its like."""
    return len(number) > 2 and set(number) <= _SINGLE and number not in "一二三四五六七八九"


def _finished(match: re.Match[str], text: str, value: float, decimals: int) -> Quantity:
    """With what stands behind the number: 多, 个半, a unit, and a tail as in 一米六八."""
    unit = _unit(match)
    low = value
    if match["and_a_half"] or match["tail"] == "半":
        value, decimals = value + 0.5, max(decimals, 1)
    elif match["tail"] and match["unit"] in _TAILED:
        tail = match["tail"]
        digits = tail if tail.isdigit() else f"{int(_tail(tail)):0{len(tail)}d}"
        value, decimals = (
            float(f"{value:g}.{digits}") if value == int(value) else value,
            len(digits),
        )
    if match["odd"] or match["past"]:
        return _made(match, text, low, 0, unit, "between", low + 1)
    if match["more"] and not match["and_a_half"]:
        step = 10.0 ** max(0, len(f"{int(low)}") - len(f"{int(low)}".rstrip("0") or "0"))
        if match["more"] == "来":
            return _made(match, text, value, decimals, unit, "about")
        return _made(match, text, low, 0, unit, "between", low + max(step, 1.0))
    loose = match["han"] is not None and unit is None and value <= 10
    return _made(match, text, value, decimals, unit, loose=loose)


def _tail(numeral: str) -> float:
    return numerals.chinese(numeral)[0]
