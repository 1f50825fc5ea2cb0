"""Lines of talk in a log, with the roles that its speakers have here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

from lt_bench.builders.importers.cells import Values, entry, items, take, text
from lt_bench.builders.importers.map_parts import (
    History,
    LineCells,
    ListHistory,
    Role,
    Speaking,
    TextHistory,
)
from lt_bench.builders.problem import RowFault
from lt_bench.records import Utterance

_ROLES: Final[dict[str, Role]] = {role: role for role in get_args(Role)}
_LONGEST_NAME: Final = 60


def utterance(speaking: Speaking, who: str, name: str, content: str, field: str) -> Utterance:
    """One line of talk.

    Raises:
        RowFault: nobody knows the role of this speaker.
    """
    key = who.strip().casefold()
    roles = {label.casefold(): role for label, role in speaking.roles.items()}
    known = roles.get(key) or _ROLES.get(key)
    if known is None and speaking.others is None:
        raise RowFault(
            f"{field}.role",
            f"the map does not say who {who.strip()[:40]!r} is",
            "add it to `roles:`, or say what all others are: `others: viewer`",
        )
    role = known or speaking.others
    assert role
    own = who.strip() if known is None else ""
    return Utterance(role=role, name=name.strip() or own, content=content.strip())


def history_of(history: History, row: Values) -> tuple[Utterance, ...]:
    """The lines before the question; those without words are left out."""
    if isinstance(history, TextHistory):
        lines = _from_text(history, row)
    else:
        lines = _from_list(history, row)
    return tuple(line for line in lines if line.content)


def line_of(speaking: Speaking, cells: LineCells, row: Values, field: str) -> Utterance:
    """The line that an object, or a row of its own, holds."""
    return utterance(
        speaking,
        text(cells.role, row, f"{field}.role"),
        text(cells.name, row, f"{field}.name"),
        text(cells.content, row, f"{field}.content"),
        field,
    )


def _from_list(history: ListHistory, row: Values) -> Iterator[Utterance]:
    value = take(history.cell, row, "history")
    for i, item in enumerate(items(value, "history")):
        field = f"history.{i}"
        if isinstance(item, str):
            raise RowFault(
                field, f"{item[:40]!r} is text", "say what parts speaker and words: `separator:`"
            )
        yield line_of(history, history.each, entry(item, field), field)


def _from_text(history: TextHistory, row: Values) -> Iterator[Utterance]:
    """ "host: hello | anna: hi". A piece without a speaker goes on with what was said before."""
    value = take(history.cell, row, "history")
    if not isinstance(value, str | None):
        raise RowFault("history", "is no text", "take `separator:` out for a list")
    pieces: list[tuple[str, str]] = []
    for piece in (value or "").split(history.separator):
        who, mark, words = piece.partition(history.speaker)
        if mark and who.strip() and len(who.strip()) <= _LONGEST_NAME and _is_speaker(history, who):
            pieces.append((who, words))
        elif pieces:
            pieces[-1] = (pieces[-1][0], pieces[-1][1] + history.separator + piece)
        elif piece.strip():
            raise RowFault(
                "history",
                f"{piece.strip()[:40]!r} begins with no speaker that the map knows",
                f"write NAME{history.speaker} before it, or correct `roles:` and `speaker:`",
            )
    for who, words in pieces:
        yield utterance(history, who, "", words, "history")


def _is_speaker(history: TextHistory, who: str) -> bool:
    """With `others` anybody speaks; without it only those of `roles`, so that "at 10: 30" goes on
    with the line it stands in."""
    known = {label.casefold() for label in history.roles} | set(_ROLES)
    return history.others is not None or who.strip().casefold() in known
