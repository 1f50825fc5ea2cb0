"""Words around a number that make it a bound: "about", "under", "at least", 不到, 左右."""

from __future__ import annotations

import re
from typing import Final

_MONEY: Final = r"\s*[$€£¥]?$"
_BEFORE: Final = (
    (
        "about",
        r"about|around|a (?:good|cool|solid)|roughly|approximately|approx\.?|circa|nearly|almost|close to|near|some|~|≈|just over|just under|"
        r"a bit over|a bit under|a (?:hair|touch|tad|shade|little|whisker|smidge|sliver|notch) (?:over|under|above|below|more than|less than|shy of|north of|south of)|"
        r"(?:only )?just (?:above|below|shy of)|knocking on|the best part of|in the region of|somewhere near|"
        r"大约|大概|约|差不多|将近|接近|近|估计|大致|上下|快|奔着?|(?<![最大减缩])小|毛",
    ),
    ("within", r"不超过|不高于|不大于|最多|至多|顶多"),
    ("from", r"at least|upwards of|至少|最少|起码|不低于|不少于|不小于|从"),
    (
        "below",
        r"under|less than|below|fewer than|not even|shy of|south of|not quite|short of|不到|低于|小于|少于|不足|不满",
    ),
    ("above", r"over|more than|above|north of|超过|多于|大于|高于|不止|超"),
)
_BEHIND: Final = (
    (
        "about",
        r"\s*(?:or so|ish\b|-ish\b|give or take|or thereabouts|there or thereabouts|roughly\b|左右|上下|的样子)",
    ),
    ("within", r"\s*(?:or less|or under|tops\b|max\b|以内|之内|以下|封顶)"),
    ("from", r"\s*(?:or more|or over|and up\b|minimum|以上|往上|起步|起(?!来|床))"),
    ("below", r"\s*(?:不到)"),
    (
        "above",
        r"[\s-]*(?:and change\b|plus change\b|odd\b|something\b|and a (?:bit|smidge|hair|tad|touch|sliver)\b|开外|出头|\+(?!\+))",
    ),
)
_WORDS_BEFORE: Final = re.compile(
    "|".join(f"(?P<{name}>(?<![a-z])(?:{words}){_MONEY})" for name, words in _BEFORE)
)
_WORDS_BEHIND: Final = re.compile("|".join(f"(?P<{name}>{words})" for name, words in _BEHIND))
_REACH: Final = 24


def bound_of(text: str, start: int, end: int) -> str:
    """The bound of the number at `start` to `end`; "" where it has none."""
    before = text[max(0, start - _REACH) : start].rstrip()
    match = _WORDS_BEFORE.search(before) or _WORDS_BEHIND.match(text, end)
    return (match.lastgroup or "") if match else ""
