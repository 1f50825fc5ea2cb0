"""A shop from a seed: the same in every record on every machine."""

from __future__ import annotations

from typing import Final

from lt_bench.environments.shop.goods import draw_coupons, draw_products
from lt_bench.environments.shop.people import draw_customers, draw_orders
from lt_bench.environments.shop.records import Shop, ShopLang
from lt_bench.environments.shop.words import MARKETS
from lt_bench.stats.draw import Draw

VERSION: Final = 1
"""Raise it when the shop of a seed changes."""
CUSTOMERS: Final = 24


def generate(seed: int, lang: ShopLang) -> Shop:
    """Some 40 products with 250 variants, 9 coupons, 24 customers and 60 orders."""
    market = MARKETS[lang]
    draw = Draw("shop", VERSION, lang, seed)
    products = draw_products(market, draw)
    coupons = draw_coupons(market, draw)
    customers = draw_customers(market, draw, CUSTOMERS)
    return Shop(
        lang=lang,
        products=products,
        coupons=coupons,
        customers=customers,
        orders=draw_orders(market, draw, customers, products, coupons),
    )
