"""The rules: what the policy says, the tools hold to, and cite when they refuse."""

import pytest
from support.shop import an_order, others, owner, refusal, shop_world, told

from lt_bench.environments.shop import RULES, catalogue, policy, rule, tool_schemas
from lt_bench.environments.shop.money import Line, bill, refund
from lt_bench.environments.shop.records import Coupon
from lt_bench.environments.shop.words import MARKETS

LANGS = ("en", "zh")
POSTCODE = {"en": "12345", "zh": "123456"}


@pytest.fixture(params=LANGS)
def lang(request):
    return request.param


@pytest.fixture
def shop(lang):
    return catalogue(5, lang)


def test_the_policy_is_its_rules_with_all_figures(lang):
    first, *lines = policy(lang).splitlines()
    assert "2026-06-15" in first
    assert MARKETS[lang].currency in first
    assert lines == [f"{n}. {rule(lang, name)}" for n, name in enumerate(RULES, 1)]
    assert "{" not in policy(lang)
    assert len(set(lines)) == len(RULES) == 17


# --- A refusal for every rule that forbids something ------------------------------------------


def stocked(shop, sku, least=1):
    """Another variant of the same product, made to be in stock by the patch."""
    return others(shop, sku)[0], {others(shop, sku)[0].sku: {"stock": least + 5}}


def fine_order(shop, status="processing"):
    """An order without a coupon or returns, of goods that may be returned."""
    return an_order(
        shop,
        status,
        lambda order: (
            not order.coupon
            and not order.returns
            and owner(shop, order.items[0].sku).returnable
            and (order.shipment is None or order.shipment.delivered_on >= "2026-05-16")
        ),
    )


@pytest.mark.parametrize("status", ["shipped", "delivered", "cancelled"])
def test_open_only(shop, lang, status):
    order = an_order(shop, status, lambda order: not order.coupon)
    item, (new, stock) = order.items[0], stocked(shop, order.items[0].sku)
    with shop_world({"lang": lang, "variants": stock}) as world:
        before = world.state_sha()
        address = {"street": "1 Oak", "city": "Reno", "postcode": POSTCODE[lang]}
        for name, more in (
            ("cancel_order", {"reason": "too_slow"}),
            ("change_order_address", address),
            ("change_order_item", {"sku": item.sku, "new_sku": new.sku}),
            ("apply_coupon", {"code": shop.coupons[0].code}),
        ):
            said = refusal(world.call(name, {"order_id": order.order_id, **more}))
            assert rule(lang, "open_only") in said
            assert status in said
        assert world.state_sha() == before


@pytest.mark.parametrize("status", ["processing", "shipped", "cancelled"])
def test_delivered_only(shop, lang, status):
    order = an_order(shop, status)
    sku = order.items[0].sku
    with shop_world({"lang": lang}) as world:
        back = {"order_id": order.order_id, "skus": [sku], "reason": "defective"}
        swap = {
            "order_id": order.order_id,
            "sku": sku,
            "new_sku": others(shop, sku)[0].sku,
            "reason": "defective",
        }
        for said in (world.call("return_order", back), world.call("exchange_item", swap)):
            assert rule(lang, "delivered_only") in refusal(said)


def test_postcode(shop, lang):
    order, digits = an_order(shop, "processing"), MARKETS[lang].postcode_digits
    assert str(digits) in rule(lang, "postcode")
    with shop_world({"lang": lang}) as world:
        for postcode in ("1" * (digits - 1), "1" * (digits + 1), "ABCDE", "１" * digits):
            given = {"street": "1 Oak", "city": "Reno", "postcode": postcode}
            said = refusal(
                world.call("change_order_address", {"order_id": order.order_id, **given})
            )
            assert said.startswith("postcode")
        given["postcode"] = "1" * digits
        told(world.call("change_order_address", {"order_id": order.order_id, **given}))
        assert world.shop.order(order.order_id).address.postcode == "1" * digits


def test_same_product(shop, lang):
    order, late = fine_order(shop), fine_order(shop, "delivered")
    with shop_world({"lang": lang}) as world:
        for one, name, more in (
            (order, "change_order_item", {}),
            (late, "exchange_item", {"reason": "defective"}),
        ):
            sku = one.items[0].sku
            strange = next(
                v.sku
                for product in shop.products
                for v in product.variants
                if product != owner(shop, sku) and v.stock > 5
            )
            for new in (strange, sku):
                given = {"order_id": one.order_id, "sku": sku, "new_sku": new, **more}
                assert rule(lang, "same_product") in refusal(world.call(name, given))


