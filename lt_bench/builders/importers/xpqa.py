"""xPQA (Shen et al., 2023): product questions in twelve languages, with English evidence.

Written from the set's documentation: one candidate a row, with the columns of ePQA and `lang`
(ISO 639-1), `question_en` and `context`; the id of a candidate is called `qa_id` there.

A row's `lang` is `zh` for Chinese questions and `mix` for all others, whose language, in the tag
`language:de`, is not that of their evidence and none that lt-bench tells apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal, get_args

from lt_bench.builders.importers.candidates import REPOSITORY, Asked, graded_tag
from lt_bench.builders.importers.epqa import LABELS, community_answer_first
from lt_bench.builders.importers.questions import (
    QuestionFiles,
    Refused,
    Rows,
    best_answers,
    candidates_of,
    read_questions,
    shared,
)
from lt_bench.builders.importers.table import TableRow, header, scan_table
from lt_bench.builders.problem import Inspected, Problem
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError

Language = Literal["de", "it", "fr", "es", "pt", "pl", "ar", "hi", "ta", "zh", "ja", "ko"]
LANGUAGES: Final[tuple[str, ...]] = get_args(Language)
COLUMNS: Final = ("qid", "ASIN", "question", "candidate", "qa_pair_id", "label")
"""Columns without which no question can be put together; source, title and answer are read too."""
OTHER_NAMES: Final = {
    "qa_id": "qa_pair_id",
    "language": "lang",
    "lang": "lang",
    "source": "source",
    "title": "title",
    "answer": "answer",
}


class XpqaOptions(Config):
    """`language`: read the questions of one language only. In a file without a column `lang` it is
    the language of all of them."""

    language: Language | None = None


class Xpqa(QuestionFiles):
    """Reads xPQA. Questions are grouped by product.

    Raises:
        UsageError: an unknown option or language.
    """

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = validate(XpqaOptions, options, "importer xpqa")
        if self.options.language:
            self.sought = f"rows of language {self.options.language!r}"

    def questions(self, path: Path) -> Iterator[Inspected]:
        names = {OTHER_NAMES.get(name.lower(), name) for name in header(path)}
        if "lang" not in names and self.options.language is None:
            raise UsageError(
                f"{path}, line 1: no column 'lang' tells the language of the questions",
                "name it: --set importer.language=de",
            )
        return read_questions(
            lambda: self._scan(path), lambda v: (v.get("lang", ""), v["qid"]), self._question
        )

    def _scan(self, path: Path) -> Iterator[TableRow | Problem]:
        """The rows of the wanted language, and all rows of which none is told."""
        wanted = self.options.language
        for row in scan_table(path, COLUMNS, OTHER_NAMES):
            said = _language(row.values.get("lang", "")) if isinstance(row, TableRow) else ""
            if wanted is None or said in ("", wanted):
                yield row

    def _question(self, rows: Rows) -> Asked:
        common = shared(rows, "qid", "question", "ASIN")
        language = self._language_of(rows[0])
        candidates = tuple(map(community_answer_first, candidates_of(rows, LABELS)))
        return Asked(
            id=f"xpqa-{language}-{common['qid']}",
            question=common["question"],
            group=common["ASIN"],
            candidates=candidates,
            answers=best_answers(rows, candidates),
            title=rows[0].values.get("title", "").strip(),
            tags=("xpqa", f"language:{language}", graded_tag(candidates)),
            lang="zh" if language == "zh" else "mix",
            source=f"{REPOSITORY}:xPQA",
        )

    def _language_of(self, row: TableRow) -> str:
        said = row.values.get("lang")
        language = self.options.language if said is None else _language(said)
        if language not in LANGUAGES:
            raise Refused(
                row.line,
                "lang",
                f"{said!r} is no language of xPQA",
                f"languages: {', '.join(LANGUAGES)}",
            )
        return str(language)


def _language(said: str) -> str:
    """ "zh-CN" and "ZH" are "zh"."""
    return said.strip().lower().replace("_", "-").partition("-")[0]
