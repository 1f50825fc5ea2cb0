"""The main job from end to end: a card, its files, another scoring, other runs beside it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from support.warm import lt_bench

from lt_bench import Run, catalog, evaluate
from lt_bench.errors import UsageError
from lt_bench.records import ResultCard


def replies(task: str) -> str:
    return f"replay/{catalog.find('tasks', task) / 'sample' / 'replies.jsonl'}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both tasks evaluated on the reference replies by one command without --task's value."""
    folder = tmp_path_factory.mktemp("eval")
    done = lt_bench("eval", replies("musique"), "--task", "musique", "--run", "m", cwd=folder)
    assert done.returncode == 0, done.stderr
    done = lt_bench(
        "eval", replies("commerce_qa"), "--task", "commerce_qa", "--run", "c", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return folder / "runs"


def test_reference_replies_are_right(folder: Path) -> None:
    assert Run(folder / "m").card.metrics["em"].value == 1.0
    commerce = Run(folder / "c").card.metrics
    assert commerce["correctness"].value == 1.0
    assert commerce["helpfulness"].value == 1.0


def test_a_run_folder_holds_what_the_docs_say(folder: Path) -> None:
    names = {path.name for path in (folder / "m").iterdir()} - {".lock"}
    assert names == {"config.json", "generations.jsonl", "scores.jsonl", "card.json", "log.txt"}


def test_a_card_has_intervals_slices_and_a_stamp(folder: Path) -> None:
    card = Run(folder / "c").card
    assert card.stamp.data is None
    assert card.stamp.environment.git_commit
    assert len(card.stamp.data_sha) == 64
    estimate = card.metrics["correctness"]
    assert estimate.low is not None
    assert estimate.low < 1.0
    assert {"status:ok", "lang:en", "tag:noise:slot_number"} <= card.slices.keys()
    assert card.judges["correctness"].name == "facts"
    assert "tpr" not in card.judges


def test_scoring_again_needs_no_model_and_gives_the_same_card(folder: Path) -> None:
    before = json.loads((folder / "m" / "card.json").read_text())
    generations = (folder / "m" / "generations.jsonl").read_bytes()
    (folder / "m" / "scores.jsonl").unlink()
    done = lt_bench("score", folder / "m", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    after = json.loads(done.stdout)
    assert (folder / "m" / "generations.jsonl").read_bytes() == generations
    for one in (before, after):
        one["stamp"].pop("created")
    assert after == before


def test_an_unfinished_run_has_no_card_yet(folder: Path, tmp_path: Path) -> None:
    run = tmp_path / "half"
    run.mkdir()
    for name in ("config.json", "generations.jsonl"):
        (run / name).write_bytes((folder / "m" / name).read_bytes())
    lines = (run / "generations.jsonl").read_bytes().splitlines(keepends=True)
    (run / "generations.jsonl").write_bytes(b"".join(lines[:40]))
    done = lt_bench("score", run, cwd=tmp_path)
    assert done.returncode == 2
    assert "holds 40 of 100 samples" in done.stderr
    assert "100 ok" not in lt_bench("run", "status", run, cwd=tmp_path).stdout
    assert "40 ok" in lt_bench("run", "status", run, cwd=tmp_path).stdout


def test_runs_are_compared_as_one_table_and_only_over_the_same_rows(folder: Path) -> None:
    lt_bench("eval", replies("musique"), "--task", "musique", "--run", "m2", cwd=folder.parent)
    done = lt_bench("leaderboard", "compare", folder / "m", folder / "m2", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "100.0 %" in done.stdout
    assert "support_f1" in done.stdout
    done = lt_bench("leaderboard", "compare", folder / "m", folder / "c", cwd=folder)
    assert done.returncode == 2
    assert "differ in task" in done.stderr


def test_without_a_task_both_are_run(tmp_path: Path) -> None:
    rows = [
        line
        for task in ("commerce_qa", "musique")
        for line in Path(replies(task).removeprefix("replay/")).read_text().splitlines()
    ]
    (tmp_path / "all.jsonl").write_text("\n".join(rows))
    done = lt_bench(
        "eval", "replay/all.jsonl", "--limit", "3", "--run", "x", "--json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    cards = [ResultCard.model_validate_json(line) for line in done.stdout.splitlines()]
    assert [card.task for card in cards] == ["commerce_qa", "musique"]
    assert (tmp_path / "runs/x-commerce_qa/card.json").exists()
    assert (tmp_path / "runs/x-musique/card.json").exists()


def test_a_dry_run_shows_the_prompt_and_asks_nothing(tmp_path: Path) -> None:
    arguments = ["eval", "openai/x", "--base-url", "http://127.0.0.1:9/v1", "--dry-run"]
    done = lt_bench(*arguments, "--task", "musique", "--limit", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "requests: 2" in done.stdout
    assert "--- user" in done.stdout
    assert not (tmp_path / "runs").exists()


def test_progress_is_plain_lines_on_stderr_in_a_pipe(tmp_path: Path) -> None:
    done = lt_bench(
        "eval", replies("musique"), "--task", "musique", "--limit", "5", "--json", cwd=tmp_path
    )
    assert "5/5" in done.stderr
    assert "\x1b" not in done.stderr + done.stdout
    json.loads(done.stdout)


def test_python_gives_the_card_and_a_table(tmp_path: Path) -> None:
    card = evaluate(replies("musique"), task="musique", limit=7, run=tmp_path / "run")
    assert card.metrics["f1"].value == 1.0
    frame = Run(tmp_path / "run").to_pandas()
    assert len(frame) == 7
    assert frame["em"].tolist() == [1.0] * 7
    assert frame["reasoning"].notna().all()


def test_python_works_inside_a_running_loop(tmp_path: Path) -> None:
    async def notebook() -> ResultCard:
        return evaluate(replies("musique"), task="musique", limit=2, run=tmp_path / "run")

    assert asyncio.run(notebook()).metrics["em"].value == 1.0


def test_python_raises_usage_errors(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Did you mean 'musique'"):
        evaluate(replies("musique"), task="musqiue", run=tmp_path / "run")
    with pytest.raises(UsageError, match="is not a run"):
        Run(tmp_path)


def test_a_replay_counts_tokens_with_a_tokenizer_or_not_at_all(tmp_path: Path) -> None:
    card = evaluate(replies("musique"), task="musique", limit=3, run=tmp_path / "run")
    assert card.metrics["tpr"].value is None
    assert card.metrics["tpr"].unscored == {"not_applicable": 3}
    assert card.stamp.counted_by is None


def test_a_task_of_ones_own_is_a_folder(tmp_path: Path) -> None:
    task = tmp_path / "mine" / "tasks" / "returns_qa"
    (task / "sample").mkdir(parents=True)
    (task / "task.yaml").write_text(
        "name: returns_qa\nversion: 1\nsummary: returns\nbuilder: {use: commerce_qa}\n"
        "options: {extract: answer, mode: official}\n"
        "scorers: [{use: answers}, {use: cost}]\nheadline: [em, truncated]\n"
    )
    (task / "prompt.md").write_text("[user]\n{{ example.question }}\n")
    row = {
        "id": "r1", "task": "returns_qa", "group": "shoes", "question": "How long?",
        "gold": {"kind": "answers", "answers": ["30 days"]}, "tags": ["shoes"],
    }  # fmt: skip
    (task / "sample" / "test.jsonl").write_text(json.dumps(row))
    (tmp_path / "p.jsonl").write_text('{"id": "r1", "output": "Answer: 30 days"}')
    done = lt_bench(
        *("eval", "replay/p.jsonl", "--task", "returns_qa", "--catalog", "mine", "--json"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["metrics"]["em"]["value"] == 1.0


def test_mended_predictions_are_another_run_and_missing_ones_are_not_promised(
    tmp_path: Path,
) -> None:
    lines = Path(replies("musique").removeprefix("replay/")).read_text().splitlines(keepends=True)
    arguments = ["eval", "replay/p.jsonl", "--task", "musique", "--limit", "4"]
    (tmp_path / "p.jsonl").write_text("".join(lines[:3]))
    done = lt_bench(*arguments, cwd=tmp_path)
    assert done.returncode == 3
    assert "1 of 4 samples have no answer" in done.stdout
    assert "asks for them again" not in done.stdout
    (tmp_path / "p.jsonl").write_text("".join(lines[:4]))
    assert lt_bench(*arguments, cwd=tmp_path).returncode == 0


def test_a_run_is_found_by_its_name(folder: Path) -> None:
    done = lt_bench("score", "c", cwd=folder.parent)
    assert done.returncode == 0, done.stderr
    assert "100 ok" in lt_bench("run", "status", "c", cwd=folder.parent).stdout


def test_why_a_reply_lost_its_points_is_in_the_table(tmp_path: Path) -> None:
    first = Path(replies("commerce_qa").removeprefix("replay/")).read_text().splitlines()[0]
    (tmp_path / "p.jsonl").write_text(json.dumps({**json.loads(first), "output": "Sorry."}))
    evaluate(f"replay/{tmp_path / 'p.jsonl'}", task="commerce_qa", limit=1, run=tmp_path / "r")
    assert Run(tmp_path / "r").to_pandas()["why"][0]


def test_a_broken_declaration_is_found_by_list_and_a_wrong_name_before_the_model(
    tmp_path: Path,
) -> None:
    task = tmp_path / "mine" / "tasks" / "odd"
    (task / "sample").mkdir(parents=True)
    spec = (
        "name: odd\nversion: 1\nsummary: s\nbuilder: {use: commerce_qa}\nscorers: [{use: cost}]\n"
    )
    (task / "prompt.md").write_text("[user]\n{{ example.qestion }}\n")
    row = {"id": "1", "task": "odd", "question": "?", "group": "1"}
    (task / "sample" / "test.jsonl").write_text(json.dumps(row))
    (task / "task.yaml").write_text(spec + "headlin: [tpr]\n")
    done = lt_bench("list", "tasks", "--catalog", "mine", cwd=tmp_path)
    assert done.returncode == 2
    assert "Did you mean 'headline'" in done.stderr
    (task / "task.yaml").write_text(spec)
    done = lt_bench("eval", "hf/nowhere", "--task", "odd", "--catalog", "mine", cwd=tmp_path)
    assert done.returncode == 2
    assert "there is no 'qestion'. Did you mean 'question'?" in done.stderr
