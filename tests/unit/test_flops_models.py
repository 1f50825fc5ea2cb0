"""Counts from config.json against models that transformers builds from the same settings.

Totals must match to the last parameter. FLOPs are compared with torch's own counter over a real
greedy generation (prefill and decode with a cache), with eager attention and eager experts: the
counter does not see the grouped expert kernels. transformers keeps the compressed latent of MLA and
expands all of it anew at each step; we count one expansion a token, so that one matrix is
taken out of the measurement and put back once.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from lt_bench.flops import exact, parameters

pytestmark = pytest.mark.model

BASE = {"vocab_size": 160, "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4}
DENSE = BASE | {"intermediate_size": 96}
GQA = DENSE | {"num_key_value_heads": 2}
QWEN_MOE = GQA | {
    "num_experts": 6,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 48,
    "head_dim": 24,
}
LATENT = DENSE | {
    "num_key_value_heads": 4,
    "kv_lora_rank": 24,
    "q_lora_rank": 40,
    "qk_nope_head_dim": 16,
    "qk_rope_head_dim": 8,
    "v_head_dim": 12,
    "n_routed_experts": 8,
    "n_shared_experts": 2,
    "num_experts_per_tok": 3,
    "moe_intermediate_size": 32,
    "first_k_dense_replace": 1,
    "n_group": 2,
    "topk_group": 2,
}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "dense": ("llama", DENSE),
    "tied": ("llama", GQA | {"tie_word_embeddings": True}),
    "biased": ("llama", GQA | {"attention_bias": True, "mlp_bias": True, "head_dim": 20}),
    "mistral": ("mistral", GQA),
    "qwen2": ("qwen2", GQA | {"tie_word_embeddings": True}),
    "qwen3": ("qwen3", GQA | {"head_dim": 32}),
    "qwen3 windows": (
        "qwen3",
        GQA
        | {
            "head_dim": 16,
            "use_sliding_window": True,
            "sliding_window": 20,
            "max_window_layers": 1,
        },
    ),
    "qwen3 moe": ("qwen3_moe", QWEN_MOE),
    "qwen3 moe, some dense": (
        "qwen3_moe",
        QWEN_MOE | {"decoder_sparse_step": 2, "mlp_only_layers": [1]},
    ),
    "qwen2 moe, shared expert": (
        "qwen2_moe",
        QWEN_MOE | {"shared_expert_intermediate_size": 80, "head_dim": 16},
    ),
    "mixtral": ("mixtral", GQA | {"num_local_experts": 5, "num_experts_per_tok": 2}),
    "deepseek v2": ("deepseek_v2", LATENT | {"topk_method": "greedy"}),
    "deepseek v2 lite": ("deepseek_v2", LATENT | {"q_lora_rank": None, "topk_method": "greedy"}),
    "deepseek v2 biased": ("deepseek_v2", LATENT | {"mlp_bias": True, "attention_bias": True}),
    "deepseek v3": ("deepseek_v3", LATENT),
    "gemma": ("gemma", GQA | {"head_dim": 32}),
    "gemma2, windows": ("gemma2", GQA | {"head_dim": 32, "sliding_window": 20}),
    "gemma3, windows": (
        "gemma3_text",
        GQA | {"head_dim": 32, "sliding_window": 20, "num_hidden_layers": 7},
    ),
    "phi3": ("phi3", GQA | {"pad_token_id": 0}),
    "olmo2": ("olmo2", GQA | {"pad_token_id": 0}),
    "smollm3": ("smollm3", GQA | {"pad_token_id": 0}),
    "gpt-oss": (
        "gpt_oss",
        GQA
        | {
            "head_dim": 16,
            "num_local_experts": 6,
            "num_experts_per_tok": 2,
            "sliding_window": 20,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
        },
    ),
    "glm4": ("glm4", GQA | {"head_dim": 16, "pad_token_id": 0}),
    "glm4 moe": (
        "glm4_moe",
        GQA
        | {
            "head_dim": 16,
            "n_routed_experts": 8,
            "n_shared_experts": 1,
            "num_experts_per_tok": 2,
            "moe_intermediate_size": 32,
            "first_k_dense_replace": 1,
            "use_qk_norm": True,
        },
    ),
    "gpt2": (
        "gpt2",
        {"vocab_size": 160, "n_embd": 64, "n_layer": 3, "n_head": 4, "n_positions": 256},
    ),
    "gpt-neox": ("gpt_neox", DENSE),
}


def tiny(family: str, settings: dict[str, Any], device: str = "cpu") -> Any:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    torch.manual_seed(0)
    config = AutoConfig.for_model(family, **settings)
    with torch.device(device):
        return AutoModelForCausalLM.from_config(
            config, attn_implementation="eager", experts_implementation="eager"
        ).eval()


def counted_by_torch(model: Any, prompt: int, output: int) -> int:
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    ids = torch.arange(1, prompt + 1).remainder(100).add(1).unsqueeze(0)
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        out = model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=output,
            min_new_tokens=output,
            do_sample=False,
            pad_token_id=0,
        )
    assert out.shape[1] == prompt + output
    return counter.get_total_flops() - expanded_again(model, counter, prompt + output - 1)


def expanded_again(model: Any, counter: Any, tokens: int) -> int:
    """FLOPs of expanding latents that had been expanded before, from the counter's own records."""
    counts, again = counter.get_flop_counts(), 0
    for name, module in model.named_modules():
        if name.endswith("kv_b_proj"):
            spent = sum(counts[f"{type(model).__name__}.{name}"].values())
            assert spent > 0
            again += spent - 2 * module.weight.numel() * tokens
    return again


