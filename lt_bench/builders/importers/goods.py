"""Parts of a schema.org Product, made in one shape for every catalogue that is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from lt_bench.builders.importers.availability import best
from lt_bench.builders.importers.money import Money

Product = dict[str, Any]

_FIELDS: Final = {
    "color": "color",
    "colour": "color",
    "colors": "color",
    "size": "size",
    "material": "material",
    "pattern": "pattern",
    "颜色": "color",
    "尺码": "size",
    "尺寸": "size",
    "材质": "material",
}
_MEASURE: Final = re.compile(
    r"(\d+(?:\.\d+)?)\s*([^\W\d_][^\W\d_/²³]{0,9}[²³]?|%|°C|℃|㎡|\")", re.ASCII
)
_OWN: Final = ("@type", "@id", "name", "sku", "gtin", "mpn", "url", "offers")
"""Fields that each variant keeps for itself."""
_TERMS: Final = ("itemCondition", "shippingDetails", "hasMerchantReturnPolicy")
_INTEGER: Final = re.compile(r"-?\d{1,9}", re.ASCII)
_DECIMAL: Final = re.compile(r"-?\d{1,9}\.\d{1,6}", re.ASCII)
_TRUTH: Final = {"yes": True, "true": True, "no": False, "false": False, "是": True, "否": False}


def field_of(option: str) -> str | None:
    """The schema.org field that an option of a shop fills ("Colour" → color); None for others."""
    return _FIELDS.get(option.strip().casefold())


def quantity(value: float, unit: str) -> dict[str, Any]:
    """A measured value with its unit."""
    return {"@type": "QuantitativeValue", "value": value, "unitText": unit}


def measured(text: str) -> dict[str, Any] | str:
    """ "3 kg" as a quantity, anything else as it is."""
    match = _MEASURE.fullmatch(text.strip())
    return quantity(plain_number(float(match[1])), match[2]) if match else text.strip()


def property_value(name: str, value: str | float | bool) -> dict[str, Any]:
    """An additionalProperty; "4000 mAh" becomes 4000 with its unit, "yes" a True."""
    entry: dict[str, Any] = {"@type": "PropertyValue", "name": name.strip()}
    if not isinstance(value, str):
        return entry | {"value": value}
    text = value.strip()
    match = _MEASURE.fullmatch(text)
    if match:
        return entry | {"value": plain_number(float(match[1])), "unitText": match[2]}
    if _INTEGER.fullmatch(text) or _DECIMAL.fullmatch(text):
        return entry | {"value": plain_number(float(text))}
    return entry | {"value": _TRUTH.get(text.casefold(), text)}


def plain_number(value: float) -> int | float:
    """12 rather than 12.0."""
    return int(value) if value == int(value) else value


def option_fields(options: Iterable[tuple[str, str]]) -> Product:
    """(name, value) pairs of a variant as fields of its Product, others as additionalProperty."""
    found: Product = {}
    others = []
    for name, value in options:
        field = field_of(name)
        if field and field not in found:
            found[field] = value
        else:
            others.append({"@type": "PropertyValue", "name": name.strip(), "value": value})
    return found | ({"additionalProperty": others} if others else {})


def offer(
    price: Money | None,
    availability: str | None = None,
    left: int | None = None,
    regular: Money | None = None,
) -> dict[str, Any]:
    """An Offer. `left` is the number in stock; `regular` the price before a reduction."""
    made: dict[str, Any] = {"@type": "Offer", **_priced(price)}
    if availability:
        made["availability"] = availability
    if left is not None:
        made["inventoryLevel"] = {"@type": "QuantitativeValue", "value": left}
    if regular and price and regular.amount > price.amount:
        made["priceSpecification"] = [
            {
                "@type": "UnitPriceSpecification",
                "priceType": "StrikethroughPrice",
                **_priced(regular),
            }
        ]
    return made


def _priced(price: Money | None) -> dict[str, Any]:
    if price is None:
        return {}
    currency = {"priceCurrency": price.currency} if price.currency else {}
    return {"price": plain_number(price.amount), **currency}


def with_variants(
    product: Product, variants: Sequence[Product], varies_by: Sequence[str]
) -> Product:
    """A product that comes in several kinds: what they all have in common stands above them, and
    its own offer sums up theirs. `varies_by` are the shop's names of its options."""
    varies = list(dict.fromkeys(field_of(name) or name for name in varies_by))
    shared = _in_common(variants, (*_OWN, *varies))
    group = product | {key: value for key, value in shared.items() if key not in product}
    kept = [
        {k: v for k, v in variant.items() if k in _OWN or group.get(k) != v} for variant in variants
    ]
    offers = summary([variant.get("offers", {}) for variant in variants])
    named = {"variesBy": varies} if varies else {}
    return group | {"offers": offers} | named | {"hasVariant": kept}


def _in_common(tables: Sequence[dict[str, Any]], besides: Sequence[str]) -> dict[str, Any]:
    """The fields that all have with the same value."""
    first = tables[0] if tables else {}
    return {
        key: value
        for key, value in first.items()
        if key not in besides and all(table.get(key) == value for table in tables)
    }


def summary(offers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One Offer where all cost the same, an AggregateOffer with the range where they do not; the
    terms that all have in common (shipping, returns, condition) with it."""
    prices = [offer["price"] for offer in offers if "price" in offer]
    currencies = {offer.get("priceCurrency") for offer in offers if "price" in offer}
    state = best(offer["availability"] for offer in offers if offer.get("availability"))
    common = _in_common(offers, ())
    terms: dict[str, Any] = {"availability": state} if state else {}
    terms |= {key: common[key] for key in _TERMS if key in common}
    if not prices or len(currencies) > 1:
        return {"@type": "AggregateOffer", "offerCount": len(offers), **terms}
    currency = next(iter(currencies))
    money = {"priceCurrency": currency} if currency else {}
    if min(prices) == max(prices) and len(prices) == len(offers):
        return {"@type": "Offer", "price": prices[0], **money, **terms}
    span = {"lowPrice": min(prices), "highPrice": max(prices), **money}
    return {"@type": "AggregateOffer", **span, "offerCount": len(offers), **terms}
