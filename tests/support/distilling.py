"""Small students of mini_qa, and stages that teach them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.task import Task
from lt_bench.train.recipe import Architecture, PretrainStage, SftStage
from lt_bench.train.stage import StageContext

SMALL = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "intermediate_size": 64,
    "tie_word_embeddings": True,
    "initializer_range": 0.06,
    "max_position_embeddings": 512,
}
MIXTURE = {**SMALL, "moe_intermediate_size": 32, "num_experts": 4, "num_experts_per_tok": 2}
OPTIMIZER = {"learning_rate": 4e-3, "batch_size": 8}


def architecture(kind: str = "qwen3_moe") -> Architecture:
    return Architecture(model_type=kind, config=MIXTURE if kind.endswith("moe") else SMALL)


def mini_task() -> Task:
    return Task.load("mini_qa")


def born(folder: Path, kind: str = "qwen3_moe", seed: int = 0) -> Path:
    """A student with random weights that knows the words of mini_qa."""
    from lt_bench.train.newborn import new_model, new_tokenizer

    builder = mini_task().builder
    tokenizer = new_tokenizer(builder.vocabulary(), builder.chat_template(), folder)  # type: ignore[attr-defined]
    new_model(architecture(kind), tokenizer, seed).save_pretrained(folder)
    return folder


def distilling(
    folder: Path,
    parent: Path,
    *,
    judge: JudgeChoice | None = None,
    task: Task | None = None,
    **stage: Any,
) -> StageContext:
    """A stage `rft` on forty inputs, but for what `stage` says."""
    settings: dict[str, Any] = {
        "kind": "rft",
        "from": str(parent),
        "rows": {"rows": 40},
        "teacher": {"model": "reference"},
        "admit": {"correctness": 1.0, "helpfulness": 1.0},
        "optimizer": OPTIMIZER,
        **stage,
    }
    if settings["kind"] == "sft":
        settings["admit"] = {}
    made = SftStage.model_validate(settings)
    return StageContext(
        name=folder.name,
        stage=made,
        folder=folder,
        task=task or mini_task(),
        judge=judge or JudgeChoice(),
        parent=str(parent),
        candidates={},
    )


def pretraining(folder: Path, kind: str = "qwen3_moe", **stage: Any) -> StageContext:
    """A stage `pretrain` on sixty documents, but for what `stage` says."""
    made = PretrainStage.model_validate(
        {
            "kind": "pretrain",
            "architecture": architecture(kind),
            "rows": {"rows": 60},
            "optimizer": OPTIMIZER,
            **stage,
        }
    )
    return StageContext(folder.name, made, folder, mini_task(), JudgeChoice(), None, {})


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def predictions(path: Path, answers: Mapping[str, list[str | dict[str, Any]]]) -> Path:
    """A teacher's answers by example id, as a predictions file."""
    with path.open("w", encoding="utf-8") as file:
        for example_id, outputs in answers.items():
            for index, output in enumerate(outputs):
                fields = {"output": output} if isinstance(output, str) else output
                file.write(json.dumps({"id": example_id, "sample_index": index, **fields}) + "\n")
    return path
