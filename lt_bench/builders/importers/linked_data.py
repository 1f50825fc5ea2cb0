"""JSON-LD as plain objects: prefixes off, `@value` and `@list` opened, references by `@id` filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from lt_bench.builders.problem import RowFault

Node = dict[str, Any]

_PREFIX: Final = re.compile(r"^(?:https?://(?:www\.)?schema\.org/|schema:)(?=\w)")
_DEEPEST: Final = 30
_MAX_NODES: Final = 50_000
"""Values of one product after its references are filled in; a few lines of them can mean billions."""
_INSIDE: Final = ("@graph", "itemListElement", "item", "mainEntity", "mainEntityOfPage", "about")
"""Where the products of a page are to be looked for."""


def nodes(data: Any, depth: int = 0) -> Iterator[Node]:
    """The objects of a document, those inside a graph, a list or a page included."""
    if depth > _DEEPEST:
        return
    if isinstance(data, list):
        for item in data:
            yield from nodes(item, depth + 1)
    elif isinstance(data, dict):
        yield data
        for key in _INSIDE:
            if isinstance(data.get(key), dict | list):
                yield from nodes(data[key], depth + 1)


def bare(name: str) -> str:
    """A name without the prefix of schema.org: "https://schema.org/InStock" → "InStock"."""
    return _PREFIX.sub("", name)


def types_of(node: Node) -> frozenset[str]:
    """The types of an object, without prefixes."""
    told = node.get("@type", node.get("type"))
    names = told if isinstance(told, list) else [told]
    return frozenset(bare(name) for name in names if isinstance(name, str))


def index_of(data: Any) -> dict[str, Node]:
    """The objects that others may point to, by `@id`; one that only points is no such object."""
    found: dict[str, Node] = {}
    for node in nodes(data):
        id_ = node.get("@id")
        if isinstance(id_, str) and len(node) > 1:
            found.setdefault(id_, node)
    return found


class Plain:
    """Makes plain objects of one document's nodes; `index` holds what `@id` may point to."""

    def __init__(self, index: dict[str, Node]) -> None:
        self.index = index
        self.left = _MAX_NODES

    def node(self, node: Node) -> Node:
        """An object with all that it points to.

        Raises:
            RowFault: it is nested too deep, or grows without end.
        """
        self.left = _MAX_NODES
        found = self._value(node, 0, ())
        assert isinstance(found, dict)
        return found

    def _value(self, value: Any, depth: int, above: tuple[str, ...]) -> Any:
        self.left -= 1
        if depth > _DEEPEST or self.left < 0:
            raise RowFault(
                "product", "nested too deep, or too large", "leave out what is not about it"
            )
        if isinstance(value, str):
            return bare(value)
        if isinstance(value, list):
            return [self._value(item, depth + 1, above) for item in value]
        return self._object(value, depth, above) if isinstance(value, dict) else value

    def _object(self, value: Node, depth: int, above: tuple[str, ...]) -> Any:
        for wrapper in ("@value", "@list", "@set"):
            if wrapper in value:
                return self._value(value[wrapper], depth + 1, above)
        id_ = value.get("@id")
        if isinstance(id_, str):
            if id_ in above:  # a circle: the product of an offer of the product
                return {"@id": id_}
            if len(value) == 1 and id_ in self.index:
                return self._object(self.index[id_], depth + 1, above)
            if len(value) == 1 and bare(id_) != id_:  # a value of schema.org's own, like InStock
                return bare(id_)
            above = (*above, id_)
        return {
            bare(key): self._value(item, depth + 1, above)
            for key, item in value.items()
            if key != "@context"
        }
