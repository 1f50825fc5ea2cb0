"""A row's own changes to a shop."""

import pytest
from support.shop import an_order, shop_world, told

from lt_bench.environments.shop import catalogue
from lt_bench.environments.shop.tables import COLUMNS, KEYS
from lt_bench.errors import UsageError

SHOP = catalogue(5)
SKU = SHOP.products[0].variants[0].sku
OPEN = an_order(SHOP, "processing", lambda order: not order.coupon)
SHIPPED = an_order(SHOP, "shipped")
DONE = an_order(SHOP, "delivered", lambda order: bool(order.returns))
COUPON = SHOP.coupons[0]
PRODUCT = SHOP.products[0]
BUYER = SHOP.customers[0]

CHANGES = {
    "products": (
        PRODUCT.product_id,
        {
            "name": "New Name", "brand": "New", "category": SHOP.products[-1].category,
            "material": "gold", "weight": 1, "warranty": 99, "rating": 1,
            "returnable": not PRODUCT.returnable,
        },
    ),
    "variants": (SKU, {"color": "plaid", "size": "0", "price": 1, "stock": 77}),
    "coupons": (
        COUPON.code,
        {
            "kind": "amount" if COUPON.kind == "percent" else "percent", "value": 3, "minimum": 1,
            "category": SHOP.categories[0], "expires": "2027-01-01",
        },
    ),
    "customers": (
        BUYER.customer_id,
        {"name": "N", "email": "n@example.com", "street": "s", "city": "c", "postcode": "00000"},
    ),
    "orders": (
        OPEN.order_id,
        {
            "customer_id": next(o.customer_id for o in SHOP.orders if o.customer_id != OPEN.customer_id),
            "placed_on": "2026-01-01", "street": "s", "city": "c", "postcode": "00000",
            "coupon": COUPON.code,
        },
    ),
    "order_items": (f"{OPEN.order_id}/{OPEN.items[0].sku}", {"quantity": 9, "price": 1}),
    "shipments": (
        SHIPPED.order_id,
        {
            "carrier": "c", "tracking": "t", "shipped_on": "2026-01-01", "due_on": "2026-01-02",
            "place": "p",
        },
    ),
    "returns": (f"{DONE.order_id}/{DONE.returns[0].sku}", {"reason": "changed_mind"}),
}  # fmt: skip


def test_every_column_can_be_changed_and_the_hash_sees_it():
    seen = {shop_world().state_sha()}
    count = 1
    for table, (key, row) in CHANGES.items():
        for column, value in row.items():
            if table == "coupons" and column == "kind":
                value = {"kind": value, "value": 3}
            else:
                value = {column: value}
            with shop_world({table: {key: value}}) as world:
                seen.add(world.state_sha())
            count += 1
    assert len(seen) == count
    untested = {
        (table, column)
        for table, columns in COLUMNS.items()
        for column in columns
        if column not in KEYS[table] and column not in CHANGES[table][1]
    }
    assert untested == {
        ("variants", "product_id"),
        ("orders", "status"),
        ("orders", "cancel_reason"),
        ("shipments", "delivered_on"),
        ("returns", "kind"),
        ("returns", "new_sku"),
    }


def test_a_patched_shop_says_what_the_patch_says():
    patch = {"variants": {SKU: {"stock": 3, "price": 1234}}}
    one = catalogue(5, "en", patch).variant(SKU)
    assert (one.stock, one.price) == (3, 1234)
    assert catalogue(5).variant(SKU) == SHOP.variant(SKU)
    assert catalogue(5, "en", {"lang": "zh"}).lang == "zh"


def test_the_status_of_an_order_changes_with_what_belongs_to_it():
    parcel = {
        "carrier": "SwiftPost",
        "tracking": "T1",
        "shipped_on": "2026-06-01",
        "due_on": "2026-06-05",
        "delivered_on": "2026-06-05",
        "place": "front door",
    }
    patch = {
        "orders": {
            OPEN.order_id: {"status": "delivered"},
            SHIPPED.order_id: {"status": "processing"},
        },
        "shipments": {OPEN.order_id: parcel, SHIPPED.order_id: None},
    }
    with shop_world(patch) as world:
        told(world.call("cancel_order", {"order_id": SHIPPED.order_id, "reason": "too_slow"}))
        said = told(world.call("track_shipment", {"order_id": OPEN.order_id}))
        assert said["delivered_on"] == "2026-06-05"


