"""`lt-bench leaderboard` from runs to a board: add, build, compare."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.warm import lt_bench

from lt_bench.board.model import Board
from lt_bench.records import ResultCard

REPLIES = Path(__file__).parents[2] / "tasks/commerce_qa/sample/replies.jsonl"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs of 40 rows: the reference replies, and two that fail on some rows."""
    folder = tmp_path_factory.mktemp("boards")
    rows = [json.loads(line) for line in REPLIES.read_text("utf-8").splitlines()[:40]]
    for name, step in (("gold", 0), ("some", 8), ("many", 2)):
        changed = [
            {**row, "output": "I cannot tell."} if step and number % step == 0 else row
            for number, row in enumerate(rows)
        ]
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, changed)), "utf-8")
        arguments = ("--task", "commerce_qa", "--limit", "40", "--run", name)
        done = lt_bench("eval", f"replay/{name}.jsonl", *arguments, cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


def test_runs_become_a_board_with_ranks_and_files(folder: Path) -> None:
    done = lt_bench("leaderboard", "add", "gold", "runs/some", "many", cwd=folder)
    assert done.returncode == 0, done.stderr
    done = lt_bench("leaderboard", "build", "leaderboards/commerce_qa", "--out", "site", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "site/index.html"
    board = Board.model_validate_json((folder / "site/board.json").read_text("utf-8"))
    assert [one.model for one in board.entries] == [
        "replay/gold.jsonl",
        "replay/some.jsonl",
        "replay/many.jsonl",
    ]
    best = board.cell(board.entries[0].id, "correctness")
    assert (best.rank, best.ranks and best.ranks.low) == (1, 1)
    assert (
        board.entries[1].command == "lt-bench eval replay/some.jsonl --task commerce_qa --limit 40"
    )
    assert board.entries[0].judges["correctness"].belief == "rules"
    text = (folder / "site/board.md").read_text("utf-8")
    assert "replay/gold.jsonl" in text
    assert (folder / "site/board.csv").read_text("utf-8").startswith("id,model,")


def test_the_board_needs_the_runs_no_more_and_adding_again_changes_nothing(folder: Path) -> None:
    store = folder / "own"
    done = lt_bench(
        "leaderboard", "add", "gold", "--board", "own", "--name", "reference", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    files = {path: path.read_bytes() for path in store.rglob("*.*")}
    lt_bench("leaderboard", "add", "gold", "--board", "own", "--name", "reference", cwd=folder)
    assert {path: path.read_bytes() for path in store.rglob("*.*")} == files
    (card,) = (store / "cards").iterdir()
    assert ResultCard.model_validate_json(card.read_bytes()).samples == {"ok": 40}


def test_compare_tests_two_runs_and_gates_on_a_margin(folder: Path) -> None:
    done = lt_bench("leaderboard", "compare", "some", "many", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    board = Board.model_validate_json(done.stdout)
    pair = next(one for one in board.pairs if one.metric == "correctness")
    assert board.by_id[pair.better].model == "replay/some.jsonl"
    gate = ("--non-inferior", "correctness", "--margin")
    done = lt_bench("leaderboard", "compare", "some", "many", *gate, "0.02", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "within a margin of 2.0 points" in done.stdout
    done = lt_bench("leaderboard", "compare", "many", "some", *gate, "0.02", cwd=folder)
    assert done.returncode == 5
    assert "worse by more than the margin" in done.stderr
    assert len(done.stderr.splitlines()) <= 6


def test_compare_of_a_board_tests_any_entries_and_metrics(folder: Path) -> None:
    lt_bench("leaderboard", "add", "gold", "some", "many", "--board", "all", cwd=folder)
    done = lt_bench(
        "leaderboard", "compare", "all", "--metric", "output_chars", "--mdd", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    assert "output_chars" in done.stdout
    assert "in 80 % of the cases" in done.stdout
    ids = sorted(path.stem for path in (folder / "all/cards").iterdir())
    done = lt_bench(
        *("leaderboard", "compare", "all", "--only", ids[0], "--only", ids[1], "--json"), cwd=folder
    )
    assert {one["id"] for one in json.loads(done.stdout)["entries"]} == set(ids[:2])
    for wrong in (("--only", "nobody"), ("--metric", "corectness"), ("--margin", "0.1")):
        done = lt_bench("leaderboard", "compare", "all", *wrong, cwd=folder)
        assert done.returncode == 2, done.stdout
        assert "fix:" in done.stderr


def test_a_card_that_is_not_of_its_scores_is_refused(folder: Path) -> None:
    import shutil

    shutil.copytree(folder / "runs/many", folder / "runs/forged")
    path = folder / "runs/forged/card.json"
    card = json.loads(path.read_text("utf-8"))
    card["metrics"]["correctness"]["value"] = 0.99
    path.write_text(json.dumps(card), "utf-8")
    done = lt_bench("leaderboard", "add", "forged", "--board", "own", cwd=folder)
    assert done.returncode == 2
    assert "correctness: the card says 0.99" in done.stderr
    done = lt_bench("leaderboard", "compare", "many", "runs/many", cwd=folder)
    assert done.returncode == 2
    assert "named twice" in done.stderr
    done = lt_bench("leaderboard", "build", "nowhere", "--out", "x", cwd=folder)
    assert done.returncode == 2
    assert "nowhere" in done.stderr


@pytest.mark.parametrize(
    ("whole", "broken"),
    [('"sample_index":0', '"sample_index":[]'), ('"example_id":"', '"example_id":{},"was":"')],
)
def test_a_score_of_no_sample_is_refused(folder: Path, whole: str, broken: str) -> None:
    import shutil

    shutil.rmtree(folder / "runs/damaged", ignore_errors=True)
    shutil.copytree(folder / "runs/many", folder / "runs/damaged")
    path = folder / "runs/damaged/scores.jsonl"
    path.write_text(path.read_text("utf-8").replace(whole, broken, 1), "utf-8")
    done = lt_bench("leaderboard", "compare", "damaged", "some", cwd=folder)
    assert done.returncode == 4
    assert "line 1 is not a Scored" in done.stderr