# A window of 20 is filled before, or in the middle of, decoding.
RUNS = [(case, 24, 3) for case in CASES]
RUNS += [(case, 17, 6) for case, (_, given) in CASES.items() if "sliding_window" in given]


@pytest.mark.parametrize(("case", "prompt", "output"), RUNS)
def test_f77_exact_work_is_what_torch_counts(case: str, prompt: int, output: int) -> None:
    family, settings = CASES[case]
    model = tiny(family, settings)
    measured = counted_by_torch(model, prompt, output)
    computed = exact({"model_type": family, **settings}, prompt, output).total
    assert computed == pytest.approx(measured, rel=0.01)


@pytest.mark.parametrize("case", CASES)
def test_totals_match_the_built_model_to_the_last_parameter(case: str) -> None:
    family, settings = CASES[case]
    model = tiny(family, settings, "meta")
    built = sum(weight.numel() for weight in model.parameters())
    assert parameters({"model_type": family, **settings}).total == built
    saved = json.loads(model.config.to_json_string())
    assert parameters(saved).total == built


@pytest.mark.parametrize("family", sorted({family for family, _ in CASES.values()}))
def test_a_key_left_out_means_what_it_means_on_loading(family: str) -> None:
    """A config.json of only the basic fields: heads, biases, tying and windows by default."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    settings = {"hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 32}
    settings |= {"vocab_size": 1000, "intermediate_size": 96}
    if family == "gpt2":
        settings = {"n_embd": 256, "n_layer": 2, "n_head": 32, "vocab_size": 1000}
    extra: dict[str, Any] = {"pad_token_id": 0}
    if family in ("qwen2_moe", "qwen3_moe", "mixtral", "gpt_oss"):
        extra |= {"num_experts_per_tok": 2, "num_experts": 4, "num_local_experts": 4}
    if family in ("deepseek_v2", "deepseek_v3", "glm4_moe"):
        extra |= {"num_experts_per_tok": 2, "n_routed_experts": 8}
    if family in ("qwen2_moe", "qwen3_moe", "deepseek_v2", "deepseek_v3", "glm4_moe"):
        extra |= {"moe_intermediate_size": 48, "shared_expert_intermediate_size": 64}
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(AutoConfig.for_model(family, **settings, **extra))
    built = sum(weight.numel() for weight in model.parameters())
    assert parameters({"model_type": family, **settings, **extra}).total == built


def test_f77_latent_attention_prefill_is_what_torch_counts_with_nothing_taken_out() -> None:
    from torch.utils.flop_counter import FlopCounterMode

    family, settings = CASES["deepseek v3"]
    model = tiny(family, settings)
    import torch

    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        model(torch.ones(1, 48, dtype=torch.long), logits_to_keep=1)
    computed = exact({"model_type": family, **settings}, 48, 1)
    assert computed.total == pytest.approx(counter.get_total_flops(), rel=0.01)


NESTED_TEXT = GQA | {"head_dim": 16}
NESTED = {
    "gemma3": ("gemma3_text", NESTED_TEXT),
    "mistral3": ("mistral", NESTED_TEXT),
    "qwen3_vl": ("qwen3_vl_text", NESTED_TEXT),
    "qwen3_vl_moe": ("qwen3_vl_moe_text", QWEN_MOE | {"num_key_value_heads": 2}),
}


# Mistral3Config ties by default, which its published checkpoints (with their own lm_head) do not.
TYING = [(outer, tied) for outer in NESTED for tied in (None, True, False)]
TYING.remove(("mistral3", None))


@pytest.mark.parametrize(("outer", "tied"), TYING)
def test_the_language_model_inside_a_multimodal_one_is_counted(
    outer: str, tied: bool | None
) -> None:
    import torch
    from transformers import AutoConfig, AutoModelForImageTextToText

    inner, settings = NESTED[outer]
    text = {"model_type": inner, **settings}
    tying = {} if tied is None else {"tie_word_embeddings": tied}
    with torch.device("meta"):
        built_config = AutoConfig.for_model(outer, text_config=dict(text), **tying)
        model = AutoModelForImageTextToText.from_config(built_config)
    weights = {id(w): w for w in model.model.language_model.parameters()}
    weights |= {id(w): w for w in model.lm_head.parameters()}
    total = sum(weight.numel() for weight in weights.values())
    assert parameters({"model_type": outer, "text_config": text, **tying}).total == total
    saved = json.loads(built_config.to_json_string())
    assert parameters(saved).total == total


def test_the_counter_sees_the_prefill_and_the_decode_apart() -> None:
    family, settings = CASES["qwen3 moe"]
    model = tiny(family, settings)
    computed = exact({"model_type": family, **settings}, 33, 9)
    assert counted_by_torch(model, 33, 1) == pytest.approx(computed.prefill, rel=0.01)
