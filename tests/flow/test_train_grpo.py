"""The stage `grpo` through the real command: to its candidate, killed and resumed, and stopped early."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from support.process import kill_when
from support.reinforcing import STAGE, parent
from support.server import Reply, serve
from support.warm import launch, lt_bench, start

RUN = Path("runs/train/r/rl")


def recipe(folder: Path, model: Path, **changes: Any) -> Path:
    """A recipe of the one stage; `changes` are laid over its groups."""
    stage: dict[str, Any] = {**STAGE, "from": str(model)}
    top = {"summary": "One stage.", "task": "mini_qa"}
    for key, value in changes.items():
        if key in ("judge", "judge_backend", "task"):
            top[key] = value
        else:
            before = stage.get(key)
            both = isinstance(before, dict) and isinstance(value, dict)
            stage[key] = {**before, **value} if both else value  # type: ignore[dict-item]
    path = folder / "r.yaml"
    path.write_text(json.dumps({**top, "stages": {"rl": stage}}), encoding="utf-8")
    return path


def train(folder: Path, *more: str, code: int = 0) -> str:
    done = lt_bench("train", "r.yaml", "--run", "r", *more, cwd=folder, loaded="training")
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def mixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return parent(tmp_path_factory.mktemp("mixture"), "qwen3_moe")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, mixture: Path) -> Path:
    """A stage that ran without a break, with a checkpoint every second step."""
    folder = tmp_path_factory.mktemp("unbroken")
    recipe(folder, mixture, optimizer={"save_steps": 2, "steps": 6})
    train(folder)
    return folder


def test_a_stage_ends_in_a_candidate_that_an_evaluation_takes(finished: Path) -> None:
    rows = lines(finished / RUN / "rollouts.jsonl")
    log = lines(finished / RUN / "log.jsonl")
    assert [line["step"] for line in log] == [1, 2, 3, 4, 5, 6]
    assert len(rows) == 6 * 2 * 4
    for row in rows:
        assert row["length"] == row["generation"]["turns"][0]["usage"]["output"]
        parts = row["rewards"]
        total = 0.4 * parts["correctness"] + 0.3 * parts["helpfulness"] + 0.3 * parts["length"]
        assert row["reward"] == pytest.approx(total, abs=1e-9)
    assert {row["example_id"] for row in rows[:4]} == {rows[0]["example_id"]}
    card = json.loads((finished / RUN / "candidate" / "candidate.json").read_text("utf-8"))
    assert card["metrics"]["steps"] == 6
    assert card["metrics"]["length_reference"] > 0
    assert 0.0 <= card["metrics"]["equal_groups"] <= 1.0
    assert any("L_ref" in remark for remark in card["remarks"])
    assert not list((finished / RUN / "candidate").glob("*.bin"))
    done = lt_bench(
        *("eval", f"hf/{RUN / 'candidate'}", "--task", "mini_qa", "--limit", "2"),
        *("--set", "sampling.max_tokens=16", "--json"),
        cwd=finished,
        loaded="training",
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["metrics"]["tpr"]["value"] > 0


def test_a_finished_stage_is_not_run_twice(finished: Path) -> None:
    before = (finished / RUN / "rollouts.jsonl").stat().st_mtime_ns
    assert "finished" in train(finished)
    assert (finished / RUN / "rollouts.jsonl").stat().st_mtime_ns == before


def test_a_killed_stage_ends_as_an_unbroken_one(
    tmp_path: Path, mixture: Path, finished: Path
) -> None:
    """The same rows in the same order, the same completions, the same weights: killed after a
    checkpoint, in the middle of a later step, with lines in the journals that are done again."""
    recipe(tmp_path, mixture, optimizer={"save_steps": 2, "steps": 6})
    process = start("train", "r.yaml", "--run", "r", cwd=tmp_path, loaded="training")
    assert kill_when(process, tmp_path / RUN / "log.jsonl", rows=3, late=0.05)
    assert not (tmp_path / RUN / "candidate").exists()
    said = train(tmp_path)
    assert "goes on after step 2 of 6" in said
    one, other = finished / RUN, tmp_path / RUN
    assert (one / "rollouts.jsonl").read_bytes() == (other / "rollouts.jsonl").read_bytes()
    first, second = lines(one / "log.jsonl"), lines(other / "log.jsonl")
    assert [line["step"] for line in second] == [1, 2, 3, 4, 5, 6]
    assert [line["draw"] for line in first] == [line["draw"] for line in second]
    weights = Path("candidate/model.safetensors")
    assert (one / weights).read_bytes() == (other / weights).read_bytes()


def test_a_stage_killed_before_its_candidate_only_saves_it(
    tmp_path: Path, mixture: Path, finished: Path
) -> None:
    recipe(tmp_path, mixture, optimizer={"save_steps": 2, "steps": 6})
    process = start("train", "r.yaml", "--run", "r", cwd=tmp_path, loaded="training")
    sealed = tmp_path / RUN / "checkpoints" / "checkpoint-6" / "lt_bench.json"
    kill_when(process, sealed, rows=1, late=0.0)
    before = (tmp_path / RUN / "rollouts.jsonl").read_bytes()
    train(tmp_path)
    assert (tmp_path / RUN / "rollouts.jsonl").read_bytes() == before
    weights = RUN / "candidate" / "model.safetensors"
    assert (tmp_path / weights).read_bytes() == (finished / weights).read_bytes()


def test_a_cap_below_the_needed_length_stops_early(tmp_path: Path) -> None:
    """F22: a policy that is cut before it can answer."""
    endless = parent(tmp_path / "m", "qwen3")
    recipe(tmp_path, endless, rollouts={"max_tokens": 2}, guards={"pilot": 2})
    said = train(tmp_path, code=4)
    assert "of the first 2 steps were cut at 2 tokens" in said
    assert "rollouts.max_tokens" in said
    assert "Traceback" not in said
    assert len(lines(tmp_path / RUN / "rollouts.jsonl")) == 16


def test_a_judge_that_never_answers_stops_with_the_cause(tmp_path: Path, mixture: Path) -> None:
    with serve(lambda _: Reply(content="I would rather not say.")) as server:
        recipe(
            tmp_path,
            mixture,
            task="commerce_qa",
            rows={"rows": 2},
            rewards={"weights": {"correctness": 1.0}, "length": None},
            rollouts={"group": 2},
            optimizer={"batch_size": 1, "max_length": 4096},
            judge={"name": "llm", "models": ["openai/judge"]},
            judge_backend={"base_url": server.url},
        )
        data = json.loads((tmp_path / "r.yaml").read_text("utf-8"))
        data["task"], data["stages"]["rl"]["from"] = "commerce_qa", str(_long(tmp_path))
        (tmp_path / "r.yaml").write_text(json.dumps(data), encoding="utf-8")
        said = train(tmp_path, code=4)
    assert "no completion of step 1 could be scored: correctness: judge_unparsed" in said
    assert "I would rather not say." in said
    assert "Traceback" not in said
    assert len(lines(tmp_path / RUN / "rollouts.jsonl")) == 2


def _long(folder: Path) -> Path:
    return parent(folder / "long", "qwen3", max_position_embeddings=4096)


@pytest.mark.parametrize("merge", [True, False])
def test_adapters_are_trained_and_evaluated(tmp_path: Path, mixture: Path, merge: bool) -> None:
    dense = parent(tmp_path / "m", "llama")
    lora = {"rank": 4, "merge": merge, "targets": ["q_proj", "v_proj"]}
    recipe(tmp_path, dense, lora=lora, optimizer={"steps": 2})
    train(tmp_path)
    candidate = tmp_path / RUN / "candidate"
    assert (candidate / "adapter_config.json").exists() != merge
    assert (candidate / "config.json").exists() == merge
    done = lt_bench(
        *("eval", f"hf/{candidate}", "--task", "mini_qa", "--limit", "2"),
        *("--set", "sampling.max_tokens=16", "--json"),
        cwd=tmp_path,
        loaded="training",
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.processes
def test_two_processes_train_one_policy(tmp_path: Path) -> None:
    """Groups of four over two processes of six completions each; the main one writes all of them."""
    dense = parent(tmp_path / "m")
    recipe(tmp_path, dense, optimizer={"batch_size": 3, "steps": 2})
    launch(2, lambda env: start("train", "r.yaml", cwd=tmp_path, env=env, loaded="training"))
    rows = lines(tmp_path / RUN / "rollouts.jsonl")
    assert len(rows) == 2 * 3 * 4
    for at in range(0, len(rows), 4):
        group = rows[at : at + 4]
        assert len({row["example_id"] for row in group}) == 1
        assert [row.get("index", 0) for row in group] == [0, 1, 2, 3]
        rewards = [row["reward"] for row in group]
        mean = sum(rewards) / 4
        deviation = math.sqrt(sum((reward - mean) ** 2 for reward in rewards) / 3)
        expected = [(reward - mean) / (deviation + 1e-4) for reward in rewards]
        assert [row.get("advantage", 0.0) for row in group] == pytest.approx(expected, abs=1e-4)
    assert (tmp_path / RUN / "candidate" / "model.safetensors").exists()
