"""Spelled-out numbers, English and Chinese."""

from __future__ import annotations

import re
from typing import Final

_SMALL: Final = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_TENS: Final = {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2
    )
}
_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_WORDS: Final = "|".join(sorted({**_SMALL, **_TENS, **_SCALES}, key=len, reverse=True))
_DIGITS: Final = "|".join(list(_SMALL)[:10]) + "|oh"
ENGLISH: Final = (
    rf"(?:(?:an? )(?=hundred|thousand|million)|)(?:{_WORDS})(?:(?:[ -]| and )(?:{_WORDS})){{0,12}}\b"
    rf"(?: point(?: (?:{_DIGITS})){{1,8}}\b)?(?: and a half\b)?"
    r"|half an? |a dozen\b|half a dozen\b"
)
"""Pattern of a number in English words, in folded text."""

_HAN: Final = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_HAN_SCALES: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_HAN_DIGITS: Final = "零〇一二两三四五六七八九"
CHINESE: Final = rf"[{_HAN_DIGITS}十百千万亿]{{1,16}}(?:点[{_HAN_DIGITS}]{{1,8}})?"
"""Pattern of a number in Chinese numerals."""
_COMPOUND: Final = re.compile(r"(?:[一二两三四五六七八九]+[十百千万亿]|十[一二三四五六七八九]).*")


def english(text: str) -> tuple[float, int]:
    """Value and number of decimals of a match of `ENGLISH`."""
    text = text.strip()
    fixed = {"half a": 0.5, "half an": 0.5, "a dozen": 12.0, "half a dozen": 6.0}
    if text in fixed:
        return fixed[text], 0
    half = 0.5 if text.endswith(" and a half") else 0.0
    whole, _, decimals = text.removesuffix(" and a half").partition(" point ")
    digits = "".join(str(_SMALL.get(word, 0)) for word in decimals.split())
    value = _english_whole(re.split(r"[ -]", whole)) + half
    return (float(f"{int(value)}.{digits}"), len(digits)) if digits else (value, 1 if half else 0)


def _english_whole(parts: list[str]) -> float:
    """The usual reading, and the spoken price: "one twenty nine" is 129, "twenty ten" is 2010."""
    total, current, spoken = 0, 0, False
    for part in parts:
        if part in _SCALES and part != "hundred":
            total, current = total + max(current, 1) * _SCALES[part], 0
        elif part == "hundred":
            current = max(current, 1) * 100
            spoken = True
        elif part in _TENS:
            joined = current and not spoken and current % 100 and current < 100
            current = current * 100 + _TENS[part] if joined else current + _TENS[part]
        elif part in _SMALL:
            joined = current and not spoken and _SMALL[part] > 9 and 9 < current < 100
            current = current * 100 + _SMALL[part] if joined else current + _SMALL[part]
    return float(total + current)


def chinese(text: str) -> tuple[float, int]:
    """Value and number of decimals of a match of `CHINESE`."""
    whole, _, decimals = text.partition("点")
    digits = "".join(str(_HAN[c]) for c in decimals)
    value = _chinese_whole(whole)
    return (float(f"{int(value)}.{digits}"), len(digits)) if digits else (value, 0)


def is_compound(text: str) -> bool:
    """Whether a match of `CHINESE` can only be a number: "一百二", and not "千万" or "一"."""
    return _COMPOUND.fullmatch(text) is not None


def span(text: str) -> tuple[float, float] | None:
    """The two ends of "两三", "三五" or "七八百"; None for a plain number."""
    if not 2 <= len(text) <= 3 or text[0] not in _HAN or text[1] not in _HAN:
        return None
    low, high = _HAN[text[0]], _HAN[text[1]]
    scale = _HAN_SCALES.get(text[2], 0) if len(text) == 3 else 1
    steps = high - low == 1 or (low, high) == (3, 5)
    return (float(low * scale), float(high * scale)) if low and scale and steps else None


def _chinese_whole(text: str) -> float:
    """The usual reading, and the short one: 两百五 is 250, 一千二 is 1200."""
    if not set(text) & set(_HAN_SCALES):
        return float("".join(str(_HAN[c]) for c in text) or 0)
    total, section, digit, last = 0, 0, 0, 1
    for char in text:
        if char in _HAN:
            digit, last = _HAN[char], 10 if char in "零〇" else last
        elif char in "万亿":
            last = _HAN_SCALES[char]
            total, section, digit = (total + section + digit) * last, 0, 0
        else:
            last = _HAN_SCALES[char]
            section, digit = section + max(digit, 1) * last, 0
    colloquial = digit * last // 10 if last >= 100 and digit else digit
    return float(total + section + colloquial)
