"""How large the model of a stage is, from a config.json that is here, in the recipe, or published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lt_bench.builders.base import Reciting
from lt_bench.errors import UsageError
from lt_bench.flops import architecture, parameters, published
from lt_bench.flops.blocks import Architecture, Experts, GroupedAttention, LatentAttention, Layer
from lt_bench.task import Task
from lt_bench.train.parents import config_of, parent_of
from lt_bench.train.recipe import Lora, PretrainStage, Recipe, Stage

SPECIAL_TOKENS = 8
"""About how many a newborn tokenizer has beside the words."""


@dataclass(frozen=True)
class Size:
    """`total` parameters; `active` is N of 2 N T: what multiplies for one token. `source` says where
    the counts are from. Without an `architecture` (a published size) layers and heads are unknown."""

    total: float
    active: float
    source: str
    architecture: Architecture | None = None

    def adapted(self, lora: Lora) -> int | None:
        """Parameters of adapters on every matrix but the experts' and the tables: rank (in + out)
        each (Hu et al. 2021, section 4.1). None where the layers are unknown."""
        if self.architecture is None:
            return None
        widths = sum(_widths(layer) for layer in self.architecture.layers)
        return lora.rank * widths

    @property
    def cache_width(self) -> int | None:
        """Numbers that a key-value cache holds for one token."""
        if self.architecture is None:
            return None
        return sum(_cached(layer) for layer in self.architecture.layers)


def root(name: str, stages: Mapping[str, Stage]) -> str | PretrainStage:
    """The model that a chain of stages begins with: what its recipe says, or the stage that makes it."""
    stage = stages[name]
    parent = parent_of(stage)
    if parent is None:
        assert isinstance(stage, PretrainStage)
        return stage
    return root(parent, stages) if parent in stages else parent


def size_of(model: str | PretrainStage, recipe: Recipe, task: Task) -> Size | None:
    """The counts of a model; None where nothing is known of it here.

    Raises:
        UsageError: the recipe's own config of it cannot be counted.
    """
    if isinstance(model, PretrainStage):
        return _counted(_newborn(model, task), "the recipe's architecture")
    if (given := given_config(model, recipe)) is not None:
        return _counted(given, "config in the recipe")
    try:
        config = config_of(model)
        if config is not None:
            return _counted(config, f"config.json of {model}")
    except UsageError:
        config = None
    row = published(model.removeprefix("hf/"))
    return None if row is None else Size(row.total, row.active, f"published: {row.source}")


def given_config(model: str, recipe: Recipe) -> dict[str, Any] | None:
    """What the recipe says a hub model's config.json holds."""
    return recipe.configs.get(model) or recipe.configs.get(model.removeprefix("hf/"))


def _counted(config: Mapping[str, Any], source: str) -> Size:
    counts = parameters(config)
    return Size(counts.total, counts.active_matmul, source, architecture(config))


def _newborn(stage: PretrainStage, task: Task) -> dict[str, Any]:
    """The vocabulary is the builder's, unless the recipe says how large."""
    words = len(task.builder.vocabulary()) if isinstance(task.builder, Reciting) else 0
    defaults = {"vocab_size": words + SPECIAL_TOKENS, "model_type": stage.architecture.model_type}
    return {**defaults, **stage.architecture.config}


def _widths(layer: Layer) -> int:
    """Inputs and outputs of a layer's matrices, summed."""
    found, block = _attention_widths(layer.attention), layer.feed_forward
    if isinstance(block, Experts):
        return found
    return found + (3 if block.gated else 2) * (block.hidden + block.inner)


def _attention_widths(a: GroupedAttention | LatentAttention) -> int:
    if isinstance(a, GroupedAttention):
        wide, narrow = a.heads * a.head_dim, a.kv_heads * a.head_dim
        return 2 * (a.hidden + wide) + 2 * (a.hidden + narrow)
    queries, values = a.heads * (a.nope_dim + a.rope_dim), a.heads * a.v_dim
    asked = a.hidden + queries if a.q_rank is None else a.hidden + 2 * a.q_rank + queries
    latent = a.hidden + a.kv_rank + a.rope_dim + a.kv_rank + a.heads * a.nope_dim + values
    return asked + latent + values + a.hidden


def _cached(layer: Layer) -> int:
    """Keys and values of grouped attention; of latent attention the latent and the rotary key."""
    a = layer.attention
    if isinstance(a, GroupedAttention):
        return 2 * a.kv_heads * a.head_dim
    return a.kv_rank + a.rope_dim
