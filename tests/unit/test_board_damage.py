"""Boards whose files were damaged or edited: an error that says which, never a figure of mixed making."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.ipc
import pytest
from support.boards import board, run

from lt_bench.board.at_hand import board_of
from lt_bench.board.building import build
from lt_bench.board.margins import non_inferiority
from lt_bench.board.store import Store
from lt_bench.errors import UsageError

VALUES = [1.0, 0.0, 1.0, 1.0] * 10


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    board(tmp_path, run("one", {"correctness": VALUES}), run("two", {"correctness": VALUES[::-1]}))
    return tmp_path


def edited(path: Path, change: Callable[[Any], object]) -> None:
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def rows_of(path: Path, **columns: pyarrow.Array) -> None:
    """Writes a file of rows anew with some of its columns changed."""
    table = pyarrow.ipc.open_file(path.read_bytes()).read_all()
    for name, values in columns.items():
        place = next(i for i, known in enumerate(table.column_names) if known.endswith(name))
        table = table.set_column(place, table.column_names[place], values)
    with pyarrow.ipc.new_file(str(path), table.schema) as out:
        out.write_table(table)


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        ([0.0] * 40, "the card says 0.75 of 40 samples, the scores say 0.0 of 40"),
        ([None] * 40, "the scores say None of 0"),
        ([float("inf")] * 40, "infinite"),
        ([1e308] * 40, "the scores say inf of 40"),
    ],
)
def test_scores_that_are_not_of_the_card_stop_the_build(
    folder: Path, scores: list[float | None], says: str
) -> None:
    path = next((folder / "rows").glob("one-*"))
    rows_of(path, correctness=pyarrow.array(scores, pyarrow.float64()))
    with pytest.raises(UsageError, match=says):
        build(Store(folder))


@pytest.mark.parametrize("column", ["example", "group"])
def test_names_that_are_no_names_stop_the_build(folder: Path, column: str) -> None:
    for path in (folder / "rows").iterdir():
        rows_of(path, **{column: pyarrow.array([None] * 40, pyarrow.string())})
    with pytest.raises(UsageError, match="holds more than names"):
        build(Store(folder))


def test_rows_that_all_entries_lost_alike_stop_the_build(folder: Path) -> None:
    for path in (folder / "rows").iterdir():
        table = pyarrow.ipc.open_file(path.read_bytes()).read_all().slice(0, 39)
        with pyarrow.ipc.new_file(str(path), table.schema) as out:
            out.write_table(table)
    with pytest.raises(UsageError, match="not those that its entry tells of"):
        build(Store(folder))


@pytest.mark.parametrize("samples", [-1, 0, 2, 7, 10**9])
def test_a_wrong_number_of_samples_stops_the_build(folder: Path, samples: int) -> None:
    for path in (folder / "entries").iterdir():
        edited(path, lambda entry: entry.update(samples=samples))
    with pytest.raises(UsageError, match=r"samples|not those that its entry tells of"):
        build(Store(folder))


def test_entries_that_disagree_on_which_way_is_up_stop_the_build(folder: Path) -> None:
    path = next((folder / "entries").glob("one-*"))
    edited(path, lambda entry: entry["better"].update(correctness="lower"))
    with pytest.raises(UsageError, match="is better higher for two-"):
        build(Store(folder))


def test_names_that_are_not_unicode_are_kept_as_escapes(tmp_path: Path) -> None:
    one = run("one", {"correctness": VALUES}, command="lt-bench eval \udcff")
    board(tmp_path, one, name="model \udcff")
    found = build(Store(tmp_path), command="lt-bench leaderboard build \udcff")
    assert json.loads(found.model_dump_json())["entries"][0]["model"] == r"model \udcff"


def test_a_failed_add_under_another_name_loses_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = sorted(path.name for path in folder.rglob("*"))
    monkeypatch.setattr("lt_bench.board.store.write_rows", full)
    with pytest.raises(OSError, match="No space"):
        board(folder, run("one", {"correctness": VALUES}), name="renamed")
    assert sorted(path.name for path in folder.rglob("*")) == before


def test_an_ablation_of_a_metric_that_nobody_has_stops_the_build(folder: Path) -> None:
    (entry, _) = sorted(path.stem for path in (folder / "cards").iterdir())
    bars = f"[{{label: a, entry: {entry}}}]"
    (folder / "board.yaml").write_text(
        "task: commerce_qa\ntitle: shop\nablations:\n"
        f"  - {{title: cap, metrics: [nope], bars: {bars}}}\n"
    )
    with pytest.raises(UsageError, match="ablation 'cap' shows 'nope'"):
        build(Store(folder))


@pytest.mark.parametrize("figure", ["nan", "inf", "1e400", "1_0", "８１", ""])
@pytest.mark.parametrize("unit", ["share", "tokens"])
def test_a_reported_figure_is_a_plain_number(folder: Path, figure: str, unit: str) -> None:
    (folder / "reported.yaml").write_text(
        f"paper: {{title: P}}\nunits: {{correctness: {unit}}}\ntables:\n"
        f'  - {{table: T, rows: [{{id: r, model: M, figures: {{correctness: "{figure}"}}}}]}}\n'
    )
    with pytest.raises(UsageError, match="is no number"):
        build(Store(folder))


@pytest.mark.parametrize("margin", [float("nan"), float("inf"), 0.0, -0.1, 1.0])
def test_what_is_no_margin_is_refused(margin: float) -> None:
    found = board_of([run("one", {"f1": VALUES}), run("two", {"f1": VALUES[::-1]})])
    with pytest.raises(UsageError, match="is no margin for f1"):
        non_inferiority(found.pairs[0], found.by_name["f1"], margin)
