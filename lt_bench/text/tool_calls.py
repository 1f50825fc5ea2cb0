"""Tool calls that a model writes as text, in the forms that chat templates teach.

    <tool_call>{"name": "check_stock", "arguments": {"sku": "A9"}}</tool_call>     hermes (Qwen, Hermes)
    <tool_call>                                                                     rlla (ToolRL): several
    {"name": "check_stock", "parameters": {"sku": "A9"}}                            calls in one block, the
    {"name": "get_price", "parameters": {"sku": "A9"}}                              reply in <response> tags
    </tool_call>
    {"name": "check_stock", "parameters": {"sku": "A9"}}                            llama3: the whole reply
    <|channel|>commentary to=functions.check_stock<|message|>{"sku": "A9"}<|call|>  harmony (gpt-oss)

"auto" takes all of them. Calls are looked for outside the thinking only: what a model thinks of calling is
no call. Nothing is mended: a block that holds anything but JSON objects is one malformed call.
"""

from __future__ import annotations

import itertools
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, NoReturn

import orjson

from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Prompt, ToolCall
from lt_bench.text.families import Tag
from lt_bench.text.quoting import stands_alone_in_quotes
from lt_bench.text.segments import Boundary, Segment, Split, segments

FORMS: Final = ("auto", "hermes", "rlla", "llama3", "harmony", "none")
NESTING: Final = 64
"""Levels of a call's arguments that are taken seriously: no deeper than a journal can be written."""

_TAG = re.compile(r"<(/?)tool_call>", re.IGNORECASE)
_RESPONSE = re.compile(r"<(/?)response>", re.IGNORECASE)
_TO_TOOL = re.compile(
    r"""to=functions\.(?P<name>[\w.-]{1,128})[^<]{0,160}(?:<\|channel\|>[^<]{0,160})?
    (?:<\|constrain\|>[^<]{0,40})?<\|message\|>(?P<arguments>[^<]*(?:<(?!\|)[^<]*)*)""",
    re.VERBOSE,
)
"""A message of a channel whose recipient is a tool."""
_PYTHON = "<|python_tag|>"
_BETWEEN = " \t\r\n,;"
_SKIPPED = re.compile(f"[{_BETWEEN}]*")
_BLANK = re.compile(r"\s*")
_NAMED = re.compile(r'"name"\s{0,8}:\s{0,8}"([^"\\\n]{1,128})"')
_LIKE_A_CALL = re.compile(r'\{\s{0,64}"name"\s{0,8}:\s{0,8}"')
_KEYS = frozenset(("name", "arguments", "parameters", "type", "id"))


class Called(NamedTuple):
    """A call, and how many characters of the reply come before it."""

    call: ToolCall
    at: int


@dataclass(frozen=True)
class Spoken:
    """An output without its calls: they are markup in `split`."""

    split: Split
    called: tuple[Called, ...] = ()


def check(form: str) -> None:
    """Raise UsageError unless `form` is one of `FORMS`."""
    if form not in FORMS:
        raise UsageError(
            f"unknown form of tool calls {form!r}.{did_you_mean(form, FORMS)}",
            f"known: {', '.join(FORMS)}",
        )


def form_for(prompt: Prompt, form: str) -> str:
    """How the answer to a prompt may write calls: not at all where there is no tool."""
    return form if prompt.tools else "none"


def take_calls(split: Split, form: str = "auto") -> Spoken:
    """The calls of an output's reply. Any text is taken, in time linear in its length."""
    if form == "none" or not any(map(_may_hold_calls, split.segments)):
        return Spoken(split)
    alone = sum(bool(one.text.strip()) for one in _replies(split)) == 1
    cut, called, spoken = list[Segment](), list[Called](), 0
    for segment in split.segments:
        if segment.kind != "reply":
            cut.append(segment)
            if segment.kind == "markup" and form in ("auto", "harmony"):
                called += [Called(call, spoken) for call in _in_channels(segment.text)]
            continue
        blocks = _blocks(segment.text, form, alone=alone)
        marks = sorted((*blocks, *_wraps(segment.text, blocks, form)))
        bounds = [Boundary(mark.start, mark.end, "reply") for mark in marks]
        pieces = segments(segment.text, "reply", bounds)
        starts = _starts(pieces)
        for block in blocks:
            before = spoken + starts.before(block.start)
            called += [Called(call, before) for call in block.calls]
        spoken += starts.before(len(segment.text))
        cut += pieces
    return Spoken(replace(split, segments=tuple(_merged(cut))), tuple(called))


