"""The answer form `json`: one object, a label of the declared type, and an optional reason.

Any other key makes an answer unreadable: a second verdict under another name, or a confidence
that takes the first one back, is no answer to the question that was asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, Final, NoReturn

from lt_bench.judge.plain import bare, folded
from lt_bench.judge.reading import Reading, Unreadable
from lt_bench.judge.spec import JsonAnswer, Label

MAX_CHARACTERS: Final = 200_000
"""No verdict is longer; a ledger of a hundred statements has about a tenth of it."""
_INFO = re.compile(r"[A-Za-z0-9_+-]{0,20}")
_SURROGATE = re.compile("[\ud800-\udfff]")


def read(answer: JsonAnswer, labels: Mapping[str, Label], text: str) -> Reading:
    """The label under the declared field, and the reason.

    Raises:
        Unreadable: not exactly one such object.
    """
    found = one_object(text)
    keys = [answer.field, *([answer.reason] if answer.reason else [])]
    refuse_others(found, keys, "the object")
    if answer.field not in found:
        raise Unreadable(f'the object has no "{answer.field}"; {wanted(labels, answer.field)}')
    label = label_for(labels, found[answer.field])
    if label is None:
        raise Unreadable(wanted(labels, answer.field))
    return Reading(label, sentence(found, answer.reason) if answer.reason else "")


def one_object(text: str) -> dict[str, Any]:
    """The only thing in `text`, but for white space, hidden characters and one code fence around.

    Raises:
        Unreadable: anything else. The message repeats nothing of the text, so that it can be shown
            to a model without carrying along what a reply made another one say.
    """
    if len(text) > MAX_CHARACTERS:
        raise Unreadable("the answer is far too long; give one short JSON object")
    body = _unfenced(bare(text))
    if not body.startswith("{"):
        raise Unreadable(
            "the answer is empty; give one JSON object"
            if not body
            else "the answer does not begin with {; give one JSON object and no other word"
        )
    try:
        found = json.loads(body, object_pairs_hook=_distinct, parse_constant=_no_number)
    except Unreadable:
        raise
    except json.JSONDecodeError as error:
        raise Unreadable(_complaint(body, error)) from None
    except (ValueError, RecursionError):
        raise Unreadable("the JSON is too deep or holds a number without measure") from None
    assert isinstance(found, dict)
    return found


def refuse_others(found: Mapping[str, object], keys: Collection[str], where: str) -> None:
    """Raises Unreadable where an object has other keys than it may."""
    if any(key not in keys for key in found):
        raise Unreadable(f"{where} has unknown keys; it may hold {', '.join(keys)} and no more")


def label_for(labels: Mapping[str, Label], said: object) -> str | None:
    """The label whose `says` is this value, of the same JSON type; case does not matter."""
    value = folded(said) if isinstance(said, str) else said
    for name, label in labels.items():
        says = folded(label.says) if isinstance(label.says, str) else label.says
        if type(says) is type(value) and says == value:
            return name
    return None


def wanted(labels: Mapping[str, Label], field: str) -> str:
    """'"correct" must be true or false, without quotes'."""
    values = " or ".join(json.dumps(label.says, ensure_ascii=False) for label in labels.values())
    plain = all(isinstance(label.says, bool) for label in labels.values())
    return f'"{field}" must be {values}' + (", without quotes" if plain else "")


def sentence(found: Mapping[str, object], key: str) -> str:
    """The text under an optional key.

    Raises:
        Unreadable: it is no text.
    """
    said = found.get(key, "")
    if not isinstance(said, str):
        raise Unreadable(f'"{key}" must be a text in quotes')
    return _SURROGATE.sub("\ufffd", said)


def _unfenced(text: str) -> str:
    """What one code fence encloses, which may stand on a single line; else the text as it is."""
    fence = text[: len(text) - len(text.lstrip("`"))]
    if len(fence) < 3 or len(text) < 2 * len(fence) or not text.endswith(fence):
        return text
    inner = text[len(fence) : -len(fence)]
    return bare(_INFO.sub("", inner, count=1) if _INFO.match(inner) else inner)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable("a key stands twice in one object; give every key once")
    return found


def _no_number(_: str) -> NoReturn:
    raise Unreadable("NaN and Infinity are not JSON")


def _complaint(body: str, error: json.JSONDecodeError) -> str:
    if error.msg == "Extra data":
        after = body[error.pos :].lstrip(", \n\r\t")
        return (
            "there is more than one JSON object; give exactly one"
            if after.startswith("{")
            else "there is text after the JSON object; end with its closing brace"
        )
    if error.pos >= len(body) or error.msg.startswith("Unterminated string"):
        return "the JSON object is cut off; keep the reason short and close the object"
    if error.msg.startswith("Invalid control character"):
        return "the JSON holds a raw line break within quotes; write \\n or one line"
    return f"the JSON is broken at character {error.pos + 1}; check quotes, commas and braces"
