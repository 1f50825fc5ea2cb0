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
_TENS["fourty"] = 40
_SCALES: Final = {"hundred": 100, "thousand": 1000, "grand": 1000, "million": 1_000_000}
_WORDS: Final = "|".join(
    sorted({**_SMALL, **_TENS, **_SCALES}.keys() - {"grand"}, key=len, reverse=True)
)
_TEENS: Final = "|".join(list(_SMALL)[10:])
_DIGITS: Final = "|".join(list(_SMALL)[:10]) + "|oh"
_PARTS: Final = {" and a half": 0.5, " and a quarter": 0.25, " and three quarters": 0.75}
_FIXED: Final = {
    "half a": 0.5, "half an": 0.5, "a dozen": 12.0, "half a dozen": 6.0, "a couple": 2.0, "a couple of": 2.0,
    "couple of": 2.0,
}  # fmt: skip
_SHARES: Final = {"tenth": 10.0, "fifth": 20.0, "quarter": 25.0, "third": 100 / 3, "half": 50.0}
_CUTTING: Final = ("saves you", "save", "saves", "knocks off", "cuts", "shaves off", "save you")
_NEARBY: Final = (
    "under", "over", "about", "around", "nearly", "almost", "roughly", "below", "above", "than",
    "just", "approximately", "of",
)  # fmt: skip
_NO_PART: Final = r"(?! (?:of (?:an?|the|your|my|our|its) (?:price|size|weight|time|way|hour|minute|second|cup|mile|inch|century|cost|dose)|(?:hour|cent|century|mile|inch|time|person|party|pair|one|option|colou?r|product|item|wheel|year|day|week|month|season|generation))s?\b)"
"""What makes "under a quarter" no share of the whole: "of the price", "of an hour"."""
_TIMES: Final = r"(?:day|week|fortnight|month|year|hour|minute)\b"
_LEADS: Final = (
    "get",
    "got",
    "ve",
    "have",
    "within",
    "for",
    "takes",
    "about",
    "around",
    "nearly",
    "under",
    "over",
    "than",
)
_SINGLE: Final = (
    rf"(?:an? (?:whole|full|solid|entire|good)|(?:one|the) (?:whole|full)) (?={_TIMES})|"
    rf"(?:{'|'.join(f'(?<={lead} )' for lead in _LEADS)})an? (?={_TIMES})|"
    rf"(?<![^\s,.:;] )(?<![^\s,.:;])an? (?={_TIMES}(?! (?:later|ago|before|early|late|earlier)\b))|"
    r"(?<!once )(?<!twice )an? (?=fortnight\b)|an? (?=(?:year|month) of (?:cover|warranty|guarantee)\b)"
)
"""One piece of time: "a whole month"; "a day" alone is more often a rate."""
ENGLISH: Final = (
    rf"(?:(?:an? )(?=hundred|thousand|million|grand)|)(?:(?:{_WORDS})(?:(?:[ -]| and )(?:oh[ -])?(?:{_WORDS}|grand)){{0,12}}|(?<=a )grand)\b"
    rf"(?: point(?: (?:{_DIGITS})){{1,8}}\b)?(?: and (?:a half|a quarter|three quarters)\b)?"
    r"|half an? |a dozen\b|half a dozen\b|a couple(?: of)?\b|couple of\b"
    rf"|(?:an? |one )?(?:{'|'.join(_SHARES)})(?= (?:off|less|cheaper|discount)\b)|(?:{'|'.join(f'(?<={verb} )' for verb in _CUTTING)})an? (?:{'|'.join(_SHARES)})\b|{_SINGLE}"
    rf"|(?:{'|'.join(f'(?<={word} )' for word in _NEARBY)})(?:an?|one) (?:tenth|fifth|quarter|third)\b{_NO_PART}"
    rf"|(?:an?|one) (?:tenth|fifth|quarter|third)(?= (?:of (?:it|that|them|the (?:box|bag|fabric|mix|nuts|bar|pack)|what's)|is|are|by weight|sugar|cotton|wool|cocoa)\b)"
    rf"|(?:an? |one )?buck(?:[ -]| and )(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(list(_SMALL)[1:10])}))?|{_TEENS}|oh[ -](?:{'|'.join(list(_SMALL)[1:10])}))\b(?! (?:off|bucks|dollars|cents|percent|minutes|hours|days))"
)
"""Pattern of a number in English words, in folded text."""

