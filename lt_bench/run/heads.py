"""The head of a journal's line: whose it is and what came of it, without the rest of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import orjson

from lt_bench.records import Reason, Sample, Scored, Status
from lt_bench.run.journal import Journal


class AnswerHead(NamedTuple):
    """One line of generations.jsonl: its sample, its fate, and where it stands (in bytes)."""

    example_id: str
    sample_index: int
    request_sha: str
    status: Status
    offset: int
    length: int


class ScoreHead(NamedTuple):
    """One line of a scores file: its sample, who scored it, and the reasons of the scores without a
    value."""

    example_id: str
    sample_index: int
    request_sha: str
    scorers_sha: str
    reasons: frozenset[Reason]
    offset: int
    length: int


STATUSES: Final[tuple[Status, ...]] = ("ok", "truncated", "refused", "error")

_NONE: Final[frozenset[Reason]] = frozenset()


def answer_heads(journal: Journal[Sample]) -> Iterator[AnswerHead]:
    """Of every whole line, in file order.

    Raises:
        RunError: a line is no Sample.
    """
    offset = 0
    for number, text in enumerate(journal.lines(), 1):
        try:
            line = orjson.loads(text)
            key, status = line["key"], line["status"]
            head = key["example_id"], key["sample_index"], key["request_sha"], status
            if status not in STATUSES:
                raise KeyError(status)
        except (orjson.JSONDecodeError, KeyError, TypeError):
            sample = journal.record(text, number)
            one = sample.key
            head = one.example_id, one.sample_index, one.request_sha, sample.status
        yield AnswerHead(*head, offset, len(text))
        offset += len(text)


def score_heads(journal: Journal[Scored]) -> Iterator[ScoreHead]:
    """Of every whole line, in file order.

    Raises:
        RunError: a line is no Scored.
    """
    offset = 0
    for number, text in enumerate(journal.lines(), 1):
        try:
            line = orjson.loads(text)
            key = line["key"]
            head = key["example_id"], key["sample_index"], key["request_sha"], line["scorers_sha"]
            reasons = _reasons(line["scores"])
        except (orjson.JSONDecodeError, KeyError, TypeError):
            scored = journal.record(text, number)
            one = scored.key
            head = one.example_id, one.sample_index, one.request_sha, scored.scorers_sha
            reasons = frozenset(score.reason for score in scored.scores if score.reason)
        yield ScoreHead(*head, reasons, offset, len(text))
        offset += len(text)


def _reasons(scores: list[dict[str, Any]]) -> frozenset[Reason]:
    found = [score["reason"] for score in scores if "reason" in score]
    return frozenset(found) if found else _NONE
