"""One product: its schema.org record and the sheet a person reads, made from one draw."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.language import Language
from lt_bench.builders.commerce_qa.schema import Attribute, Category, Chart, Value

STOCKS = (("InStock", 0.7), ("LimitedAvailability", 0.14), ("OutOfStock", 0.1), ("PreOrder", 0.06))
LETTERS = "ABCDEGHKLMNPRSTVX"
LEFT = {
    "InStock": (20, 90),
    "LimitedAvailability": (1, 4),
    "OutOfStock": (0, 0),
    "PreOrder": (0, 0),
}
WITHHELD = 0.24
"""Share of a category's attributes that a sheet leaves out, so that evidence can be missing."""


@dataclass(frozen=True)
class Market:
    """What all goods of a room have in common: money, shipping, returns."""

    currency: str
    places: tuple[str, ...]
    days: tuple[int, int]
    rate: float
    return_days: int
    return_fees: str


@dataclass(frozen=True)
class Product:
    """A product of a split. `values` holds every attribute, also the `withheld` ones, which are
    not on its sheet."""

    category: Category
    brand: str
    form: str
    short: str
    name: str
    values: dict[str, Value]
    listed: tuple[Attribute, ...]
    withheld: tuple[Attribute, ...]
    data: dict[str, Any]

    @property
    def sold_out(self) -> bool:
        return bool(self.data["offers"]["availability"] == "OutOfStock")

    @property
    def has_coupon(self) -> bool:
        return "priceSpecification" in self.data["offers"]


def make_product(
    category: Category, market: Market, split: str, language: Language, draw: Draw
) -> Product:
    """A product of `category`; its brand belongs to `split` alone."""
    maker, form = language.brands.name(split, draw), draw.pick(category.forms)
    model = f"{draw.pick(LETTERS)}{draw.between(10, 999)}"
    name = f"{maker} {form} {model} {category.noun}"
    values = {attribute.name: draw.pick(attribute.values) for attribute in category.attributes}
    values |= category.agree(values) if category.agree else {}
    withheld = tuple(draw.sample(category.attributes, round(WITHHELD * len(category.attributes))))
    listed = tuple(a for a in category.attributes if a not in withheld)
    sku = f"{''.join(draw.sample(LETTERS, 3))}-{model}-{draw.between(1000, 9999)}"
    data: dict[str, Any] = {
        "@type": "Product",
        "name": name,
        "sku": sku,
        "gtin13": f"{draw.between(10**12, 10**13 - 1)}",
        "brand": {"@type": "Brand", "name": maker},
        "category": category.noun,
        **_own_fields(listed, values),
        "additionalProperty": _properties(listed, values),
        "offers": _offer(category, market, language, draw),
        "aggregateRating": _rating(draw),
    }
    data |= _variants(category, sku, data["offers"], draw)
    short = f"{maker} {form}"
    return Product(category, maker, form, short, name, values, listed, withheld, data)


