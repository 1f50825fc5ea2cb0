"""semiPQA (Shen et al., 2022): questions that the attributes of a product answer.

Two tables, told apart by their headers. *attribute_ranking* has all attributes of the product for
each question, with a label, 1 or 0, and no answers. *data-to-text* has an attribute and the
sentence a person made of it; it asks nothing, so a plain question for that attribute is put.
Neither names the product: one sheet of attributes is one product.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.importers import attributes
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

RANKING: Final = ("qid", "qa_pair_id", "question", "candidate", "label")
TEXTS: Final = ("data", "text")
LABELS: Final[dict[str, Relevance]] = {"0": 0, "1": 1}
"""A label of 1 does not tell evidence that answers in full from such as helps."""


class Semipqa(QuestionFiles):
    """Reads both tables of semiPQA. Questions are grouped by the attributes of their product.

    Raises:
        UsageError: any option is given; there are none.
    """

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        validate(NoOptions, options, "importer semipqa")

    def questions(self, path: Path) -> Iterator[Inspected]:
        refuse_sets(path, {"lang": "xpqa", "title": "epqa", "asin": "hetpqa"})
        if form_of(path, RANKING, TEXTS) == RANKING:
            return read_questions(lambda: scan_table(path, RANKING), lambda v: v["qid"], _ranked)
        return read_questions(
            lambda: scan_table(path, TEXTS), lambda v: v["data"], _told, ("text",)
        )


def _ranked(rows: Rows) -> Asked:
    common = shared(rows, "qid", "question")
    candidates = candidates_of(rows, LABELS, source="attribute")
    sheet = sorted({candidate.text for candidate in candidates})
    return Asked(
        id=f"semipqa-{common['qid']}",
        question=common["question"],
        group=f"semipqa-sheet-{short_sha(*sheet)}",
        candidates=candidates,
        tags=("semipqa", binary_tag(candidates)),
        source=f"{REPOSITORY}:semiPQA/attribute_ranking",
    )


def _told(rows: Rows) -> Asked:
    """Several sentences made of one attribute are several answers."""
    data = shared(rows, "data")["data"]
    sha = short_sha(data)
    return Asked(
        id=f"semipqa-text-{sha}",
        question=_question(data),
        group=f"semipqa-sheet-{sha}",
        candidates=(Candidate(id="1", source="attribute", text=data, relevance=2),),
        answers=distinct(rows, "text"),
        tags=("semipqa", "question:made", "answerability:full"),
        source=f"{REPOSITORY}:semiPQA/data-to-text",
    )


def _question(data: str) -> str:
    key, colon, _ = data.partition(":")
    asked = attributes.words(key) if colon else "product"
    return f"what can you tell me about the {asked}?"
