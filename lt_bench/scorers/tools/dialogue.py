"""One dialogue beside its gold: every metric, and which rows can have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from lt_bench.records import CallsGold, Example, Generation, ToolCall
from lt_bench.scorers.decisions import undecided
from lt_bench.scorers.tools.answers import answers_right
from lt_bench.scorers.tools.asking import asks_back
from lt_bench.scorers.tools.bfcl import Parameters, bfcl_fault
from lt_bench.scorers.tools.matching import Matching, relates
from lt_bench.scorers.tools.sentences import own_sentences
from lt_bench.scorers.tools.toolrl import toolrl_correctness


def measurable(name: str, example: Example, gold: CallsGold) -> bool:
    """Whether a row can have a metric, whatever is done."""
    if undecided(gold):
        return name in ("answer_correctness", "state_match") and has(name, example, gold)
    if name in ("tool_precision", "tool_recall", "under_calling"):
        return bool(gold.calls)
    if name in ("tool_f1", "over_calling"):
        return True
    return has(name, example, gold)


def has(name: str, example: Example, gold: CallsGold) -> bool:
    """Whether a row has what one of the other metrics asks of it."""
    match name:
        case "bfcl":
            return example.world is None
        case "argument_accuracy":
            return any(call.arguments or call.accept for call in gold.calls)
        case "no_call_accuracy":
            return gold.type != "call"
        case "clarify_accuracy":
            return gold.type == "clarify"
        case "answer_correctness":
            wants = gold.answer
            return wants is not None and bool(wants.must_include or wants.must_not_include)
        case "state_match":
            return example.world is not None and gold.end_state is not None
        case "toolrl":
            return bool(gold.calls)
    parts = ("bfcl", "state_match", "answer_correctness")
    return gold.type in ("no_call", "clarify") or any(has(one, example, gold) for one in parts)


class Dialogue:
    """One dialogue beside its gold."""

    def __init__(
        self,
        example: Example,
        gold: CallsGold,
        generation: Generation,
        tools: Mapping[str, Parameters],
    ) -> None:
        self.example, self.gold, self.generation, self.tools = example, gold, generation, tools
        self.calls = [call for turn in generation.turns for call in turn.tool_calls]
        self.reply = generation.reply.strip()
        self.matching = Matching(self.calls, gold, tools)

    def value(self, name: str) -> float | None:
        """One metric, on a row that can have it; None where this dialogue says nothing about it."""
        found: float | None = getattr(self, _VALUES[name])
        return None if found is None else float(found)

    @property
    def asked(self) -> tuple[str, ...]:
        """What the user said."""
        before = (u.content for u in self.example.history if u.role in ("user", "viewer"))
        return (self.example.question, *before)

    @property
    def idle(self) -> bool:
        """Whether it neither says nor calls anything."""
        return not self.calls and not self.reply

    @property
    def bfcl(self) -> bool:
        """The official match. Silence that was cut is no decision not to call."""
        if self.idle and self.generation.status == "truncated":
            return False
        return bfcl_fault(self._first_calls, self.gold, self.tools) is None

    @property
    def _first_calls(self) -> tuple[ToolCall, ...]:
        """All calls of the first turn that has some."""
        return next((turn.tool_calls for turn in self.generation.turns if turn.tool_calls), ())

    @property
    def precision(self) -> float:
        return self.matching.precision

    @property
    def recall(self) -> float:
        return self.matching.recall

    @property
    def f1(self) -> float:
        return 0.0 if self.idle else self.matching.f1

    @property
    def over(self) -> bool:
        return self.matching.over

    @property
    def under(self) -> bool:
        return self.matching.under

    @property
    def toolrl(self) -> float:
        return toolrl_correctness(self.calls, self.gold.calls)

    @property
    def arguments(self) -> float | None:
        """None where no gold call has a call of its name."""
        right, of = self.matching.arguments
        return right / of if of else None

    @property
    def no_call(self) -> bool:
        return not self.calls and bool(self.reply)

    @property
    def clarifies(self) -> bool:
        return not self.calls and asks_back(self.reply, self.asked)

    @cached_property
    def answers(self) -> bool:
        wants, asks = self.gold.answer, self.gold.type == "clarify"
        return wants is not None and answers_right(self.reply, wants, self.asked, asks=asks)

    @property
    def state(self) -> bool | None:
        """None where nobody kept the state."""
        end = self.generation.end_state_sha
        return None if end is None else end == self.gold.end_state

    @cached_property
    def success(self) -> bool | None:
        """Every part that the row has, and no shortcut: a call where one is needed, none where none is,
        and a word to the user at the end of a dialogue."""
        parts: list[bool | None] = [self._decided]
        if has("bfcl", self.example, self.gold):
            parts.append(self.bfcl)
        if has("answer_correctness", self.example, self.gold):
            parts.append(self.answers)
        if has("state_match", self.example, self.gold):
            parts.append(self.state)
        if False in parts:
            return False
        return None if None in parts else True

    @property
    def _decided(self) -> bool:
        """Whether it called where it must, and only there, and spoke where a user waits."""
        if self.gold.type == "clarify":
            return self.clarifies
        if self.gold.type == "no_call":
            return self.no_call and self._spoke
        return self._spoke and (not self.gold.calls or self._acted)

    @property
    def _spoke(self) -> bool:
        """Whether the dialogue ends with words of its own to the user, where one waits for them."""
        if self.example.world is None and self.gold.calls:
            return True
        own = any(own_sentences(self.reply, self.asked))
        return own and not self.generation.turns[-1].tool_calls

    @property
    def _acted(self) -> bool:
        """Whether some call is one of those wanted, whose answer may well be no, or did something that
        has to do with them. There are several ways to an answer; looking up anything at all before a
        guess is none."""
        if self.example.world is not None:
            return self.matching.matched > 0 or any(
                relates(call, self.gold) for call in self._carried_out()
            )
        wanted = {gold.name for gold in self.gold.calls}
        return any(call.name in wanted and call.malformed is None for call in self.calls)

    def _carried_out(self) -> Iterator[ToolCall]:
        """The calls that a tool did not refuse."""
        for turn in self.generation.turns:
            done = {result.call_id for result in turn.tool_results if not result.error}
            yield from (call for call in turn.tool_calls if call.id in done)


_VALUES: Final = {
    "task_success": "success",
    "pass_k": "success",
    "bfcl": "bfcl",
    "tool_precision": "precision",
    "tool_recall": "recall",
    "tool_f1": "f1",
    "argument_accuracy": "arguments",
    "over_calling": "over",
    "under_calling": "under",
    "no_call_accuracy": "no_call",
    "clarify_accuracy": "clarifies",
    "answer_correctness": "answers",
    "state_match": "state",
    "toolrl": "toolrl",
}
"""Metric -> where a dialogue has it."""
