"""`lt-bench train`: what it prints, where it stops, and with which exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command import environment
from support.stages import FakeRunner, recipe_data
from support.warm import lt_bench
from typer.testing import CliRunner

from lt_bench.cli import application
from lt_bench.cli.failure import report
from lt_bench.train import stages


def catalog(folder: Path, changes: dict[str, Any] | None = None) -> Path:
    """A catalog with one recipe, shop/two, whose base has no tokenizer."""
    place = folder / "cat" / "training" / "shop"
    place.mkdir(parents=True, exist_ok=True)
    data = recipe_data(folder / "base", changes)
    (place / "two.yaml").write_text(json.dumps(data), encoding="utf-8")
    (folder / "base" / "tokenizer.json").unlink()
    return folder / "cat"


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeRunner:
    """Stands in for the trainers, and the folder of the test for the user's."""
    fake = FakeRunner()
    monkeypatch.setattr(stages, "_Runners", lambda: fake.all)
    monkeypatch.setattr(stages, "check_packages", lambda: None)
    monkeypatch.chdir(tmp_path)
    return fake


def train(*arguments: str) -> tuple[int, str, str]:
    """Exit code, stdout, and stderr of the command in this process."""
    done = CliRunner().invoke(application("train"), ["train", *arguments])
    error = done.exception
    if isinstance(error, Exception) and not isinstance(error, SystemExit):
        return report(error), done.stdout, str(error)
    return done.exit_code, done.stdout, done.stderr


def test_recipes_are_listed_with_their_folder(tmp_path: Path) -> None:
    done = lt_bench("list", "recipes", "--catalog", catalog(tmp_path), "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["shop/two"] == "Two stages."


def test_a_broken_recipe_stops_the_list(tmp_path: Path) -> None:
    folder = catalog(tmp_path, {"stages.rl.optimizer.stepz": 3})
    done = lt_bench("list", "recipes", "--catalog", folder, cwd=tmp_path)
    assert done.returncode == 2
    assert "two.yaml" in done.stderr
    assert "Did you mean 'steps'?" in done.stderr


def test_a_dry_run_says_what_it_would_take_and_writes_nothing(tmp_path: Path) -> None:
    folder = catalog(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    arguments = ("--catalog", folder, "--dry-run", "--explain", "--devices", "2")
    done = lt_bench("train", "shop/two", *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for said in ("estimated", "6 N T", "stages.rl.optimizer.steps=5", "320 completions"):
        assert said in done.stdout
    assert sorted(tmp_path.rglob("*")) == before


def test_a_dry_run_loads_no_torch(tmp_path: Path) -> None:
    folder = catalog(tmp_path, {"stages.rft.from": "Qwen/Qwen3-4B"})
    code = (
        "import sys, lt_bench.cli as cli\n"
        f"sys.argv = ['lt-bench', 'train', 'shop/two', '--catalog', {str(folder)!r}, '--dry-run']\n"
        "try: cli.main()\n"
        "except SystemExit as end: print(end.code, file=sys.stderr)\n"
        "print([m for m in ('torch', 'transformers', 'trl') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment()
    )
    assert done.stderr.splitlines()[-1] == "[]", done.stderr


def test_a_dry_run_as_json_is_one_object(tmp_path: Path) -> None:
    arguments = ("--catalog", catalog(tmp_path), "--dry-run", "--json", "--stage", "rl")
    done = lt_bench("train", "shop/two", *arguments, cwd=tmp_path)
    found = json.loads(done.stdout)
    assert [stage["name"] for stage in found["stages"]] == ["rl"]
    assert found["stages"][0]["memory"]["peak_gib"] > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["shop/too"], "Did you mean 'shop/two'?"),
        (["shop/two", "--set", "stages.rl.optimizer.stepz=1"], "Did you mean 'steps'?"),
        (["shop/two", "--set", "steps"], "is not KEY=VALUE"),
        (["shop/two", "--stage", "rll", "--dry-run"], "Did you mean 'rl'?"),
        (["shop/two", "--devices", "2"], "add --dry-run"),
        (["shop/two", "--dry-run", "--mfu", "1.5"], "--mfu must be a share up to 1"),
        (["shop/two", "--dry-run", "--devices", "0"], "--devices must be above 0"),
        (["shop/two", "--dry-run", "--devices", "3"], "on each of 3 devices"),
        (["shop/two", "--judge-votes", "3"], "judge settings without a judge model"),
        (["shop/two", "--judge", "fact"], "Did you mean 'facts'?"),
    ],
)
def test_wrong_usage_is_said_before_anything_begins(
    runner: FakeRunner, tmp_path: Path, arguments: list[str], said: str
) -> None:
    code, out, error = train(*arguments, "--catalog", str(catalog(tmp_path)))
    assert (code, out) == (2, ""), error
    assert said in error
    assert len(error.splitlines()) <= 6
    assert not (tmp_path / "runs").exists()


