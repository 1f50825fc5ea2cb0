"""Findings that are kept, since the replies to one question share many of their clauses."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
SIZE: Final = 1024


class Kept(Generic[Key, Value]):
    """Values by key, each worked out once; when there are `SIZE` of them, all are forgotten."""

    def __init__(self) -> None:
        self._values: dict[Key, Value] = {}

    def get(self, key: Key, work_out: Callable[[], Value]) -> Value:
        """The value of a key."""
        if key in self._values:
            return self._values[key]
        if len(self._values) >= SIZE:
            self._values.clear()
        found = self._values[key] = work_out()
        return found
