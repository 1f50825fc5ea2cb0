"""Evidence and gold of a row as sections, and texts with their marks.

Texts of others stand indented below a heading of ours, or on one line, so that none of them can pass
for one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.text import Text

from lt_bench.plain import on_one_line, printable
from lt_bench.records import CallsGold, Document, Example, FactsGold
from lt_bench.replay.marks import Mark, badges, claims_of, in_evidence, of_gold, pieces
from lt_bench.replay.rows import ReplayRow
from lt_bench.replay.texts import shown
from lt_bench.scorers.extract import support_in

LETTERS: Final = "AB"
"""What two runs are called."""
STYLES: Final = {
    "required": "bold green",
    "answer": "bold green",
    "helpful": "cyan",
    "forbidden": "red",
    "supported": "underline green",
    "contradicted": "underline red",
    "not_in_documents": "underline magenta",
    "not_a_claim": "dim",
}
"""Of marked words, by what they are marked for."""


@dataclass(frozen=True)
class Section:
    """A heading and lines below it. `boxed` texts are those that a reader looks for first."""

    title: str
    lines: list[Text] = field(default_factory=list)
    colour: str = "dim"
    boxed: bool = True


def evidence(row: ReplayRow, of: Example) -> Iterator[Section]:
    """Every document, with what gold and the claims of all runs mark in it."""
    for number, document in enumerate(of.documents, 1):
        yield _document(row, of, document, number)


def _document(row: ReplayRow, of: Example, document: Document, number: int) -> Section:
    text = shown(document.text)
    marks = of_gold(of.gold, document.model_copy(update={"text": text}))
    cited = False
    for run, side in enumerate(row.sides):
        if side:
            marks += in_evidence(document.id, text, claims_of(side.row.scores), run)
            cited = cited or (
                side.generation is not None and number in support_in(side.generation.reply)
            )
    what = badges(of, document, [document.id] if cited else [])
    name = f"{number}." if document.slot is None else f"no. {document.slot}"
    title = document.title or document.id
    said = f" ({', '.join(what)})" if what else ""
    colour = "green" if "supporting" in what else "cyan" if what or marks else "dim"
    return Section(
        on_one_line(f"{name} {title}{said}"),
        marked(text, marks, LETTERS if len(row.sides) > 1 else ""),
        colour,
    )


def gold_of(of: Example) -> Iterator[Section]:
    """What would be right, where the row says so."""
    told: list[str] = []
    match of.gold:
        case None:
            return
        case FactsGold() as gold:
            told.append(f"answerability {gold.answerability}")
            told += [gold.resolved_question] if gold.resolved_question else []
            for kind in ("required", "helpful", "forbidden"):
                for fact in getattr(gold, kind):
                    told.append(
                        f"{kind}: {fact.document} {fact.path} = {fact.value} {fact.unit or ''}"
                    )
        case CallsGold() as gold:
            told.append(f"type {gold.type}")
            for call in gold.calls:
                told.append(f"{call.name}({json.dumps(call.arguments, ensure_ascii=False)})")
            if gold.answer:
                told += [f"must say: {text}" for text in gold.answer.must_include]
                told += [gold.answer.reference] if gold.answer.reference else []
        case gold:
            told += gold.answers
    yield Section("gold", [line(one) for one in told], boxed=False)


# --- texts -----------------------------------------------------------------------------------


def line(text: str, style: str = "") -> Text:
    """A text on one line of ours."""
    return Text(on_one_line(text), style=style)


def lines(text: str, style: str = "") -> list[Text]:
    """A text line by line."""
    return [Text(one, style=style) for one in printable(shown(text)).split("\n")]


def marked(text: str, marks: Sequence[Mark], letters: str) -> list[Text]:
    """The text line by line; behind marked words the number of their claim, or what
    gold says of them. letters: of the runs, where there are two."""
    whole, at = Text(), 0
    for piece in pieces(text, marks):
        styles = dict.fromkeys(STYLES[mark.kind] for mark in piece.marks)
        whole.append(piece.text, " ".join(styles))
        at += len(piece.text)
        for name in dict.fromkeys(_named(mark, letters) for mark in piece.marks if mark.end == at):
            whole.append(f"[{name}]", "dim")
    return list(whole.split("\n", allow_blank=True))


def _named(mark: Mark, letters: str) -> str:
    """ "A1" for a claim of the first of two runs."""
    letter = letters[mark.run] if mark.run < len(letters) else ""
    return f"{letter}{mark.claim}" if mark.claim else mark.kind
