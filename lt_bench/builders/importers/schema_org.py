"""schema.org products as shops publish them: JSON-LD in a file, or in the pages of the shop.

Takes one object, a list, an `@graph` or JSON Lines; Product and ProductGroup with `hasVariant` or
with variants that point back by `isVariantOf`; Offer and AggregateOffer; and HTML pages with
`<script type="application/ld+json">`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.importers.availability import read_availability
from lt_bench.builders.importers.catalogue import CatalogueOptions, Good, documents
from lt_bench.builders.importers.goods import plain_number, summary
from lt_bench.builders.importers.json_document import Raw, lenient, read_text, read_values
from lt_bench.builders.importers.linked_data import Node, Plain, index_of, nodes, types_of
from lt_bench.builders.importers.markup import data_blocks, plain_text
from lt_bench.builders.importers.money import read_money
from lt_bench.builders.problem import RowFault
from lt_bench.config import validate
from lt_bench.errors import UsageError
from lt_bench.records import Document

_PRODUCTS: Final = frozenset({"Product", "ProductGroup", "IndividualProduct", "ProductModel", "SomeProducts", "Vehicle"})  # fmt: skip
_IDS: Final = ("sku", "productGroupID", "productID", "mpn", "gtin13", "gtin14", "gtin12", "gtin8",
               "gtin", "isbn", "@id", "url")  # fmt: skip
_NO_FACTS: Final = frozenset(
    {"image", "logo", "potentialAction", "mainEntityOfPage", "isVariantOf"}
)
_COUNTS: Final = frozenset(
    {
        "ratingValue",
        "bestRating",
        "worstRating",
        "reviewCount",
        "ratingCount",
        "minValue",
        "maxValue",
    }
)
_NUMBER: Final = re.compile(r"\d{1,9}(?:\.\d{1,6})?", re.ASCII)
_PRICES: Final = ("price", "lowPrice", "highPrice", "minPrice", "maxPrice")


class SchemaOrg:
    """Reads Products of JSON-LD; ids are sku, productGroupID, productID, a GTIN, `@id` or url."""

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = validate(CatalogueOptions, options, "importer")

    def read(self, path: Path) -> Iterator[Document]:
        """One document a product, variants inside it.

        Raises:
            UsageError: with file, place, field and fix.
        """
        return documents(path, _products(path), self._good, self.options.lang)

    def _good(self, node: Any) -> Good:
        product = self._read(node, "")
        if not isinstance(product.get("name"), str):
            product["name"] = _one_text(product.get("name"))
        return Good(_id_of(product), _with_type(product))

    def _read(self, node: Node, field: str) -> Node:
        """The same object with prices as numbers, availability by name and text without markup."""
        at = f"{field}." if field else ""
        found: Node = {}
        for key, value in node.items():
            if key in _NO_FACTS or value in (None, "", [], {}):
                continue
            found[key] = self._field(key, value, f"{at}{key}")
        for key in _PRICES:
            self._price(found, key, f"{at}{key}")
        if "offers" not in found and "hasVariant" in found:
            found["offers"] = _summed(found["hasVariant"])
        return found

    def _field(self, key: str, value: Any, field: str) -> Any:
        if key == "availability":
            return read_availability(value, field)
        if key == "priceCurrency" and not isinstance(value, str):
            raise RowFault(field, f"{str(value)[:40]!r} is no currency", "write its code: USD")
        if key in ("description", "name") and isinstance(value, str):
            return plain_text(value)
        if key in _COUNTS and isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            return plain_number(float(value))
        if isinstance(value, dict):
            return self._read(value, field)
        if isinstance(value, list):
            read = [
                self._read(item, f"{field}.{i}") if isinstance(item, dict) else item
                for i, item in enumerate(value)
            ]
            return read[0] if len(read) == 1 and key != "hasVariant" else read
        return value

    def _price(self, node: Node, key: str, field: str) -> None:
        if isinstance(node.get(key), str | int | float):
            given = node.get("priceCurrency")
            default = given if isinstance(given, str) else self.options.currency
            money = read_money(node[key], field, default, self.options.decimal)
            node[key] = plain_number(money.amount)
            if money.currency and not given:
                node["priceCurrency"] = money.currency


def _products(path: Path) -> Iterator[Raw]:
    """Every product of the file that is not a variant of another one."""
    numbers = itertools.count(1)
    for value in _documents(path):
        index = index_of(value.data)
        plain = Plain(index)
        groups = _groups(value.data)
        for node in nodes(value.data):
            if not types_of(node) & _PRODUCTS or set(node) <= {"@id", "@type", "@context"}:
                continue
            if _is_part(node, groups):
                continue
            where = f"{value.where}, product {next(numbers)}".removeprefix(", ")
            yield Raw(where, _checked(path, where, plain, _with_members(node, groups)))


def _documents(path: Path) -> Iterator[Raw]:
    if not _is_page(path):
        yield from read_values(path)
        return
    for block in data_blocks(read_text(path)):
        if block.text.strip():
            yield Raw(
                f"line {block.line}", lenient(block.text, f"{path}, script on line {block.line}")
            )


def _is_page(path: Path) -> bool:
    if path.suffix.lower() in (".html", ".htm", ".xhtml"):
        return True
    if path.suffix.lower() in (".json", ".jsonl", ".jsonld", ".ndjson") or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(512).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def _checked(path: Path, where: str, plain: Plain, node: Node) -> Node:
    try:
        return plain.node(node)
    except RowFault as fault:
        raise UsageError(f"{path}, {where}: {fault.message}", fault.fix) from fault


def _groups(data: Any) -> dict[str, list[Node]]:
    """Products that say of what group they are a variant, by that group's `@id`; and those that a
    group lists by reference, under "" (they are no products of their own)."""
    found: dict[str, list[Node]] = {}
    for node in nodes(data):
        parent = node.get("isVariantOf")
        id_ = parent.get("@id") if isinstance(parent, dict) else parent
        if isinstance(id_, str) and types_of(node) & _PRODUCTS:
            found.setdefault(id_, []).append(node)
        listed = node.get("hasVariant")
        for item in listed if isinstance(listed, list) else [listed]:
            if isinstance(item, dict) and set(item) == {"@id"}:
                found.setdefault("", []).append(item)
    return found


def _is_part(node: Node, groups: dict[str, list[Node]]) -> bool:
    listed = any(item["@id"] == node.get("@id") for item in groups.get("", ()))
    return listed or any(node is member for id_, of in groups.items() if id_ for member in of)


def _with_members(node: Node, groups: dict[str, list[Node]]) -> Node:
    members = groups.get(str(node.get("@id")), [])
    return node | {"hasVariant": members} if members and "hasVariant" not in node else node


def _summed(variants: Any) -> Node:
    listed = variants if isinstance(variants, list) else [variants]
    offers: list[Any] = []
    for variant in listed:
        offer = variant.get("offers") if isinstance(variant, dict) else None
        offers += offer if isinstance(offer, list) else [offer]
    return summary([offer for offer in offers if isinstance(offer, dict)])


def _id_of(product: Node) -> str:
    for key in _IDS:
        value = product.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    raise RowFault("sku", "the product has no id", f"give it one of {', '.join(_IDS[:4])}")


def _one_text(name: Any) -> str:
    """The first of a name's languages."""
    first = name[0] if isinstance(name, list) and name else name
    return first if isinstance(first, str) else ""


def _with_type(product: Node) -> Node:
    kinds = [kind for kind in types_of(product) if kind in _PRODUCTS]
    return {"@type": min(kinds), **{k: v for k, v in product.items() if k not in ("@type", "type")}}
