"""One record on the terminal: who said what, what was asked, the evidence, and what is right."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from lt_bench.builders.base import Imported
from lt_bench.plain import printable
from lt_bench.records import (
    AnswersGold,
    CallsGold,
    Document,
    Example,
    Fact,
    FactsGold,
    Gold,
    Labelled,
    ReferenceGold,
)
from lt_bench.text.stated import stated_in

WIDTH: Final = 100
"""Columns of a pipe; a terminal has its own."""
LONGEST: Final = 20_000
"""Characters of one text that are shown."""
_VERDICT: Final = {True: "yes", False: "no", None: "–"}


def show(record: Imported) -> None:
    """Prints the record."""
    out = Console(highlight=False)
    out = out if out.is_terminal else Console(highlight=False, width=WIDTH)
    match record:
        case Example():
            _example(out, record)
        case Labelled():
            _labelled(out, record)
        case Document():
            _document(out, record, "cyan", [])
            _json(out, "product", record.product)


def _example(out: Console, example: Example) -> None:
    _head(out, example)
    _dialogue(out, example)
    for document in example.documents:
        colour, marks = _marks(example.gold, document)
        _document(out, document, colour, marks)
    if example.tools:
        _json(out, "tools", example.tools)
    if example.world:
        _json(out, "world", example.world.model_dump())
    _gold(out, example)


def _labelled(out: Console, row: Labelled) -> None:
    _example(out, row.example)
    out.print(_panel(row.reply, f"reply {row.id}", "magenta"))
    table = _table("annotator", "correct", "helpful")
    for label in row.labels:
        _row(table, label.annotator, _VERDICT[label.correct], _VERDICT[label.helpful])
    out.print(table)


def _head(out: Console, example: Example) -> None:
    facts = (example.task, example.lang, f"group {example.group}", example.source, example.license)
    out.print(_text(example.id, "bold"))
    out.print(_text(" · ".join(fact for fact in facts if fact), "dim"))
    if example.tags:
        out.print(_text("tags: " + "  ".join(example.tags), "dim"))
    out.print()


def _dialogue(out: Console, example: Example) -> None:
    """The lines before, those of the one who asks in colour, then the question."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    for said in example.history:
        who = f"{said.name} ({said.role})" if said.name else said.role
        mine = bool(example.viewer) and said.name == example.viewer
        style = "yellow" if mine else "bold" if said.role in ("host", "assistant") else ""
        table.add_row(_text(who, style), _text(said.content, "yellow" if mine else ""))
    if example.history:
        out.print(table)
        out.print()
    title = f"{example.viewer} asks" if example.viewer else "question"
    out.print(_panel(example.question, title, "yellow", "bold"))


def _marks(gold: Gold | None, document: Document) -> tuple[str, list[str]]:
    """Colour of a document's frame, and what gold has to do with it."""
    marks = ["supporting"] if document.supporting else []
    match gold:
        case FactsGold():
            roles = ("required", "helpful", "forbidden")
            marks += [
                role
                for role in roles
                if any(fact.document == document.id for fact in getattr(gold, role))
            ]
        case AnswersGold() if document.id in gold.supporting and not marks:
            marks.append("supporting")
        case ReferenceGold() if document.id in gold.relevance:
            marks.append(f"relevance {gold.relevance[document.id]} of 2")
    needed = {"supporting", "required", "relevance 2 of 2"} & set(marks)
    return ("green" if needed else "cyan" if marks else "dim"), marks


def _document(out: Console, document: Document, colour: str, marks: list[str]) -> None:
    slot = f"no. {document.slot} · " if document.slot is not None else ""
    title = f"{slot}{document.kind} {document.id}"
    body = f"{document.title}\n{document.text}" if document.title else document.text
    if document.text.startswith(document.title):
        body = document.text
    out.print(_panel(body, title, colour, below=", ".join(marks)))


def _gold(out: Console, example: Example) -> None:
    match example.gold:
        case FactsGold() as gold:
            out.print(_text(f"gold: answerability {gold.answerability}", "bold"))
            if gold.resolved_question:
                out.print(_text(f"meant is: {gold.resolved_question}", "dim"))
            _facts(out, example, gold)
        case AnswersGold() as gold:
            out.print(_text(f"gold: {'answerable' if gold.answerable else 'unanswerable'}", "bold"))
            for hop in gold.hops:
                out.print(_text(f"  {hop.question} → {hop.answer} ({hop.document or 'nowhere'})"))
            _answers(out, gold.answers)
        case ReferenceGold() as gold:
            out.print(_text("gold: written answers", "bold"))
            _answers(out, gold.answers)
        case CallsGold() as gold:
            _json(out, "gold", gold.model_dump())
        case None:
            out.print(_text("no gold", "dim"))


def _facts(out: Console, example: Example, gold: FactsGold) -> None:
    """Each fact with the line of its document that states it."""
    documents = {document.id: document for document in example.documents}
    table = _table("", "document", "path", "value", "evidence")
    roles: tuple[tuple[str, tuple[Fact, ...], str], ...] = (
        ("required", gold.required, "green"),
        ("helpful", gold.helpful, "cyan"),
        ("forbidden", gold.forbidden, "red"),
    )
    for role, facts, colour in roles:
        for fact in facts:
            document = documents.get(fact.document)
            value = f"{_plain(fact.value)} {fact.unit or ''}".rstrip()
            line = stated_in(document, fact) if document else ""
            _row(table, role, fact.document, fact.path, value, line, style=colour)
    if table.rows:
        out.print(table)


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, bool) else str(value)


def _answers(out: Console, answers: Iterable[str]) -> None:
    for answer in answers:
        out.print(_text(f"  {answer}", "green"))


def _json(out: Console, title: str, value: Any) -> None:
    if value:
        out.print(_panel(json.dumps(value, ensure_ascii=False, indent=2), title, "dim"))


def _table(*headings: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _row(table: Table, *cells: str, style: str = "") -> None:
    table.add_row(_text(cells[0], style), *(_text(cell) for cell in cells[1:]))


def _panel(text: str, title: str, colour: str, style: str = "", below: str = "") -> Panel:
    return Panel(
        _text(text, style),
        title=_text(title, colour),
        subtitle=_text(below, colour) if below else None,
        title_align="left",
        subtitle_align="left",
        border_style=colour,
        box=box.ROUNDED,
    )


def _text(text: str, style: str = "") -> Text:
    """A user's text: no markup of it works, and no control character of it reaches the terminal."""
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text):,} characters)"
    return Text(printable(cut), style=style)
