"""Shopify's product CSV: rows of one Handle are a product; its first row describes it, each row with
a price is a variant, rows with only an image are neither."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.importers.json_document import Raw
from lt_bench.builders.importers.table import TableRow, read_table
from lt_bench.errors import UsageError

_COLUMNS: Final = ("Handle", "Title", "Variant Price")
"""Those that an export always has."""
_PRODUCT: Final = {
    "Title": "title",
    "Body (HTML)": "body_html",
    "Vendor": "vendor",
    "Type": "product_type",
    "Tags": "tags",
    "Status": "status",
}
_VARIANT: Final = {
    "Variant SKU": "sku",
    "Variant Barcode": "barcode",
    "Variant Price": "price",
    "Variant Compare At Price": "compare_at_price",
    "Variant Inventory Qty": "inventory_quantity",
    "Variant Inventory Policy": "inventory_policy",
    "Variant Inventory Tracker": "inventory_management",
    "Variant Grams": "grams",
    "Option1 Value": "option1",
    "Option2 Value": "option2",
    "Option3 Value": "option3",
}
_METAFIELD: Final = re.compile(r"(?P<name>.+?) \(product\.metafields\.[^)]+\)")


def csv_products(path: Path) -> Iterator[Raw]:
    """Products in the shape of Shopify's JSON, in order of their first rows.

    Raises:
        UsageError: a column is missing, or a row has no handle.
    """
    handles: dict[str, list[TableRow]] = {}
    for row in read_table(path, _COLUMNS):
        handle = row.values["Handle"].strip()
        if not handle:
            raise UsageError(
                f"{path}, line {row.line}, Handle: is empty", "every row needs its product's handle"
            )
        handles.setdefault(handle, []).append(row)
    for handle, rows in handles.items():
        yield Raw(f"line {rows[0].line}", _product(handle, [row.values for row in rows]))


def _product(handle: str, rows: list[dict[str, str]]) -> dict[str, Any]:
    first = rows[0]
    found: dict[str, Any] = {"handle": handle}
    found |= {to: first[name].strip() for name, to in _PRODUCT.items() if name in first}
    found["options"] = [
        {"name": name}
        for i in (1, 2, 3)
        if (name := first.get(f"Option{i} Name", "").strip()) and name != "Title"
    ]
    found["variants"] = [_variant(row) for row in rows if row["Variant Price"].strip()]
    found["properties"] = {
        match["name"]: value.strip()
        for name, value in first.items()
        if value.strip() and (match := _METAFIELD.fullmatch(name))
    }
    return found


def _variant(row: dict[str, str]) -> dict[str, Any]:
    found = {to: row[name].strip() for name, to in _VARIANT.items() if name in row}
    if "Variant Inventory Qty" not in row:  # stock is a file of its own in newer exports
        found.pop("inventory_management", None)
    # "Variant Weight Unit" is only how the admin shows it; the weight itself is in grams.
    return found
