"""The recipes at full scale, as far as they go without a cluster: dry runs of all of them, and two steps
of each stage on a tiny model of the same architecture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.distilling import lines, predictions
from support.reinforcing import ENDS
from support.teachers import GOOD, RULES
from support.tiny_models import tiny_model, tiny_tokenizer
from support.warm import lt_bench
from typer.testing import CliRunner

from lt_bench.cli import application
from lt_bench.records import AnswersGold, Example
from lt_bench.task import Task
from lt_bench.train.loading import recipes

MACHINES = {
    "qwen3-30b-a3b": (8, 141),
    "deepseek-r1-distill-llama-8b": (8, 80),
    "qwen3-4b": (4, 80),
    "qwen3-1.7b": (1, 80),
    "qwen3-0.6b": (1, 40),
    "smollm2-135m": (1, 80),
}
"""Devices and GiB of each, as the first lines of the recipes name them."""
NAMES = [name for name, _ in recipes() if name.startswith(("commerce_qa/", "musique/"))]


@pytest.mark.parametrize("name", NAMES)
def test_a_dry_run_says_that_it_fits_the_devices_it_is_for(name: str, tmp_path: Path) -> None:
    devices, memory = MACHINES[name.partition("/")[2]]
    asked = ("--devices", str(devices), "--device-memory", str(memory), "--json")
    done = lt_bench("train", name, "--dry-run", *asked, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    first, then = json.loads(done.stdout)["stages"]
    assert (first["kind"], then["kind"]) == ("rft", "grpo")
    for stage in (first, then):
        assert 0 < stage["memory"]["peak_gib"] < 0.9 * memory
        assert stage["hours"] > 0
        said = " ".join(stage["remarks"])
        assert "unknown" not in said
        assert "max_length" not in said
        assert "vLLM's share" not in said
    assert not list(tmp_path.iterdir())


def test_sixteen_smaller_devices_also_hold_the_largest(tmp_path: Path) -> None:
    asked = ("--devices", "16", "--device-memory", "80")
    for task in ("commerce_qa", "musique"):
        done = lt_bench("train", f"{task}/qwen3-30b-a3b", "--dry-run", *asked, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "does not fit" not in done.stdout


LONG = 6144
"""Tokens of the tools and the policy of the shop, and room."""


FEW: dict[str, Any] = {
    "stages.rft.optimizer.steps": 2,
    "stages.rft.optimizer.batch_size": 2,
    "stages.rft.optimizer.micro_batch": 1,
    "stages.rft.optimizer.warmup_steps": 0,
    "stages.rft.rows.limit": 4,
    "stages.rl.optimizer.steps": 2,
    "stages.rl.optimizer.batch_size": 1,
    "stages.rl.optimizer.micro_batch": 2,
    "stages.rl.rows.limit": 2,
    "stages.rl.rewards.length.rows": 2,
    "stages.rl.rollouts.group": 2,
    "stages.rl.rollouts.max_tokens": 16,
    "stages.rl.guards.pilot": 0,  # a model of random weights earns nothing
}
"""Less of everything; what is learnt, from what and how stays as the recipe has it."""
HERE: dict[str, Any] = {
    "stages.rl.rollouts.engine": "transformers",
    "stages.rl.rollouts.mode": "colocate",
    "stages.rl.rollouts.url": None,
}
"""In place of vLLM."""


def small(
    folder: Path, architecture: str, template: str = "chatml", **sizes: int
) -> dict[str, Any]:
    """A model of that architecture to start from, with room for the prompts."""
    sizes["max_position_embeddings"] = 8192
    place = tiny_model(folder / "model", architecture, template=template, eos=ENDS, **sizes)
    return {"stages.rft.from": str(place), "stages.rft.optimizer.max_length": 8192}


def recorded(folder: Path, task: str) -> dict[str, Any]:
    """A teacher that answers the rows of the task's sample well, and those rows."""
    found = Task.load(task)
    rows = found.examples(found.sample, 4)
    file = predictions(folder / "teacher.jsonl", {row.id: [_right(row)] * 4 for row in rows})
    return {
        "stages.rft.teacher.model": f"replay/{file}",
        "stages.rft.teacher.options": {},
        "stages.rft.rows.file": str(found.sample),
        "stages.rl.rows.file": str(found.sample),
    }


def _right(row: Example) -> str:
    if not isinstance(row.gold, AnswersGold):
        return GOOD
    return f"<think>\nBoth lead there.\n</think>\n\n<answer>{row.gold.answers[0]}</answer>"


def judged(folder: Path) -> dict[str, Any]:
    """A judge that goes by words of the reply."""
    (folder / "judge.yaml").write_text(RULES)
    return {"judge.models": [f"scripted/{folder / 'judge.yaml'}"], "judge_backend": {}}


def train(name: str, settings: dict[str, Any], folder: Path) -> Path:
    """The folder of the training, once both stages ended in a candidate."""
    words = [f"{key}={json.dumps(value)}" for key, value in settings.items()]
    asked = [word for one in words for word in ("--set", one)]
    run = folder / "run"
    done = CliRunner().invoke(
        application("train"), ["train", name, "--run", str(run), "--no-judge-cache", *asked]
    )
    assert done.exception is None, f"{done.exception!r}\n{done.stderr}"
    assert done.exit_code == 0, done.stderr
    return run


