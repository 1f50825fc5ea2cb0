"""ePQA (Shen et al., 2023): product questions with evidence from reviews, attributes and answers.

Takes the published table, one candidate a row, and JSON Lines with one question a row (`id,
question, history, product{asin, title}, evidence[{id, source, text, relevance}], answers, source,
license`). A label is 2 for evidence that answers in full, 1 in part, 0 for none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from lt_bench import jsonl
from lt_bench.builders.importers.candidates import (
    LICENSE,
    REPOSITORY,
    Asked,
    Candidate,
    Relevance,
    graded_tag,
    to_example,
)
from lt_bench.builders.importers.json_rows import Part, inspect_rows
from lt_bench.builders.importers.questions import (
    QuestionFiles,
    Rows,
    best_answers,
    candidates_of,
    read_questions,
    refuse_sets,
    shared,
)
from lt_bench.builders.importers.table import is_json, scan_table
from lt_bench.builders.problem import Inspected, RowFault
from lt_bench.config import NoOptions, validate
from lt_bench.records import Example, Utterance

COLUMNS: Final = (
    "qid",
    "question",
    "ASIN",
    "candidate",
    "source",
    "qa_pair_id",
    "title",
    "label",
    "answer",
)
LABELS: Final[dict[str, Relevance]] = {"0": 0, "1": 1, "2": 2}
_COMMUNITY: Final = re.compile(r"(?P<answer>.*\S)?\s*\bQuestion:\s*(?P<question>.*?)\s*", re.DOTALL)


class Epqa(QuestionFiles):
    """Reads ePQA. Questions are grouped by product.

    Raises:
        UsageError: any option is given; there are none.
    """

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        validate(NoOptions, options, "importer epqa")

    def questions(self, path: Path) -> Iterator[Inspected]:
        if is_json(path):
            return inspect_rows(path, PreparedRow, _prepared)
        refuse_sets(path, {"lang": "xpqa"})
        return read_questions(
            lambda: scan_table(path, COLUMNS), lambda values: values["qid"], _question
        )


def _question(rows: Rows) -> Asked:
    common = shared(rows, "qid", "question", "ASIN")
    candidates = tuple(map(community_answer_first, candidates_of(rows, LABELS)))
    return Asked(
        id=f"epqa-{common['qid']}",
        question=common["question"],
        group=common["ASIN"],
        candidates=candidates,
        answers=best_answers(rows, candidates),
        title=rows[0].values["title"].strip(),
        tags=("epqa", graded_tag(candidates)),
        source=f"{REPOSITORY}:ePQA",
    )


def community_answer_first(candidate: Candidate) -> Candidate:
    """A community answer ends with the question it was given to; a reader needs that first."""
    found = _COMMUNITY.fullmatch(candidate.text)
    if candidate.source.strip().lower() != "cqa" or not found:
        return candidate
    if not found["answer"] or not found["question"]:
        return candidate
    return replace(candidate, text=f"Question: {found['question']}\nAnswer: {found['answer']}")


# --- one question a line -------------------------------------------------------------------------


class PreparedProduct(Part):
    asin: str
    title: str


class PreparedEvidence(Part):
    id: str
    source: str
    text: str
    relevance: Relevance


class PreparedRow(Part):
    """One question with all its candidates."""

    id: str
    question: str
    history: list[Utterance] = Field(default_factory=list)
    product: PreparedProduct
    evidence: list[PreparedEvidence]
    answers: list[str] = Field(default_factory=list)
    source: str = f"{REPOSITORY}:ePQA"
    license: str = LICENSE


def _prepared(row: PreparedRow, _: jsonl.Line) -> Example:
    for name, text in (("id", row.id), ("question", row.question), ("asin", row.product.asin)):
        if not text.strip():
            raise RowFault(name, "is empty", "every question needs it")
    candidates = tuple(
        community_answer_first(
            Candidate(id=part.id, source=part.source, text=part.text, relevance=part.relevance)
        )
        for part in row.evidence
    )
    _check_ids([candidate.id for candidate in candidates])
    return to_example(
        Asked(
            id=row.id,
            question=row.question,
            group=row.product.asin,
            candidates=candidates,
            answers=tuple(row.answers),
            title=row.product.title,
            history=tuple(row.history),
            tags=("epqa", graded_tag(candidates)),
            source=row.source,
            license=row.license,
        )
    )


def _check_ids(ids: Sequence[str]) -> None:
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        raise RowFault("evidence.id", f"two candidates have the id {twice!r}", "give each its own")
