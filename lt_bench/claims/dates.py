"""Calendar dates in text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from lt_bench.claims import numerals

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ORDINALS: Final = (
    {
        word: day
        for day, word in enumerate(
            [
                "first",
                "second",
                "third",
                "fourth",
                "fifth",
                "sixth",
                "seventh",
                "eighth",
                "ninth",
                "tenth",
                "eleventh",
                "twelfth",
                "thirteenth",
                "fourteenth",
                "fifteenth",
                "sixteenth",
                "seventeenth",
                "eighteenth",
                "nineteenth",
                "twentieth",
            ],
            start=1,
        )
    }
    | {
        f"{tens}{gap}{word}": base + day
        for tens, base, last in (("twenty", 20, 9), ("thirty", 30, 1))
        for gap in "- "
        for day, word in enumerate(
            ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"],
            1,
        )
        if day <= last
    }
    | {"thirtieth": 30}
)
_PARTS: Final = {
    "mid": (11, 20), "middle of": (11, 20), "early": (1, 10), "start of": (1, 10), "beginning of": (1, 10),
    "late": (21, 31), "end of": (25, 31),
}  # fmt: skip
_ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))
DATE = re.compile(
    rf"\b(?P<part>{'|'.join(_PARTS)})[ -]?(?:the )?(?P<n7>{_NAMES})\b|"
    rf"\b(?P<d8>{_ORDINAL}) of (?P<n8>{_NAMES})\b|\b(?P<n9>{_NAMES}) (?:the )?(?P<d9>{_ORDINAL})\b|"
    r"(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?:t[\d:.]+z?)?(?!\d)"
    rf"|\b(?P<n2>{_NAMES})\.? (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<y2>\d{{4}}))?(?![\d:%])"
    rf"|\b(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<n3>{_NAMES})\b(?:,? (?P<y3>\d{{4}}))?"
    r"|(?<![\d/])(?P<m4>\d{1,2})/(?P<d4>\d{1,2})/(?P<y4>\d{4})(?!\d)"
    r"|(?:(?P<y5>\d{4}) ?年 ?)?(?P<m5>\d{1,2}|[一二三四五六七八九十]{1,2}) ?月(?:份)? ?"
    r"(?P<d5>\d{1,2}(?= ?[日号]|(?![\d.]|[%年月天个件元块]))|[一二三四五六七八九十]{1,3}(?=[日号前止截]|\W|$|到期|之前|以前|为止)|底|初) ?[日号]?"
    r"|(?<![\d.])(?P<m6>\d{1,2})\.(?P<d6>\d{1,2})(?= ?[日号]?(?:到期|截止|之?前|为止|结束|过期))"
)


_HINT: Final = re.compile(r"\d[-/.]\d|月|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec")
_LAST: Final = {2: 28, 4: 30, 6: 30, 9: 30, 11: 30}
"""Last day of the months that have not 31: the end of a month is its last day."""


class Date(NamedTuple):
    """A day; `year` is None where it was left out. `last` is set where it may be any from `day` to
    that one: "mid-June"."""

    year: int | None
    month: int
    day: int
    start: int
    end: int
    last: int = 0

    def agrees(self, other: Date) -> bool:
        """Whether both may mean one day."""
        years = {self.year, other.year} - {None}
        one, two = ((d.day, d.last or d.day) for d in (self, other))
        return (
            self.month == other.month and one[0] <= two[1] and two[0] <= one[1] and len(years) < 2
        )


def may_hold_dates(folded: str) -> bool:
    """Whether a folded text has what every date needs: numbers with a mark between, or a month."""
    return _HINT.search(folded) is not None


def scan_dates(folded: str) -> list[Date]:
    """The dates in a folded text. 6/30/2026 is read the American way, 3月底 as its last day."""
    if not may_hold_dates(folded):
        return []
    return [date for match in DATE.finditer(folded) if (date := _date(match))]


def _number(text: str) -> int:
    if text == "初":
        return 1
    return int(text) if text.isdigit() else int(numerals.chinese(text)[0])


def _date(match: re.Match[str]) -> Date | None:
    if match["part"]:
        first, last = _PARTS[match["part"]]
        return Date(None, _MONTHS[match["n7"]], first, *match.span(), last)
    for form in "89":
        if name := match[f"n{form}"]:
            return Date(None, _MONTHS[name], _ORDINALS[match[f"d{form}"]], *match.span())
    for form in "123456":
        month = match[f"m{form}"] if form in "1456" else match[f"n{form}"]
        if month:
            number = _MONTHS.get(month) or _number(month)
            year = match[f"y{form}"] if form != "6" else None
            day = _LAST.get(number, 31) if match[f"d{form}"] == "底" else _number(match[f"d{form}"])
            possible = 1 <= number <= 12 and 1 <= day <= 31
            span = match.span()
            return Date(int(year) if year else None, number, day, *span) if possible else None
    return None
