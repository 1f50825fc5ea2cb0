"""Tiny random models of many kinds: whichever way they are decoded, rows beside others answer as
transformers' own generate does with each of them alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import pytest

pytest.importorskip("torch")
import torch
from transformers import AutoConfig, AutoModelForCausalLM

from lt_bench.backends.transformers import alone, drawing, slots
from lt_bench.backends.transformers.decoding import Decoded, Decoder, Draw, Outcome, Row
from lt_bench.backends.transformers.form import Form, SchemaForms
from lt_bench.errors import RowError

pytestmark = pytest.mark.model

EOS, WORDS = 401, 404
SAMPLED = Draw(temperature=0.8, top_p=0.95, top_k=40)
MOE = {"moe_intermediate_size": 32, "num_experts_per_tok": 2}
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "gemma3_windows": (
        "gemma3_text",
        {"head_dim": 16, "sliding_window": 12, "num_hidden_layers": 6},
    ),
    "cohere2_windows": ("cohere2", {"sliding_window": 12, "num_hidden_layers": 4}),
    "granite": ("granite", {"attention_multiplier": 0.3, "logits_scaling": 3.0}),
    "olmo2": ("olmo2", {}),
    "glm4_moe": ("glm4_moe", {"head_dim": 16, "n_routed_experts": 4, "n_shared_experts": 1, **MOE}),
    "gpt_neox": ("gpt_neox", {"num_key_value_heads": 4}),
    "phi": ("phi", {}),
    "gemma2_softcap": ("gemma2", {"head_dim": 16, "sliding_window": 12}),
    "gpt_oss_sinks": ("gpt_oss", {"head_dim": 16, "sliding_window": 12, "num_local_experts": 4}),
    "llama4_chunks": (
        "llama4_text",
        {
            "head_dim": 16,
            "attention_chunk_size": 12,
            "num_hidden_layers": 4,
            "num_local_experts": 4,
            "num_experts_per_tok": 1,
            "intermediate_size_mlp": 96,
        },
    ),
    "bloom_alibi": ("bloom", {"n_layer": 2, "n_head": 4}),
    "falcon": ("falcon", {"alibi": False, "multi_query": True}),
    "mamba2": (
        "mamba2",
        {"state_size": 8, "expand": 2, "num_heads": 8, "head_dim": 16, "n_groups": 2},
    ),
    "mamba": ("mamba", {"state_size": 8}),
    "recurrent_gemma": (
        "recurrent_gemma",
        {"head_dim": 16, "attention_window_size": 12, "lru_width": 64, "num_hidden_layers": 3},
    ),
    "rwkv": ("rwkv", {"attention_hidden_size": 64, "context_length": 512}),
}
SLOTS = ("gemma3_windows", "cohere2_windows", "granite", "olmo2", "glm4_moe", "gpt_neox", "phi")
ALONE = ("mamba", "recurrent_gemma", "rwkv")
ROPE = {"rope_theta": 10_000.0, "original_max_position_embeddings": 32, "factor": 4.0}
FACTORS = {"short_factor": [1.0] * 8, "long_factor": [4.0] * 8}


def tiny(kind: str, **changes: Any) -> Any:
    torch.manual_seed(0)
    name, own = KINDS.get(kind, (kind, {}))
    common = {
        "vocab_size": WORDS,
        "hidden_size": 64,
        "intermediate_size": 96,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 512,
        "initializer_range": 0.2,
        "bos_token_id": 3,
        "eos_token_id": EOS,
        "pad_token_id": 0,
    }
    config = AutoConfig.for_model(name, **{**common, **own, **changes})
    return AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()


def some_rows(count: int = 7) -> list[Row]:
    """Prompts of 1 to 40 tokens and caps of 1 to 24."""
    draw = random.Random(5)
    return [
        Row(
            ids=tuple(draw.randrange(4, 400) for _ in range(int(40 ** draw.random()))),
            max_new_tokens=draw.choice((1, 6, 24)),
            seed=place,
        )
        for place in range(count)
    ]


def made(model: Any, size: int = 3) -> Decoder:
    return Decoder(model, eos_ids=[EOS], pad_id=0, slots=size)


def ids(outcome: Outcome | None) -> tuple[int, ...]:
    assert isinstance(outcome, Decoded), outcome
    return outcome.ids


def generated(model: Any, rows: Sequence[Row]) -> list[tuple[int, ...]]:
    """Greedy tokens of transformers' own generate, row by row, nothing left of the row before."""
    found = []
    for row in rows:
        model(input_ids=torch.zeros((1, 1), dtype=torch.long), use_cache=False)
        prompt = torch.tensor([row.ids])
        out = model.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            max_new_tokens=row.max_new_tokens,
            do_sample=False,
            eos_token_id=[EOS],
            pad_token_id=0,
        )
        found.append(tuple(out[0].tolist()[len(row.ids) :]))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_rows_beside_others_answer_as_generate_does_alone(kind: str) -> None:
    model, rows = tiny(kind), some_rows()
    decoder = made(model)
    assert decoder.continuous == (kind in SLOTS)
    assert (decoder._padded is None) == (kind in (*SLOTS, *ALONE))
    assert [ids(each) for each in decoder.decode(rows, Draw())] == generated(model, rows)


