"""Tiny random models of real architectures, each with a small real tokenizer and chat template.

    folder = tiny_model(tmp_path / "llama", "llama")

Folders load with transformers like any other. The same name and seed give the same weights.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<s>")
THINK_TAGS = ("<think>", "</think>")
CONTEXT = 512
"""Positions every tiny model has."""

_CORPUS = (
    "The black jacket is on slot nine and costs 99 yuan with free shipping.",
    "Is the red kettle in stock? Yes, the kettle holds two litres and is in stock.",
    "Which river runs past the museum where the director was born?",
    "Shipping takes three days. Returns are free within seven days of delivery.",
    "天气很好，黑色外套的价格是九十九元。",
)

_MESSAGES = """{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] }}\
{% for c in m.get('tool_calls') or [] %}{{ '<tool_call>' + ({'name': c['function']['name'], \
'arguments': c['function']['arguments']} | tojson) + '</tool_call>' }}{% endfor %}{{ '<|im_end|>\n' }}{% endfor %}"""
_TOOLS = "{% if tools %}{{ '<|im_start|>tools\n' + (tools | tojson) + '<|im_end|>\n' }}{% endif %}"
_ASK = "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"

TEMPLATES: Mapping[str, str] = {
    "chatml": _TOOLS + _MESSAGES + _ASK,
    "think": _TOOLS
    + _MESSAGES
    + "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}"
    + "{% if enable_thinking is defined and not enable_thinking %}{{ '<think>\n\n</think>\n\n' }}"
    + "{% else %}{{ '<think>\n' }}{% endif %}{% endif %}",
    "no_system": "{% if messages[0]['role'] == 'system' %}"
    + "{{ raise_exception('System role not supported') }}{% endif %}"
    + _MESSAGES
    + _ASK,
    "drops_system": "{% for m in messages if m['role'] != 'system' %}"
    + "{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}{% endfor %}"
    + _ASK,
    "with_bos": "{{ bos_token }}" + _MESSAGES + _ASK,
}
"""`think` leaves an open think tag at the end of the prompt, as reasoning models' templates do."""


