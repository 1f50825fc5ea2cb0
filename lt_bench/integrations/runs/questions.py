"""Where the question of a row may stand in what a log keeps of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

LONGEST: Final = 4000
"""Characters of a question. What is longer is a prompt."""
FIELDS: Final = ("id", "_id", "qid", "question_id", "example_id", "row_id", "uid", "key")
"""Names under which data sets keep the id of a row."""

_ASKED = re.compile(
    r"^[ \t>*#]*(?:question|query|q|comment|问题|问)[*]*[ \t]*[:：][ \t]*(?P<question>.+)$",
    re.IGNORECASE | re.MULTILINE,
)


def ids_in(row: Mapping[str, Any]) -> Iterator[str]:
    """The ids that a row has, by the names of `FIELDS`."""
    for name in FIELDS:
        value = row.get(name)
        if isinstance(value, str) and value:
            yield value
        elif isinstance(value, int) and not isinstance(value, bool):
            yield str(value)


def questions_in(asked: str) -> Iterator[str]:
    """What may be the question in a prompt: all of it, where it is short; else what stands behind
    "Question:"; else its last lines."""
    text = asked.strip()
    if 0 < len(text) <= LONGEST:
        yield text
    yield from (match["question"].strip() for match in _ASKED.finditer(text))
    yield from (line.strip() for line in text[-LONGEST:].splitlines()[-8:] if line.strip())


def questions_of(row: Mapping[str, Any]) -> Iterator[str]:
    """The short texts of a row, any of which may be its question."""
    return (
        value.strip()
        for value in row.values()
        if isinstance(value, str) and 0 < len(value.strip()) <= LONGEST
    )
