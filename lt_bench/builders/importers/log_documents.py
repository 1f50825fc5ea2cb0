"""Evidence of a log's rows: what stands in the row, and goods of a catalogue joined by id or SKU."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from lt_bench import jsonl
from lt_bench.builders.importers.cells import (
    Values,
    as_text,
    entry,
    items,
    opened,
    take,
    text,
    texts,
)
from lt_bench.builders.importers.map_parts import (
    DocumentCells,
    DocumentSource,
    InlineDocument,
    JoinedDocuments,
    ListDocuments,
)
from lt_bench.builders.importers.truth import read_truth
from lt_bench.builders.problem import RowFault, from_validation
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Document


@dataclass
class Goods:
    """The documents of a file, to be found by their id or by a SKU in them."""

    path: Path
    by_id: dict[str, Document]
    by_sku: dict[str, list[str]]
    missed: dict[str, int] = field(default_factory=dict)
    """Keys that were not found and may be, each with the line that first asked."""

    @classmethod
    def load(cls, path: Path) -> Goods:
        """Read a file of Documents.

        Raises:
            UsageError: it is missing, holds something else, or two documents share an id.
        """
        found: dict[str, Document] = {}
        skus: dict[str, list[str]] = {}
        for line in jsonl.read(path):
            document = _document(path, line)
            if document.id in found:
                raise UsageError(
                    f"{path}, line {line.number}, id: {document.id!r} is there twice",
                    "give every document its own",
                )
            found[document.id] = document
            for sku in dict.fromkeys(_skus(document)):
                skus.setdefault(sku, []).append(document.id)
        return cls(path, found, skus)

    def find(self, key: str) -> Document | None:
        """The document of an id or a SKU; None where there is none.

        Raises:
            RowFault: several documents have this SKU.
        """
        if key in self.by_id:
            return self.by_id[key]
        owners = self.by_sku.get(key, [])
        if len(owners) > 1:
            raise RowFault(
                "documents", f"{key!r} is a SKU of {' and '.join(owners[:3])}", "join by their ids"
            )
        return self.by_id[owners[0]] if owners else None

    def absent(self, key: str) -> RowFault:
        near = did_you_mean(key, [*self.by_id, *self.by_sku])
        return RowFault(
            "documents",
            f"{self.path.name} has no product {key!r}.{near}",
            "add it there, or leave such products out: `missing: skip`",
        )


def documents_of(
    sources: tuple[DocumentSource, ...], row: Values, line: int, goods: dict[str, Goods]
) -> tuple[Document, ...]:
    """The evidence of a row, in the order of the map; a product that is named twice comes once.

    Raises:
        RowFault: with the field.
    """
    found: list[Document] = []
    for source in sources:
        if isinstance(source, JoinedDocuments):
            found += _joined(source, row, line, goods[source.from_])
        elif isinstance(source, ListDocuments):
            found += _listed(source, row, len(found))
        else:
            found += _inline(source, row, len(found))
    seen: dict[str, Document] = {}
    for document in found:
        if seen.setdefault(document.id, document) != document:
            raise RowFault(
                "documents.id", f"two documents have the id {document.id!r}", "map an id of each"
            )
    return tuple(seen.values())


def _inline(source: InlineDocument, row: Values, before: int) -> Iterator[Document]:
    value = take(source.text, row, "documents.text")
    parts = value if isinstance(value, list) else items(value, "documents.text")
    for i, words in enumerate(texts(parts, "documents.text"), before + 1):
        yield _made(source, row, words, i, alone=len(parts) == 1)


def _listed(source: ListDocuments, row: Values, before: int) -> Iterator[Document]:
    value = take(source.cell, row, "documents")
    for i, item in enumerate(items(value, "documents"), before + 1):
        data = entry(item, f"documents.{i - 1}")
        words = text(source.each.text, data, f"documents.{i - 1}.text").strip()
        if words:
            yield _made(source.each, data, words, i, alone=True)


def _made(cells: DocumentCells, data: Values, words: str, number: int, *, alone: bool) -> Document:
    """A document; `alone`: its id is not shared by others of the same cell."""
    id_ = text(cells.id, data, "documents.id").strip() if cells.id else ""
    made: dict[str, Any] = {
        "id": id_ if id_ and alone else f"{id_ or 'd'}{'-' if id_ else ''}{number}"
    }
    if cells.title:
        made["title"] = text(cells.title, data, "documents.title")
    if cells.kind:
        made["kind"] = text(cells.kind, data, "documents.kind") or "evidence"
    if cells.product:
        made["product"] = (
            opened(take(cells.product, data, "documents.product"), "documents") or None
        )
    if cells.slot:
        made["slot"] = _slot(take(cells.slot, data, "documents.slot"))
    if cells.supporting:
        value = take(cells.supporting, data, "documents.supporting")
        made["supporting"] = read_truth(value, "documents.supporting")
    try:
        return Document(text=words, **made)
    except ValidationError as error:
        problem = from_validation(error, 0)
        raise RowFault(f"documents.{problem.field}", problem.message, problem.fix) from error


def _joined(source: JoinedDocuments, row: Values, line: int, goods: Goods) -> Iterator[Document]:
    keys = _keys(source, row)
    slots = items(take(source.slots, row, "documents.slots"), "documents") if source.slots else []
    if source.slots and source.separator and len(slots) == 1 and isinstance(slots[0], str):
        slots = [part for part in slots[0].split(source.separator) if part.strip()]
    if slots and len(slots) != len(keys):
        raise RowFault(
            "documents.slots",
            f"{len(slots)} slots for {len(keys)} products",
            "give as many slots as products, or none",
        )
    for i, key in enumerate(keys):
        document = goods.find(key)
        if document is None:
            if source.missing == "error":
                raise goods.absent(key)
            goods.missed.setdefault(key, line)
            continue
        yield document.model_copy(update={"slot": _slot(slots[i])}) if slots else document


def _keys(source: JoinedDocuments, row: Values) -> list[str]:
    value = take(source.by, row, "documents.by")
    if isinstance(value, str) and source.separator:
        return [part.strip() for part in value.split(source.separator) if part.strip()]
    return [key for item in items(value, "documents.by") if (key := as_text(item, "documents.by"))]


def _slot(value: Any) -> int | None:
    if value in (None, ""):
        return None
    try:
        return int(str(value).strip())
    except ValueError as error:
        raise RowFault(
            "documents.slot", f"{str(value)[:20]!r} is no whole number", "write it as 3"
        ) from error


def _document(path: Path, line: jsonl.Line) -> Document:
    try:
        return Document.model_validate(line.data)
    except ValidationError as error:
        problem = from_validation(error, line.number)
        raise UsageError(
            f"{path}, {problem}",
            "name a file that `lt-bench data import shopify` (or another catalogue) wrote",
        ) from error


def _skus(document: Document) -> Iterator[str]:
    product = document.product or {}
    variants = product.get("hasVariant")
    for node in (product, *(variants if isinstance(variants, list) else ())):
        sku = node.get("sku") if isinstance(node, dict) else None
        if isinstance(sku, str | int) and str(sku):
            yield str(sku)
