"""A training goes on where it stopped, does nothing twice, and is never mixed with another."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from support.stages import FakeRunner, training_of, write_model

from lt_bench.errors import RunError, UsageError
from lt_bench.train.stage import StageContext, StageResult
from lt_bench.train.stages import RUNNERS, train
from lt_bench.train.workdir import TrainingRun, training_folder


def go(folder: Path, runner: FakeRunner, only: str | None = None, **changes: Any) -> list[str]:
    """Trains; the names of the stages that ran in this call."""
    paths = {key.replace("__", "."): value for key, value in changes.items()}
    training = training_of(folder / "base", paths)
    reports = train(training, TrainingRun(folder / "run"), only, runner.all)
    return [report.file.name for report in reports if not report.before]


def stage_file(folder: Path, stage: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "run" / stage / "stage.json").read_text())
    return found


def test_stages_run_in_order_each_from_the_one_before(tmp_path: Path) -> None:
    runner = FakeRunner()
    assert go(tmp_path, runner) == ["rft", "rl"]
    rft, rl = runner.contexts["rft"], runner.contexts["rl"]
    assert rft.parent == str(tmp_path / "base")
    assert rl.parent == str(rft.candidate) == str(tmp_path / "run" / "rft" / "candidate")
    assert rl.candidates == {"rft": rft.candidate}
    first, second = stage_file(tmp_path, "rft"), stage_file(tmp_path, "rl")
    assert second["parent"] == "rft"
    assert second["parent_sha"] == first["candidate_sha"] != first["parent_sha"]
    assert (first["status"], first["rows"], first["metrics"]["kl"]) == ("finished", 40, None)
    recipe = json.loads((tmp_path / "run" / "recipe.json").read_text())
    assert recipe["recipe"]["stages"]["rl"]["objective"]["kl"] == 0.01, "defaults are resolved"
    assert recipe["recipe"]["stages"]["rl"]["from"] == "rft"


def test_a_finished_stage_is_not_run_twice(tmp_path: Path) -> None:
    go(tmp_path, FakeRunner())
    before = (tmp_path / "run" / "rft" / "stage.json").read_bytes()
    again = FakeRunner()
    assert go(tmp_path, again) == []
    assert again.calls == []
    assert (tmp_path / "run" / "rft" / "stage.json").read_bytes() == before


def test_an_interrupted_stage_is_run_again_and_the_one_before_it_not(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        go(tmp_path, FakeRunner(crash="rl"))
    assert stage_file(tmp_path, "rl")["status"] == "began"
    began = stage_file(tmp_path, "rl")["began"]
    assert go(tmp_path, FakeRunner()) == ["rl"]
    assert stage_file(tmp_path, "rl")["began"] == began


def _killed_after(folder: Path, writes: int) -> None:
    """Trains until so many files were written whole, and dies as by kill -9."""
    from lt_bench.run import rundir
    from lt_bench.train import candidate, workdir

    left = [writes]

    def write_whole(path: Path, text: str) -> None:
        if left[0] == 0:
            path.with_name(f".{path.name}.part").write_text(text[: len(text) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        rundir.write_whole(path, text)

    workdir.write_whole = candidate.write_whole = write_whole  # type: ignore[assignment]
    train(training_of(folder / "base"), TrainingRun(folder / "run"), None, FakeRunner().all)


def test_a_kill_at_any_write_resumes_to_the_same_end(tmp_path: Path) -> None:
    """Nine files: the recipe, and for each stage its beginning, two of the candidate, its end."""
    fork = multiprocessing.get_context("fork")
    writes, code = 0, -signal.SIGKILL
    while code == -signal.SIGKILL:
        folder = tmp_path / str(writes)
        folder.mkdir()
        child = fork.Process(target=_killed_after, args=(folder, writes))
        child.start()
        child.join()
        code = child.exitcode or 0
        runner = FakeRunner()
        go(folder, runner)
        for stage in ("rft", "rl"):
            assert stage_file(folder, stage)["status"] == "finished"
            assert (folder / "run" / stage / "candidate" / "README.md").is_file()
            assert (folder / "run" / stage / "candidate" / "candidate.json").is_file()
        assert stage_file(folder, "rl")["parent_sha"] == stage_file(folder, "rft")["candidate_sha"]
        assert runner.calls == (["rft", "rl"] if writes < 5 else ["rl"] if writes < 9 else [])
        writes += 1
    assert (writes, code) == (10, 0)


def test_another_recipe_is_refused_with_the_keys_named(tmp_path: Path) -> None:
    go(tmp_path, FakeRunner())
    with pytest.raises(UsageError) as error:
        go(tmp_path, FakeRunner(), stages__rft__optimizer__learning_rate=2e-5)
    assert "stage rft" in error.value.cause
    assert "stages.rft.optimizer.learning_rate: 1e-05 -> 2e-05" in error.value.cause
    assert str(tmp_path / "run" / "rft") in error.value.fix


def test_a_later_stage_may_change_until_it_has_begun(tmp_path: Path) -> None:
    go(tmp_path, FakeRunner(), only="rft")
    assert go(tmp_path, FakeRunner(), stages__rl__optimizer__steps=7) == ["rl"]
    recipe = json.loads((tmp_path / "run" / "recipe.json").read_text())
    assert recipe["recipe"]["stages"]["rl"]["optimizer"]["steps"] == 7


def test_one_stage_over_a_changed_earlier_one_is_refused(tmp_path: Path) -> None:
    go(tmp_path, FakeRunner(), only="rft")
    with pytest.raises(UsageError, match=r"Changed: stages\.rft\.rows\.seed: 0 -> 1"):
        go(tmp_path, FakeRunner(), only="rl", stages__rft__rows__seed=1)


def test_one_stage_alone_does_not_mind_a_changed_later_one(tmp_path: Path) -> None:
    go(tmp_path, FakeRunner())
    assert go(tmp_path, FakeRunner(), only="rft", stages__rl__seed=1) == []


def test_a_changed_judge_or_task_is_refused(tmp_path: Path) -> None:
    go(tmp_path, FakeRunner())
    judge, backend = {"name": "llm", "models": ["openai/a"]}, {"base_url": "http://localhost:9"}
    with pytest.raises(UsageError, match=r"Changed: judge\.name: facts -> llm"):
        go(tmp_path, FakeRunner(), judge=judge, judge_backend=backend)


def test_what_only_changes_the_speed_may_change(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        go(tmp_path, FakeRunner(crash="rft"))
    changed = {
        "stages__rft__optimizer__micro_batch": 4,
        "stages__rft__optimizer__save_steps": 2,
        "stages__rft__teacher__options": {"base_url": "http://me:pw@two:8000/v1"},
        "stages__rft__precision__gradient_checkpointing": True,
        "summary": "Other words.",
    }
    assert go(tmp_path, FakeRunner(), **changed) == ["rft", "rl"]
    assert "me:pw" not in (tmp_path / "run" / "recipe.json").read_text()


def test_changed_rows_in_a_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("{}\n")
    with pytest.raises(KeyboardInterrupt):
        go(tmp_path, FakeRunner(crash="rft"), stages__rft__rows__file=str(file))
    file.write_text("{}\n{}\n")
    with pytest.raises(UsageError, match=r"Changed: data\.sha"):
        go(tmp_path, FakeRunner(), stages__rft__rows__file=str(file))


def test_a_changed_parent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        go(tmp_path, FakeRunner(crash="rft"))
    training = training_of(tmp_path / "base")
    write_model(tmp_path / "base", weight=3.0)
    with pytest.raises(UsageError, match=r"Changed: from\."):
        train(training, TrainingRun(tmp_path / "run"), None, FakeRunner().all)


def test_a_stage_whose_parent_was_trained_anew_is_refused(tmp_path: Path) -> None:
    go(tmp_path, FakeRunner())
    folder = tmp_path / "run" / "rft"
    folder.rename(tmp_path / "old")
    runner = FakeRunner()
    runner.calls = ["another"]  # so that its weights differ
    with pytest.raises(UsageError, match=r"stage rl .* Changed: from\.rft: "):
        go(tmp_path, runner)
    assert stage_file(tmp_path, "rft")["status"] == "finished"


def test_a_stage_without_its_parent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="stage rl needs rft, which is not finished") as error:
        go(tmp_path, FakeRunner(), only="rl")
    assert "--stage rft" in error.value.fix


def test_an_unknown_stage_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no stage 'rtf'. Did you mean 'rft'?"):
        go(tmp_path, FakeRunner(), only="rtf")
    assert not (tmp_path / "run").exists()


def test_a_candidate_that_is_gone_is_missed(tmp_path: Path) -> None:
    go(tmp_path, FakeRunner(), only="rft")
    (tmp_path / "run" / "rft" / "candidate").rename(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="is gone"):
        go(tmp_path, FakeRunner())


def test_a_runner_that_leaves_no_model_does_not_finish(tmp_path: Path) -> None:
    class Empty(FakeRunner):
        def __call__(self, context: StageContext) -> StageResult:
            context.candidate.mkdir(parents=True)
            return StageResult(rows=1, data_sha="0")

    with pytest.raises(RunError, match="without a whole candidate"):
        go(tmp_path, Empty())
    assert stage_file(tmp_path, "rft")["status"] == "began"


def test_a_parent_without_weights_is_refused_before_its_stage_begins(tmp_path: Path) -> None:
    training = training_of(tmp_path / "base")
    (tmp_path / "base" / "model.safetensors").unlink()
    with pytest.raises(UsageError, match="has no weights"):
        train(training, TrainingRun(tmp_path / "run"), None, FakeRunner().all)
    assert not (tmp_path / "run" / "rft").exists()


@pytest.mark.parametrize("text", ["", "{", '{"name": "rft"}', "[]", "null"])
def test_a_damaged_stage_file_is_named(tmp_path: Path, text: str) -> None:
    go(tmp_path, FakeRunner(), only="rft")
    (tmp_path / "run" / "rft" / "stage.json").write_text(text)
    with pytest.raises(UsageError, match=r"stage\.json is damaged"):
        go(tmp_path, FakeRunner())


def test_a_folder_of_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match="holds other files and is no training"):
        go(tmp_path, FakeRunner())
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["thesis.tex"]


def test_two_trainings_of_one_folder_exclude_each_other(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run")
    with (
        run.locked(),
        pytest.raises(UsageError, match="is being trained by another process"),
    ):
        go(tmp_path, FakeRunner())


def test_a_candidate_of_another_training_can_be_a_parent(tmp_path: Path) -> None:
    go(tmp_path, FakeRunner(), only="rft")
    other, runner = tmp_path / "other", FakeRunner()
    other.mkdir()
    earlier = str(tmp_path / "run" / "rft")
    assert go(other, runner, only="rl", stages__rl__from=earlier) == ["rl"]
    assert runner.contexts["rl"].parent == f"{earlier}/candidate"


def test_a_name_lies_under_runs_and_a_path_where_it_says() -> None:
    assert training_folder("mini") == Path("runs/train/mini")
    assert training_folder("./mini") == Path("mini")


def test_other_processes_of_a_launch_write_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes in turn, their barriers left out: the second finds the first one's files."""
    from lt_bench.train.processes import Processes

    monkeypatch.setattr(Processes, "wait", lambda self: None)
    go(tmp_path, FakeRunner())
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "run").rglob("*") if p.is_file()}
    monkeypatch.setenv("WORLD_SIZE", "2"), monkeypatch.setenv("RANK", "1")
    assert go(tmp_path, FakeRunner()) == []
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "run").rglob("*") if p.is_file()} == before


def test_every_kind_of_stage_has_a_runner() -> None:
    from lt_bench.train.loading import KINDS

    assert set(RUNNERS) == set(KINDS)


def test_what_a_stopped_stage_keeps_is_told(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path)
    assert run.last_checkpoint("rl") == 0
    for step in (20, 100, 40):
        (run.stage_folder("rl") / "checkpoints" / f"checkpoint-{step}").mkdir(parents=True)
    (run.stage_folder("rl") / "checkpoints" / "checkpoint-torn").mkdir()
    assert run.last_checkpoint("rl") == 100