@pytest.mark.parametrize("kind", ["mamba", "recurrent_gemma", "falcon"])
def test_a_sample_depends_on_its_seed_alone_in_padded_and_lonely_rows_too(kind: str) -> None:
    decoder, rows = made(tiny(kind)), some_rows(5)
    forth = [ids(each) for each in decoder.decode(rows, SAMPLED)]
    back = [ids(each) for each in decoder.decode(rows[::-1], SAMPLED)]
    assert forth == back[::-1]


@pytest.mark.parametrize("kind", ["longrope", "dynamic"])
def test_rows_that_outgrow_a_turn_of_the_positions_are_decoded_alone(kind: str) -> None:
    rope = {"rope_type": kind, **ROPE, **(FACTORS if kind == "longrope" else {})}
    name, length = ("phi3", 512) if kind == "longrope" else ("llama", 32)
    own = {"original_max_position_embeddings": 32} if kind == "longrope" else {}
    model = tiny(name, rope_parameters=rope, max_position_embeddings=length, **own)
    assert alone.turn_of(model) == alone.Turn(32, anew=kind == "longrope")
    # short all the way, across the turn on the way, and long from the first token on
    sizes = ((5, 6), (28, 12), (40, 8), (6, 6), (20, 3), (31, 2), (32, 2))
    draw = random.Random(1)
    rows = [Row(tuple(draw.randrange(4, 400) for _ in range(n)), cap) for n, cap in sizes]
    expected, told = generated(model, rows), dict[int, tuple[int, ...]]()
    joining = iter(
        Row(
            row.ids,
            row.max_new_tokens,
            finished=lambda outcome, place=place: told.update({place: ids(outcome)}),
        )
        for place, row in enumerate(rows[3:], 3)
    )
    decoder = made(model)
    assert decoder.continuous
    found = decoder.decode(rows[:3], Draw(), lambda count: list(islice(joining, count)))
    assert [ids(each) for each in found] == expected[:3]
    assert told == dict(enumerate(expected[3:], 3))


def test_a_lonely_row_that_does_not_fit_fails_and_the_others_are_answered() -> None:
    model, rows = tiny("mamba"), [Row((5, 6), 4), Row((7,) * 60, 4), Row((8, 9), 4)]
    decoder, expected = made(model), generated(model, rows)
    forward = model.backbone.forward

    def small(input_ids: Any, **given: Any) -> Any:
        if input_ids.numel() > 50:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
        return forward(input_ids, **given)

    model.backbone.forward = small
    found = decoder.decode(rows, Draw())
    assert isinstance(found[1], RowError)
    assert found[1].kind == "out_of_memory"
    assert [ids(found[0]), ids(found[2])] == [expected[0], expected[2]]


