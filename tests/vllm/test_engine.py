"""The real engine: equal to transformers, and well-behaved when refused, cancelled or killed."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("vllm", reason="make test-vllm builds the environment that has it")

import psutil
from support.tiny_models import CONTEXT, tiny_adapter, tiny_model, tiny_tokenizer

from lt_bench.backends.transformers.backend import TransformersBackend
from lt_bench.backends.vllm.backend import VllmBackend
from lt_bench.errors import RowError, RunError, UsageError

from .conftest import HEAD, QUESTIONS, Asking, opened, request

pytestmark = pytest.mark.vllm


def test_greedy_answers_of_a_mixture_of_experts_equal_transformers(
    vllm_moe: Asking, hf_moe: Asking
) -> None:
    mine, theirs = vllm_moe.turns(QUESTIONS), hf_moe.turns(QUESTIONS)
    assert [one == other for one, other in zip(mine, theirs, strict=True)] == [True] * 8
    assert all(turn.usage.counted_by == "engine" for turn in mine)
    assert len({turn.raw for turn in mine}) > 4


def test_facts_are_those_of_transformers(vllm_moe: Asking, hf_moe: Asking) -> None:
    vllm_moe(QUESTIONS[:1])
    hf_moe(QUESTIONS[:1])
    mine, theirs = vllm_moe.backend.facts, hf_moe.backend.facts
    for name in ("fingerprint", "chat_template_sha", "architecture", "dtype", "device"):
        assert getattr(mine, name) == getattr(theirs, name), name
    assert mine.first_prompt_ids == theirs.first_prompt_ids


def test_counts_are_the_ids_of_the_engine(
    vllm_moe: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lt_bench.backends.vllm.engine import Engine

    ask, seen = Engine.ask, {}

    async def watched(self: Any, ids: Any, params: Any, **rest: Any) -> Any:
        answer = await ask(self, ids, params, **rest)
        seen[tuple(ids)] = answer.decoded.ids
        return answer

    monkeypatch.setattr(Engine, "ask", watched)
    turns = vllm_moe.turns(QUESTIONS)
    assert sorted(turn.usage.output for turn in turns) == sorted(map(len, seen.values()))
    assert {turn.usage.prompt for turn in turns} == {len(ids) for ids in seen}


def test_the_cap_is_kept_to_the_token(vllm_moe: Asking) -> None:
    for cap in (1, 7):
        turns = vllm_moe.turns(QUESTIONS, max_tokens=cap)
        assert max(turn.usage.output for turn in turns) == cap


def test_seeds_decide_draws_whatever_shares_the_batch(vllm_moe: Asking) -> None:
    hot = {"temperature": 1.0, "top_p": 0.95, "top_k": 50}
    first = vllm_moe.turns(QUESTIONS[:1], seed=11, **hot)[0].raw
    among = vllm_moe.turns([*QUESTIONS[1:], QUESTIONS[0]], seed=11, **hot)[-1].raw
    other = vllm_moe.turns(QUESTIONS[:1], seed=12, **hot)[0].raw
    assert first == among
    assert first != other


def test_stops_cut_the_reply_as_in_transformers(vllm_moe: Asking, hf_moe: Asking) -> None:
    whole = vllm_moe.turns(QUESTIONS[:1])[0].reply
    word = whole[len(whole) // 2 : len(whole) // 2 + 2]
    mine = vllm_moe.turns(QUESTIONS, stop=(word,))
    assert mine == hf_moe.turns(QUESTIONS, stop=(word,))
    assert mine[0].reply == whole[: whole.index(word)]
    assert mine[0].finish_reason == "stop"


def test_thoughts_are_split_and_counted_as_in_transformers(
    vllm_thinker: Asking, hf_thinker: Asking
) -> None:
    questions = [f"{each} {number}" for number in range(8) for each in QUESTIONS]
    mine = vllm_thinker.turns(questions, max_tokens=48)
    assert mine == hf_thinker.turns(questions, max_tokens=48)
    spoke = [turn for turn in mine if turn.reasoning and turn.reply]
    assert spoke, "no thought was closed: take other questions"
    assert all(turn.usage.reasoning > 0 for turn in mine)


def test_f20_a_stop_string_inside_the_thought_is_none(vllm_thinker: Asking) -> None:
    thought = vllm_thinker.turns(QUESTIONS[:1], max_tokens=24)[0]
    word = thought.reasoning[2:4]
    assert vllm_thinker.turns(QUESTIONS[:1], max_tokens=24, stop=(word,))[0] == thought


def test_the_first_spoken_token_comes_after_the_thought(vllm_thinker: Asking) -> None:
    questions = [f"{each} {number}" for number in range(8) for each in QUESTIONS]
    turns = [answer.turns[0] for answer in vllm_thinker(questions, max_tokens=48)]
    for turn in turns:
        assert 0 <= turn.timings.queued <= turn.timings.first_token <= turn.timings.total
        if not turn.reply:
            assert turn.timings.first_reply_token is None
    spoke = [turn.timings for turn in turns if turn.reasoning and turn.reply.strip()]
    # tokens that arrive in one message have one time
    assert all(times.first_reply_token >= times.first_token for times in spoke)
    assert any(times.first_reply_token > times.first_token for times in spoke)


def test_an_answer_schema_holds_even_a_random_model(vllm_moe: Asking) -> None:
    schema = {
        "type": "object",
        "properties": {"correct": {"type": "boolean"}},
        "required": ["correct"],
        "additionalProperties": False,
    }
    answers = vllm_moe(QUESTIONS, schema=schema, max_tokens=200)
    told = [json.loads(answer.reply) for answer in answers if answer.status == "ok"]
    assert told
    assert all(set(each) == {"correct"} and isinstance(each["correct"], bool) for each in told)


def test_prompts_too_long_fail_alone_with_counts(vllm_moe: Asking) -> None:
    answers = vllm_moe(["Red?", "price " * 600, "Blue?"])
    assert isinstance(answers[1], RowError)
    assert answers[1].kind == "bad_request"
    assert str(CONTEXT) in answers[1].cause
    assert answers[0].turns[0].raw
    assert answers[2].turns[0].raw


@pytest.mark.parametrize("question", ["", "<|im_end|>", "a\x00b", "👩‍👩‍👧" * 20, "\ud800"])
def test_strange_questions_are_answered_or_fail_alone(vllm_moe: Asking, question: str) -> None:
    answers = vllm_moe(["Red?", question])
    assert answers[0].turns[0].raw
    assert isinstance(answers[1], RowError) or answers[1].turns


def test_cancelling_takes_requests_out_of_the_engine(vllm_moe: Asking) -> None:
    engine = vllm_moe.backend._entered.engine._engine

    async def main() -> float:
        long = request("Red?", max_tokens=400)
        tasks = [asyncio.create_task(vllm_moe.backend.generate(long)) for _ in range(40)]
        await asyncio.sleep(1.0)
        begun = time.perf_counter()
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(each, asyncio.CancelledError) for each in ended)
        await vllm_moe.backend.generate(request("Red?", max_tokens=2))
        return time.perf_counter() - begun

    assert vllm_moe.run(main()) < 5.0
    assert engine.get_num_unfinished_requests() == 0


# --- what vLLM refuses ------------------------------------------------------------------------


def refusal(folder: Path, **options: Any) -> str:
    async def main() -> None:
        async with VllmBackend(str(folder), options):
            pass

    with pytest.raises(UsageError) as caught:
        asyncio.run(main())
    assert len(str(caught.value).splitlines()) <= 6
    assert caught.value.fix
    return str(caught.value)


def test_unknown_options_name_vllms_own(moe: Path) -> None:
    assert "Did you mean 'gpu_memory_utilization'?" in refusal(moe, gpu_memory_utilisation=0.5)
    assert "Did you mean 'tensor_parallel_size'?" in refusal(moe, tensor_parallel=2)


def test_values_that_vllm_refuses_are_named(moe: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "100000" in refusal(moe, max_model_len=100_000)
    assert "dtype: Input should be" in refusal(moe, dtype="float31")
    assert capfd.readouterr().out == ""


def test_a_cause_inside_the_engines_process_is_found(
    moe: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = refusal(moe, kv_cache_memory_bytes=1000)
    assert "cache" in text.lower()
    assert "initialization failed" not in text
    assert "backend.max_model_len" in text
    out, err = capfd.readouterr()
    assert out + err == ""


def test_speed_options_reach_the_engine(moe: Path, capfd: pytest.CaptureFixture[str]) -> None:
    backend = VllmBackend(str(moe), {"max_model_len": 96, "concurrency": 4})
    for asking in opened(backend):
        engine = backend._entered.engine
        assert engine.config.max_model_len == 96
        assert engine._engine.scheduler_config.max_num_seqs == 4
        (error,) = asking(["price " * 120])
        assert "96" in error.cause
        assert backend.facts.settings == {"dtype": "float32", "max_model_len": 96}
    out, err = capfd.readouterr()
    assert out + err == ""


def test_an_adapter_answers_as_in_transformers(moe: Path, tmp_path: Path) -> None:
    pytest.importorskip("peft")
    from support.tiny_models import tiny_model

    base = tiny_model(tmp_path / "llama", "llama", head_dim=HEAD)
    adapter = tiny_adapter(tmp_path / "adapter", base)
    for hf in opened(TransformersBackend(str(adapter), {"dtype": "float32", "device": "cpu"})):
        expected = hf.turns(QUESTIONS)
        fingerprint = hf.backend.facts.fingerprint
    for asking in opened(VllmBackend(str(adapter), {})):
        found = asking.turns(QUESTIONS)
        assert asking.backend.facts.fingerprint == fingerprint
    assert sum(one == other for one, other in zip(found, expected, strict=True)) >= 7


def test_an_engine_that_is_killed_ends_the_run(moe: Path) -> None:
    async def main() -> None:
        async with VllmBackend(str(moe), {}) as backend:
            await backend.generate(request("Red?", max_tokens=2))
            long = asyncio.create_task(backend.generate(request("Red?", max_tokens=400)))
            await asyncio.sleep(0.3)
            for process in psutil.Process().children(recursive=True):
                if "spawn_main" in " ".join(process.cmdline()) or "EngineCore" in process.name():
                    process.kill()
            with pytest.raises(RunError, match="engine died"):
                await asyncio.wait_for(long, 30)
            with pytest.raises(RunError, match="engine died"):
                await backend.generate(request("Blue?"))

    asyncio.run(main())


def test_leaving_ends_every_process() -> None:
    waited = time.monotonic() + 20
    while time.monotonic() < waited:
        left = [each for each in psutil.Process().children(recursive=True) if _is_engine(each)]
        if not left:
            return
        time.sleep(0.5)
    raise AssertionError(left)


def _is_engine(process: psutil.Process) -> bool:
    try:
        return "resource_tracker" not in " ".join(process.cmdline()) and (
            process.status() != psutil.STATUS_ZOMBIE
        )
    except psutil.NoSuchProcess:
        return False


def test_the_tokenizer_is_the_models_own(vllm_moe: Asking) -> None:
    tokenizer = vllm_moe.backend._entered.renderer.tokenizer
    assert tokenizer.get_vocab() == tiny_tokenizer().get_vocab()


def test_many_long_prompts_that_draw_with_seeds_are_all_answered(tmp_path: Path) -> None:
    """More tokens than one step reads: on a CPU, a prompt in two pieces and a seed kill the engine."""
    model = tiny_model(tmp_path / "long", "qwen3_moe", head_dim=HEAD, max_position_embeddings=4096)
    for asking in opened(VllmBackend(str(model), {"max_model_len": 4096})):
        questions = [f"{place} " + "price " * 200 for place in range(40)]
        turns = asking.turns(questions, temperature=0.7, max_tokens=2, seed=5)
        assert len(turns) == 40
        assert all(turn.usage is not None for turn in turns)
