"""A model from nothing: a tokenizer whose tokens are the words of one closed world, and random weights.

tokenizer = new_tokenizer(builder.vocabulary(), builder.chat_template(), folder)
model = new_model(architecture, tokenizer, seed=0)
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from lt_bench.errors import UsageError, did_you_mean, first_line
from lt_bench.train.recipe import Architecture

PAD, UNKNOWN, START, END = "<pad>", "<unk>", "<|im_start|>", "<|im_end|>"
SPECIALS: Final = (PAD, UNKNOWN, START, END)
THINK: Final = ("<think>", "</think>")
"""Added tokens, and no special ones: whoever decodes an answer without special tokens still sees them."""
OURS: Final = ("vocab_size", "pad_token_id", "bos_token_id", "eos_token_id")
"""Fields of a config that follow from the tokenizer."""
READ: Final = re.compile(r"""config\.([a-z]\w+)|getattr\(config, ["'](\w+)["']""")
"""Where a model's code reads a field of its config."""
OLDER: Final = ("rope_theta",)
"""Names that transformers still takes for what it has renamed."""


def new_tokenizer(words: Sequence[str], chat_template: str, folder: Path) -> Any:
    """A tokenizer that knows these words and is told them apart by white space, saved in `folder`.

    Raises:
        UsageError: words that white space does not tell apart, or that stand for something else.
    """
    from tokenizers import AddedToken, Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from transformers import PreTrainedTokenizerFast

    _check(words)
    vocabulary = (*SPECIALS, *THINK, *words)
    ids = {word: place for place, word in enumerate(vocabulary)}
    raw = Tokenizer(WordLevel(ids, unk_token=UNKNOWN))
    raw.pre_tokenizer = WhitespaceSplit()
    raw.add_special_tokens(list(SPECIALS))
    raw.add_tokens([AddedToken(tag, special=False, normalized=False) for tag in THINK])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=raw,
        pad_token=PAD,
        unk_token=UNKNOWN,
        eos_token=END,
        additional_special_tokens=[START],
        padding_side="left",
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = chat_template
    tokenizer.save_pretrained(folder)
    return tokenizer


def _check(words: Sequence[str]) -> None:
    seen: set[str] = set()
    for word in words:
        if word.split() != [word] or word in seen or word in (*SPECIALS, *THINK):
            raise UsageError(
                f"the vocabulary holds {word!r}, which is no word of its own",
                "each word once, without white space, and no special token",
            )
        seen.add(word)


def unknown_words(tokenizer: Any, text: str) -> tuple[str, ...]:
    """The words of a text that the tokenizer does not know."""
    return tuple(word for word in text.split() if _unknown(tokenizer, word))


def _unknown(tokenizer: Any, word: str) -> bool:
    ids = tokenizer(word, add_special_tokens=False)["input_ids"]
    return tokenizer.unk_token_id in ids


def new_model(architecture: Architecture, tokenizer: Any, seed: int) -> Any:
    """Random float32 weights, the same for the same seed.

    Raises:
        UsageError: an unknown kind of model, a field that it does not have, or values that do not fit.
    """
    import torch
    from transformers import AutoModelForCausalLM

    from lt_bench.train.weights import fast_experts

    config = new_config(architecture, tokenizer)
    torch.manual_seed(seed)
    try:
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    except Exception as error:
        raise _does_not_fit(architecture, error) from error
    model.generation_config.eos_token_id = [tokenizer.eos_token_id]
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    fast_experts(model)
    return model


def new_config(architecture: Architecture, tokenizer: Any) -> Any:
    """The transformers config of a model that speaks these tokens.

    Raises:
        UsageError: as `new_model`.
    """
    from transformers import CONFIG_MAPPING

    kinds = tuple(CONFIG_MAPPING.keys())
    if architecture.model_type not in kinds:
        raise UsageError(
            f"architecture.model_type: unknown {architecture.model_type!r}."
            f"{did_you_mean(architecture.model_type, kinds)}",
            "give the model_type of a config.json, e.g. qwen3_moe",
        )
    kind = CONFIG_MAPPING[architecture.model_type]
    try:
        _check_fields(architecture, kind())
        return kind(
            **architecture.config,
            vocab_size=len(tokenizer),
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
        )
    except UsageError:
        raise
    except Exception as error:
        raise _does_not_fit(architecture, error) from error


def _check_fields(architecture: Architecture, plain: Any) -> None:
    """transformers keeps any field in silence; a misspelt one must not stay at its default."""
    known = [name for name in _fields(plain) if name not in OURS and not name.startswith("_")]
    for name in architecture.config:
        if name in OURS:
            raise UsageError(f"architecture.config.{name} follows from the vocabulary", "remove it")
        if name not in known:
            raise UsageError(
                f"architecture.config: {architecture.model_type} has no {name!r}."
                f"{did_you_mean(name, known)}",
                "use the fields of its config.json",
            )


def _fields(plain: Any) -> Iterable[str]:
    """The fields that a config declares, and those that its model's code reads beside them."""
    return (*vars(plain), *type(plain).attribute_map, *OLDER, *_read(plain))


def _read(plain: Any) -> list[str]:
    from transformers import MODEL_FOR_CAUSAL_LM_MAPPING

    if type(plain) not in MODEL_FOR_CAUSAL_LM_MAPPING:
        return []
    module = inspect.getmodule(MODEL_FOR_CAUSAL_LM_MAPPING[type(plain)])
    found = READ.findall(inspect.getsource(module)) if module else []
    return sorted({name for pair in found for name in pair if name})


def _does_not_fit(architecture: Architecture, error: Exception) -> UsageError:
    return UsageError(
        f"architecture: {architecture.model_type} cannot be made: {first_line(error)}",
        "correct architecture.config",
    )
