"""HTML as text, and the data blocks that stand in it. Nothing in it is ever run or fetched."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from typing import Final

_BLOCKS: Final = frozenset(
    {
        "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt",
        "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
        "li", "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "td", "th",
        "thead", "tr", "ul"
    }
)  # fmt: skip
_UNSEEN: Final = frozenset({"script", "style", "template", "noscript", "iframe", "object", "head"})
_TAG: Final = re.compile(r"<[/!]?[a-zA-Z-]")
_CELL: Final = "\x1f"
"""Ends a table cell while a text is put together."""
_CELLS: Final = frozenset({"td", "th"})


@dataclass(frozen=True)
class Block:
    """The text of a script element, and the line that it starts on."""

    line: int
    text: str


def plain_text(html: str) -> str:
    """What a reader sees of a piece of HTML, one line a paragraph, list item or table row."""
    if not _TAG.search(html):
        return _tidied(unescape(html).replace(_CELL, " "))
    reader = _Text()
    reader.feed(html)
    reader.close()
    return _tidied("".join(reader.parts))


def data_blocks(html: str, kind: str = "application/ld+json") -> list[Block]:
    """The closed script elements of type `kind`, in page order."""
    reader = _Scripts(kind)
    reader.feed(html)
    reader.close()
    return reader.blocks


def _tidied(text: str) -> str:
    lines = (re.sub(r"[^\S\n\x1f]+", " ", line) for line in text.split("\n"))
    return "\n".join(line for line in map(_row, lines) if line)


def _row(line: str) -> str:
    """A table row of two cells is a name and its value; cells of longer ones are kept apart."""
    cells = [cell.strip() for cell in line.split(_CELL)]
    cells = [cell for cell in cells if cell]
    return ": ".join((cells[0].rstrip(":："), cells[1])) if len(cells) == 2 else " | ".join(cells)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.unseen = ""
        self.depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if self.unseen:
            self.depth += tag == self.unseen
        elif tag in _UNSEEN:
            self.unseen, self.depth = tag, 1
        elif tag in _BLOCKS and tag not in _CELLS:
            self.parts.append("\n- " if tag == "li" else "\n")

    def handle_endtag(self, tag: str) -> None:
        if self.unseen:
            self.depth -= tag == self.unseen
            self.unseen = self.unseen if self.depth else ""
        elif tag in _CELLS:
            self.parts.append(_CELL)
        elif tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            # A line end inside a paragraph is a space; `pre` is rare in the texts of shops.
            self.parts.append(re.sub(r"[\s\x1f]+", " ", data))


class _Scripts(HTMLParser):
    def __init__(self, kind: str) -> None:
        super().__init__(convert_charrefs=True)
        self.kind, self.blocks = kind, list[Block]()
        self.inside, self.line, self.parts = False, 0, list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = (dict(attrs).get("type") or "").partition(";")[0].strip().casefold()
        self.inside = tag == "script" and told == self.kind
        self.line, self.parts = self.getpos()[0], []

    def handle_endtag(self, tag: str) -> None:
        if self.inside and tag == "script":
            self.blocks.append(Block(self.line, "".join(self.parts)))
            self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.parts.append(data)
