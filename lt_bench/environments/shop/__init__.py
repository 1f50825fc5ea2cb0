"""A shopping service over SQLite: goods, stock, prices, coupons, customers, orders, parcels, returns.

World{kind "shop", seed, patch} -> a fresh store -> tools that read, and tools that write within rules
"""

from lt_bench.environments.shop.calendar import RETURN_DAYS, TODAY
from lt_bench.environments.shop.policy import RULES, policy, rule
from lt_bench.environments.shop.records import (
    Address,
    Coupon,
    Customer,
    Order,
    OrderItem,
    Product,
    Return,
    Shipment,
    Shop,
    ShopLang,
    Variant,
)
from lt_bench.environments.shop.schemas import READING, WRITING, tool_schemas
from lt_bench.environments.shop.world import ShopWorld, catalogue, open_shop

__all__ = [
    "READING",
    "RETURN_DAYS",
    "RULES",
    "TODAY",
    "WRITING",
    "Address",
    "Coupon",
    "Customer",
    "Order",
    "OrderItem",
    "Product",
    "Return",
    "Shipment",
    "Shop",
    "ShopLang",
    "ShopWorld",
    "Variant",
    "catalogue",
    "open_shop",
    "policy",
    "rule",
    "tool_schemas",
]
