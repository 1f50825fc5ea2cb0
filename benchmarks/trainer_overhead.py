"""lt-bench's part of a GRPO step: reading completions, rewards, journal, figures and guards, over what
TRL itself takes for the same steps. The scorers' own time is in neither.

python benchmarks/trainer_overhead.py [--steps 2] [--prompts 8] [--most 0.03]

A model of 17 million parameters with random weights draws 8 completions of up to 64 tokens to each
prompt of the miniature. Everything is measured in one run, in CPU seconds of the process: ours is what
our methods take less what they pass on to TRL and to the scorers. Exit code 1: more than --most.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

ARCHITECTURE = {
    "model_type": "qwen3",
    "config": {
        "hidden_size": 384,
        "num_hidden_layers": 7,
        "num_attention_heads": 6,
        "num_key_value_heads": 3,
        "head_dim": 64,
        "intermediate_size": 1728,
        "max_position_embeddings": 512,
        "tie_word_embeddings": True,
    },
}
SPENT: defaultdict[str, float] = defaultdict(float)


def timed(owner: Any, name: str, key: str) -> None:
    """Has a function or method count its CPU seconds under `key`."""
    inner: Callable[..., Any] = getattr(owner, name)

    @functools.wraps(inner)
    def outer(*args: Any, **kwargs: Any) -> Any:
        began = time.process_time()
        try:
            return inner(*args, **kwargs)
        finally:
            SPENT[key] += time.process_time() - began

    setattr(owner, name, outer)


def timed_async(owner: Any, name: str, key: str) -> None:
    """The same for a coroutine function; while it runs, everything else of the process waits."""
    inner: Callable[..., Awaitable[Any]] = getattr(owner, name)

    @functools.wraps(inner)
    async def outer(*args: Any, **kwargs: Any) -> Any:
        began = time.process_time()
        try:
            return await inner(*args, **kwargs)
        finally:
            SPENT[key] += time.process_time() - began

    setattr(owner, name, outer)


def model_in(folder: Path) -> int:
    """Writes the model; its parameters."""
    from lt_bench.task import Task
    from lt_bench.train.newborn import new_model, new_tokenizer
    from lt_bench.train.recipe import Architecture

    builder: Any = Task.load("mini_qa").builder
    tokenizer = new_tokenizer(builder.vocabulary(), builder.chat_template(), folder)
    model = new_model(Architecture.model_validate(ARCHITECTURE), tokenizer, 0)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return sum(weight.numel() for weight in model.parameters())


def train(folder: Path, steps: int, prompts: int) -> None:
    """The stage, as `lt-bench train` runs it."""
    from lt_bench.run.judging.choice import JudgeChoice
    from lt_bench.task import Task
    from lt_bench.train.recipe import GrpoStage
    from lt_bench.train.reinforcing import run
    from lt_bench.train.stage import StageContext

    stage = {
        "kind": "grpo",
        "from": str(folder / "model"),
        "rows": {"rows": max(64, prompts)},
        "rewards": {
            "weights": {"correctness": 0.4, "helpfulness": 0.3, "length": 0.3},
            "length": {"rows": 8},
        },
        "rollouts": {"group": 8, "max_tokens": 64},
        "optimizer": {"learning_rate": 1e-6, "batch_size": prompts, "steps": steps},
        "guards": {"pilot": 0},
    }
    run(
        StageContext(
            name="rl",
            stage=GrpoStage.model_validate(stage),
            folder=folder / "rl",
            task=Task.load("mini_qa"),
            judge=JudgeChoice(),
            parent=str(folder / "model"),
            candidates={},
        )
    )


def watch() -> None:
    """Puts clocks around our methods, and around what they pass on."""
    from transformers import Trainer
    from trl import GRPOTrainer

    from lt_bench.train import rewards
    from lt_bench.train.grpo_trainer import GroupTrainer
    from lt_bench.train.monitor import Monitor

    timed(GRPOTrainer, "_generate_and_score_completions", "trl's draw")
    timed(GroupTrainer, "_generate_and_score_completions", "our draw")
    timed(GRPOTrainer, "training_step", "training step")
    timed(GroupTrainer, "_tokenize_prompts", "prompts")
    timed(Monitor, "on_log", "monitor")
    timed(Trainer, "log", "log")
    timed_async(rewards.Scorekeeper, "of", "columns")
    timed_async(rewards.Scorekeeper, "_score", "rewards")
    timed_async(rewards, "score_sample", "scorers")


def main() -> int:
    parser = argparse.ArgumentParser(description="our part of a GRPO step")
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--prompts", type=int, default=8)
    parser.add_argument("--most", type=float, default=0.03)
    asked = parser.parse_args()
    watch()
    with tempfile.TemporaryDirectory() as name:
        size = model_in(Path(name) / "model")
        train(Path(name), asked.steps, asked.prompts)
    reading = SPENT["rewards"] - SPENT["scorers"]
    keeping = SPENT["our draw"] - SPENT["trl's draw"]
    ours = reading + keeping + SPENT["prompts"] + SPENT["monitor"]
    plain = SPENT["training step"] - SPENT["scorers"] - reading - keeping - SPENT["prompts"]
    ratio = ours / plain
    print(f"model         {size / 1e6:.1f} M parameters, {asked.prompts} x 8 completions a step")
    for label, seconds in (
        ("TRL", plain),
        ("scorers", SPENT["scorers"]),
        ("reading, rewards", reading),
        ("journal, guards", keeping),
        ("figures, table", SPENT["monitor"]),
    ):
        print(f"{label:<18}{1000 * seconds / asked.steps:>9.1f} CPU ms a step")
    print(f"lt-bench over TRL {ratio:>9.2%} (at most {asked.most:.0%})")
    return int(ratio > asked.most)


if __name__ == "__main__":
    sys.exit(main())
