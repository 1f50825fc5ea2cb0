"""A company's own logs, in CSV, TSV, JSON Lines, JSON or Parquet, by a map of its columns.

question: comment
history: {column: chat, separator: " | ", roles: {streamer: host}, others: viewer}
documents: {from: products.jsonl, by: sku}
gold: {kind: reference, answers: host_reply}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from lt_bench import jsonl
from lt_bench.builders.gold import gold_faults
from lt_bench.builders.importers import field_map
from lt_bench.builders.importers.cells import Values, take, text, texts
from lt_bench.builders.importers.dialogues import Turn, turns
from lt_bench.builders.importers.log_documents import Goods, documents_of
from lt_bench.builders.importers.log_gold import gold_of
from lt_bench.builders.importers.map_parts import Constant, JoinedDocuments
from lt_bench.builders.importers.source_rows import read_rows
from lt_bench.builders.importers.speakers import history_of
from lt_bench.builders.problem import (
    Inspected,
    Problem,
    Row,
    RowFault,
    from_validation,
    strict,
    unique,
)
from lt_bench.config import Config, digest, validate
from lt_bench.errors import UsageError
from lt_bench.records import Example, Gold, Lang, ReferenceGold

_LANGS: Final[dict[str, Lang]] = {
    "en": "en", "eng": "en", "english": "en", "zh": "zh", "zho": "zh", "cmn": "zh", "cn": "zh",
    "chinese": "zh", "中文": "zh", "mix": "mix", "mixed": "mix",
}  # fmt: skip


class GenericOptions(Config):
    """`map`: the YAML file that says which column is what; paths in it are beside it."""

    map: str


class Generic:
    """Reads rows of a company's own by a field map (`--map FILE`)."""

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        if "map" not in options:
            raise UsageError(
                "the importer 'generic' needs a field map",
                "--map map.yaml (docs/bring-your-own.md)",
            )
        self.path = Path(validate(GenericOptions, options, "importer").map)
        self.map = field_map.load(self.path)
        self.folder = self.path.parent

    def read(self, path: Path) -> Iterator[Example]:
        """The rows of a log as Examples; with `dialogue:` all of it is held in memory.

        Raises:
            UsageError: with file, line, field and fix.
        """
        return strict(path, self.inspect(path))

    def inspect(self, path: Path) -> Iterator[Inspected]:
        """Every row as an Example, or what is wrong with it."""
        return unique(self._inspect(path))

    def _inspect(self, path: Path) -> Iterator[Inspected]:
        goods = self._goods()
        seen: set[str] = set()
        lines = 0
        for item in self._turns(_noted(read_rows(path), seen)):
            lines += 1
            yield from [item] if isinstance(item, Problem) else self._row(item, goods)
        if not lines and not seen:
            raise UsageError(f"{path} holds no rows", "check that it is the file you meant")
        yield from self._words(seen, goods)

    def files(self, path: Path) -> tuple[Path, ...]:
        """The map, the product files that it joins, and the log."""
        return (self.path, *(self.folder / name for name in self._joined()), path)

    def _joined(self) -> list[str]:
        parts = (part for part in self.map.documents if isinstance(part, JoinedDocuments))
        return list(dict.fromkeys(part.from_ for part in parts))

    def _goods(self) -> dict[str, Goods]:
        return {name: Goods.load(self.folder / name) for name in self._joined()}

    def _turns(self, items: Iterable[jsonl.Line | Problem]) -> Iterator[Turn | Problem]:
        """The rows that become questions, each with what was said before."""
        if self.map.dialogue:
            yield from turns(self.map.dialogue, items)
            return
        for item in items:
            yield item if isinstance(item, Problem) else Turn(item)

    def _row(self, turn: Turn, goods: dict[str, Goods]) -> Iterator[Inspected]:
        number = turn.line.number
        try:
            example = self._example(turn, goods)
        except RowFault as fault:
            yield fault.at(number)
            return
        except ValidationError as error:
            yield from_validation(error, number)
            return
        faults = [fault.at(number) for fault in gold_faults(example)]
        yield from faults
        if not faults:
            yield Row(number, example)

    def _example(self, turn: Turn, goods: dict[str, Goods]) -> Example:
        m, row = self.map, turn.line.data
        id_ = text(m.id, row, "id").strip() if m.id else digest(row)[:16]
        if not id_:
            raise RowFault("id", "is empty", "give every row an id, or take `id:` out of the map")
        question = text(m.question, row, "question").strip() if m.question else turn.question
        if not question:
            raise RowFault("question", "is empty", "leave such rows out of the log")
        documents = documents_of(m.documents, row, turn.line.number, goods)
        gold: Gold | None = gold_of(m.gold, row, documents) if m.gold else None
        if turn.answer:
            gold = ReferenceGold(answers=(turn.answer,))
        return Example(
            id=id_,
            task=m.task,
            question=question,
            viewer=text(m.viewer, row, "viewer").strip() if m.viewer else turn.viewer,
            history=history_of(m.history, row) if m.history else turn.history,
            documents=documents,
            gold=gold,
            group=(text(m.group, row, "group").strip() if m.group else turn.dialogue) or id_,
            tags=tuple(self._tags(row)),
            lang=_lang(text(m.lang, row, "lang")),
            source=text(m.source, row, "source"),
            license=text(m.license, row, "license"),
        )

    def _tags(self, row: Values) -> Iterator[str]:
        for source in self.map.tags:
            if isinstance(source, Constant):
                yield from texts(source.value, "tags")
                continue
            value = take(source.cell, row, "tags")
            if isinstance(value, bool):
                yield from [source.column] if value else []
                continue
            prefix = f"{source.column}:" if source.prefix is None else source.prefix
            yield from (f"{prefix}{word}" for word in texts(value, "tags"))

    def _words(self, seen: set[str], goods: dict[str, Goods]) -> Iterator[Problem]:
        """What is worth knowing about the whole file, said once."""
        left = sorted(seen - _columns_of(self.map) - set(self.map.ignore))
        if left:
            shown = ", ".join(left[:12]) + (", …" if len(left) > 12 else "")
            fix = f"map them, or list them: ignore: [{shown}]"
            yield Problem("warning", 1, "map", f"columns that are not used: {shown}", fix)
        for found in goods.values():
            if found.missed:
                keys = list(found.missed)
                shown = ", ".join(keys[:5]) + (", …" if len(keys) > 5 else "")
                yield Problem(
                    "warning",
                    found.missed[keys[0]],
                    "documents",
                    f"{found.path.name} has no {shown} ({len(keys)} products); left out",
                )


def _noted(items: Iterable[jsonl.Line | Problem], seen: set[str]) -> Iterator[jsonl.Line | Problem]:
    """The same rows, their columns added to `seen`."""
    for item in items:
        if isinstance(item, jsonl.Line):
            seen.update(item.data)
        yield item


def _lang(value: str) -> Lang:
    """A language as people and systems name it: "en-US", "zh_CN", "Chinese"."""
    name = value.strip().casefold()
    found = _LANGS.get(name) or _LANGS.get(name.replace("_", "-").partition("-")[0])
    if found is None:
        raise RowFault("lang", f"{value!r} is no language here", "write en, zh or mix")
    return found


def _columns_of(part: Any) -> set[str]:
    """The columns that a map names, with the first steps of those that are paths. What `each`
    names are columns of entries, not of rows."""
    if isinstance(part, list | tuple):
        return set().union(*map(_columns_of, part))
    if not isinstance(part, BaseModel):
        return set()
    found: set[str] = set()
    for key in type(part).model_fields:
        value = getattr(part, key)
        if key in ("column", "by", "order") and isinstance(value, str):
            found |= {value, value.partition(".")[0]}
        elif key != "each":
            found |= _columns_of(value)
    return found
