"""A catalogue of goods: each product one Document, its record and the sheet a model reads."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from lt_bench.builders.importers.goods import Product
from lt_bench.builders.importers.json_document import Raw
from lt_bench.builders.importers.money import Mark
from lt_bench.builders.importers.sheet import sheet
from lt_bench.builders.importers.sheet_words import WORDS, SheetLang
from lt_bench.builders.problem import RowFault
from lt_bench.config import Config
from lt_bench.errors import UsageError
from lt_bench.records import Document

log = logging.getLogger(__name__)


class CatalogueOptions(Config):
    """`currency`: ISO code of prices that name none; `decimal`: the mark before their cents;
    `lang`: the language of the words that the sheet adds to the shop's own."""

    currency: str | None = Field(default=None, pattern=r"^[A-Z]{3}$")
    decimal: Mark | None = None
    lang: SheetLang = "en"


@dataclass(frozen=True)
class Good:
    """One product: the id that its document gets, and its schema.org record."""

    id: str
    product: Product


def documents(
    path: Path, raws: Iterable[Raw], make: Callable[[Any], Good], lang: SheetLang
) -> Iterator[Document]:
    """A document for each of `raws`. An exact repeat of a product is left out with a warning.

    Raises:
        UsageError: a product cannot be read, two products share an id, or there is none.
    """
    seen: dict[str, tuple[str, Product]] = {}
    unpriced = 0
    for raw in raws:
        try:
            good = make(raw.data)
            document = _document(good, lang)
        except RowFault as fault:
            raise UsageError(
                f"{path}, {raw.where}, {fault.field}: {fault.message}",
                fault.fix or "correct it in the shop, or in the file",
            ) from fault
        if good.id in seen:
            _repeated(path, raw.where, good, *seen[good.id])
            continue
        seen[good.id] = (raw.where, good.product)
        unpriced += "price" in str(good.product.get("offers", "")).lower() and not has_currency(
            good.product
        )
        yield document
    if not seen:
        raise UsageError(f"{path} holds no products", "check that it is the file you meant")
    if unpriced:
        log.warning(
            "%s: %d products have prices without a currency: --set importer.currency=USD",
            path,
            unpriced,
        )


def has_currency(product: Product) -> bool:
    """Whether the first offer of a product says the currency of its price."""
    offers = product.get("offers")
    first = offers[0] if isinstance(offers, list) and offers else offers
    return not isinstance(first, dict) or bool(first.get("priceCurrency"))


def _repeated(path: Path, where: str, good: Good, first: str, product: Product) -> None:
    if product != good.product:
        raise UsageError(
            f"{path}, {where}, id: {good.id!r} is the id of another product too ({first})",
            "give every product an id of its own",
        )
    log.warning("%s, %s: product %r is there twice; left out", path, where, good.id)


def _document(good: Good, lang: SheetLang) -> Document:
    name = good.product.get("name")
    if not isinstance(name, str) or not name.strip():
        raise RowFault("name", "the product has no name", "give it a title")
    return Document(
        id=good.id,
        kind="product",
        title=name.strip(),
        text=sheet(good.product, WORDS[lang]),
        product=good.product,
    )


def text_of(data: dict[str, Any], key: str) -> str:
    """A field that must be text where it is there; numbers are written out.

    Raises:
        RowFault: it is a group of values.
    """
    value = data.get(key)
    if value is None:
        return ""
    if isinstance(value, bool | dict | list):
        raise RowFault(key, f"{str(value)[:40]!r} is no text", "write it as text")
    return str(value).strip()


def table_of(data: Any, field: str) -> dict[str, Any]:
    """A JSON object.

    Raises:
        RowFault: it is something else.
    """
    if not isinstance(data, dict):
        raise RowFault(field, f"{str(data)[:40]!r} is no JSON object", "export the file again")
    return data


def list_of(data: Any, field: str) -> list[Any]:
    """A JSON array; nothing is an empty one.

    Raises:
        RowFault: it is something else.
    """
    if data is None:
        return []
    if not isinstance(data, list):
        raise RowFault(field, f"{str(data)[:40]!r} is no list", "export the file again")
    return data
