"""A product that is not: a listing whose sheet holds one other value, so that the generator's own
words can say what is false."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from typing import Final

from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.schema import Attribute, Value
from lt_bench.claims.paths import lookup

_ITEM: Final = re.compile(r"(?P<key>\w+)\[(?P<index>\d+)\]")


def with_value(listing: Listing, path: str, value: Value) -> Listing:
    """`listing` as it would be with `value` at `path` of its data. What holds the value must be
    there: a sheet without a coupon gets none. Its text stays as it is."""
    data = copy.deepcopy(listing.product.data)
    parent, _, key = path.rpartition(".")
    holder = lookup(data, parent) if parent else data
    item = _ITEM.fullmatch(key)
    if item:
        holder[item["key"]][int(item["index"])] = value
    else:
        holder[key] = value
    attribute = attribute_at(listing, path)
    values = dict(listing.product.values)
    if attribute:
        values[attribute.name] = value
    product = replace(listing.product, data=data, values=values)
    return replace(
        listing, product=product, document=listing.document.model_copy(update={"product": data})
    )


def attribute_at(listing: Listing, path: str) -> Attribute | None:
    """The attribute that `path` leads to; None for everything but properties."""
    found = (a for a in listing.product.category.attributes if a.path == path)
    return next(found, None)
