"""A board by its folder, or by its name in a catalog."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lt_bench.board.declaration import DECLARATION


def is_board(path: Path) -> bool:
    """Whether the folder holds a board."""
    return (path / DECLARATION).is_file()


def find_board(name: Path, catalogs: Sequence[Path] = ()) -> Path:
    """The folder of a board.

    Raises:
        UsageError: there is none of this name.
    """
    from lt_bench.catalog import entries, find

    if is_board(name) or len(name.parts) > 1 or name.is_dir():
        return name
    return find("leaderboards", str(name), catalogs) if entries("leaderboards", catalogs) else name
