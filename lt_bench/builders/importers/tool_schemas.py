"""Tools as data sets describe them, in OpenAI's form: types of Python, Java and JavaScript as JSON Schema.

`{"type": "dict", "properties": {"n": {"type": "float"}}}` is an object with a number, and
`"List[Union[int, float]], optional"` an array of integers or numbers that may be left out. A type
that nobody knows becomes `{}`, which takes any value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from lt_bench.builders.problem import RowFault

Schema = dict[str, Any]

_TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "string": ("str", "string", "char", "text", "date", "datetime", "bytes"),
    "integer": ("int", "integer", "long", "short", "byte", "bigint"),
    "number": ("float", "number", "double", "decimal"),
    "boolean": ("bool", "boolean"),
    "array": (
        "list", "array", "arraylist", "tuple", "set", "queue", "stack", "sequence", "iterable",
        "np.ndarray",
    ),
    "object": ("dict", "object", "hashmap", "hashtable", "map", "mapping"),
    "null": ("none", "null", "nonetype"),
}  # fmt: skip
_NAMES: Final = {name: kind for kind, names in _TYPES.items() for name in names}
_INNER: Final = re.compile(r"([\w.]+)\s*\[(.*)\]", re.DOTALL)
_OPTIONAL: Final = re.compile(r"\s*,?\s*\(?\s*optional\s*\)?\s*$", re.IGNORECASE)
_DEEPEST: Final = 40


def tool(name: str, description: str, parameters: Schema) -> dict[str, Any]:
    """One tool in OpenAI's form."""
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


def from_pythonic(schema: Mapping[str, Any], depth: int = 0) -> Schema:
    """A schema whose types have other names, nested ones with it; all other keys stay.

    Raises:
        RowFault: it is no schema, or nested too deep.
    """
    if depth > _DEEPEST:
        raise RowFault("parameters", f"is nested more than {_DEEPEST} levels deep")
    found = {key: value for key, value in schema.items() if key not in ("type", "optional")}
    kind = schema.get("type")
    typed = written(kind) if isinstance(kind, str) else {"type": kind} if kind else {}
    properties = schema.get("properties")
    if isinstance(properties, dict):
        found["properties"] = {
            name: from_pythonic(_schema_of(name, value), depth + 1)
            for name, value in properties.items()
        }
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            found[key] = from_pythonic(schema[key], depth + 1)
    return {**typed, **found}


def from_listed(parameters: Mapping[str, Any]) -> Schema:
    """Parameters as `{name: {type, description, default}}`; those are required whose type does not
    end in "optional". One that is a JSON Schema already stays what it is.

    Raises:
        RowFault: a parameter is no object.
    """
    if isinstance(parameters.get("properties"), dict) and parameters.get("type") in (
        "object",
        "dict",
    ):
        return from_pythonic(parameters)
    properties: Schema = {}
    required = []
    for name, value in parameters.items():
        given = _schema_of(name, value)
        kind = given.get("type", "")
        if not (isinstance(kind, str) and _OPTIONAL.search(kind)):
            required.append(name)
        properties[name] = from_pythonic(given)
    return {"type": "object", "properties": properties, "required": required}


def not_required(schema: Schema, left_out: set[str]) -> Schema:
    """The same parameters; none of `left_out` is required."""
    required = [name for name in schema.get("required", ()) if name not in left_out]
    return {**schema, "required": required}


def written(kind: str, depth: int = 0) -> Schema:
    """A type as it is written in a signature."""
    bare = _OPTIONAL.sub("", kind).strip()
    known = _NAMES.get(bare.lower())
    if known:
        return {"type": known}
    inner = _INNER.fullmatch(bare)
    if inner is None or depth > _DEEPEST:
        return {}
    outer, parts = inner[1].lower().rpartition(".")[2], list(_parts(inner[2]))
    if outer == "optional":
        return written(parts[0], depth + 1)
    if outer == "union":
        return _one_of([written(part, depth + 1) for part in parts])
    return _holding({"type": _NAMES[outer]} if outer in _NAMES else {}, outer, parts, depth)


def _holding(schema: Schema, outer: str, parts: list[str], depth: int) -> Schema:
    """What an array or an object holds, where all of it has one type."""
    held = [written(part, depth + 1) for part in parts if part != "..."]
    if schema.get("type") == "array" and held and all(one == held[0] for one in held):
        schema["items"] = held[0]
        if outer == "tuple" and "..." not in parts:
            schema |= {"minItems": len(held), "maxItems": len(held)}
    if schema.get("type") == "object" and len(held) == 2 and held[1]:
        schema["additionalProperties"] = held[1]
    return schema


def _one_of(kinds: list[Schema]) -> Schema:
    if not all(kinds):
        return {}
    plain = [one["type"] for one in kinds if set(one) == {"type"}]
    if len(plain) == len(kinds):
        return {"type": list(dict.fromkeys(plain)) if len(set(plain)) > 1 else plain[0]}
    return {"anyOf": kinds}


def _parts(text: str) -> Iterator[str]:
    """What stands between the commas that are in no brackets."""
    depth, start = 0, 0
    for place, char in enumerate(text):
        depth += (char in "[(") - (char in "])")
        if char == "," and depth == 0:
            yield text[start:place].strip()
            start = place + 1
    yield text[start:].strip()


def _schema_of(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise RowFault(f"parameters.{name}", f"is no object but {value!r}"[:120])
    return value
