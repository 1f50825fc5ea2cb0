"""Calendar dates in text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

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
    r"|(?:(?P<y5>\d{4}) ?年 ?)?(?P<m5>\d{1,2}) ?月 ?(?P<d5>\d{1,2}) ?[日号]"
)


_DIGIT: Final = re.compile(r"\d")


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
    """The dates in a folded text. 6/30/2026 is read the American way."""
    if not _DIGIT.search(folded):
        return []
    return [date for match in DATE.finditer(folded) if (date := _date(match))]


def _date(match: re.Match[str]) -> Date | None:
    for form in "12345":
        month = match[f"m{form}"] if form in "145" else match[f"n{form}"]
        if month:
            number = _MONTHS.get(month) or int(month)
            day, year = int(match[f"d{form}"]), match[f"y{form}"]
            possible = 1 <= number <= 12 and 1 <= day <= 31
            span = match.span()
            return Date(int(year) if year else None, number, day, *span) if possible else None
    return None