def test_rows_can_be_added_and_taken_out_in_any_order():
    patch = {
        "order_items": {f"A12345/{SKU}": {"quantity": 2, "price": 999}},
        "orders": {
            "A12345": {
                "customer_id": "C0001",
                "status": "processing",
                "placed_on": "2026-06-14",
                "street": "1 Oak",
                "city": "Reno",
                "postcode": "12345",
                "coupon": "",
                "cancel_reason": "",
            }
        },
        "customers": {
            "C0001": {
                "name": "New One",
                "email": "new@example.com",
                "street": "1 Oak",
                "city": "Reno",
                "postcode": "12345",
            }
        },
        "coupons": {COUPON.code: None}
        if not any(o.coupon == COUPON.code for o in SHOP.orders)
        else {},
    }
    with shop_world(patch) as world:
        (order,) = told(world.call("find_orders", {"customer": "new@example.com"}))["orders"]
        assert order["order_id"] == "A12345"
    turned = {table: patch[table] for table in reversed(patch)}
    assert shop_world(turned).state_sha() == shop_world(patch).state_sha()


@pytest.mark.parametrize(
    ("patch", "part"),
    [
        ({"lang": "fr"}, "lang 'fr'"),
        ({"lang": ["en"]}, "lang"),
        ({"variant": {}}, "Did you mean 'variants'?"),
        ({"variants": []}, "no object of rows"),
        ({"variants": {SKU: 3}}, "neither an object of columns nor null"),
        ({"variants": {SKU: {}}}, "neither an object of columns nor null"),
        ({"variants": {SKU: {"stok": 3}}}, "Did you mean 'stock'?"),
        ({"variants": {SKU: {"sku": "P1234-01"}}}, "no column 'sku'"),
        ({"variants": {SKU: {"stock": -1}}}, "a whole number"),
        ({"variants": {SKU: {"stock": True}}}, "a whole number"),
        ({"variants": {SKU: {"stock": 1.5}}}, "a whole number"),
        ({"variants": {SKU: {"stock": 10**30}}}, "a whole number"),
        ({"variants": {SKU: {"price": 0}}}, "CHECK"),
        ({"variants": {SKU: {"color": "\ud800"}}}, "text up to"),
        ({"variants": {SKU: {"color": "x" * 999}}}, "text up to"),
        ({"variants": {"P0000-00": {"stock": 1}}}, "no row 'P0000-00'"),
        ({"variants": {"P0000-00": None}}, "to take out"),
        ({"variants": {OPEN.items[0].sku: None}}, "do not fit"),
        ({"products": {PRODUCT.product_id: {"returnable": 1}}}, "true or false"),
        ({"products": {PRODUCT.product_id: {"category": "planes"}}}, "planes"),
        ({"order_items": {"A12345": {"quantity": 1}}}, "order_id/sku"),
        ({"orders": {OPEN.order_id: {"status": "lost"}}}, "CHECK"),
        ({"orders": {OPEN.order_id: {"status": "shipped"}}}, "has no shipment"),
        ({"orders": {OPEN.order_id: {"status": "cancelled"}}}, "without a cancel_reason"),
        ({"orders": {OPEN.order_id: {"coupon": "NOPE"}}}, "coupon that does not exist"),
        ({"orders": {OPEN.order_id: {"placed_on": "yesterday"}}}, "no date"),
        ({"orders": {OPEN.order_id: {"customer_id": "C0000"}}}, "FOREIGN KEY"),
        ({"shipments": {SHIPPED.order_id: {"delivered_on": "2026-06-01"}}}, "not delivered"),
        ({"coupons": {COUPON.code: {"expires": "2026-02-30"}}}, "no date"),
        ({"coupons": {COUPON.code: {"kind": "percent", "value": 101}}}, "CHECK"),
        ({"sqlite_master": {"x": None}}, "no table"),
        ({"variants; DROP TABLE orders": {}}, "no table"),
    ],
)  # fmt: skip
def test_a_patch_that_does_not_fit_is_refused_with_its_place(patch, part):
    with pytest.raises(UsageError) as caught:
        shop_world(patch)
    assert part in str(caught.value)
    assert len(str(caught.value).splitlines()) <= 6


def test_an_id_of_another_form_cannot_come_in():
    row = {"name": "n", "email": "e", "street": "s", "city": "c", "postcode": "p"}
    with pytest.raises(UsageError, match="customer_id"):
        shop_world({"customers": {"bob": row}})
