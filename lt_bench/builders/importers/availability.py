"""Availability in the words of schema.org, whoever wrote it: "in_stock", "SoldOut", a URL."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from lt_bench.builders.problem import RowFault
from lt_bench.errors import did_you_mean

_NAMES: Final = {
    "instock": "InStock",
    "available": "InStock",
    "availablefororder": "InStock",
    "limitedavailability": "LimitedAvailability",
    "limited": "LimitedAvailability",
    "lowstock": "LimitedAvailability",
    "outofstock": "OutOfStock",
    "unavailable": "OutOfStock",
    "soldout": "OutOfStock",
    "preorder": "PreOrder",
    "presale": "PreOrder",
    "backorder": "BackOrder",
    "madetoorder": "MadeToOrder",
    "discontinued": "Discontinued",
    "instoreonly": "InStoreOnly",
    "onlineonly": "OnlineOnly",
    "reserved": "Reserved",
}
_BEST: Final = (
    "InStock",
    "OnlineOnly",
    "InStoreOnly",
    "LimitedAvailability",
    "PreOrder",
    "MadeToOrder",
    "BackOrder",
    "Reserved",
    "OutOfStock",
    "Discontinued",
)


def read_availability(value: Any, field: str) -> str:
    """The schema.org name of an availability.

    Raises:
        RowFault: it is none that is known.
    """
    last = str(value).strip().rstrip("/").rpartition("/")[2].removeprefix("schema:")
    key = re.sub(r"[\W_]", "", last).casefold()
    if key not in _NAMES:
        raise RowFault(
            field,
            f"{str(value)[:40]!r} is no availability.{did_you_mean(key, _NAMES)}",
            "write in_stock, limited_availability, out_of_stock, preorder or backorder",
        )
    return _NAMES[key]


def best(states: Iterable[str]) -> str | None:
    """That of a product whose variants have these: in stock as soon as one is."""
    return min(set(states), key=_BEST.index, default=None)
