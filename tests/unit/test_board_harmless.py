"""Hostile names in Markdown, in spreadsheets and on the terminal."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from support.boards import board, run
from support.command import lt_bench
from support.hostile import HOSTILE, MARKS

from lt_bench.board.building import build
from lt_bench.board.csv_file import board_csv
from lt_bench.board.harmless import cell, markdown
from lt_bench.board.markdown import board_markdown
from lt_bench.board.store import Store
from lt_bench.plain import on_one_line

NAMES = (*HOSTILE, *MARKS)
LIVE = re.compile(
    r"<(?!/?code>)|(?<!\\)[\[\]`*~]|https?://|www\.|@|[\x00-\x09\x0b-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]"
)
"""What would be markup, a link, or a control character."""


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_markdown_shows_a_name_and_nothing_else(name: str) -> None:
    shown = markdown(name)
    assert "\n" not in shown
    assert "|" not in shown
    assert not LIVE.search(shown.replace("\\\\", "")), shown
    assert not re.match(r"[-+#=>]|[0-9]+[.)](\s|$)", shown), shown


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_no_cell_begins_a_formula(name: str) -> None:
    shown = cell(name)
    assert not shown.lstrip().startswith(("=", "+", "-", "@"))
    assert "\n" not in shown
    assert "\x1b" not in shown
    if name.startswith(("=", "+", "-", "@")):
        assert shown == f"'{on_one_line(name)}"


def test_plain_names_stay_as_they_are() -> None:
    for name in ("Qwen3-30B-A3B", "hf/org/name_v2.1", "模型", "a\u200db"):
        assert markdown(name) == cell(name) == name


def test_a_board_of_hostile_names_has_one_line_a_name_everywhere(tmp_path: Path) -> None:
    runs = [
        run(name, {"correctness": [float(i % 7 < n % 7) for i in range(20)]}, command=name,
            config_sha=f"config {n}", settings={"sampling.stop": name})
        for n, name in enumerate(HOSTILE)
        if "\ud800" not in name  # a card on disk cannot hold half a character
    ]  # fmt: skip
    board(tmp_path, *runs)
    found = build(Store(tmp_path))
    page = board_markdown(found)
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    table = rows[2 : 2 + len(runs)]
    assert all(line.count("|") == 3 for line in table)
    text = page.replace("\\\\", "")
    assert not re.search(
        r"<(?!/?code>)|https?://|[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069]", text
    )
    lines = list(csv.DictReader(io.StringIO(board_csv(found), newline="")))
    assert len(lines) == len(runs)
    assert not any(
        str(value).lstrip().startswith(("=", "+", "-", "@"))
        for line in lines
        for key, value in line.items()
        if key in ("model", "label", "kept_apart", "unranked", "method", "command")
    )
    assert not re.search(
        r"[\x00-\x09\x0b\x0c\x0e-\x1f\u202a-\u202e\u2066-\u2069]", board_csv(found)
    )


def test_the_terminal_gets_no_control_characters(tmp_path: Path) -> None:
    board(
        tmp_path / "b",
        *(
            run(name, {"correctness": [float(i % 5 < n) for i in range(20)]}, config_sha=f"c{n}")
            for n, name in enumerate(["\x1b[31mred", "\u202eevil", "a\nb", "[bold]x[/bold]"])
        ),
    )
    done = lt_bench("leaderboard", "compare", "b", "--mdd", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "[bold]x[/bold]" in done.stdout
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202a-\u202e]", done.stdout)
