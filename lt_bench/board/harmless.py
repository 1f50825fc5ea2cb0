"""Names and texts of others, made harmless for Markdown, spreadsheets and lines of text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from lt_bench.plain import on_one_line

_MARKUP: Final = re.compile(r"[\\`*\[\]~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
"""What begins markup anywhere: emphasis, code, links, struck text, formulas."""
_LINKED: Final = re.compile(r"[|@]|:(?=//)|(?<=www)\.", re.IGNORECASE)
"""What divides cells, or makes a link of a bare address."""
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


@lru_cache(maxsize=1 << 14)
def markdown(text: str) -> str:
    """The text as Markdown that shows just that, also within a table: no markup, no HTML, no link, not
    even one that a renderer makes of a bare address or a name with @."""
    shown = "".join(_ENTITIES.get(char, char) for char in on_one_line(text).strip())
    shown = _MARKUP.sub(lambda found: f"\\{found[0]}", shown)
    # Renderers of tables split rows, and look for addresses, before they see backslashes.
    shown = _LINKED.sub(lambda found: f"&#{ord(found[0])};", shown)
    return _begun(shown)


def _begun(text: str) -> str:
    """The same with the first marks of a list, a heading or a rule escaped."""
    if re.match(r"[-+#=]", text):
        return f"\\{text}"
    return re.sub(r"^([0-9]+)([.)])(?=\s|$)", r"\1\\\2", text)


@lru_cache(maxsize=1 << 14)  # a board says the same few things in many cells
def cell(text: str) -> str:
    """The text for a cell of a spreadsheet: what would be a formula gets a leading apostrophe."""
    line = on_one_line(text)
    return f"'{line}" if line.lstrip().startswith(_FORMULA) or text.startswith(_FORMULA) else line
