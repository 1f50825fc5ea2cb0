"""Dialogues of the policy: the rules of an evaluation, and which tokens have a loss."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.tiny_models import tiny_tokenizer

from lt_bench.backends.transformers.answering import Speller
from lt_bench.backends.transformers.prompting import Renderer
from lt_bench.builders.base import ReferenceDialogue
from lt_bench.builders.mini_tools.vocabulary import turn_text
from lt_bench.errors import RunError
from lt_bench.records import CallsGold, Turn
from lt_bench.run.dialogue import after
from lt_bench.task import Task
from lt_bench.train.completions import Asked, CompletionReader
from lt_bench.train.guards import Pilot
from lt_bench.train.monitor import Draw as Figures
from lt_bench.train.newborn import new_tokenizer
from lt_bench.train.playing import Seat, Table
from lt_bench.train.recipe import Guards
from lt_bench.train.rewards import _played
from lt_bench.train.targets import IGNORED, Row, Spoken, Writer

TASK = Task.load("mini_tools")
DIALOGUES: list[ReferenceDialogue] = list(TASK.builder.dialogues("train", 60, 0))  # type: ignore[attr-defined]
LONG = next(one for one in DIALOGUES if len(one.turns) == 3)


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    builder: Any = TASK.builder
    folder: Path = tmp_path_factory.mktemp("tokenizer")
    return new_tokenizer(builder.vocabulary(), builder.chat_template(), folder)


def table(tokenizer: Any, dialogues: Sequence[ReferenceDialogue], **limits: int) -> Table:
    renderer, asked = Renderer(tokenizer), []
    for one in dialogues:
        prompt = TASK.prompt(one.example)
        asked.append(Asked(one.example, renderer.render(prompt), prompt))
    end = tokenizer.eos_token_id
    reader = CompletionReader(Speller(tokenizer, frozenset({end})), frozenset({end}))
    bounds = {"longest": 512, "max_tokens": 64, "max_turns": 4, **limits}
    return Table(asked, reader, renderer, **bounds)


class Policy:
    """Writes the turns of right dialogues, whichever order it is asked in."""

    def __init__(self, tokenizer: Any, texts: dict[tuple[int, ...], list[str]]) -> None:
        self.tokenizer, self.texts, self.firsts = tokenizer, texts, list[bool]()

    def __call__(self, prompts: list[list[int]], first: bool) -> Any:
        self.firsts.append(first)
        return [self._next(prompt) for prompt in prompts], None

    def _next(self, prompt: list[int]) -> list[int]:
        key = max((k for k in self.texts if tuple(prompt[: len(k)]) == k), key=len)
        text = self.texts[key].pop(0)
        return [*self.tokenizer(text)["input_ids"], self.tokenizer.eos_token_id]


def played(tokenizer: Any, dialogues: Sequence[ReferenceDialogue], **limits: int) -> list[Seat]:
    at = table(tokenizer, dialogues, **limits)
    texts = {
        at._asked[number].rendered.ids: [turn_text(turn) for turn in one.turns]
        for number, one in enumerate(dialogues)
    }
    return at.play(range(len(dialogues)), Policy(tokenizer, texts), lambda number: number)


def different(dialogues: Sequence[ReferenceDialogue]) -> list[ReferenceDialogue]:
    found = {TASK.prompt(one.example).messages: one for one in dialogues}
    return list(found.values())


def test_right_dialogues_end_in_the_gold_state_with_the_right_reply(tokenizer: Any) -> None:
    some = different(DIALOGUES[:30])
    for one, seat in zip(some, played(tokenizer, some), strict=True):
        gold, found = one.example.gold, seat.generation
        assert found is not None
        assert isinstance(gold, CallsGold)
        assert found.end_state_sha == gold.end_state
        assert found.reply.strip() == one.reply
        assert [len(turn.tool_calls) for turn in found.turns] == [len(t.calls) for t in one.turns]


def test_the_policy_writes_its_turns_and_reads_what_tools_say(tokenizer: Any) -> None:
    (seat,) = played(tokenizer, [LONG])
    own = [token for token, mine in zip(seat.ids, seat.own, strict=True) if mine]
    read = [token for token, mine in zip(seat.ids, seat.own, strict=True) if not mine]
    assert tokenizer.decode(own) == " ".join(f"{turn_text(one)} <|im_end|>" for one in LONG.turns)
    results = [result.content for turn in LONG.turns for result in turn.results]
    assert tokenizer.decode(read) == " ".join(
        f"<|im_start|> tool {result} <|im_end|> <|im_start|> assistant" for result in results
    )
    assert seat.length == len(own)


def test_sft_learns_the_very_tokens_that_a_rollout_would_write(tokenizer: Any) -> None:
    """Targets and rollouts agree on every token and on which of them have a loss."""
    some = different(DIALOGUES[:30])
    writer = Writer(tokenizer, TASK.prompt(some[0].example), 512)
    for one, seat in zip(some, played(tokenizer, some), strict=True):
        found = writer.rows(tuple(spoken(one)))
        assert not isinstance(found, str), found
        (row,) = found
        assert row.input_ids == seat.whole
        own = [token if mine else IGNORED for token, mine in zip(seat.ids, seat.own, strict=True)]
        assert row.labels == [IGNORED] * len(seat.asked.rendered.ids) + own
        assert row.learnt == seat.length


def test_without_thoughts_nothing_is_learnt_of_them(tokenizer: Any) -> None:
    writer = Writer(tokenizer, TASK.prompt(LONG.example), 512)
    found = writer.rows(tuple(spoken(LONG, thinks=False)))
    assert isinstance(found, tuple)
    assert "<think>" not in tokenizer.decode(found[0].input_ids)
    assert found[0].learnt < len(found[0].target)


def test_a_template_that_drops_thoughts_gives_a_row_for_each_turn(tokenizer: Any) -> None:
    forgetful = copy.deepcopy(tokenizer)
    forgetful.chat_template = tokenizer.chat_template.replace(
        "message.reasoning_content is defined", "loop.last and message.reasoning_content is defined"
    )
    found = Writer(forgetful, TASK.prompt(LONG.example), 512).rows(tuple(spoken(LONG)))
    assert isinstance(found, tuple)
    assert len(found) == 3
    assert all(isinstance(row, Row) and not row.read for row in found)


def test_endless_calling_and_no_room_end_a_dialogue_as_cut(tokenizer: Any) -> None:
    (seat,) = played(tokenizer, [LONG], max_turns=2)
    assert seat.generation is not None
    assert seat.generation.status == "truncated"
    assert len(seat.generation.turns) == 2
    (seat,) = played(tokenizer, [LONG], longest=len(seat.whole) // 2 + 64)
    assert seat.generation is not None
    assert seat.generation.status == "truncated"
    assert seat.ids[-1] == tokenizer.eos_token_id
    assert len(seat.whole) <= 512
    assert _played(seat).clipped


def test_a_world_that_cannot_be_opened_ends_the_training_in_words(tokenizer: Any) -> None:
    world = LONG.example.world
    assert world is not None
    broken = LONG.example.model_copy(
        update={"world": world.model_copy(update={"patch": {"kettel": {}}})}
    )
    with pytest.raises((RunError, BaseExceptionGroup)) as caught:
        played(tokenizer, [ReferenceDialogue(broken, LONG.turns)])
    assert isinstance(caught.value, RunError)


@pytest.mark.parametrize("said", ["the lamp .", 'get_color { "product" : "lamp" }'])
def test_a_policy_without_a_call_that_is_read_stops_the_pilot(tokenizer: Any, said: str) -> None:
    """One that was taught by a template with calls of another form is stopped like one that is silent."""
    at = table(tokenizer, [LONG])
    silent = Policy(tokenizer, {at._asked[0].rendered.ids: [said] * 2})
    rollouts = [
        _played(seat).model_copy(update={"reward": value, "rewards": {"tool_f1": value}})
        for seat, value in zip(
            at.play([0, 0], silent, lambda number: number), (0.0, 1.0), strict=True
        )
    ]
    figures = Figures.of(rollouts, 2, 64)
    assert figures.calls == 0
    watch = Pilot("rl", Guards(pilot=1), max_tokens=64)
    with pytest.raises(RunError, match="calls a tool"):
        watch.watch(1, figures)


def qwen3() -> Any:
    """The small tokenizer with the published chat template of Qwen3, as TRL carries it."""
    trl = pytest.importorskip("trl")
    made = copy.deepcopy(tiny_tokenizer(None))
    made.chat_template = (Path(trl.__file__).parent / "chat_templates/qwen3.jinja").read_text(
        "utf-8"
    )
    return made


@pytest.mark.parametrize("thinks", [True, False])
def test_qwen3_learns_each_thought_and_call_once_and_nothing_that_it_read(thinks: bool) -> None:
    made, prompt = qwen3(), TASK.prompt(LONG.example)
    found = Writer(made, prompt, 1 << 16).rows(tuple(spoken(LONG, thinks=thinks)))
    assert isinstance(found, tuple)
    learnt = [made.decode([t for t in row.labels if t != IGNORED]) for row in found]
    assert "tools_as_text" not in Renderer(made).render(prompt).notes
    for turn in LONG.turns:
        assert sum(text.count(turn.thought) for text in learnt) == int(thinks)
    calls = [call for turn in LONG.turns for call in turn.calls]
    assert sum(text.count("<tool_call>") for text in learnt) == len(calls) == 2
    for call in calls:
        line = json.dumps({"name": call.name, "arguments": call.arguments})
        assert sum(text.count(line) for text in learnt) == 1
    assert sum(text.count("<|im_end|>") for text in learnt) == len(LONG.turns)
    assert "tool_response" in made.decode(found[-1].input_ids)
    assert not any(word in text for text in learnt for word in ("tool_response", "<|im_start|>"))
    if thinks:
        assert len(found) == 1  # Qwen3 keeps the thoughts of a dialogue until its user speaks again


def spoken(one: ReferenceDialogue, *, thinks: bool = True) -> Any:
    prompt = TASK.prompt(one.example)
    for acted in one.turns:
        thought = acted.thought if thinks else None
        yield Spoken(prompt, thought, acted.reply, acted.calls)
        turn = Turn(
            reasoning=thought,
            reply=acted.reply,
            tool_calls=acted.calls,
            tool_results=acted.results,
            finish_reason="stop",
            usage=None,
        )
        prompt = after(prompt, turn)
