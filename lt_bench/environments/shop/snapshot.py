"""Shops as they are on the first morning: made once a seed, then copied."""

from __future__ import annotations

import sqlite3
from functools import lru_cache

from lt_bench.environments.shop.generate import generate
from lt_bench.environments.shop.records import Shop, ShopLang
from lt_bench.environments.shop.tables import fill


@lru_cache(maxsize=128)
def pristine(seed: int, lang: ShopLang) -> Shop:
    """The shop of a seed."""
    return generate(seed, lang)


@lru_cache(maxsize=128)
def image(seed: int, lang: ShopLang) -> bytes:
    """Its database, as bytes."""
    store = sqlite3.connect(":memory:", isolation_level=None)
    try:
        fill(store, pristine(seed, lang))
        return store.serialize()
    finally:
        store.close()


def copy(seed: int, lang: ShopLang) -> sqlite3.Connection:
    """A fresh store. It may be used from any thread, by one at a time."""
    store = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    store.deserialize(image(seed, lang))
    store.execute("PRAGMA foreign_keys = ON")
    return store
