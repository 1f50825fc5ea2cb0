"""Records as rows of a table: scalars and lists of structs as they are, free-form JSON as text.

`product`, `gold`, `tools` and `world` hold other keys and types in every row, which no column type
can name; they stand in their columns as JSON. All else has one type in all rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from lt_bench.builders.base import Imported
from lt_bench.records import Document, Example, Labelled

Column = str | list["Column"] | dict[str, "Column"]
"""A type: "string", "int64" or "bool"; [of its items]; {field: type}."""

_DOCUMENT: Final[dict[str, Column]] = {
    "id": "string",
    "kind": "string",
    "title": "string",
    "text": "string",
    "product": "string",
    "slot": "int64",
    "supporting": "bool",
}
_EXAMPLE: Final[dict[str, Column]] = {
    "id": "string",
    "task": "string",
    "question": "string",
    "viewer": "string",
    "history": [{"role": "string", "name": "string", "content": "string"}],
    "documents": [_DOCUMENT],
    "tools": "string",
    "world": "string",
    "gold": "string",
    "group": "string",
    "tags": ["string"],
    "lang": "string",
    "source": "string",
    "license": "string",
}
_LABELLED: Final[dict[str, Column]] = {
    "id": "string",
    "example": _EXAMPLE,
    "reply": "string",
    "labels": [{"annotator": "string", "correct": "bool", "helpful": "bool"}],
}
COLUMNS: Final[Mapping[type[Imported], dict[str, Column]]] = {
    Example: _EXAMPLE,
    Labelled: _LABELLED,
    Document: _DOCUMENT,
}
JSON_TEXT: Final = ("product", "tools", "world", "gold")
"""Fields that are JSON in their columns, wherever they stand."""


def to_columns(record: Imported) -> dict[str, Any]:
    """The cells of a record's row."""
    packed: dict[str, Any] = _packed(record.model_dump(mode="json"))
    return packed


def from_columns(cells: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record; an empty cell is a field left out, which has its default.

    Raises:
        ValueError: a cell that holds JSON text is broken.
    """
    fields: dict[str, Any] = _unpacked(cells)
    return fields


def _packed(value: Any, name: str = "") -> Any:
    if name in JSON_TEXT:
        return None if value is None else _text(value)
    if isinstance(value, dict):
        return {key: _packed(inner, key) for key, inner in value.items()}
    return [_packed(inner) for inner in value] if isinstance(value, list) else value


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _unpacked(value: Any, name: str = "") -> Any:
    if name in JSON_TEXT and isinstance(value, str):
        return json.loads(value)
    if isinstance(value, Mapping):
        kept = {key: inner for key, inner in value.items() if inner is not None}
        return {key: _unpacked(inner, key) for key, inner in kept.items()}
    return [_unpacked(inner) for inner in value] if isinstance(value, list) else value
