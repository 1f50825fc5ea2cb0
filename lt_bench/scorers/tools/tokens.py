"""Texts as tokens that are equal where people hear the same: words, figures, dates.

"$1,299.00", "1299 dollars" and "一千二百九十九美元" hold the same figure; case, width, traditional
characters and marks do not count; of Chinese every character is a token. A text that begins with a
nought ("0012"), a version ("1.2.3") and a number glued to letters on both sides ("9f3a") are words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from lt_bench.claims import numerals
from lt_bench.claims.dates import Date, scan_dates
from lt_bench.claims.wording import fold

MAX_DIGITS: Final = 20
"""Longer ones are no figures but words."""


class Figure(NamedTuple):
    """A number: its digits without needless ones, and what it counts: a currency ("usd"), "%", another
    unit ("unit": days, pieces, …), or nothing that was said."""

    digits: str
    of: str = ""

    def met_by(self, said: Figure) -> bool:
        """Whether what is said may be this. Bare digits are met by any unit, and an amount of money by
        bare digits; a share only by a share."""
        if self.digits != said.digits:
            return False
        return self.of in ("", said.of) or (self.of != "%" and not said.of)


Token = str | Figure | Date

_CURRENCIES: Final[dict[str, str]] = {
    written: code
    for code, spellings in {
        "usd": "us$ $ usd dollar dollars buck bucks 美元 美金",
        "cny": "¥ cny rmb yuan 元 块 块钱 人民币",
        "eur": "€ eur euro euros 欧元",
        "gbp": "£ gbp 英镑",
        "inr": "₹ inr rupees 卢比",
    }.items()
    for written in spellings.split()
}
_SHARE: Final = ("%", "percent", "per cent")
_SCALES: Final = {
    "k": 3, "thousand": 3, "million": 6, "billion": 9, "千": 3, "万": 4, "百万": 6, "亿": 8,
}  # fmt: skip

_ALNUM: Final = r"[^\W_\u3400-\u9fff]"
_LETTER: Final = r"[^\W\d_\u3400-\u9fff]"
_BEFORE: Final = r"us\$|[$€£¥₹]|(?<![^\W_])(?:usd|cny|rmb|eur|gbp)(?= ?\d)"
_AFTER: Final = (
    r"%|percent\b|per cent\b|(?:us )?dollars?\b|bucks?\b|usd\b|yuan\b|rmb\b|cny\b|euros?\b|eur\b|gbp\b"
    r"|rupees\b|美元|美金|欧元|英镑|人民币|元|块钱?|[$€£¥](?!\d)"
)
_UNIT: Final = (
    r"(?:working |business |calendar )?(?:days?|hours?|hrs?|minutes?|mins?|weeks?|months?|years?)\b"
    r"|(?:items?|pieces?|pcs|units?|stars?|pairs?|orders?|times|kg|cm|mm|ml|gb|inch(?:es)?|in stock|left)\b"
    r"|[天日周月年号个件只双套盒瓶款张次条台部本颗公厘毫斤米克升折岁点星]|小时|分钟"
)
_WORDS: Final = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    "seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_NUMBER_WORD: Final = rf"(?:{_WORDS}|one)"
_ENGLISH: Final = (
    rf"(?:(?:{_WORDS})|(?:one|an?)(?=[ -](?:hundred|thousand|million)))"
    rf"(?:(?:[ -]| and )(?:{_NUMBER_WORD}|hundred|thousand|million)\b){{0,10}}"
)
_HAN: Final = r"[零〇一二两三四五六七八九十百千万亿]{1,16}(?:点[零〇一二三四五六七八九]{1,8})?"
_IDIOM: Final = r"(?!一[个下些点起样直般定旦共次]|万一|千万)"
_COUNTED: Final = rf"(?={_AFTER}|{_UNIT})"
_NO_PLAIN: Final = rf"(?:{_NUMBER_WORD}|an?|us|usd|cny|rmb|eur|gbp)(?!{_ALNUM})"
_TOKEN: Final = re.compile(
    rf"(?<!{_ALNUM})(?!{_NO_PLAIN}){_LETTER}++(?![\d'])|"  # most tokens: tried first
    r"(?P<time>\d{1,2}:\d{2}(?::\d{2})?(?!\d))"
    rf"|(?P<literal>0\d+{_ALNUM}*|\d+(?:\.\d+){{2,}}|{_LETTER}+\d+(?:\.\d+)+|\d+{_LETTER}+\d{_ALNUM}*|\d{{{MAX_DIGITS + 1},}})"
    rf"|(?P<minus>(?<![\w)])-)?(?:(?P<before>{_BEFORE}) ?)?(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?|(?<!\d)\.\d+)"
    rf"(?: ?(?P<scale>百万|[千万亿]|(?:k|thousand|million|billion)(?!{_ALNUM})))?(?: ?(?P<after>{_AFTER})|(?= ?(?P<unit>{_UNIT})))?"
    rf"|(?P<share>百分之)(?P<part>\d+(?:\.\d+)?|{_HAN})"
    rf"|(?<!{_ALNUM})(?P<english>{_ENGLISH})\b(?:[ -]?(?P<english_of>{_AFTER})|(?=[ -]?(?P<english_unit>{_UNIT})))?"
    rf"|{_IDIOM}(?P<han>{_HAN})(?:(?P<han_of>{_AFTER})|(?P<han_unit>{_COUNTED}))?"
    rf"|(?P<word>{_LETTER}{_ALNUM}*(?:'{_LETTER}+)?)"
    r"|(?P<one>[\u3400-\u9fff])"
)

_DATED: Final = re.compile(
    r"月|\d{4}[-/.]\d|\d/\d{1,2}/\d|\d\.\d{1,2} ?[日号到截之前为结过]"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
)
"""What every date has. Looking for it takes a tenth of the time of looking for dates."""
_PLAIN: Final = re.compile(rf"{_LETTER}{_ALNUM}*(?:'{_LETTER}+)?")
_TELLING: Final = re.compile(r"[\d\u3400-\u9fff]")
"""Texts without any of these, and without number words, are words alone, and read four times as fast."""


@lru_cache(maxsize=1 << 13)
def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a text, in order."""
    folded = fold(text.replace("￥", "¥"))
    if not _DATED.search(folded):
        return tuple(_tokens(folded))
    found: list[Token] = []
    at = 0
    for date in scan_dates(folded):
        found += _tokens(folded[at : date.start])
        found.append(date)
        at = date.end
    return (*found, *_tokens(folded[at:]))


