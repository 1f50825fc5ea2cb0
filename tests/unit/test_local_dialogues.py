"""Dialogues of local models: their calls are text, read from the very tokens, and shown to them again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

pytest.importorskip("torch")
from support import fake_vllm
from support.fake_vllm import Fake, Piece
from support.till import TOOLS, Till, state
from support.tiny_models import TEMPLATES, tiny_model, tiny_tokenizer

from lt_bench.backends import Request
from lt_bench.backends.transformers import backend as hf
from lt_bench.backends.transformers.backend import TransformersBackend
from lt_bench.backends.transformers.engine import Answer, Job
from lt_bench.backends.transformers.rows import Decoded
from lt_bench.backends.vllm.backend import VllmBackend
from lt_bench.config import Sampling
from lt_bench.environments import ENVIRONMENTS
from lt_bench.records import Generation, Message, Prompt, World
from lt_bench.run.dialogue import converse

pytestmark = pytest.mark.model

CALL = '<tool_call>\n{"name": "add", "arguments": {"amount": 2}}\n</tool_call>'
PROMPT = Prompt(messages=(Message(role="user", content="Add 2."),), tools=TOOLS[:2])


@pytest.fixture(autouse=True)
def till(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENTS.targets, "till", "support.till:open_till")
    Till.opened.clear()


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A model whose template shows tools, one whose opens a thought as well, and one that shows none."""
    place = tmp_path_factory.mktemp("models")
    found = {name: tiny_model(place / name, "llama", template=name) for name in ("chatml", "think")}
    found["with_bos"] = tiny_model(place / "with_bos", "llama", template="with_bos", adds_bos=True)
    return found


Say = Callable[[str], str]
"""What a model puts out, by the text of its prompt."""


def agent(prompt: str) -> str:
    """Calls once, then answers."""
    return "It is 3." if '{"sum": 3}' in prompt else f"I add.\n{CALL}"


def ids_of(say: Say, ids: Sequence[int]) -> list[int]:
    made = tiny_tokenizer()
    told = made(say(made.decode(ids)), add_special_tokens=False)["input_ids"]
    return [*told, made.eos_token_id]


def in_vllm(monkeypatch: pytest.MonkeyPatch, say: Say) -> Fake:
    def script(ids: list[int]) -> list[Piece]:
        spoken = ids_of(say, ids)
        return [*(Piece([token]) for token in spoken[:-1]), Piece([spoken[-1]], "stop")]

    for name in ("VLLM_LOGGING_LEVEL", "VLLM_NO_USAGE_STATS", "DO_NOT_TRACK"):
        monkeypatch.delenv(name, raising=False)
    fake = fake_vllm.install(monkeypatch, script)
    fake.context = 4096
    return fake


