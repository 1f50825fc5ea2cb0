"""What other packages bring: their entry points, looked up once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any


def plugins(group: str) -> list[EntryPoint]:
    """The entry points of a group, in the order of their values."""
    points: Iterable[EntryPoint] = _all().select(group=group)
    return sorted(points, key=lambda point: point.value)


@cache
def _all() -> Any:  # its type differs between Python versions
    """Every entry point of every package: all are read for any group, which takes a while."""
    return entry_points()
