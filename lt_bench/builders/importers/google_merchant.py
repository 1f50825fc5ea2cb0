"""Google Merchant Center product data: a tab-separated (or CSV) feed, or an RSS / Atom one.

Attributes as in the product data specification: price "15.00 USD", sale_price, availability
in_stock, product_detail "section:name:value"; items of one item_group_id are variants.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.importers.availability import read_availability
from lt_bench.builders.importers.catalogue import CatalogueOptions, Good, documents
from lt_bench.builders.importers.feed import Item, read_feed
from lt_bench.builders.importers.goods import (
    Product,
    measured,
    offer,
    plain_number,
    property_value,
    with_variants,
)
from lt_bench.builders.importers.json_document import Raw
from lt_bench.builders.importers.markup import plain_text
from lt_bench.builders.importers.money import Money, read_money
from lt_bench.builders.problem import RowFault
from lt_bench.config import validate
from lt_bench.records import Document

_VARYING: Final = ("color", "size", "material", "pattern")
_PLAIN: Final = {
    "product_type": "category",
    "age_group": "ageGroup",
    "gender": "gender",
    "size_system": "sizeSystem",
    "size_type": "sizeType",
    "energy_efficiency_class": "energyEfficiencyClass",
    "multipack": "multipack",
}
_MEASURED: Final = {
    "product_weight": "weight",
    "product_length": "depth",
    "product_width": "width",
    "product_height": "height",
    "unit_pricing_measure": "size",
}
_CONDITIONS: Final = {
    "new": "NewCondition",
    "used": "UsedCondition",
    "refurbished": "RefurbishedCondition",
}
_TIES: Final = frozenset({"a", "an", "and", "for", "in", "of", "the", "with"})


@dataclass(frozen=True)
class _Entry:
    """An item of the feed and where it stands."""

    where: str
    item: Item


class GoogleMerchant:
    """Reads Merchant Center feeds; ids are item_group_id for products with variants, else id."""

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = validate(CatalogueOptions, options, "importer")

    def read(self, path: Path) -> Iterator[Document]:
        """One document a product; the feed is held in memory to bring variants together.

        Raises:
            UsageError: with file, line, field and fix.
        """
        return documents(path, _grouped(read_feed(path)), self._good, self.options.lang)

    def _good(self, entries: list[_Entry]) -> Good:
        items = [self._item(entry) for entry in entries]
        first = entries[0].item
        group = _one(first, "item_group_id")
        if not group:
            return Good(items[0]["sku"], items[0])
        skus = [item["sku"] for item in items]
        if len(set(skus)) < len(skus):
            twice = next(sku for sku in skus if skus.count(sku) > 1)
            raise RowFault(
                "id", f"{twice!r} is there twice in group {group!r}", "give each its own"
            )
        varies = [k for k in _VARYING if len({str(item.get(k)) for item in items}) > 1]
        head = {
            "@type": "ProductGroup",
            "name": _common_title([item["name"] for item in items]),
            "productGroupID": group,
        }
        text = next((d for item in items if (d := item.pop("description", ""))), "")
        described = {"description": text} if text else {}
        return Good(group, with_variants(head, items, varies) | described)

    def _item(self, entry: _Entry) -> Product:
        item = entry.item
        try:
            return self._product(item)
        except RowFault as fault:
            raise RowFault(f"{fault.field} ({entry.where})", fault.message, fault.fix) from fault

    def _product(self, item: Item) -> Product:
        id_ = _one(item, "id")
        if not id_:
            raise RowFault("id", "is empty", "every item needs one")
        product: Product = {"@type": "Product", "name": plain_text(_one(item, "title")), "sku": id_}
        if not product["name"]:
            raise RowFault("title", "is empty", "every item needs one")
        for key in ("gtin", "mpn"):
            product |= {key: value} if (value := _one(item, key)) else {}
        if brand := _one(item, "brand"):
            product["brand"] = {"@type": "Brand", "name": brand}
        product |= {to: value for key, to in _PLAIN.items() if (value := _one(item, key))}
        if "category" not in product and (category := _one(item, "google_product_category")):
            product |= {} if category.isdecimal() else {"category": category}
        product |= {key: value for key in _VARYING if (value := _one(item, key))}
        for key, to in _MEASURED.items():
            if to not in product and (value := _one(item, key)):
                product[to] = measured(value)
        if properties := list(_properties(item)):
            product["additionalProperty"] = properties
        if description := _description(item):
            product["description"] = description
        return product | self._offers(item)

    def _offers(self, item: Item) -> Product:
        price, sale = self._money(item, "price"), self._money(item, "sale_price")
        state = _one(item, "availability")
        availability = read_availability(state, "availability") if state else None
        dates = _one(item, "sale_price_effective_date")
        if price is None and sale is None and availability is None:
            return {}
        if sale and price and dates:  # whether it holds today is not the importer's to say
            made = offer(price, availability)
            made["priceSpecification"] = [_dated(sale, dates)]
        else:
            made = offer(sale or price, availability, regular=price if sale else None)
        if date := _one(item, "availability_date"):
            made["availabilityStarts"] = date
        if (condition := _one(item, "condition").lower()) in _CONDITIONS:
            made["itemCondition"] = _CONDITIONS[condition]
        if shipping := self._shipping(item):
            made["shippingDetails"] = shipping
        return {"offers": made}

    def _money(self, item: Item, key: str) -> Money | None:
        text = _one(item, key)
        return self._read(text, key) if text else None

    def _read(self, text: str, field: str) -> Money:
        return read_money(text, field, self.options.currency, self.options.decimal or ".")

    def _shipping(self, item: Item) -> list[dict[str, Any]]:
        """`shipping` as country:region:service:price, several parted by commas, or with parts."""
        found = []
        for value in item.get("shipping", ()):
            if isinstance(value, dict):
                found.append(self._rate(value.get("country", ""), value.get("price", "")))
                continue
            for one in value.split(","):
                country, colon, rest = one.strip().strip('"').partition(":")
                if not colon:
                    raise RowFault("shipping", f"{one[:40]!r} has no price", "US:::5.00 USD")
                price = rest.rpartition(":")[2]
                found.append(self._rate(country, price))
        return [rate for rate in found if rate]

    def _rate(self, country: str, price: str) -> dict[str, Any]:
        if not price.strip():
            return {}
        cost = self._read(price, "shipping")
        money = {"@type": "MonetaryAmount", "value": plain_number(cost.amount)}
        if cost.currency:
            money["currency"] = cost.currency
        place = {"shippingDestination": country.strip()} if country.strip() else {}
        return {"@type": "OfferShippingDetails", "shippingRate": money, **place}


def _grouped(raws: Iterable[Raw]) -> Iterator[Raw]:
    """Items brought together by group, in order of first appearance."""
    groups: dict[tuple[str, str], list[_Entry]] = {}
    numbers = itertools.count()
    for raw in raws:
        group = _one(raw.data, "item_group_id")
        # Two single items of one id stay two, so that the repeat is named.
        key = ("group", group) if group else ("item", str(next(numbers)))
        groups.setdefault(key, []).append(_Entry(raw.where, raw.data))
    for entries in groups.values():
        yield Raw(entries[0].where, entries)


def _one(item: Item, key: str) -> str:
    values = item.get(key, ())
    return next((value.strip() for value in values if isinstance(value, str)), "")


def _dated(sale: Money, dates: str) -> dict[str, Any]:
    start, slash, end = (part.strip() for part in dates.partition("/"))
    if not slash or not start or not end:
        raise RowFault(
            "sale_price_effective_date", f"{dates!r} is no START/END", "write both dates"
        )
    currency = {"priceCurrency": sale.currency} if sale.currency else {}
    return {
        "@type": "UnitPriceSpecification",
        "name": "sale",
        "price": plain_number(sale.amount),
        **currency,
        "validFrom": start[:10],
        "validThrough": end[:10],
    }


def _description(item: Item) -> str:
    highlights = [
        f"- {text}" for text in item.get("product_highlight", ()) if isinstance(text, str)
    ]
    return "\n".join(filter(None, (plain_text(_one(item, "description")), *highlights)))


def _properties(item: Item) -> Iterator[dict[str, Any]]:
    """`product_detail` as section:name:value, several parted by commas, or with parts."""
    for value in item.get("product_detail", ()):
        if isinstance(value, dict):
            if value.get("attribute_name") and value.get("attribute_value"):
                yield property_value(value["attribute_name"], value["attribute_value"])
            continue
        for one in value.split(","):
            parts = one.strip().strip('"').split(":")
            if len(parts) >= 3 and parts[1].strip():
                yield property_value(parts[1], ":".join(parts[2:]))
    if _one(item, "is_bundle").lower() in ("yes", "true"):
        yield property_value("bundle", True)


def _common_title(titles: list[str]) -> str:
    """The words that all titles begin with: "Linen shirt - blue, M" and "- red, S" → "Linen shirt"."""
    columns = zip(*(title.split() for title in titles), strict=False)
    words = [words[0] for words in itertools.takewhile(lambda w: len(set(w)) == 1, columns)]
    while words and (words[-1].lower() in _TIES or not any(c.isalnum() for c in words[-1])):
        words = words[:-1]
    return " ".join(words).rstrip(",;:-–—/ ") or titles[0]
