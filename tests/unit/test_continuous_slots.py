"""Continuous slots: rows of any length side by side, refilled, evicted and cancelled on the way,
and every one as if it were alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from types import SimpleNamespace
from typing import Any
from weakref import WeakSet

import pytest

pytest.importorskip("torch")
import torch
from support.tiny_models import tiny_config
from transformers import AutoModelForCausalLM

from lt_bench.backends.transformers import cohort as cohorts
from lt_bench.backends.transformers import memory, ragged
from lt_bench.backends.transformers.decoding import Decoded, Decoder, Draw, Outcome, Row
from lt_bench.errors import RowError

pytestmark = pytest.mark.model

SAMPLED = Draw(temperature=0.8, top_p=0.95, top_k=40)


def tiny(architecture: str = "llama", **changes: Any) -> Any:
    torch.manual_seed(0)
    config = tiny_config(architecture, **changes)
    return AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()


@pytest.fixture(scope="module")
def llama() -> Any:
    return tiny()


def some_rows(count: int = 14, seed: int = 0) -> list[Row]:
    """Prompts of 1 to 90 tokens and caps of 1 to 90, past the first growth of the cache."""
    draw = random.Random(seed)
    return [
        Row(
            ids=tuple(draw.randrange(400) for _ in range(int(90 ** draw.random()))),
            max_new_tokens=draw.choice((1, 3, 20, 90)),
            seed=place,
        )
        for place in range(count)
    ]


def ids(outcome: Outcome | None) -> tuple[int, ...]:
    assert isinstance(outcome, Decoded), outcome
    return outcome.ids


def alone(model: Any, rows: Sequence[Row]) -> list[tuple[int, ...]]:
    """Greedy tokens of transformers' own generate, row by row."""
    found = []
    for row in rows:
        prompt = torch.tensor([row.ids])
        out = model.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            max_new_tokens=row.max_new_tokens,
            do_sample=False,
            eos_token_id=[401],
            pad_token_id=0,
        )
        found.append(tuple(out[0].tolist()[len(row.ids) :]))
    return found


def decoder(model: Any, slots: int) -> Decoder:
    made = Decoder(model, eos_ids=[401], pad_id=0, slots=slots)
    assert made.continuous
    return made


def watch_steps(monkeypatch: pytest.MonkeyPatch, seen: Callable[[int], None]) -> None:
    """`seen` gets the number of rows before every step."""
    step = ragged.Ragged.step

    def watched(self: Any, running: Sequence[Any]) -> Any:
        seen(sum(len(each.rows) for each in running))
        return step(self, running)

    monkeypatch.setattr(ragged.Ragged, "step", watched)


@pytest.mark.parametrize("architecture", ["llama", "mistral", "deepseek_v3", "qwen3_moe", "gpt2"])
def test_refilled_slots_answer_as_generate_does_alone(architecture: str) -> None:
    model, rows = tiny(architecture), some_rows()
    found = decoder(model, slots=3).decode(rows, Draw())
    assert [ids(each) for each in found] == alone(model, rows)