@lru_cache
def tiny_tokenizer(
    template: str | None = "chatml", adds_bos: bool = False
) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer of about 400 tokens, trained here.

    `adds_bos`: encoding a text puts `<s>` before it, as Llama's tokenizers do.
    """
    from tokenizers import (
        AddedToken,
        Tokenizer,
        decoders,
        models,
        pre_tokenizers,
        processors,
        trainers,
    )
    from transformers import PreTrainedTokenizerFast

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=list(SPECIALS),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    raw.train_from_iterator(_CORPUS, trainer)
    raw.add_tokens([AddedToken(tag, normalized=False) for tag in THINK_TAGS])
    if adds_bos:
        raw.post_processor = processors.TemplateProcessing(
            single="<s> $A", special_tokens=[("<s>", raw.token_to_id("<s>"))]
        )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=raw,
        bos_token="<s>",
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        clean_up_tokenization_spaces=False,
    )
    if template is not None:
        tokenizer.chat_template = TEMPLATES[template]
    return tokenizer


def _llama(**common: Any) -> Any:
    from transformers import LlamaConfig

    return LlamaConfig(
        intermediate_size=96, num_key_value_heads=2, tie_word_embeddings=False, **common
    )


def _llama_mha(**common: Any) -> Any:
    from transformers import LlamaConfig

    return LlamaConfig(
        intermediate_size=96, num_key_value_heads=4, tie_word_embeddings=True, **common
    )


def _qwen3(**common: Any) -> Any:
    from transformers import Qwen3Config

    return Qwen3Config(
        intermediate_size=96, num_key_value_heads=2, head_dim=24, tie_word_embeddings=True, **common
    )


def _qwen3_moe(**common: Any) -> Any:
    from transformers import Qwen3MoeConfig

    return Qwen3MoeConfig(
        intermediate_size=96,
        moe_intermediate_size=32,
        num_experts=4,
        num_experts_per_tok=2,
        num_key_value_heads=2,
        head_dim=16,
        tie_word_embeddings=False,
        **common,
    )


def _qwen2_moe(**common: Any) -> Any:
    from transformers import Qwen2MoeConfig

    return Qwen2MoeConfig(
        intermediate_size=96,
        moe_intermediate_size=32,
        shared_expert_intermediate_size=64,
        num_experts=4,
        num_experts_per_tok=2,
        num_key_value_heads=2,
        tie_word_embeddings=False,
        **common,
    )


def _mixtral(**common: Any) -> Any:
    from transformers import MixtralConfig

    return MixtralConfig(
        intermediate_size=48,
        num_local_experts=4,
        num_experts_per_tok=2,
        num_key_value_heads=2,
        tie_word_embeddings=False,
        **common,
    )


def _deepseek_v3(**common: Any) -> Any:
    from transformers import DeepseekV3Config

    return DeepseekV3Config(
        intermediate_size=96,
        moe_intermediate_size=32,
        n_routed_experts=4,
        n_shared_experts=1,
        num_experts_per_tok=2,
        n_group=2,
        topk_group=1,
        first_k_dense_replace=1,
        num_key_value_heads=4,
        q_lora_rank=24,
        kv_lora_rank=16,
        qk_rope_head_dim=8,
        qk_nope_head_dim=16,
        v_head_dim=16,
        tie_word_embeddings=False,
        **common,
    )


def _mistral(**common: Any) -> Any:
    from transformers import MistralConfig

    return MistralConfig(
        intermediate_size=96,
        num_key_value_heads=2,
        sliding_window=16,
        tie_word_embeddings=False,
        **common,
    )


def _gpt2(**common: Any) -> Any:
    from transformers import GPT2Config

    return GPT2Config(
        vocab_size=common["vocab_size"],
        n_embd=64,
        n_layer=2,
        n_head=4,
        n_positions=CONTEXT,
        initializer_range=0.2,
        bos_token_id=common["bos_token_id"],
        eos_token_id=common["eos_token_id"],
    )


ARCHITECTURES: Mapping[str, Callable[..., Any]] = {
    "llama": _llama,
    "llama_mha_tied": _llama_mha,
    "qwen3": _qwen3,
    "qwen3_moe": _qwen3_moe,
    "qwen2_moe": _qwen2_moe,
    "mixtral": _mixtral,
    "deepseek_v3": _deepseek_v3,
    "mistral": _mistral,
    "gpt2": _gpt2,
}
"""GQA untied, MHA tied, GQA tied with its own head width, MoE, MoE with a shared expert (two
kinds), MLA, sliding window (16), learned positions."""


def tiny_config(architecture: str, **changes: Any) -> Any:
    """The transformers config of one tiny architecture, with some fields changed."""
    tokenizer = tiny_tokenizer()
    common = {
        "vocab_size": len(tokenizer),
        "hidden_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": CONTEXT,
        # wide enough that logits differ and greedy text is not one token repeated
        "initializer_range": 0.2,
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    config = ARCHITECTURES[architecture](**common)
    for key, value in changes.items():
        setattr(config, key, value)
    return config


def tiny_model(
    folder: Path,
    architecture: str = "llama",
    *,
    seed: int = 0,
    template: str | None = "chatml",
    adds_bos: bool = False,
    eos: tuple[int, ...] | None = None,
    tokenizer: bool = True,
    **changes: Any,
) -> Path:
    """Write a model folder (fp32 safetensors) and return it.

    `eos` replaces the end tokens of its generation config; `changes` go to its config.
    """
    import torch
    from transformers import AutoModelForCausalLM

    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(
        tiny_config(architecture, **changes), dtype=torch.float32
    )
    if eos is not None:
        model.generation_config.eos_token_id = list(eos)
    model.save_pretrained(folder)
    if tokenizer:
        tiny_tokenizer(template, adds_bos).save_pretrained(folder)
    return folder


def tiny_adapter(folder: Path, base: Path, *, seed: int = 1) -> Path:
    """Write a LoRA adapter folder over `base` whose weights are far enough from zero to matter."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    names = ["q_proj", "v_proj"]
    adapted = get_peft_model(model, LoraConfig(r=4, lora_alpha=16, target_modules=names))
    with torch.no_grad():
        for name, weight in adapted.named_parameters():
            if "lora_" in name:
                weight.normal_(0.0, 0.3)
    adapted.save_pretrained(folder)
    config = json.loads((folder / "adapter_config.json").read_text())
    config["base_model_name_or_path"] = str(base)
    (folder / "adapter_config.json").write_text(json.dumps(config))
    return folder


def tiny_gguf(file: Path, base: Path) -> Path:
    """Write the tiny llama in `base`, its tokenizer included, as a float32 GGUF file."""
    import gguf
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(base)
    config, tokenizer = model.config, tiny_tokenizer()
    writer = gguf.GGUFWriter(str(file), "llama")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_vocab_size(config.vocab_size)
    _gguf_tokenizer(writer, tokenizer)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config.num_hidden_layers)
    for name, weight in model.state_dict().items():
        array = weight.float().numpy()
        if name.endswith(("q_proj.weight", "k_proj.weight")):
            key = "k_proj" in name
            heads = config.num_key_value_heads if key else config.num_attention_heads
            array = _interleaved(array, heads)
        writer.add_tensor(names.get_name(name, try_suffixes=(".weight",)), array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


def _gguf_tokenizer(writer: Any, tokenizer: PreTrainedTokenizerFast) -> None:
    import gguf

    state = json.loads(tokenizer.backend_tokenizer.to_str())
    by_id = sorted(tokenizer.get_vocab().items(), key=lambda pair: pair[1])
    control = set(SPECIALS)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list([token for token, _ in by_id])
    writer.add_token_types(
        [
            gguf.TokenType.CONTROL
            if token in control
            else gguf.TokenType.USER_DEFINED
            if token in THINK_TAGS
            else gguf.TokenType.NORMAL
            for token, _ in by_id
        ]
    )
    writer.add_token_merges([" ".join(pair) for pair in state["model"]["merges"]])
    writer.add_bos_token_id(tokenizer.bos_token_id)
    writer.add_eos_token_id(tokenizer.eos_token_id)
    writer.add_pad_token_id(tokenizer.pad_token_id)
    writer.add_chat_template(TEMPLATES["chatml"])


def _interleaved(array: Any, heads: int) -> Any:
    """Rows of a rotary projection in GGUF's order: the halves of each head interleaved."""
    rows, width = array.shape
    return array.reshape(heads, 2, rows // heads // 2, width).swapaxes(1, 2).reshape(rows, width)
