"""Rollouts with tools: the very loop of an evaluation, with the policy as its model.

    every dialogue asks ──> one draw of all that wait ──> each is read, calls in its own world ──┐
          ^──────────────────────────────────────────────────────────────────────────────────────┘

The sequence that is trained on is what the policy wrote, token by token, and between its turns what
the chat template puts there: the end of the turn, the results, the start of the next. Those tokens are
read and have no loss.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from lt_bench.backends import Request
from lt_bench.backends.transformers.prompting import Rendered, Renderer
from lt_bench.config import Sampling
from lt_bench.errors import RowError, RunError
from lt_bench.records import Generation, Prompt, Turn, Usage
from lt_bench.run.dialogue import converse
from lt_bench.run.loop import run
from lt_bench.text.tool_calls import form_for
from lt_bench.train.completions import Asked, CompletionReader

Drawn = tuple[Sequence[Sequence[int]], Sequence[Sequence[float]] | None]
"""Completions with their end tokens, and log-probabilities of their tokens where the engine has them."""
Draw = Callable[[list[list[int]], bool], Drawn]
"""(prompts, whether they are the first of their dialogues, in groups) -> completions."""
UNSEEN: Final = 0.0
"""Log-probability of a token that nobody drew; it is masked."""


@dataclass
class Seat:
    """One dialogue: the ids of its prompt, of all that came after it, and which of these the policy
    wrote (1) or read (0)."""

    asked: Asked
    prompt: Prompt
    ids: list[int] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    generation: Generation | None = None

    @property
    def whole(self) -> list[int]:
        return [*self.asked.rendered.ids, *self.ids]

    @property
    def length(self) -> int:
        """Tokens that the policy wrote."""
        return sum(self.own)

    def add(self, ids: Sequence[int], logprobs: Sequence[float] | None, *, own: bool) -> None:
        self.ids += ids
        self.own += [int(own)] * len(ids)
        self.logprobs += [UNSEEN] * len(ids) if logprobs is None else logprobs


@dataclass(frozen=True)
class _Waiting:
    place: int
    rendered: Rendered
    prompt: Prompt
    first: bool
    answer: asyncio.Future[Generation]


class Table:
    """Plays the dialogues of a step. `longest`: tokens that prompt, dialogue and the next answer may have
    together, of which an answer has at most `max_tokens`; a dialogue that has no room left ends as one
    that was cut. `max_turns` is that of an evaluation."""

    name = "policy"

    def __init__(
        self,
        asked: Sequence[Asked],
        reader: CompletionReader,
        renderer: Renderer,
        *,
        longest: int,
        max_tokens: int,
        max_turns: int,
    ) -> None:
        self._asked, self._reader, self._renderer = asked, reader, renderer
        self._longest, self._max_tokens, self._max_turns = longest, max_tokens, max_turns
        self._seats: list[Seat] = []
        self._waiting: list[_Waiting] = []

    def play(self, rows: Sequence[int], draw: Draw, open_ones: Callable[[int], int]) -> list[Seat]:
        """One dialogue of each row to its end. `open_ones` sums a number over all processes: none stops
        drawing while another has to.

        Raises:
            RunError: a world cannot be opened, or the chat template refuses a dialogue.
        """
        self._seats = [Seat(self._asked[row], self._prompt(row)) for row in rows]
        self._waiting = []
        run(self._play(draw, open_ones))
        return self._seats

    def _prompt(self, row: int) -> Prompt:
        prompt = self._asked[row].prompt
        assert prompt is not None
        return prompt

    async def _play(self, draw: Draw, open_ones: Callable[[int], int]) -> None:
        tasks = [asyncio.create_task(self._dialogue(place)) for place in range(len(self._seats))]
        try:
            while True:
                while len(self._waiting) + sum(task.done() for task in tasks) < len(tasks):  # noqa: ASYNC110
                    await asyncio.sleep(0)
                _raise_first(tasks)
                if not open_ones(len(self._waiting)):
                    return
                self._answer_all(draw)
        finally:
            for task in tasks:
                task.cancel()

    async def _dialogue(self, place: int) -> None:
        seat = self._seats[place]
        sampling = Sampling(max_tokens=self._max_tokens)
        request = Request(seat.prompt, sampling, seat.asked.example.id, place)
        seat.generation = await converse(self, request, seat.asked.example.world, self._max_turns)  # type: ignore[arg-type]

    async def generate(self, request: Request) -> Generation:
        """The policy's next answer in the dialogue at a seat, once all are asked."""
        seat, rendered = self._seats[request.sample_index], self._rendered(request)
        if request.turn:
            between = self._between(seat, rendered)
            if len(seat.whole) + len(between) + self._max_tokens > self._longest:
                return _cut(rendered)
            seat.add(between, None, own=False)
        answer: asyncio.Future[Generation] = asyncio.get_running_loop().create_future()
        first = request.turn == 0
        self._waiting.append(
            _Waiting(request.sample_index, rendered, request.prompt, first, answer)
        )
        return await answer

    def _rendered(self, request: Request) -> Rendered:
        if request.turn == 0:
            return self._seats[request.sample_index].asked.rendered
        return self._renderer.render(request.prompt)

    def _between(self, seat: Seat, rendered: Rendered) -> list[int]:
        """What the template has between the policy's last turn and its next: all that comes after the
        end of that turn, which is the n-th end token there, as it is in the sequence."""
        ends = sum(token in self._reader.eos_ids for token in seat.whole)
        places = (at for at, token in enumerate(rendered.ids) if token in self._reader.eos_ids)
        last = next(islice(places, ends - 1, None), None)
        if last is None or last + 1 >= len(rendered.ids):
            raise RowError("bad_request", "the chat template takes ends of earlier turns away")
        return list(rendered.ids[last + 1 :])

    def _answer_all(self, draw: Draw) -> None:
        """One draw for all that wait, in the order of the seats."""
        waiting = sorted(self._waiting, key=lambda one: one.place)
        self._waiting = []
        prompts = [self._seats[one.place].whole for one in waiting]
        # A process without an open dialogue draws with the others, and nobody reads it.
        completions, logprobs = draw(
            prompts or [self._seats[0].whole], bool(waiting) and all(one.first for one in waiting)
        )
        for number, one in enumerate(waiting):
            ids, seat = completions[number], self._seats[one.place]
            seat.add(ids, logprobs[number] if logprobs is not None else None, own=True)
            form = form_for(one.prompt, "auto")
            one.answer.set_result(self._reader.read(ids, one.rendered, form))


