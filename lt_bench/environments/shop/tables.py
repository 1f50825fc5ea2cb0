"""The tables of a shop in SQLite, and its records as rows of them and back."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

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

Row = tuple[Any, ...]

COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "products": (
        "product_id", "name", "brand", "category", "material", "weight", "warranty", "rating",
        "returnable",
    ),
    "variants": ("sku", "product_id", "color", "size", "price", "stock"),
    "coupons": ("code", "kind", "value", "minimum", "category", "expires"),
    "customers": ("customer_id", "name", "email", "street", "city", "postcode"),
    "orders": (
        "order_id", "customer_id", "status", "placed_on", "street", "city", "postcode", "coupon",
        "cancel_reason",
    ),
    "order_items": ("order_id", "sku", "quantity", "price"),
    "shipments": (
        "order_id", "carrier", "tracking", "shipped_on", "due_on", "delivered_on", "place",
    ),
    "returns": ("order_id", "sku", "kind", "reason", "new_sku"),
}  # fmt: skip
KEYS: Final[dict[str, tuple[str, ...]]] = {
    "products": ("product_id",),
    "variants": ("sku",),
    "coupons": ("code",),
    "customers": ("customer_id",),
    "orders": ("order_id",),
    "order_items": ("order_id", "sku"),
    "shipments": ("order_id",),
    "returns": ("order_id", "sku"),
}
NUMBERS: Final = frozenset(
    {"weight", "warranty", "rating", "returnable", "price", "stock", "value", "minimum", "quantity"}
)
"""Columns of whole numbers; all others hold text."""

SCHEMA: Final = """
CREATE TABLE products (
  product_id TEXT PRIMARY KEY, name TEXT UNIQUE, brand TEXT, category TEXT, material TEXT,
  weight INTEGER CHECK (weight > 0), warranty INTEGER CHECK (warranty >= 0),
  rating INTEGER CHECK (rating BETWEEN 0 AND 50), returnable INTEGER CHECK (returnable IN (0, 1))
) WITHOUT ROWID;
CREATE TABLE variants (
  sku TEXT PRIMARY KEY, product_id TEXT REFERENCES products, color TEXT, size TEXT,
  price INTEGER CHECK (price > 0), stock INTEGER CHECK (stock >= 0),
  UNIQUE (product_id, color, size)
) WITHOUT ROWID;
CREATE TABLE coupons (
  code TEXT PRIMARY KEY, kind TEXT CHECK (kind IN ('percent', 'amount')),
  value INTEGER CHECK (value > 0 AND (kind = 'amount' OR value <= 100)),
  minimum INTEGER CHECK (minimum >= 0), category TEXT, expires TEXT
) WITHOUT ROWID;
CREATE TABLE customers (
  customer_id TEXT PRIMARY KEY, name TEXT, email TEXT UNIQUE, street TEXT, city TEXT, postcode TEXT
) WITHOUT ROWID;
CREATE TABLE orders (
  order_id TEXT PRIMARY KEY, customer_id TEXT REFERENCES customers,
  status TEXT CHECK (status IN ('processing', 'shipped', 'delivered', 'cancelled')),
  placed_on TEXT, street TEXT, city TEXT, postcode TEXT, coupon TEXT, cancel_reason TEXT
) WITHOUT ROWID;
CREATE INDEX orders_of ON orders (customer_id);
CREATE TABLE order_items (
  order_id TEXT REFERENCES orders, sku TEXT REFERENCES variants,
  quantity INTEGER CHECK (quantity > 0), price INTEGER CHECK (price > 0),
  PRIMARY KEY (order_id, sku)
) WITHOUT ROWID;
CREATE TABLE shipments (
  order_id TEXT PRIMARY KEY REFERENCES orders, carrier TEXT, tracking TEXT, shipped_on TEXT,
  due_on TEXT, delivered_on TEXT, place TEXT
) WITHOUT ROWID;
CREATE TABLE returns (
  order_id TEXT, sku TEXT, kind TEXT CHECK (kind IN ('return', 'exchange')),
  reason TEXT CHECK (reason IN ('changed_mind', 'defective', 'damaged', 'wrong_item')),
  new_sku TEXT,
  PRIMARY KEY (order_id, sku), FOREIGN KEY (order_id, sku) REFERENCES order_items
) WITHOUT ROWID;
"""


def fill(store: sqlite3.Connection, shop: Shop) -> None:
    """Makes the tables and puts a shop into them."""
    store.executescript(SCHEMA)
    store.execute("BEGIN")
    for table, rows in rows_of(shop).items():
        insert(store, table, rows)
    store.execute("COMMIT")


def insert(store: sqlite3.Connection, table: str, rows: list[Row]) -> None:
    """Adds rows, their values in the order of COLUMNS."""
    marks = ", ".join("?" * len(COLUMNS[table]))
    store.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608


def dump(store: sqlite3.Connection) -> Iterator[tuple[str, list[Row]]]:
    """Every table with its rows, in the order of their keys."""
    for table, key in KEYS.items():
        yield table, store.execute(f"SELECT * FROM {table} ORDER BY {', '.join(key)}").fetchall()  # noqa: S608


def rows_of(shop: Shop) -> dict[str, list[Row]]:
    """A shop as rows, by table, parents before children."""
    orders = shop.orders
    return {
        "products": [_product_row(product) for product in shop.products],
        "variants": [_variant_row(one) for product in shop.products for one in product.variants],
        "coupons": [
            (one.code, one.kind, one.value, one.minimum, one.category, one.expires)
            for one in shop.coupons
        ],
        "customers": [
            (one.customer_id, one.name, one.email, *_address_row(one.address))
            for one in shop.customers
        ],
        "orders": [_order_row(order) for order in orders],
        "order_items": [
            (order.order_id, item.sku, item.quantity, item.price)
            for order in orders
            for item in order.items
        ],
        "shipments": [
            _shipment_row(order.order_id, order.shipment) for order in orders if order.shipment
        ],
        "returns": [
            (order.order_id, one.sku, one.kind, one.reason, one.new_sku)
            for order in orders
            for one in order.returns
        ],
    }


def _product_row(product: Product) -> Row:
    return (
        product.product_id,
        product.name,
        product.brand,
        product.category,
        product.material,
        product.weight,
        product.warranty,
        product.rating,
        int(product.returnable),
    )


def _variant_row(one: Variant) -> Row:
    return (one.sku, one.product_id, one.color, one.size, one.price, one.stock)


def _address_row(address: Address) -> Row:
    return (address.street, address.city, address.postcode)


def _order_row(order: Order) -> Row:
    head = (order.order_id, order.customer_id, order.status, order.placed_on)
    return (*head, *_address_row(order.address), order.coupon, order.cancel_reason)


def _shipment_row(order_id: str, one: Shipment) -> Row:
    days = (one.shipped_on, one.due_on, one.delivered_on)
    return (order_id, one.carrier, one.tracking, *days, one.place)


def shop_of(store: sqlite3.Connection, lang: ShopLang) -> Shop:
    """The records of a whole store."""
    tables = dict(dump(store))
    variants: dict[str, list[Variant]] = defaultdict(list)
    for row in tables["variants"]:
        variants[row[1]].append(Variant(*row))
    return Shop(
        lang=lang,
        products=tuple(product_of(row, tuple(variants[row[0]])) for row in tables["products"]),
        coupons=tuple(Coupon(*row) for row in tables["coupons"]),
        customers=tuple(map(customer_of, tables["customers"])),
        orders=tuple(_orders(tables)),
    )


def _orders(tables: dict[str, list[Row]]) -> Iterator[Order]:
    items: dict[str, list[OrderItem]] = defaultdict(list)
    returns: dict[str, list[Return]] = defaultdict(list)
    for order_id, *rest in tables["order_items"]:
        items[order_id].append(OrderItem(*rest))
    for order_id, *rest in tables["returns"]:
        returns[order_id].append(Return(*rest))
    shipments = {order_id: Shipment(*rest) for order_id, *rest in tables["shipments"]}
    for row in tables["orders"]:
        key = row[0]
        yield order_of(row, tuple(items[key]), shipments.get(key), tuple(returns[key]))


def product_of(row: Row, variants: tuple[Variant, ...]) -> Product:
    """A product from its row and its variants."""
    product_id, name, brand, category, material, weight, warranty, rating, returnable = row
    return Product(
        product_id=product_id,
        name=name,
        brand=brand,
        category=category,
        material=material,
        weight=weight,
        warranty=warranty,
        rating=rating,
        returnable=bool(returnable),
        variants=variants,
    )


def customer_of(row: Row) -> Customer:
    """A customer from its row."""
    customer_id, name, email, *address = row
    return Customer(customer_id, name, email, Address(*address))


def order_of(
    row: Row,
    items: tuple[OrderItem, ...],
    shipment: Shipment | None,
    returns: tuple[Return, ...],
) -> Order:
    """An order from its row and what belongs to it."""
    order_id, customer_id, status, placed_on, street, city, postcode, coupon, cancel_reason = row
    return Order(
        order_id=order_id,
        customer_id=customer_id,
        status=status,
        placed_on=placed_on,
        address=Address(street, city, postcode),
        coupon=coupon,
        cancel_reason=cancel_reason,
        items=items,
        shipment=shipment,
        returns=returns,
    )
