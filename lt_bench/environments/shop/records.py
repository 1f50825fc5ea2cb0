"""What a shop holds, as records: each mirrors a table row, and a `Shop` is the whole of it.

Money is in hundredths of the currency, dates are ISO text ("2026-06-15"). "" stands for "none".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

ShopLang = Literal["en", "zh"]
Status = Literal["processing", "shipped", "delivered", "cancelled"]
CouponKind = Literal["percent", "amount"]
CancelReason = Literal["changed_mind", "ordered_by_mistake", "found_cheaper", "too_slow"]
ReturnReason = Literal["changed_mind", "defective", "damaged", "wrong_item"]
ReturnKind = Literal["return", "exchange"]


@dataclass(frozen=True, slots=True)
class Variant:
    """One thing on a shelf. `size` is "" where a product has only colours."""

    sku: str
    product_id: str
    color: str
    size: str
    price: int
    stock: int


@dataclass(frozen=True, slots=True)
class Product:
    """`returnable` False: opened goods that only come back when something is wrong with them.
    `rating` is in tenths (47 is 4.7), `weight` in grams, `warranty` in months (0: none)."""

    product_id: str
    name: str
    brand: str
    category: str
    material: str
    weight: int
    warranty: int
    rating: int
    returnable: bool
    variants: tuple[Variant, ...]

    @property
    def colors(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(variant.color for variant in self.variants))

    @property
    def sizes(self) -> tuple[str, ...]:
        """Empty where it has only colours."""
        return tuple(dict.fromkeys(variant.size for variant in self.variants if variant.size))


@dataclass(frozen=True, slots=True)
class Coupon:
    """`value` is per cent or hundredths of the currency; `minimum` is what the goods must come to;
    `category` "" takes all goods."""

    code: str
    kind: CouponKind
    value: int
    minimum: int
    category: str
    expires: str


@dataclass(frozen=True, slots=True)
class Address:
    street: str
    city: str
    postcode: str


@dataclass(frozen=True, slots=True)
class Customer:
    customer_id: str
    name: str
    email: str
    address: Address


@dataclass(frozen=True, slots=True)
class OrderItem:
    """`price` of one piece on the day of the order."""

    sku: str
    quantity: int
    price: int


@dataclass(frozen=True, slots=True)
class Shipment:
    """`delivered_on` is "" while it is on its way; `place` is where it was seen last."""

    carrier: str
    tracking: str
    shipped_on: str
    due_on: str
    delivered_on: str
    place: str


@dataclass(frozen=True, slots=True)
class Return:
    """A line of an order that goes back, all pieces of it. `new_sku`: what it is exchanged for."""

    sku: str
    kind: ReturnKind
    reason: ReturnReason
    new_sku: str


@dataclass(frozen=True, slots=True)
class Order:
    """`shipment` is there once it is shipped; `cancel_reason` once it is cancelled."""

    order_id: str
    customer_id: str
    status: Status
    placed_on: str
    address: Address
    coupon: str
    cancel_reason: str
    items: tuple[OrderItem, ...]
    shipment: Shipment | None = None
    returns: tuple[Return, ...] = ()


@dataclass(frozen=True)
class Shop:
    """A whole shop; every list is ordered by id. The methods raise KeyError for an unknown id."""

    lang: ShopLang
    products: tuple[Product, ...]
    coupons: tuple[Coupon, ...]
    customers: tuple[Customer, ...]
    orders: tuple[Order, ...]

    @property
    def categories(self) -> tuple[str, ...]:
        return tuple(sorted({product.category for product in self.products}))

    def product(self, product_id: str) -> Product:
        return self._products[product_id]

    def variant(self, sku: str) -> Variant:
        return self._variants[sku]

    def coupon(self, code: str) -> Coupon:
        return self._coupons[code]

    def customer(self, customer_id: str) -> Customer:
        return self._customers[customer_id]

    def order(self, order_id: str) -> Order:
        return self._orders[order_id]

    def orders_of(self, customer_id: str) -> tuple[Order, ...]:
        return tuple(order for order in self.orders if order.customer_id == customer_id)

    @cached_property
    def _products(self) -> dict[str, Product]:
        return {product.product_id: product for product in self.products}

    @cached_property
    def _variants(self) -> dict[str, Variant]:
        return {one.sku: one for product in self.products for one in product.variants}

    @cached_property
    def _coupons(self) -> dict[str, Coupon]:
        return {coupon.code: coupon for coupon in self.coupons}

    @cached_property
    def _customers(self) -> dict[str, Customer]:
        return {customer.customer_id: customer for customer in self.customers}

    @cached_property
    def _orders(self) -> dict[str, Order]:
        return {order.order_id: order for order in self.orders}
