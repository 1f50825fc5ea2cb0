"""The stages `pretrain`, `rft` and `sft` from end to end: what they leave, and kill -9 at any point."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from support.distilling import born, distilling, lines, pretraining
from support.teachers import GOOD, WRONG, taught
from support.warm import Running, launch, lt_bench, start_code

from lt_bench.errors import RunError, UsageError
from lt_bench.train.stage import StageContext, StageResult

pytestmark = pytest.mark.model
TESTS = Path(__file__).parents[1]

CHILD = """
import json, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from support.distilling import distilling
from lt_bench.train import distilling as stage, sft_trainer

seen = Path({seen!r})
step = sft_trainer.Learner.training_step

def training_step(self, model, inputs, *rest, **more):
    with seen.open("a") as file:
        row = [self.state.global_step, inputs["input_ids"].tolist()]
        file.write(json.dumps(row) + "\\n")
    return step(self, model, inputs, *rest, **more)

sft_trainer.Learner.training_step = training_step
context = distilling(Path({folder!r}), Path({parent!r}), **json.loads({settings!r}))
result = stage.run(context)
print(json.dumps({{"rows": result.rows, "sha": result.data_sha, "metrics": dict(result.metrics)}}))
"""
SETTINGS: dict[str, Any] = {
    "rows": {"rows": 60},
    "aux_loss": 0.01,
    "optimizer": {"learning_rate": 4e-3, "batch_size": 6, "epochs": 2.0, "save_steps": 4},
}


def run_stage(context: StageContext) -> StageResult:
    from lt_bench.train import distilling as stages

    return stages.run(context)


@pytest.fixture(scope="module")
def student(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return born(tmp_path_factory.mktemp("students") / "mixture")


class Child:
    """The stage in a process of its own, which can be killed."""

    def __init__(self, folder: Path, student: Path, settings: dict[str, Any] = SETTINGS) -> None:
        self.folder, self.seen = folder, folder.with_name(f"{folder.name}.seen")
        self.code = CHILD.format(
            tests=str(TESTS),
            seen=str(self.seen),
            folder=str(folder),
            parent=str(student),
            settings=json.dumps(settings),
        )

    def start(self, env: Mapping[str, str] | None = None) -> Running:
        return start_code(self.code, cwd=TESTS.parent, env=env, loaded="training")

    def finish(self) -> dict[str, Any]:
        """Runs to the end; what the stage says."""
        process = self.start()
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        return dict(json.loads(out.splitlines()[-1]))

    def killed_when(self, there: Callable[[Path], bool]) -> None:
        """kill -9 as soon as something is in the folder."""
        process = self.start()
        deadline = time.monotonic() + 300
        while process.poll() is None and not there(self.folder):
            assert time.monotonic() < deadline
            time.sleep(0.002)
        assert process.poll() is None, "it ended before it could be killed"
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()

    def batches(self) -> dict[int, Any]:
        """Step -> what was learnt in it, the last time it was made."""
        return dict(lines(self.seen))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def unbroken(
    tmp_path_factory: pytest.TempPathFactory, student: Path
) -> tuple[Child, dict[str, Any]]:
    child = Child(tmp_path_factory.mktemp("unbroken") / "rft", student)
    return child, child.finish()


def _journalled(folder: Path) -> bool:
    path = folder / "sampling" / "generations.jsonl"
    return path.exists() and path.read_bytes().count(b"\n") >= 20


POINTS: dict[str, Callable[[Path], bool]] = {
    "while sampling": _journalled,
    "while admitting": lambda folder: (folder / "admitted.jsonl").exists(),
    "before a checkpoint": lambda folder: (folder / "log.jsonl").exists(),
    "while writing a checkpoint": lambda folder: (folder / "checkpoints" / "checkpoint-8").exists(),
    "between checkpoints": lambda folder: (
        (folder / "log.jsonl").exists() and '"step": 11,' in (folder / "log.jsonl").read_text()
    ),
}


def test_killed_again_and_again_it_ends_as_an_unbroken_one(
    tmp_path: Path, student: Path, unbroken: tuple[Child, dict[str, Any]]
) -> None:
    whole, expected = unbroken
    child = Child(tmp_path / "rft", student)
    for there in POINTS.values():
        child.killed_when(there)
        assert not (child.folder / "candidate").exists()
    found = child.finish()
    assert (found["rows"], found["sha"]) == (expected["rows"], expected["sha"])
    assert found["metrics"]["steps"] == expected["metrics"]["steps"]
    assert found["metrics"]["loss"] == pytest.approx(expected["metrics"]["loss"], abs=1e-4)
    assert child.batches() == whole.batches()
    told = [line["step"] for line in lines(child.folder / "log.jsonl")]
    assert told == sorted(set(told)) == [line["step"] for line in lines(whole.folder / "log.jsonl")]
    for name in ("admitted.jsonl", "refused.jsonl"):
        assert (child.folder / name).read_bytes() == (whole.folder / name).read_bytes()


def test_what_was_done_is_not_done_again(
    student: Path, unbroken: tuple[Child, dict[str, Any]]
) -> None:
    child, expected = unbroken
    kept = {
        path: path.read_bytes()
        for path in (
            child.folder / "sampling" / "generations.jsonl",
            child.folder / "log.jsonl",
            child.seen,
        )
    }
    assert child.finish() == expected
    assert {path: path.read_bytes() for path in kept} == kept


def test_a_stage_leaves_a_student_that_can_be_evaluated(
    tmp_path: Path, unbroken: tuple[Child, dict[str, Any]]
) -> None:
    child, found = unbroken
    assert found["metrics"]["admitted"] == found["rows"]
    assert found["metrics"]["trajectories"] == 240
    assert 0.9 < found["metrics"]["admitted_share"] <= 1.0
    assert found["metrics"]["target_tokens"] > 100 * found["rows"]
    done = lt_bench(
        *("eval", f"hf/{child.folder / 'candidate'}", "--task", "mini_qa"),
        *("--data", child.folder / "rows.jsonl", "--limit", "4"),
        *("--set", "sampling.max_tokens=12", "--run", "r", "--json"),
        cwd=tmp_path,
        loaded="training",
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["metrics"]["tpr"]["value"] > 0


def test_what_admission_changed_is_told_on_stderr(
    tmp_path: Path, student: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    result = run_stage(distilling(tmp_path / "rft", student, rows={"rows": 12}))
    out, err = capfd.readouterr()
    assert out == ""
    assert f"{result.rows} of 12 inputs admitted" in err
    assert "known fault" in err


def test_sft_learns_from_trajectories_that_rft_refuses(tmp_path: Path, student: Path) -> None:
    rft = run_stage(distilling(tmp_path / "rft", student))
    sft = run_stage(distilling(tmp_path / "sft", student, kind="sft"))
    assert sft.rows == sft.metrics["inputs"] == 40
    assert rft.data_sha != sft.data_sha
    faults = json.loads((tmp_path / "sft" / "admission.json").read_text())["survey"]["faults"]
    assert faults["bare"]["admitted"] > 0
    taken = {line["key"]["sample_index"] for line in lines(tmp_path / "sft" / "admitted.jsonl")}
    assert taken == {0}


def test_a_base_is_learnt_from_nothing_and_is_a_parent(tmp_path: Path) -> None:
    from lt_bench.train import pretraining as stage

    base = stage.run(
        pretraining(
            tmp_path / "base",
            aux_loss=0.01,
            rows={"rows": 120},
            optimizer={"learning_rate": 8e-3, "batch_size": 8, "epochs": 2.0},
        )
    )
    assert base.rows == 120
    assert base.remarks == ()
    told = lines(tmp_path / "base" / "log.jsonl")
    assert told[-1]["loss"] < told[0]["loss"] - 0.5
    again = stage.run(pretraining(tmp_path / "again", aux_loss=0.01, rows={"rows": 120}))
    assert again.data_sha == base.data_sha
    rft = run_stage(distilling(tmp_path / "rft", tmp_path / "base" / "candidate"))
    assert rft.metrics["loss"] is not None
    assert rft.metrics["loss"] < told[0]["loss"]


def test_documents_over_the_length_are_left_out_and_told(tmp_path: Path) -> None:
    from lt_bench.train import pretraining as stage

    optimizer = {"learning_rate": 1e-3, "batch_size": 8, "max_length": 110}
    result = stage.run(pretraining(tmp_path / "base", optimizer=optimizer))
    assert 0 < result.rows < 60
    assert result.remarks == (
        f"{60 - result.rows} left out: longer than optimizer.max_length, or than the model has positions",
    )


def test_an_adapter_is_learnt_and_merged(tmp_path: Path) -> None:
    student = born(tmp_path / "student", "qwen3")
    run_stage(distilling(tmp_path / "rft", student, lora={"rank": 4}))
    assert (tmp_path / "rft" / "candidate" / "model.safetensors").exists()
    assert not (tmp_path / "rft" / "candidate" / "adapter_config.json").exists()


def test_a_dense_student_is_refused_before_the_teacher_is_asked(tmp_path: Path) -> None:
    student = born(tmp_path / "student", "qwen3")
    context = taught(tmp_path / "rft", [[GOOD]] * 3, parent=student, aux_loss=0.01)
    with pytest.raises(UsageError, match="mixtures of experts"):
        run_stage(context)
    assert not (tmp_path / "rft" / "sampling").exists()


def test_a_missing_parent_is_refused_before_the_teacher_is_asked(tmp_path: Path) -> None:
    context = taught(tmp_path / "rft", [[GOOD]] * 3, parent=tmp_path / "nobody")
    with pytest.raises(UsageError, match="no model folder"):
        run_stage(context)
    assert not (tmp_path / "rft" / "sampling").exists()


def test_an_empty_corpus_stops_the_stage_and_keeps_what_was_paid(
    tmp_path: Path, student: Path
) -> None:
    context = taught(tmp_path / "rft", [[WRONG]] * 3, parent=student)
    with pytest.raises(RunError, match="none of 3 trajectories to 3 inputs was admitted"):
        run_stage(context)
    assert len(lines(tmp_path / "rft" / "sampling" / "scores.jsonl")) == 3
    assert not (tmp_path / "rft" / "candidate").exists()


def test_rows_that_are_all_too_long_stop_the_stage(tmp_path: Path, student: Path) -> None:
    optimizer = {"learning_rate": 1e-3, "batch_size": 8, "max_length": 16}
    with pytest.raises(RunError, match=r"none of \d+ admitted trajectories can be learnt"):
        run_stage(distilling(tmp_path / "rft", student, optimizer=optimizer))


FULL = """
import resource, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from support.distilling import distilling
from lt_bench.train import distilling as stage
from lt_bench.errors import RunError
import lt_bench.train.sft_trainer
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
try:
    stage.run(distilling(Path({folder!r}), Path({parent!r})))
