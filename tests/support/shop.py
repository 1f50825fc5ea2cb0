"""Shops to try the tools on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from lt_bench.environments.base import Outcome
from lt_bench.environments.shop import Order, Product, Shop, ShopWorld, Variant, open_shop
from lt_bench.records import World

Patch = dict[str, Any]


def shop_world(patch: Patch | None = None, seed: int = 5) -> ShopWorld:
    return open_shop(World(kind="shop", seed=seed, patch=patch or {}))


def told(outcome: Outcome) -> dict[str, Any]:
    """What a tool said that did something."""
    assert not outcome.error, outcome.content
    said = json.loads(outcome.content)
    assert isinstance(said, dict)
    return said


def refusal(outcome: Outcome) -> str:
    """What a tool said that did nothing."""
    assert outcome.error, outcome.content
    said = json.loads(outcome.content)
    assert list(said) == ["error"]
    return str(said["error"])


def an_order(shop: Shop, status: str, fit: Callable[[Order], bool] = lambda order: True) -> Order:
    return next(order for order in shop.orders if order.status == status and fit(order))


def owner(shop: Shop, sku: str) -> Product:
    return shop.product(shop.variant(sku).product_id)


def others(shop: Shop, sku: str) -> list[Variant]:
    """The other variants of the same product."""
    return [one for one in owner(shop, sku).variants if one.sku != sku]