def object_of(text: str | bytes) -> dict[str, Any] | None:
    """The JSON object that a text is; None where it is none, or one that JSON could not hold again
    (NaN, half a character) or that is too deep."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) and _shallow(value, NESTING) else None


class _Block(NamedTuple):
    """Markup at text[start:end], and the calls it holds."""

    start: int
    end: int
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True)
class _Starts:
    """Stretches of a reply: where each begins in the text, and how much was said before it."""

    at: Sequence[int]
    said: Sequence[int]
    lengths: Sequence[int]

    def before(self, offset: int) -> int:
        place = bisect_left(self.at, offset) - 1
        if place < 0:
            return 0
        return self.said[place] + min(self.lengths[place], offset - self.at[place])


def _starts(pieces: Sequence[Segment]) -> _Starts:
    at, said, lengths = list[int](), list[int](), list[int]()
    place = spoken = 0
    for piece in pieces:
        if piece.kind == "reply":
            at.append(place)
            said.append(spoken)
            lengths.append(len(piece.text))
            spoken += len(piece.text)
        place += len(piece.text)
    return _Starts(at, said, lengths)


def _replies(split: Split) -> Iterator[Segment]:
    return (segment for segment in split.segments if segment.kind == "reply")


def _may_hold_calls(segment: Segment) -> bool:
    if segment.kind == "markup":
        return "to=functions." in segment.text
    return segment.kind == "reply" and ("<" in segment.text or segment.text.lstrip()[:1] == "{")


def _merged(cut: Sequence[Segment]) -> Iterator[Segment]:
    for kind, group in itertools.groupby(cut, key=lambda one: one.kind):
        yield Segment(kind, "".join(one.text for one in group))


# --- Blocks between tags ---------------------------------------------------------------------


def _blocks(text: str, form: str, *, alone: bool) -> list[_Block]:
    found = list(_Tagged(text).blocks()) if form in ("auto", "hermes", "rlla") else []
    if not found and alone and form in ("auto", "llama3"):
        found = _whole_reply(text)
    return found


class _Tagged:
    """The blocks of one text. JSON is read before the closing tag is looked for, so that a tag within a
    string of it is a part of that string."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tags = [
            Tag(match.start(), match.end(), "close" if match[1] else "open", "tool_call")
            for match in _TAG.finditer(text)
        ]
        self._places = [tag.start for tag in self.tags]

    def blocks(self) -> Iterator[_Block]:
        at = 0
        while (index := self._next_open(at)) is not None:
            start = self.tags[index].start
            inner = self._innermost(index)
            block = self._block(start, self.tags[inner].end)
            at = self._past_closing(block.end)
            yield block._replace(end=at)

    def _next_open(self, at: int) -> int | None:
        for index in range(bisect_left(self._places, at), len(self.tags)):
            tag = self.tags[index]
            if tag.role == "open" and not stands_alone_in_quotes(self.text, tag):
                return index
        return None

    def _innermost(self, index: int) -> int:
        """The last of opening tags with nothing between them."""
        while index + 1 < len(self.tags) and self.tags[index + 1].role == "open":
            if self.text[self.tags[index].end : self.tags[index + 1].start].strip():
                break
            index += 1
        return index

    def _past_closing(self, at: int) -> int:
        """Beyond closing tags that are written more than once."""
        for index in range(bisect_left(self._places, at), len(self.tags)):
            tag = self.tags[index]
            if tag.role == "open" or self.text[at : tag.start].strip():
                break
            at = tag.end
        return at

    def _block(self, start: int, inside: int) -> _Block:
        """The block that opens at `start`, whose content begins at `inside`."""
        objects, at = _objects(self.text, inside, self._places)
        index = bisect_left(self._places, at)
        stop = self.tags[index] if index < len(self.tags) else None
        until = stop.start if stop else len(self.text)
        end = stop.end if stop and stop.role == "close" else until
        if objects and not self.text[at:until].strip(_BETWEEN):
            return _Block(start, end, tuple(map(call_of, objects)))
        return _Block(start, end, (_malformed(self.text[inside:until].strip()),))


