"""A board as files: board.json, board.csv, board.md, and the pages of its site."""

from __future__ import annotations

from pathlib import Path

from lt_bench.board.csv_file import board_csv
from lt_bench.board.markdown import board_markdown
from lt_bench.board.model import Board
from lt_bench.errors import UsageError
from lt_bench.run.disk import write_whole


def write_board(board: Board, out: Path) -> Path:
    """Writes all forms into a folder and returns the first page of the site.

    Raises:
        UsageError: the folder cannot be made.
    """
    from lt_bench.board.site import write_site

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make {out}: {error.strerror}", "name another folder") from error
    write_whole(out / "board.json", board.model_dump_json())
    write_whole(out / "board.csv", board_csv(board).removesuffix("\n"))
    write_whole(out / "board.md", board_markdown(board).removesuffix("\n"))
    return write_site(board, out)
