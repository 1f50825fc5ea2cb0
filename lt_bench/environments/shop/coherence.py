"""What holds in every shop, so that no tool has to wonder: checked after a patch."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Set
from typing import Final, get_args

from lt_bench.environments.shop.calendar import TODAY, is_day
from lt_bench.environments.shop.records import CancelReason, ShopLang
from lt_bench.environments.shop.tables import COLUMNS
from lt_bench.environments.shop.words import MARKETS

_NEVER: Final = (
    (
        {"orders", "order_items"},
        "order {} has no items",
        "SELECT order_id FROM orders EXCEPT SELECT order_id FROM order_items",
    ),
    (
        {"orders", "shipments"},
        "order {} is shipped or delivered and has no shipment, or has one and is neither",
        "SELECT order_id FROM orders LEFT JOIN shipments USING (order_id)"
        " WHERE (status IN ('shipped', 'delivered')) != (tracking IS NOT NULL)",
    ),
    (
        {"orders", "shipments"},
        "order {} is delivered without a delivered_on, or has one and is not delivered",
        "SELECT order_id FROM orders JOIN shipments USING (order_id)"
        " WHERE (status = 'delivered') != (delivered_on != '')",
    ),
    (
        {"orders"},
        "order {} is cancelled without a cancel_reason, or has one and is not cancelled",
        "SELECT order_id FROM orders WHERE (status = 'cancelled') != (cancel_reason != '')",
    ),
    (
        {"orders", "returns"},
        "something of order {} was returned, but it is not delivered",
        "SELECT order_id FROM orders JOIN returns USING (order_id) WHERE status != 'delivered'",
    ),
    (
        {"orders", "coupons"},
        "order {} has a coupon that does not exist",
        "SELECT order_id FROM orders LEFT JOIN coupons ON code = coupon"
        " WHERE coupon != '' AND code IS NULL",
    ),
    (
        {"returns", "variants"},
        "an exchange of order {} is for a sku that does not exist, or a return has a new_sku",
        "SELECT order_id FROM returns LEFT JOIN variants ON variants.sku = new_sku"
        " WHERE (kind = 'exchange') != (variants.sku IS NOT NULL)"
        " OR (kind = 'return' AND new_sku != '')",
    ),
    (
        {"products", "variants"},
        "product {} has no variants",
        "SELECT product_id FROM products EXCEPT SELECT product_id FROM variants",
    ),
)
"""What it is about, a sentence, and the query for what it must not be true of."""
_IDS: Final = (
    ("products", "product_id", "P[0-9][0-9][0-9][0-9]"),
    ("variants", "sku", "P[0-9][0-9][0-9][0-9]-[0-9][0-9]"),
    ("customers", "customer_id", "C[0-9][0-9][0-9][0-9]"),
    ("orders", "order_id", "A[0-9][0-9][0-9][0-9][0-9]*"),
)
_DAYS: Final = (
    ("coupons", "expires"),
    ("orders", "placed_on"),
    ("shipments", "shipped_on"),
    ("shipments", "due_on"),
    ("shipments", "delivered_on"),
)


def contradictions(
    store: sqlite3.Connection, lang: ShopLang, changed: Set[str] = frozenset(COLUMNS)
) -> Iterator[str]:
    """What a shop says against itself, as sentences, as far as the `changed` tables tell."""
    for about, sentence, query in _NEVER:
        if about & changed:
            for (key,) in store.execute(query):
                yield sentence.format(key)
    yield from _bad_ids(store, changed)
    yield from _bad_days(store, changed)
    yield from _bad_words(store, lang, changed)


def _bad_ids(store: sqlite3.Connection, changed: Set[str]) -> Iterator[str]:
    for table, column, form in _IDS:
        if table not in changed:
            continue
        for (key,) in store.execute(
            f"SELECT {column} FROM {table} WHERE {column} NOT GLOB ?",  # noqa: S608
            (form,),
        ):
            yield f"{table}: {key!r} is no {column}; it looks like {form}"


def _bad_days(store: sqlite3.Connection, changed: Set[str]) -> Iterator[str]:
    for table, column in _DAYS:
        for day in _values(store, table, column, changed):
            if not is_day(day) and (day or column != "delivered_on"):
                yield f"{table}: {column} {day!r} is no date like {TODAY}"


def _bad_words(store: sqlite3.Connection, lang: ShopLang, changed: Set[str]) -> Iterator[str]:
    categories = {kind.category for kind in MARKETS[lang].kinds}
    known = (
        ("products", "category", categories),
        ("coupons", "category", {"", *categories}),
        ("orders", "cancel_reason", {"", *get_args(CancelReason)}),
    )
    for table, column, words in known:
        for value in _values(store, table, column, changed):
            if value not in words:
                yield f"{table}: there is no {column} {value!r}"


def _values(store: sqlite3.Connection, table: str, column: str, changed: Set[str]) -> Iterator[str]:
    """What stands in a column of a changed table."""
    if table in changed:
        for (value,) in store.execute(f"SELECT DISTINCT {column} FROM {table}"):  # noqa: S608
            yield value
