"""One row of a replay in sections, before anybody decides how they are drawn.

Texts of others stand indented below a heading of ours, or on one line, so that none of them can pass
for one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from lt_bench.cli.replay_evidence import (
    LETTERS,
    STYLES,
    Section,
    evidence,
    gold_of,
    line,
    lines,
    marked,
)
from lt_bench.plain import on_one_line
from lt_bench.records import Claim, Turn
from lt_bench.replay.marks import claims_of, in_evidence, in_reply
from lt_bench.replay.rows import ReplayRow, Side
from lt_bench.replay.source import Source
from lt_bench.replay.texts import shown
from lt_bench.replay.words import NAMES, NOTES, VERDICTS

COLOURS: Final = {
    "unanswered": "dim",
    "failed": "dim",
    "truncated": "dark_orange",
    "leak": "magenta",
    "needless_refusal": "yellow",
    "unsupported": "red",
    "evasive": "yellow",
    "wrong": "red",
    "unscored": "dim",
    "long": "blue",
    "right": "green",
}


@dataclass(frozen=True)
class _Run:
    """Which run an answer is of. `letter` is empty where there is only one."""

    number: int
    name: str
    letter: str

    @property
    def title(self) -> str:
        return on_one_line(f"{self.letter} {self.name}".strip())


def sections(row: ReplayRow, sources: Sequence[Source]) -> Iterator[Section]:
    """Question, what each run made of it, evidence, gold."""
    yield from _asked(row)
    for number, (side, source) in enumerate(zip(row.sides, sources, strict=True)):
        run = _Run(number, source.name, LETTERS[number] if len(sources) > 1 else "")
        yield from _answered(side, run)
    if row.example:
        yield from evidence(row, row.example)
        yield from gold_of(row.example)


# --- what was asked --------------------------------------------------------------------------


def _asked(row: ReplayRow) -> Iterator[Section]:
    of = row.example
    facts = [*(of.tags if of else ()), *([of.lang, f"group {of.group}"] if of else [])]
    yield Section(on_one_line(row.anchor), [line("  ".join(facts), "dim")], "bold", boxed=False)
    if of is None:
        yield Section("question", [line("its question and evidence are not in the data at hand")])
        return
    if of.history:
        said = [
            line(f"{one.name or one.role}: ", "bold").append(shown(one.content).replace("\n", " "))
            for one in of.history
        ]
        yield Section("dialogue", said, boxed=False)
    who = f"{of.viewer} asks" if of.viewer else "question"
    yield Section(on_one_line(who), lines(of.question or "(empty)", "bold"), "yellow")


# --- what a run made of it -------------------------------------------------------------------


def _answered(side: Side | None, run: _Run) -> Iterator[Section]:
    if side is None:
        yield Section(run.title, [line("this run does not ask this row")], boxed=False)
        return
    yield Section(run.title, list(_diagnosis(side)), COLOURS[side.code], boxed=False)
    claims = claims_of(side.row.scores)
    turns = side.generation.turns if side.generation else ()
    results = 0
    for number, turn in enumerate(turns, 1):
        last = number == len(turns)
        of = f", turn {number} of {len(turns)}" if len(turns) > 1 else ""
        yield from _turn(turn, of, claims, run, last=last, results=results)
        results += len(turn.tool_results)
    if claims:
        yield Section("claims", list(_claims(claims, run.letter)), boxed=False)
    if turns:
        yield Section("cost", list(_cost(side, turns)), boxed=False)
    if side.scores():
        yield Section("scores", [line(_scored(side))], boxed=False)
    verdicts = list(_verdicts(side))
    if verdicts:
        yield Section("verdicts", verdicts, boxed=False)


def _diagnosis(side: Side) -> Iterator[Text]:
    for number, one in enumerate(side.findings):
        text = Text("also ", "dim") if number else Text()
        text.append(NAMES[one.code], f"bold {COLOURS[one.code]}" if not number else "")
        if one.aim:
            text.append(f" → {one.aim}")
        if one.why:
            text.append(f": {on_one_line(one.why)}")
        yield text
    if side.sample and side.sample.status != "ok":
        yield line(f"status {side.sample.status}", "dim")


def _turn(
    turn: Turn, of: str, claims: Sequence[Claim], run: _Run, *, last: bool, results: int
) -> Iterator[Section]:
    """results: how many results of tools came before."""
    if turn.reasoning is not None:
        yield Section(f"reasoning{of}", lines(turn.reasoning or "(empty)"), "magenta")
    if last or turn.reply.strip():
        reply = shown(turn.reply)
        marks = in_reply(reply, claims) if last else []
        said = (
            marked(reply, marks, run.letter)
            if reply.strip()
            else [line("(nothing was said)", "dim")]
        )
        yield Section(f"reply{of}", said, "green" if last else "dim")
    for call in turn.tool_calls:
        arguments = json.dumps(call.arguments, ensure_ascii=False)
        what = "call, malformed" if call.malformed is not None else "call"
        text = f"{call.name}({arguments if call.malformed is None else call.malformed})"
        yield Section(f"{what}{of}", lines(text), "cyan")
    for number, result in enumerate(turn.tool_results, results + 1):
        text, what = shown(result.content), "result, error" if result.error else "result"
        marks = in_evidence(f"tool{number}", text, claims)
        colour = "red" if result.error else "dim"
        yield Section(f"{what}{of}", marked(text, marks, run.letter), colour)
    if turn.notes:
        notes = [line(f"{note}: {NOTES[note]}", "dim") for note in turn.notes]
        yield Section(f"notes{of}", notes, boxed=False)


def _claims(claims: Sequence[Claim], letter: str) -> Iterator[Text]:
    for number, claim in enumerate(claims, 1):
        text = Text(f"[{letter}{number}] {on_one_line(shown(claim.text))}: ")
        text.append(VERDICTS[claim.verdict], STYLES[claim.verdict].removeprefix("underline "))
        if claim.evidence:
            words = on_one_line(shown(claim.evidence))
            text.append(f" ({on_one_line(claim.document or '?')}: “{words}”)", "dim")
        yield text


def _cost(side: Side, turns: Sequence[Turn]) -> Iterator[Text]:
    usage = side.generation.usage if side.generation else None
    if usage is None:
        yield line("tokens not counted", "dim")
    else:
        parts = ("reasoning", "markup", "reply")
        told = [f"{name} {n}" for name in parts if (n := getattr(usage, name)) is not None]
        prompt = "" if usage.prompt is None else f", prompt {usage.prompt}"
        of = f" ({', '.join(told)})" if told else ""
        yield line(f"{usage.output} tokens{of}{prompt}, counted by the {usage.counted_by}")
    if side.seconds is None:
        return
    first, spoken = turns[0].timings.first_token, turns[-1].timings.first_reply_token
    told = [f"{side.seconds:.2f} s"]
    told += [f"first token {first:.2f} s"] if first is not None else []
    told += [f"first spoken {spoken:.2f} s"] if spoken is not None and len(turns) == 1 else []
    yield line(", ".join(told))


def _scored(side: Side) -> str:
    return "  ".join(
        f"{one.name} {one.reason}" if one.value is None else f"{one.name} {one.value:.4g}"
        for one in side.scores()
    )


def _verdicts(side: Side) -> Iterator[Text]:
    for score in side.scores():
        verdict = score.verdict
        if verdict is None:
            continue
        label = verdict.label or f"no label, {score.reason}"
        said = f": {verdict.rationale}" if verdict.rationale else ""
        yield line(f"{score.name} by {verdict.judge}: {label}{said}")
        for ballot in verdict.ballots:
            why = f": {ballot.rationale}" if ballot.rationale else ""
            yield line(f"  vote of {ballot.model}: {ballot.label or ballot.reason}{why}", "dim")
        if score.notes:
            yield line(f"  {', '.join(score.notes)}", "dim")
