"""Pages of the rows of a board's runs, where the runs are still at hand."""

from __future__ import annotations

from pathlib import Path

from lt_bench.board.model import Board, Entry
from lt_bench.errors import LtBenchError

FOLDER = "replay"


def with_replays(board: Board, out: Path) -> Board:
    """Writes out/replay/ID.html for each run that can be read, and the board with links to them."""
    entries = tuple(_replayed(one, out) for one in board.entries)
    return board.model_copy(update={"entries": entries})


def _replayed(entry: Entry, out: Path) -> Entry:
    from lt_bench.replay import replay_page

    run = Path(entry.run)
    if not entry.run or not (run / "config.json").is_file():
        return entry
    page = out / FOLDER / f"{entry.id}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    try:
        replay_page(run, page)
    except LtBenchError:  # its data has moved: the board itself needs it no more
        return entry
    return entry.model_copy(update={"replay": f"{FOLDER}/{entry.id}.html"})