@pytest.mark.parametrize("architecture", ["llama", "mistral", "deepseek_v3", "qwen3_moe", "gpt2"])
def test_what_rows_have_in_common_is_read_once(
    architecture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, draw = tiny(architecture), random.Random(1)
    rules = [tuple(draw.randrange(400) for _ in range(70)) for _ in range(2)]
    own = [tuple(draw.randrange(400) for _ in range(place % 4)) for place in range(9)]
    rows = [Row((*rules[place % 2], place, *own[place]), 12) for place in range(9)]
    expected, read = alone(model, rows), list[int]()
    eager = decoder(model, slots=9)
    logits = ragged.Ragged._logits

    def counted(self: Any, ids: Sequence[int], places: Any, keep: Any, seen: Any) -> Any:
        if keep is not None:
            read.append(len(ids))
        return logits(self, ids, places, keep, seen)

    monkeypatch.setattr(ragged.Ragged, "_logits", counted)
    assert [ids(each) for each in eager.decode(rows, Draw())] == expected
    # eight rows stand together, with one of either beginning read whole, and the ninth alone
    assert sum(read) <= 3 * 74 + 6 * 4


@pytest.mark.parametrize("seed", range(2))
def test_the_number_of_slots_changes_nothing(llama: Any, seed: int) -> None:
    rows, draw = some_rows(16, seed), SAMPLED if seed % 2 else Draw()
    found = [decoder(llama, slots).decode(rows, draw) for slots in (1, 4, 64)]
    texts = [[ids(each) for each in outcomes] for outcomes in found]
    assert texts[0] == texts[1] == texts[2]


def test_cohorts_as_wide_as_on_a_gpu_answer_alike(llama: Any) -> None:
    rows, wide = some_rows(), decoder(llama, slots=64)
    assert wide._ragged is not None
    wide._ragged.on_cpu = False
    assert [ids(each) for each in wide.decode(rows, Draw())] == alone(llama, rows)


def test_a_place_that_gets_free_is_taken_while_the_others_go_on(
    llama: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    four = decoder(llama, slots=4)
    watch_steps(monkeypatch, sizes.append)
    four.decode([Row((7, 8, 9), 40), *(Row((5, place), 4) for place in range(9))], Draw())
    assert max(sizes) == 4
    # 40 + 9 * 4 tokens, one of each from its prompt; batches of four would take far more steps
    assert sum(sizes) == 39 + 9 * 3
    assert len(sizes) == 39


def test_rows_that_join_are_told_their_own_outcomes(llama: Any) -> None:
    rows = some_rows(12)
    expected, told = alone(llama, rows), dict[int, tuple[int, ...]]()

    def joining() -> Iterator[Row]:
        for place, row in enumerate(rows[2:], 2):
            yield Row(
                row.ids,
                row.max_new_tokens,
                finished=lambda outcome, place=place: told.update({place: ids(outcome)}),
            )

    waiting = joining()
    found = decoder(llama, slots=3).decode(rows[:2], Draw(), lambda n: list(islice(waiting, n)))
    assert [ids(each) for each in found] == expected[:2]
    assert told == dict(enumerate(expected[2:], 2))


def test_cancelled_rows_leave_and_those_that_wait_are_never_read(
    llama: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    two = decoder(llama, slots=2)
    watch_steps(monkeypatch, sizes.append)
    gone = Row((9, 9, 9), 60, cancelled=lambda: len(sizes) >= 5)
    late = Row((8, 8, 8), 60, cancelled=lambda: True)
    stay = Row((7, 7, 7), 20)
    found = two.decode([gone, stay, late], Draw())
    assert (found[0], found[2]) == (None, None)
    assert ids(found[1]) == alone(llama, [stay])[0]
    assert sizes[-1] == 1
    assert len(sizes) == 19


# --- memory ----------------------------------------------------------------------------------


def scarce(monkeypatch: pytest.MonkeyPatch, positions: int) -> list[int]:
    """A machine whose memory holds so many positions. Returns how many would have been in use after
    every request for more."""
    asked: list[int] = []
    alive: WeakSet[cohorts.Cohort] = WeakSet()
    make_room = cohorts.Cohort._make_room

    def guarded(self: cohorts.Cohort, places: int) -> None:
        others = sum(each.held for each in alive if each is not self and each.rows)
        asked.append(others + places * (self.width + cohorts.ROOM))
        if asked[-1] > positions:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
        make_room(self, places)
        alive.add(self)

    monkeypatch.setattr(cohorts.Cohort, "_make_room", guarded)
    return asked


@pytest.fixture(scope="module", params=[Draw(), SAMPLED], ids=["greedy", "sampled"])
def unhurried(request: pytest.FixtureRequest, llama: Any) -> tuple[Draw, list[tuple[int, ...]]]:
    """How tokens are chosen, and what comes of it where memory is plenty."""
    found = decoder(llama, slots=64).decode(some_rows(), request.param)
    return request.param, [ids(each) for each in found]


@pytest.mark.parametrize("positions", [200, 400, 900])
def test_f71_rows_go_on_with_fewer_slots_when_memory_runs_out(
    llama: Any,
    monkeypatch: pytest.MonkeyPatch,
    positions: int,
    unhurried: tuple[Draw, list[tuple[int, ...]]],
) -> None:
    rows, (draw, plenty) = some_rows(), unhurried
    asked = scarce(monkeypatch, positions)
    found = decoder(llama, slots=64).decode(rows, draw)
    fit = [each for each in found if isinstance(each, Decoded)]
    assert max(asked) > positions, "memory must have run out"
    for outcome, expected, row in zip(found, plenty, rows, strict=True):
        if isinstance(outcome, RowError):
            assert outcome.kind == "out_of_memory"
            assert len(row.ids) + row.max_new_tokens + cohorts.ROOM > positions
        else:
            assert ids(outcome) == expected
    assert len(fit) >= 13


def test_f71_one_long_row_at_the_end_is_kept(
    llama: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [*(Row((5, place), 30) for place in range(8)), Row((3,) * 300, 30)]
    expected = alone(llama, rows)
    scarce(monkeypatch, 700)
    found = decoder(llama, slots=64).decode(rows, Draw())
    assert [ids(each) for each in found] == expected
    assert "out of memory" in caplog.text


def test_f71_a_row_that_does_not_fit_alone_fails_and_the_others_are_answered(
    llama: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [Row((5,), 10), Row((3,) * 300, 10), Row((6,), 10)]
    scarce(monkeypatch, 200)
    told: list[Outcome] = []
    rows[1] = Row(rows[1].ids, 10, finished=told.append)
    found = decoder(llama, slots=64).decode(rows, Draw())
    assert isinstance(found[1], RowError)
    assert found[1].kind == "out_of_memory"
    assert "300 tokens" in found[1].cause
    assert told == [found[1]]
    assert [ids(found[place]) for place in (0, 2)] == alone(llama, [rows[0], rows[2]])


def test_f71_what_was_said_before_the_memory_ran_out_is_not_said_again(
    llama: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def fail_once(rows: int) -> None:
        sizes.append(rows)
        if len(sizes) == 20:
            raise MemoryError

    many = decoder(llama, slots=64)
    watch_steps(monkeypatch, fail_once)
    rows = [Row((place, 4), 30) for place in range(12)]
    expected = alone(llama, rows)
    assert [ids(each) for each in many.decode(rows, Draw())] == expected
    # every row gets 29 tokens from steps, and one or two from readings
    assert sum(sizes) - sizes[19] <= 12 * 29


def test_a_shortage_is_remembered_for_the_next_rows(
    llama: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = decoder(llama, slots=64)
    asked = scarce(monkeypatch, 300)
    rows = [Row((place, 4), 8) for place in range(12)]
    short.decode(rows, Draw())
    assert max(asked) > 300
    asked.clear()
    short.decode(rows, Draw())
    assert max(asked) <= 300


def test_other_failures_end_the_decode_and_give_the_model_back(
    llama: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(rows: int) -> None:
        raise RuntimeError("shape mismatch")

    four = decoder(llama, slots=4)
    watch_steps(monkeypatch, broken)
    with pytest.raises(RuntimeError, match="shape"):
        four.decode([Row((5,), 5)], Draw())
    assert llama.config._attn_implementation == "sdpa"
    assert "forward" not in vars(llama.lm_head)


def test_main_memory_is_asked_before_it_is_taken() -> None:
    cpu = torch.device("cpu")
    memory.ask_for(1 << 20, cpu)
    with pytest.raises(MemoryError, match="MB are free"):
        memory.ask_for(1 << 50, cpu)
    memory.ask_for(1 << 50, torch.device("meta"))


def test_a_containers_limit_bounds_the_free_memory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "memory.max").write_text("1000000\n")
    (tmp_path / "memory.current").write_text("400000\n")
    (tmp_path / "memory.stat").write_text("anon 300000\nfile 100000\nfile_mapped 7\n")
    monkeypatch.setattr(memory, "_CGROUP", tmp_path)
    assert memory.free_bytes() == 1_000_000 - 50_000 - 400_000 + 100_000
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.free_bytes() > 1_000_000


# --- which models ----------------------------------------------------------------------------


def test_models_with_their_own_attention_are_padded_and_answer_alike() -> None:
    model = tiny()
    expected = alone(model, rows := some_rows(6))
    model.config._attn_implementation = "eager"
    padded = Decoder(model, eos_ids=[401], pad_id=0)
    assert not padded.continuous
    assert [ids(each) for each in padded.decode(rows, Draw())] == expected


def test_a_model_that_mixes_neighbours_is_found_out_by_the_trial() -> None:
    model = tiny()
    inner = model.model.layers[0].mlp
    forward = inner.forward
    inner.forward = lambda hidden: forward(hidden) + hidden.roll(1, 1)
    assert not Decoder(model, eos_ids=[401], pad_id=0).continuous


def test_a_window_that_the_cache_does_not_know_of_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = tiny("mistral")
    assert ragged.ragged(model) is not None
    layers = [SimpleNamespace(), SimpleNamespace()]
    monkeypatch.setattr(ragged, "DynamicCache", lambda config: SimpleNamespace(layers=layers))
    assert ragged.ragged(model) is None


def test_half_precision_passes_the_trial_too() -> None:
    assert ragged.ragged(tiny().to(torch.bfloat16)) is not None


def test_the_model_is_as_before_after_a_decode(llama: Any) -> None:
    rows = some_rows(4)
    before = alone(llama, rows)
    decoder(llama, slots=2).decode(rows, Draw())
    assert llama.config._attn_implementation == "sdpa"
    assert alone(llama, rows) == before


@pytest.mark.parametrize("bias", [False, True])
def test_logits_by_blocks_of_words_are_the_same_numbers(bias: bool) -> None:
    head = torch.nn.Linear(24, 2 * ragged.VOCABULARY_BLOCK + 100, bias=bias)
    hidden = torch.randn(5, 24)
    with torch.inference_mode():
        assert torch.allclose(ragged._in_blocks(head, hidden), head(hidden), atol=1e-6)


def test_rows_whose_numbers_overflow_fail_alone() -> None:
    model = tiny()
    with torch.no_grad():
        model.model.embed_tokens.weight[333] = float("nan")
    good, bad = Row((5, 6), 12), Row((5, 333), 12)
    found = decoder(model, slots=4).decode([good, bad, good], Draw())
    assert isinstance(found[1], RowError)
    assert found[1].kind == "model"
    assert ids(found[0]) == ids(found[2])
    assert len(ids(found[0])) == 12
