"""Fifty hostile names in Markdown, in spreadsheets and on the terminal."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from support.boards import board, run
from support.command import lt_bench

from lt_bench.board.building import build
from lt_bench.board.csv_file import board_csv
from lt_bench.board.harmless import cell, markdown
from lt_bench.board.markdown import board_markdown
from lt_bench.board.store import Store
from lt_bench.plain import on_one_line

HOSTILE = [
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "</td></table><h1>x</h1>"),
    *("<svg/onload=alert(1)>", "<a href='javascript:alert(1)'>x</a>", "<!-- -->", "<style>*{}</style>"),
    *("[x](javascript:alert(1))", "[x](https://evil.example)", "![x](https://evil.example/p.png)"),
    *("[x]: https://evil.example", "<https://evil.example>", "https://evil.example", "www.evil.example"),
    *("WWW.evil.example", "mail@evil.example", "@someone", "a | b | c", "|---|---|", "`code`", "``` x"),
    *("~~struck~~", "**bold**", "__bold__", "*x*", "_x_", "# heading", "- item", "1. item", "> quote"),
    *("---", "===", "a\nb", "a\r\nb", "a\u2028b", "\x1b[31mred\x1b[0m", "\x1b]8;;http://x\x07y"),
    *("\u202eevil\u202c", "a\u2066b\u2069", "\ufeffbom", "\x00", "\x07", "\ud800", "\\", "\\|", "&lt;b&gt;"),
    *("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1+1", "=HYPERLINK(\"http://x\")", "$x^2$", "{{ 7*7 }}"),
    *("../../etc/passwd", "a" * 300, "", " ", "é模型 🙂"),
]  # fmt: skip
LIVE = re.compile(
    r"<(?!/?code>)|(?<!\\)[\[\]`*~]|https?://|www\.|@|[\x00-\x09\x0b-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]"
)
"""What would be markup, a link, or a control character."""


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_markdown_shows_a_name_and_nothing_else(name: str) -> None:
    shown = markdown(name)
    assert "\n" not in shown
    assert "|" not in shown
    assert not LIVE.search(shown.replace("\\\\", "")), shown
    assert not re.match(r"[-+#=>]|[0-9]+[.)](\s|$)", shown), shown


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
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