def test_an_item_cannot_become_another_item_of_the_order(shop, lang):
    order = fine_order(shop)
    item, (new, stock) = order.items[0], stocked(shop, order.items[0].sku)
    row = {f"{order.order_id}/{new.sku}": {"quantity": 1, "price": new.price}}
    with shop_world({"lang": lang, "variants": stock, "order_items": row}) as world:
        given = {"order_id": order.order_id, "sku": item.sku, "new_sku": new.sku}
        assert rule(lang, "same_product") in refusal(world.call("change_order_item", given))


def test_in_stock(shop, lang):
    order, late = fine_order(shop), fine_order(shop, "delivered")
    first, second = (others(shop, one.items[0].sku)[0] for one in (order, late))
    needed = (order.items[0].quantity, late.items[0].quantity)
    stock = {first.sku: {"stock": needed[0] - 1}, second.sku: {"stock": needed[1] - 1}}
    with shop_world({"lang": lang, "variants": stock}) as world:
        before = world.state_sha()
        change = {"order_id": order.order_id, "sku": order.items[0].sku, "new_sku": first.sku}
        swap = {
            "order_id": late.order_id,
            "sku": late.items[0].sku,
            "new_sku": second.sku,
            "reason": "damaged",
        }
        buy = {
            "customer": order.customer_id,
            "items": [{"sku": first.sku, "quantity": needed[0]}],
        }
        for name, given in (
            ("change_order_item", change),
            ("exchange_item", swap),
            ("place_order", buy),
        ):
            said = refusal(world.call(name, given))
            assert rule(lang, "in_stock") in said
            assert str(needed[0] - 1) in said
        assert world.state_sha() == before


def test_quantity(shop, lang):
    assert "5" in rule(lang, "quantity")
    variant = shop.products[0].variants[0]
    with shop_world({"lang": lang, "variants": {variant.sku: {"stock": 50}}}) as world:
        buyer = shop.customers[0].customer_id
        for quantity, fits in ((5, True), (6, False), (0, False), (-1, False), (1.5, False)):
            items = [{"sku": variant.sku, "quantity": quantity}]
            outcome = world.call("place_order", {"customer": buyer, "items": items})
            assert outcome.error != fits
        twice = [{"sku": variant.sku, "quantity": 3}] * 2
        refusal(world.call("place_order", {"customer": buyer, "items": twice}))
        assert world.shop.variant(variant.sku).stock == 45


def coupon(value=10, minimum=0, expires="2026-12-31", category="", kind="percent"):
    return {
        "kind": kind,
        "value": value,
        "minimum": minimum,
        "category": category,
        "expires": expires,
    }


def test_coupon_one(shop, lang):
    order = fine_order(shop)
    patch = {"lang": lang, "coupons": {"ONE1": coupon(), "TWO2": coupon()}}
    with shop_world(patch) as world:
        given = {"order_id": order.order_id}
        told(world.call("apply_coupon", {**given, "code": "ONE1"}))
        for code in ("ONE1", "TWO2"):
            said = refusal(world.call("apply_coupon", {**given, "code": code}))
            assert rule(lang, "coupon_one") in said
            assert "ONE1" in said


def test_coupon_expired(shop, lang):
    order, variant = fine_order(shop), shop.products[0].variants[0]
    patch = {
        "lang": lang,
        "coupons": {"OLD1": coupon(expires="2026-06-14"), "NOW1": coupon(expires="2026-06-15")},
        "variants": {variant.sku: {"stock": 9}},
    }
    buy = {"customer": order.customer_id, "items": [{"sku": variant.sku, "quantity": 1}]}
    with shop_world(patch) as world:
        apply = {"order_id": order.order_id, "code": "OLD1"}
        assert rule(lang, "coupon_expired") in refusal(world.call("apply_coupon", apply))
        said = refusal(world.call("place_order", {**buy, "coupon": "OLD1"}))
        assert rule(lang, "coupon_expired") in said
        told(world.call("apply_coupon", {**apply, "code": "NOW1"}))


