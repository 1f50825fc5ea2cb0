"""The board as a folder of pages that need no network: the table, a page a model, one style, one script."""

from __future__ import annotations

import importlib.util
import re
from importlib.resources import files
from pathlib import Path
from typing import Final

from lt_bench.board.model import Board
from lt_bench.board.site import data
from lt_bench.board.site.pages import Pages
from lt_bench.errors import UsageError
from lt_bench.webpage import STYLE

ASSETS: Final = files("lt_bench.board.site") / "assets"
MARK: Final = '<meta name="generator" content="lt-bench">'
_ID: Final = re.compile(r"[a-z0-9-]+")


def write_site(board: Board, out: Path) -> Path:
    """Writes the site of a board into `out`, which need not exist, and gives the path of its first page.

    `index.html`, `models/ID.html` for every run, `style.css`, `board.js`, `data.js`, `slices.js` and
    `plotly.js`. Pages of models that have left the board are taken away; nothing else is touched.

    Raises:
        UsageError: the folder cannot be written.
    """
    _check(board)
    try:
        return _write(board, out)
    except OSError as error:
        raise UsageError(
            f"cannot write the site: {error.strerror or error} ({error.filename})",
            "give a folder that you may write to",
        ) from error


def _write(board: Board, out: Path) -> Path:
    pages = Pages(board)
    models = out / "models"
    models.mkdir(parents=True, exist_ok=True)
    for entry in pages.runs:
        _page(models / f"{entry.id}.html", pages.model(entry))
    _sweep(models, {f"{entry.id}.html" for entry in pages.runs})
    style = (ASSETS / "style.css").read_text(encoding="utf-8")
    (out / "style.css").write_text(f"{STYLE}\n{style}", encoding="utf-8")
    (out / "board.js").write_bytes((ASSETS / "board.js").read_bytes())
    (out / "data.js").write_bytes(data.plots(board, board.entries))
    (out / "slices.js").write_bytes(data.slices(board, board.entries))
    _plotly(out / "plotly.js")
    _page(out / "index.html", pages.index())
    return out / "index.html"


def _page(path: Path, text: str) -> None:
    # A lone surrogate of a model's name is shown as an escape by then; none may stop the build.
    path.write_bytes(text.encode("utf-8", "backslashreplace"))


def _check(board: Board) -> None:
    """Ids become names of files and parts of addresses."""
    for entry in board.entries:
        if not _ID.fullmatch(entry.id):
            raise ValueError(f"{entry.id!r} is no id of an entry")


def _sweep(folder: Path, kept: set[str]) -> None:
    for path in folder.glob("*.html"):
        if path.name not in kept and MARK in path.read_text("utf-8", "replace")[:1000]:
            path.unlink()


def _plotly(path: Path) -> None:
    """Plotly's own script, as its Python package ships it; 4.8 MB, so it is not written twice."""
    found = importlib.util.find_spec("plotly")  # importing it would take longer than the whole site
    if found is None or found.origin is None:
        raise UsageError("plotly is not installed", "pip install plotly")
    source = (Path(found.origin).parent / "package_data" / "plotly.min.js").read_bytes()
    if not path.is_file() or path.stat().st_size != len(source):
        path.write_bytes(source)
