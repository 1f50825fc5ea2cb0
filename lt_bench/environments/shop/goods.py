"""Draws what a shop sells: products in their variants, and coupons."""

from __future__ import annotations

from typing import Final

from lt_bench.environments.shop.calendar import day
from lt_bench.environments.shop.records import Coupon, CouponKind, Product, Variant
from lt_bench.environments.shop.words import Kind, Market
from lt_bench.stats.draw import Draw

_STOCKS: Final = ((0, 3.0), (1, 1.0), (2, 1.0), (3, 1.0), (5, 2.0), (8, 2.0), (14, 2.0), (27, 1.0))
"""A fifth of the shelves is empty: else nobody would have to look."""
_COUPONS: Final[tuple[tuple[CouponKind, bool, bool], ...]] = (
    ("percent", True, False),
    ("percent", True, False),
    ("percent", True, True),
    ("percent", False, False),
    ("amount", True, False),
    ("amount", True, False),
    ("amount", True, True),
    ("amount", False, False),
    ("amount", False, True),
)
"""What it takes off, whether it is still valid, whether it is for one category only."""


def numbers(draw: Draw, low: int, high: int, n: int) -> list[int]:
    """`n` different numbers in [low, high), in ascending order."""
    found: set[int] = set()
    while len(found) < n:
        found.add(draw.between(low, high - 1))
    return sorted(found)


def draw_products(market: Market, draw: Draw) -> tuple[Product, ...]:
    """Two or three of every kind, no two of one name."""
    kinds = [kind for kind in market.kinds for _ in range(draw.between(2, 3))]
    ids = numbers(draw, 1000, 10000, len(kinds))
    models = [draw.shuffled(market.models) for _ in market.kinds]
    names = iter(draw.shuffled([start + end for start, end in _brands(market, draw, len(kinds))]))
    made: list[Product] = []
    for kind in draw.shuffled(kinds):
        model = models[market.kinds.index(kind)].pop()
        made.append(_product(market, draw, kind, f"P{ids[len(made)]}", (next(names), model)))
    return tuple(made)


def _brands(market: Market, draw: Draw, n: int) -> list[tuple[str, str]]:
    every = [(start, end) for start in market.brand_starts for end in market.brand_ends]
    return draw.sample(every, n)


def _product(
    market: Market, draw: Draw, kind: Kind, product_id: str, name: tuple[str, str]
) -> Product:
    brand, model = name
    return Product(
        product_id=product_id,
        name=market.product_form.format(brand=brand, model=model, noun=kind.noun),
        brand=brand,
        category=kind.category,
        material=draw.pick(kind.materials),
        weight=draw.between(*kind.weights) // 10 * 10,
        warranty=draw.pick(kind.warranties),
        rating=draw.between(34, 49),
        returnable=kind.returnable,
        variants=_variants(market, draw, kind, product_id),
    )


def _variants(market: Market, draw: Draw, kind: Kind, product_id: str) -> tuple[Variant, ...]:
    """Two or three colours in up to three sizes next to each other; larger ones cost more."""
    colors = draw.sample(kind.colors, draw.between(2, 3))
    start = draw.below(max(1, len(kind.sizes) - 2))
    sizes = kind.sizes[start : start + 3] or ("",)
    price = draw.between(*kind.prices)
    made: list[Variant] = []
    for color in colors:
        for larger, size in enumerate(sizes):
            number = len(made) + 1
            units = price + larger * kind.step
            made.append(
                Variant(
                    sku=f"{product_id}-{number:02d}",
                    product_id=product_id,
                    color=color,
                    size=size,
                    price=units * 100 + market.cents,
                    stock=draw.weighted(_STOCKS),
                )
            )
    return tuple(made)


def draw_coupons(market: Market, draw: Draw) -> tuple[Coupon, ...]:
    """Nine coupons, whose codes do not tell what they are worth."""
    words = draw.sample(market.coupon_words, len(_COUPONS))
    categories = draw.sample([kind.category for kind in market.kinds], len(_COUPONS))
    made = []
    for word, category, (kind, valid, narrow) in zip(words, categories, _COUPONS, strict=True):
        percent = kind == "percent"
        value = draw.pick(market.percents) if percent else draw.pick(market.amounts) * 100
        made.append(
            Coupon(
                code=f"{word}{draw.between(10, 99)}",
                kind=kind,
                value=value,
                minimum=draw.pick(market.minimums) * 100,
                category=category if narrow else "",
                expires=day(draw.between(3, 120)) if valid else day(-draw.between(1, 90)),
            )
        )
    return tuple(sorted(made, key=lambda coupon: coupon.code))