def test_coupon_minimum(shop, lang):
    order = an_order(shop, "processing", lambda order: not order.coupon and len(order.items) == 2)
    lines = [(owner(shop, item.sku).category, item.price * item.quantity) for item in order.items]
    goods, own = sum(sum_ for _, sum_ in lines), lines[0][1]
    other = next(c for c in shop.categories if c not in {category for category, _ in lines})
    same = {category for category, _ in lines} == {lines[0][0]}
    patch = {
        "lang": lang,
        "coupons": {
            "ALL1": coupon(minimum=goods + 1),
            "OWN1": coupon(minimum=(goods if same else own) + 1, category=lines[0][0]),
            "NON1": coupon(minimum=0, category=other),
            "FIT1": coupon(minimum=goods),
        },
    }
    with shop_world(patch) as world:
        for code in ("ALL1", "OWN1", "NON1"):
            said = refusal(world.call("apply_coupon", {"order_id": order.order_id, "code": code}))
            assert rule(lang, "coupon_minimum") in said
        told(world.call("apply_coupon", {"order_id": order.order_id, "code": "FIT1"}))


def test_coupon_minimum_after_a_change(shop, lang):
    order = fine_order(shop)
    item, (new, stock) = order.items[0], stocked(shop, order.items[0].sku, 5)
    goods = sum(one.price * one.quantity for one in order.items)
    cheaper = {new.sku: {**stock[new.sku], "price": item.price - 1}}
    patch = {"lang": lang, "coupons": {"FIT1": coupon(minimum=goods)}, "variants": cheaper}
    given = {"order_id": order.order_id, "sku": item.sku, "new_sku": new.sku}
    with shop_world(patch) as world:
        told(world.call("apply_coupon", {"order_id": order.order_id, "code": "FIT1"}))
        before = world.state_sha()
        said = refusal(world.call("change_order_item", given))
        assert rule(lang, "coupon_minimum") in said
        assert world.state_sha() == before
    with shop_world(patch) as world:
        told(world.call("change_order_item", given))


def test_coupon_once(shop, lang):
    order, variant = fine_order(shop), shop.products[0].variants[0]
    patch = {
        "lang": lang,
        "coupons": {"ONE1": coupon()},
        "variants": {variant.sku: {"stock": 9}},
    }
    buy = {
        "customer": order.customer_id,
        "items": [{"sku": variant.sku, "quantity": 1}],
        "coupon": "ONE1",
    }
    apply = {"order_id": order.order_id, "code": "ONE1"}
    with shop_world(patch) as world:
        bought = told(world.call("place_order", buy))["order_id"]
        said = refusal(world.call("apply_coupon", apply))
        assert rule(lang, "coupon_once") in said
        assert bought in said
        assert rule(lang, "coupon_once") in refusal(world.call("place_order", buy))
        other = next(one for one in shop.customers if one.customer_id != order.customer_id)
        told(world.call("place_order", {**buy, "customer": other.customer_id}))
        told(world.call("cancel_order", {"order_id": bought, "reason": "changed_mind"}))
        told(world.call("apply_coupon", apply))


def test_window(shop, lang):
    order = fine_order(shop, "delivered")
    back = {"order_id": order.order_id, "skus": [order.items[0].sku], "reason": "defective"}
    for day, fits in (("2026-05-15", False), ("2026-05-16", True)):
        with shop_world(
            {"lang": lang, "shipments": {order.order_id: {"delivered_on": day}}}
        ) as world:
            outcome = world.call("return_order", back)
            assert outcome.error != fits
            if not fits:
                assert rule(lang, "window") in refusal(outcome)
                assert day in outcome.content


def test_once(shop, lang):
    order = fine_order(shop, "delivered")
    item, (new, stock) = order.items[0], stocked(shop, order.items[0].sku, 5)
    back = {"order_id": order.order_id, "skus": [item.sku], "reason": "defective"}
    swap = {
        "order_id": order.order_id,
        "sku": item.sku,
        "new_sku": new.sku,
        "reason": "defective",
    }
    for name, given in (("return_order", back), ("exchange_item", swap)):
        with shop_world({"lang": lang, "variants": stock}) as world:
            told(world.call(name, given))
            for again in (world.call("return_order", back), world.call("exchange_item", swap)):
                assert rule(lang, "once") in refusal(again)


