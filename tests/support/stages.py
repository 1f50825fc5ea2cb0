"""Stages without a trainer: recipes, and runners that write small but whole models."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from lt_bench.train.loading import NamedRecipe, checked
from lt_bench.train.preparation import Training, prepare
from lt_bench.train.recipe import with_settings
from lt_bench.train.stage import StageContext, StageResult

CONFIG = {
    "model_type": "qwen3",
    "hidden_size": 8,
    "intermediate_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 4,
    "vocab_size": 32,
    "tie_word_embeddings": True,
}
RECIPE: dict[str, Any] = {
    "summary": "Two stages.",
    "task": "commerce_qa",
    "stages": {
        "rft": {
            "kind": "rft",
            "from": "BASE",
            "teacher": {"model": "openai/teacher", "options": {"base_url": "http://one:8000/v1"}},
            "admit": {"correctness": 1.0, "helpfulness": 1.0},
            "rows": {"rows": 40},
            "optimizer": {"learning_rate": 1e-5, "batch_size": 4, "micro_batch": 2},
        },
        "rl": {
            "kind": "grpo",
            "from": "rft",
            "rows": {"rows": 40},
            "rewards": {"weights": {"correctness": 0.4, "length": 0.3}, "length": {}},
            "rollouts": {"max_tokens": 64},
            "optimizer": {"learning_rate": 2e-6, "batch_size": 8, "steps": 5},
        },
    },
}


def write_model(folder: Path, weight: float = 0.0) -> Path:
    """A folder that is a whole model to all who do not run it."""
    folder.mkdir(parents=True, exist_ok=True)
    header = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    data = struct.pack("<Q", len(header)) + header + struct.pack("<f", weight)
    (folder / "model.safetensors").write_bytes(data)
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    return folder


def recipe_data(base: Path, changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The mapping of the recipe, started from a model in `base`."""
    data = with_settings(deepcopy(RECIPE), {"stages.rft.from": str(write_model(base))})
    return with_settings(data, changes or {})


def training_of(base: Path, changes: Mapping[str, Any] | None = None) -> Training:
    """The recipe, ready to begin."""
    return prepare(NamedRecipe("demo/two", checked(recipe_data(base, changes), "two.yaml")))


class FakeRunner:
    """Writes a model whose only weight counts the calls; `crash` raises in the stage of that name
    after its model was written."""

    def __init__(self, crash: str | None = None) -> None:
        self.crash, self.calls = crash, []
        self.contexts: dict[str, StageContext] = {}

    def __call__(self, context: StageContext) -> StageResult:
        self.calls.append(context.name)
        self.contexts[context.name] = context
        write_model(context.candidate, weight=float(len(self.calls)))
        if context.name == self.crash:
            raise KeyboardInterrupt
        return StageResult(
            rows=40,
            data_sha="ab" * 32,
            metrics={"loss": 1.25, "kl": float("nan"), "steps": 10},
            remarks=("Two rows were refused.",),
        )

    @property
    def all(self) -> dict[str, FakeRunner]:
        return dict.fromkeys(("pretrain", "sft", "rft", "grpo"), self)
