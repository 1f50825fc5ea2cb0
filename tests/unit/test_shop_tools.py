"""What the tools that read say, against the catalogue."""

import pytest
from support.shop import an_order, owner, refusal, shop_world, told

from lt_bench.environments.shop import catalogue, tool_schemas
from lt_bench.environments.shop.money import units
from lt_bench.environments.shop.searching import search_words

LANGS = ("en", "zh")


@pytest.fixture(params=LANGS)
def lang(request):
    return request.param


@pytest.fixture
def shop(lang):
    return catalogue(5, lang)


@pytest.fixture
def world(lang):
    with shop_world({"lang": lang}) as opened:
        yield opened


def test_every_product_is_found_by_its_name(world, shop):
    for product in shop.products:
        found = told(world.call("search_products", {"query": product.name}))
        assert found["products"][0]["product_id"] == product.product_id
        assert found["found"] == 1


def test_a_search_by_category_finds_all_of_it(world, shop):
    for category in shop.categories:
        found = told(world.call("search_products", {"category": category}))
        ids = {one["product_id"] for one in found["products"]}
        assert ids == {p.product_id for p in shop.products if p.category == category}


def test_filters_hold_for_one_and_the_same_variant(world, shop):
    colors = {one.color for product in shop.products for one in product.variants}
    for color in sorted(colors):
        given = {"color": color, "max_price": 150, "in_stock": True, "sort": "price_low"}
        found = told(world.call("search_products", given))
        fit = {
            product.product_id: min(prices)
            for product in shop.products
            if (
                prices := [
                    one.price
                    for one in product.variants
                    if one.color == color and one.price <= 15000 and one.stock
                ]
            )
        }
        assert found["found"] == len(fit)
        first = sorted(fit, key=lambda key: (fit[key], key))[:5]
        assert [one["product_id"] for one in found["products"]] == first
        assert [one["price_from"] for one in found["products"]] == [
            units(fit[key]) for key in first
        ]


def test_sorting_by_price_and_rating(world, shop):
    given = {"in_stock": True}
    for sort, key in (
        ("price_high", lambda one: -one["price_from"]),
        ("rating", lambda one: -one["rating"]),
    ):
        found = told(world.call("search_products", {**given, "sort": sort}))["products"]
        assert found == sorted(found, key=key)
        assert len(found) == 5


def test_a_search_without_a_hit_finds_nothing(world):
    for query in ("zzzqqq", "飞机", "%", "' OR 1=1 --", "***"):
        found = told(world.call("search_products", {"query": query}))
        assert found["products"] == []
        assert found["found"] == 0


def test_words_of_a_search():
    assert search_words("Red running-shoes, 1.5 L!") == ["red", "running-shoes", "1.5", "l"]
    assert search_words("红色的跑鞋") == ["红色", "色的", "的跑", "跑鞋"]
    assert search_words("ＶＥＬＴＯ 灯") == ["velto", "灯"]


def test_a_chinese_sentence_finds_the_goods_it_names():
    shop = catalogue(5, "zh")
    product = next(product for product in shop.products if product.category == "跑鞋")
    with shop_world({"lang": "zh"}) as world:
        found = told(world.call("search_products", {"query": "有没有跑鞋"}))
    assert product.product_id in {one["product_id"] for one in found["products"]}
    assert {one["category"] for one in found["products"]} == {"跑鞋"}


def test_a_product_tells_neither_price_nor_stock(world, shop):
    for product in shop.products:
        said = told(world.call("get_product", {"product_id": product.product_id}))
        assert said["name"] == product.name
        assert said["returnable"] is product.returnable
        assert said["rating"] == product.rating / 10
        assert said["colors"] == list(product.colors)
        assert said["sizes"] == list(product.sizes)
        assert not {"price", "stock", "variants"} & said.keys()


def test_stock_and_price_of_every_variant(world, shop):
    for product in shop.products:
        for one in product.variants:
            given = {"product_id": product.product_id, "color": one.color}
            if one.size:
                given["size"] = one.size
            (stock,) = told(world.call("check_stock", given))["variants"]
            assert (stock["sku"], stock["stock"]) == (one.sku, one.stock)
            (price,) = told(world.call("get_price", given))["variants"]
            assert (price["sku"], price["price"]) == (one.sku, units(one.price))


def test_colours_are_known_in_any_letter_case():
    product = next(p for p in catalogue(5).products if p.sizes and " " in p.sizes[0])
    given = {"color": product.colors[0].upper(), "size": product.sizes[0].replace(" ", "").upper()}
    with shop_world() as world:
        (found,) = told(world.call("check_stock", {"product_id": product.product_id, **given}))[
            "variants"
        ]
    assert found["color"] == product.colors[0]
    assert found["size"] == product.sizes[0]


def test_a_colour_that_is_not_offered_is_answered_with_those_that_are(world, shop):
    product = shop.products[0]
    said = refusal(world.call("check_stock", {"product_id": product.product_id, "color": "xx"}))
    assert '"xx"' in said
    assert all(color in said for color in product.colors)


def test_a_size_of_something_without_sizes(world, shop):
    product = next(product for product in shop.products if not product.sizes)
    refusal(world.call("get_price", {"product_id": product.product_id, "size": "M"}))


