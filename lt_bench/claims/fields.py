"""The fields of a product's data: its leaves with their names and units, as entries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from lt_bench.claims.entries import Entry, label_words, read_words
from lt_bench.claims.quantities import Quantity
from lt_bench.claims.units import unit_named
from lt_bench.claims.wording import fold

Leaf = tuple[tuple[str, ...], str | int | float | bool | None, str | None]
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


def fields_of(document: str, product: int, leaves: Iterable[Leaf]) -> Iterator[Entry]:
    """The leaves of a product's data, with the units that stand beside them."""
    for path, value, unit in leaves:
        label, about = _label(path)
        if isinstance(value, bool):
            yield Entry(document, product, label, about, flag=value)
        elif isinstance(value, int | float):
            quantity = Quantity(float(value), unit_named(unit), 0, 0)
            stems, content, *_ = read_words(unit or "")
            yield Entry(document, product, label, about, stems, content, (quantity,))
        elif isinstance(value, str):
            found = read_words(f"{value} {unit}" if unit else value)
            known = unit_named(unit)
            if known and found.quantities:
                told = tuple(q._replace(unit=q.unit or known) for q in found.quantities)
                found = found._replace(quantities=told)
            yield Entry(document, product, label, about, *found)


@lru_cache(maxsize=8192)
def _label(path: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    parts = [label_words(fold(split_words(part))) for part in path]
    return (
        frozenset().union(*(label for label, _ in parts)),
        frozenset().union(*(about for _, about in parts)),
    )


def split_words(key: str) -> str:
    """The words of a field's name: "inventoryLevel", "noise_level"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", key)