_HAN: Final = {c: i for i, c in enumerate("零一二三四五六七八九")} | {
    "两": 2,
    "〇": 0,
    "俩": 2,
    "仨": 3,
}
_HAN_SCALES: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_HAN_DIGITS: Final = "零〇一二两三四五六七八九"
CHINESE: Final = rf"[{_HAN_DIGITS}十百千万亿]{{1,16}}(?:点[{_HAN_DIGITS}]{{1,8}})?|[俩仨]"
"""Pattern of a number in Chinese numerals."""
_COMPOUND: Final = re.compile(r"(?:[一二两三四五六七八九]+[十百千万亿]|十[一二三四五六七八九]).*")


_TOKENS: Final = frozenset(
    [*_SMALL, *_TENS, *_SCALES, *_SHARES, "oh", "half", "dozen", "couple", "buck"]
).union(["day", "week", "fortnight", "month", "year", "hour", "minute"])
_LETTERS: Final = re.compile(r"[a-z]+")


def may_hold_english(folded: str) -> bool:
    """Whether a folded text has a word that a match of `ENGLISH` cannot do without."""
    return not _TOKENS.isdisjoint(_LETTERS.findall(folded))


def english(text: str) -> tuple[float, int]:
    """Value and number of decimals of a match of `ENGLISH`."""
    text = text.strip()
    if text in _FIXED:
        return _FIXED[text], 0
    if is_buck(text):
        return 100 + _english_whole(re.split(r"[ -]", _BUCK.sub("", text))), 0
    if is_share(text):
        return _SHARES[text.split()[-1]], 0
    if text.split()[-1] in _ALONE:
        return 1.0, 0
    tail = next((part for part in _PARTS if text.endswith(part)), "")
    half = _PARTS.get(tail, 0.0)
    whole, _, decimals = text.removesuffix(tail).partition(" point ")
    digits = "".join(str(_SMALL.get(word, 0)) for word in decimals.split())
    parts = re.split(r"[ -]", whole)
    cents = _cents_from(parts)
    if cents:
        return _english_whole(parts[:cents]) + _english_whole(parts[cents:]) / 100, 2
    value = _english_whole(parts) + half
    return (float(f"{int(value)}.{digits}"), len(digits)) if digits else (value, 1 if half else 0)


def _cents_from(parts: list[str]) -> int:
    """Where the cents begin in "two hundred sixty-five forty-four" or "two sixty-five forty-four";
    0 where there are none."""
    short = 1 <= _SMALL.get(parts[0], 0) <= 9 and len(parts) > 2
    if "hundred" not in parts and not short:
        return 0
    tail = parts.index("hundred") + 1 if "hundred" in parts else 1
    below = 0
    for i, part in enumerate(parts[tail:], tail):
        if part in _SCALES or part == "oh":
            return 0
        value = _SMALL.get(part, _TENS.get(part, 0))
        if value > 9 and below:
            return i
        below += value
    return 0


_ALONE: Final = frozenset(["a", "an", "whole", "full", "solid", "entire", "good"])


_BUCK: Final = re.compile(r"^(?:an? |one )?buck(?:[ -]| and )")


def is_buck(text: str) -> bool:
    """Whether a match of `ENGLISH` is "a buck fifty-eight": 158, and as a price 1.58."""
    return _BUCK.match(text) is not None


def is_share(text: str) -> bool:
    """Whether a match of `ENGLISH` is a part of a price: "a quarter" of "a quarter off"."""
    *before, last = text.split()
    return last in _SHARES and before in ([], ["a"], ["an"], ["one"])


def is_rough(text: str) -> bool:
    """Whether a match of `ENGLISH` is meant roughly: "a couple of"."""
    return "couple" in text


def _english_whole(parts: list[str]) -> float:
    """The usual reading, and the spoken price: "one twenty nine" is 129, "twenty ten" is 2010."""
    total, current, spoken = 0, 0, False
    for part in parts:
        if part in _SCALES and part != "hundred":
            total, current = total + max(current, 1) * _SCALES[part], 0
        elif part == "oh":
            current, spoken = current * 100, True
        elif part == "hundred":
            current = max(current, 1) * 100
            spoken = True
        elif part in _TENS:
            joined = current and not spoken and current % 100 and current < 100
            current = current * 100 + _TENS[part] if joined else current + _TENS[part]
        elif part in _SMALL:
            joined = current and not spoken and _SMALL[part] > 9 and current < 100
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
