"""The answer form `line`: `GRADE: C` somewhere in the text, or a label alone.

Emphasis (`**GRADE:** C`) and hidden characters are looked through, everything else is taken by the
letter. A key without a label after it, or two labels that differ, are no verdict.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import Final

from lt_bench.judge.json_answer import MAX_CHARACTERS
from lt_bench.judge.plain import folded, visible
from lt_bench.judge.reading import Reading, Unreadable
from lt_bench.judge.spec import Label, LineAnswer

_EMPHASIS = str.maketrans("", "", "*`")
_END: Final = r"(?![\w+?？\[(-]|[.,:'’]\w|\s*[/|%]|\s+(?:out\s+)?of\s+\d)"
"""A label ends where no word, number, scale or doubt goes on: `C.` and `C, as`, not `C-`, `C?`, `1.5`
or `1 of 10`."""
_WORDS: Final = frozenset({"a", "i"})
"""Labels that are words of English, too: "GRADE: I think" holds no label."""
_NEXT_WORD: Final = re.compile(r"[^\S\n]+[^\W\d_]")


def read(answer: LineAnswer, labels: Mapping[str, Label], text: str) -> Reading:
    """The label behind the key or, without a key, the answer as a whole.

    Raises:
        Unreadable: there is none, or there are several.
    """
    if len(text) > MAX_CHARACTERS:
        raise Unreadable("the answer is far too long")
    plain = visible(text).translate(_EMPHASIS).strip()
    names = {folded(str(label.says)): name for name, label in labels.items()}
    choice = " or ".join(str(label.says) for label in labels.values())
    try:
        said = _after_key(answer.key, plain, list(names)) if answer.key else _whole(plain, names)
    except Unreadable as error:
        form = f"end with a line `{answer.key}: LABEL`" if answer.key else "write a label alone"
        raise Unreadable(f"{error}; {form}, the label being {choice}") from None
    return Reading(names[said], plain)


def _whole(text: str, labels: Container[str]) -> str:
    said = folded(text.strip("\"'“”").rstrip(".。"))
    if said not in labels:
        raise Unreadable("the answer is not a label")
    return said


def _after_key(key: str, text: str, labels: Sequence[str]) -> str:
    text = text.casefold()
    places = [match.end() for match in _key(key.casefold()).finditer(text)]
    if not places:
        raise Unreadable(f"there is no `{key}:`")
    pattern = _label(labels)
    found = {_label_at(pattern, text, place) for place in places}
    if len(found) > 1:
        raise Unreadable(f"`{key}:` stands more than once, not always with the same label")
    (label,) = found
    if label is None:
        raise Unreadable(f"no single label stands right after `{key}:`")
    return label


def _key(key: str) -> re.Pattern[str]:
    """The key as a word of its own, with its colon: neither `downgrade:` nor `sub-grade:`."""
    return re.compile(rf"(?<![\w-]){re.escape(key)}[^\S\n]*[:：]\s*")


def _label(labels: Sequence[str]) -> re.Pattern[str]:
    """The longest of the labels, and whether another one is offered beside it ("C or I")."""
    one = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    beside = rf"\s*(?:,|，|、|\bor\b|\band\b|或|和)\s*(?:{one}){_END}"
    return re.compile(rf"(?P<label>{one}){_END}(?P<choice>{beside})?")


def _label_at(pattern: re.Pattern[str], text: str, place: int) -> str | None:
    match = pattern.match(text, place)
    if match is None or match["choice"]:
        return None
    goes_on = _NEXT_WORD.match(text, match.end())
    return None if match["label"] in _WORDS and goes_on else match["label"]
