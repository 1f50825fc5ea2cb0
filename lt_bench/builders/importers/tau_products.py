"""products.json of tau-bench's retail store (Sierra, MIT): goods with variants, price and stock.

{"9523456873": {"name": "T-Shirt", "product_id": "9523456873", "variants": {"9612497925":
    {"item_id": …, "options": {"color": "blue", …}, "available": true, "price": 50.88}}}}
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lt_bench.builders.importers.catalogue import (
    CatalogueOptions,
    Good,
    documents,
    list_of,
    table_of,
    text_of,
)
from lt_bench.builders.importers.goods import Product, offer, option_fields, with_variants
from lt_bench.builders.importers.json_document import Raw, read_values
from lt_bench.builders.importers.money import read_money
from lt_bench.builders.problem import RowFault
from lt_bench.config import validate
from lt_bench.errors import UsageError
from lt_bench.records import Document


class TauProducts:
    """Reads the products of the retail domain. Prices are US dollars, as its policy says."""

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = validate(CatalogueOptions, options, "importer")

    def read(self, path: Path) -> Iterator[Document]:
        """One document a product, ids as in the file.

        Raises:
            UsageError: with file, product, field and fix.
        """
        return documents(path, _products(path), self._good, self.options.lang)

    def _good(self, data: Any) -> Good:
        table = table_of(data, "product")
        id_ = text_of(table, "product_id")
        if not id_:
            raise RowFault("product_id", "the product has none", "export the file again")
        variants = table_of(table.get("variants"), "variants")
        made = [self._variant(name, data) for name, data in variants.items()]
        if not made:
            raise RowFault("variants", "the product has none", "export the file again")
        product: Product = {
            "@type": "ProductGroup",
            "name": text_of(table, "name"),
            "productGroupID": id_,
        }
        varies = dict.fromkeys(o for v in variants.values() for o in v["options"])
        return Good(id_, with_variants(product, made, list(varies)))

    def _variant(self, name: str, data: Any) -> Product:
        where = f"variants.{name}"
        table = table_of(data, where)
        options = table_of(table.get("options"), f"{where}.options")
        available = table.get("available")
        if not isinstance(available, bool):
            raise RowFault(f"{where}.available", f"{available!r} is not true or false")
        price = read_money(table.get("price"), f"{where}.price", self.options.currency or "USD")
        return {
            "@type": "Product",
            "sku": text_of(table, "item_id") or name,
            **option_fields((key, str(value)) for key, value in options.items()),
            "offers": offer(price, "InStock" if available else "OutOfStock"),
        }


def _products(path: Path) -> Iterator[Raw]:
    for value in read_values(path):
        found = value.data
        if isinstance(found, dict) and "variants" not in found:
            found = list(found.values())
        try:
            entries = list_of([found] if isinstance(found, dict) else found, "file")
        except RowFault as fault:
            raise UsageError(
                f"{path}: {fault.message}", "name the products.json of the retail store"
            ) from fault
        for number, entry in enumerate(entries, 1):
            yield Raw(value.where or f"product {number}", entry)