def check(run: Path, weights: dict[str, float]) -> None:
    """Both stages made two steps, and the second was rewarded as the recipe says."""
    for stage in ("rft", "rl"):
        card = json.loads((run / stage / "candidate" / "candidate.json").read_text("utf-8"))
        assert card["metrics"]["steps"] == 2
        assert (run / stage / "candidate" / "model.safetensors").is_file()
    assert len(lines(run / "rft" / "admitted.jsonl")) > 0
    rollouts = lines(run / "rl" / "rollouts.jsonl")
    assert [one["step"] for one in rollouts] == [1, 1, 2, 2]
    assert all(set(one["rewards"]) == set(weights) for one in rollouts)


def _of_the_shop(folder: Path) -> Path:
    """A tiny Qwen3 with the published chat template, whose tokens are pieces of the shop's own prompts."""
    trl = pytest.importorskip("trl")
    task = Task.load("tool_dialogue")
    prompt = task.prompt(task.examples(task.sample, 1)[0])
    said = [*(message.content for message in prompt.messages), json.dumps(prompt.tools)]
    made = tiny_tokenizer(None).train_new_from_iterator(said, 1500, show_progress=False)
    published = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"
    made.chat_template = published.read_text("utf-8")
    tiny_model(folder, "qwen3", eos=ENDS, max_position_embeddings=LONG, vocab_size=1500)
    made.save_pretrained(folder)
    return folder


@pytest.mark.model
def test_the_tool_agent_makes_two_steps_of_each_stage_with_the_template_of_qwen3(
    tmp_path: Path,
) -> None:
    settings: dict[str, Any] = {"stages.sft.from": str(_of_the_shop(tmp_path / "model"))}
    for stage in ("sft", "cold_start", "rl"):
        settings |= {
            f"stages.{stage}.rows.rows": 4,
            f"stages.{stage}.optimizer.steps": 2,
            f"stages.{stage}.optimizer.batch_size": 1,
            f"stages.{stage}.optimizer.warmup_steps": 0,
            f"stages.{stage}.optimizer.max_length": LONG,
        }
    settings |= {
        "stages.rl.rollouts.engine": "transformers",
        "stages.rl.rollouts.group": 2,
        "stages.rl.rollouts.max_tokens": 16,
        "stages.rl.guards.pilot": 0,
    }
    run = train("tool_dialogue/qwen3_1.7b", settings, tmp_path)
    cards = {
        stage: json.loads((run / stage / "candidate" / "candidate.json").read_text("utf-8"))
        for stage in ("sft", "cold_start", "rl")
    }
    assert [card["metrics"]["steps"] for card in cards.values()] == [2, 2, 2]
    assert cards["sft"]["metrics"]["admitted"] == cards["cold_start"]["metrics"]["admitted"] == 4
    rollouts = lines(run / "rl" / "rollouts.jsonl")
    assert [one["step"] for one in rollouts] == [1, 1, 2, 2]
    assert all(one["offered"] for one in rollouts)
    assert all(set(one["rewards"]) == {"tool_f1", "task_success"} for one in rollouts)
    assert all(one["generation"]["end_state_sha"] for one in rollouts)


SHOP = {"correctness": 0.4, "helpfulness": 0.3, "length": 0.3}


@pytest.mark.model
def test_the_mixture_of_experts_makes_two_steps_of_each_stage(tmp_path: Path) -> None:
    settings = {
        **FEW,
        **HERE,
        **small(tmp_path, "qwen3_moe", num_hidden_layers=1),
        **recorded(tmp_path, "commerce_qa"),
        **judged(tmp_path),
    }
    run = train("commerce_qa/qwen3-30b-a3b", settings, tmp_path)
    check(run, SHOP)
    first = json.loads((run / "rft" / "candidate" / "candidate.json").read_text("utf-8"))
    assert first["metrics"]["aux_loss"] > 0


@pytest.mark.model
def test_llama_whose_prompt_opens_the_thought_makes_two_steps_of_each_stage(tmp_path: Path) -> None:
    settings = {
        **FEW,
        **HERE,
        **small(tmp_path, "llama", "think", num_hidden_layers=1),
        **recorded(tmp_path, "commerce_qa"),
        **judged(tmp_path),
    }
    check(train("commerce_qa/deepseek-r1-distill-llama-8b", settings, tmp_path), SHOP)


@pytest.mark.model
def test_dense_qwen_makes_two_steps_of_each_stage_on_musique(tmp_path: Path) -> None:
    settings = {**FEW, **HERE, **small(tmp_path, "qwen3"), **recorded(tmp_path, "musique")}
    run = train("musique/qwen3-1.7b", settings, tmp_path)
    check(run, {"em": 0.4, "length": 0.3})
    assert len(lines(run / "rft" / "admitted.jsonl")) == 4


@pytest.mark.model
def test_adapters_taught_by_the_builder_make_two_steps_of_each_stage(tmp_path: Path) -> None:
    settings = {**FEW, **small(tmp_path, "llama_mha_tied", num_hidden_layers=1)}
    run = train("commerce_qa/smollm2-135m", settings, tmp_path)
    check(run, SHOP)
    assert not (run / "rl" / "candidate" / "adapter_config.json").exists()  # merged
