"""AmazonQA (Gupta et al., 2019): shoppers' questions, what buyers answered, snippets of reviews.

Written from the set's documentation and the script that makes it. JSON Lines, one question a row:

    {"asin", "category", "questionText", "questionType": "yesno" or "descriptive",
     "review_snippets": [text], "answers": [{"answerText", "answerType", "helpful": [yes, votes]}],
     "is_answerable", "qid"}

`is_answerable` is the word of a classifier, so it is a tag and no gold.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field

from lt_bench import jsonl
from lt_bench.builders.importers.candidates import short_sha
from lt_bench.builders.importers.json_rows import Part, inspect_rows
from lt_bench.builders.importers.questions import QuestionFiles
from lt_bench.builders.problem import Inspected, RowFault
from lt_bench.config import NoOptions, digest, validate
from lt_bench.errors import UsageError
from lt_bench.records import Document, Example, ReferenceGold

SOURCE: Final = "amazonqa/amazonqa"
"""Its repository states no licence, so the rows have none."""

_OTHER_FORMS: Final = {
    ("questions", "reviews"): "the raw products (all questions and reviews of a product on a line)",
    ("context", "qas"): "the SQuAD form",
    ("paragraphs",): "the SQuAD form",
    ("passages", "query"): "the MS MARCO form",
}


class Answer(Part):
    """What a buyer answered; of `helpful[1]` readers who voted, `helpful[0]` found it helpful."""

    answerText: str  # noqa: N815 - the published name
    answerType: str | None = None  # noqa: N815 - the published name
    helpful: list[int] = Field(default_factory=list)

    @property
    def votes(self) -> int:
        """Readers who found it helpful, less those who did not."""
        return 2 * self.helpful[0] - self.helpful[1] if len(self.helpful) == 2 else 0


class AmazonRow(Part):
    """One question, as published. Files of the public script have no `qid`."""

    asin: str
    questionText: str  # noqa: N815 - the published name
    questionType: str = ""  # noqa: N815 - the published name
    category: str = ""
    review_snippets: list[str]
    answers: list[Answer]
    is_answerable: bool | Literal[0, 1] | None = None
    qid: int | str | None = None


class AmazonQA(QuestionFiles):
    """Reads AmazonQA. Questions are grouped by product. Rows are streamed.

    Raises:
        UsageError: any option is given; there are none.
    """

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        validate(NoOptions, options, "importer amazonqa")

    def questions(self, path: Path) -> Iterator[Inspected]:
        _check_form(path)
        return inspect_rows(path, AmazonRow, _example)


def _check_form(path: Path) -> None:
    """The set is published in other forms too, which hold less."""
    first = next(jsonl.scan(path), None)
    if not isinstance(first, jsonl.Line):
        return
    for keys, form in _OTHER_FORMS.items():
        if all(key in first.data for key in keys):
            raise UsageError(
                f"{path}, line {first.number}: this is {form} of AmazonQA",
                "name train-qar.jsonl, val-qar.jsonl or test-qar.jsonl: one question a line",
            )


def _example(row: AmazonRow, line: jsonl.Line) -> Example:
    for name in ("asin", "questionText"):
        if not getattr(row, name).strip():
            raise RowFault(name, "is empty", "every question needs it")
    snippets = [text.strip() for text in row.review_snippets if text.strip()]
    answers = sorted(row.answers, key=lambda answer: -answer.votes)
    texts = dict.fromkeys(answer.answerText.strip() for answer in answers)
    return Example(
        id=f"amazonqa-{short_sha(digest(line.data)) if row.qid is None else row.qid}",
        task="commerce_qa",
        question=row.questionText.strip(),
        documents=tuple(
            Document(id=f"review-{number}", kind="review", text=text)
            for number, text in enumerate(snippets, start=1)
        ),
        gold=ReferenceGold(answers=tuple(text for text in texts if text)),
        group=row.asin.strip(),
        tags=tuple(_tags(row)),
        source=SOURCE,
    )


def _tags(row: AmazonRow) -> Iterator[str]:
    yield "amazonqa"
    if row.questionType:
        yield f"type:{row.questionType}"
    if row.category:
        yield f"category:{row.category}"
    if row.is_answerable is not None:
        yield "answerable" if row.is_answerable else "unanswerable"
