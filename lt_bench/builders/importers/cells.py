"""Values taken from a row by the cells of a field map."""

from __future__ import annotations

import re
from typing import Any, Final

import orjson

from lt_bench.builders.importers.map_parts import Cell, Constant
from lt_bench.builders.problem import RowFault
from lt_bench.errors import did_you_mean

Values = dict[str, Any]

_MISSING: Final = object()
_JSON: Final = re.compile(r"\s*(?:\{\s*\"|\[\s*[\[{\"])")


def take(cell: Cell, row: Values, field: str) -> Any:
    """What a row has for `field`; the default where it has nothing.

    Raises:
        RowFault: there is no such column, and the map gives no default.
    """
    if isinstance(cell, Constant):
        return cell.value
    value = _at(row, cell.column)
    if cell.optional and (value is _MISSING or value in (None, "")):
        return cell.default
    if value is _MISSING:
        raise RowFault(
            field,
            f"there is no column {cell.column!r}.{_near(cell.column, row)}",
            f"correct the map; {{column: {cell.column}, default: …}} where rows may lack it",
        )
    return value


def text(cell: Cell, row: Values, field: str) -> str:
    """A value as text; numbers are written out, nothing is "".

    Raises:
        RowFault: no such column, or a group of values.
    """
    return as_text(take(cell, row, field), field)


def as_text(value: Any, field: str) -> str:
    """A single value as text.

    Raises:
        RowFault: it is a group of values, or a true or false.
    """
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, bool | dict | list):
        raise RowFault(field, f"{str(value)[:40]!r} is no text", "map a column of text")
    return str(value)


def items(value: Any, field: str) -> list[Any]:
    """A list as it is, or written as JSON; a single value is a list of one, nothing is empty.

    Raises:
        RowFault: text that begins like a JSON list and is none.
    """
    value = opened(value, field)
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def opened(value: Any, field: str) -> Any:
    """JSON that stands as text in a cell is read; anything else stays.

    Raises:
        RowFault: text that begins like JSON and is none.
    """
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError as error:
        if _JSON.match(value):
            raise RowFault(
                field, f"broken JSON at column {error.colno}: {error.msg}", "export it again"
            ) from error
        return value  # "[sold out] …" is a text


def texts(value: Any, field: str) -> list[str]:
    """Those texts of a list that say something."""
    found = [as_text(item, field).strip() for item in items(value, field)]
    return [item for item in found if item]


def entry(value: Any, field: str) -> Values:
    """An object of a list.

    Raises:
        RowFault: it is something else.
    """
    if not isinstance(value, dict):
        raise RowFault(field, f"{str(value)[:40]!r} is no object", "map a list of objects")
    return value


def _at(row: Any, path: str) -> Any:
    """The value at a name, or at a path with dots; numbers count the items of lists."""
    if isinstance(row, dict) and path in row:
        return row[path]
    head, dot, rest = path.partition(".")
    if not dot:
        return _step(row, path)
    inner = _step(row, head)
    if isinstance(inner, str) and inner.lstrip().startswith(("{", "[")):
        inner = opened(inner, head)
    return _MISSING if inner is _MISSING else _at(inner, rest)


def _step(node: Any, key: str) -> Any:
    if isinstance(node, dict):
        return node.get(key, _MISSING)
    if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
        return node[int(key)]
    return _MISSING


def _near(name: str, row: Values) -> str:
    inner = [
        f"{key}.{sub}" for key, value in row.items() if isinstance(value, dict) for sub in value
    ]
    return did_you_mean(name, [*row, *inner]) or f" There are: {', '.join(list(row)[:8])}"
