"""The desk at which the tools work: one store, and its rows as records."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from lt_bench.environments.shop.money import Bill, Line, bill, units
from lt_bench.environments.shop.records import (
    Coupon,
    Customer,
    Order,
    OrderItem,
    Product,
    Return,
    Shipment,
    ShopLang,
    Variant,
)
from lt_bench.environments.shop.saying import Refused, Voice, shown
from lt_bench.environments.shop.tables import Row, customer_of, order_of, product_of
from lt_bench.environments.shop.words import MARKETS, Market

_LINES: Final = (
    "SELECT sku, category, order_items.price, quantity FROM order_items JOIN variants USING (sku)"
    " JOIN products USING (product_id) WHERE order_id = ? ORDER BY sku"
)


@dataclass(frozen=True)
class Desk:
    """Looks records up by id. Whatever is not there raises `Refused` with a text for the model; an id
    of goods says the nearest one, an id of people's things does not: it would give them away."""

    store: sqlite3.Connection
    lang: ShopLang

    @property
    def market(self) -> Market:
        return MARKETS[self.lang]

    @property
    def voice(self) -> Voice:
        return Voice(self.lang)

    def rows(self, sql: str, *values: object) -> list[Row]:
        return self.store.execute(sql, values).fetchall()

    def row(self, sql: str, *values: object) -> Row | None:
        found: Row | None = self.store.execute(sql, values).fetchone()
        return found

    def change(self, sql: str, *values: object) -> None:
        self.store.execute(sql, values)

    def product(self, product_id: str) -> Product:
        row = self.row("SELECT * FROM products WHERE product_id = ?", product_id)
        if row is None:
            raise self._unknown("product_id", product_id, "SELECT product_id FROM products")
        own = self.rows("SELECT * FROM variants WHERE product_id = ? ORDER BY sku", product_id)
        return product_of(row, tuple(Variant(*one) for one in own))

    def variant(self, argument: str, sku: str) -> Variant:
        row = self.row("SELECT * FROM variants WHERE sku = ?", sku)
        if row is None:
            raise self._unknown(argument, sku, "SELECT sku FROM variants")
        return Variant(*row)

    def coupon(self, argument: str, code: str) -> Coupon:
        """The coupon of a code, however its letters are written."""
        row = self.row("SELECT * FROM coupons WHERE upper(code) = upper(?)", code)
        if row is None:
            raise self.voice.refuse("unknown_coupon", argument=argument, value=shown(code))
        return Coupon(*row)

    def customer(self, argument: str, key: str) -> Customer:
        """By customer number or e-mail address."""
        row = self.row(
            "SELECT * FROM customers WHERE customer_id = ? OR lower(email) = lower(?)", key, key
        )
        if row is None:
            raise self.voice.refuse("unknown_id", argument=argument, value=shown(key))
        return customer_of(row)

    def order(self, order_id: str) -> Order:
        row = self.row("SELECT * FROM orders WHERE order_id = ?", order_id)
        if row is None:
            raise self.voice.refuse("unknown_id", argument="order_id", value=shown(order_id))
        items = self._of(order_id, "SELECT sku, quantity, price FROM order_items")
        returns = self._of(order_id, "SELECT sku, kind, reason, new_sku FROM returns")
        shipment = self.row("SELECT * FROM shipments WHERE order_id = ?", order_id)
        return order_of(
            row,
            tuple(OrderItem(*one) for one in items),
            Shipment(*shipment[1:]) if shipment else None,
            tuple(Return(*one) for one in returns),
        )

    def lines(self, order_id: str) -> list[Line]:
        """What an order holds, as money sees it."""
        return [Line(*row) for row in self.rows(_LINES, order_id)]

    def bill(self, order: Order) -> Bill:
        """What an order comes to now."""
        coupon = self.coupon("coupon", order.coupon) if order.coupon else None
        return bill(self.market, self.lines(order.order_id), coupon)

    def sums(self, total: Bill) -> dict[str, Any]:
        """A bill as tools write it."""
        return {
            "goods": units(total.goods),
            "discount": units(total.discount),
            "shipping": units(total.shipping),
            "total": units(total.total),
            "currency": self.market.currency,
        }

    def _of(self, order_id: str, select: str) -> list[Row]:
        return self.rows(f"{select} WHERE order_id = ? ORDER BY sku", order_id)

    def _unknown(self, argument: str, value: str, known: str) -> Refused:
        ids: Sequence[str] = [row[0] for row in self.rows(known)]
        said = self.voice.say("unknown_id", argument=argument, value=shown(value))
        return Refused(said + self.voice.nearest(value, ids))
