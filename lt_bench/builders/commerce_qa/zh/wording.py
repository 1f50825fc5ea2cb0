"""How Chinese writes sentences and says quantities, money and days."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.builders.commerce_qa.schema import Value

DIGITS: Final = "零一二三四五六七八九"
SAME_AMOUNT: Final = {
    "㎡": "平", "L": "升", "ml": "毫升", "W": "瓦", "米": "米", "英寸": "寸",
}  # fmt: skip
"""Units of a sheet that viewers call by another name."""

_ASKS: Final = re.compile(r"[吗么不没呢谁啥咋哪几多什怎还]")
_SUBJECT: Final = re.compile(r"^\{it\}(?![的是用充里卖一\d早晚最])")
_ENDS: Final = "。！？!?…~"
_STRAY: Final = re.compile(r" +(?=[ ，：、。？])")
_DOUBLE: Final = re.compile(r"[，：、]+(?=[，。：！？])")


def question(text: str) -> str:
    """With the mark that a careful writer puts last, and no space before a mark."""
    text = _STRAY.sub("", text)
    return text if text[-1:] in _ENDS else f"{text}？"


def complete(short: str, plain: str) -> str:
    """ "几斤" -> "{it}几斤"; a mere label ("价格") is no question and takes the plainest one."""
    if "{it}" in short:
        return short
    return f"{{it}}{short}" if _ASKS.search(short) else plain


def shortened(clause: str) -> str:
    """ "{it}还有现货" -> "还有现货", but "{it}是预售的" as it is."""
    return _SUBJECT.sub("", clause)


def chained(clauses: list[str]) -> str:
    """ "{it}能拖地，续航120分钟": what it is about is said once."""
    first, *rest = clauses
    return "，".join((first, *(clause.removeprefix("{it}") for clause in rest)))


def sentences(text: str) -> str:
    """One mark where two have met."""
    return _DOUBLE.sub("", text)


def variant(color: str, size: str) -> str:
    """ "黑色", "M" -> "黑色M码"."""
    return f"{color}{size}码" if size else color


def spelled(number: int) -> str:
    """42 -> "四十二"; below 100."""
    tens, ones = divmod(number, 10)
    if not tens:
        return DIGITS[ones]
    return ("" if tens == 1 else DIGITS[tens]) + "十" + (DIGITS[ones] if ones else "")


def quantity(value: Value, unit: str) -> str:
    """30, "小时" -> "30小时"; 1.6, "kg" -> "1.6kg"; 20000, "mAh" -> "20000mAh"."""
    if isinstance(value, bool):
        return "是" if value else "否"
    if isinstance(value, str):
        return value
    return f"{_digits(value)}{unit}"


def money(amount: float, _: str) -> str:
    """All prices are in yuan: 1299.0 -> "1299元", 89.9 -> "89.9元"."""
    return f"{_digits(round(amount, 2))}元"


def day(date: str) -> str:
    """ "2026-03-31" -> "3月31日"."""
    _, month, number = date.split("-")
    return f"{int(month)}月{int(number)}日"


def discount(percent: int) -> str:
    """15 % off -> "8.5折"."""
    return f"{_digits((100 - percent) / 10)}折"


def convert(value: float, unit: str) -> str | None:
    """The same amount as viewers say it, in a unit that is not on the sheet; None where there
    is none: 168 cm -> "一米六八", 55 kg -> "110斤", 25 ㎡ -> "25平"."""
    if unit == "cm":
        return _length(value)
    if unit == "mm":
        return f"{_digits(value / 10)}厘米"
    if unit == "kg":
        return f"{_digits(value * 2)}斤"
    if unit in ("g", "克"):
        return _small_weight(value)
    if unit == "mAh" and value % 1000 == 0:
        return f"{_digits(value / 10_000)}万毫安"
    if unit == "℃":
        return f"零下{_digits(-value)}度" if value < 0 else f"{_digits(value)}度"
    if unit == "分钟" and value % 60 == 0:
        return f"{_digits(value / 60)}个小时"
    if unit == "个月" and value % 12 == 0:
        return f"{_digits(value / 12)}年"
    other = SAME_AMOUNT.get(unit, unit)
    return f"{_digits(value)}{other}" if other != unit else None


def _length(cm: float) -> str:
    """Heights in 米, what goes around a body in 尺 and 寸 (rounded), and the rest in 公分."""
    if cm >= 140:
        metres, rest = divmod(round(cm), 100)
        tens, ones = divmod(rest, 10)
        tail = DIGITS[tens] + (DIGITS[ones] if ones else "")
        return f"{'两' if metres == 2 else DIGITS[metres]}米{tail if rest else ''}"
    if cm >= 50:
        feet, inches = divmod(round(cm * 0.3), 10)
        return f"{feet}尺{inches}" if inches else f"{feet}尺"
    return f"{_digits(cm)}公分"


def _small_weight(grams: float) -> str | None:
    if grams % 250 == 0:
        return f"{_digits(grams / 500)}斤"
    return f"{_digits(grams / 50)}两" if grams % 50 == 0 else None


def _digits(value: float) -> str:
    """Without an exponent and without zeros behind the point."""
    text = f"{value:.2f}"
    return text.rstrip("0").rstrip(".")
