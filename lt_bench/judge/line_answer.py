"""The answer form `line`: a last line `GRADE: C`, or a label alone.

The key begins a line or follows the end of a sentence, and the label is the rest of its line or of
its sentence: `GRADE: C`, `GRADE: C. So it is.`, `GRADE: C because …`. Whatever else stands around
them ("not GRADE: C", `"GRADE: C"`, `GRADE: C; no, I`) may quote the label or take it back, and
makes the answer unreadable, as does a second place that is no verdict or another one. Emphasis
(`**GRADE:** C`) and hidden characters are looked through, everything else is taken by the letter.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lt_bench.judge.json_answer import MAX_CHARACTERS
from lt_bench.judge.plain import folded, visible
from lt_bench.judge.reading import Reading, Unreadable
from lt_bench.judge.spec import Label, LineAnswer

_EMPHASIS = str.maketrans("", "", "*`")
_BEGIN: Final = r"(?:^[^\S\n]*(?:[#-]+[^\S\n]+)?|[.!?;…][^\S\n]+|[。！？；…][^\S\n]*)"
"""A new line, which may be a heading or an item of a list, or a new sentence."""
_SENTENCE_END: Final = r"[^\S\n]*(?:\.{3}|…)|[.!](?=\s|\Z)|[。！]"
_REASON: Final = r"[^\S\n]*[,，]?[^\S\n]*(?:because\b|since\b|因为|因為|由于|由於)"
_END: Final = rf"(?:[^\S\n]*(?=\n|\Z)|{_SENTENCE_END}|{_REASON})"
_MARK: Final = r"[.,:;!?…。，、：；！？|/→—–()\[\]\"'“”]"
"""What parts a line into clauses."""


@dataclass(frozen=True)
class _Patterns:
    """What is looked for, for one key and its labels."""

    key: re.Pattern[str]
    label: re.Pattern[str]
    longer_key: re.Pattern[str]
    clause: re.Pattern[str]

    @classmethod
    def of(cls, key: str, labels: Sequence[str]) -> _Patterns:
        name = re.escape(key)
        one = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
        return cls(
            re.compile(
                rf"(?P<begin>{_BEGIN})?(?<![\w-]){name}[^\S\n]*(?P<sign>[:：=＝])", re.MULTILINE
            ),
            re.compile(rf"\s*(?P<label>{one}){_END}"),
            re.compile(rf"[\w-]{name}[^\S\n]*[:：]"),
            re.compile(
                rf"(?:^|{_MARK})\s*(?:or\b|and\b|或|和)?\s*(?P<label>{one})\s*(?=\Z|{_MARK})"
            ),
        )


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
    verdicts = list(_verdicts(key, text, _Patterns.of(key.casefold(), labels)))
    if not verdicts:
        raise Unreadable(f"there is no `{key}:`")
    if len(set(verdicts)) > 1:
        raise Unreadable(f"`{key}:` stands more than once, not always with the same label")
    return verdicts[0]


def _verdicts(key: str, text: str, patterns: _Patterns) -> Iterator[str]:
    """The label at each place of the key; the last one belongs to the last line."""
    places = list(patterns.key.finditer(text))
    ends = [*(place.start() for place in places), len(text)][1:]
    for place, end in zip(places, ends, strict=True):
        if place["begin"] is None or place["sign"] in "=＝":
            raise Unreadable(f"`{key}:` does not begin a line or a sentence everywhere")
        match = patterns.label.match(text, place.end())
        if match is None:
            raise Unreadable(f"no single label stands right after `{key}:`, with nothing behind it")
        rest, *more = text[match.end() : end].split("\n")
        others = patterns.clause.finditer(patterns.longer_key.sub(" ", rest))
        if any(other["label"] != match["label"] for other in others):
            raise Unreadable(f"the line with `{key}:` names two labels")
        if end == len(text) and more:
            raise Unreadable(f"`{key}:` is not in the last line")
        yield match["label"]
