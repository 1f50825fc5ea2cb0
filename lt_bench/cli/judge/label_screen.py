"""The screen on which a person labels: evidence, dialogue, question, reply, and what is asked.

Nothing on it tells the model, the judge, gold, tags, or what others said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rich import box
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from lt_bench.calibration.consensus import LabelField
from lt_bench.plain import printable
from lt_bench.records import Document, Example, Labelled

WIDTH: Final = 100
"""Columns of a pipe; a terminal has its own."""
LONGEST: Final = 20_000
"""Characters of one text that are shown."""
FOLD_LINES, FOLD_CHARACTERS = 6, 480
"""How much of a document is shown before it is unfolded."""

DEFINITIONS: Final[Mapping[LabelField, str]] = {
    "correct": "Yes, if the documents bear out every claim, nothing goes against what was said "
    "before, and the question is answered.",
    "helpful": "Yes, if it takes up the question and adds, unasked, a fact from the documents that "
    "serves this person next.",
}
KEYS: Final = "y yes, n no; s skip, b back, d documents, ? help, q quit"
HELP: Final = """\
y, n  yes, no
s     skip: the reply stays open, and the same command asks about it another time
b     back to the question before, or to the reply before, to change what you said
d     documents in full, or folded again
q     quit: everything you said is kept, and the same command goes on from here

Correct: a detail that no document holds makes a reply wrong, even if it may be true.
The right value of another product is a wrong value.
If the documents lack the answer, only a reply that says so is correct.
If they hold it, a reply that evades is not. A wrong assumption has to be put right.
Helpful: the bare answer is not, nor is praise, a call to buy, or the same said twice.
One short fact that the documents hold and that serves this person is enough.
A mistake in the answer belongs under correct and does not undo a helpful addition.
If you cannot tell, leave the reply open rather than guess."""


class Screen:
    """One reply at a time; a terminal is cleared for each."""

    def __init__(self, console: Console) -> None:
        self._out = console
        self.unfolded = False

    def reply(self, row: Labelled, head: str) -> None:
        """Everything there is to read of a reply, the reply last, next to what is asked."""
        if self._out.is_terminal:
            self._out.clear()
        else:
            self._out.print()
        self._out.print(_text(head, "dim"))
        for document in row.example.documents:
            self._document(document)
        if not row.example.documents:
            self._out.print(_text("(there is no document)", "dim"))
        self._dialogue(row.example)
        asker = f"{row.example.viewer} asks" if row.example.viewer else "question"
        self._out.print(_panel(row.example.question, asker, "yellow"))
        self._out.print(_panel(row.reply, "reply", "magenta"))

    def ask(self, field: LabelField, earlier: bool | None) -> None:
        """The question at hand; `earlier` is what this person said when it was asked before."""
        before = f" (so far {_word(earlier)})" if earlier is not None else ""
        self._out.print(Text.assemble((f"{field.capitalize()}? ", "bold"), DEFINITIONS[field]))
        self._out.print(_text(f"{KEYS}{before} > "), end="" if self._live else "\n")

    def answered(self, key: str) -> None:
        """What was pressed, as a word; a line in a pipe is its own echo."""
        words = {"y": "yes", "n": "no", "s": "skip", "b": "back", "q": "quit"}
        if self._live:
            self._out.print(_text(words.get(key, key)))

    def say(self, text: str) -> None:
        """A word in between."""
        self._out.print(_text(text, "cyan"))

    def cannot_show(self, rows: Iterable[Labelled]) -> tuple[str, ...]:
        """A word where this terminal's encoding lacks characters of a question or a reply."""
        encoding = self._out.encoding
        try:
            for row in rows:
                (row.example.question + row.reply).encode(encoding)
        except (UnicodeEncodeError, LookupError):
            return (
                f"this terminal is set to {encoding} and shows some characters as escapes: "
                "stop, set PYTHONUTF8=1, and begin again",
            )
        return ()

    @property
    def _live(self) -> bool:
        return self._out.is_terminal

    def _document(self, document: Document) -> None:
        slot = f"no. {document.slot}, " if document.slot is not None else ""
        head = "" if document.text.startswith(document.title) else f"{document.title}\n"
        text = head + document.text
        self._out.print(
            _panel(text if self.unfolded else _folded(text), f"{slot}{document.kind}", "dim")
        )

    def _dialogue(self, example: Example) -> None:
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True, max_width=24)
        table.add_column()
        for said in example.history:
            who = f"{said.name} ({said.role})" if said.name else said.role
            mine = "yellow" if example.viewer and said.name == example.viewer else ""
            table.add_row(_text(who, mine or "bold"), _text(said.content, mine))
        if example.history:
            self._out.print(table)


def head_line(number: int, total: int, seconds: float | None) -> str:
    """ "37 of 300, about 12 minutes left"."""
    return f"{number} of {total}" + (f", {_duration(seconds)} left" if seconds is not None else "")


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    if minutes < 90:
        return f"about {minutes} minute{'s' * (minutes != 1)}"
    return f"about {seconds / 3600:.1f} hours"


def _folded(text: str) -> str:
    lines = text.split("\n")
    short = "\n".join(lines[:FOLD_LINES])[:FOLD_CHARACTERS]
    hidden = len(text) - len(short)
    return f"{short} ... ({hidden:,} more characters: d)" if hidden > 80 else text


def _word(value: bool | None) -> str:
    return {True: "yes", False: "no", None: "open"}[value]


def _panel(text: str, title: str, colour: str) -> Panel:
    return Panel(
        _text(text),
        title=_text(title, colour),
        title_align="left",
        border_style=colour,
        box=box.ROUNDED,
    )


def _text(text: str, style: str = "") -> Text:
    """A user's text: no markup of it works, and no control character of it reaches the terminal."""
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]} ... ({len(text):,} characters)"
    return Text(printable(cut), style=style)
