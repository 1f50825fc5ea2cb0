"""A shop is the same for everybody who opens it, and nobody opens another's."""

import itertools
import subprocess
import sys
import time

import pytest
from support.shop import an_order, others, shop_world, told

from lt_bench.environments import ENVIRONMENTS, open_world
from lt_bench.environments.shop import READING, catalogue
from lt_bench.environments.shop.coherence import contradictions
from lt_bench.environments.shop.generate import generate
from lt_bench.environments.shop.money import Line, in_scope
from lt_bench.environments.shop.world import TOOLS
from lt_bench.errors import UsageError
from lt_bench.records import World

LANGS = ("en", "zh")


@pytest.mark.parametrize("lang", LANGS)
def test_the_store_holds_what_the_catalogue_says(lang):
    for seed in (0, 1, 77):
        with shop_world({"lang": lang}, seed) as world:
            assert world.shop == catalogue(seed, lang)


def test_a_seed_is_one_shop_whatever_the_process():
    here = shop_world(seed=11).state_sha()
    code = (
        "from lt_bench.environments import open_world; from lt_bench.records import World;"
        "print(open_world(World(kind='shop', seed=11)).state_sha())"
    )
    there = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "12345", "PATH": ""},
    )
    assert there.stdout.strip() == here


def test_the_shop_of_a_seed_does_not_change_between_versions():
    """Rows name shops by seed: raise VERSION in generate.py before you change this."""
    assert shop_world(seed=7).state_sha() == EN_7
    assert shop_world({"lang": "zh"}, 7).state_sha() == ZH_7


EN_7 = "439ae573a3c82742a936b6da595ad6b4f8f69f36ef8991d93594213acb5d631b"
ZH_7 = "b69ec2f9436a951e6a4aacc7dea1932f953008a8d96f54a914e2082389b730b7"


def test_seeds_and_languages_differ():
    states = {shop_world({"lang": lang}, seed).state_sha() for lang in LANGS for seed in range(4)}
    assert len(states) == 8


@pytest.mark.parametrize("lang", LANGS)
def test_generated_shops_do_not_contradict_themselves(lang):
    for seed in range(12):
        with shop_world({"lang": lang}, seed) as world:
            assert list(contradictions(world._store, lang)) == []


@pytest.mark.parametrize("lang", LANGS)
def test_generated_orders_had_a_right_to_their_coupons(lang):
    for seed in range(12):
        shop = generate(seed, lang)
        for order in shop.orders:
            if order.coupon:
                lines = [
                    Line(
                        item.sku,
                        shop.product(shop.variant(item.sku).product_id).category,
                        item.price,
                        item.quantity,
                    )
                    for item in order.items
                ]
                coupon = shop.coupon(order.coupon)
                assert in_scope(lines, coupon) >= coupon.minimum
        used = [(o.customer_id, o.coupon) for o in shop.orders if o.coupon]
        assert len(used) == len(set(used))


@pytest.mark.parametrize("lang", LANGS)
def test_every_shop_has_what_a_dialogue_may_need(lang):
    """Orders of every status, in time and out of it; empty shelves; coupons of every kind."""
    for seed in range(12):
        shop = generate(seed, lang)
        variants = [one for product in shop.products for one in product.variants]
        assert {order.status for order in shop.orders} == {
            "processing",
            "shipped",
            "delivered",
            "cancelled",
        }
        empty = sum(one.stock == 0 for one in variants) / len(variants)
        assert 0.1 < empty < 0.35
        assert any(order.returns for order in shop.orders)
        delivered = [
            order.shipment.delivered_on for order in shop.orders if order.status == "delivered"
        ]
        assert min(delivered) < "2026-05-16" <= max(delivered) < "2026-06-15"
        assert {(one.kind, one.expires >= "2026-06-15") for one in shop.coupons} == {
            ("percent", True),
            ("percent", False),
            ("amount", True),
            ("amount", False),
        }
        assert len({product.name for product in shop.products}) == len(shop.products)


def test_copies_know_nothing_of_each_other():
    first, second = shop_world(), shop_world()
    before = second.state_sha()
    order = next(order for order in first.shop.orders if order.status == "processing")
    told(first.call("cancel_order", {"order_id": order.order_id, "reason": "too_slow"}))
    assert first.state_sha() != before
    assert second.state_sha() == before == shop_world().state_sha()


