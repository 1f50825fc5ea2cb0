"""Dialogues of an agent that errs, made from right ones, with labels known by construction.

Every fault here makes the dialogue fail: a needed call is not made, made for something else, or made
where none is right; a figure is wrong; a request is declined, or asked about, that was clear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, get_args

from lt_bench.builders.base import ActedTurn, Attempt, Attempted, ReferenceDialogue, TrajectoryLabel
from lt_bench.builders.tool_dialogue.language import Language
from lt_bench.environments import open_world
from lt_bench.environments.shop import WRITING
from lt_bench.environments.shop.records import CancelReason, ReturnReason
from lt_bench.records import CallsGold, Example, ToolCall, ToolResult
from lt_bench.stats.draw import Draw

FAULTY: Final = 0.25
"""Share of the attempts with a fault, about that of a strong model on such tasks."""
_RIGHT: Final = TrajectoryLabel(correct=True, helpful=True)
Turns = tuple[ActedTurn, ...]
Fault = Callable[[ReferenceDialogue, Language, Draw], Turns | None]


def attempted(reference: ReferenceDialogue, language: Language, samples: int) -> Attempted:
    """A row with as many attempts, the same for equal arguments."""
    made = (
        _attempt(reference, language, Draw("attempt", reference.example.id, k))
        for k in range(samples)
    )
    return Attempted(reference.example, tuple(made))


def _attempt(reference: ReferenceDialogue, language: Language, draw: Draw) -> Attempt:
    if draw.chance(FAULTY):
        for name in draw.shuffled(tuple(FAULTS)):
            turns = FAULTS[name](reference, language, draw)
            if turns is not None:
                return Attempt(turns, TrajectoryLabel(correct=False, helpful=False, faults=(name,)))
    return Attempt(reference.turns, _RIGHT)


def _gold(example: Example) -> CallsGold:
    assert isinstance(example.gold, CallsGold), "the builder makes no other gold"
    return example.gold


# --- a needed call is missing


def silent(reference: ReferenceDialogue, language: Language, draw: Draw) -> Turns | None:
    """Answers at once what only the tools can know."""
    del language, draw
    return reference.turns[-1:] if _gold(reference.example).calls else None


def pretended(reference: ReferenceDialogue, language: Language, draw: Draw) -> Turns | None:
    """Looks everything up, then says that it is done without having done it."""
    del language, draw
    turns = reference.turns
    if len(turns) < 3 or not _writes(turns[-2]):
        return None
    return (*turns[:-2], turns[-1])


# --- a call that is not right


def other_argument(reference: ReferenceDialogue, language: Language, draw: Draw) -> Turns | None:
    """Writes with one argument that nobody asked for."""
    del language
    if len(reference.turns) < 2 or not _writes(reference.turns[-2]):
        return None
    *before, last, end = reference.turns
    first, *rest = last.calls
    changed = _changed(first, draw)
    if changed is None:
        return None
    return _run(reference.example, (*before, replace(last, calls=(changed, *rest))), end)


def _changed(call: ToolCall, draw: Draw) -> ToolCall | None:
    given = dict(call.arguments)
    if "reason" in given:
        known: Sequence[str] = get_args(
            CancelReason if call.name == "cancel_order" else ReturnReason
        )
        given["reason"] = draw.pick([one for one in known if one != given["reason"]])
    elif "street" in given:
        given["street"] = f"{draw.between(241, 900)} {given['street']}"
    elif "items" in given:
        item = given["items"][0]
        given["items"] = [{**item, "quantity": item["quantity"] + 1}]
    elif "new_sku" in given:
        given["new_sku"] = given["sku"]
    else:
        return None
    return call.model_copy(update={"arguments": given})


def needless_call(reference: ReferenceDialogue, language: Language, draw: Draw) -> Turns | None:
    """Calls a tool where there was nothing to look up, or not yet."""
    example = reference.example
    if _gold(example).type not in ("no_call", "clarify"):
        return None
    asked = re.search(r"A\d{5}", example.question.upper())
    call = (
        ToolCall(id="call_1", name="get_order", arguments={"order_id": asked.group()})
        if asked
        else ToolCall(id="call_1", name="search_products", arguments=_query(example, draw))
    )
    thought = draw.pick(language.wordings.of("think.search_products", "train"))
    return _run(example, (ActedTurn(thought, (call,)),), reference.turns[-1])


def _query(example: Example, draw: Draw) -> dict[str, Any]:
    words = example.question.split() or [example.question]
    return {"query": draw.pick(words)[:40]}


# --- a reply that is not right


def wrong_figure(reference: ReferenceDialogue, language: Language, draw: Draw) -> Turns | None:
    """Reads a figure wrongly."""
    del language
    *before, end = reference.turns
    answer = _gold(reference.example).answer
    figures = [one for one in (answer.must_include if answer else ()) if one[:1].isdigit()]
    for figure in figures:
        number = float(figure) if re.fullmatch(r"\d+(?:\.\d+)?", figure) else None
        if number is None:
            continue
        other = number + draw.between(1, 9)
        said = f"{other:.2f}" if "." in figure else str(int(other))
        reply = re.sub(rf"(?<![\d.]){re.escape(figure)}(?![\d])", said, end.reply)
        if reply != end.reply and figure not in reply:
            return (*before, replace(end, reply=reply))
    return None


def declined(reference: ReferenceDialogue, language: Language, draw: Draw) -> Turns | None:
    """Declines what it could have done, or asked about."""
    if _gold(reference.example).type not in ("call", "clarify"):
        return None
    return (_said(language, draw, "think.out", "reply.out"),)


def asked_needlessly(reference: ReferenceDialogue, language: Language, draw: Draw) -> Turns | None:
    """Asks for what it was told."""
    if _gold(reference.example).type != "call":
        return None
    what = draw.pick(language.wordings.of("what.order", "train"))
    return (_said(language, draw, "think.lacking", "reply.ask_order", what=what),)


FAULTS: Final[Mapping[str, Fault]] = {
    "silent": silent,
    "pretended": pretended,
    "other_argument": other_argument,
    "needless_call": needless_call,
    "wrong_figure": wrong_figure,
    "declined": declined,
    "asked_needlessly": asked_needlessly,
}


# --- parts


def _writes(turn: ActedTurn) -> bool:
    """Whether it changed something: every call of it writes, and none was refused."""
    return bool(turn.calls) and all(
        call.name in WRITING and not result.error
        for call, result in zip(turn.calls, turn.results, strict=True)
    )


def _said(language: Language, draw: Draw, think: str, say: str, **values: str) -> ActedTurn:
    thought = draw.pick(language.wordings.of(think, "train")).format(**values)
    return ActedTurn(thought, reply=draw.pick(language.wordings.of(say, "train")))


def _run(example: Example, turns: Sequence[ActedTurn], end: ActedTurn) -> Turns:
    """The calls of these turns with what the tools say to them, and the end."""
    assert example.world is not None, "the builder makes no row without a world"
    with open_world(example.world) as world:

        def ran(turn: ActedTurn) -> Iterator[ToolResult]:
            for call in turn.calls:
                outcome = world.call(call.name, call.arguments)
                yield ToolResult(call_id=call.id, content=outcome.content, error=outcome.error)

        return (*(replace(turn, results=tuple(ran(turn))) for turn in turns), end)
