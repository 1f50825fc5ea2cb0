"""A product sheet as a person would read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lt_bench.builders.commerce_qa.en.wording import quantity

if TYPE_CHECKING:
    from lt_bench.builders.commerce_qa.product import Product

STOCK = {
    "InStock": "in stock",
    "LimitedAvailability": "in stock, but only a few left",
    "OutOfStock": "sold out",
    "PreOrder": "pre-order",
}


def sheet(product: Product, slot: int) -> str:
    """The lines of a product: slot and name, offer, properties, variants, service."""
    properties = (f"{a.label}: {quantity(product.values[a.name], a.unit)}" for a in product.listed)
    data = product.data
    return "\n".join(
        (
            f"No. {slot}: {product.name}",
            *_offer(data["offers"]),
            *properties,
            *_variants(data),
            *_chart(data),
            *_service(data["offers"]),
            _rating(data["aggregateRating"]),
        )
    )


def _offer(offers: dict[str, Any]) -> list[str]:
    currency = offers["priceCurrency"]
    coupons = (
        f"Coupon {coupon['name']}: {coupon['discount']} % off, {coupon['price']:.2f} {currency}, "
        f"valid until {coupon['validThrough']}"
        for coupon in offers.get("priceSpecification", ())
    )
    bundles = (
        f"Bundle: {extra['itemOffered']}, "
        + (f"{extra['price']:.2f} {currency}" if extra["price"] else "free gift")
        for extra in offers.get("addOn", ())
    )
    left, stock = offers["inventoryLevel"]["value"], STOCK[offers["availability"]]
    return [
        f"Price: {offers['price']:.2f} {currency}",
        *coupons,
        *bundles,
        f"Stock: {stock}, {left} left" if left else f"Stock: {stock}",
    ]


def _variants(data: dict[str, Any]) -> list[str]:
    """One line a colour: "Black: S, M in stock; L sold out", or "Colours: black in stock"."""
    rows: dict[str, dict[str, list[str]]] = {}
    for variant in data.get("hasVariant", ()):
        stock = STOCK[variant["offers"]["availability"]]
        rows.setdefault(variant["color"], {}).setdefault(stock, []).append(variant.get("size", ""))
    return [
        f"Colour {color}: "
        + "; ".join(
            f"{', '.join(s for s in sizes if s)} {stock}".strip()
            for stock, sizes in by_stock.items()
        )
        for color, by_stock in rows.items()
    ]


def _chart(data: dict[str, Any]) -> list[str]:
    rows = [
        f"{size['name']}: "
        + ", ".join(
            f"{m['name']} {m['minValue']}-{m['maxValue']} {m['unitText']}"
            for m in size["suggestedMeasurement"]
        )
        for size in data.get("size", ())
    ]
    return ["Size chart (between two sizes take the larger): " + "; ".join(rows)] if rows else []


def _service(offers: dict[str, Any]) -> list[str]:
    shipping, returns = offers["shippingDetails"], offers["hasMerchantReturnPolicy"]
    rate, days = shipping["shippingRate"], shipping["deliveryTime"]
    cost = "free" if rate["value"] == 0 else f"{rate['value']:.2f} {rate['currency']}"
    postage = "free" if returns["returnFees"] == "FreeReturn" else "paid by the buyer"
    return [
        f"Shipping: {cost}, {days['minValue']} to {days['maxValue']} days, "
        f"to {' and '.join(shipping['shippingDestination'])}",
        f"Returns: within {returns['merchantReturnDays']} days, return postage {postage}",
    ]


def _rating(rating: dict[str, Any]) -> str:
    return f"Rating: {rating['ratingValue']} of 5 stars, {rating['reviewCount']} reviews"
