"""A reply as the statements that a ledger gives verdicts for."""

from __future__ import annotations


def split(reply: str) -> tuple[str, ...]:
    """The statements of a reply in order, each an exact piece of it."""
    return (reply,)
