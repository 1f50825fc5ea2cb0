"""From a config.json to the decoder it describes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lt_bench.errors import UsageError, did_you_mean
from lt_bench.flops import windows
from lt_bench.flops.blocks import (
    Architecture,
    Experts,
    FeedForward,
    GroupedAttention,
    LatentAttention,
    Layer,
)
from lt_bench.flops.families import ATTENTION_BIAS, FAMILIES, Family, Sparse, known_families
from lt_bench.flops.fields import CORRECT, Fields

MOST_LAYERS = 10_000
EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts")
"""Names of the number of routed experts: one family is saved under either of two of them."""


def architecture(config: Mapping[str, Any]) -> Architecture:
    """The decoder that a config.json describes; of a multimodal model its language model.

    Raises:
        UsageError: an unknown architecture, or a value is missing or senseless.
    """
    text = _language_model(config)
    name = text.get("model_type")
    if not isinstance(name, str) or name not in FAMILIES:
        raise _unknown(name)
    family = FAMILIES[name]
    fields = Fields(_renamed(text, family), name)
    hidden, vocab = fields.whole("hidden_size"), fields.whole("vocab_size")
    positions = 0
    if family.learned_positions is not None:
        positions = fields.whole("max_position_embeddings", family.learned_positions) * hidden
    return Architecture(
        family=name,
        vocab=vocab,
        hidden=hidden,
        layers=_layers(fields, family),
        tied=fields.flag("tie_word_embeddings", family.tied),
        norms=hidden * family.norm,
        positions=positions,
    )


def _language_model(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings of the text decoder; the outer file decides on tying, as it does on loading."""
    nested = config.get("text_config")
    if not isinstance(nested, Mapping):
        return config
    tied = config.get("tie_word_embeddings", nested.get("tie_word_embeddings"))
    return {**nested, "tie_word_embeddings": tied}


def _renamed(values: Mapping[str, Any], family: Family) -> Mapping[str, Any]:
    return {**values, **{ours: values.get(theirs) for ours, theirs in family.rename}}


def _unknown(name: object) -> UsageError:
    known = known_families()
    if not isinstance(name, str):
        return UsageError(
            "config.json names no model_type, so its work cannot be counted",
            "give the size with --active-params",
        )
    return UsageError(
        f"unknown architecture {name[:60]!r}.{did_you_mean(name, known)}",
        f"give the size with --active-params; known: {', '.join(known)}",
    )


def _layers(fields: Fields, family: Family) -> tuple[Layer, ...]:
    depth = fields.whole("num_hidden_layers")
    if depth > MOST_LAYERS:
        raise UsageError(
            f"config.json ({fields.family}): {depth} layers are more than {MOST_LAYERS}",
            CORRECT,
        )
    attention = _grouped(fields, family) if family.attention == "grouped" else _latent(fields)
    spans = windows.windows(fields, depth, family.window)
    norms = family.norms * family.norm * fields.whole("hidden_size")
    dense_at = _dense_layers(fields, family, depth)
    dense = _dense(fields, family) if any(dense_at) else None
    experts = (
        _experts(fields, family, family.sparse) if family.sparse and not all(dense_at) else None
    )
    blocks = [dense if is_dense else experts for is_dense in dense_at]
    return tuple(
        Layer(attention, block, norms, span)
        for block, span in zip(blocks, spans, strict=True)
        if block is not None
    )


def _grouped(fields: Fields, family: Family) -> GroupedAttention:
    hidden, heads = fields.whole("hidden_size"), fields.whole("num_attention_heads")
    absent = "num_key_value_heads" not in fields.values
    kv_default = family.kv_heads if absent and family.kv_heads else heads
    normed = family.qk_norm_switch.read(fields)
    return GroupedAttention(
        hidden=hidden,
        heads=heads,
        kv_heads=fields.whole("num_key_value_heads", kv_default),
        head_dim=fields.whole("head_dim", family.head_dim or hidden // heads),
        qkv_bias=family.qkv_bias.read(fields),
        output_bias=family.output_bias.read(fields),
        qk_norm=family.qk_norm if normed else "none",
        sinks=family.sinks,
    )


def _latent(fields: Fields) -> LatentAttention:
    compressed = "q_lora_rank" not in fields.values or fields.has("q_lora_rank")
    return LatentAttention(
        hidden=fields.whole("hidden_size"),
        heads=fields.whole("num_attention_heads"),
        q_rank=fields.whole("q_lora_rank", 1536) if compressed else None,
        kv_rank=fields.whole("kv_lora_rank", 512),
        nope_dim=fields.whole("qk_nope_head_dim", 128),
        rope_dim=fields.whole("qk_rope_head_dim", 64),
        v_dim=fields.whole("v_head_dim", 128),
        bias=ATTENTION_BIAS.read(fields),
    )


def _dense(fields: Fields, family: Family) -> FeedForward:
    hidden = fields.whole("hidden_size")
    default = hidden * family.inner_factor if family.inner_factor else None
    inner = fields.whole("intermediate_size", default)
    return FeedForward(hidden, inner, family.gated, family.mlp_bias.read(fields))


def _dense_layers(fields: Fields, family: Family, depth: int) -> list[bool]:
    """For each layer, whether its feed-forward block is dense."""
    if family.sparse is None:
        return [True] * depth
    if family.sparse.placement == "all":
        return [False] * depth
    if family.sparse.placement == "after_dense":
        first = fields.whole("first_k_dense_replace", family.sparse.dense_layers, least=0)
        return [index < first for index in range(depth)]
    step, listed = fields.whole("decoder_sparse_step", 1), fields.items("mlp_only_layers")
    return [index in listed or (index + 1) % step != 0 for index in range(depth)]


def _experts(fields: Fields, family: Family, sparse: Sparse) -> Experts:
    hidden, inner = fields.whole("hidden_size"), fields.whole(sparse.size)
    count, per_token = fields.whole(_first(fields, EXPERTS)), fields.whole("num_experts_per_tok")
    if per_token > count:
        raise UsageError(
            f"config.json ({fields.family}): {per_token} experts a token of only {count}",
            CORRECT,
        )
    shared = 0
    if sparse.shared == "counted":
        shared = fields.whole("n_shared_experts", sparse.shared_experts, least=0) * inner
    elif sparse.shared == "sized":
        shared = fields.whole("shared_expert_intermediate_size")
    return Experts(
        hidden=hidden,
        inner=inner,
        count=count,
        per_token=per_token,
        shared=shared,
        shared_gate=sparse.shared == "sized",
        bias=sparse.bias,
        shared_bias=family.mlp_bias.read(fields),
    )


def _first(fields: Fields, keys: tuple[str, ...]) -> str:
    """The first of several names of one setting that this file uses, else the first name."""
    return next((key for key in keys if fields.has(key)), keys[0])
