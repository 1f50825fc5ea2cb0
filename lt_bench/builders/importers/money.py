"""Prices as people and exports write them: "15.00 USD", "$1,299", "1.299,00 €", 15, "free"."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Final, Literal

from lt_bench.builders.problem import RowFault

Mark = Literal[".", ","]

_SYMBOLS: Final[dict[str, tuple[str, ...]]] = {
    "US$": ("USD",),
    "HK$": ("HKD",),
    "NT$": ("TWD",),
    "CA$": ("CAD",),
    "C$": ("CAD",),
    "A$": ("AUD",),
    "S$": ("SGD",),
    "R$": ("BRL",),
    "$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "CLP", "COP", "ARS"),
    "€": ("EUR",),
    "£": ("GBP",),
    "₹": ("INR",),
    "₩": ("KRW",),
    "₽": ("RUB",),
    "₺": ("TRY",),
    "฿": ("THB",),
    "₫": ("VND",),
    "zł": ("PLN",),
    "元": ("CNY",),
    "块": ("CNY",),
    "円": ("JPY",),
    "¥": ("CNY", "JPY"),
    "￥": ("CNY", "JPY"),
    "kr": ("SEK", "NOK", "DKK", "ISK"),
}
"""What a sign may stand for; `$` alone is taken for US dollars, other doubtful signs are asked."""
_FREE: Final = frozenset({"free", "gratis", "免费"})
_CODE: Final = re.compile(r"[A-Z]{3}")
_SPACES: Final = re.compile(r"[\s\u00a0\u2009\u202f]+")
_AMOUNT: Final = re.compile(r"\d[\d.,' ’]*", re.ASCII)
_FIX: Final = 'write it like "15.00 USD"'


@dataclass(frozen=True)
class Money:
    """An amount; `currency` is its ISO 4217 code, None where nobody says it."""

    amount: float
    currency: str | None = None


def read_money(
    value: Any, field: str, currency: str | None = None, decimal: Mark | None = None
) -> Money:
    """The price in `value`; `currency` is taken where it names none, `decimal` is the mark before
    the cents where that is known.

    Raises:
        RowFault: no price, negative, or it can be read in two ways.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise RowFault(field, f"{_short(value)} is no price", _FIX)
    if isinstance(value, int | float):
        return Money(_checked(float(value), value, field), currency)
    text = _SPACES.sub(" ", value).strip()
    if text.casefold() in _FREE:
        return Money(0.0, currency)
    if text.startswith(("-", "−")) or re.search(r"[-−]\s?\d", text):
        raise RowFault(field, f"{_short(value)} is negative, or a range", _FIX)
    amount = _AMOUNT.search(text)
    if not amount:
        raise RowFault(field, f"{_short(value)} is no price", _FIX)
    around = (text[: amount.start()].strip(), text[amount.end() :].strip())
    name = _currency(around, currency, field, value)
    return Money(_number(amount[0].strip(), field, decimal), name)


def _currency(around: tuple[str, str], given: str | None, field: str, value: object) -> str | None:
    named = [part for part in around if part]
    if not named:
        return given
    if len(named) == 2 and any(part in _SYMBOLS for part in named):  # "$15.00 CAD"
        named = [part for part in named if part not in _SYMBOLS]
    if len(named) != 1:
        raise RowFault(field, f"{_short(value)} is no single price", _FIX)
    name = named[0]
    if _CODE.fullmatch(name.upper()) and name.isascii():
        return name.upper()
    candidates = _SYMBOLS.get(name) or _SYMBOLS.get(name.rstrip("."))
    if not candidates:
        raise RowFault(field, f"{_short(value)}: {name!r} is no currency", _FIX)
    if given in candidates:
        return given
    if len(candidates) > 1 and name != "$":
        raise RowFault(
            field,
            f"{_short(value)}: {name!r} may be {' or '.join(candidates)}",
            f"say which: --set importer.currency={candidates[0]}",
        )
    return candidates[0]


def _number(text: str, field: str, decimal: Mark | None) -> float:
    """Digits with marks of thousands and of cents, told apart by where they stand."""
    plain = re.sub(r"[' ’]", "", text)
    mark = decimal or _decimal_mark(plain, field)
    whole, _, cents = plain.rpartition(mark) if mark and mark in plain else (plain, "", "")
    groups = re.split(r"[.,]", whole)
    grouped = len(groups) == 1 or (
        1 <= len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    )
    indian = len(groups) > 2 and len(groups[-1]) == 3 and all(len(g) == 2 for g in groups[1:-1])
    if not (grouped or indian) or (mark and mark in whole) or len(plain) > 20:
        raise RowFault(field, f"{_short(text)} is no price", _FIX)
    return float(f"{''.join(groups) or '0'}.{cents or '0'}")


def _decimal_mark(text: str, field: str) -> Mark | None:
    last: Mark = "." if text.rfind(".") > text.rfind(",") else ","
    if last not in text:
        return None
    other = "," if last == "." else "."
    after = len(text) - text.rfind(last) - 1
    if other in text:
        return last
    if text.count(last) > 1 or (last == "," and after == 3):
        return None
    if last == "." and after == 3 and not text.startswith("0"):
        raise RowFault(
            field,
            f"{_short(text)} may be {text.replace('.', '')} or {float(text):g}",
            'say which mark stands before the cents: --set importer.decimal="."',
        )
    return last


def _checked(amount: float, value: object, field: str) -> float:
    if not math.isfinite(amount) or amount < 0:
        raise RowFault(field, f"{_short(value)} is no price", _FIX)
    return amount


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."