class Playing:
    """Stands in for the batcher of `hf/`: what it decodes is given. `done` of a row is asked as ever."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.prompts: list[str] = []

    async def submit(self, job: Job, **_: Any) -> Answer:
        self.prompts.append(tiny_tokenizer().decode(job.row.ids))
        ids: list[int] = []
        for token in ids_of(self.say, job.row.ids):
            ids.append(token)
            if job.row.done is not None and job.row.done(ids):
                break
        now = perf_counter()
        times = tuple(now + 0.01 * n for n in range(1, len(ids) + 1))
        return Answer(Decoded(tuple(ids), times, "stop"), now)

    async def close(self) -> None: ...


def in_hf(monkeypatch: pytest.MonkeyPatch, say: Say) -> Playing:
    playing = Playing(say)
    monkeypatch.setattr(hf, "Batcher", lambda *_, **__: playing)
    monkeypatch.setattr(TransformersBackend, "_room", lambda *_: 512)
    return playing


def talk(backend: Any, prompt: Prompt = PROMPT, **sampling: Any) -> Generation:
    async def main() -> Generation:
        async with backend:
            request = Request(prompt, Sampling(**sampling), "r", 0)
            return await converse(backend, request, World(kind="till", seed=1), 4)

    return asyncio.run(main())


def assert_added(found: Generation, thought: bool = False) -> None:
    assert [one.reply for one in found.turns] == ["I add.", "It is 3."]
    (call,) = found.turns[0].tool_calls
    assert (call.name, call.arguments) == ("add", {"amount": 2})
    assert [one.content for one in found.turns[0].tool_results] == ['{"sum": 3}']
    assert found.end_state_sha == state(3)
    for one in found.turns:
        usage = one.usage
        assert usage
        assert usage.output == (usage.reasoning or 0) + (usage.reply or 0) + (usage.markup or 0)
        assert bool(usage.reasoning) == thought
    assert found.turns[1].usage.prompt > found.turns[0].usage.prompt  # type: ignore[union-attr,operator]
    assert found.turns[0].usage.markup > 10  # type: ignore[union-attr,operator]


@pytest.mark.parametrize("engine", ["hf", "vllm"])
@pytest.mark.parametrize("template", ["chatml", "with_bos"])
def test_a_local_model_calls_reads_and_answers(
    engine: str, template: str, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "hf":
        in_hf(monkeypatch, agent)
        found = talk(TransformersBackend(str(folders[template]), {}))
    else:
        in_vllm(monkeypatch, agent)
        found = talk(VllmBackend(str(folders[template]), {}))
    assert_added(found)
    told = ("tools_as_text",) if template == "with_bos" else ()
    assert [one.notes for one in found.turns] == [told, told]


def test_a_thinking_model_may_think_of_calls_without_making_them(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_hf(monkeypatch, lambda prompt: f"Should I {CALL}?\n</think>\n\n{agent(prompt)}")
    found = talk(TransformersBackend(str(folders["think"]), {}))
    assert_added(found, thought=True)
    assert found.turns[0].reasoning
    assert "Should I" in found.turns[0].reasoning


def test_stop_strings_do_not_cut_a_call(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_hf(monkeypatch, agent)
    found = talk(TransformersBackend(str(folders["chatml"]), {}), stop=("amount",))
    assert_added(found)


def test_the_first_spoken_word_is_no_call(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_hf(monkeypatch, lambda p: "It is 3." if '{"sum": 3}' in p else CALL)
    found = talk(TransformersBackend(str(folders["chatml"]), {}))
    first, last = (one.timings for one in found.turns)
    assert first.first_token is not None
    assert first.first_reply_token is None
    assert last.first_reply_token is not None


def test_calls_are_words_where_there_is_no_tool(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_hf(monkeypatch, lambda _: CALL)
    found = talk(TransformersBackend(str(folders["chatml"]), {}), Prompt(messages=PROMPT.messages))
    assert (found.turns[0].tool_calls, found.reply) == ((), CALL)


def test_the_form_of_calls_can_be_chosen_and_is_part_of_the_settings(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_hf(monkeypatch, lambda _: CALL)
    backend = TransformersBackend(str(folders["chatml"]), {"tool_form": "llama3"})
    assert talk(backend).turns[0].tool_calls == ()

    async def settings(options: dict[str, Any]) -> dict[str, Any]:
        async with TransformersBackend(str(folders["chatml"]), options) as one:
            return one.facts.settings

    assert asyncio.run(settings({"tool_form": "llama3"}))["tool_form"] == "llama3"
    assert "tool_form" not in asyncio.run(settings({}))


def test_a_model_that_was_not_taught_is_told_how_to_call(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "tools" not in TEMPLATES["with_bos"]
    playing = in_hf(monkeypatch, agent)
    talk(TransformersBackend(str(folders["with_bos"]), {}))
    first, second = playing.prompts
    assert json.dumps(TOOLS[0]) in first
    assert CALL.replace("\n", "") in second.replace("\n", "")
    assert '<tool_response>\n{"sum": 3}\n</tool_response>' in second