def _own_fields(listed: tuple[Attribute, ...], values: dict[str, Value]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for attribute in listed:
        value = values[attribute.name]
        if attribute.field and attribute.kind == "number":
            found[attribute.field] = {
                "@type": "QuantitativeValue",
                "value": value,
                "unitText": attribute.unit,
            }
        elif attribute.field:
            found[attribute.field] = value
    return found


def _properties(listed: tuple[Attribute, ...], values: dict[str, Value]) -> list[dict[str, Any]]:
    found = []
    for attribute in listed:
        if attribute.field:
            continue
        entry: dict[str, Any] = {
            "@type": "PropertyValue",
            "name": attribute.name,
            "value": values[attribute.name],
        }
        if attribute.unit:
            entry["unitText"] = attribute.unit
        found.append(entry)
    return found


def _offer(category: Category, market: Market, language: Language, draw: Draw) -> dict[str, Any]:
    price = draw.between(*category.prices) - draw.pick((0, 0, 0, 0.01, 0.1, 0.5))
    availability = draw.weighted(STOCKS)
    low, high = LEFT[availability]
    left = draw.between(low, high)
    # A pre-order has to be made first.
    wait = draw.between(10, 20) if availability == "PreOrder" else 0
    offer: dict[str, Any] = {
        "@type": "Offer",
        "price": round(price, 2),
        "priceCurrency": market.currency,
        "availability": availability,
        "inventoryLevel": {"@type": "QuantitativeValue", "value": left},
        "itemCondition": "NewCondition",
        "shippingDetails": {
            "@type": "OfferShippingDetails",
            "shippingRate": {
                "@type": "MonetaryAmount",
                "value": market.rate,
                "currency": market.currency,
            },
            "shippingDestination": list(market.places),
            "deliveryTime": {
                "minValue": market.days[0] + wait,
                "maxValue": market.days[1] + wait,
                "unitText": language.phrase("unit.days"),
            },
        },
        "hasMerchantReturnPolicy": {
            "@type": "MerchantReturnPolicy",
            "merchantReturnDays": market.return_days,
            "returnFees": market.return_fees,
        },
    }
    if draw.chance(0.6):
        offer["priceSpecification"] = [_coupon(price, market, language, draw)]
    extras = _extras(category, price, language, draw)
    return offer | ({"addOn": extras} if extras else {})


def _discounted(price: float, percent: int) -> float:
    """Half a cent is rounded up, as tills do; a float would go either way."""
    exact = Decimal(str(price)) * (100 - percent) / 100
    return float(exact.quantize(Decimal("0.01"), ROUND_HALF_UP))


def _coupon(price: float, market: Market, language: Language, draw: Draw) -> dict[str, Any]:
    percent = draw.pick((5, 8, 10, 12, 15, 20, 25))
    return {
        "@type": "PriceSpecification",
        "name": draw.pick(language.phrases["coupon.name"]).format(percent=percent),
        "discount": percent,
        "price": _discounted(price, percent),
        "priceCurrency": market.currency,
        "validThrough": f"2026-{draw.between(1, 12):02d}-{draw.between(1, 28):02d}",
    }


def _extras(
    category: Category, price: float, language: Language, draw: Draw
) -> list[dict[str, Any]]:
    extras: list[dict[str, Any]] = []
    if draw.chance(0.45):
        cost = round(price * 2 * draw.pick((0.8, 0.85, 0.9)), 2)
        two = language.phrase("two_pack")
        extras.append({"@type": "Offer", "name": "pack", "itemOffered": two, "price": cost})
    if draw.chance(0.45):
        gift = draw.pick(category.gifts)
        extras.append({"@type": "Offer", "name": "gift", "itemOffered": gift, "price": 0})
    return extras


def _rating(draw: Draw) -> dict[str, Any]:
    value = draw.between(38, 49) / 10
    return {"@type": "AggregateRating", "ratingValue": value, "reviewCount": draw.between(12, 2400)}


def _variants(category: Category, sku: str, offer: dict[str, Any], draw: Draw) -> dict[str, Any]:
    """Colours, and sizes where the category has a chart, each with its own stock. A product that
    is sold out is so in every variant; one that is in stock is so in at least one, and in no more
    than there are pieces left."""
    availability, left = offer["availability"], offer["inventoryLevel"]["value"]
    sizes = [size.name for size in category.chart.sizes] if category.chart else [""]
    colors = draw.sample(category.colors, 2)
    pairs = [(color, size) for color in colors for size in sizes]
    if not pairs:
        return {}
    gone = [pair for pair in pairs if draw.chance(0.22)]
    there = [pair for pair in pairs if pair not in gone] or pairs[:1]
    if availability == "LimitedAvailability":
        there = draw.sample(there, left)
    variants = []
    for number, (color, size) in enumerate(pairs, 1):
        stock = "InStock" if availability == "LimitedAvailability" else availability
        stock = "OutOfStock" if (color, size) not in there and stock == "InStock" else stock
        entry = {"@type": "Product", "sku": f"{sku}-{number}", "color": color}
        if size:
            entry["size"] = size
        variants.append(entry | {"offers": {"@type": "Offer", "availability": stock}})
    chart = {"size": _chart(category.chart)} if category.chart else {}
    return {
        "color": ", ".join(colors),
        **chart,
        "variesBy": ["color", "size"] if category.chart else ["color"],
        "hasVariant": variants,
    }


def _chart(chart: Chart) -> list[dict[str, Any]]:
    return [
        {
            "@type": "SizeSpecification",
            "name": size.name,
            "suggestedMeasurement": [
                {
                    "name": measure,
                    "minValue": low,
                    "maxValue": high,
                    "unitText": chart.units[measure],
                }
                for measure, low, high in size.ranges
            ],
        }
        for size in chart.sizes
    ]
