"""Replies that speak to the judge instead of the viewer."""

from __future__ import annotations


def suspicious(text: str) -> bool:
    """Whether a reply looks as if it wanted to be graded rather than heard."""
    return False