def _raise_first(tasks: Sequence[asyncio.Task[None]]) -> None:
    """What ended a dialogue that could not go on, in words.

    Raises:
        RunError: a dialogue ended so.
    """
    for task in tasks:
        error = task.exception() if task.done() else None
        if isinstance(error, RowError):
            raise RunError(
                f"a dialogue of the policy cannot go on: {error.cause}",
                "check the worlds of the rows and the chat template of the parent",
            ) from error
        if error is not None:
            raise error


def _cut(rendered: Rendered) -> Generation:
    """An answer that there was no room for."""
    nothing = Usage(
        prompt=len(rendered.ids), output=0, reasoning=0, reply=0, markup=0, counted_by="engine"
    )
    turn = Turn(reasoning=None, reply="", finish_reason="length", usage=nothing)
    return Generation(turns=(turn,))


def with_tools(asked: Sequence[Asked]) -> bool:
    """Whether the policy may call a tool in answer to some of these."""
    return any(one.example.tools for one in asked)


def completions_of(seats: Sequence[Seat], *, counted: bool) -> dict[str, Any]:
    """The dialogues as TRL takes rollouts: `env_mask` keeps what was read out of the loss."""
    return {
        "prompt_ids": [list(seat.asked.rendered.ids) for seat in seats],
        "completion_ids": [seat.ids for seat in seats],
        "logprobs": [seat.logprobs for seat in seats] if counted else None,
        "env_mask": [seat.own for seat in seats],
        "played": list(seats),
    }
