"""A schema.org Product as the lines that a person would read, each "label: value"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, TypeGuard

from lt_bench.builders.importers.sheet_words import SheetWords

_ELSEWHERE: Final = frozenset(
    {
        "name", "description", "offers", "hasVariant", "additionalProperty", "aggregateRating",
        "review", "variesBy", "productGroupID", "inProductGroupWithID", "sku", "mpn", "productID",
        "gtin", "gtin8", "gtin12", "gtin13", "gtin14", "isbn", "url", "image", "identifier",
        "isVariantOf", "mainEntityOfPage", "logo", "sameAs", "alternateName", "disambiguatingDescription",
    }
)  # fmt: skip
"""Fields with a line of their own, or with nothing that a viewer would ask."""
_MAX_VARIANTS: Final = 200
_MAX_PLACES: Final = 10


def sheet(product: dict[str, Any], words: SheetWords) -> str:
    """The text of a product's document."""
    return "\n".join(
        (
            str(product["name"]),
            *_offer(product.get("offers"), words),
            *_fields(product, words),
            *_properties(product, words),
            *_variants(product, words),
            *_service(product.get("offers"), words),
            *_rating(product.get("aggregateRating"), words),
            *_lines(product.get("description")),
        )
    )


def _lines(text: object) -> Iterator[str]:
    if isinstance(text, str) and text.strip():
        yield text.strip()


def money(value: float, currency: Any, words: SheetWords) -> str:
    """ "15.00 USD", or "¥15" where the language writes a sign."""
    if not isinstance(currency, str):
        return f"{value:.2f}"
    if currency in words.symbols:
        return f"{words.symbols[currency]}{value:.2f}".removesuffix(".00")
    return f"{value:.2f} {currency}"


def _offer(offers: Any, words: SheetWords) -> Iterator[str]:
    """Price and stock of the one offer, or of each of several."""
    for one in _objects(offers):
        price = _price(one, words)
        if price:
            yield f"{words.price}{words.colon}{price}"
        yield from _sales(one, words)
        stock = _stock(one, words)
        if stock:
            yield f"{words.stock_label}{words.colon}{stock}"
        condition = one.get("itemCondition")
        if isinstance(condition, str):
            yield f"{_label('itemCondition', words)}{words.colon}{_condition(condition)}"


def _price(one: dict[str, Any], words: SheetWords) -> str:
    currency = one.get("priceCurrency")
    low, high = one.get("lowPrice"), one.get("highPrice")
    if _is_number(low) and _is_number(high) and low != high:
        shown = words.prices.format(
            low=money(low, currency, words), high=money(high, currency, words)
        )
    elif _is_number(price := one.get("price", low)):
        shown = money(price, currency, words)
    else:
        return ""
    for spec in _objects(one.get("priceSpecification")):
        price = spec.get("price")
        if spec.get("priceType") == "StrikethroughPrice" and _is_number(price):
            before = money(price, spec.get("priceCurrency"), words)
            shown += words.comma + words.regular.format(price=before)
    return shown


def _sales(one: dict[str, Any], words: SheetWords) -> Iterator[str]:
    for spec in _objects(one.get("priceSpecification")):
        if spec.get("validFrom") and _is_number(spec.get("price")):
            dates = words.sale_until.format(
                start=spec["validFrom"], end=spec.get("validThrough", "")
            )
            shown = money(spec["price"], spec.get("priceCurrency"), words)
            yield f"{words.sale}{words.colon}{shown}{words.comma}{dates}"


def _stock(one: dict[str, Any], words: SheetWords) -> str:
    state = one.get("availability")
    parts = [words.stock.get(state, state)] if isinstance(state, str) else []
    level = one.get("inventoryLevel")
    left = level.get("value") if isinstance(level, dict) else level
    if _is_number(left) and left > 0:
        parts.append(words.left.format(n=left))
    return words.comma.join(parts)


def _fields(product: dict[str, Any], words: SheetWords) -> Iterator[str]:
    for key, value in product.items():
        if key in _ELSEWHERE or key.startswith("@"):
            continue
        shown = _value(value, words)
        if shown:
            yield f"{_label(key, words)}{words.colon}{shown}"


def _properties(product: dict[str, Any], words: SheetWords) -> Iterator[str]:
    for entry in _objects(product.get("additionalProperty")):
        if isinstance(entry.get("name"), str):
            shown = _value(entry, words)
            if shown:
                name = entry["name"].strip()
                yield f"{name[:1].upper()}{name[1:]}{words.colon}{shown}"