def test_opened(shop, lang):
    order = fine_order(shop, "delivered")
    item, (new, stock) = order.items[0], stocked(shop, order.items[0].sku, 5)
    product = owner(shop, item.sku)
    patch = {
        "lang": lang,
        "variants": stock,
        "products": {product.product_id: {"returnable": False}},
    }
    for reason in ("changed_mind", "defective", "damaged", "wrong_item"):
        back = {"order_id": order.order_id, "skus": [item.sku], "reason": reason}
        swap = {
            "order_id": order.order_id,
            "sku": item.sku,
            "new_sku": new.sku,
            "reason": reason,
        }
        for name, given in (("return_order", back), ("exchange_item", swap)):
            with shop_world(patch) as world:
                outcome = world.call(name, given)
                assert outcome.error == (reason == "changed_mind")
                if outcome.error:
                    assert rule(lang, "opened") in refusal(outcome)


# --- Rules that say what it costs -------------------------------------------------------------


def test_shipping(lang):
    market = MARKETS[lang]
    assert str(market.free_from // 100) in rule(lang, "shipping")
    just = [Line("a", "x", market.free_from, 1)]
    below = [Line("a", "x", market.free_from - 1, 1)]
    assert bill(market, just, None).shipping == 0
    assert bill(market, below, None).shipping == market.shipping
    off = Coupon("C", "amount", 1, 0, "", "2026-12-31")
    assert bill(market, just, off).total == market.free_from - 1 + market.shipping


def test_figures_of_an_order_by_hand():
    """Two kettles at 29.99 and a lamp at 20.01 with 15 % off kettles."""
    market = MARKETS["en"]
    lines = [Line("k", "kettles", 2999, 2), Line("l", "desk lamps", 2001, 1)]
    off = Coupon("K15", "percent", 15, 0, "kettles", "2026-12-31")
    total = bill(market, lines, off)
    assert (total.goods, total.discount, total.shipping, total.total) == (7999, 900, 0, 7099)
    assert refund(lines, off, "k") == 5998 - 900
    assert refund(lines, off, "l") == 2001
    everything = Coupon("A10", "amount", 1000, 0, "", "2026-12-31")
    assert refund(lines, everything, "k") == 5998 - 750  # 749.8
    assert refund(lines, everything, "l") == 2001 - 250  # 250.2
    large = Coupon("BIG", "amount", 99999, 0, "", "2026-12-31")
    assert bill(market, lines, large).total == market.shipping


def test_difference(shop, lang):
    order = fine_order(shop)
    item, (new, stock) = order.items[0], stocked(shop, order.items[0].sku, 5)
    dearer = {new.sku: {**stock[new.sku], "price": item.price + 1000}}
    goods = {order.order_id: sum(one.price * one.quantity for one in order.items)}
    free = goods[order.order_id] >= MARKETS[lang].free_from
    with shop_world({"lang": lang, "variants": dearer}) as world:
        given = {"order_id": order.order_id, "sku": item.sku, "new_sku": new.sku}
        said = told(world.call("change_order_item", given))
        now_free = goods[order.order_id] + 1000 * item.quantity >= MARKETS[lang].free_from
        fee = (0 if now_free else 1) - (0 if free else 1)
        expected = 1000 * item.quantity + fee * MARKETS[lang].shipping
        assert said["difference"] == expected / 100
        shop_now = world.shop
        (line,) = [one for one in shop_now.order(order.order_id).items if one.sku == new.sku]
        assert (line.quantity, line.price) == (item.quantity, item.price + 1000)
        assert shop_now.variant(new.sku).stock == 10 - item.quantity
        assert shop_now.variant(item.sku).stock == shop.variant(item.sku).stock + item.quantity


def test_difference_of_an_exchange(shop, lang):
    order = fine_order(shop, "delivered")
    item, (new, stock) = order.items[0], stocked(shop, order.items[0].sku, 5)
    cheaper = {new.sku: {**stock[new.sku], "price": item.price - 700}}
    with shop_world({"lang": lang, "variants": cheaper}) as world:
        given = {
            "order_id": order.order_id,
            "sku": item.sku,
            "new_sku": new.sku,
            "reason": "changed_mind",
        }
        said = told(world.call("exchange_item", given))
        assert said["difference"] == -7 * item.quantity
        now = world.shop
        assert now.variant(new.sku).stock == 10 - item.quantity
        assert now.variant(item.sku).stock == shop.variant(item.sku).stock
        (back,) = now.order(order.order_id).returns
        assert (back.kind, back.new_sku, back.reason) == ("exchange", new.sku, "changed_mind")


def test_cancel_refund(shop, lang):
    order = fine_order(shop)
    with shop_world({"lang": lang}) as world:
        total = told(world.call("get_order", {"order_id": order.order_id}))["total"]
        said = told(world.call("cancel_order", {"order_id": order.order_id, "reason": "too_slow"}))
        assert said["refund"] == total
        now = world.shop
        assert (now.order(order.order_id).status, now.order(order.order_id).cancel_reason) == (
            "cancelled",
            "too_slow",
        )
        for item in order.items:
            assert now.variant(item.sku).stock == shop.variant(item.sku).stock + item.quantity


def test_return_refund(shop, lang):
    order = fine_order(shop, "delivered")
    item, postage = order.items[0], MARKETS[lang].return_postage
    paid = item.price * item.quantity
    assert str(postage // 100) in rule(lang, "return_refund")
    for reason, expected in (("defective", paid), ("changed_mind", paid - postage)):
        with shop_world({"lang": lang}) as world:
            given = {"order_id": order.order_id, "skus": [item.sku], "reason": reason}
            said = told(world.call("return_order", given))
            assert said["refund"] == expected / 100
            assert world.shop.variant(item.sku).stock == shop.variant(item.sku).stock


def test_a_return_of_several_items_is_all_or_nothing(shop, lang):
    order = an_order(
        shop,
        "delivered",
        lambda order: (
            len(order.items) > 1
            and not order.returns
            and order.shipment.delivered_on >= "2026-05-16"
        ),
    )
    skus = [item.sku for item in order.items]
    with shop_world({"lang": lang}) as world:
        before = world.state_sha()
        strange = next(v.sku for p in shop.products for v in p.variants if v.sku not in skus)
        given = {"order_id": order.order_id, "skus": [*skus, strange], "reason": "damaged"}
        refusal(world.call("return_order", given))
        assert world.state_sha() == before
        told(world.call("return_order", {**given, "skus": skus}))
        assert {one.sku for one in world.shop.order(order.order_id).returns} == set(skus)


def test_a_placed_order_can_be_read_and_cancelled(shop, lang):
    customer = shop.customers[3]
    full = [v for p in shop.products for v in p.variants if v.stock > 2][:2]
    items = [{"sku": one.sku, "quantity": n} for n, one in enumerate(full, 1)]
    with shop_world({"lang": lang}) as world:
        before = world.state_sha()
        said = told(world.call("place_order", {"customer": customer.email, "items": items}))
        order = world.shop.order(said["order_id"])
        assert (order.customer_id, order.address) == (customer.customer_id, customer.address)
        assert order.placed_on == "2026-06-15"
        assert order.status == "processing"
        assert told(world.call("get_order", {"order_id": order.order_id}))["total"] == said["total"]
        given = {"order_id": order.order_id, "reason": "ordered_by_mistake"}
        assert told(world.call("cancel_order", given))["refund"] == said["total"]
        assert world.state_sha() != before  # a cancelled order remains
        for one in full:
            assert world.shop.variant(one.sku).stock == one.stock


FORBID = {
    "open_only", "delivered_only", "postcode", "same_product", "in_stock", "quantity", "coupon_one",
    "coupon_expired", "coupon_minimum", "coupon_once", "window", "once", "opened",
}  # fmt: skip
COST = {"shipping", "difference", "cancel_refund", "return_refund"}


def test_every_rule_has_its_test():
    here = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert set(RULES) == FORBID | COST
    assert set(RULES) <= here


def test_reasons_of_the_rules_are_reasons_of_the_tools(lang):
    tools = {
        tool["function"]["name"]: tool["function"]["parameters"] for tool in tool_schemas(lang)
    }
    reasons = tools["return_order"]["properties"]["reason"]["enum"]
    assert "changed_mind" in reasons
    assert "changed_mind" in rule(lang, "return_refund")
