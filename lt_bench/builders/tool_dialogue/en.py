"""How English customers and agents talk."""

from __future__ import annotations

from typing import Final

from lt_bench.builders.commerce_qa.en import slips
from lt_bench.builders.tool_dialogue.en_agent import AGENT
from lt_bench.builders.tool_dialogue.en_asks import ASKS
from lt_bench.builders.tool_dialogue.en_silent import SILENT
from lt_bench.builders.tool_dialogue.en_thoughts import THOUGHTS
from lt_bench.builders.tool_dialogue.language import Language, Matter
from lt_bench.builders.tool_dialogue.wording import Wordings

_STATED: Final = {
    "processing": (
        "processing", "being processed", "in progress", "not shipped", "hasn't shipped",
        "still with us",
    ),
    "shipped": (
        "shipped", "on its way", "in transit", "on the way", "under way", "dispatched",
        "left us",
    ),
    "delivered": ("delivered", "arrived", "has been delivered", "was delivered"),
    "cancelled": ("cancelled", "cancel", "canceled", "cancellation", "called off"),
    "in stock": ("in stock", "available", "have it", "we have", "left", "yes"),
    "out of stock": (
        "out of stock", "sold out", "not in stock", "unavailable", "not available", "none left",
        "no stock", "isn't in stock", "not have", "isn't available", "0 in stock", "0 left",
        "no pieces",
    ),
    "not": (
        "not", "can't", "cannot", "unable", "isn't", "won't", "sorry", "unfortunately",
        "impossible", "no longer", "doesn't", "couldn't", "refused", "only",
    ),
    "not found": (
        "not found", "no coupon", "nothing", "no match", "not valid", "invalid", "no order",
        "couldn't find", "can't find", "cannot find", "not find", "unknown", "doesn't exist",
        "no such", "not know", "don't have", "isn't known", "not known", "don't see",
    ),
    "order number": (
        "order number", "which order", "order id", "number of the order", "number of your order",
        "order no",
    ),
    "reason": ("reason", "why"),
    "address": ("address", "street", "postcode", "zip", "city"),
    "postcode": ("postcode", "zip", "postal code", "post code"),
    "customer number": (
        "customer number", "e-mail", "email", "customer id", "account", "customer no",
    ),
    "which": ("which", "do you mean", "first", "one"),
    "code": ("code", "coupon", "which coupon"),
    "expired": (
        "expired", "no longer valid", "not valid", "ran out", "run out", "invalid",
        "out of date",
    ),
    "one": ("one", "only one", "single", "1", "a second"),
    "yes": ("yes", "it is", "done", "already", "that's right", "correct", "has been"),
    "before_shipping": (
        "once it has been shipped", "processing", "being processed", "shipped", "ships",
        "dispatched",
    ),
    "faulty": ("defective", "damaged", "faulty", "wrong item"),
    "once": ("once", "one time", "only one", "twice", "a second time", "single"),
    "difference": ("difference", "today's price", "current price", "pay more", "refunded"),
    "full": ("in full", "full", "everything", "whole", "entire", "all of it", "100%"),
    "none": ("none", "no order", "no open", "nothing", "no orders", "any"),
    "variant": ("colour", "color", "size", "variant", "version", "which one"),
    "returned": (
        "refunded", "return", "returned", "returning", "take it back", "taken back", "refund",
        "come back", "sent back", "send it back", "goes back",
    ),
    "exchanged": (
        "exchanged", "exchange", "exchanging", "swapping", "replacement", "swap", "swapped",
        "replace", "replaced", "instead",
    ),
    "changed": (
        "changed", "change", "now in", "is now", "now has", "switched", "updated", "replaced",
        "instead",
    ),
    "applied": (
        "is on", "applied", "apply", "works", "total", "discounted", "added", "used", "discount",
        "now comes", "taken off",
    ),
    "moved": (
        "will now go", "address", "go to", "going to", "ship", "shipped", "send", "sent",
        "redirected", "will go", "be sent", "delivered to", "goes to", "shipped to",
    ),
}  # fmt: skip


_GOODS: Final = (
    "search_products", "check_stock", "get_price", "get_product", "place_order",
    "change_order_item", "exchange_item",
)  # fmt: skip
_MATTERS: Final = (
    Matter(
        ("cancelled", "canceled", "cancel", "cancellation", "called off"),
        r"cancel|call(?:ed)? (?:it |that )?off|processing",
    ),
    Matter(
        ("exchanged", "swapped"),
        r"exchang|swap|replac|switch|instead|another|different|other (?:one|colou?r|size)",
        tools=("exchange_item", "change_order_item"),
    ),
    Matter(("returned", "take it back"), r"return|refund|\bback\b|cancel", tools=("return_order",)),
    Matter(
        ("expired", "no longer valid", "not valid", "out of date", "ran out", "run out"),
        r"expir|valid|coupon|code|voucher|discount",
    ),
    Matter(
        ("applied",), r"coupon|code|voucher|discount|appl|rule|refund|\bback\b|return|chang|pay"
    ),
    Matter(
        (
            "out of stock", "sold out", "not in stock", "isn't in stock", "none left", "no stock",
            "unavailable", "not available", "isn't available",
        ),
        r"stock|sold|\bleft\b|avail",
        tools=_GOODS,
    ),
    Matter(("not shipped", "hasn't shipped"), r"parcel|ship|track|deliver|arriv|order|cancel|address"),
    Matter(("postcode",), r"address|street|post|zip|ship|send|deliver|mov(?:e|ing)\b|country"),
    Matter(("coupon code",), r"coupon|code|voucher|discount"),
    Matter(("defective", "faulty"), r"defect|fault|broke|damag|return|exchang|wrong item|open"),
    Matter(
        ("i can't", "i cannot", "i am unable", "i'm unable", "not possible"),
        r"can't|cannot|unable|not possible",
        when="done",
    ),
    Matter(
        ("not found", "no such", "couldn't find", "no coupon", "don't have"),
        r"not found|no such|find|unknown|no (?:order|coupon|product|customer)|exist|have|stock|sold",
        when="called",
    ),
    Matter(
        ("which order", "customer number"),
        r"which|find|number|e-mail|customer|no (?:order|coupon)",
        when="called",
    ),
    Matter(("which order",), r"which|order number", when="asked"),
    Matter(("why", "reason"), r"why|reason|\bhow come", when="asked"),
)  # fmt: skip


def _money(amount: float) -> str:
    return f"${amount:,.2f}"


def _variant(color: str, size: str) -> str:
    return f"{color}, {size}" if size else color


def _listed(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


ENGLISH: Final = Language(
    code="en",
    wordings=Wordings({**ASKS, **SILENT, **AGENT, **THOUGHTS}),
    statuses={
        "processing": "being processed",
        "shipped": "on its way",
        "delivered": "delivered",
        "cancelled": "cancelled",
    },
    stated=_STATED,
    matters=_MATTERS,
    gap=" ",
    slips=slips.SLIPS,
    careless=slips.careless,
    money=_money,
    variant=_variant,
    listed=_listed,
)
