"""The map that says which column of a company's log is which field of an Example.

A field is a column's name, `{column: NAME, default: VALUE}`, or `{value: CONSTANT}`; a name with
dots is a path into nested data. The map is closed: an unknown key is an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, BeforeValidator, ValidationError, model_validator

from lt_bench import yaml
from lt_bench.builders.importers import map_parts
from lt_bench.builders.importers.map_parts import (
    Cell,
    Constant,
    Dialogue,
    DocumentSource,
    GoldMap,
    History,
    TagSource,
    listed,
)
from lt_bench.config import Config
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.jsonl import check_file

MAX_NODES: Final = 5_000
"""Values of a map. Anchors let a few lines of YAML stand for billions of them."""
_MAX_BYTES: Final = 2**16


class FieldMap(Config):
    """The whole map. `ignore` names columns that are known and not wanted."""

    task: str = "commerce_qa"
    question: Cell | None = None
    id: Cell | None = None
    viewer: Cell | None = None
    history: History | None = None
    dialogue: Dialogue | None = None
    documents: Annotated[tuple[DocumentSource, ...], BeforeValidator(listed)] = ()
    gold: GoldMap | None = None
    group: Cell | None = None
    tags: Annotated[tuple[TagSource, ...], BeforeValidator(listed)] = ()
    lang: Cell = Constant(value="en")
    source: Cell = Constant(value="")
    license: Cell = Constant(value="")
    ignore: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _one_question(self) -> Self:
        if self.dialogue is None and self.question is None:
            raise ValueError("the map needs `question:`, or `dialogue:` for one line of talk a row")
        if self.dialogue and (self.question or self.history or self.viewer):
            raise ValueError("`dialogue:` gives question, history and viewer: take those keys out")
        if self.dialogue and self.dialogue.answered_by and self.gold:
            raise ValueError("`answered_by:` gives the gold: take `gold:` out")
        return self


def load(path: Path) -> FieldMap:
    """The map in a YAML file.

    Raises:
        UsageError: it is missing, is no map, is too large, or has an unknown key or a wrong value.
    """
    check_file(path)
    if path.stat().st_size > _MAX_BYTES:
        raise UsageError(
            f"{path} is over {_MAX_BYTES:,} bytes, too large for a map", "check the path"
        )
    data = yaml.load(path)
    if sum(1 for _ in _bounded(data)) > MAX_NODES:
        raise UsageError(
            f"{path} stands for more than {MAX_NODES:,} values", "write it without anchors"
        )
    try:
        return FieldMap.model_validate(data)
    except ValidationError as error:
        raise _told(path, error) from error


def _bounded(data: Any) -> Iterator[None]:
    """One item a value, stopping soon after too many; anchors may make a circle."""
    todo, seen = [data], 0
    while todo and seen <= MAX_NODES + 1:
        seen += 1
        yield None
        value = todo.pop()
        if isinstance(value, dict):
            todo += value.values()
        elif isinstance(value, list):
            todo += value


def _told(path: Path, error: ValidationError) -> UsageError:
    """The first fault of a map, as its writer sees the map."""
    fault = sorted(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")[0]
    where = _as_written(fault["loc"])
    if fault["type"] == "extra_forbidden":
        known = [key.rstrip("_") for key in _model_at(fault["loc"]).model_fields]
        near = did_you_mean(str(fault["loc"][-1]), known)
        return UsageError(
            f"{path}: unknown key {where!r}.{near}", f"known here: {', '.join(known)}"
        )
    if fault["type"] == "missing":
        return UsageError(f"{path}: {where!r} is missing", "add the key")
    if fault["type"] in _NO_FIELD:
        return UsageError(
            f"{path}: {where}: says no column",
            "write a column's name, {column: NAME, default: VALUE} or {value: CONSTANT}",
        )
    message = fault["msg"].removeprefix("Value error, ")
    return UsageError(f"{path}: {f'{where}: ' if where else ''}{message}", "correct the map")


_PARTS: Final[dict[str, type[BaseModel]]] = {
    "<column>": map_parts.Column,
    "<constant>": map_parts.Constant,
    "<tag>": map_parts.TagCell,
    "<text history>": map_parts.TextHistory,
    "<list history>": map_parts.ListHistory,
    "<list history>.each": map_parts.LineCells,
    "<inline documents>": map_parts.InlineDocument,
    "<list documents>": map_parts.ListDocuments,
    "<list documents>.each": map_parts.DocumentCells,
    "<joined documents>": map_parts.JoinedDocuments,
    "<list of facts>": map_parts.ListFacts,
    "<list of facts>.each": map_parts.FactCells,
    "<fact>": map_parts.FactCells,
    "dialogue": Dialogue,
    "gold.answers": map_parts.AnswersMap,
    "gold.reference": map_parts.ReferenceMap,
    "gold.facts": map_parts.FactsMap,
}
"""What stands at a place of the map, by the last one or two steps that lead there."""


def _model_at(location: tuple[int | str, ...]) -> type[BaseModel]:
    found: type[BaseModel] = FieldMap
    before = ""
    for step in map(str, location[:-1]):
        found = _PARTS.get(f"{before}.{step}", _PARTS.get(step, found))
        before = step
    return found


def _as_written(location: tuple[int | str, ...]) -> str:
    """A place in the words of the map: without the names that tell one form from another."""
    steps = [str(step) for step in location if not str(step).startswith("<")]
    if steps[:1] == ["gold"] and len(steps) > 1 and f"gold.{steps[1]}" in _PARTS:
        del steps[1]
    return ".".join("from" if step == "from_" else step for step in steps)


_NO_FIELD: Final = frozenset({"model_type", "model_attributes_type", "dict_type"})