def _tokens(folded: str) -> Iterator[Token]:
    if not _TELLING.search(folded) and not numerals.may_hold_english(folded):
        yield from _PLAIN.findall(folded)
        return
    for match in _TOKEN.finditer(folded):
        figure = _figure(match) if match.lastgroup else None
        if figure:
            yield figure
        elif match["han"]:
            yield from match.group()
        else:
            yield match.group()


def _figure(match: re.Match[str]) -> Figure | None:
    """A match as a figure, where it is one."""
    if match["digits"]:
        sign = "-" if match["minus"] else ""
        scale = _SCALES.get(match["scale"] or "", 0)
        of = _of(match["before"] or match["after"], match["unit"])
        return Figure(sign + _digits(match["digits"], scale), of)
    if match["share"]:
        part = match["part"]
        value = part if part[0].isdigit() else _written(numerals.chinese(part))
        return Figure(_digits(value), "%")
    if match["english"]:
        of = _of(match["english_of"], match["english_unit"])
        return Figure(_digits(_written(numerals.english(match["english"]))), of)
    han = match["han"]
    if han and (match["han_of"] or match["han_unit"] is not None or numerals.is_compound(han)):
        of = _of(match["han_of"], "unit" if match["han_unit"] is not None else None)
        return Figure(_digits(_written(numerals.chinese(han))), of)
    return None


def _of(money: str | None, unit: str | None) -> str:
    if money:
        return "%" if money in _SHARE else _CURRENCIES[money.strip().removeprefix("us ")]
    return "unit" if unit else ""


def _written(number: tuple[float, int]) -> str:
    value, decimals = number
    return f"{value:.{decimals}f}"


def _digits(number: str, scale: int = 0) -> str:
    """The digits in one spelling: "1,299.50" and "1299.5"."""
    whole, _, part = number.replace(",", "").partition(".")
    part = part.ljust(scale, "0")
    whole, part = whole + part[:scale], part[scale:].rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{part}" if part else whole


def meets(said: Token, wanted: Token) -> bool:
    """Whether a token of a reply may be the one that is wanted."""
    if isinstance(wanted, Figure):
        return isinstance(said, Figure) and wanted.met_by(said)
    if isinstance(wanted, Date):
        return isinstance(said, Date) and wanted.agrees(said)
    return said == wanted


def places(part: Sequence[Token], whole: Sequence[Token]) -> list[int]:
    """Where in `whole` the tokens of `part` are met, as one run."""
    if not part:
        return []
    size, first = len(part), part[0]
    return [
        start
        for start in range(len(whole) - size + 1)
        if meets(whole[start], first)
        and all(meets(whole[start + offset], part[offset]) for offset in range(1, size))
    ]
