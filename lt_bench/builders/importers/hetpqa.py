"""hetPQA (Shen et al., 2022): questions about toys and games, evidence of six sources.

Two tables, told apart by their headers. *evidence_ranking* has the candidates of each question with
a label, 1 or 0, and no answers. *answer_generation* has a candidate that answers a question and the
answer a person wrote from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.importers.candidates import (
    REPOSITORY,
    Asked,
    Candidate,
    Relevance,
    binary_tag,
    short_sha,
)
from lt_bench.builders.importers.questions import (
    QuestionFiles,
    Rows,
    candidates_of,
    distinct,
    read_questions,
    refuse_sets,
    shared,
)
from lt_bench.builders.importers.table import form_of, scan_table
from lt_bench.builders.problem import Inspected
from lt_bench.config import NoOptions, validate

RANKING: Final = ("qid", "ASIN", "qa_pair_id", "question", "candidate", "label", "source")
GENERATION: Final = ("ASIN", "question", "candidate", "answer", "source")
LABELS: Final[dict[str, Relevance]] = {"0": 0, "1": 1}
"""A label of 1 does not tell evidence that answers in full from such as helps."""


class Hetpqa(QuestionFiles):
    """Reads both tables of hetPQA. Questions are grouped by product.

    Raises:
        UsageError: any option is given; there are none.
    """

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        validate(NoOptions, options, "importer hetpqa")

    def questions(self, path: Path) -> Iterator[Inspected]:
        refuse_sets(path, {"title": "epqa", "lang": "xpqa"})
        if form_of(path, RANKING, GENERATION) == RANKING:
            return read_questions(lambda: scan_table(path, RANKING), lambda v: v["qid"], _ranked)
        return read_questions(
            lambda: scan_table(path, GENERATION),
            lambda v: (v["ASIN"], v["question"]),
            _answered,
            filled=("candidate", "answer"),
        )


def _ranked(rows: Rows) -> Asked:
    common = shared(rows, "qid", "question", "ASIN")
    candidates = candidates_of(rows, LABELS)
    return Asked(
        id=f"hetpqa-{common['qid']}",
        question=common["question"],
        group=common["ASIN"],
        candidates=candidates,
        tags=("hetpqa", *_confidence(rows), binary_tag(candidates)),
        source=f"{REPOSITORY}:hetPQA/evidence_ranking",
    )


def _confidence(rows: Rows) -> list[str]:
    """How sure the annotators were of the labels, where the file says it."""
    said = {row.values.get("confidence", "").strip() for row in rows} - {""}
    return [f"confidence:{said.pop() if len(said) == 1 else 'mixed'}"] if said else []


def _answered(rows: Rows) -> Asked:
    """A question that several rows answer has all their candidates and answers, equal ones once."""
    common = shared(rows, "question", "ASIN")
    texts = dict.fromkeys((row.values["source"], row.values["candidate"]) for row in rows)
    return Asked(
        id=f"hetpqa-answer-{short_sha(common['ASIN'], common['question'])}",
        question=common["question"],
        group=common["ASIN"],
        candidates=tuple(
            Candidate(id=str(number), source=source, text=text, relevance=2)
            for number, (source, text) in enumerate(texts, start=1)
        ),
        answers=distinct(rows, "answer"),
        tags=("hetpqa", "answerability:full"),
        source=f"{REPOSITORY}:hetPQA/answer_generation",
    )
