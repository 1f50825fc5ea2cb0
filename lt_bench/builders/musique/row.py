"""One row in the original MuSiQue schema (Trivedi et al., TACL 2022), checked field by field.

    id, paragraphs[{idx, title, paragraph_text, is_supporting}], question,
    question_decomposition[{id, question, answer, paragraph_support_idx}],
    answer, answer_aliases, answerable

Public copies differ from it; one that lost what scoring needs is refused, not repaired.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict

from lt_bench.builders.problem import Problem, RowFault
from lt_bench.scorers.overlap import normalize

ORIGINAL = "use musique_ans_v1.0_dev.jsonl (or _train) from the authors, or a full copy of it"
_ID = re.compile(r"(?P<shape>\dhop\d?)__(?P<made>syn_)?(?:\d+_)+(?P<final>\d+)")


class _Part(BaseModel):
    """Types as in JSON, nothing converted; keys that a copy adds are left alone."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class MusiqueParagraph(_Part):
    idx: int
    title: str
    paragraph_text: str
    is_supporting: bool


class MusiqueHop(_Part):
    """`paragraph_support_idx` is None where the paragraph was taken out (unanswerable rows)."""

    id: int | str
    question: str
    answer: str
    paragraph_support_idx: int | None = None


class MusiqueRow(_Part):
    id: str
    paragraphs: list[MusiqueParagraph]
    question: str
    question_decomposition: list[MusiqueHop] = []
    answer: str
    answer_aliases: list[str]
    answerable: bool = True

    @property
    def answers(self) -> tuple[str, ...]:
        """The canonical answer, then its aliases."""
        return (self.answer, *self.answer_aliases)

    @property
    def shape(self) -> str | None:
        """2hop, 3hop1, ...: from the id, else from the decomposition; None where neither tells."""
        if found := _ID.fullmatch(self.id):
            return found["shape"]
        hops = len(self.question_decomposition)
        return f"{hops}hop" if hops else None

    @property
    def final(self) -> str:
        """The single-hop question that the row ends in, by its number in the id; the id of a row
        that is not named in the original way. Rows that share it share their last paragraph and
        their answer, so that they are not independent."""
        found = _ID.fullmatch(self.id)
        return f"{found['made'] or ''}{found['final']}" if found else self.id

    @property
    def licence(self) -> str:
        """Told by the form of the id; unknown for rows of anybody else."""
        found = _ID.fullmatch(self.id)
        if not found:
            return ""
        return "Apache-2.0" if found["made"] else "CC-BY-4.0"


def parse_row(data: dict[str, Any]) -> MusiqueRow:
    """A row that has all that scoring needs.

    Raises:
        RowFault: the row is from another kind of copy, or has no paragraph it could be answered from.
        pydantic.ValidationError: a field is missing or has another type.
    """
    _refuse_copies(data)
    row = MusiqueRow.model_validate(data)
    indices = [paragraph.idx for paragraph in row.paragraphs]
    if len(set(indices)) != len(indices):
        raise RowFault("paragraphs.idx", "one idx stands on two paragraphs", "number them from 0")
    if row.answerable and not any(paragraph.is_supporting for paragraph in row.paragraphs):
        raise RowFault(
            "paragraphs.is_supporting", "no paragraph of an answerable row is marked", ORIGINAL
        )
    _check_hops(row)
    return row


def _check_hops(row: MusiqueRow) -> None:
    """A hop rests on a paragraph that is marked as supporting, or (unanswerable) on none."""
    marked = {paragraph.idx for paragraph in row.paragraphs if paragraph.is_supporting}
    for place, hop in enumerate(row.question_decomposition):
        idx = hop.paragraph_support_idx
        if row.answerable and idx is not None and idx not in marked:
            raise RowFault(
                f"question_decomposition.{place}.paragraph_support_idx",
                f"no supporting paragraph has idx {idx}",
                ORIGINAL,
            )


def empty_answers(row: MusiqueRow, line: int) -> Iterator[Problem]:
    """A warning for each accepted answer that the official normalisation empties: an empty reply
    would match it."""
    for place, text in enumerate(row.answers):
        if not normalize(text):
            yield Problem(
                "warning",
                line,
                f"answer_aliases.{place - 1}" if place else "answer",
                f"{text!r} is empty after normalisation, so that an empty reply would match it",
                "remove it from the row",
            )


def _refuse_copies(data: dict[str, Any]) -> None:
    if "supporting_facts" in data and "paragraphs" not in data:
        raise RowFault("supporting_facts", "a row of HotpotQA or 2WikiMultihopQA", ORIGINAL)
    if "context" in data and "paragraphs" not in data:
        raise RowFault("context", "the paragraphs are joined into one text (LongBench)", ORIGINAL)
    if "golden_answers" in data:
        raise RowFault("golden_answers", "a copy without its paragraphs (FlashRAG)", ORIGINAL)
    paragraphs = data.get("paragraphs")
    if paragraphs is None:
        raise RowFault("paragraphs", "the row has no paragraphs", ORIGINAL)
    if not isinstance(paragraphs, list) or not paragraphs:
        raise RowFault("paragraphs", "must be a list with at least one paragraph", ORIGINAL)
    if not all(isinstance(part, dict) for part in paragraphs):
        raise RowFault("paragraphs", "each must be an object with title and text", ORIGINAL)
    if not any("is_supporting" in part for part in paragraphs):
        raise RowFault("paragraphs.is_supporting", "this copy lost the supporting marks", ORIGINAL)
    if "answer" not in data:
        raise RowFault("answer", "the row has no answer (test labels are hidden)", ORIGINAL)
    if "answer_aliases" not in data:
        raise RowFault(
            "answer_aliases",
            "missing: right answers in other words would count as wrong",
            "add the list, [] where there are none",
        )
