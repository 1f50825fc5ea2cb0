"""The notation of Amazon's product attributes, which looks like JSON and is not.

    item_weight:  { unit:pounds, normalized_value:{ unit:pounds, value:13. }, value:13. }
    material:  { value:"metal" }; { value:"plastic" }

A key up to the first colon, then values parted by `;`. A value is an object, a list, a quoted
string or a bare word; `13.` is a number, `|"` and `\\"` are quotes inside a string.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

Scalar = str | int | float | bool
Value = Any
"""A dict, list or Scalar, nested as it was written."""

_TOKEN = re.compile(
    r"""\s*(?:
        "(?P<double>(?:[^"\\|]|\\.|\|"|\|)*)"
      | '(?P<single>[^']*)'
      | (?P<mark>[{}\[\]:;,])
      | (?P<time>\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(?:\.\d+)?z?)(?![^\s{}\[\]:;,"'])
      | (?P<bare>[^\s{}\[\]:;,"']+)
    )""",
    re.VERBOSE | re.DOTALL | re.ASCII | re.IGNORECASE,
)
_ESCAPED_QUOTE = re.compile(r'[\\|]"')
_KEY = re.compile(r"[\w.\-]+")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)", re.ASCII)
_CODE = re.compile(r"[+-]?0\d+")
_DEEPEST = 20
_LONGEST_NUMBER = 15
"""Digits that a double holds; longer ones are codes, as are those with a leading zero."""


@dataclass(frozen=True)
class Attribute:
    """A key and its values, in order."""

    key: str
    values: tuple[Value, ...]


class _NotAttribute(ValueError):
    pass


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str


def words(key: str) -> str:
    """A key, unit or named value as a person says it: "item weight"."""
    return key.replace("_", " ").strip()


def parse(text: str) -> Attribute | None:
    """The attribute that `text` states, or None where it has another form."""
    key, colon, rest = text.partition(":")
    key = key.strip()
    if not colon or not _KEY.fullmatch(key):
        return None
    try:
        return Attribute(key, tuple(_values(_tokens(rest))))
    except _NotAttribute:
        return None


def _tokens(text: str) -> list[_Token]:
    found, at, end = [], 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if not match:
            raise _NotAttribute(text[at:])
        kind = str(match.lastgroup)
        found.append(_Token(kind, match[kind]))
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
    match token.kind, token.text:
        case "mark", "{":
            return _object(tokens, at + 1, depth + 1)
        case "mark", "[":
            return _list(tokens, at + 1, depth + 1)
        case "mark", _:
            raise _NotAttribute(token.text)
        case "double", text:
            return _ESCAPED_QUOTE.sub('"', text), at + 1
        case "single", text:
            return text, at + 1
        case "time", text:
            return _moment(text), at + 1
    return _word(token.text), at + 1


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


def _word(word: str) -> Scalar:
    """`true`, `13.` and `4` by their meaning; other bare words are names of values, which a person
    says without underscores."""
    if word in ("true", "false"):
        return word == "true"
    if len(word) > _LONGEST_NUMBER or not _NUMBER.fullmatch(word) or _CODE.fullmatch(word):
        return words(word) or word
    return float(word) if "." in word else int(word)


def _moment(text: str) -> str:
    """An ISO 8601 date; the time of day too, unless it is the midnight of a date without one."""
    day, _, time = text.upper().partition("T")
    return day if time.startswith("00:00:0") else f"{day}T{time}"
