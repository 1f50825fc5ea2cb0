"""ePQA (Shen et al., 2022): product questions with evidence from reviews, attributes and answers.

Takes the raw file, one candidate a row, `qid,question,ASIN,candidate,source,qa_pair_id,title,label,
answer` with quoted newlines, parted by commas or tabs; and JSON Lines with one question a row
(`id, question, history, product, evidence[{id, source, text, relevance}], answers, source,
license`). A label is 2 for evidence that answers in full, 1 in part, 0 for none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from lt_bench import jsonl
from lt_bench.builders.importers import attributes
from lt_bench.builders.importers.table import TableRow, is_json, read_table
from lt_bench.builders.problem import Inspected, Row, RowFault, from_validation, strict, unique
from lt_bench.records import Document, Example, ReferenceGold, Utterance

COLUMNS = (
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
LICENSE = "CDLA-Sharing-1.0"

Kind = Literal["faq", "review", "product", "evidence"]
Relevance = Literal[0, 1, 2]
_KINDS: dict[str, Kind] = {
    "cqa": "faq",
    "review": "review",
    "attribute": "product",
    "bullet": "product",
    "description": "product",
}
_LABELS: dict[str, Relevance] = {"0": 0, "1": 1, "2": 2}
_CQA = re.compile(r"(?P<answer>.*\S)?\s*\bQuestion:\s*(?P<question>.*?)\s*", re.DOTALL)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class EpqaProduct(_Part):
    asin: str
    title: str


class EpqaEvidence(_Part):
    id: str
    source: str
    text: str
    relevance: Relevance


class EpqaRow(_Part):
    """One question with all its candidates."""

    id: str
    question: str
    history: list[Utterance] = []
    product: EpqaProduct
    evidence: list[EpqaEvidence]
    answers: list[str] = []
    source: str = "ePQA"
    license: str = LICENSE


def import_epqa(path: Path) -> Iterator[Example]:
    """Examples of task commerce_qa with `reference` gold, grouped by product.

    Raises:
        UsageError: with file, line, field and fix.
    """
    return strict(path, inspect_epqa(path))


def inspect_epqa(path: Path) -> Iterator[Inspected]:
    """Every question of the file as an Example, or what is wrong with it."""
    return unique(_prepared(path) if is_json(path) else _raw(path))


def _prepared(path: Path) -> Iterator[Inspected]:
    for line in jsonl.read(path):
        try:
            yield Row(line.number, _example(EpqaRow.model_validate(line.data)))
        except RowFault as fault:
            yield fault.at(line.number)
        except ValidationError as error:
            yield from_validation(error, line.number)


def _raw(path: Path) -> Iterator[Inspected]:
    """Candidates brought together by question, in order of first appearance."""
    questions: dict[str, list[TableRow]] = defaultdict(list)
    for row in read_table(path, COLUMNS):
        questions[row.values["qid"]].append(row)
    for candidates in questions.values():
        try:
            yield Row(candidates[0].line, _example(_question(candidates)))
        except RowFault as fault:
            yield fault.at(candidates[0].line)
        except ValidationError as error:
            yield from_validation(error, candidates[0].line)


def _question(candidates: Sequence[TableRow]) -> EpqaRow:
    first = candidates[0].values
    for name in ("qid", "question", "ASIN"):
        if not first[name].strip():
            raise RowFault(name, "is empty", "every candidate needs its question and product")
        for row in candidates:
            if row.values[name] != first[name]:
                raise RowFault(
                    name, f"question {first['qid']} has another {name} on line {row.line}"
                )
    evidence = [
        EpqaEvidence(
            id=row.values["qa_pair_id"],
            source=row.values["source"],
            text=row.values["candidate"],
            relevance=_label(row),
        )
        for row in candidates
    ]
    return EpqaRow(
        id=f"epqa-{first['qid']}",
        question=first["question"],
        product=EpqaProduct(asin=first["ASIN"], title=first["title"]),
        evidence=evidence,
        answers=_answers(candidates),
    )


def _label(row: TableRow) -> Relevance:
    label = row.values["label"].strip()
    if label not in _LABELS:
        raise RowFault("label", f"{label!r} on line {row.line}", "labels are 0, 1 or 2")
    return _LABELS[label]


def _answers(candidates: Sequence[TableRow]) -> list[str]:
    """The answers written from the best evidence: those in part ("I'm not sure but …") only where
    nothing answers in full."""
    for wanted in ("2", "1"):
        found = dict.fromkeys(
            row.values["answer"].strip()
            for row in candidates
            if row.values["label"].strip() == wanted and row.values["answer"].strip()
        )
        if found:
            return list(found)
    return []


def _example(row: EpqaRow) -> Example:
    documents = tuple(_document(part, row.product.title) for part in row.evidence)
    ids = [document.id for document in documents]
    if len(set(ids)) != len(ids):
        twice = next(name for name in ids if ids.count(name) > 1)
        raise RowFault("evidence.id", f"two candidates have the id {twice!r}", "give each its own")
    best = max((part.relevance for part in row.evidence), default=0)
    return Example(
        id=row.id,
        task="commerce_qa",
        question=row.question,
        history=tuple(row.history),
        documents=documents,
        gold=ReferenceGold(
            answers=tuple(row.answers),
            relevance={part.id: part.relevance for part in row.evidence},
        ),
        group=row.product.asin,
        tags=("epqa", f"evidence_{('none', 'partial', 'full')[best]}"),
        source=row.source,
        license=row.license,
    )


def _document(part: EpqaEvidence, title: str) -> Document:
    kind = _KINDS.get(part.source, "evidence")
    if part.source == "cqa":
        return Document(id=part.id, kind=kind, title=title, text=_faq(part.text))
    attribute = attributes.parse(part.text) if part.source == "attribute" else None
    if attribute is None:
        return Document(id=part.id, kind=kind, title=title, text=part.text.strip())
    return Document(
        id=part.id,
        kind=kind,
        title=title,
        text=attributes.sentence(attribute),
        product={"name": title, **attributes.product(attribute)},
    )


def _faq(text: str) -> str:
    """A community answer with the question that it answers first; the raw form has it last."""
    found = _CQA.fullmatch(text)
    if not found or not found["answer"] or not found["question"]:
        return text.strip()
    return f"Question: {found['question']}\nAnswer: {found['answer']}"
