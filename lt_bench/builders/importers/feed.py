"""Google Merchant feeds as plain items: attribute names with underscores, each with its values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from xml.parsers import expat

from lt_bench.builders.importers.json_document import Raw, read_text
from lt_bench.builders.importers.table import header, read_table
from lt_bench.errors import UsageError, did_you_mean

Item = dict[str, list[Any]]
"""Attribute -> its values; a value is text, or {part: text} for one that has parts."""

_NEEDED: Final = ("id", "title")
_DEEPEST: Final = 12


def read_feed(path: Path) -> Iterator[Raw]:
    """The items of a feed as `Item`s: tab-separated or CSV with a header, or RSS / Atom XML.

    Raises:
        UsageError: a column is missing, or the XML is broken or declares entities.
    """
    if path.suffix.lower() in (".xml", ".rss", ".atom") or _starts_as_xml(path):
        yield from _xml_items(path)
        return
    names = [_attribute(name) for name in header(path)]
    for name in _NEEDED:
        if name not in names:
            raise UsageError(
                f"{path}, line 1: no attribute {name!r}.{did_you_mean(name, names)}",
                "the first line of a feed names its attributes: id, title, price, …",
            )
    for row in read_table(path):
        item: Item = {}
        for name, cell in row.values.items():
            if name and cell.strip():
                item.setdefault(_attribute(name), []).append(cell.strip())
        yield Raw(f"line {row.line}", item)


def _attribute(name: str) -> str:
    """ "g:Item Group ID" → "item_group_id"; a part named in brackets goes."""
    bare = re.sub(r"\(.*?\)|\[.*?\]", "", name).strip().removeprefix("g:")
    return re.sub(r"[\s_-]+", "_", bare).lower()


def _starts_as_xml(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(256).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def _xml_items(path: Path) -> Iterator[Raw]:
    reader = _Items()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = lambda name, _: reader.start(name, parser.CurrentLineNumber)
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(re.sub(r"^\s*<\?xml[^>]*\?>", "", read_text(path)).encode(), True)
    except (expat.ExpatError, ValueError) as error:
        raise UsageError(
            f"{path}, line {parser.CurrentLineNumber}: {error}", "export the feed again"
        ) from error
    yield from reader.items


def _refuse_doctype(*_: object) -> None:
    raise ValueError("a document type declaration, which no feed needs")


@dataclass
class _Items:
    """Collects the children of each `item` (RSS) or `entry` (Atom) while the XML is read."""

    items: list[Raw] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    item: Item | None = None
    line: int = 0
    parts: dict[str, str] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)

    def start(self, name: str, line: int) -> None:
        local = name.rpartition(" ")[2].lower()
        self.words = []
        if self.item is not None:
            self.path.append(local)
            if len(self.path) > _DEEPEST:
                raise ValueError("elements nested too deep")
        elif local in ("item", "entry"):
            self.item, self.line, self.path = {}, line, []

    def text(self, data: str) -> None:
        if self.item is not None:
            self.words.append(data)

    def end(self, name: str) -> None:  # noqa: ARG002
        if self.item is None:
            return
        text = "".join(self.words).strip()
        self.words = []
        if not self.path:
            self.items.append(Raw(f"line {self.line}", self.item))
            self.item = None
        elif len(self.path) == 1:
            value = self.parts or text
            if value:
                self.item.setdefault(self.path[0], []).append(value)
            self.parts = {}
            self.path.pop()
        else:
            self.parts[self.path.pop()] = text
