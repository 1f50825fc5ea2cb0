"""What a shop says in one language: descriptions of its tools, its rules, its answers to mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Rule = Literal[
    "open_only",
    "postcode",
    "same_product",
    "difference",
    "in_stock",
    "quantity",
    "shipping",
    "coupon_one",
    "coupon_expired",
    "coupon_minimum",
    "coupon_once",
    "cancel_refund",
    "delivered_only",
    "window",
    "once",
    "opened",
    "return_refund",
]
"""What the write tools hold to, in the order of the policy."""

Saying = Literal[
    "unknown_tool",
    "unknown_id",
    "unknown_coupon",
    "not_in_order",
    "already_in_order",
    "other_product",
    "twice",
    "not_offered",
    "no_sizes",
    "no_variant",
    "status",
    "has_coupon",
    "expired",
    "goods_short",
    "used",
    "stock",
    "days_ago",
    "went_back",
    "not_returnable",
    "not_shipped",
    "was_cancelled",
    "nearest",
    "failed",
    "no_object",
    "missing",
    "unknown_argument",
    "one_needed",
    "wrong_type",
    "not_one_of",
    "wrong_form",
    "too_small",
    "too_large",
    "too_short",
    "too_long",
    "too_few",
    "too_many",
    "not_unique",
    "no_text",
    "no_number",
    "too_big",
    "no_json",
]


@dataclass(frozen=True)
class Texts:
    """`tools` and `arguments` describe, `rules` and `sayings` are filled in; `types` names the types
    of JSON. `today` opens the policy."""

    today: str
    tools: dict[str, str]
    arguments: dict[str, str]
    rules: dict[Rule, str]
    sayings: dict[Saying, str]
    types: dict[str, str]
