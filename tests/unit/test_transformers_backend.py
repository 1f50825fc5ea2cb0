"""Local models: decoding, counting, prompts, and what is refused before anything runs."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
import torch
from support.tiny_models import (
    ARCHITECTURES,
    CONTEXT,
    tiny_adapter,
    tiny_model,
    tiny_tokenizer,
)
from transformers import AutoModelForCausalLM, AutoTokenizer

from lt_bench.backends.base import Request
from lt_bench.backends.transformers.answering import Speller, stop_check
from lt_bench.backends.transformers.backend import TransformersBackend
from lt_bench.backends.transformers.decoding import Decoded, Decoder, Draw, Row, next_tokens
from lt_bench.backends.transformers.engine import Engine, Job
from lt_bench.backends.transformers.folder import fingerprint
from lt_bench.backends.transformers.loading import load
from lt_bench.backends.transformers.locate import TransformersOptions, locate
from lt_bench.backends.transformers.prompting import Renderer
from lt_bench.config import Sampling
from lt_bench.errors import LtBenchError, RowError, UsageError
from lt_bench.records import Generation, Message, Prompt, ToolCall

pytestmark = pytest.mark.model

SHORT, LONG = Sampling(max_tokens=24), Sampling()


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("models") / "llama", "llama")


@dataclass
class Asked:
    """What came back: answers or errors in order, and the backend's facts at the end."""

    answers: list[Any]
    facts: Any

    def turn(self, index: int = 0) -> Any:
        answer = self.answers[index]
        assert isinstance(answer, Generation), answer
        return answer.turns[0]


def prompt(question: str, system: str = "", tools: Sequence[dict[str, Any]] = ()) -> Prompt:
    head = (Message(role="system", content=system),) if system else ()
    return Prompt(messages=(*head, Message(role="user", content=question)), tools=tuple(tools))


def ask(
    folder: Path | str,
    prompts: Sequence[Prompt | str],
    samplings: Sequence[Sampling] | Sampling = SHORT,
    **options: Any,
) -> Asked:
    """Ask all at once through a backend of its own."""
    given = [each if isinstance(each, Prompt) else prompt(each) for each in prompts]
    draws = [samplings] * len(given) if isinstance(samplings, Sampling) else list(samplings)

    async def main() -> Asked:
        async with TransformersBackend(str(folder), options) as backend:
            requests = [
                Request(each, draw, f"row-{index}", 0)
                for index, (each, draw) in enumerate(zip(given, draws, strict=True))
            ]
            answers = await asyncio.gather(
                *(backend.generate(request) for request in requests), return_exceptions=True
            )
            return Asked(list(answers), backend.facts)

    return asyncio.run(main())


def refusal(target: Path | str, **options: Any) -> str:
    """The message of the UsageError that opening and entering the model ends in."""

    async def main() -> None:
        async with TransformersBackend(str(target), options):
            pass

    with pytest.raises(UsageError) as caught:
        asyncio.run(main())
    text = str(caught.value)
    assert len(text.splitlines()) <= 6
    assert caught.value.fix
    return text


def reference(model: Any, ids: Sequence[int], room: int, eos: Sequence[int]) -> tuple[int, ...]:
    """Greedy tokens of transformers' own generate, one row alone."""
    out = model.generate(
        torch.tensor([list(ids)]),
        attention_mask=torch.ones((1, len(ids)), dtype=torch.long),
        max_new_tokens=room,
        do_sample=False,
        eos_token_id=list(eos),
        pad_token_id=0,
    )
    return tuple(out[0].tolist()[len(ids) :])


# --- decoding --------------------------------------------------------------------------------

PROMPTS = [
    [7],
    [9, 300, 41],
    list(range(40, 52)),
    list(range(100, 145)),
    [5, 6, 5, 6, 5],
    [88] * 20,
]


def some_ends(outputs: Sequence[Sequence[int]]) -> list[int]:
    """Tokens that end some of these outputs early and leave others running."""
    ends: list[int] = []
    for index, output in enumerate(outputs):
        if index % 2 == 0:
            ends.append(output[3 + 3 * index])
    return ends


