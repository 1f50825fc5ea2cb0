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
DATE = re.compile(
    r"(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?:t[\d:.]+z?)?(?!\d)"
    rf"|\b(?P<n2>{_NAMES})\.? (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<y2>\d{{4}}))?(?![\d:%])"
    rf"|\b(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<n3>{_NAMES})\b(?:,? (?P<y3>\d{{4}}))?"
    r"|(?<![\d/])(?P<m4>\d{1,2})/(?P<d4>\d{1,2})/(?P<y4>\d{4})(?!\d)"
    r"|(?:(?P<y5>\d{4}) ?年 ?)?(?P<m5>\d{1,2}|[一二三四五六七八九十]{1,2}) ?月(?:份)? ?"
    r"(?P<d5>\d{1,2}(?= ?[日号]|(?![\d.]|[%年月天个件元块]))|[一二三四五六七八九十]{1,3}(?=[日号])|底|初) ?[日号]?"
    r"|(?<![\d.])(?P<m6>\d{1,2})\.(?P<d6>\d{1,2})(?= ?[日号]?(?:到期|截止|之?前|为止|结束|过期))"
)


_DIGIT: Final = re.compile(r"\d|月")
_LAST: Final = {2: 28, 4: 30, 6: 30, 9: 30, 11: 30}
"""Last day of the months that have not 31: the end of a month is its last day."""


class Date(NamedTuple):
    """A day; `year` is None where it was left out."""

    year: int | None
    month: int
    day: int
    start: int
    end: int

    def agrees(self, other: Date) -> bool:
        """Whether both may mean one day."""
        years = {self.year, other.year} - {None}
        return (self.month, self.day) == (other.month, other.day) and len(years) < 2


def scan_dates(folded: str) -> list[Date]:
    """The dates in a folded text. 6/30/2026 is read the American way, 3月底 as its last day."""
    if not _DIGIT.search(folded):
        return []
    return [date for match in DATE.finditer(folded) if (date := _date(match))]


def _number(text: str) -> int:
    if text == "初":
        return 1
    return int(text) if text.isdigit() else int(numerals.chinese(text)[0])


def _date(match: re.Match[str]) -> Date | None:
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
