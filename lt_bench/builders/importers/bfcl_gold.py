"""Accepted answers of BFCL as gold calls: plain JSON values, and what may be left out.

`{"plan": {"days": [3, 4], "note": ["", "x"], "spot": [{"lat": [1], "lon": [2, ""]}]}}` gives
arguments `{"days": 3, "note": "x", "spot": {"lat": 1, "lon": 2}}`, accepts 3 or 4 days and the spot
with or without its `lon`, and lets `note` be left out: "" among the values says so.
"""

from __future__ import annotations

import itertools
from typing import Any, Final

from lt_bench.builders.importers.tool_rows import shown
from lt_bench.builders.problem import RowFault
from lt_bench.records import GoldCall

OMITTED: Final = ""


class Unanswerable(RowFault):
    """An argument that is asked for and accepts no value: the official checker passes no call."""


MOST: Final = 4096
"""Accepted values of one argument, with all combinations of what it holds; the set has up to 128."""


def gold_of(answer: Any, field: str) -> GoldCall:
    """One accepted call.

    Raises:
        RowFault: it is not `{function: {argument: [values]}}`.
    """
    if not isinstance(answer, dict) or len(answer) != 1:
        raise RowFault(field, f"is not one function with its arguments: {shown(answer)}")
    (name, arguments), *_ = answer.items()
    if not isinstance(arguments, dict):
        raise RowFault(f"{field}.{name}", f"is no object of arguments: {shown(arguments)}")
    made: dict[str, Any] = {}
    accept: dict[str, tuple[Any, ...]] = {}
    optional = []
    for key, values in arguments.items():
        if not isinstance(values, list):
            raise RowFault(f"{field}.{name}.{key}", f"is no list of values: {shown(values)}")
        if not values:
            raise Unanswerable(f"{field}.{name}.{key}", "accepts no value")
        plain = _plain(values, f"{field}.{name}.{key}")
        if OMITTED in values:
            optional.append(key)
        if plain:
            made[key] = plain[0]
        accept[key] = tuple(plain)
    return GoldCall(name=name, arguments=made, accept=accept, optional=tuple(optional))


def _plain(values: list[Any], field: str) -> list[Any]:
    """All values that are accepted, in the order of the file, each once."""
    found: list[Any] = []
    for value in values:
        if value != OMITTED:
            found += _combined(value, field)
        if len(found) > MOST:
            raise RowFault(field, f"accepts over {MOST:,} values", "list them in fewer words")
    return found


def _combined(value: Any, field: str) -> list[Any]:
    """An object whose keys list their values stands for every choice of them; so does an array of
    such objects."""
    if isinstance(value, dict):
        choices = [[(key, one) for one in _listed(inner)] for key, inner in value.items()]
        return [
            {key: one for key, one in choice if one != OMITTED}
            for choice in _product(choices, field)
        ]
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        parts = [_combined(one, field) for one in value]
        return [list(choice) for choice in _product(parts, field)]
    return [value]


def _listed(values: Any) -> list[Any]:
    return values if isinstance(values, list) else [values]


def _product(choices: list[list[Any]], field: str) -> list[tuple[Any, ...]]:
    size = 1
    for one in choices:
        size *= len(one)
        if size > MOST:
            raise RowFault(field, f"accepts over {MOST:,} values", "list them in fewer words")
    return list(itertools.product(*choices))