def _wraps(text: str, blocks: Sequence[_Block], form: str) -> Iterator[_Block]:
    """The tags that RLLA puts around the reply: at the ends of what is left beside the calls."""
    if form not in ("auto", "rlla"):
        return
    starts = [block.start for block in blocks]
    begins = {_past_blank(text, at) for at in (0, *(block.end for block in blocks))}
    ends = {len(text), *starts}
    opened = False
    for match in _RESPONSE.finditer(text):
        inside = bisect_right(starts, match.start()) - 1
        if inside >= 0 and match.start() < blocks[inside].end:
            continue
        if match[1]:
            wraps = opened and _past_blank(text, match.end()) in ends
        else:
            wraps = opened = match.start() in begins
        if wraps:
            yield _Block(match.start(), match.end())


def _past_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _in_channels(text: str) -> Iterator[ToolCall]:
    """The calls in what the channels of harmony hold for tools."""
    for match in _TO_TOOL.finditer(text):
        written = match["arguments"].strip()
        given = object_of(written) if written else {}
        yield ToolCall(
            name=match["name"],
            arguments=given or {},
            malformed=written if given is None else None,
        )


# --- JSON ------------------------------------------------------------------------------------


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _objects(text: str, at: int, stops: Sequence[int] = ()) -> tuple[list[str], int]:
    """The JSON objects that follow one another from `at`, as they are written, and where they end.

    Only the text up to the next of `stops` (the places of tags) is looked at, and more of it where
    that ends within a string: an error of the decoder takes as long as all the text it was given.
    """
    found = list[str]()
    next_stop, step, place = bisect_left(stops, at), 1, 0
    until = stops[next_stop] if next_stop < len(stops) else len(text)
    seen = text[at:until]
    while True:
        begin = _skip(seen, place)
        if seen[begin : begin + 1] != "{":
            return found, at + place
        try:
            _, place = _DECODER.raw_decode(seen, begin)
            found.append(seen[begin:place])
        except (ValueError, RecursionError) as error:
            if until == len(text) or not str(error).startswith("Unterminated string"):
                return found, at + begin
            next_stop, step = next_stop + step, 2 * step
            until = stops[next_stop] if next_stop < len(stops) else len(text)
            seen = text[at:until]


def _skip(text: str, at: int) -> int:
    found = _SKIPPED.match(text, at)
    return found.end() if found else at


def call_of(written: str) -> ToolCall:
    """The call that an object is: {"name": …, "arguments" or "parameters": {…}}, also within
    {"function": …} and with arguments that are JSON in a string, as OpenAI writes them."""
    value = object_of(written)
    if value is not None and isinstance(value.get("function"), dict):
        value = value["function"]
    if value is None or not isinstance(value.get("name"), str) or not value["name"].strip():
        return _malformed(written)
    key = "arguments" if "arguments" in value else "parameters"
    given = value.get(key)
    if given is None and value.keys() <= _KEYS:
        return ToolCall(name=value["name"])
    if isinstance(given, str):
        given = object_of(given) if given.strip() else {}
    if not isinstance(given, dict):
        return ToolCall(name=value["name"], malformed=written)
    return ToolCall(name=value["name"], arguments=given)


def _malformed(written: str) -> ToolCall:
    """A call of which at most the name can be told."""
    named = _NAMED.search(written)
    return ToolCall(name=named[1] if named else "", malformed=written)


def _whole_reply(text: str) -> list[_Block]:
    """Calls that are all there is to the reply."""
    start = _skip(text, 0)
    tagged = text.startswith(_PYTHON, start)
    objects, at = _objects(text, start + len(_PYTHON) if tagged else start)
    if objects and not text[at:].strip(_BETWEEN) and (tagged or all(map(_is_call, objects))):
        return [_Block(0, len(text), tuple(map(call_of, objects)))]
    if tagged or (_LIKE_A_CALL.match(text, start) and _names_arguments(text)):
        return [_Block(0, len(text), (_malformed(text[start:].strip()),))]
    return []


def _is_call(written: str) -> bool:
    value = object_of(written)
    given = value.get("arguments", value.get("parameters")) if value is not None else None
    return value is not None and isinstance(given, dict | str) and value.keys() <= _KEYS


def _names_arguments(text: str) -> bool:
    return '"parameters"' in text or '"arguments"' in text


def _shallow(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_shallow(item, levels - 1) for item in inner)
