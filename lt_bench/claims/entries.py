"""Entries of the evidence: lines of a document's text and leaves of its product's data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from lt_bench.claims.dates import Date, scan_dates
from lt_bench.claims.language import FUNCTION
from lt_bench.claims.languages import language_of
from lt_bench.claims.numbers import Quantity, scan
from lt_bench.claims.paths import lookup
from lt_bench.claims.units import unit_named
from lt_bench.claims.wording import fold, stems, telling
from lt_bench.records import Document


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """One line of evidence. `label` is what it is about (the words before a colon, or a product
    field); empty for prose. `start`/`end` is its place in the document's text, None where only
    the product's data holds it. `flag` is set where the value is a yes or a no. `content` are the
    stems of the value that carry meaning, `about` those of the label."""

    document: str
    product: int
    label: frozenset[str]
    value: tuple[str, ...]
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...] = ()
    start: int | None = None
    end: int | None = None
    flag: bool | None = None

    content: frozenset[str] = field(init=False)
    about: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        telling_stems = frozenset(s for s in self.value if telling(s))
        object.__setattr__(self, "content", telling_stems - FUNCTION)
        object.__setattr__(self, "about", self.label - FUNCTION)


_LABEL: Final = re.compile(r"^\W*([^:.!?\n]{2,60}?)\s*[:：]\s*(?=\S)")
_BREAK: Final = re.compile(
    r"\n+|(?<!\bno\.)(?<=[.!?])\s+|;\s+|(?<=[\u3400-\u9fff][.!?;])|(?<=[.!?;])(?=[\u3400-\u9fff])"
)
_YES: Final = re.compile(r"^\W*(?:yes|true|included|有|是|支持|可以|能|带|含)\b[.]?\s*$")
_NO: Final = re.compile(
    r"^\W*(?:no|none|false|not included|无|否|不是|没有|不支持|不可以|不能|不带|不含)\b[.]?\s*$"
)


def lines_of(document: Document, product: int) -> Iterator[Entry]:
    """The lines and sentences of a document's text."""
    folded, start = fold(document.text), 0
    ends = [*((m.start(), m.end()) for m in _BREAK.finditer(folded)), (len(folded), len(folded))]
    for end, following in ends:
        line = folded[start:end]
        if line.strip():
            indent = len(line) - len(line.lstrip())
            yield _line(document.id, product, line.strip(), start + indent)
        start = following


def _line(document: str, product: int, line: str, start: int) -> Entry:
    label, value, quantities, dates, flag = _parts(line)
    return Entry(document, product, label, value, quantities, dates, start, start + len(line), flag)


@lru_cache(maxsize=32768)
def _parts(
    line: str,
) -> tuple[frozenset[str], tuple[str, ...], tuple[Quantity, ...], tuple[Date, ...], bool | None]:
    """Label, value, quantities, dates and yes or no of a line."""
    match = _LABEL.match(line)
    label, value = (match[1], line[match.end() :]) if match else ("", line)
    flag = True if _YES.match(value) else False if _NO.match(value) else None
    return frozenset(stems(label)), *read_words(value), flag


@lru_cache(maxsize=32768)
def read_words(text: str) -> tuple[tuple[str, ...], tuple[Quantity, ...], tuple[Date, ...]]:
    """The stems, quantities and dates of a short text."""
    folded = fold(text)
    return stems(folded), tuple(scan(folded)), tuple(scan_dates(folded))


def fields_of(document: Document, product: int, fields: list[Leaf]) -> Iterator[Entry]:
    """The leaves of a product's data, with the units that stand beside them."""
    for path, value, unit in fields:
        label = _label(path)
        if isinstance(value, bool):
            yield Entry(document.id, product, label, (), (), flag=value)
        elif isinstance(value, int | float):
            quantity = Quantity(float(value), unit_named(unit), 0, 0)
            yield Entry(document.id, product, label, read_words(unit or "")[0], (quantity,))
        elif isinstance(value, str):
            words, quantities, dates = read_words(f"{value} {unit}" if unit else value)
            known = unit_named(unit)
            if known:
                quantities = tuple(q._replace(unit=q.unit or known) for q in quantities)
            yield Entry(document.id, product, label, words, quantities, dates)


@lru_cache(maxsize=8192)
def _label(path: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem for part in path for stem in stems(fold(split_words(part))))


_SKIPPED: Final = frozenset(
    [
        "@type",
        "@context",
        "@id",
        "url",
        "image",
        "sku",
        "gtin",
        "gtin8",
        "gtin12",
        "gtin13",
        "gtin14",
        "mpn",
        "unitCode",
        "itemCondition",
        "variesBy",
        "hasVariant",
    ]
)
"""Keys whose values no reply tells; variants are read apart."""
_GROUPS: Final = frozenset(
    {"offers", "additionalProperty", "value", "name", "unitText", "priceCurrency"}
)


Leaf = tuple[tuple[str, ...], str | int | float | bool | None, str | None]


def leaves_of(node: Any, path: tuple[str, ...], depth: int) -> Iterator[Leaf]:
    """(label parts, value, unit) of each leaf; a node with `name` and `value` is one property."""
    if depth > 8:
        return
    if isinstance(node, list):
        for item in node[:200]:
            yield from leaves_of(item, path, depth + 1)
    elif isinstance(node, dict):
        unit = (
            node.get("unitText")
            or node.get("unitCode")
            or node.get("priceCurrency")
            or node.get("currency")
        )
        unit = unit if isinstance(unit, str) else None
        own = (node["name"],) if "value" in node and isinstance(node.get("name"), str) else path
        for key, value in node.items():
            if key in _SKIPPED or (own is not path and key in ("name", "unitText")):
                continue
            label = own if key in _GROUPS else (*own, str(key))
            if isinstance(value, dict | list):
                yield from leaves_of(value, label, depth + 1)
            elif key not in ("unitText", "unitCode", "priceCurrency", "currency"):
                yield label, value, unit


def split_words(key: str) -> str:
    """The words of a field's name: "inventoryLevel", "noise_level"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", key)


def variants_of(document: Document) -> list[tuple[frozenset[str], object]]:
    """The stems of colour and size of each variant, in order, and its availability."""
    variants = lookup(document.product, "hasVariant")
    return [
        (
            frozenset(stems(fold(f"{v.get('color') or ''} {v.get('size') or ''}"))),
            lookup(v, "offers.availability"),
        )
        for v in (variants if isinstance(variants, list) else [])[:200]
        if isinstance(v, dict)
    ]


_STATES: Final = (
    ("out", re.compile(r"out ?of ?stock|sold ?out|discontinued|back ?order|缺货|售罄")),
    ("preorder", re.compile(r"pre-?\s?(?:order|sale)|预售")),
    ("in", re.compile(r"in ?stock|limited ?availability|online ?only|in ?store ?only|有货|现货")),
)


def availability_of(value: object) -> str | None:
    """The state behind "https://schema.org/InStock", "sold out", ...; None for other values."""
    text = fold(str(value))[:200]
    return next((state for state, pattern in _STATES if pattern.search(text)), None)


def states_of(document: Document, fields: list[Leaf]) -> set[str]:
    """What a product's data says of its availability, or else its text."""
    told = {availability_of(value) for path, value, _ in fields if "availability" in path}
    told |= {availability_of(offer) for _, offer in variants_of(document)}
    found = {state for state in told if state}
    if found:
        return found
    folded = fold(document.text)
    speaker = language_of(folded)
    return {state for state, pattern in speaker.availability.items() if pattern.search(folded)}
