"""Entries of the evidence: what one line of a document, or one field of its product, tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from lt_bench.claims.dates import Date, scan_dates
from lt_bench.claims.language import FUNCTION
from lt_bench.claims.numbers import Quantity, scan
from lt_bench.claims.wording import fold, stems, telling


class Entry(NamedTuple):
    """One line of evidence. `label` is what it is about (the words before a colon, or a product
    field), `about` the stems of it that carry meaning; both are empty for prose. `value` are the
    stems of what it says, `content` those that carry meaning. `flag` is set where the value is a
    yes or a no. `start`/`end` is its place in the document's text, None where only the product's
    data holds it."""

    document: str
    product: int
    label: frozenset[str]
    about: frozenset[str]
    value: tuple[str, ...] = ()
    content: frozenset[str] = frozenset()
    quantities: tuple[Quantity, ...] = ()
    dates: tuple[Date, ...] = ()
    flag: bool | None = None
    start: int | None = None
    end: int | None = None


class Words(NamedTuple):
    """A short text as stems, those of them that carry meaning, and the quantities and days in it."""

    stems: tuple[str, ...]
    content: frozenset[str]
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]


def read_words(text: str) -> Words:
    """What the words of a short text are."""
    return read_folded(fold(text))


@lru_cache(maxsize=32768)
def read_folded(folded: str) -> Words:
    """What the words of a short folded text are."""
    found = stems(folded)
    content = frozenset(filter(telling, found)) - FUNCTION
    return Words(found, content, tuple(scan(folded)), tuple(scan_dates(folded)))


@lru_cache(maxsize=8192)
def label_words(folded: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of a folded name of a property, and those that carry meaning."""
    found = frozenset(stems(folded))
    return found, found - FUNCTION


_LABEL: Final = re.compile(r"^\W*([^:.!?\n]{2,60}?)\s*[:：]\s*(?=\S)")
_BREAK: Final = re.compile(
    r"\n+|(?<!\bno\.)(?<=[.!?])\s+|;\s+|(?<=[\u3400-\u9fff][.!?;])|(?<=[.!?;])(?=[\u3400-\u9fff])"
)
_YES: Final = re.compile(r"^\W*(?:yes|true|included|有|是|支持|可以|能|带|含)\b[.]?\s*$")
_NO: Final = re.compile(
    r"^\W*(?:no|none|false|not included|无|否|不是|没有|不支持|不可以|不能|不带|不含)\b[.]?\s*$"
)


def lines_of(document: str, product: int, folded: str) -> Iterator[Entry]:
    """The lines and sentences of a document's folded text."""
    start = 0
    ends = [*((m.start(), m.end()) for m in _BREAK.finditer(folded)), (len(folded), len(folded))]
    for end, following in ends:
        line = folded[start:end]
        bare = line.strip()
        if bare:
            place = start + len(line) - len(line.lstrip())
            (label, about), value, flag = _parts(bare)
            yield Entry(document, product, label, about, *value, flag, place, place + len(bare))
        start = following


@lru_cache(maxsize=32768)
def _parts(line: str) -> tuple[tuple[frozenset[str], frozenset[str]], Words, bool | None]:
    """Label, value, and yes or no of a line."""
    match = _LABEL.match(line)
    label, value = (match[1], line[match.end() :]) if match else ("", line)
    flag = True if _YES.match(value) else False if _NO.match(value) else None
    return label_words(label), read_folded(value), flag
