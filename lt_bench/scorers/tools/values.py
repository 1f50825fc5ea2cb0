"""Whether an argument has an accepted value, by the rules of the Berkeley Function-Calling Leaderboard.

The rules of its checker for Python (Patil et al., 2025; `bfcl-eval`), on JSON Schema types: an integer
passes for a number and 5.0 never for an integer; a bool is neither; texts are compared without case,
spaces and the marks `,./-_*^`, also one level deep in arrays and objects, and exactly below that. A
value of the accepted values' own type passes where the schema asks for another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

OMITTED: Final = ""
"""Among the accepted values: the argument may be left out. The checker takes it for a value too: a
text that is left empty, an array of nothing."""

_KINDS: Final[Mapping[str, type]] = {
    "integer": int,
    "number": float,
    "string": str,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}
_ANY: Final = frozenset((str,))
"""What the checker takes for the type of a parameter that may be anything."""
_IGNORED: Final = re.compile(r"[ ,./\-_*^]")


def value_fault(value: Any, accepted: Sequence[Any], schema: Mapping[str, Any]) -> str | None:
    """What is wrong with a value, as the checker names it ("value_error:string"); None where it is
    accepted."""
    kinds = _kinds(schema)
    if type(value) is int and float in kinds and int not in kinds:
        value = float(value)
    nested = _kinds(schema["items"]) if isinstance(schema.get("items"), Mapping) else None
    fault, foreign = _type_fault(value, accepted, kinds, nested)
    if fault:
        return fault
    if foreign:
        return None if value in accepted else "value_error:others"
    if isinstance(value, dict):
        return _object_fault(value, accepted)
    if isinstance(value, list):
        of_objects = nested is not None and dict in nested
        return _objects_fault(value, accepted) if of_objects else _array_fault(value, accepted)
    if isinstance(value, str):
        texts = {plain(one) for one in accepted if isinstance(one, str)}
        return None if plain(value) in texts else "value_error:string"
    return None if value in accepted else "value_error:others"


def plain(value: Any) -> Any:
    """A text as it is compared; any other value as it is."""
    return _plain(value) if isinstance(value, str) else value


@lru_cache(maxsize=1 << 14)
def _plain(text: str) -> str:
    return _IGNORED.sub("", text).lower().replace("'", '"')


def _kinds(schema: Mapping[str, Any]) -> frozenset[type]:
    """The Python types of a schema; what has none that is known may be anything."""
    named = schema.get("type")
    names = named if isinstance(named, list) else [named]
    found = frozenset(_KINDS[name] for name in names if isinstance(name, str) and name in _KINDS)
    return found or _ANY


def _type_fault(
    value: Any, accepted: Sequence[Any], kinds: frozenset[type], nested: frozenset[type] | None
) -> tuple[str | None, bool]:
    """What is wrong with the type; and whether it is the accepted values' own and not the schema's,
    in which case nothing but equality counts."""
    own = next((type(one) for one in accepted if one != OMITTED), None)
    foreign = own is not None and own not in kinds
    if type(value) in kinds:
        if nested is None or not isinstance(value, list):
            return None, foreign
        if any(_holds(value, one, nested) for one in accepted):
            return None, foreign
        return ("type_error:nested" if own is list else "type_error:simple"), foreign
    return (None, True) if type(value) is own else ("type_error:simple", foreign)


def _holds(values: list[Any], accepted: Any, kinds: frozenset[type]) -> bool:
    """Whether all of an array has the types of one accepted array. What is no array asks nothing."""
    if not isinstance(accepted, list):
        return True
    own = next((type(one) for one in accepted if one != OMITTED), None)
    return all(type(one) in kinds or type(one) is own for one in values)


def _array_fault(value: list[Any], accepted: Sequence[Any]) -> str | None:
    given = [plain(one) for one in value]
    found = any(given == _flat(one) for one in accepted)
    return None if found else "value_error:list/tuple"


def _flat(accepted: Any) -> list[Any] | None:
    """An accepted array as it is compared; "" stands for the empty one."""
    if accepted == OMITTED:
        return []
    return [plain(one) for one in accepted] if isinstance(accepted, list) else None


def _object_fault(value: Any, accepted: Sequence[Any]) -> str | None:
    """The fault beside the last of the accepted objects, as the checker tells it."""
    fault: str | None = "dict_checker:unclear"
    for one in accepted:
        if one == OMITTED:
            continue
        fault = _unlike(value, one)
        if fault is None:
            return None
    return fault


def _unlike(value: Any, accepted: Any) -> str | None:
    if not isinstance(value, dict) or not isinstance(accepted, dict):
        return "value_error:dict_key"
    if any(key not in value for key in accepted):
        return "value_error:dict_key"
    for key, given in value.items():
        if key not in accepted:
            return "value_error:dict_key"
        if plain(given) != plain(accepted[key]):
            return "value_error:dict_value"
    return None


def _objects_fault(values: list[Any], accepted: Sequence[Any]) -> str | None:
    """Arrays of objects are compared in their order."""
    fault: str | None = "list_dict_checker:unclear"
    for one in accepted:
        if len(values) != len(one if isinstance(one, list | str) else ()):
            fault = "value_error:list_dict_count"
            continue
        pairs = zip(values, one, strict=True) if isinstance(one, list) else ()
        fault = next((found for v, o in pairs if (found := _unlike(v, o))), None)
        if fault is None:
            return None
    return fault
