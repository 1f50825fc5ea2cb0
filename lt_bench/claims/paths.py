"""Paths into a document: where in a product, or in the text, a fact stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final

from lt_bench.records import Document

MISSING: Final = object()
"""What `lookup` gives where a path leads nowhere; None may be a value."""

_STEP = re.compile(
    r"(?P<key>[^.\[\]]+)|\[(?P<index>-?\d+)\]|\[(?P<field>[^=\]]+)=(?P<wanted>[^\]]*)\]|\."
)


def lookup(product: object, path: str) -> Any:
    """The value at `path` of a schema.org product, or `MISSING`.

    Steps are keys with dots between them; `[3]` takes an item of a list, and
    `[name=Noise level]` the first item of a list whose field has that value, compared as text
    without regard to case: `additionalProperty[name=Noise level].value`, `offers.price`,
    `offers[0].price`. A key applied to a list of one item, and `[0]` to a single object,
    are forgiven, since schema.org allows both shapes. Never raises.
    """
    if not path:
        return MISSING
    steps, whole = _steps(path)
    node: Any = product
    for step in steps:
        node = step(node)
        if node is MISSING:
            return MISSING
    return node if whole else MISSING


def _walk(product: object, path: str) -> list[Any]:
    """The product and what each step of a path leads to; `MISSING` last where it leads nowhere."""
    steps, whole = _steps(path)
    nodes: list[Any] = [product]
    for step in steps:
        nodes.append(step(nodes[-1]))
        if nodes[-1] is MISSING:
            return nodes
    return nodes if whole else [*nodes, MISSING]


@lru_cache(maxsize=4096)
def _steps(path: str) -> tuple[tuple[Callable[[Any], Any], ...], bool]:
    """The steps of a path up to the first character that is none, and whether that is all of it."""
    steps: list[Callable[[Any], Any]] = []
    end = 0
    for step in _STEP.finditer(path):
        if step.start() != end:
            break
        end = step.end()
        steps.append(_step(step))
    return tuple(steps), end == len(path)


def _step(step: re.Match[str]) -> Callable[[Any], Any]:
    """What leads from one node to the next."""
    if step["key"] is not None:
        return partial(_field, key=step["key"])
    if step["index"] is not None:
        return partial(_item, index=int(step["index"]))
    if step["field"] is not None:
        return partial(_selected, field=step["field"], wanted=step["wanted"].casefold())
    return _same


def _same(node: Any) -> Any:
    return node


def _field(node: Any, key: str) -> Any:
    if isinstance(node, list) and len(node) == 1:
        node = node[0]
    return node.get(key, MISSING) if isinstance(node, dict) else MISSING


def _item(node: Any, index: int) -> Any:
    if isinstance(node, dict) and index == 0:
        return node
    inside = isinstance(node, list) and -len(node) <= index < len(node)
    return node[index] if inside else MISSING


def _selected(node: Any, field: str, wanted: str) -> Any:
    """The first item whose `field` is `wanted`, which has its case folded."""
    items = node if isinstance(node, list) else [node]
    for item in items:
        if isinstance(item, dict) and str(item.get(field)).casefold() == wanted:
            return item
    return MISSING


def value_at(document: Document, path: str) -> Any:
    """`lookup` in a document: path "text" is its whole text, anything else its product."""
    return document.text if path == "text" else lookup(document.product, path)


_PRICED: Final = re.compile(r"price\w*$", re.IGNORECASE)
_VALUE: Final = re.compile(r"(?:value|amount)$", re.IGNORECASE)
_UNIT_KEYS: Final = ("unitText", "unitCode")
_MONEY_KEYS: Final = ("priceCurrency", "currency")


def unit_beside(document: Document, path: str) -> str | None:
    """The unit that a product's data gives to the value at `path`; None where it gives none.

    A price has the nearest `priceCurrency` around it, any other value the `unitText` or
    `unitCode` beside it, and a plain `value` the currency too. The value itself need not be there.
    """
    around = [_single(node) for node in _walk(document.product, path)[:-1]]
    names: tuple[str, ...] = _MONEY_KEYS
    if not _PRICED.search(path):
        around = around[-1:]
        names = (*_UNIT_KEYS, *_MONEY_KEYS) if _VALUE.search(path) else _UNIT_KEYS
    for node in reversed(around):
        for name in names if isinstance(node, dict) else ():
            if isinstance(unit := node.get(name), str) and unit.strip():
                return unit
    return None


def _single(node: Any) -> Any:
    return node[0] if isinstance(node, list) and len(node) == 1 else node
