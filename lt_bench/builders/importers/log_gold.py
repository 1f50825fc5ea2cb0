"""Gold of a log's rows: accepted answers, a written reference, or facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from pydantic import ValidationError

from lt_bench.builders.importers.cells import (
    Values,
    entry,
    items,
    opened,
    take,
    text,
    texts,
)
from lt_bench.builders.importers.map_parts import (
    AnswersMap,
    Cell,
    FactCells,
    FactsMap,
    FactSource,
    GoldMap,
    ReferenceMap,
)
from lt_bench.builders.importers.truth import read_truth
from lt_bench.builders.problem import RowFault, from_validation
from lt_bench.claims.paths import MISSING, value_at
from lt_bench.records import AnswersGold, Document, Fact, FactsGold, Gold, ReferenceGold

_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,10})?", re.ASCII)


def gold_of(gold: GoldMap, row: Values, documents: tuple[Document, ...]) -> Gold | None:
    """What a row says of the right answer; None where its cells are empty.

    Raises:
        RowFault: with the field.
    """
    try:
        if isinstance(gold, AnswersMap):
            return _answers(gold, row)
        if isinstance(gold, ReferenceMap):
            return _reference(gold, row, documents)
        return _facts(gold, row, documents)
    except ValidationError as error:
        problem = from_validation(error, 0)
        raise RowFault(f"gold.{problem.field}", problem.message, problem.fix) from error


def _answers(gold: AnswersMap, row: Values) -> AnswersGold | None:
    answers = _texts(gold.answers, row)
    answerable: bool | None = True
    if gold.answerable:
        field = "gold.answerable"
        answerable = read_truth(take(gold.answerable, row, field), field)
    if not answers and answerable is not False:
        return None
    supporting: tuple[str, ...] = ()
    if gold.supporting:
        supporting = tuple(texts(take(gold.supporting, row, "gold.supporting"), "gold.supporting"))
    return AnswersGold(answers=answers, supporting=supporting, answerable=answerable is not False)


def _reference(
    gold: ReferenceMap, row: Values, documents: tuple[Document, ...]
) -> ReferenceGold | None:
    answers = _texts(gold.answers, row)
    value = (
        opened(take(gold.relevance, row, "gold.relevance"), "gold.relevance")
        if gold.relevance
        else None
    )
    if isinstance(value, list):
        if len(value) != len(documents):
            raise RowFault(
                "gold.relevance",
                f"{len(value)} values for {len(documents)} documents",
                "give one for each document, or map an object of ids",
            )
        value = {document.id: each for document, each in zip(documents, value, strict=True)}
    if value in (None, ""):
        return ReferenceGold(answers=answers) if answers else None
    grades = {key: _grade(grade) for key, grade in entry(value, "gold.relevance").items()}
    return ReferenceGold.model_validate({"answers": answers, "relevance": grades})


def _grade(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.strip() in ("0", "1", "2") else value


def _texts(cells: tuple[Cell, ...], row: Values) -> tuple[str, ...]:
    found = [t for cell in cells for t in texts(take(cell, row, "gold.answers"), "gold.answers")]
    return tuple(dict.fromkeys(found))


def _facts(gold: FactsMap, row: Values, documents: tuple[Document, ...]) -> FactsGold | None:
    answerability = text(gold.answerability, row, "gold.answerability").strip().casefold()
    if not answerability:
        return None
    known = {document.id: document for document in documents}
    made = {
        role: [fact for source in getattr(gold, role) for fact in _made(source, row, known, role)]
        for role in ("required", "helpful", "forbidden")
    }
    resolved = text(gold.resolved_question, row, "gold.resolved_question")
    return FactsGold.model_validate(
        {"answerability": answerability, "resolved_question": resolved, **made}
    )


def _made(
    source: FactSource, row: Values, documents: dict[str, Document], role: str
) -> Iterator[Fact]:
    field = f"gold.{role}"
    if isinstance(source, FactCells):
        found = _fact(source, row, documents, field)
        if found:
            yield found
        return
    for item in items(take(source.cell, row, field), field):
        found = _fact(source.each, entry(item, field), documents, field)
        if found:
            yield found


def _fact(
    cells: FactCells, data: Values, documents: dict[str, Document], field: str
) -> Fact | None:
    """A fact; None where the value's cell is empty."""
    value = take(cells.value, data, f"{field}.value")
    if value in (None, ""):
        return None
    document, path = text(cells.document, data, field), text(cells.path, data, field)
    if document in documents:
        value = _as_found(value, value_at(documents[document], path))
    unit = take(cells.unit, data, field)
    return Fact(
        document=document,
        path=path,
        value=value,
        unit=text(cells.unit, data, field) if unit not in (None, "") else None,
        accept=tuple(texts(take(cells.accept, data, field), field)),
    )


def _as_found(value: Any, found: Any) -> Any:
    """A value that a table holds as text, in the type that the product has it in."""
    if not isinstance(value, str) or found is MISSING:
        return value
    if isinstance(found, bool):
        truth = read_truth(value, "gold.value")
        return value if truth is None else truth
    if isinstance(found, int | float) and _NUMBER.fullmatch(value.strip()):
        return type(found)(float(value)) if float(value) == found else float(value)
    return value
