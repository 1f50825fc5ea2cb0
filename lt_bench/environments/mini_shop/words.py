"""The words of the mini shop: twenty goods, what can be asked of them, and all that its tools say."""

from __future__ import annotations

from typing import Final

PRODUCTS: Final = (
    "kettle", "fan", "lamp", "vacuum", "blender", "heater", "mixer", "toaster", "camera", "phone",
    "watch", "jacket", "boots", "tent", "backpack", "pillow", "chair", "desk", "mirror", "bike",
)  # fmt: skip

ATTRIBUTES: Final[dict[str, tuple[str, ...]]] = {
    "price": tuple(map(str, range(10, 60))),
    "stock": ("none", "few", "many"),
    "color": ("red", "blue", "green", "black", "white", "pink", "gray", "gold"),
    "size": ("small", "medium", "large", "huge"),
}
"""The values of an attribute; none of them is a value of another, so that a word tells what it is."""

ASKED: Final = {
    "get_price": "price",
    "check_stock": "stock",
    "get_color": "color",
    "get_size": "size",
}
"""The attribute that a tool reads."""
WRITES: Final = ("order", "cancel")
TOOLS: Final = (*ASKED, *WRITES)

ORDERED: Final = "ordered"
CANCELLED: Final = "cancelled"
SOLD_OUT: Final = "sold out"
ORDERED_BEFORE: Final = "ordered before"
NOT_ORDERED: Final = "not ordered"
UNKNOWN_PRODUCT: Final = "unknown product"
UNKNOWN_TOOL: Final = "unknown tool"
WRONG_ARGUMENTS: Final = "wrong arguments"
_SAID: Final = (
    ORDERED, CANCELLED, SOLD_OUT, ORDERED_BEFORE, NOT_ORDERED, UNKNOWN_PRODUCT, UNKNOWN_TOOL,
    WRONG_ARGUMENTS,
)  # fmt: skip


def vocabulary() -> tuple[str, ...]:
    """Every word of calls and results, in alphabetical order: goods, values, tools, the argument
    `product`, attributes, and what tools say."""
    words = {*PRODUCTS, *TOOLS, "product", *ATTRIBUTES}
    words.update(*ATTRIBUTES.values(), *(said.split() for said in _SAID))
    return tuple(sorted(words))
