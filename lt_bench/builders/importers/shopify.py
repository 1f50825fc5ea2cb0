"""Shopify products: `products.json` of a store or its admin interface, and the admin's CSV export.

JSON: {"products": [{handle, title, body_html, vendor, product_type, tags, options[{name}],
variants[{title, sku, price, compare_at_price, inventory_quantity, option1..3, weight,
weight_unit}]}]}, a bare list, or one product a line. CSV: the rows of one Handle together.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.importers.catalogue import (
    CatalogueOptions,
    Good,
    documents,
    list_of,
    table_of,
    text_of,
)
from lt_bench.builders.importers.goods import (
    Product,
    offer,
    option_fields,
    plain_number,
    property_value,
    quantity,
    with_variants,
)
from lt_bench.builders.importers.json_document import Raw, read_values
from lt_bench.builders.importers.markup import plain_text
from lt_bench.builders.importers.money import Money, read_money
from lt_bench.builders.importers.shopify_csv import csv_products
from lt_bench.builders.importers.table import is_json
from lt_bench.builders.problem import RowFault
from lt_bench.config import validate
from lt_bench.errors import UsageError
from lt_bench.records import Document

log = logging.getLogger(__name__)

_ONLY: Final = "default title"
"""What Shopify calls the one variant of a product that has no options."""


class ShopifyOptions(CatalogueOptions):
    """`drafts`: also products whose status is draft or archived, which viewers cannot buy."""

    drafts: bool = False


class Shopify:
    """Reads Shopify exports; ids are handles. They name no currency: `importer.currency=EUR`."""

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = validate(ShopifyOptions, options, "importer")

    def read(self, path: Path) -> Iterator[Document]:
        """One document a product, variants inside it.

        Raises:
            UsageError: with file, product or line, field and fix.
        """
        json = path.suffix.lower() in (".json", ".jsonl") or is_json(path)
        raws = _json_products(path) if json else csv_products(path)
        return documents(path, self._on_sale(path, raws), self._good, self.options.lang)

    def _on_sale(self, path: Path, raws: Iterator[Raw]) -> Iterator[Raw]:
        hidden = 0
        for raw in raws:
            status = raw.data.get("status") if isinstance(raw.data, dict) else None
            if not self.options.drafts and status in ("draft", "archived"):
                hidden += 1
            else:
                yield raw
        if hidden:
            log.warning(
                "%s: %d drafts and archived products left out (importer.drafts=true keeps them)",
                path,
                hidden,
            )

    def _good(self, data: Any) -> Good:
        table = table_of(data, "product")
        id_ = text_of(table, "handle") or text_of(table, "id")
        if not id_:
            raise RowFault("handle", "the product has none", "export the file again")
        names = _option_names(table)
        variants = [
            self._variant(table_of(item, f"variants.{i}"), names, f"variants.{i}")
            for i, item in enumerate(list_of(table.get("variants"), "variants"))
        ]
        product = _described(table)
        if not variants:
            return Good(id_, product)
        if len(variants) == 1 and _is_only(table["variants"][0]):
            return Good(id_, product | variants[0] | {"@type": "Product"})
        group = product | {"@type": "ProductGroup", "productGroupID": id_}
        return Good(id_, with_variants(group, variants, names))

    def _variant(self, table: dict[str, Any], names: list[str], field: str) -> Product:
        price = self._money(table, "price", field)
        if price is None:
            raise RowFault(f"{field}.price", "the variant has none", "export the file again")
        made: Product = {"@type": "Product"}
        for key, to in (("sku", "sku"), ("barcode", "gtin")):
            if text := text_of(table, key):
                made[to] = text
        if not _is_only(table):
            made |= option_fields(_options(table, names))
        made |= _weight(table, field)
        regular = self._money(table, "compare_at_price", field)
        left = _left(table, field)
        made["offers"] = offer(
            price, _availability(table, left), None if left is None else max(left, 0), regular
        )
        return made

    def _money(self, table: dict[str, Any], key: str, field: str) -> Money | None:
        if table.get(key) in (None, ""):
            return None
        # Shopify writes "19.00" whatever the shop's language.
        return read_money(
            table[key], f"{field}.{key}", self.options.currency, self.options.decimal or "."
        )


def _json_products(path: Path) -> Iterator[Raw]:
    for value in read_values(path):
        found = value.data
        if isinstance(found, dict):
            found = found.get("products", [found.get("product", found)])
        try:
            products = list_of(found, "products")
        except RowFault as fault:
            raise UsageError(f"{path}, {fault.field}: {fault.message}", fault.fix) from fault
        for number, product in enumerate(products, 1):
            yield Raw(value.where or f"product {number}", product)


def _described(table: dict[str, Any]) -> Product:
    """What is true of a product in all its variants."""
    product: Product = {"@type": "Product", "name": text_of(table, "title")}
    if vendor := text_of(table, "vendor"):
        product["brand"] = {"@type": "Brand", "name": vendor}
    if category := text_of(table, "product_type"):
        product["category"] = category
    tags = table.get("tags")
    words = tags.split(",") if isinstance(tags, str) else list_of(tags, "tags")
    if kept := [str(word).strip() for word in words if str(word).strip()]:
        product["keywords"] = kept
    if description := plain_text(text_of(table, "body_html")):
        product["description"] = description
    extra = table.get("properties")  # metafields of the CSV export
    if isinstance(extra, dict) and extra:
        product["additionalProperty"] = [property_value(n, str(v)) for n, v in extra.items()]
    return product


def _option_names(table: dict[str, Any]) -> list[str]:
    """The names of option1, option2, option3; storefront and admin interface write both forms."""
    names = []
    for i, option in enumerate(list_of(table.get("options"), "options")):
        name = option.get("name") if isinstance(option, dict) else option
        names.append(str(name or f"Option {i + 1}"))
    return names


def _options(table: dict[str, Any], names: list[str]) -> list[tuple[str, str]]:
    values = [text_of(table, f"option{i}") for i in (1, 2, 3)]
    found = [
        (names[i] if i < len(names) else f"Option {i + 1}", value)
        for i, value in enumerate(values)
        if value
    ]
    title = text_of(table, "title")
    return found or ([("Variant", title)] if title else [])


def _is_only(table: dict[str, Any]) -> bool:
    value = table.get("option1") or table.get("title") or _ONLY
    return str(value).strip().casefold() == _ONLY


def _availability(table: dict[str, Any], left: int | None) -> str | None:
    """`available` where the store says it; else from the stock that is tracked; None unknown."""
    available = table.get("available")
    if isinstance(available, bool):
        return "InStock" if available else "OutOfStock"
    if _is_untracked(table):
        return "InStock"
    if left is None:
        return None
    if left > 0:
        return "InStock"
    return "BackOrder" if table.get("inventory_policy") == "continue" else "OutOfStock"


def _is_untracked(table: dict[str, Any]) -> bool:
    """Whether the shop says that it does not count this one."""
    return "inventory_management" in table and not table["inventory_management"]


def _left(table: dict[str, Any], field: str) -> int | None:
    """The number in stock; negative where more was sold than there is."""
    left = table.get("inventory_quantity")
    if left in (None, "") or _is_untracked(table):
        return None
    try:
        return int(str(left))
    except ValueError as error:
        raise RowFault(f"{field}.inventory_quantity", f"{left!r} is no whole number") from error


def _weight(table: dict[str, Any], field: str) -> Product:
    value, unit = table.get("weight"), text_of(table, "weight_unit")
    if value in (None, "", 0) and table.get("grams") not in (None, "", 0, "0", "0.0"):
        value, unit = table["grams"], "g"
    if value in (None, ""):
        return {}
    try:
        number = float(str(value))
    except ValueError as error:
        raise RowFault(f"{field}.weight", f"{value!r} is no number") from error
    return {"weight": quantity(plain_number(number), unit or "g")} if 0 < number < 1e9 else {}
