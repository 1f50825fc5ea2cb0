"""The head of a journal's line: whose it is and what came of it, without the rest of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, get_args

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
_REASONS: Final[frozenset[Reason]] = frozenset(get_args(Reason))


def answer_heads(journal: Journal[Sample]) -> Iterator[AnswerHead]:
    """Of every whole line, in file order.

    Raises:
        RunError: a line is no Sample.
    """
    offset = 0
    for number, text in enumerate(journal.lines(), 1):
        try:
            line = orjson.loads(text)
            key, status = _key(line), line["status"]
            if status not in STATUSES:
                raise KeyError(status)
        except (orjson.JSONDecodeError, KeyError, TypeError):
            sample = journal.record(text, number)
            key, status = _key_of(sample), sample.status
        yield AnswerHead(*key, status, offset, len(text))
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
            key, sha, reasons = _key(line), line["scorers_sha"], _reasons(line["scores"])
        except (orjson.JSONDecodeError, KeyError, TypeError):
            scored = journal.record(text, number)
            key, sha = _key_of(scored), scored.scorers_sha
            reasons = frozenset(score.reason for score in scored.scores if score.reason)
        yield ScoreHead(*key, sha, reasons, offset, len(text))
        offset += len(text)


def _key(line: dict[str, Any]) -> tuple[str, int, str]:
    """Raises KeyError or TypeError where the whole record has to be looked at."""
    key = line["key"]
    example_id, sample_index = key["example_id"], key["sample_index"]
    if type(example_id) is not str or type(sample_index) is not int:
        raise TypeError(key)
    return example_id, sample_index, key["request_sha"]


def _key_of(record: Sample | Scored) -> tuple[str, int, str]:
    key = record.key
    return key.example_id, key.sample_index, key.request_sha


def _reasons(scores: list[dict[str, Any]]) -> frozenset[Reason]:
    found = [score["reason"] for score in scores if "reason" in score]
    if not found:
        return _NONE
    reasons = frozenset(found)
    if not reasons <= _REASONS:
        raise KeyError(found)
    return reasons
