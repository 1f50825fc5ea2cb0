"""The audit of printed percentages, and the figures of the papers that ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from lt_bench.board.grim import audit
from lt_bench.board.reported import load_reported
from lt_bench.errors import UsageError

BOARDS = Path(__file__).parents[2] / "leaderboards"


def brute_force(printed: str, rows: int) -> list[int]:
    """Every k whose share prints so, halves rounded up or down, in whole numbers."""
    whole, _, part = printed.partition(".")
    scale = 10 ** len(part)
    value = int(whole + part)
    # |100 k / rows - value / scale| <= 1 / (2 scale)
    return [k for k in range(rows + 1) if abs(200 * k * scale - 2 * value * rows) <= rows]


@pytest.mark.parametrize("rows", [7, 37, 400, 999])
def test_the_counts_are_those_that_print_so(rows: int) -> None:
    for printed in (
        "0",
        "0.0",
        "3.1",
        "41.2",
        "41.3",
        "67.1",
        "67.25",
        "92.3",
        "99.9",
        "100",
        "50",
    ):
        assert list(audit(printed, rows).counts) == brute_force(printed, rows), printed


def test_halves_may_be_rounded_either_way() -> None:
    assert audit("67.2", 400).counts == (269,)
    assert audit("67.3", 400).counts == (269,)
    assert audit("67.1", 400).counts == ()


def test_the_words_accuse_nobody() -> None:
    assert audit("67.3", 400).sentence == "consistent: 269 of 400"
    assert audit("83", 400).sentence == "consistent: 330 to 334 of 400"
    assert audit("67.1", 400).sentence == "not explained by k of 400"


@pytest.mark.parametrize(
    "printed", ["", "abc", "-3.0", "1e2", "101", "67,3", "٦٧", "nan", "6" * 40]
)
def test_what_is_no_percentage_is_refused(printed: str) -> None:
    with pytest.raises(UsageError):
        audit(printed, 400)
    with pytest.raises(UsageError):
        audit("50.0", 0)


@pytest.mark.parametrize("task", ["commerce_qa", "musique", "tool_dialogue"])
def test_every_reported_row_that_ships_is_marked_and_audited(task: str) -> None:
    rows = load_reported(BOARDS / task / "reported.yaml", task, 1)
    assert rows
    for row in rows:
        assert row.entry.reported is not None
        assert row.entry.stamp is None
        for metric, cell in row.cells.items():
            assert cell.unranked == "reported, not run here"
            assert cell.rank is None
            assert cell.estimate is not None
            assert cell.estimate.low is None
            shares = cell.estimate.unit == "share" and metric != "f1"
            assert cell.grim == ("consistent" if shares else "not a share of rows")


def test_a_figure_that_is_no_number_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "reported.yaml"
    file.write_text(
        "paper: {title: X}\nrows_tested: 400\ntables:\n"
        '  - {table: T, rows: [{id: a, model: M, figures: {em: "=1+1"}}]}\n'
    )
    with pytest.raises(UsageError, match="no number"):
        load_reported(file, "musique", 1)
    file.write_text(
        "paper: {title: X}\ntables:\n  - {table: T, rows: [{id: a, model: M}, {id: a, model: N}]}\n"
    )
    with pytest.raises(UsageError, match="stands twice"):
        load_reported(file, "musique", 1)
