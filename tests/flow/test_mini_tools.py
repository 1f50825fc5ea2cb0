"""The tool agent in small through the real command: all of its stages, and the guard of the last."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.warm import lt_bench

pytestmark = pytest.mark.model

TINY = {
    "hidden_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 16,
    "intermediate_size": 48,
    "moe_intermediate_size": 24,
}
SETTINGS: dict[str, Any] = {
    **{f"stages.base.architecture.config.{key}": value for key, value in TINY.items()},
    "stages.base.rows.rows": 96,
    "stages.sft.rows.rows": 24,
    "stages.cold_start.rows.rows": 24,
    "stages.rl.rows.rows": 4,
    "stages.rl.optimizer.steps": 2,
    "stages.rl.optimizer.batch_size": 2,
    "stages.rl.rollouts.group": 2,
    "stages.rl.rollouts.max_tokens": 12,
    "stages.rl.guards.pilot": 0,  # so few documents teach no calls
}
STAGES = ("base", "sft", "cold_start", "rl")


def train(folder: Path, *more: str, run: str = "r", code: int = 0, **changes: Any) -> str:
    settings = {**SETTINGS, **changes}
    sets = [
        part for key, value in settings.items() for part in ("--set", f"{key}={json.dumps(value)}")
    ]
    asked = ("train", "mini/tools", "--run", run, *more, *sets)
    done = lt_bench(*asked, cwd=folder, loaded="training")
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("agent")
    train(folder)
    return folder


def test_every_stage_ends_in_a_candidate_of_the_one_before(finished: Path) -> None:
    run = finished / "runs" / "train" / "r"
    for name in STAGES:
        assert (run / name / "candidate" / "model.safetensors").is_file()
        assert lines(run / name / "log.jsonl")
    sft = lines(run / "sft" / "admitted.jsonl")
    cold = lines(run / "cold_start" / "admitted.jsonl")
    assert len(sft) == 24
    assert 0 < len(cold) <= 24
    assert all(answer["thought"] for one in cold for answer in one.get("turns") or [one])
    rollouts = lines(run / "rl" / "rollouts.jsonl")
    assert [one["step"] for one in rollouts] == [1] * 4 + [2] * 4
    assert all(set(one["rewards"]) == {"tool_f1", "answer_correctness"} for one in rollouts)
    assert all(one["offered"] and one["generation"]["end_state_sha"] for one in rollouts)


def test_the_candidate_plays_dialogues_in_an_evaluation(finished: Path) -> None:
    candidate = finished / "runs" / "train" / "r" / "rl" / "candidate"
    asked = ("eval", f"hf/{candidate}", "--task", "mini_tools", "--limit", "6")
    done = lt_bench(*asked, "--run", "e", "--set", "sampling.max_tokens=12", cwd=finished)
    assert done.returncode in (0, 3), done.stderr
    assert "task_success" in done.stdout


def test_reinforcement_without_a_call_is_stopped_and_says_what_to_look_at(finished: Path) -> None:
    run = finished / "runs" / "train" / "r"
    told = train(
        finished,
        "--stage",
        "rl",
        run="stopped",
        code=4,
        **{
            "stages.rl.from": str(run / "base" / "candidate"),
            "stages.rl.guards.pilot": 1,
            "stages.rl.rollouts.max_tokens": 1,
            "stages.rl.guards.clipped": 1.0,
        },
    )
    assert "calls a tool" in told
    assert "hermes" in told