except RunError as error:
    print(error)
    sys.exit(4)
"""


@pytest.mark.parametrize("size", [20_000, 250_000])
def test_a_disk_that_takes_no_more_is_told_and_the_stage_goes_on_later(
    size: int, tmp_path: Path, student: Path
) -> None:
    """Whether it fills with journals or with checkpoints."""
    folder = tmp_path / "rft"
    code = FULL.format(tests=str(TESTS), size=size, folder=str(folder), parent=str(student))
    process = start_code(code, cwd=TESTS.parent, loaded="training")
    out, err = process.communicate()
    assert process.returncode == 4, err
    assert "cannot write" in out
    assert "fix: " in out
    assert not (folder / "candidate").exists()
    assert run_stage(distilling(folder, student)).rows > 30


@pytest.mark.processes
def test_two_processes_learn_what_one_does_and_only_one_asks(tmp_path: Path, student: Path) -> None:
    settings = {
        "rows": {"rows": 17},
        "optimizer": {"learning_rate": 4e-3, "batch_size": 4, "epochs": 1.0},
    }
    child = Child(tmp_path / "two", student, settings)
    launch(2, child.start)
    alone = run_stage(distilling(tmp_path / "one", student, **settings))
    assert alone.rows % 4 == 0, "a last step that is not full is made even by two"
    for name in ("admitted.jsonl", "refused.jsonl", "sampling/generations.jsonl"):
        one, two = (len(lines(tmp_path / run / name)) for run in ("one", "two"))
        assert one == two
    found = [
        [line["loss"] for line in lines(tmp_path / run / "log.jsonl")] for run in ("one", "two")
    ]
    assert found[0] == pytest.approx(found[1], abs=1e-4)
    assert (tmp_path / "two" / "candidate" / "model.safetensors").exists()
