"""A trial of one reply on the terminal, or as JSON.

Texts of rows, replies and models stand indented or on one line of ours, so that none of them can
pass for a line of this page.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import typer

from lt_bench.judge import Judge, Unreadable
from lt_bench.plain import on_one_line, printable
from lt_bench.records import Claim, Failure, HumanLabel, Prompt, Score, Usage, Verdict
from lt_bench.run.judging.choice import RULES
from lt_bench.run.judging.trial import Exchange, Trial
from lt_bench.scorers.facts import VERSION

LABEL_WIDTH = 20
INDENT = "  "
EMPTY = "(empty)"


def show(trial: Trial, people: Sequence[HumanLabel] = ()) -> None:
    """Judge, row, prompt, every request with its answer, then the verdict."""
    _head(trial)
    for label in people:
        _line("people", f"{label.annotator}: {_human(label)}")
    if trial.judge is None:
        _section("reply")
        _text(trial.reply or EMPTY)
    if trial.prompt:
        _prompt(trial.prompt)
    for number, exchange in enumerate(trial.exchanges, 1):
        _exchange(trial, number, exchange)
    _section("verdict")
    _verdict(trial)


def as_json(trial: Trial) -> str:
    """The trial as one JSON object, texts to the letter."""
    page = {
        "judge": trial.judge.spec.name if trial.judge else RULES,
        "models": trial.models,
        "row": trial.example.id,
        "reply": trial.reply,
        "status": trial.sample.status,
        "injection_suspected": trial.injection,
        "prompt": _messages(trial.prompt) if trial.prompt else None,
        "requests": [_exchanged(trial, one) for one in trial.exchanges],
        "usage": _usage(trial.usage),
        "scores": None if trial.scores is None else [_scored(score) for score in trial.scores],
    }
    return json.dumps(page, ensure_ascii=False)


# --- the page --------------------------------------------------------------------------------


def _head(trial: Trial) -> None:
    spec = trial.judge.spec if trial.judge else None
    _line(
        "judge", f"{spec.name}, version {spec.version}" if spec else f"{RULES}, version {VERSION}"
    )
    if trial.judge:
        _line("answers", _answers(trial.judge))
    if trial.models:
        _line("asked of", ", ".join(trial.models))
    _line("row", trial.example.id)
    _line("question", trial.example.question)
    if trial.sample.status != "ok":
        why = f": {trial.sample.failure.message}" if trial.sample.failure else ""
        _line("reply is", f"{trial.sample.status}{why}")


def _answers(judge: Judge) -> str:
    """ "correct (true) is correctness 1, incorrect (false) is correctness 0"."""
    return ", ".join(
        f"{name} ({json.dumps(label.says, ensure_ascii=False)}) "
        + (
            f"is {judge.spec.metric} {label.value:g}"
            if label.value is not None
            else f"leaves {judge.spec.metric} out"
        )
        for name, label in judge.spec.labels.items()
    )


def _prompt(prompt: Prompt) -> None:
    for message in prompt.messages:
        _section(f"prompt: {message.role}")
        _text(message.content)


def _exchange(trial: Trial, number: int, exchange: Exchange) -> None:
    """One request: what was added to the prompt, what came back, and how it was read."""
    vote = exchange.request.sample_index + 1
    cap = exchange.request.sampling.max_tokens
    _section(f"request {number}: {exchange.model}, vote {vote}, at most {cap} tokens")
    added = _added(trial.prompt, exchange.request.prompt)
    if added:
        _line("added", added)
    if isinstance(exchange.answer, Failure):
        _line("failed", f"{exchange.answer.kind}: {exchange.answer.message}")
        return
    turn = exchange.answer.turns[-1]
    _said_text("thought", turn.reasoning or "")
    _said_text("answer", turn.reply or EMPTY)
    _line("ended by", f"{turn.finish_reason} after {exchange.seconds:.2f} s")
    _line("tokens", _counted(exchange.answer.usage))
    label, reading = _reading(trial, exchange)
    _line("read as", label or f"no verdict: {reading}")


def _said_text(what: str, text: str) -> None:
    if text:
        typer.echo(what)
        _text(text)


def _reading(trial: Trial, exchange: Exchange) -> tuple[str | None, str]:
    """The label, and the label or why there is none."""
    try:
        label = trial.read(exchange).label
    except Unreadable as why:
        return None, str(why)
    return label, label


def _added(first: Prompt | None, sent: Prompt) -> str:
    """What a later request says beyond the first prompt."""
    before = "\n\n".join(message.content for message in first.messages) if first else ""
    after = "\n\n".join(message.content for message in sent.messages)
    return after.removeprefix(before).strip()


def _verdict(trial: Trial) -> None:
    if trial.scores is None:
        _line("not asked", "no model was named; to ask one, or a script of rules, add")
        _text("--judge-model openai/NAME --judge-base-url URL\n--judge-model scripted/FILE.yaml")
    elif trial.judge and not trial.exchanges:
        _line("not asked", "an answer without a reply is scored without asking")
    for score in trial.scores or ():
        _score(score)
    if trial.judge is None and trial.scores and all(s.reason for s in trial.scores):
        _line("why", "this judge needs gold facts, and the row has none")
    if trial.exchanges:
        _line("requests", str(len(trial.exchanges)))
        _line("tokens", _counted(trial.usage))
    if trial.injection:
        _line("warning", "injection suspected: the reply seems to speak to the judge")


def _score(score: Score) -> None:
    _line(score.name, f"none, {score.reason}" if score.value is None else f"{score.value:g}")
    if score.verdict:
        _behind(score.verdict)
    notes = [note for note in score.notes if note != "injection_suspected"]
    if notes:
        _line("notes", ", ".join(notes))


def _behind(verdict: Verdict) -> None:
    """Label, reason, votes and claims of a verdict."""
    if verdict.label is not None:
        _line("label", verdict.label)
    if verdict.rationale:
        _line("why" if verdict.label is not None else "it said", verdict.rationale)
    if len(verdict.ballots) > 1:
        for ballot in verdict.ballots:
            _line("vote", f"{ballot.model}: {ballot.label or ballot.reason}")
    for claim in verdict.claims:
        _line("claim", _claim(claim))


def _claim(claim: Claim) -> str:
    where = f" by {claim.document}: {claim.evidence!r}" if claim.evidence else ""
    return f"{claim.text!r} is {claim.verdict}{where}"


def _human(label: HumanLabel) -> str:
    given = {"correct": label.correct, "helpful": label.helpful}
    words = [("" if value else "not ") + name for name, value in given.items() if value is not None]
    return ", ".join(words) or "nothing"


def _counted(usage: Usage | None) -> str:
    if usage is None:
        return "not counted"
    prompt = "?" if usage.prompt is None else str(usage.prompt)
    return f"{prompt} + {usage.output}, counted by the {usage.counted_by}"


def _section(title: str) -> None:
    typer.echo(on_one_line(f"--- {title}"))


def _line(label: str, text: str) -> None:
    typer.echo(on_one_line(f"{label:<{LABEL_WIDTH}} {text}"))


def _text(text: str) -> None:
    """Somebody else's text, indented line by line."""
    for line in printable(text).split("\n"):
        typer.echo(f"{INDENT}{line}" if line else "")


# --- JSON ------------------------------------------------------------------------------------


def _messages(prompt: Prompt) -> list[dict[str, str]]:
    return [{"role": one.role, "content": one.content} for one in prompt.messages]


def _exchanged(trial: Trial, exchange: Exchange) -> dict[str, Any]:
    request = exchange.request
    found: dict[str, Any] = {
        "model": exchange.model,
        "vote": request.sample_index + 1,
        "messages": _messages(request.prompt),
        "sampling": request.sampling.model_dump(mode="json"),
        "seconds": exchange.seconds,
    }
    if isinstance(exchange.answer, Failure):
        return found | {"failure": exchange.answer.model_dump(mode="json")}
    turn = exchange.answer.turns[-1]
    label, reading = _reading(trial, exchange)
    return found | {
        "answer": turn.raw or turn.reply,
        "reasoning": turn.reasoning,
        "finish_reason": turn.finish_reason,
        "usage": _usage(exchange.answer.usage),
        "label": label,
        "unreadable": None if label else reading,
    }


def _scored(score: Score) -> dict[str, Any]:
    return score.model_dump(mode="json")


def _usage(usage: Usage | None) -> dict[str, Any] | None:
    return usage.model_dump(mode="json") if usage else None
