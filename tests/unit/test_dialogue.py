"""The loop of a dialogue with tools: every way a turn can go, and what is kept of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import pytest
from support.till import TOOLS, Till, state

from lt_bench.backends import ModelFacts, Request
from lt_bench.config import Sampling
from lt_bench.environments import ENVIRONMENTS
from lt_bench.errors import FailureKind, RowError
from lt_bench.records import (
    Example,
    Generation,
    Message,
    Prompt,
    Sample,
    ToolCall,
    Turn,
    Usage,
    World,
)
from lt_bench.run.dialogue import converse, turn_seed
from lt_bench.run.generate import Work, generate, plan
from lt_bench.run.journal import Journal


@pytest.fixture(autouse=True)
def till(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENTS.targets, "till", "support.till:open_till")
    Till.opened.clear()
    Till.closed.clear()


def turn(reply: str = "", *calls: ToolCall, finish: str = "stop", **given: Any) -> Turn:
    usage = Usage(prompt=10, output=5, reasoning=2, reply=2, markup=1, counted_by="engine")
    return Turn(
        reasoning=given.pop("reasoning", None),
        reply=reply,
        tool_calls=calls,
        finish_reason=finish,  # type: ignore[arg-type]
        usage=usage,
        **given,
    )


def add(amount: Any, name: str = "") -> ToolCall:
    return ToolCall(id=name, name="add", arguments={"amount": amount})


class Model:
    """Answers by a list, one a turn; an error in it is raised."""

    concurrency = 2
    facts = ModelFacts(name="m", backend="test", fingerprint="f", counted_by="engine")

    def __init__(self, *turns: Turn | FailureKind, repeats: bool = False) -> None:
        self.turns, self.repeats = turns, repeats
        self.asked: list[Request] = []

    async def generate(self, request: Request) -> Generation:
        self.asked.append(request)
        await asyncio.sleep(0)
        answer = self.turns[0 if self.repeats else request.turn]
        if isinstance(answer, str):
            raise RowError(answer, "the server is down")
        return Generation(turns=(answer,))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None: ...


REQUEST = Request(
    Prompt(messages=(Message(role="user", content="Add 2."),), tools=TOOLS[:3]),
    Sampling(seed=7),
    "r1",
    0,
)


ONE = World(kind="till", seed=1)


def talk(model: Model, max_turns: int = 8, world: World | None = ONE) -> Generation:
    return asyncio.run(converse(model, REQUEST, world, max_turns))


def results(one: Turn) -> list[tuple[str, str, bool]]:
    return [(r.call_id, r.content, r.error) for r in one.tool_results]


def test_calls_are_run_and_their_results_are_asked_with() -> None:
    model = Model(turn("", add(2, "c1"), finish="tool_calls"), turn("It is 3."))
    found = talk(model)
    assert [len(one.tool_calls) for one in found.turns] == [1, 0]
    assert results(found.turns[0]) == [("c1", '{"sum": 3}', False)]
    assert (found.reply, found.end_state_sha, found.status) == ("It is 3.", state(3), "ok")
    assert model.asked[0] == REQUEST
    assert model.asked[1].prompt.messages == (
        *REQUEST.prompt.messages,
        Message(role="assistant", tool_calls=(add(2, "c1"),)),
        Message(role="tool", content='{"sum": 3}', tool_call_id="c1"),
    )
    assert model.asked[1].prompt.tools == REQUEST.prompt.tools


def test_a_dialogue_without_a_call_is_one_turn_in_an_untouched_world() -> None:
    found = talk(Model(turn("Hello.")))
    assert len(found.turns) == 1
    assert found.end_state_sha == state(1)


def test_parallel_calls_are_run_in_order_whatever_became_of_those_before() -> None:
    calls = (
        add(2, "a"),
        ToolCall(id="b", name="jam"),
        add("x", "c"),
        ToolCall(id="d", name="total"),
    )
    found = talk(Model(turn("", *calls), turn("3")))
    assert results(found.turns[0]) == [
        ("a", '{"sum": 3}', False),
        ("b", '{"error": "the tool failed: ZeroDivisionError: the drawer is stuck"}', True),
        ("c", '{"error": "amount: a whole number"}', True),
        ("d", '{"sum": 3}', False),
    ]
    assert Till.opened[0].ran == ["add", "jam", "add", "total"]
    assert found.turns[0].notes == ()


def test_an_answer_and_a_call_at_once_are_both_kept_and_the_dialogue_goes_on() -> None:
    model = Model(turn("One moment.", add(1, "c")), turn("Done."))
    found = talk(model)
    assert [one.reply for one in found.turns] == ["One moment.", "Done."]
    assert found.reply == "Done."
    assert found.end_state_sha == state(2)
    assert model.asked[1].prompt.messages[1].content == "One moment."


def test_malformed_arguments_get_a_readable_error_and_are_not_sent_back() -> None:
    bad = ToolCall(id="c", name="add", malformed='{"amount": 2')
    model = Model(turn("", bad, notes=("malformed_call",)), turn("Sorry."))
    found = talk(model)
    assert found.turns[0].tool_calls == (bad,)
    ((_, content, error),) = results(found.turns[0])
    assert error
    assert json.loads(content) == {"error": 'the arguments are no JSON object: {"amount": 2'}
    assert found.turns[0].notes == ("malformed_call",)
    assert model.asked[1].prompt.messages[1].tool_calls == (ToolCall(id="c", name="add"),)
    assert Till.opened[0].ran == []


def test_an_unknown_tool_is_told_of_and_noted() -> None:
    found = talk(Model(turn("", ToolCall(id="c", name="fly to the moon")), turn("No.")))
    assert results(found.turns[0]) == [("c", '{"error": "no tool fly to the moon"}', True)]
    assert found.turns[0].notes == ("unknown_tool",)


def test_a_tool_that_the_row_does_not_offer_is_unknown_even_if_the_world_has_it() -> None:
    found = talk(Model(turn("", ToolCall(id="c", name="hidden")), turn("No.")))
    ((_, content, error),) = results(found.turns[0])
    assert (
        json.loads(content)["error"] == "there is no tool 'hidden'; the tools are: add, total, jam"
    )
    assert (error, Till.opened[0].ran) == (True, [])


def test_names_that_no_server_takes_are_sent_back_as_ones_that_it_does() -> None:
    odd = (
        ToolCall(id="a", name="fly to 月"),
        ToolCall(id="b", name=""),
        ToolCall(id="c", name="x" * 99),
    )
    model = Model(turn("", *odd), turn("No."))
    found = talk(model)
    assert found.turns[0].tool_calls == odd
    sent = [call.name for call in model.asked[1].prompt.messages[1].tool_calls]
    assert sent == ["fly_to_", "unnamed", "x" * 64]


def test_endless_calling_ends_at_the_cap_and_is_truncated() -> None:
    model = Model(turn("", add(1)), repeats=True)
    found = talk(model, max_turns=3)
    assert len(found.turns) == len(model.asked) == 3
    assert [one.notes for one in found.turns] == [(), (), ("turns_exhausted",)]
    assert found.turns[2].tool_results == ()
    assert (found.status, found.end_state_sha) == ("truncated", state(3))


def test_one_turn_is_allowed_to_call_but_nothing_is_run() -> None:
    found = talk(Model(turn("", add(1)), repeats=True), max_turns=1)
    assert (len(found.turns), found.end_state_sha) == (1, state(1))


def test_a_turn_that_the_cap_cut_ends_the_dialogue_and_its_calls_are_not_run() -> None:
    model = Model(turn("Let me", add(5), finish="length"), turn("never"))
    found = talk(model)
    assert len(model.asked) == 1
    assert (found.status, found.end_state_sha) == ("truncated", state(1))
    assert found.turns[0].tool_results == ()


def test_without_a_world_the_first_turn_is_the_last() -> None:
    model = Model(turn("", add(1)), turn("never"))
    found = talk(model, world=None)
    assert (len(found.turns), found.end_state_sha, found.status) == (1, None, "ok")
    assert found.turns[0].tool_calls[0].arguments == {"amount": 1}
    assert found.turns[0].tool_results == ()


def test_calls_without_ids_or_with_one_id_twice_get_ids_of_their_own() -> None:
    model = Model(turn("", add(1), add(2, "x"), add(3, "x")), turn("", add(4, "x")), turn("Done."))
    found = talk(model)
    ids = [[call.id for call in one.tool_calls] for one in found.turns]
    assert ids == [["call00001", "x", "call00003"], ["call00004"], []]
    assert [r.call_id for one in found.turns for r in one.tool_results] == [
        name for one in ids for name in one
    ]
    assert all(len(name) == 9 and name.isalnum() for name in ("call00001", "call00004"))


def test_an_id_that_is_made_up_is_not_one_that_a_server_gave_before() -> None:
    model = Model(turn("", add(1, "call00002"), add(2)), turn("Done."))
    assert [call.id for call in talk(model).turns[0].tool_calls] == ["call00002", "call00003"]


def test_what_was_thought_is_shown_again_and_kept_out_of_hashes() -> None:
    model = Model(turn("", add(1), reasoning="I add one."), turn("Done."))
    talk(model)
    said = model.asked[1].prompt.messages[1]
    assert said.reasoning == "I add one."
    assert "reasoning" not in said.model_dump()


def test_later_turns_have_seeds_of_their_own_and_the_same_ones_each_time() -> None:
    model = Model(turn("", add(1)), repeats=True)
    talk(model, max_turns=4)
    seeds = [one.sampling.seed for one in model.asked]
    assert seeds == [turn_seed(7, n) for n in range(4)]
    assert seeds[0] == 7
    assert len(set(seeds)) == 4
    assert [one.turn for one in model.asked] == [0, 1, 2, 3]
    again = Model(turn("", add(1)), repeats=True)
    talk(again, max_turns=4)
    assert again.asked == model.asked


def test_usage_is_the_sum_of_the_turns() -> None:
    found = talk(Model(turn("", add(1)), turn("Done.")))
    assert found.usage == Usage(
        prompt=20, output=10, reasoning=4, reply=4, markup=2, counted_by="engine"
    )


def test_a_fault_in_a_later_turn_fails_the_row_and_closes_its_world() -> None:
    with pytest.raises(RowError, match="the server is down"):
        talk(Model(turn("", add(1)), "timeout"))
    assert Till.closed == Till.opened != []


class Full(Model):
    """A model whose context holds so many turns."""

    async def generate(self, request: Request) -> Generation:
        if request.turn >= len(self.turns):
            raise RowError("bad_request", "the prompt has 600 tokens", no_room=True)
        return await super().generate(request)


def test_a_dialogue_that_fills_the_context_ends_with_what_there_is() -> None:
    found = talk(Full(turn("", add(1)), turn("", add(2))))
    assert [len(one.tool_results) for one in found.turns] == [1, 1]
    assert found.turns[-1].notes == ("context_full",)
    assert (found.status, found.end_state_sha) == ("truncated", state(4))


def test_a_first_prompt_that_is_too_long_is_a_fault_of_its_row() -> None:
    with pytest.raises(RowError, match="600 tokens"):
        talk(Full())


def test_a_world_that_cannot_be_opened_is_a_fault_of_its_row() -> None:
    with pytest.raises(RowError, match="its world cannot be opened: a till has no drawer"):
        talk(Model(turn("x")), world=World(kind="till", seed=1, patch={"drawer": 1}))


# --- In a run --------------------------------------------------------------------------------


class Task:
    """A task whose prompt is the question."""

    def __init__(self, max_turns: int = 8) -> None:
        self.max_turns = max_turns

    def prompt(self, example: Example) -> Prompt:
        return Prompt(
            messages=(Message(role="user", content=example.question),), tools=example.tools
        )


def row(name: str = "r1", **given: Any) -> Example:
    fields: dict[str, Any] = {
        "tools": TOOLS[:3], "world": World(kind="till", seed=1), "question": "Add 2.", **given
    }  # fmt: skip
    return Example(id=name, task="t", group="g", **fields)


def planned(examples: Sequence[Example], max_turns: int = 8, samples: int = 1) -> list[Work]:
    task: Any = Task(max_turns)
    return list(plan(task, examples, samples, Sampling(), "f"))


def run(model: Model, work: Sequence[Work], file: Path) -> list[Sample]:
    async def nothing(*_: object) -> None: ...

    async def main() -> None:
        with Journal(file, Sample) as journal:
            await generate(model, work, journal, nothing)

    asyncio.run(main())
    return list(Journal(file, Sample))


def test_the_key_covers_tools_world_and_turns() -> None:
    base = row()
    others = [
        row(tools=TOOLS[:2]),
        row(world=World(kind="till", seed=2)),
        row(world=World(kind="till", seed=1, patch={"sum": 4})),
        row(world=None),
    ]
    shas = [planned([one])[0].key.request_sha for one in (base, *others)]
    shas.append(planned([base], max_turns=3)[0].key.request_sha)
    assert len(set(shas)) == 6
    assert planned([row()])[0].key == planned([base])[0].key
    plain = [planned([row(tools=(), world=None)], turns)[0].key for turns in (3, 8)]
    assert plain[0] == plain[1]


def test_samples_have_worlds_of_their_own(tmp_path: Path) -> None:
    model = Model(turn("", add(1)), turn("Done."))
    rows = [row("a"), row("b", world=World(kind="till", seed=5))]
    found = run(model, planned(rows, samples=2), tmp_path / "g.jsonl")
    assert len(Till.opened) == 4 == len(Till.closed)
    ends = {(one.key.example_id, one.generation.end_state_sha) for one in found if one.generation}
    assert ends == {("a", state(2)), ("b", state(6))}


def test_a_row_that_failed_is_owed_again_from_a_fresh_world(tmp_path: Path) -> None:
    work = planned([row()])
    (failed,) = run(Model(turn("", add(1)), "server"), work, tmp_path / "a.jsonl")
    assert (failed.status, failed.generation) == ("error", None)
    (done,) = run(Model(turn("", add(1)), turn("2")), work, tmp_path / "b.jsonl")
    assert done.key == failed.key
    assert done.generation
    assert done.generation.end_state_sha == state(2)


def test_rows_without_tools_are_asked_once_and_open_no_world(tmp_path: Path) -> None:
    model = Model(turn("Hello."))
    (done,) = run(model, planned([row(tools=(), world=None)]), tmp_path / "g.jsonl")
    assert done.generation
    assert done.generation.end_state_sha is None
    assert (len(model.asked), Till.opened) == (1, [])


def test_a_journal_gives_the_dialogue_back(tmp_path: Path) -> None:
    model = Model(turn("", add(1), ToolCall(name="add", malformed="{")), turn("Done."))
    (done,) = run(model, planned([row()]), tmp_path / "g.jsonl")
    assert done.generation == talk(Model(*model.turns))