def test_reading_changes_nothing():
    for lang in LANGS:
        world = shop_world({"lang": lang})
        before, shop = world.state_sha(), world.shop
        order, product = shop.orders[0], shop.products[0]
        calls = {
            "search_products": {"query": product.name, "in_stock": True, "sort": "price_low"},
            "get_product": {"product_id": product.product_id},
            "check_stock": {"product_id": product.product_id},
            "get_price": {
                "product_id": product.product_id,
                "quantity": 3,
                "coupon": shop.coupons[0].code,
            },
            "check_coupon": {"code": shop.coupons[0].code},
            "get_order": {"order_id": order.order_id},
            "find_orders": {"customer": order.customer_id, "status": order.status},
            "track_shipment": {"order_id": order.order_id},
        }
        assert calls.keys() == READING.keys()
        for name, arguments in calls.items():
            told(world.call(name, arguments))
        assert world.state_sha() == before


def test_a_tool_that_reads_could_not_write(monkeypatch):
    def meddle(desk, given):
        desk.change("UPDATE variants SET stock = 1000000")
        return {}

    monkeypatch.setitem(TOOLS, "get_order", meddle)
    world = shop_world()
    before = world.state_sha()
    outcome = world.call("get_order", {"order_id": world.shop.orders[0].order_id})
    assert outcome.error
    assert world.state_sha() == before


def test_writes_that_lead_to_the_same_state_leave_the_same_hash():
    shop = catalogue(5)
    open_order = an_order(shop, "processing")
    full = [one for product in shop.products for one in product.variants if one.stock > 7]
    buyer = shop.customers[0].customer_id
    writes = [
        ("cancel_order", {"order_id": open_order.order_id, "reason": "too_slow"}),
        ("place_order", {"customer": buyer, "items": [{"sku": full[0].sku, "quantity": 2}]}),
        ("place_order", {"customer": buyer, "items": [{"sku": full[1].sku, "quantity": 1}]}),
        ("place_order", {"customer": buyer, "items": [{"sku": full[1].sku, "quantity": 1}]}),
    ]
    states = set()
    for order in itertools.permutations(writes):
        with shop_world() as world:
            for name, arguments in order:
                told(world.call(name, arguments))
            states.add(world.state_sha())
    assert len(states) == 1


def test_a_write_and_its_undoing_leave_no_trace():
    shop = catalogue(5)
    order = an_order(
        shop,
        "processing",
        lambda order: any(
            one.stock >= order.items[0].quantity for one in others(shop, order.items[0].sku)
        ),
    )
    item = order.items[0]
    new = next(one for one in others(shop, item.sku) if one.stock >= item.quantity)
    world = shop_world()
    before = world.state_sha()
    there = {"order_id": order.order_id, "sku": item.sku, "new_sku": new.sku}
    back = {"order_id": order.order_id, "sku": new.sku, "new_sku": item.sku}
    told(world.call("change_order_item", there))
    assert world.state_sha() != before
    told(world.call("change_order_item", back))
    assert world.state_sha() == before


def test_a_copy_opens_within_two_milliseconds():
    variant = catalogue(5).products[0].variants[0]
    patch = {"variants": {variant.sku: {"stock": 0}}}
    for one in ({}, patch, {"lang": "zh"}):
        shop_world(one).close()
        spent = []
        for _ in range(20):
            start = time.process_time()
            shop_world(one).close()
            spent.append(time.process_time() - start)
        assert sorted(spent)[10] < 0.002


def test_a_closed_world_says_that_it_failed():
    world = shop_world()
    with world as opened:
        assert opened is world
    assert world.call("get_order", {"order_id": "A12345"}).error


def test_worlds_open_by_kind():
    with open_world(World(kind="shop", seed=1)) as world:
        assert world.tools
    assert "mini_shop" in ENVIRONMENTS.targets
    with pytest.raises(UsageError, match="unknown environment 'shopp'"):
        open_world(World(kind="shopp", seed=1))


def test_the_library_that_checks_arguments_is_imported_by_the_first_call_only():
    code = (
        "import sys; from lt_bench.environments import open_world; from lt_bench.records import World;"
        "w = open_world(World(kind='shop', seed=1)); assert 'jsonschema' not in sys.modules;"
        "w.call('get_order', {'order_id': 'A12345'}); assert 'jsonschema' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