def test_an_error_of_the_command_is_cause_and_fix(tmp_path: Path) -> None:
    done = lt_bench("train", "shop/too", "--catalog", catalog(tmp_path), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: unknown recipe 'shop/too'. Did you mean 'shop/two'?")
    assert "fix: " in done.stderr


def test_training_prints_the_stages_and_what_comes_next(runner: FakeRunner, tmp_path: Path) -> None:
    folder = str(catalog(tmp_path))
    write_tokenizer(tmp_path)
    code, out, err = train("shop/two", "--catalog", folder)
    assert code == 0, err
    assert (tmp_path / "runs/train/shop-two/rl/candidate/candidate.json").is_file()
    assert "stage rft (rft)" in out
    assert "loss   1.25" in out
    assert "kl     not known" in out
    last = (
        "next: lt-bench eval hf/runs/train/shop-two/STAGE/candidate --task commerce_qa, "
        "STAGE one of rft, rl"
    )
    assert out.splitlines()[-1] == last
    code, out, _ = train("shop/two", "--catalog", folder)
    assert code == 0
    assert out.count("finished before") == 2
    assert runner.calls == ["rft", "rl"]


def test_one_stage_at_a_time(runner: FakeRunner, tmp_path: Path) -> None:
    folder = str(catalog(tmp_path))
    write_tokenizer(tmp_path)
    code, _, err = train("shop/two", "--catalog", folder, "--stage", "rl")
    assert (code, runner.calls) == (2, [])
    assert "needs rft" in err
    assert train("shop/two", "--catalog", folder, "--stage", "rft")[0] == 0
    code, out, _ = train("shop/two", "--catalog", folder, "--stage", "rl", "--json")
    assert runner.calls == ["rft", "rl"]
    found = json.loads(out)
    assert [stage["name"] for stage in found["stages"]] == ["rl"]
    assert found["stages"][0]["parent"] == "rft"


def test_an_interrupt_keeps_what_is_done(
    runner: FakeRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(catalog(tmp_path))
    write_tokenizer(tmp_path)
    runner.crash = "rl"
    code, out, err = train("shop/two", "--catalog", folder, "--run", "mine")
    assert (code, out) == (130, "")
    assert "run the same command again" in err
    runner.crash = None
    assert train("shop/two", "--catalog", folder, "--run", "mine")[0] == 0
    assert runner.calls == ["rft", "rl", "rl"]


def test_changed_settings_are_refused_with_the_fix(runner: FakeRunner, tmp_path: Path) -> None:
    folder = str(catalog(tmp_path))
    write_tokenizer(tmp_path)
    train("shop/two", "--catalog", folder)
    code, _, err = train("shop/two", "--catalog", folder, "--set", "stages.rl.seed=4")
    assert code == 2
    assert "stages.rl.seed: 0 -> 4" in err
    assert "--run" in err
    assert train("shop/two", "--catalog", folder, "--set", "stages.rl.seed=4", "--run", "b")[0] == 0


def write_tokenizer(folder: Path) -> None:
    (folder / "base" / "tokenizer.json").write_text("{}", encoding="utf-8")


LAUNCHED = """
import sys
from pathlib import Path
from support.stages import FakeRunner, training_of
from lt_bench.train.processes import Processes
from lt_bench.train.stages import train
from lt_bench.train.workdir import TrainingRun

folder = Path(sys.argv[1])
here = Processes.here()
training = training_of(folder / f"base{here.rank}", {"stages.rft.from": str(folder / "base")})

class Runner(FakeRunner):
    def __call__(self, context):
        result = super().__call__(context) if here.main else None
        (folder / f"{context.name}-{here.rank}").write_text(str(context.parent))
        here.wait()
        return result

reports = train(training, TrainingRun(folder / "run"), None, Runner().all)
(folder / f"done-{here.rank}").write_text(" ".join(r.file.status for r in reports))
"""


@pytest.mark.model
@pytest.mark.processes
def test_two_processes_of_a_launch_train_one_folder(tmp_path: Path) -> None:
    from support.stages import write_model

    write_model(tmp_path / "base")
    (tmp_path / "launched.py").write_text(LAUNCHED)
    # On CPUs `accelerate launch` wants MPI; on GPUs it is this launcher.
    launch = ("-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2")
    done = subprocess.run(
        [sys.executable, *launch, str(tmp_path / "launched.py"), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=240,
        env=environment(PYTHONPATH=str(Path(__file__).parents[1]), ACCELERATE_USE_CPU="true"),
    )
    assert done.returncode == 0, done.stderr[-2000:]
    candidate = str(tmp_path / "run" / "rft" / "candidate")
    for rank in (0, 1):
        assert (tmp_path / f"rl-{rank}").read_text() == candidate
        assert (tmp_path / f"done-{rank}").read_text() == "finished finished"
