"""A dialogue with tools: ask, run the calls in the row's world, ask again, until the model only answers.

    ask ──> a turn without a call ──────────────────────────────> the end
     ^   └> calls ──> one after another in the world ──> results ─┐
     └────────────────────────────────────────────────────────────┘

What a model does wrong is data: a call that cannot be run gets a result that says why, and the dialogue
goes on. What goes wrong with the model's server is nobody's fault: the row is owed again, from its
first turn, in a fresh world.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

from lt_bench.backends import Backend, Request
from lt_bench.environments import Environment, open_world
from lt_bench.environments.base import name_of
from lt_bench.errors import RowError, UsageError, first_line
from lt_bench.records import (
    Generation,
    Message,
    Note,
    Prompt,
    ToolCall,
    ToolResult,
    Turn,
    World,
)

log = logging.getLogger(__name__)

SHOWN: Final = 300
"""Characters of what a model wrote that are shown to it again."""
NAMED: Final = 64
"""Characters of the name of a call that is sent back: servers take no more."""
_CUT = ("length", "content_filter")
_NO_NAME = re.compile(r"[^A-Za-z0-9_.-]+")


async def converse(
    backend: Backend, request: Request, world: World | None, max_turns: int
) -> Generation:
    """Everything a model says and does from `request` on, at most `max_turns` answers.

    Without a world nothing can be run: the dialogue ends with the first answer. It ends as well with an
    answer that calls nothing or is cut by the cap. Calls of the last answer that is allowed are not
    run, since nobody would read their results (note `turns_exhausted`). Where a dialogue has filled the
    model's context it ends as well, with what there is (note `context_full`): asked again it would be
    no shorter.

    Raises:
        RowError: a request failed for good, or the world cannot be opened.
        RunError: no request can succeed.
    """
    if world is None:
        asked = _Asked(request)
        await asked.ask(backend)
        return Generation(turns=tuple(asked.turns))
    with _opened(world) as environment:
        asked = _Asked(request)
        while True:
            try:
                turn = await asked.ask(backend)
            except RowError as error:
                if not (error.no_room and asked.turns):
                    raise
                asked.note("context_full")
                break
            if not turn.tool_calls or turn.finish_reason in _CUT:
                break
            if len(asked.turns) >= max_turns:
                asked.note("turns_exhausted")
                break
            asked.take(_Hand(environment, request).run(turn.tool_calls))
        return Generation(turns=tuple(asked.turns), end_state_sha=environment.state_sha())


def turn_seed(seed: int, turn: int) -> int:
    """The seed of one turn (31 bits), from that of the sample: the first turn has the sample's own."""
    if turn == 0:
        return seed
    return int(sha256(f"{seed}|turn {turn}".encode()).hexdigest()[:8], 16) >> 1


def after(prompt: Prompt, turn: Turn) -> Prompt:
    """What is sent next: the prompt, what the model did in answer to it, and what its tools said."""
    said = Message(
        role="assistant",
        content=turn.reply,
        tool_calls=tuple(map(_sendable, turn.tool_calls)),
        reasoning=turn.reasoning,
    )
    read = (
        Message(role="tool", content=one.content, tool_call_id=one.call_id)
        for one in turn.tool_results
    )
    return prompt.model_copy(update={"messages": (*prompt.messages, said, *read)})


def _opened(world: World) -> Environment:
    try:
        return open_world(world)
    except UsageError as error:
        raise RowError("bad_request", f"its world cannot be opened: {error.cause}") from error


@dataclass
class _Asked:
    """A dialogue so far: the request that comes next, and the turns that were had."""

    request: Request
    turns: list[Turn] = field(default_factory=list)
    calls: int = 0
    ids: set[str] = field(default_factory=set)

    async def ask(self, backend: Backend) -> Turn:
        """One more turn, its calls with ids that no other call has."""
        generation = await backend.generate(self._next())
        turn = generation.turns[-1]
        calls = tuple(self._identified(call) for call in turn.tool_calls)
        self.turns.append(turn.model_copy(update={"tool_calls": calls}) if calls else turn)
        return self.turns[-1]

    def _next(self) -> Request:
        number, sampling = len(self.turns), self.request.sampling
        if number == 0:
            return self.request
        own = sampling.model_copy(update={"seed": turn_seed(sampling.seed, number)})
        return replace(self.request, sampling=own, turn=number)

    def _identified(self, call: ToolCall) -> ToolCall:
        """Servers leave ids out, or give one twice; some want nine letters and digits."""
        self.calls += 1
        name, number = call.id, self.calls
        while not name or name in self.ids:
            name, number = f"call{number:05d}", number + 1
        self.ids.add(name)
        return call if name == call.id else call.model_copy(update={"id": name})

    def take(self, done: _Done) -> None:
        """Results of the last turn's calls, which the model reads next."""
        turn = self.turns[-1]
        notes = tuple(dict.fromkeys((*turn.notes, *done.notes)))
        self.turns[-1] = turn.model_copy(update={"tool_results": done.results, "notes": notes})
        self.request = replace(self.request, prompt=after(self.request.prompt, self.turns[-1]))

    def note(self, note: Note) -> None:
        turn = self.turns[-1]
        self.turns[-1] = turn.model_copy(update={"notes": (*turn.notes, note)})


def _sendable(call: ToolCall) -> ToolCall:
    """The call as every server and template takes it. Arguments that are no object are left out, and
    the result quotes them; a name has the letters that a name may have."""
    name = _NO_NAME.sub("_", call.name)[:NAMED] or "unnamed"
    if name == call.name and call.malformed is None:
        return call
    return call.model_copy(update={"name": name, "malformed": None})


# --- Running calls ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Done:
    results: tuple[ToolResult, ...]
    notes: tuple[Note, ...]


class _Hand:
    """Runs calls in one world. Only the tools that the model was shown can be called; of those that do
    not exist the world says so in its own words."""

    def __init__(self, environment: Environment, request: Request) -> None:
        self.environment = environment
        self.offered = [name_of(tool) for tool in request.prompt.tools]
        self.hidden = {name_of(tool) for tool in environment.tools} - set(self.offered)

    def run(self, calls: Sequence[ToolCall]) -> _Done:
        """The calls of one turn, in order; one that fails does not keep the others from being run."""
        results, notes = list[ToolResult](), list[Note]()
        for call in calls:
            if call.malformed is not None:
                results.append(
                    _refused(call, f"the arguments are no JSON object: {_excerpt(call)}")
                )
                continue
            if call.name not in self.offered:
                notes.append("unknown_tool")
            hidden = call.name in self.hidden
            results.append(_refused(call, self._not_here(call)) if hidden else self._run(call))
        return _Done(tuple(results), tuple(notes))

    def _not_here(self, call: ToolCall) -> str:
        return f"there is no tool {call.name!r}; the tools are: {', '.join(self.offered)}"

    def _run(self, call: ToolCall) -> ToolResult:
        try:
            outcome = self.environment.call(call.name, call.arguments)
        except Exception as error:
            log.exception("tool %s failed", call.name)
            return _refused(call, f"the tool failed: {type(error).__name__}: {first_line(error)}")
        return ToolResult(call_id=call.id, content=outcome.content, error=outcome.error)


def _excerpt(call: ToolCall) -> str:
    text = call.malformed or ""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _refused(call: ToolCall, why: str) -> ToolResult:
    content = json.dumps({"error": why}, ensure_ascii=False)
    return ToolResult(call_id=call.id, content=content, error=True)
