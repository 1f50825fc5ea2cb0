"""Answers of judge models, kept by the exact request."""

from __future__ import annotations

from pathlib import Path


class AnswerCache:
    """One SQLite file; safe for several processes and for kill -9."""

    def __init__(self, path: Path) -> None:
        self.path = path
