"""What a replay page holds: its rows as plain JSON, short keys, nothing that a reader could not see.

Every text goes through `shown`: control and direction characters become escapes, and very long texts
lose their middle. Places in texts are in UTF-16 units, as browsers count.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lt_bench.plain import printable
from lt_bench.records import (
    Ballot,
    CallsGold,
    Claim,
    Document,
    Example,
    FactsGold,
    Gold,
    Score,
    Timings,
    ToolResult,
    Turn,
    Usage,
)
from lt_bench.replay.marks import Mark, badges, claims_of, in_evidence, in_reply, of_gold
from lt_bench.replay.rows import ReplayRow, Side
from lt_bench.replay.texts import shown
from lt_bench.scorers.extract import support_in

Json = dict[str, Any]


def row(one: ReplayRow, example: int | None) -> Json:
    """A row; `example` is the place of its example among those of the page."""
    return {
        "a": printable(one.anchor),
        "id": printable(one.example_id),
        "n": one.sample_index,
        "x": example,
        "w": one.difference,
        "r": [side and _side(one.example, side) for side in one.sides],
    }


def example(one: Example) -> Json:
    """What was asked, with what gold has marked in it."""
    return {
        "q": shown(one.question),
        "viewer": shown(one.viewer),
        "tags": [printable(tag) for tag in one.tags],
        "lang": one.lang,
        "group": printable(one.group),
        "h": [[said.role, shown(said.name), shown(said.content)] for said in one.history],
        "d": [_document(one, document) for document in one.documents],
        "tools": [_tool(tool) for tool in one.tools],
        "g": _gold(one.gold),
    }


# --- what was asked --------------------------------------------------------------------------


def _document(of: Example, document: Document) -> Json:
    text = shown(document.text)
    seen = document.model_copy(update={"text": text})
    return {
        "id": printable(document.id),
        "kind": document.kind,
        "title": "" if document.text.startswith(document.title) else shown(document.title),
        "slot": document.slot,
        "text": text,
        "b": badges(of, document),
        "m": _places(text, of_gold(of.gold, seen)),
    }


def _tool(tool: Mapping[str, Any]) -> list[str]:
    function = tool.get("function", tool)
    known = function if isinstance(function, dict) else {}
    return [shown(str(known.get(key, ""))) for key in ("name", "description")]


def _gold(gold: Gold | None) -> list[list[str]]:
    """Gold as lines of a heading and a text."""
    match gold:
        case None:
            return []
        case FactsGold():
            lines = [["answerability", gold.answerability], ["means", gold.resolved_question]]
            for kind in ("required", "helpful", "forbidden"):
                for fact in getattr(gold, kind):
                    value = f"{fact.value} {fact.unit or ''}".rstrip()
                    lines.append([kind, f"{fact.document} · {fact.path} = {value}"])
        case CallsGold():
            lines = [["type", gold.type]]
            lines += [["call", f"{call.name}({_json(call.arguments)})"] for call in gold.calls]
            if gold.answer:
                lines += [["must say", text] for text in gold.answer.must_include]
                lines += [["must not say", text] for text in gold.answer.must_not_include]
                lines.append(["answer", gold.answer.reference])
        case _:
            lines = [["answer", text] for text in gold.answers]
            for hop in getattr(gold, "hops", ()):
                lines.append(["step", f"{hop.question} → {hop.answer}"])
            if not getattr(gold, "answerable", True):
                lines.append(["answerable", "no"])
    return [[name, shown(text)] for name, text in lines if text]


# --- what a run made of it -------------------------------------------------------------------


def _side(of: Example | None, side: Side) -> Json:
    claims = claims_of(side.row.scores)
    generation, failure = side.generation, side.sample.failure if side.sample else None
    turns = generation.turns if generation else ()
    found: Json = {
        "dx": [[finding.code, shown(finding.why)] for finding in side.findings],
        "st": side.sample.status if side.sample else None,
        "fail": failure and [failure.kind, shown(failure.message), failure.attempts],
        "t": _turns(turns, claims),
        "sc": {printable(one.name): _score(one) for one in side.row.scores.values()},
        "q": printable(side.quality),
        "v": [_verdict(one) for one in side.row.scores.values() if one.verdict],
        "cl": [[one.text, one.verdict, one.document, one.evidence] for one in claims],
        "tok": side.tokens,
        "sec": side.seconds,
        "end": generation.end_state_sha[:12] if generation and generation.end_state_sha else None,
    }
    if of:
        found["m"] = {
            str(number): marks
            for number, document in enumerate(of.documents)
            if (marks := _evidence(document, claims))
        }
        cited = support_in(generation.reply) if generation else ()
        found["c"] = [number - 1 for number in cited if 0 < number <= len(of.documents)]
    return {key: value for key, value in found.items() if value not in (None, [], {}, "")}


def _evidence(document: Document, claims: Sequence[Claim]) -> list[list[Any]]:
    text = shown(document.text)
    return _places(text, in_evidence(document.id, text, claims))


def _turns(turns: Sequence[Turn], claims: Sequence[Claim]) -> list[Json]:
    """Claims are of the last reply; they name the results of tools by number, tool1 being the first of the
    dialogue."""
    found, results = list[Json](), 0
    for number, turn in enumerate(turns, 1):
        found.append(_turn(turn, claims if number == len(turns) else (), results, claims))
        results += len(turn.tool_results)
    return found


def _turn(turn: Turn, said: Sequence[Claim], results: int, claims: Sequence[Claim]) -> Json:
    """said: the claims of this reply. results: those of earlier turns."""
    reply = shown(turn.reply)
    found: Json = {
        "think": None if turn.reasoning is None else shown(turn.reasoning),
        "say": reply,
        "m": _places(reply, in_reply(reply, said)),
        "calls": [
            [shown(call.name), shown(_pretty(call.arguments, call.malformed)), call.malformed and 1]
            for call in turn.tool_calls
        ],
        "res": [
            _result(result, f"tool{number}", claims)
            for number, result in enumerate(turn.tool_results, results + 1)
        ],
        "notes": list(turn.notes),
        "fin": turn.finish_reason,
        "u": _usage(turn.usage),
        "s": _times(turn.timings),
        "tries": turn.attempts if turn.attempts > 1 else None,
    }
    if "quoted_tag" in turn.notes or "leaked_channels" in turn.notes or not turn.reply.strip():
        found["raw"] = shown(turn.raw)
    return {key: value for key, value in found.items() if value not in (None, [], {})}


def _result(result: ToolResult, name: str, claims: Sequence[Claim]) -> list[Any]:
    text = shown(result.content)
    return [text, _places(text, in_evidence(name, text, claims)), 1 if result.error else 0]


def _pretty(arguments: Mapping[str, Any], malformed: str | None) -> str:
    return malformed if malformed is not None else _json(arguments, indent=True)


def _json(value: Any, *, indent: bool = False) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2 if indent else None)


def _usage(usage: Usage | None) -> list[Any] | None:
    """Prompt, output, its three parts, and who counted."""
    if usage is None:
        return None
    parts = (usage.prompt, usage.output, usage.reasoning, usage.markup, usage.reply)
    return [*parts, usage.counted_by]


def _times(times: Timings) -> list[float | None] | None:
    """Seconds until it was its turn, the first token, the first spoken one, and the end."""
    found = (times.queued, times.first_token, times.first_reply_token, times.total)
    known = [None if one is None else round(one, 4) for one in found]
    return known if known[3] is not None else None


def _score(score: Score) -> list[Any]:
    """Value, and reason or notes where there are any."""
    value = None if score.value is None else round(score.value, 6)
    found: list[Any] = [value, score.reason, list(score.notes)]
    while found and not found[-1]:
        if len(found) == 1:
            break
        found.pop()
    return found


def _verdict(score: Score) -> Json:
    assert score.verdict is not None
    verdict = score.verdict
    found: Json = {
        "of": printable(score.name),
        "by": printable(verdict.judge),
        "sha": verdict.judge_sha[:8],
        "label": verdict.label and printable(verdict.label),
        "why": shown(verdict.rationale),
        "votes": [_ballot(ballot) for ballot in verdict.ballots],
    }
    return {key: value for key, value in found.items() if value not in (None, [], "")}


def _ballot(ballot: Ballot) -> list[Any]:
    usage = ballot.usage
    return [
        shown(ballot.model),
        ballot.label and shown(ballot.label),
        ballot.reason,
        shown(ballot.rationale),
        usage and [usage.prompt, usage.output],
        ballot.requests,
    ]


def _places(text: str, marks: Iterable[Mark]) -> list[list[Any]]:
    """Start, end, kind and number of the claim of each mark."""
    if text.isascii():
        return [[mark.start, mark.end, mark.kind, mark.claim] for mark in marks]
    return [[_units(text, m.start), _units(text, m.end), m.kind, m.claim] for m in marks]


def _units(text: str, place: int) -> int:
    """A place counted in UTF-16 units."""
    return place + sum(char > "\uffff" for char in text[:place])
