"""What an English agent thinks before it calls or speaks: one or two short sentences."""

from __future__ import annotations

from typing import Final

THOUGHTS: Final[dict[str, tuple[str, ...]]] = {
    "think.search_products": (
        "I need the product number first, so I search for it.",
        "The user gave no product number: I search the shop.",
    ),
    "think.search_filter": (
        "The user wants goods by category and price, so I search with these filters.",
    ),
    "think.get_product": (
        "Material, weight, warranty and rating are among the details of {product_id}.",
    ),
    "think.check_stock": ("Stock by variant is what check_stock tells, for {product_id}.",),
    "think.get_price": (
        "The user asks for a price: get_price for {product_id} with what was named.",
    ),
    "think.check_coupon": ("I look the code {code} up before I say anything about it.",),
    "think.get_order": ("I need what order {order_id} holds.",),
    "think.find_orders": (
        "The order number is not given, but the customer is: I look at the orders of {customer}.",
    ),
    "think.track_shipment": ("The user wants to know where the parcel of {order_id} is.",),
    "think.place_order": ("Variant, quantity and customer are known, so I place the order.",),
    "think.cancel_order": ("Order number and reason ({reason}) are given: I cancel {order_id}.",),
    "think.change_order_address": ("The whole new address is given: I change it on {order_id}.",),
    "think.change_order_item": (
        "{new_sku} is the variant wanted and it is in stock: I change {sku} to it.",
    ),
    "think.apply_coupon": ("Code and order are given: I apply {code} to {order_id}.",),
    "think.return_order": (
        "The item is in the order and the reason is {reason}: I register the return.",
    ),
    "think.exchange_item": ("{new_sku} is in stock: I exchange {sku} for it, reason {reason}.",),
    "think.together": (
        "These are two requests that do not depend on each other, so I make both calls at once.",
    ),
    "think.done": ("The result has what I need. I answer.", "That is all I need for the answer."),
    "think.refused": ("The shop's rules do not allow it. I say so and give the reason.",),
    "think.not_found": ("There is no such thing. I say so plainly.",),
    "think.sold_out": (
        "It is not in stock, so nothing is changed. I say so and name what there is.",
    ),
    "think.premise": ("What the user takes for granted is not so; I correct it.",),
    "think.chat": ("This is small talk. No tool is needed.",),
    "think.rule": ("The rules of the shop answer this. No tool is needed.",),
    "think.forbidden": (
        "The rules forbid this, whatever the tools say. I decline and name the rule.",
    ),
    "think.out": ("No tool of mine can do this. I say what I can do.",),
    "think.lacking": ("Something is missing that I must not guess: {what}. I ask for it.",),
    "think.known": ("The answer stands in the dialogue already. I need no tool.",),
    "what.order": ("the order number",),
    "what.reason": ("the reason",),
    "what.address": ("the address",),
    "what.postcode": ("the postcode",),
    "what.customer": ("the customer",),
    "what.code": ("the code",),
    "what.which": ("which product is meant",),
    "what.which_order": ("which order is meant",),
    "what.variant": ("the variant wanted instead",),
}
