"""Checks the arguments of a call against the schema of its tool."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from lt_bench.environments.shop.records import ShopLang
from lt_bench.environments.shop.saying import Voice, shown
from lt_bench.environments.shop.schemas import SIGNATURES, parameters
from lt_bench.environments.shop.words.texts import Saying

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

MOST_VALUES: Final = 200
"""Values in the arguments of one call, those inside of lists and objects included."""
DEEPEST: Final = 8
LONGEST: Final = 2_000
LARGEST: Final = 2**53
_LONGEST_NAME: Final = 60
_MOST_SAID: Final = 3
_LIMITS: Final[dict[str, Saying]] = {
    "minimum": "too_small",
    "maximum": "too_large",
    "minLength": "too_short",
    "maxLength": "too_long",
    "minItems": "too_few",
    "maxItems": "too_many",
    "uniqueItems": "not_unique",
}


def unfit(lang: ShopLang, tool: str, arguments: object) -> str:
    """What is wrong with the arguments of a known tool, "" if nothing is."""
    voice = Voice(lang)
    if not isinstance(arguments, dict):
        return voice.say("no_object")
    # The library says a whole value in its own message, so a huge or very deep one is met first.
    strange = _strange(voice, arguments)
    if strange:
        return strange
    errors = sorted(_validator(lang, tool).iter_errors(arguments), key=lambda one: one.json_path)
    said = dict.fromkeys(text for error in errors for text in _said(voice, tool, error))
    return " ".join(list(said)[:_MOST_SAID])


@cache
def _validator(lang: ShopLang, tool: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator  # slow to import, and few commands call tools

    return Draft202012Validator(parameters(lang, tool))


def _strange(voice: Voice, arguments: dict[Any, Any]) -> str:
    """What no schema should have to look at, "" if there is nothing of the kind."""
    waiting: list[tuple[str, Any, int]] = [("", arguments, 0)]
    seen = 0
    while waiting:
        path, value, depth = waiting.pop()
        seen += 1
        inside = len(value) if isinstance(value, dict | list) else 0
        if seen + len(waiting) + inside > MOST_VALUES or depth > DEEPEST:
            return voice.say("too_big", argument=path)
        if isinstance(value, dict):
            for key, one in value.items():
                if not isinstance(key, str) or _strange_value(voice, path, key):
                    return voice.say("no_object")
                waiting.append((_path((path, key[:_LONGEST_NAME])), one, depth + 1))
        elif isinstance(value, list):
            waiting += [(f"{path}[{at}]", one, depth + 1) for at, one in enumerate(value)]
        elif fault := _strange_value(voice, path, value):
            return fault
    return ""


def _strange_value(voice: Voice, path: str, value: object) -> str:
    """What is wrong with a value that holds no others."""
    match value:
        case None | bool():
            return ""
        case str() if len(value) > LONGEST:
            return voice.say("too_long", argument=path, limit=LONGEST)
        case str():
            return "" if _is_text(value) else voice.say("no_text", argument=path)
        case int() if abs(value) > LARGEST:
            return voice.say("too_large", argument=path, value="...", limit=LARGEST)
        case int():
            return ""
        case float():
            return "" if math.isfinite(value) else voice.say("no_number", argument=path)
        case _:
            return voice.say("no_json", argument=path)


def _is_text(text: str) -> bool:
    """Whether it can be written as UTF-8 and kept in a database: no lone surrogate, no NUL."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _said(voice: Voice, tool: str, error: ValidationError) -> Iterator[str]:
    """One error of the library in the shop's own words."""
    match error.validator:
        case "required":
            for name in error.validator_value:
                if name not in error.instance:
                    yield voice.say("missing", argument=_path((*error.absolute_path, name)))
        case "additionalProperties":
            known = list(error.schema["properties"])
            for name in error.instance:
                if name not in known:
                    joined = voice.join(known)
                    said = voice.say("unknown_argument", argument=shown(name), known=joined)
                    yield said + voice.nearest(name, known)
        case "minProperties":
            yield voice.say("one_needed", known=voice.join(SIGNATURES[tool].optional))
        case _:
            yield _said_of_value(voice, error)


def _said_of_value(voice: Voice, error: ValidationError) -> str:
    limit, value = error.validator_value, error.instance
    said = {"argument": _path(error.absolute_path), "value": shown(value)}
    match error.validator:
        case "type":
            return voice.say("wrong_type", **said, expected=voice.type_name(limit))
        case "enum":
            nearest = voice.nearest(value, limit)
            return voice.say("not_one_of", **said, known=voice.join(limit)) + nearest
        case "pattern":
            return voice.say("wrong_form", **said, expected=error.schema["description"])
        case other:
            return voice.say(_LIMITS[other], **said, limit=limit)


def _path(parts: Iterable[object]) -> str:
    """ "items[0].sku"."""
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text
