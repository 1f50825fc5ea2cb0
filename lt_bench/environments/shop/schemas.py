"""The tools of a shop in OpenAI's form: names, descriptions and JSON Schema of their arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, get_args

from lt_bench.environments.shop.policy import MOST_PIECES
from lt_bench.environments.shop.records import CancelReason, ReturnReason, ShopLang, Status
from lt_bench.environments.shop.words import MARKETS, TEXTS

LONGEST_TEXT: Final = 200
"""Characters of a text argument."""
MOST_ITEMS: Final = 10
SORTS: Final = ("relevance", "price_low", "price_high", "rating")


@dataclass(frozen=True)
class Signature:
    """Arguments that a tool needs and may take; `kinds` says which kind of argument stands behind a
    name where the name alone does not tell."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()


READING: Final[dict[str, Signature]] = {
    "search_products": Signature(
        (), ("query", "category", "color", "size", "max_price", "in_stock", "sort")
    ),
    "get_product": Signature(("product_id",)),
    "check_stock": Signature(("product_id",), ("color", "size")),
    "get_price": Signature(("product_id",), ("color", "size", "quantity", "coupon")),
    "check_coupon": Signature(("code",)),
    "get_order": Signature(("order_id",)),
    "find_orders": Signature(("customer",), ("status",)),
    "track_shipment": Signature(("order_id",)),
}
_RETURN: Final = (("reason", "return_reason"),)
WRITING: Final[dict[str, Signature]] = {
    "place_order": Signature(("customer", "items"), ("coupon",)),
    "cancel_order": Signature(("order_id", "reason"), kinds=(("reason", "cancel_reason"),)),
    "change_order_address": Signature(("order_id", "street", "city", "postcode")),
    "change_order_item": Signature(("order_id", "sku", "new_sku")),
    "apply_coupon": Signature(("order_id", "code")),
    "return_order": Signature(("order_id", "skus", "reason"), kinds=_RETURN),
    "exchange_item": Signature(("order_id", "sku", "new_sku", "reason"), kinds=_RETURN),
}
SIGNATURES: Final = {**READING, **WRITING}


def tool_schemas(lang: ShopLang = "en") -> tuple[dict[str, Any], ...]:
    """All tools, those that read first."""
    return tuple(
        {
            "type": "function",
            "function": {
                "name": name,
                "description": TEXTS[lang].tools[name],
                "parameters": parameters(lang, name),
            },
        }
        for name in SIGNATURES
    )


def parameters(lang: ShopLang, tool: str) -> dict[str, Any]:
    """The schema of a tool's arguments. Where none is required, at least one must be given."""
    signature = SIGNATURES[tool]
    kinds, known = dict(signature.kinds), _arguments(lang)
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            name: known[kinds.get(name, name)]
            for name in (*signature.required, *signature.optional)
        },
        "required": list(signature.required),
        "additionalProperties": False,
    }
    return schema if signature.required else {**schema, "minProperties": 1}


def _arguments(lang: ShopLang) -> dict[str, dict[str, Any]]:
    """Every kind of argument, described."""
    market, says = MARKETS[lang], TEXTS[lang].arguments
    text = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}
    sku = {"type": "string", "pattern": "^P[0-9]{4}-[0-9]{2}$"}
    quantity = {"type": "integer", "minimum": 1, "maximum": MOST_PIECES}
    item = {
        "type": "object",
        "properties": {
            "sku": {**sku, "description": says["sku"]},
            "quantity": {**quantity, "description": says["quantity"]},
        },
        "required": ["sku", "quantity"],
        "additionalProperties": False,
    }
    kinds: dict[str, dict[str, Any]] = {
        **dict.fromkeys(("query", "color", "size", "coupon", "code", "street", "city"), text),
        "category": _choice([kind.category for kind in market.kinds]),
        "max_price": {"type": "number", "minimum": 0.01},
        "in_stock": {"type": "boolean"},
        "sort": _choice(SORTS),
        "product_id": {"type": "string", "pattern": "^P[0-9]{4}$"},
        "quantity": quantity,
        "order_id": {"type": "string", "pattern": "^A[0-9]{5,7}$"},
        "customer": text,
        "status": _choice(get_args(Status)),
        "items": {"type": "array", "items": item, "minItems": 1, "maxItems": MOST_ITEMS},
        "sku": sku,
        "new_sku": sku,
        "skus": {
            "type": "array",
            "items": sku,
            "minItems": 1,
            "maxItems": MOST_ITEMS,
            "uniqueItems": True,
        },
        "cancel_reason": _choice(get_args(CancelReason)),
        "return_reason": _choice(get_args(ReturnReason)),
        "postcode": {"type": "string", "pattern": f"^[0-9]{{{market.postcode_digits}}}$"},
    }
    return {name: {**kind, "description": says[name]} for name, kind in kinds.items()}


def _choice(values: Any) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}
