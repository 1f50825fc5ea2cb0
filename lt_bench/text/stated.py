"""The line of a document by which a person sees that a fact of gold stands in it.

A help for reading, not a judgement: it looks for the value as sheets write it, and among several
lines for the words of the path.
"""

from __future__ import annotations

import re
from typing import Final

from lt_bench.records import Document, Fact

_TRUTH: Final = {
    True: ("yes", "true", "included", "是", "有", "支持"),
    False: ("no", "none", "false", "not", "否", "无", "不支持", "不"),
}
_STATES: Final = {
    "InStock": ("in stock", "有货", "现货", "库存"),
    "LimitedAvailability": ("few left", "in stock", "少量", "仅剩", "库存"),
    "OutOfStock": ("sold out", "out of stock", "售罄", "缺货", "无货", "卖完"),
    "SoldOut": ("sold out", "out of stock", "售罄", "缺货", "无货", "卖完"),
    "PreOrder": ("pre-order", "preorder", "预售", "预订"),
}
_FREE: Final = ("free", "免费", "包邮", "免邮")
_ALIASES: Final = {
    "availability": ("stock", "库存", "现货"),
    "price": ("price", "价"),
    "shipping": ("shipping", "运费", "邮费", "快递", "发货", "配送"),
    "delivery": ("shipping", "发货", "送达", "配送"),
    "return": ("returns", "退"),
    "rating": ("rating", "评分", "星"),
    "review": ("reviews", "评价"),
}
_GENERIC: Final = frozenset(
    ("value", "name", "offers", "additional", "property", "min", "max", "text", "details", "rate")
)
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
_SHARED: Final = 4
"""Letters that two words must share at their beginning to be forms of one."""


def stated_in(document: Document, fact: Fact) -> str:
    """The line that states the fact, or "" where no line shows its value."""
    lines = [line for line in document.text.split("\n") if line.strip()]
    if fact.path == "text":
        return next((line for line in lines if str(fact.value) in line), "")
    named = _named(fact.path)
    shown = [line for line in lines if any(_holds(line, form) for form in _forms(fact))]
    return max(shown, key=lambda line: _fit(line, named, fact.unit), default="")


def _named(path: str) -> list[str]:
    """The words of the path that say what the value is of, and what sheets call them."""
    words = [word.lower() for word in _WORDS.findall(path)]
    telling = [word for word in words if word not in _GENERIC]
    return [*telling, *(alias for word in telling for alias in _ALIASES.get(word.rstrip("s"), ()))]


def _fit(line: str, named: list[str], unit: str | None) -> float:
    """How much a line seems to be about the path; of equal ones the shorter."""
    words = [word.lower() for word in _WORDS.findall(line)]
    alike = sum(any(_alike(name, word) for word in words) for name in named)
    return alike + (0.5 if unit and unit.lower() in line.lower() else 0) - len(line) / 10_000


def _alike(name: str, word: str) -> bool:
    if not name.isascii():
        return name in word
    return name == word or (len(name) >= _SHARED and name[:_SHARED] == word[:_SHARED])


def _forms(fact: Fact) -> list[str]:
    """The ways in which a sheet may write the value."""
    value = fact.value
    if isinstance(value, bool):
        return [*_TRUTH[value], *fact.accept]
    if isinstance(value, str):
        return [value, *_STATES.get(value, ()), *fact.accept]
    whole = [str(int(value)), f"{value:,.0f}"] if float(value).is_integer() else []
    free = _FREE if value == 0 else ()
    return [*whole, str(value), f"{value:.2f}", f"{value:,.2f}", *free, *fact.accept]


def _holds(line: str, form: str) -> bool:
    """Whether the form stands in the line by itself: 5 is not in 15 or 5.2, no not in know."""
    if not form.strip() or form.lower() not in line.lower():
        return False
    before = r"(?<![a-zA-Z\d])(?<!\d[.,])" if form[0].isascii() and form[0].isalnum() else ""
    after = r"(?![\d])(?![.,]\d)" if form[-1].isdigit() else ""
    after = r"(?![a-zA-Z])" if form[-1].isascii() and form[-1].isalpha() else after
    return bool(re.search(before + re.escape(form) + after, line, re.IGNORECASE))
