"""What a judge said, read by the letter of its declaration: a label, or no verdict at all."""

from __future__ import annotations

from dataclasses import dataclass

from lt_bench.judge.spec import JudgeSpec
from lt_bench.judge.subject import Subject
from lt_bench.records import Claim


class Unreadable(ValueError):
    """The answer is no verdict; the message says why, in words that a judge model can act on."""


@dataclass(frozen=True)
class Reading:
    """A verdict as it was read. `label` is one of the declaration's names."""

    label: str
    rationale: str = ""
    claims: tuple[Claim, ...] = ()


def read(spec: JudgeSpec, text: str, subject: Subject) -> Reading:
    """The verdict in `text`.

    Raises:
        Unreadable: it is not exactly what the declaration asks for. Nothing is guessed.
    """
    from lt_bench.judge import json_answer, ledger_answer, line_answer

    match spec.answer.form:
        case "json":
            return json_answer.read(spec.answer, spec.labels, text)
        case "line":
            return line_answer.read(spec.answer, spec.labels, text)
        case "ledger":
            return ledger_answer.read(text, subject)
