"""How the model families differ from the plain Llama decoder: one table of traits by `model_type`.

Names and defaults are those of the configuration classes of transformers, so that a key left out
of a config.json means here what it means when the model is loaded.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from lt_bench.flops import windows
from lt_bench.flops.fields import Fields


@dataclass(frozen=True)
class Switch:
    """A yes or no of the config.json; without a key it is the family's own."""

    key: str | None
    default: bool

    def read(self, fields: Fields) -> bool:
        """What this config.json says, or the family's own answer."""
        return self.default if self.key is None else fields.flag(self.key, self.default)


NO, YES = Switch(None, False), Switch(None, True)
ATTENTION_BIAS = Switch("attention_bias", False)
MLP_BIAS = Switch("mlp_bias", False)


@dataclass(frozen=True)
class Sparse:
    """How a family arranges its experts. `placement`: in all layers, in all but the first
    `first_k_dense_replace`, or in every `decoder_sparse_step`-th one that is not listed in
    `mlp_only_layers`."""

    size: str
    placement: Literal["all", "after_dense", "step"]
    shared: Literal["none", "counted", "sized"] = "none"
    bias: bool = False
    dense_layers: int = 0
    shared_experts: int = 1


@dataclass(frozen=True)
class Family:
    """How one `model_type` differs from the plain Llama decoder. `rename` maps our names of the
    basic fields to those of older families; `norm` is the weights of one norm per hidden unit;
    `learned_positions` is the default size of a learned position table; `inner_factor` sizes the
    feed-forward block where `intermediate_size` is left out."""

    attention: Literal["grouped", "latent"] = "grouped"
    tied: bool = False
    head_dim: int | None = None
    kv_heads: int | None = None
    qkv_bias: Switch = NO
    output_bias: Switch = NO
    qk_norm: Literal["none", "head", "full"] = "none"
    qk_norm_switch: Switch = YES
    sinks: bool = False
    gated: bool = True
    mlp_bias: Switch = NO
    norms: int = 2
    norm: int = 1
    window: windows.Rule = windows.never
    sparse: Sparse | None = None
    rename: tuple[tuple[str, str], ...] = ()
    inner_factor: int | None = None
    learned_positions: int | None = None


LLAMA = Family(qkv_bias=ATTENTION_BIAS, output_bias=ATTENTION_BIAS, mlp_bias=MLP_BIAS)
MISTRAL = Family(kv_heads=8, window=windows.every(4096))
QWEN2 = Family(qkv_bias=YES, kv_heads=32, window=windows.after_max_window_layers)
QWEN3 = Family(
    qkv_bias=ATTENTION_BIAS,
    output_bias=ATTENTION_BIAS,
    qk_norm="head",
    head_dim=128,
    kv_heads=32,
    window=windows.after_max_window_layers,
)
QWEN_EXPERTS = Sparse("moe_intermediate_size", "step")
DEEPSEEK_EXPERTS = Sparse("moe_intermediate_size", "after_dense", "counted")
QWEN3_MOE = replace(QWEN3, head_dim=None, kv_heads=4, window=windows.when_used, sparse=QWEN_EXPERTS)
DEEPSEEK_V3 = Family(
    attention="latent", qkv_bias=ATTENTION_BIAS, sparse=replace(DEEPSEEK_EXPERTS, dense_layers=3)
)
GEMMA = Family(
    tied=True, head_dim=256, kv_heads=16, qkv_bias=ATTENTION_BIAS, output_bias=ATTENTION_BIAS
)
GEMMA2 = replace(GEMMA, kv_heads=4, norms=4, window=windows.alternate(4096))
GLM4 = Family(head_dim=128, kv_heads=2, qkv_bias=Switch("attention_bias", True), norms=4)

FAMILIES: dict[str, Family] = {
    "deepseek_v2": replace(
        DEEPSEEK_V3, mlp_bias=MLP_BIAS, sparse=replace(DEEPSEEK_EXPERTS, shared_experts=2)
    ),
    "deepseek_v3": DEEPSEEK_V3,
    "gemma": GEMMA,
    "gemma2": GEMMA2,
    "gemma3_text": replace(GEMMA2, qk_norm="head", window=windows.five_of_six(4096)),
    "glm4": GLM4,
    "glm4_moe": replace(
        GLM4,
        head_dim=None,
        kv_heads=8,
        qkv_bias=ATTENTION_BIAS,
        qk_norm="head",
        qk_norm_switch=Switch("use_qk_norm", False),
        norms=2,
        sparse=replace(DEEPSEEK_EXPERTS, dense_layers=1),
    ),
    "gpt2": Family(
        tied=True,
        qkv_bias=YES,
        output_bias=YES,
        mlp_bias=YES,
        gated=False,
        norm=2,
        inner_factor=4,
        learned_positions=1024,
        rename=(
            ("hidden_size", "n_embd"),
            ("num_hidden_layers", "n_layer"),
            ("num_attention_heads", "n_head"),
            ("intermediate_size", "n_inner"),
            ("max_position_embeddings", "n_positions"),
        ),
    ),
    "gpt_neox": Family(
        qkv_bias=Switch("attention_bias", True),
        output_bias=Switch("attention_bias", True),
        mlp_bias=YES,
        gated=False,
        norm=2,
    ),
    "gpt_oss": Family(
        head_dim=64,
        kv_heads=8,
        qkv_bias=Switch("attention_bias", True),
        output_bias=Switch("attention_bias", True),
        sinks=True,
        window=windows.alternate(128),
        sparse=Sparse("intermediate_size", "all", bias=True),
    ),
    "kimi_k2": DEEPSEEK_V3,
    "llama": LLAMA,
    "mistral": MISTRAL,
    "mixtral": replace(
        MISTRAL,
        window=windows.every(None),
        sparse=Sparse("intermediate_size", "all"),
    ),
    "olmo2": Family(qkv_bias=ATTENTION_BIAS, output_bias=ATTENTION_BIAS, qk_norm="full"),
    "phi3": Family(window=windows.every(None)),
    "qwen2": QWEN2,
    "qwen2_moe": replace(
        QWEN2,
        qkv_bias=Switch("qkv_bias", True),
        kv_heads=16,
        window=windows.alternate_below_max_window_layers,
        sparse=replace(QWEN_EXPERTS, shared="sized"),
    ),
    "qwen3": QWEN3,
    "qwen3_moe": QWEN3_MOE,
    "qwen3_vl_moe_text": replace(QWEN3_MOE, kv_heads=16, window=windows.never),
    "qwen3_vl_text": replace(QWEN3, window=windows.never),
    "smollm3": replace(LLAMA, tied=True, kv_heads=4, window=windows.without_rope),
}


def known_families() -> tuple[str, ...]:
    """Every `model_type` that can be counted."""
    return tuple(sorted(FAMILIES))