def until(output: Sequence[int], ends: Sequence[int]) -> tuple[int, ...]:
    """What greedy decoding says when these tokens end it: the same up to the first of them."""
    last = next((place for place, token in enumerate(output) if token in ends), len(output))
    return tuple(output[: last + 1])


@pytest.mark.parametrize("architecture", sorted(ARCHITECTURES))
def test_greedy_batches_equal_generate_row_by_row(architecture: str, tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / architecture, architecture)
    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    free = [reference(model, ids, 20, [401]) for ids in PROMPTS]
    eos = [*some_ends(free), 401]
    expected = [until(output, eos) for output in free]
    assert len({len(each) for each in expected}) > 2, "rows must end at different steps"
    decoder = Decoder(model, eos_ids=eos, pad_id=0)
    rows = [Row(tuple(ids), 20) for ids in PROMPTS]
    assert [each.ids for each in decoder.decode(rows, Draw()) if each] == expected


def test_rows_stop_at_their_own_cap_and_their_own_end(llama: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(llama).eval()
    full = [reference(model, ids, 30, [401]) for ids in PROMPTS]
    decoder = Decoder(model, eos_ids=[full[0][7]], pad_id=0)
    caps = [30, 1, 5, 70, 12, 3]
    rows = [Row(tuple(ids), cap) for ids, cap in zip(PROMPTS, caps, strict=True)]
    found = decoder.decode(rows, Draw())
    for row, decoded in zip(rows, found, strict=True):
        assert decoded is not None
        ended = decoded.ids[-1] == full[0][7]
        assert decoded.finish_reason == ("stop" if ended else "length")
        assert ended or len(decoded.ids) == row.max_new_tokens
        assert full[0][7] not in decoded.ids[:-1]
        assert len(decoded.times) == len(decoded.ids)
        assert list(decoded.times) == sorted(decoded.times)


def test_a_rows_sample_depends_on_its_seed_and_not_on_its_batch_mates(llama: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(llama).eval()
    decoder, draw = Decoder(model, eos_ids=[], pad_id=0), Draw(temperature=0.7, top_p=0.9, top_k=50)

    def sample(ids: Sequence[int], seed: int, mates: Sequence[Row] = ()) -> tuple[int, ...]:
        found = decoder.decode([*mates, Row(tuple(ids), 20, seed)], draw)[-1]
        assert found is not None
        return found.ids

    alone = sample(PROMPTS[2], 11)
    mates = [Row(tuple(ids), 20, seed) for seed, ids in enumerate(PROMPTS)]
    assert sample(PROMPTS[2], 11, mates) == alone
    assert sample(PROMPTS[2], 11) == alone
    assert len({sample(PROMPTS[2], seed) for seed in range(6)}) == 6


@pytest.mark.parametrize(
    "draw",
    [
        Draw(1.0),
        Draw(0.5),
        Draw(1.0, top_k=3),
        Draw(1.0, top_p=0.8),
        Draw(2.0, top_p=0.7, top_k=5),
        Draw(1.0, top_k=1),
        Draw(1.0, top_p=0.01),
    ],
)
def test_draws_follow_the_distribution_of_transformers_warpers(draw: Draw) -> None:
    from transformers.generation.logits_process import (
        LogitsProcessorList,
        TemperatureLogitsWarper,
        TopKLogitsWarper,
        TopPLogitsWarper,
    )

    logits = torch.tensor([[2.0, 1.0, 0.5, 0.1, -1.0, 1.5, -3.0, 0.0]])
    warpers = LogitsProcessorList([TemperatureLogitsWarper(draw.temperature)])
    if draw.top_k:
        warpers.append(TopKLogitsWarper(draw.top_k))
    if draw.top_p < 1:
        warpers.append(TopPLogitsWarper(draw.top_p))
    expected = warpers(torch.zeros((1, 1), dtype=torch.long), logits).softmax(-1)[0].tolist()
    n = 4000
    noise = (torch.arange(n) + 0.5) / n
    counts = Counter(next_tokens(logits.expand(n, -1), draw, noise).tolist())
    for token, chance in enumerate(expected):
        assert abs(counts[token] / n - chance) < 0.002


@pytest.mark.parametrize("noise", [0.0, 0.99999994])
def test_a_token_without_probability_is_never_drawn(noise: float) -> None:
    logits = torch.full((1, 50_000), -100.0)
    logits[0, 3], logits[0, -1] = 5.0, float("-inf")
    logits[0, 0] = float("-inf")
    for draw in (Draw(1.0), Draw(1.0, top_p=0.999), Draw(1.0, top_k=40)):
        assert logits[0, next_tokens(logits, draw, torch.tensor([noise]))].item() > -200


def test_overflowing_numbers_fail_rows_instead_of_being_read_as_tokens(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "nan", "llama")
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    weights["lm_head.weight"] *= float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    answer = ask(folder, ["Is it red?"]).answers[0]
    assert isinstance(answer, RowError)
    assert answer.kind == "model"
    assert "float32" in answer.cause


# --- counting --------------------------------------------------------------------------------


def test_token_counts_of_a_left_padded_batch_are_exact_per_row(llama: Path, tmp_path: Path) -> None:
    tokenizer = tiny_tokenizer()
    questions = [
        "Red?",
        "Is the black jacket on slot nine in stock today?",
        "Price " * 30,
        "a",
        "天气?",
    ]
    alone = [ask(llama, [question]).turn() for question in questions]
    model = AutoModelForCausalLM.from_pretrained(llama).eval()
    render = Renderer(tokenizer)
    ids = [render.render(prompt(question)).ids for question in questions]
    outputs = [reference(model, each, 24, [401]) for each in ids]
    eos = [outputs[0][4], outputs[2][11]]
    folder = tiny_model(tmp_path / "eos", "llama", eos=tuple(eos))
    asked = ask(folder, questions)
    every_end = [*eos, tokenizer.eos_token_id]
    for index, each in enumerate(ids):
        expected = reference(model, each, 24, every_end)
        usage = asked.turn(index).usage
        assert usage.output == len(expected)
        assert usage.prompt == len(each)
        ended = expected[-1] in every_end
        assert usage.reasoning + usage.reply + usage.markup == len(expected)
        if "think>" not in asked.turn(index).raw:
            assert (usage.reasoning, usage.markup) == (0, int(ended))
        assert usage.counted_by == "engine"
        assert asked.turn(index).finish_reason == ("stop" if ended else "length")
    assert len({asked.turn(index).usage.output for index in range(len(ids))}) > 1
    assert [turn.usage.prompt for turn in alone] == [len(each) for each in ids]


def test_batched_answers_equal_those_asked_alone(llama: Path) -> None:
    questions = [f"Is the kettle number {index} {'red ' * index}?" for index in range(7)]
    together = ask(llama, questions, batch_size=4)
    for index, question in enumerate(questions):
        assert together.turn(index).raw == ask(llama, [question], batch_size=1).turn().raw


def test_every_end_token_ends_the_reply_and_stays_out_of_it(llama: Path, tmp_path: Path) -> None:
    tokenizer = tiny_tokenizer()
    model = AutoModelForCausalLM.from_pretrained(llama).eval()
    ids = Renderer(tokenizer).render(prompt("Is it red?")).ids
    free = reference(model, ids, 24, [401])
    end = next(token for place, token in enumerate(free) if place > 3 and token not in free[:place])
    folder = tiny_model(tmp_path / "end", "llama", eos=(end, 400))
    turn = ask(folder, ["Is it red?"]).turn()
    assert turn.raw == tokenizer.decode(free[: free.index(end)])
    assert turn.usage.output == free.index(end) + 1
    loaded = load(locate(str(folder), TransformersOptions()), TransformersOptions())
    assert loaded.eos_ids == {end, 400, tokenizer.eos_token_id}


def test_several_samples_differ_by_seed_and_repeat_by_seed(llama: Path) -> None:
    draws = [Sampling(temperature=0.7, max_tokens=16, seed=seed) for seed in range(4)]
    first = ask(llama, ["Is it red?"] * 4, draws)
    again = ask(llama, ["Is it red?"] * 4, draws, batch_size=2)
    texts = [first.turn(index).raw for index in range(4)]
    assert len(set(texts)) == 4
    assert texts == [again.turn(index).raw for index in range(4)]


def test_timings_are_in_order_and_tell_when_the_reply_began(llama: Path) -> None:
    timings = ask(llama, ["Is it red?"], Sampling(max_tokens=12)).turn().timings
    assert 0 <= timings.queued <= timings.first_token <= timings.first_reply_token <= timings.total


# --- thinking and stops ----------------------------------------------------------------------


class Scripted:
    """Decodes what a test wrote, as if the model had said it."""

    continuous = False

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    def decode(self, rows: Sequence[Row], draw: Draw) -> list[Decoded]:
        found = []
        for row, text in zip(rows, self.texts, strict=True):
            ids: list[int] = []
            for token in (*tiny_tokenizer()(text)["input_ids"], tiny_tokenizer().eos_token_id):
                ids.append(token)
                if row.done is not None and row.done(ids):
                    break
            now = time.perf_counter()
            times = tuple(now + index for index in range(len(ids)))
            found.append(Decoded(tuple(ids), times, "stop"))
        return found


def scripted(
    folder: Path, texts: Sequence[str], sampling: Sampling = LONG, **options: Any
) -> list[Any]:
    """Turns of a backend whose model says `texts`."""

    async def main() -> list[Any]:
        async with TransformersBackend(str(folder), options) as backend:
            backend._entered.batcher._work.decoder = Scripted(texts)  # type: ignore[attr-defined]
            requests = [Request(prompt("Red?"), sampling, str(i), 0) for i in range(len(texts))]
            answers = await asyncio.gather(*(backend.generate(each) for each in requests))
            return [answer.turns[0] for answer in answers]

    return asyncio.run(main())


def test_f01_a_template_that_opens_thinking_makes_the_output_begin_inside_it(
    tmp_path: Path,
) -> None:
    folder = tiny_model(tmp_path / "think", "llama", template="think")
    (turn,) = scripted(folder, ["Sheet says 99.</think>\nIt is 99 yuan."])
    assert turn.reasoning == "Sheet says 99."
    assert turn.reply == "It is 99 yuan."
    usage = turn.usage
    assert usage.reasoning == len(tiny_tokenizer()("Sheet says 99.")["input_ids"])
    assert usage.reasoning + usage.reply + usage.markup == usage.output


def test_f02_thinking_that_the_template_opened_and_nobody_closed_is_no_reply(
    tmp_path: Path,
) -> None:
    folder = tiny_model(tmp_path / "think", "llama", template="think")
    (turn,) = scripted(folder, ["Both heaters list 2000 W, so"])
    assert turn.reply == ""
    assert "unclosed_stop" in turn.notes
    assert turn.usage.reasoning == turn.usage.output - 1


def test_template_kwargs_reach_the_template(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "think", "llama", template="think")
    (turn,) = scripted(folder, ["It is 99 yuan."], template_kwargs={"enable_thinking": False})
    assert turn.reply == "It is 99 yuan."


def test_f80_the_first_reply_token_comes_after_the_thinking(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "llama", "llama")
    thinking = "<think>one two three</think>"
    (turn,) = scripted(folder, [thinking + "Yes."])
    before = len(tiny_tokenizer()(thinking)["input_ids"])
    gap = turn.timings.first_reply_token - turn.timings.first_token
    assert gap == pytest.approx(before)


def test_f20_stop_strings_end_the_reply_and_never_the_thinking(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "llama", "llama")
    text = "<think>first\n\nsecond</think>Yes.\n\nThe rest is never decoded."
    (turn,) = scripted(folder, [text], Sampling(stop=("\n\n",)))
    assert turn.reasoning == "first\n\nsecond"
    assert turn.reply == "Yes."
    assert "stop_cut" in turn.notes
    assert turn.finish_reason == "stop"
    whole = len(tiny_tokenizer()(text)["input_ids"]) + 1
    assert turn.usage.output < whole - 5


def test_a_stop_string_is_found_across_tokens() -> None:
    tokenizer = tiny_tokenizer()
    spell = Speller(tokenizer, frozenset())
    check = stop_check(spell, ("价格是",), family="auto", opened=False)
    assert check is not None
    ids = tokenizer("外套的价格是九十九元")["input_ids"]
    hits = [count for count in range(1, len(ids) + 1) if check(ids[:count])]
    assert hits
    assert "价格是" in spell(ids[: hits[0]])
    assert "价格是" not in spell(ids[: hits[0] - 1])


# --- prompts ---------------------------------------------------------------------------------


def test_f68_a_template_that_refuses_system_gets_it_in_the_users_message(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "no_system", "llama", template="no_system")
    asked = ask(folder, [prompt("Red?", "Be brief.")])
    assert "system_merged" in asked.turn().notes
    text = tiny_tokenizer().decode(asked.facts.first_prompt_ids)
    assert "<|im_start|>user\nBe brief.\n\nRed?" in text


def test_f68_a_template_that_drops_system_gets_it_in_the_users_message() -> None:
    rendered = Renderer(tiny_tokenizer("drops_system")).render(prompt("Red?", "Be brief."))
    assert rendered.notes == ("system_merged",)
    assert "Be brief.\n\nRed?" in rendered.text


def test_a_system_message_that_the_template_takes_is_left_alone() -> None:
    rendered = Renderer(tiny_tokenizer()).render(prompt("Red?", "Be brief."))
    assert rendered.notes == ()
    assert rendered.text.startswith("<|im_start|>system\nBe brief.")


@pytest.mark.parametrize(
    ("template", "adds_bos", "expected"),
    [
        ("with_bos", True, 1),
        ("with_bos", False, 1),
        ("chatml", True, 1),
        ("chatml", False, 0),
        (None, True, 1),
    ],
)
def test_f69_there_is_exactly_one_bos(template: str | None, adds_bos: bool, expected: int) -> None:
    tokenizer = tiny_tokenizer(template, adds_bos)
    ids = Renderer(tokenizer).render(prompt("Red?")).ids
    assert ids.count(tokenizer.bos_token_id) == expected
    assert expected == 0 or ids[0] == tokenizer.bos_token_id


def test_f69_the_first_prompts_ids_are_in_the_facts(llama: Path) -> None:
    asked = ask(llama, ["Red?"])
    assert asked.facts.first_prompt_ids == Renderer(tiny_tokenizer()).render(prompt("Red?")).ids


def test_tools_and_tool_calls_reach_the_template() -> None:
    tool = {"type": "function", "function": {"name": "check_stock", "parameters": {}}}
    call = ToolCall(id="c1", name="check_stock", arguments={"sku": "A9"})
    messages = (
        Message(role="user", content="In stock?"),
        Message(role="assistant", tool_calls=(call,)),
        Message(role="tool", content="7", tool_call_id="c1"),
    )
    text = Renderer(tiny_tokenizer()).render(Prompt(messages=messages, tools=(tool,))).text
    assert '"check_stock"' in text.split("<|im_end|>")[0]
    call_text = '{"name": "check_stock", "arguments": {"sku": "A9"}}'
    assert f"<tool_call>{call_text}</tool_call>" in text
    assert "<|im_start|>tool\n7" in text


def test_a_model_without_chat_template_reads_a_plain_transcript(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tiny_model(tmp_path / "base", "llama", template=None)
    asked = ask(folder, [prompt("Red?", "Be brief.")])
    assert tiny_tokenizer(None).decode(asked.facts.first_prompt_ids) == (
        "Be brief.\n\nUser: Red?\nAssistant:"
    )
    assert asked.facts.chat_template_sha is None
    assert "no chat template" in caplog.text
    (turn,) = scripted(folder, [" Yes.\nUser: And blue?\nAssistant: No."])
    assert turn.reply.strip() == "Yes."
    assert turn.finish_reason == "stop"


def test_a_chat_template_can_be_given_as_a_file(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "base", "llama", template=None)
    template = tmp_path / "mine.jinja"
    template.write_text("{% for m in messages %}[{{ m['content'] }}]{% endfor %}")
    asked = ask(folder, ["Red?"], chat_template=str(template))
    assert tiny_tokenizer(None).decode(asked.facts.first_prompt_ids) == "[Red?]"


def test_a_prompt_longer_than_the_context_fails_alone(llama: Path) -> None:
    asked = ask(llama, ["Red?", "price " * 600, "Blue?"])
    assert isinstance(asked.answers[1], RowError)
    assert asked.answers[1].kind == "bad_request"
    assert str(CONTEXT) in asked.answers[1].cause
    assert asked.turn(0).raw
    assert asked.turn(2).raw


def test_max_tokens_beyond_the_context_are_reduced_to_what_fits(llama: Path) -> None:
    turn = ask(llama, ["Red?"], Sampling(max_tokens=100_000)).turn()
    assert turn.usage.prompt + turn.usage.output <= CONTEXT
    assert turn.finish_reason == "length" or turn.usage.markup


@pytest.mark.parametrize("question", ["", "<|im_end|>", "a\x00b", "👩‍👩‍👧" * 20, "\ud800"])
def test_strange_questions_are_answered_or_fail_alone(llama: Path, question: str) -> None:
    asked = ask(llama, ["Red?", question])
    assert isinstance(asked.answers[1], Generation | RowError)
    assert asked.turn(0).raw


# --- memory ----------------------------------------------------------------------------------


class Small:
    """A decoder whose memory holds `rows` rows of fewer than 90 tokens."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.sizes: list[int] = []

    def decode(self, rows: Sequence[Row], draw: Draw) -> list[Decoded | None]:
        self.sizes.append(len(rows))
        if len(rows) > self.rows or any(len(row.ids) > 90 for row in rows):
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
        return [Decoded((row.ids[0],), (0.0,), "stop") for row in rows]


@dataclass
class FakeTicket:
    item: Job
    settled: bool = False


def run_engine(decoder: Any, lengths: Sequence[int]) -> list[Any]:
    tickets = [
        FakeTicket(Job(Row((index,) * length, 8), Draw())) for index, length in enumerate(lengths)
    ]
    return list(Engine(decoder)(tickets))  # type: ignore[arg-type]


def test_f71_out_of_memory_halves_the_batch_and_keeps_every_row() -> None:
    decoder = Small(2)
    answers = run_engine(decoder, [5] * 8)
    assert [answer.decoded.ids[0] for answer in answers] == list(range(8))
    assert decoder.sizes == [8, 4, 2, 2, 2, 2]


def test_f71_a_row_that_does_not_fit_alone_fails_alone() -> None:
    answers = run_engine(Small(16), [5, 6, 100, 7])
    assert isinstance(answers[2], RowError)
    assert answers[2].kind == "out_of_memory"
    assert [answers[index].decoded.ids[0] for index in (0, 1, 3)] == [0, 1, 3]


def test_other_failures_are_not_taken_for_lack_of_memory() -> None:
    class Broken:
        def decode(self, rows: Sequence[Row], draw: Draw) -> list[Decoded]:
            raise RuntimeError("shape mismatch")

    with pytest.raises(RuntimeError, match="shape"):
        run_engine(Broken(), [5, 5])


# --- cancelling ------------------------------------------------------------------------------


def test_cancelling_stops_between_tokens(llama: Path) -> None:
    async def main() -> float:
        async with TransformersBackend(str(llama), {}) as backend:
            long = Request(prompt("Red?"), Sampling(max_tokens=400), "a", 0)
            tasks = [asyncio.create_task(backend.generate(long)) for _ in range(40)]
            await asyncio.sleep(0.1)
            begun = time.perf_counter()
        assert all(
            isinstance(each, asyncio.CancelledError)
            for each in await asyncio.gather(*tasks, return_exceptions=True)
        )
        return time.perf_counter() - begun

    assert asyncio.run(main()) < 1.0


# --- folders ---------------------------------------------------------------------------------


def broken(llama: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "broken"
    shutil.copytree(llama, folder)
    return folder


def test_a_folder_that_does_not_exist_is_named() -> None:
    assert "no model folder at ./nowhere/here" in refusal("./nowhere/here")


def test_an_unknown_hub_id_offline_says_what_to_check() -> None:
    text = refusal("someone/no-such-model-here")
    assert "someone/no-such-model-here" in text
    assert "HF_HUB_OFFLINE" in text


def test_a_folder_without_config_is_refused(llama: Path, tmp_path: Path) -> None:
    folder = broken(llama, tmp_path)
    (folder / "config.json").unlink()
    assert "no config.json" in refusal(folder)


def test_a_trainers_folder_points_to_its_checkpoint(llama: Path, tmp_path: Path) -> None:
    shutil.copytree(llama, tmp_path / "run" / "checkpoint-20")
    assert "checkpoint-20" in refusal(tmp_path / "run")


@pytest.mark.parametrize("text", ["{not json", "[]", '{"model_type": "no_such_kind"}', "{}"])
def test_a_broken_config_is_refused(llama: Path, tmp_path: Path, text: str) -> None:
    folder = broken(llama, tmp_path)
    (folder / "config.json").write_text(text)
    assert str(folder) in refusal(folder)


def test_a_folder_without_weights_is_refused(llama: Path, tmp_path: Path) -> None:
    folder = broken(llama, tmp_path)
    (folder / "model.safetensors").unlink()
    assert "has no weights" in refusal(folder)


def test_f96_pickled_weights_are_refused_and_never_read(llama: Path, tmp_path: Path) -> None:
    folder = broken(llama, tmp_path)
    (folder / "model.safetensors").unlink()
    marker = tmp_path / "executed"

    class Harm:
        def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
            return (Path.touch, (marker,))

    torch.save({"w": Harm()}, folder / "pytorch_model.bin")
    assert "pickled" in refusal(folder)
    assert not marker.exists()


def test_weights_that_are_cut_off_are_refused(llama: Path, tmp_path: Path) -> None:
    folder = broken(llama, tmp_path)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    assert "cut off" in refusal(folder)
    weights.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    assert "Git LFS" in refusal(folder)


def test_missing_shards_are_refused(llama: Path, tmp_path: Path) -> None:
    folder = broken(llama, tmp_path)
    index = {"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert "lacks 1 of 2 weight files" in refusal(folder)


def test_weights_that_lack_tensors_are_refused_instead_of_made_up(
    llama: Path, tmp_path: Path
) -> None:
    folder = broken(llama, tmp_path)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    assert "lack" in refusal(folder)


def test_a_folder_without_tokenizer_is_refused_and_another_can_be_named(
    llama: Path, tmp_path: Path
) -> None:
    folder = tiny_model(tmp_path / "bare", "llama", tokenizer=False)
    assert "backend.tokenizer" in refusal(folder)
    assert ask(folder, ["Red?"], tokenizer=str(llama)).turn().raw


def test_a_template_that_cannot_render_is_refused_before_anything_runs(
    llama: Path, tmp_path: Path
) -> None:
    folder = broken(llama, tmp_path)
    (folder / "chat_template.jinja").write_text("{% for m in messages %}")
    assert "chat template" in refusal(folder)


def test_unknown_options_and_endpoint_flags_are_refused(llama: Path) -> None:
    assert "Did you mean 'batch_size'?" in refusal(llama, batchsize=4)
    assert "--base-url does not apply" in refusal(llama, base_url="http://localhost")
    assert "backend.batch_size" in refusal(llama, concurrency=4)
    assert "unusably slow" in refusal(llama, dtype="float16", device="cpu")
    assert "unknown device" in refusal(llama, device="tpu9000")


def test_a_device_that_is_not_there_is_refused(llama: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("this machine has CUDA")
    assert "is not there" in refusal(llama, device="cuda")


# --- adapters, GGUF, facts -------------------------------------------------------------------


def test_an_adapter_folder_loads_over_the_base_it_names(llama: Path, tmp_path: Path) -> None:
    pytest.importorskip("peft")
    from peft import PeftModel

    adapter = tiny_adapter(tmp_path / "adapter", llama)
    model = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(llama), adapter).eval()
    ids = Renderer(tiny_tokenizer()).render(prompt("Is it red?")).ids
    out = model.generate(
        input_ids=torch.tensor([ids]), max_new_tokens=16, do_sample=False, pad_token_id=0
    )
    expected = tiny_tokenizer().decode(out[0].tolist()[len(ids) :], skip_special_tokens=True)
    base = ask(llama, ["Is it red?"], Sampling(max_tokens=16))
    asked = ask(adapter, ["Is it red?"], Sampling(max_tokens=16))
    assert asked.turn().raw == expected
    assert asked.turn().raw != base.turn().raw
    assert asked.facts.fingerprint != base.facts.fingerprint
    over = ask(llama, ["Is it red?"], Sampling(max_tokens=16), adapter=str(adapter))
    assert over.turn().raw == expected


def test_an_adapter_without_base_or_weights_is_refused(llama: Path, tmp_path: Path) -> None:
    pytest.importorskip("peft")
    adapter = tiny_adapter(tmp_path / "adapter", llama)
    config = json.loads((adapter / "adapter_config.json").read_text())
    config["base_model_name_or_path"] = str(tmp_path / "gone")
    (adapter / "adapter_config.json").write_text(json.dumps(config))
    assert "no model folder at" in refusal(adapter)
    (adapter / "adapter_model.safetensors").unlink()
    assert "adapter_model.safetensors" in refusal(adapter)


def test_a_folder_of_gguf_files_says_how_to_name_one(tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(b"GGUF")
    assert f"hf/{tmp_path / 'tiny.gguf'}" in refusal(tmp_path)


def test_a_broken_gguf_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(b"GGUF" + bytes(40))
    assert "does not load" in refusal(tmp_path / "tiny.gguf")


def test_f83_two_checkpoints_of_one_shape_have_two_fingerprints(tmp_path: Path) -> None:
    options = TransformersOptions()
    first = locate(str(tiny_model(tmp_path / "a", seed=1)), options)
    second = locate(str(tiny_model(tmp_path / "b", seed=2)), options)
    same = locate(str(tiny_model(tmp_path / "c", seed=1)), options)
    assert fingerprint(first) == fingerprint(same)
    assert fingerprint(first) != fingerprint(second)


def test_facts_say_what_was_run(llama: Path) -> None:
    facts = ask(llama, ["Red?"], device="cpu").facts
    assert facts.name == f"hf/{llama}"
    assert facts.backend == "hf"
    assert (facts.dtype, facts.device) == ("float32", "cpu")
    assert facts.architecture["num_hidden_layers"] == 2
    assert facts.counted_by == "engine"
    assert facts.batch_invariant is None
    assert facts.settings == {"dtype": "float32"}
    assert len(facts.chat_template_sha) == 64
    json.dumps(facts.model_dump(mode="json"))


def test_loading_is_quiet(llama: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ask(llama, ["Red?"])
    assert capfd.readouterr().err == ""


def test_errors_are_of_the_known_kind(llama: Path) -> None:
    asked = ask(llama, [prompt("x" * 5000), prompt("Red?")])
    assert isinstance(asked.answers[0], LtBenchError)


def test_the_tokenizer_on_disk_is_the_one_that_was_made(llama: Path) -> None:
    text = "<think>\nIs it 99 yuan?</think> 天气很好"
    assert (
        AutoTokenizer.from_pretrained(llama)(text)["input_ids"]
        == tiny_tokenizer()(text)["input_ids"]
    )
