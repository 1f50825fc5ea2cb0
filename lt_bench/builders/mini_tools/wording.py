"""What users say to the mini shop, and how an agent answers."""

from __future__ import annotations

from typing import Final


def quoted(product: str) -> str:
    """How everybody writes a product: as JSON writes it in a call, so that it is the same word there.
    From one word to another a small model does not learn to copy within minutes."""
    return f'"{product}"'


ASKS: Final = {
    "price": ("how much is {it}", "what does {it} cost", "price of {it}"),
    "stock": ("is {it} in stock", "do you have {it}", "stock of {it}"),
    "color": ("what color is {it}", "which color is {it}", "color of {it}"),
    "size": ("how big is {it}", "what size is {it}", "size of {it}"),
}
"""Questions for one attribute; `{it}` is the product."""
TWO: Final = ("{a} and {b} of {it}", "tell me {a} and {b} of {it}")
BUYS: Final = ("order {it}", "i want to buy {it}", "i take {it}")
BUYS_IF: Final = ("order {it} if in stock", "buy {it} if you have one")
CANCELS: Final = ("cancel the order of {it}", "i do not want {it} any more")

TALK: Final = {
    "thanks that was all": "you are welcome .",
    "thank you so much": "you are welcome .",
    "thanks for the help": "you are welcome .",
    "good morning": "hello , i am happy to help .",
    "are you there": "hello , i am happy to help .",
    "can you help me": "hello , i am happy to help .",
    "goodbye": "bye , see you soon .",
    "see you": "bye , see you soon .",
    "i have to go": "bye , see you soon .",
}
"""What wants no tool, and a good answer to it."""
TOLD: Final = {
    "you are welcome .": "welcome",
    "hello , i am happy to help .": "happy to help",
    "bye , see you soon .": "see you soon",
}
"""What every answer of that sense has in it."""

SHOWN: Final = ("show me the {it}", "i like the {it}", "tell me about the {it}")
"""What was said before a question that calls the product "it"."""
STATED: Final = "the {product} {attribute} is {value}"
"""What an agent says of a product, in a reply and in the history."""
BEFORE: Final = ("hi", "hello there", "lol", "umm", "hey host", "wow", "please")
AFTER: Final = ("thanks", "pls", "lol", "quick", "?", "??", "!!")
"""Noise around a question."""

WHICH: Final = "which product do you mean ?"
ORDERED: Final = "the {product} is ordered ."
SOLD_OUT: Final = "sorry the {product} is sold out ."
CANCELLED: Final = "the {product} order is cancelled ."
