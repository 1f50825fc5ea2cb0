"""A log with one line of talk a row, brought together into dialogues and cut at the questions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lt_bench import jsonl
from lt_bench.builders.importers.cells import as_text, take
from lt_bench.builders.importers.map_parts import Column, Dialogue, LineCells
from lt_bench.builders.importers.speakers import line_of
from lt_bench.builders.problem import Problem, RowFault
from lt_bench.records import Utterance

_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)
_ASKING: Final = ("viewer", "user")


@dataclass(frozen=True)
class Turn:
    """A row that asks, and what a dialogue adds to it."""

    line: jsonl.Line
    question: str = ""
    viewer: str = ""
    history: tuple[Utterance, ...] = ()
    answer: str = ""
    dialogue: str = ""


@dataclass(frozen=True)
class _Said:
    line: jsonl.Line
    order: str
    utterance: Utterance


def turns(dialogue: Dialogue, items: Iterable[jsonl.Line | Problem]) -> Iterator[Turn | Problem]:
    """The questions of each dialogue, dialogues in order of their first lines."""
    cells = LineCells(role=dialogue.role, content=dialogue.content, name=dialogue.name)
    dialogues: dict[str, list[_Said]] = {}
    for item in items:
        if isinstance(item, Problem):
            yield item
            continue
        try:
            key = as_text(take(Column(column=dialogue.by), item.data, "dialogue.by"), "dialogue.by")
            if not key:
                raise RowFault("dialogue.by", "is empty", "say which dialogue the line belongs to")
            order = _order(dialogue, item)
            said = line_of(dialogue, cells, item.data, "dialogue")
        except RowFault as fault:
            yield fault.at(item.number)
            continue
        if said.content:
            dialogues.setdefault(key, []).append(_Said(item, order, said))
    silent = []
    for key, lines in dialogues.items():
        found = list(_questions(dialogue, key, _sorted(dialogue, lines)))
        yield from found
        if not found:
            silent.append((key, lines[0].line.number))
    if silent:
        message = (
            f"{len(silent)} dialogues have no line of a viewer ({silent[0][0]!r} is the first)"
        )
        yield Problem(
            "warning", silent[0][1], "dialogue", message, "correct `roles:` if they should"
        )


def _order(dialogue: Dialogue, line: jsonl.Line) -> str:
    if dialogue.order is None:
        return ""
    field = "dialogue.order"
    value = as_text(take(Column(column=dialogue.order), line.data, field), field)
    if not value.strip():
        raise RowFault(field, "is empty", "say when it was said")
    return value.strip()


def _sorted(dialogue: Dialogue, lines: list[_Said]) -> list[_Said]:
    """Lines as they were said: by number where all are numbers, else as text, which is right for
    ISO dates; equal ones as in the file."""
    if dialogue.order is None:
        return lines
    if all(_NUMBER.fullmatch(said.order) for said in lines):
        return sorted(lines, key=lambda said: float(said.order))
    return sorted(lines, key=lambda said: said.order)


def _questions(dialogue: Dialogue, key: str, lines: Sequence[_Said]) -> Iterator[Turn]:
    asked = [i for i, said in enumerate(lines) if said.utterance.role in _ASKING]
    for i in asked if dialogue.ask == "each" else asked[-1:]:
        before = lines[max(0, i - dialogue.keep) : i]
        yield Turn(
            line=lines[i].line,
            question=lines[i].utterance.content,
            viewer=lines[i].utterance.name,
            history=tuple(said.utterance for said in before),
            answer=_answer(dialogue, lines[i + 1 :]),
            dialogue=key,
        )


def _answer(dialogue: Dialogue, after: Sequence[_Said]) -> str:
    """The next line of the one who answers, unless somebody asks again before it."""
    for said in after:
        if said.utterance.role == dialogue.answered_by:
            return said.utterance.content
        if said.utterance.role in _ASKING:
            return ""
    return ""