def test_a_price_with_a_coupon_and_a_quantity():
    patch = {
        "variants": {"SKU": {"price": 3999}},
        "coupons": {"TEN": coupon("percent", 10, 3000), "OFF": coupon("amount", 500, 100000)},
    }
    sku = catalogue(5).products[0].variants[0].sku
    patch["variants"] = {sku: {"price": 3999}}
    product = catalogue(5).products[0]
    given = {"product_id": product.product_id, "color": product.variants[0].color}
    if product.variants[0].size:
        given["size"] = product.variants[0].size
    with shop_world(patch) as world:
        (plain,) = told(world.call("get_price", given))["variants"]
        (three,) = told(world.call("get_price", {**given, "quantity": 3}))["variants"]
        (ten,) = told(world.call("get_price", {**given, "coupon": "ten"}))["variants"]
        (off,) = told(world.call("get_price", {**given, "coupon": "OFF"}))["variants"]
    assert plain["price"] == 39.99
    assert "to_pay" not in plain
    assert three["to_pay"] == 119.97
    assert (ten["discount"], ten["to_pay"]) == (4, 35.99)  # 3.999 is rounded up
    assert (off["discount"], off["to_pay"]) == (0, 39.99)
    assert "1000" in off["coupon_not_used"]


def coupon(kind, value, minimum, category="", expires="2026-12-31"):
    return {
        "kind": kind,
        "value": value,
        "minimum": minimum,
        "category": category,
        "expires": expires,
    }


def test_coupons(world, shop):
    for one in shop.coupons:
        said = told(world.call("check_coupon", {"code": one.code.lower()}))
        assert said["code"] == one.code
        assert said["valid"] == (one.expires >= "2026-06-15")
        assert said["category"] == (one.category or None)
        if one.kind == "percent":
            assert said["percent_off"] == one.value
            assert "amount_off" not in said
        else:
            assert said["amount_off"] == one.value / 100
            assert "percent_off" not in said


def test_orders_add_up(world, shop):
    for order in shop.orders:
        said = told(world.call("get_order", {"order_id": order.order_id}))
        assert said["status"] == order.status
        goods = sum(item.price * item.quantity for item in order.items)
        assert said["goods"] == units(goods)
        total = round((said["goods"] - said["discount"] + said["shipping"]) * 100)
        assert total == round(said["total"] * 100)
        assert (said["discount"] > 0) == bool(order.coupon)
        assert {item["sku"] for item in said["items"]} == {item.sku for item in order.items}
        assert all(item["name"] == owner(shop, item["sku"]).name for item in said["items"])
        assert ("returns" in said) == bool(order.returns)


def test_the_orders_of_a_customer_by_number_and_by_e_mail(world, shop):
    for customer in shop.customers:
        by_number = told(world.call("find_orders", {"customer": customer.customer_id}))
        by_mail = told(world.call("find_orders", {"customer": customer.email.upper()}))
        assert by_number == by_mail
        assert by_number["name"] == customer.name
        ids = [one["order_id"] for one in by_number["orders"]]
        assert sorted(ids) == sorted(one.order_id for one in shop.orders_of(customer.customer_id))
        days = [one["placed_on"] for one in by_number["orders"]]
        assert days == sorted(days, reverse=True)
    order = shop.orders[0]
    only = told(world.call("find_orders", {"customer": order.customer_id, "status": order.status}))
    assert {one["status"] for one in only["orders"]} == {order.status}


def test_parcels(world, shop):
    shipped, delivered = an_order(shop, "shipped"), an_order(shop, "delivered")
    said = told(world.call("track_shipment", {"order_id": shipped.order_id}))
    assert said["due_on"] == shipped.shipment.due_on
    assert "delivered_on" not in said
    said = told(world.call("track_shipment", {"order_id": delivered.order_id}))
    assert said["delivered_on"] == delivered.shipment.delivered_on
    assert said["carrier"] == delivered.shipment.carrier
    for status in ("processing", "cancelled"):
        order = an_order(shop, status)
        said = told(world.call("track_shipment", {"order_id": order.order_id}))
        assert said["note"]
        assert "carrier" not in said


def test_ids_of_goods_are_corrected_but_not_those_of_people(world, shop):
    product, order = shop.products[0], shop.orders[0]
    wrong = product.product_id[:-1] + str((int(product.product_id[-1]) + 1) % 10)
    if wrong in {one.product_id for one in shop.products}:
        pytest.skip("the next number is a product too")
    said = refusal(world.call("get_product", {"product_id": wrong}))
    assert any(one.product_id in said for one in shop.products)
    near = order.order_id[:-1] + str((int(order.order_id[-1]) + 1) % 10)
    said = refusal(world.call("get_order", {"order_id": near}))
    assert not any(one.order_id in said for one in shop.orders)


def test_schemas_are_valid_json_schema_and_described_in_the_language_of_the_shop():
    from jsonschema import Draft202012Validator

    for lang in LANGS:
        for tool in tool_schemas(lang):
            function = tool["function"]
            assert tool["type"] == "function"
            assert function["description"]
            schema = function["parameters"]
            Draft202012Validator.check_schema(schema)
            assert schema["additionalProperties"] is False
            assert set(schema["required"]) <= schema["properties"].keys()
            assert all(one["description"] for one in schema["properties"].values())
            chinese = any("\u4e00" <= letter <= "\u9fff" for letter in function["description"])
            assert chinese == (lang == "zh")
    names = [[tool["function"]["name"] for tool in tool_schemas(lang)] for lang in LANGS]
    assert names[0] == names[1]
    assert len(set(names[0])) == 15


def test_whoever_changes_a_schema_changes_his_own():
    world = shop_world()
    world.tools[0]["function"]["parameters"]["properties"].clear()
    assert world.tools == tool_schemas("en")
    told(world.call("search_products", {"query": "kettle"}))
