"""Paths into a document: where in a product, or in the text, a fact stands."""

from __future__ import annotations

import re
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
    node: Any = product
    end = 0
    for step in _STEP.finditer(path):
        if step.start() != end:
            return MISSING
        end = step.end()
        node = _take(node, step)
        if node is MISSING:
            return MISSING
    return node if path and end == len(path) else MISSING


def _take(node: Any, step: re.Match[str]) -> Any:
    if step["key"] is not None:
        return _field(node, step["key"])
    if step["index"] is not None:
        return _item(node, int(step["index"]))
    if step["field"] is not None:
        return _selected(node, step["field"], step["wanted"])
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
    items = node if isinstance(node, list) else [node]
    for item in items:
        if isinstance(item, dict) and str(item.get(field)).casefold() == wanted.casefold():
            return item
    return MISSING


def value_at(document: Document, path: str) -> Any:
    """`lookup` in a document: path "text" is its whole text, anything else its product."""
    return document.text if path == "text" else lookup(document.product, path)
