"""The mini shop as a tool world: a table of words and a set of orders."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Self

from lt_bench.environments.base import Outcome
from lt_bench.environments.mini_shop import words
from lt_bench.environments.mini_shop.words import ASKED, ATTRIBUTES, PRODUCTS
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import World
from lt_bench.stats.draw import Draw

VERSION: Final = 1
"""Raise it when the shop of a seed changes."""
_ORDERED: Final = "ordered"
_SAYS: Final = {
    "get_price": "Says the price of a product.",
    "check_stock": "Says whether a product is in stock.",
    "get_color": "Says the color of a product.",
    "get_size": "Says the size of a product.",
    "order": "Orders a product that is in stock.",
    "cancel": "Cancels the order of a product.",
}

Values = dict[str, dict[str, str]]
"""What every product has, by attribute."""


class MiniShop:
    """One copy of the mini shop."""

    def __init__(self, values: Mapping[str, Mapping[str, str]], ordered: frozenset[str]) -> None:
        self._values, self._ordered = values, set(ordered)

    @property
    def tools(self) -> tuple[dict[str, Any], ...]:
        """The six tools; each takes one product."""
        return tool_schemas()

    def call(self, name: str, arguments: Mapping[str, Any]) -> Outcome:
        """One or two words."""
        if not isinstance(name, str) or name not in _SAYS:
            return Outcome(words.UNKNOWN_TOOL, error=True)
        if not isinstance(arguments, Mapping) or set(arguments) != {"product"}:
            return Outcome(words.WRONG_ARGUMENTS, error=True)
        product = arguments["product"]
        if not isinstance(product, str) or product not in self._values:
            return Outcome(words.UNKNOWN_PRODUCT, error=True)
        if name in ASKED:
            return Outcome(self._values[product][ASKED[name]])
        return self._order(product) if name == "order" else self._cancel(product)

    def _order(self, product: str) -> Outcome:
        if product in self._ordered:
            return Outcome(words.ORDERED_BEFORE, error=True)
        if self._values[product]["stock"] == "none":
            return Outcome(words.SOLD_OUT, error=True)
        self._ordered.add(product)
        return Outcome(words.ORDERED)

    def _cancel(self, product: str) -> Outcome:
        if product not in self._ordered:
            return Outcome(words.NOT_ORDERED, error=True)
        self._ordered.remove(product)
        return Outcome(words.CANCELLED)

    def state_sha(self) -> str:
        """sha256 over all values and orders, in alphabetical order."""
        state = json.dumps([self._values, sorted(self._ordered)], sort_keys=True)
        return hashlib.sha256(state.encode()).hexdigest()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        pass


def tool_schemas() -> tuple[dict[str, Any], ...]:
    """The tools in OpenAI's form."""
    return tuple(
        {
            "type": "function",
            "function": {
                "name": name,
                "description": said,
                "parameters": {
                    "type": "object",
                    "properties": {"product": {"type": "string", "enum": list(PRODUCTS)}},
                    "required": ["product"],
                    "additionalProperties": False,
                },
            },
        }
        for name, said in _SAYS.items()
    )


def open_mini_shop(world: World) -> MiniShop:
    """A fresh copy: the values of a seed with the changes of the row,
    `{"kettle": {"price": "30", "stock": "none"}, "ordered": ["lamp"]}`.

    Raises:
        UsageError: a product, attribute or value is no word of the shop.
    """
    ordered = world.patch.get(_ORDERED, ())
    if not isinstance(ordered, list | tuple):
        raise _wrong(f"{_ORDERED} is no list of products")
    for product in ordered:
        _known("product", product, PRODUCTS)
    return MiniShop(values_of(world), frozenset(ordered))


def values_of(world: World) -> Mapping[str, Mapping[str, str]]:
    """What the products of a world have, by product and attribute.

    Raises:
        UsageError: a product, attribute or value is no word of the shop.
    """
    drawn = _drawn(world.seed)
    if not world.patch:
        return drawn
    values = dict(drawn)
    for product, changes in world.patch.items():
        if product != _ORDERED:
            _known("product", product, PRODUCTS)
            values[product] = {**drawn[product], **_checked(product, changes)}
    return values


@lru_cache(maxsize=1024)
def _drawn(seed: int) -> Values:
    draw = Draw("mini_shop", VERSION, seed)
    return {
        product: {name: draw.pick(values) for name, values in ATTRIBUTES.items()}
        for product in PRODUCTS
    }


def _checked(product: str, changes: Any) -> dict[str, str]:
    if not isinstance(changes, Mapping):
        raise _wrong(f"{product} is no object of attributes")
    for name, value in changes.items():
        _known("attribute", name, tuple(ATTRIBUTES))
        _known(name, value, ATTRIBUTES[name])
    return dict(changes)


def _known(what: str, word: Any, known: tuple[str, ...]) -> None:
    if word not in known:
        raise _wrong(f"there is no {what} {word!r}.{did_you_mean(str(word), known)}")


def _wrong(cause: str) -> UsageError:
    return UsageError(
        f"patch of the mini shop: {cause}", 'write it like {"kettle": {"price": "30"}}'
    )