# --- what goes wrong in one row ----------------------------------------------------------------


@pytest.mark.parametrize("draw", [Draw(), SAMPLED, Draw(0.8, top_p=0.9)])
@pytest.mark.parametrize("kind", ["llama", "glm4_moe", "falcon"])
def test_a_row_of_numbers_that_are_none_fails_alone(kind: str, draw: Draw) -> None:
    model = tiny(kind, tie_word_embeddings=False)
    decoder, good = made(model, size=8), Row((5, 6, 7), 8, seed=3)
    expected = ids(decoder.decode([good], draw)[0])
    with torch.no_grad():
        model.get_input_embeddings().weight[333] = float("nan")
    found = decoder.decode([good, Row((5, 333, 7), 8), good], draw)
    assert isinstance(found[1], RowError)
    assert found[1].kind == "model"
    assert ids(found[0]) == ids(found[2]) == expected


class _Failing:
    """A form that lets two tokens pass and then breaks in one way or another."""

    def __init__(self, breaks: str) -> None:
        self.breaks, self.taken = breaks, 0

    def restrict(self, logits: Any) -> None:
        if self.taken >= 2 and self.breaks == "raises":
            raise ValueError("the parser is too complex")
        if self.taken >= 2:
            logits.fill_(float("-inf"))

    def take(self, _: int) -> bool:
        self.taken += 1
        return False


@pytest.mark.parametrize("draw", [Draw(), SAMPLED])
@pytest.mark.parametrize("breaks", ["raises", "allows nothing"])
def test_a_form_that_breaks_fails_its_own_row(breaks: str, draw: Draw) -> None:
    decoder, free = made(tiny("llama"), size=8), Row((5, 6, 7), 8, seed=3)
    expected = ids(decoder.decode([free], draw)[0])
    held = Row((5, 9, 7), 8, form=lambda: _Failing(breaks))
    found = decoder.decode([free, held, free], draw)
    assert isinstance(found[1], RowError)
    assert "held to its schema" in found[1].cause
    assert ids(found[0]) == ids(found[2]) == expected


# --- memory that runs out between the pass and the draw ----------------------------------------


@pytest.fixture(scope="module")
def form() -> Callable[[], Form]:
    from support.tiny_models import tiny_tokenizer

    schema = {"type": "array", "items": {"enum": ["a", "bb", "ccc"]}, "minItems": 4, "maxItems": 9}
    return SchemaForms(tiny_tokenizer(), WORDS).of(schema)


@pytest.mark.parametrize("draw", [Draw(), SAMPLED])
@pytest.mark.parametrize("fails", [1, 2, 6])
def test_f71_memory_that_runs_out_while_tokens_are_drawn_changes_no_answer(
    monkeypatch: pytest.MonkeyPatch, form: Callable[[], Form], draw: Draw, fails: int
) -> None:
    decoder = made(tiny("llama"), size=64)
    rows = [*some_rows(6), Row((5, 6, 7), 24, seed=8, form=form), Row((9,), 24, seed=9, form=form)]
    plenty = [ids(each) for each in decoder.decode(rows, draw)]
    calls: list[int] = []

    def scarce(real: Callable[..., Any]) -> Callable[..., Any]:
        def once(*given: Any) -> Any:
            calls.append(1)
            if len(calls) == fails:
                raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
            return real(*given)

        return once

    # of sampled rows when the points of the draw are known, of greedy ones when the logits are
    module, name = (drawing, "next_tokens") if draw.temperature else (slots, "take_next")
    monkeypatch.setattr(module, name, scarce(getattr(module, name)))
    assert [ids(each) for each in decoder.decode(rows, draw)] == plenty
    assert len(calls) > fails