def _variants(product: dict[str, Any], words: SheetWords) -> Iterator[str]:
    """One line a variant: "Colour black, size S: 20.00 USD, in stock, 4 left"."""
    for variant in _objects(product.get("hasVariant"))[:_MAX_VARIANTS]:
        offers = variant.get("offers")
        one = offers if isinstance(offers, dict) else {}
        weight = _value(variant.get("weight"), words)
        told = [part for part in (_price(one, words), _stock(one, words), weight) if part]
        name = _variant_name(product, variant, words)
        if name and told:
            yield f"{name}{words.colon}{words.comma.join(told)}"
        elif name:
            yield f"{words.variants}{words.colon}{name}"


def _variant_name(product: dict[str, Any], variant: dict[str, Any], words: SheetWords) -> str:
    named = [
        (_label(key, words), value)
        for key in ("color", "size", "material", "pattern")
        if (value := _value(variant.get(key), words))
    ]
    named += [
        (entry["name"], value)
        for entry in _objects(variant.get("additionalProperty"))
        if (value := _value(entry, words)) and isinstance(entry.get("name"), str)
    ]
    if not named:
        name = str(variant.get("name") or variant.get("sku") or "")
        return "" if name == product["name"] else name
    gap = "" if words.colon == "：" else " "
    shown = words.comma.join(f"{label.lower()}{gap}{value}" for label, value in named)
    return shown[:1].upper() + shown[1:]


def _service(offers: Any, words: SheetWords) -> Iterator[str]:
    one = _first(offers)
    for detail in _objects(one.get("shippingDetails"))[:_MAX_PLACES]:
        yield from _shipping(detail, words)
    yield from _returns(_first(one.get("hasMerchantReturnPolicy")), words)


def _shipping(details: dict[str, Any], words: SheetWords) -> Iterator[str]:
    rate, time = _first(details.get("shippingRate")), _first(details.get("deliveryTime"))
    time = _first(time.get("transitTime")) or time
    parts = []
    if _is_number(cost := rate.get("value")):
        parts.append(money(cost, rate.get("currency"), words) if cost else words.free)
    if _is_number(low := time.get("minValue")) and _is_number(high := time.get("maxValue")):
        parts.append(words.days.format(low=low, high=high))
    place = _value(details.get("shippingDestination"), words)
    if parts and place:
        parts.append(words.to.format(places=place))
    if parts:
        yield f"{words.shipping}{words.colon}{words.comma.join(parts)}"


def _returns(policy: dict[str, Any], words: SheetWords) -> Iterator[str]:
    days = policy.get("merchantReturnDays")
    if policy.get("returnPolicyCategory") == "MerchantReturnNotPermitted":
        yield words.no_returns.format(colon=words.colon)
    elif _is_number(days):
        line = words.returns.format(colon=words.colon, n=days)
        free = policy.get("returnFees") == "FreeReturn"
        yield f"{line}{words.comma}{words.return_free}" if free else line


def _rating(rating: Any, words: SheetWords) -> Iterator[str]:
    rating = _first(rating)
    value = rating.get("ratingValue")
    if value is None or isinstance(value, dict | list):
        return
    line = words.rating.format(colon=words.colon, value=value, best=rating.get("bestRating", 5))
    count = rating.get("reviewCount", rating.get("ratingCount"))
    yield line if count is None else f"{line}{words.comma}{words.reviews.format(n=count)}"


def _objects(node: Any) -> list[dict[str, Any]]:
    """schema.org allows one thing wherever it allows several."""
    return [item for item in (node if isinstance(node, list) else [node]) if isinstance(item, dict)]


def _first(node: Any) -> dict[str, Any]:
    return next(iter(_objects(node)), {})


def _value(value: Any, words: SheetWords, depth: int = 0) -> str:
    """A plain value, a quantity with its unit, the name of a thing, or a list of these."""
    if isinstance(value, bool):
        return words.yes if value else words.no
    if isinstance(value, int | float):
        return f"{value:g}" if abs(value) < 1e6 else str(value)
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list) and depth < 3:
        return ", ".join(filter(None, (_value(item, words, depth + 1) for item in value[:50])))
    if isinstance(value, dict) and depth < 3:
        return _described(value, words, depth)
    return ""


def _described(value: dict[str, Any], words: SheetWords, depth: int) -> str:
    unit = value.get("unitText") or value.get("unitCode") or ""
    if "value" in value:
        return f"{_value(value['value'], words, depth + 1)} {unit}".strip()
    low, high = value.get("minValue"), value.get("maxValue")
    if _is_number(low) and _is_number(high):
        return f"{low}-{high} {unit}".strip()
    return _value(value.get("name") or value.get("addressCountry"), words, depth + 1)


def _label(key: str, words: SheetWords) -> str:
    if key in words.fields:
        return words.fields[key]
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", key).lower()
    return spaced[:1].upper() + spaced[1:]


def _condition(name: str) -> str:
    return name.removesuffix("Condition").lower() or name


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
