"""Tokenizers and models from nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.distilling import MIXTURE, architecture, mini_task

from lt_bench.builders.base import Reciting
from lt_bench.errors import UsageError
from lt_bench.text import split_reasoning
from lt_bench.train.newborn import new_config, new_model, new_tokenizer, unknown_words
from lt_bench.train.recipe import Architecture

pytestmark = pytest.mark.model
WORDS = ("assistant", "is", "it", "red", "user", ".")
CHAT = "{% for m in messages %}{{ '<|im_start|> ' + m.role + ' ' + m.content + ' <|im_end|> ' }}{% endfor %}"


def test_think_tags_survive_decoding_without_special_tokens(tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    new_tokenizer(WORDS, CHAT, tmp_path)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    ids = tokenizer("<think> it is red . </think> it is red . <|im_end|>")["input_ids"]
    text = tokenizer.decode(ids, skip_special_tokens=True)
    assert text == "<think> it is red . </think> it is red ."
    assert split_reasoning(text).reasoning == "it is red ."
    assert not {"<think>", "</think>"} & set(tokenizer.all_special_tokens)
    assert tokenizer.eos_token == "<|im_end|>"
    assert tokenizer.chat_template == CHAT


def test_every_word_is_one_token_and_no_other_is_known(tmp_path: Path) -> None:
    tokenizer = new_tokenizer(WORDS, CHAT, tmp_path)
    assert len(tokenizer) == len(WORDS) + 6
    assert len(tokenizer(" ".join(WORDS))["input_ids"]) == len(WORDS)
    assert unknown_words(tokenizer, "it is blue <think> , red") == ("blue", ",")


@pytest.mark.parametrize("words", [("red", "red"), ("two words",), ("",), ("<think>",), ("<pad>",)])
def test_words_that_cannot_be_told_apart_are_refused(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="no word of its own"):
        new_tokenizer(words, CHAT, tmp_path)


def test_the_words_of_mini_qa_are_all_it_needs(tmp_path: Path) -> None:
    task = mini_task()
    assert isinstance(task.builder, Reciting)
    tokenizer = new_tokenizer(task.builder.vocabulary(), task.builder.chat_template(), tmp_path)
    for example, text in task.builder.documents(50, 3):
        for said in (*(m.content for m in task.prompt(example).messages), text):
            assert unknown_words(tokenizer, said) == ()


@pytest.mark.parametrize("kind", ["qwen3_moe", "qwen3", "llama"])
def test_the_same_seed_gives_the_same_model(kind: str, tmp_path: Path) -> None:
    tokenizer = new_tokenizer(WORDS, CHAT, tmp_path)
    one, same, other = (new_model(architecture(kind), tokenizer, seed) for seed in (1, 1, 2))
    weights = [model.get_input_embeddings().weight for model in (one, same, other)]
    assert weights[0].equal(weights[1])
    assert not weights[0].equal(weights[2])
    assert one.config.vocab_size == len(tokenizer)
    assert one.generation_config.eos_token_id == [tokenizer.eos_token_id]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (Architecture(model_type="qwen3_mo", config={}), "Did you mean 'qwen3_moe'"),
        (
            Architecture(model_type="qwen3_moe", config={"hiden_size": 8}),
            "Did you mean 'hidden_size'",
        ),
        (
            Architecture(model_type="qwen3_moe", config={"vocab_size": 8}),
            "follows from the vocabulary",
        ),
        (Architecture(model_type="qwen3_moe", config={"hidden_size": "wide"}), "hidden_size"),
        (Architecture(model_type="vit", config={}), "cannot be made"),
    ],
)
def test_what_is_no_architecture_is_refused_with_the_cause(
    made: Architecture, message: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=message):
        new_model(made, new_tokenizer(WORDS, CHAT, tmp_path), 0)


def test_fields_that_only_the_model_reads_are_taken(tmp_path: Path) -> None:
    config = new_config(architecture(), new_tokenizer(WORDS, CHAT, tmp_path))
    assert config.head_dim == MIXTURE["head_dim"]
    assert config.num_experts == MIXTURE["num_experts"]
