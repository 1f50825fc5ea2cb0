"""Attribute strings of Amazon's product QA sets, which look like JSON and are not.

    item_weight:  { unit:pounds, normalized_value:{ unit:pounds, value:13. }, value:13. }
    material:  { value:"metal" }; { value:"plastic" }

A key up to the first colon, then values parted by `;`. A value is an object, a list, a quoted
string or a bare word; `13.` is a number. What does not parse (inch marks in quotes, bare dates)
stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Value = Any
"""A dict, list, str, float, int or bool, nested as it was written."""

_TOKEN = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([{}\[\]:;,])|([^\s{}\[\]:;,"']+))""")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)", re.ASCII)
_DEEPEST = 20
_LONGEST_NUMBER = 30

_DIRECT = {"brand": "brand", "color": "color", "material": "material", "size": "size",
           "model_number": "model", "part_number": "mpn", "manufacturer": "manufacturer"}  # fmt: skip
"""Keys that schema.org/Product has a field of text for; all others are additionalProperty."""


@dataclass(frozen=True)
class Attribute:
    """A key and its values, in order."""

    key: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Leaf:
    """One plain value, the name it has inside its attribute, and its unit."""

    name: str
    value: str | int | float | bool
    unit: str | None
    also: str = ""


class _NotAttribute(ValueError):
    pass


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str


def parse(text: str) -> Attribute | None:
    """The attribute that `text` states, or None where it has another form."""
    key, colon, rest = text.partition(":")
    key = key.strip()
    if not colon or not key or not re.fullmatch(r"[\w.\-]+", key):
        return None
    try:
        return Attribute(key, tuple(_values(_tokens(rest))))
    except _NotAttribute:
        return None


def sentence(attribute: Attribute) -> str:
    """The attribute in words: "item weight: 13 pounds"; "material: metal, plastic"."""
    said = []
    for leaf in leaves(attribute):
        name = f"{leaf.name} " if leaf.name else ""
        unit = f" {leaf.unit}" if leaf.unit else ""
        also = f" ({leaf.also})" if leaf.also else ""
        said.append(f"{name}{_written(leaf.value)}{unit}{also}")
    return f"{_words(attribute.key)}: {', '.join(said) or 'not given'}"


def product(attribute: Attribute) -> dict[str, Any]:
    """The attribute as fields of schema.org/Product."""
    found = list(leaves(attribute))
    field = _DIRECT.get(attribute.key)
    if field and found and not any(leaf.name for leaf in found):
        return {field: ", ".join(_written(leaf.value) for leaf in found)}
    if attribute.key == "item_weight" and len(found) == 1 and not found[0].name:
        return {"weight": _quantity(found[0])}
    name = _words(attribute.key)
    return {
        "additionalProperty": [
            {"name": f"{name} {leaf.name}".strip(), **_quantity(leaf)} for leaf in found
        ]
    }


def leaves(attribute: Attribute) -> Iterator[Leaf]:
    """Every plain value of an attribute."""
    for value in attribute.values:
        yield from _leaves("", value)


def _leaves(name: str, value: Value) -> Iterator[Leaf]:
    if isinstance(value, list):
        for item in value:
            yield from _leaves(name, item)
    elif not isinstance(value, dict):
        yield Leaf(name, value, None)
    elif "value" in value and not isinstance(value["value"], (dict, list)):
        unit = value.get("unit", value.get("type"))
        yield Leaf(name, value["value"], _unit(unit), _normalized(value))
    else:
        for key, part in value.items():
            if key != "unit":
                yield from _leaves(
                    f"{name} {_words(key)}".strip() if key != "value" else name, part
                )


def _unit(unit: Value) -> str | None:
    if isinstance(unit, dict):
        unit = unit.get("value")
    return _words(str(unit)) if isinstance(unit, (str, int, float)) else None


def _normalized(value: dict[str, Value]) -> str:
    """The same quantity in another unit, where it is not the same again."""
    other = value.get("normalized_value")
    if (
        not isinstance(other, dict)
        or "value" not in other
        or isinstance(other["value"], (dict, list))
    ):
        return ""
    if other.get("unit") == value.get("unit"):
        return ""
    return f"{_written(other['value'])} {_unit(other.get('unit')) or ''}".strip()


def _quantity(leaf: Leaf) -> dict[str, Any]:
    return {"value": leaf.value, **({"unitText": leaf.unit} if leaf.unit else {})}


def _written(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _words(key: str) -> str:
    return key.replace("_", " ").strip()


def _tokens(text: str) -> list[_Token]:
    found, at, end = [], 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if not match:
            raise _NotAttribute(text[at:])
        double, single, mark, bare = match.groups()
        quoted = double if double is not None else single
        if quoted is not None:
            found.append(_Token("text", quoted))
        else:
            found.append(_Token("mark", mark) if mark else _Token("bare", bare))
        at = match.end()
    return found


def _values(tokens: list[_Token]) -> list[Value]:
    values, at = [], 0
    while True:
        value, at = _value(tokens, at, 0)
        values.append(value)
        if at == len(tokens):
            return values
        _expect(tokens, at, ";")
        at += 1


def _value(tokens: list[_Token], at: int, depth: int) -> tuple[Value, int]:
    """The value that starts at `at`, and where the next token stands."""
    if at >= len(tokens) or depth > _DEEPEST:
        raise _NotAttribute
    token = tokens[at]
    if token.kind == "text":
        return token.text, at + 1
    if token.kind == "bare":
        return _plain(token.text), at + 1
    if token.text == "{":
        return _object(tokens, at + 1, depth + 1)
    if token.text == "[":
        return _list(tokens, at + 1, depth + 1)
    raise _NotAttribute(token.text)


def _object(tokens: list[_Token], at: int, depth: int) -> tuple[Value, int]:
    found: dict[str, Value] = {}
    while not _is(tokens, at, "}"):
        if found:
            _expect(tokens, at, ",")
            at += 1
        if at >= len(tokens) or tokens[at].kind == "mark":
            raise _NotAttribute
        key = tokens[at].text
        _expect(tokens, at + 1, ":")
        found[key], at = _value(tokens, at + 2, depth)
    return found, at + 1


def _list(tokens: list[_Token], at: int, depth: int) -> tuple[Value, int]:
    found: list[Value] = []
    while not _is(tokens, at, "]"):
        if found:
            _expect(tokens, at, ",")
            at += 1
        item, at = _value(tokens, at, depth)
        found.append(item)
    return found, at + 1


def _is(tokens: list[_Token], at: int, mark: str) -> bool:
    return at < len(tokens) and tokens[at] == _Token("mark", mark)


def _expect(tokens: list[_Token], at: int, mark: str) -> None:
    if not _is(tokens, at, mark):
        raise _NotAttribute(mark)


def _plain(word: str) -> str | int | float | bool:
    """`true`, `13.` and `4` by their meaning, anything else as the word it is."""
    if word in ("true", "false"):
        return word == "true"
    if len(word) > _LONGEST_NUMBER or not _NUMBER.fullmatch(word):
        return word
    return float(word) if "." in word else int(word)
