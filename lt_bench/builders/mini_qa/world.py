"""The closed world: goods, what can be known of them, and the words that viewers have for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Value = str | int


@dataclass(frozen=True)
class Attribute:
    """One thing to know of a product. `{it}` in `asks` is the product. `field` is where schema.org
    keeps it; "" for an additionalProperty."""

    name: str
    values: tuple[Value, ...]
    asks: tuple[str, ...]
    unit: str = ""
    field: str = ""

    @property
    def path(self) -> str:
        """Where a product holds the value, in the path syntax of `lt_bench.claims.paths`."""
        return self.field or f"additionalProperty[name={self.name}].value"

    def spoken(self, value: Value) -> str:
        """The value as it is said: "30 usd"."""
        return f"{value} {self.unit}" if self.unit else str(value)


PRODUCTS: Final = (
    "kettle", "fan", "lamp", "vacuum", "blender", "heater", "mixer", "toaster", "camera", "phone",
    "watch", "jacket", "boots", "tent", "backpack", "pillow", "chair", "desk", "mirror", "bike",
)  # fmt: skip

ATTRIBUTES: Final = (
    Attribute(
        "price",
        tuple(range(10, 60)),
        ("how much is {it}", "what does {it} cost", "price of {it}"),
        unit="usd",
        field="offers.price",
    ),
    Attribute(
        "colour",
        ("red", "blue", "green", "black", "white", "pink", "gray", "gold"),
        ("what colour is {it}", "which colour is {it}", "colour of {it}"),
        field="color",
    ),
    Attribute(
        "weight",
        tuple(range(2, 10)),
        ("how heavy is {it}", "what does {it} weigh", "weight of {it}"),
        unit="kg",
        field="weight.value",
    ),
    Attribute(
        "height",
        (20, 30, 40, 60, 80, 90),
        ("how tall is {it}", "height of {it}", "what height does {it} have"),
        unit="cm",
        field="height.value",
    ),
    Attribute(
        "material",
        ("steel", "wood", "glass", "cotton", "plastic", "leather"),
        ("what is {it} made of", "material of {it}", "which material is {it}"),
    ),
    Attribute(
        "origin",
        ("france", "japan", "china", "italy", "spain", "korea"),
        ("where is {it} from", "which country is {it} from", "where was {it} made"),
    ),
    Attribute(
        "size",
        ("small", "medium", "large", "huge"),
        ("how big is {it}", "what size is {it}", "size of {it}"),
    ),
)
BY_NAME: Final = {attribute.name: attribute for attribute in ATTRIBUTES}

SHOWN: Final = ("show me the {it}", "i like the {it}", "tell me about the {it}")
"""What was said before a question that calls the product "it"."""
BEFORE: Final = ("hi", "hello there", "lol", "umm", "hey host", "wow", "please")
AFTER: Final = ("thanks", "pls", "lol", "quick", "?", "??", "!!")
"""Noise around a question."""
ALL_FACTS: Final = "list"
"""The question whose answer is a recital of the sheets; the base alone is asked it."""
