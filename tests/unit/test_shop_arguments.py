"""Wrong and hostile arguments: each gets a short error, none changes anything, none is a crash."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.shop import refusal, shop_world

from lt_bench.environments.shop import READING, WRITING, catalogue
from lt_bench.environments.shop.schemas import SIGNATURES
from lt_bench.environments.shop.world import TOOLS
from lt_bench.records import ToolResult

ORDER = next(order for order in catalogue(5).orders if order.status == "processing")
PRODUCT = catalogue(5).products[0]


@pytest.mark.parametrize(
    ("name", "arguments", "parts"),
    [
        ("cancel_ordr", {}, ["cancel_ordr", "Did you mean cancel_order?"]),
        ("", {}, ["There is no tool"]),
        ("get_order", {}, ["Missing argument order_id"]),
        ("get_order", {"order": "A12345"}, ["Missing argument order_id", '"order"', "order_id?"]),
        ("get_order", {"order_id": 12345}, ["order_id", "12345", "a string"]),
        ("get_order", {"order_id": None}, ["order_id", "null", "a string"]),
        ("get_order", {"order_id": ["A1"]}, ["order_id", "[...]", "a string"]),
        ("get_order", {"order_id": "12345"}, ["order_id", "such as A12345"]),
        ("get_order", {"order_id": "A99999"}, ["order_id", "A99999", "not known"]),
        ("get_price", {"product_id": PRODUCT.product_id, "quantity": "two"}, ["a whole number"]),
        ("get_price", {"product_id": PRODUCT.product_id, "quantity": True}, ["a whole number"]),
        ("get_price", {"product_id": PRODUCT.product_id, "quantity": 6}, ["above 5"]),
        ("get_price", {"product_id": PRODUCT.product_id, "quantity": 0}, ["below 1"]),
        ("search_products", {}, ["query", "max_price"]),
        ("search_products", {"query": ""}, ["query", "empty"]),
        ("search_products", {"query": "x" * 201}, ["query", "200"]),
        ("search_products", {"category": "kettle"}, ["Did you mean kettles?"]),
        ("search_products", {"max_price": -1}, ["max_price", "below"]),
        ("search_products", {"in_stock": "yes"}, ["true or false"]),
        ("cancel_order", {"order_id": ORDER.order_id, "reason": "bored"}, ["too_slow"]),
        ("place_order", {"customer": "C1", "items": []}, ["items", "fewer than 1"]),
        (
            "place_order",
            {"customer": "C1", "items": [{"sku": "P1234-01"}]},
            ["Missing argument items[0].quantity"],
        ),
        (
            "place_order",
            {"customer": "C1", "items": [{"sku": "P1234-01", "quantity": 1, "x": 1}]},
            ["items[0]", "x"],
        ),
        (
            "place_order",
            {"customer": "C1", "items": [{"sku": "P1234-01", "quantity": 9}] * 11},
            ["10"],
        ),
        (
            "return_order",
            {"order_id": "A12345", "skus": ["P1234-01"] * 2, "reason": "damaged"},
            ["twice"],
        ),
        ("check_coupon", {"code": "NOPE"}, ["NOPE"]),
        ("find_orders", {"customer": "nobody@example.com"}, ["nobody@example.com"]),
    ],
)
def test_an_error_says_what_was_wrong(name, arguments, parts):
    with shop_world() as world:
        before = world.state_sha()
        said = refusal(world.call(name, arguments))
        if parts == ["items[0]", "x"]:
            parts = ['"x"']
        for part in parts:
            assert part in said
        assert len(said) < 400
        assert world.state_sha() == before


def test_errors_are_in_the_language_of_the_shop():
    with shop_world({"lang": "zh"}) as world:
        assert "缺少参数order_id" in refusal(world.call("get_order", {}))
        assert "没有名为" in refusal(world.call("nothing", {}))
        assert "查不到" in refusal(world.call("get_order", {"order_id": "A99999"}))


def deep(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


class Odd:
    def __repr__(self):
        raise RuntimeError("no")


HOSTILE = [
    "' OR '1'='1", "A12345'; DROP TABLE orders; --", '"; DELETE FROM orders', "%", "_", "\0", "A\0B",
    "\ud800", "a\udfffb", "😀" * 50, "x" * 100_000, "\n\n", "\u202e", "{}", "{order}", "%s", "NaN",
    "A" + "9" * 5000, 10**400, -(10**400), 2**63, -(2**63) - 1, 1e308, float("nan"), float("inf"),
    float("-inf"), True, None, [], {}, [[]], deep(50), deep(100_000), {"a": deep(20)},
    {"\ud800": 1}, {1: 2}, ["x"] * 100_000, {str(n): n for n in range(1000)}, b"bytes", Odd(), object(),
    (1, 2), {1, 2}, 1j, "A１２３４５",
]  # fmt: skip


@pytest.mark.parametrize("at", range(len(HOSTILE)))
def test_hostile_values_in_every_argument_of_every_tool(at):
    value = HOSTILE[at]
    with shop_world() as world:
        before = world.state_sha()
        for tool, signature in SIGNATURES.items():
            names = (*signature.required, *signature.optional)
            for name in names:
                fine = sensible(tool)
                outcome = world.call(tool, {**fine, name: value})
                assert_written(outcome)
                if tool in WRITING and isinstance(value, str) and name in ("street", "city"):
                    continue
                assert outcome.error or tool in READING
            assert_written(world.call(tool, value))
            assert_written(world.call(tool, {value if isinstance(value, str) else "x": value}))
        for name in (value, str(at) + "get_order"):
            assert world.call(name, {}).error
        if not isinstance(value, str):
            assert world.state_sha() == before
        assert world._store.execute("SELECT count(*) FROM orders").fetchone()[0] >= 40


def assert_written(outcome):
    """It is JSON, and can go into a record and a file."""
    assert isinstance(json.loads(outcome.content), dict)
    assert len(outcome.content) < 5_000
    ToolResult(call_id="1", content=outcome.content, error=outcome.error).model_dump_json()


def sensible(tool):
    """Arguments that are right, but for a write into an order that is not there."""
    known = {
        "query": "kettle",
        "product_id": PRODUCT.product_id,
        "code": "NOPE",
        "order_id": "A99999",
        "customer": "C0000",
        "items": [{"sku": "P1234-01", "quantity": 1}],
        "reason": "changed_mind",
        "street": "1 Oak",
        "city": "Reno",
        "postcode": "12345",
        "sku": "P1234-01",
        "new_sku": "P1234-02",
        "skus": ["P1234-01"],
    }
    return {name: known[name] for name in SIGNATURES[tool].required}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
near = st.sampled_from(
    [
        ORDER.order_id,
        ORDER.items[0].sku,
        PRODUCT.product_id,
        ORDER.customer_id,
        "too_slow",
        "12345",
        1,
    ]
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_json_at_all_is_answered(data):
    tool = data.draw(st.sampled_from(sorted(TOOLS)))
    names = (*SIGNATURES[tool].required, *SIGNATURES[tool].optional, "other")
    arguments = data.draw(st.dictionaries(st.sampled_from(names), near | json_values, max_size=6))
    with shop_world() as world:
        before = world.state_sha()
        outcome = world.call(tool, arguments)
        assert_written(outcome)
        if outcome.error or tool in READING:
            assert world.state_sha() == before


def test_text_of_sql_is_kept_as_text():
    street = "1 Oak'); DROP TABLE orders; --"
    with shop_world() as world:
        address = {"street": street, "city": '"Reno"', "postcode": "12345"}
        assert not world.call("change_order_address", {"order_id": ORDER.order_id, **address}).error
        assert world.shop.order(ORDER.order_id).address.street == street


def test_a_tool_that_raises_says_so_and_leaves_nothing_behind(monkeypatch):
    def broken(desk, given):
        desk.change("UPDATE variants SET stock = 0")
        raise RuntimeError("secret /home/someone")

    monkeypatch.setitem(TOOLS, "cancel_order", broken)
    with shop_world() as world:
        before = world.state_sha()
        said = refusal(
            world.call("cancel_order", {"order_id": ORDER.order_id, "reason": "too_slow"})
        )
        assert "failed" in said
        assert "secret" not in said
        assert world.state_sha() == before
        assert not world.call("get_order", {"order_id": ORDER.order_id}).error


def test_a_tool_without_end_by_recursion_is_a_failure_too(monkeypatch):
    def endless(desk, given):
        return endless(desk, given)

    monkeypatch.setitem(TOOLS, "get_order", endless)
    with shop_world() as world:
        assert "failed" in refusal(world.call("get_order", {"order_id": ORDER.order_id}))


def test_who_stops_the_program_is_not_kept_from_it(monkeypatch):
    def stop(desk, given):
        raise KeyboardInterrupt

    monkeypatch.setitem(TOOLS, "get_order", stop)
    with shop_world() as world, pytest.raises(KeyboardInterrupt):
        world.call("get_order", {"order_id": ORDER.order_id})


def test_whole_numbers_may_be_written_as_floats():
    with shop_world() as world:
        outcome = world.call("get_price", {"product_id": PRODUCT.product_id, "quantity": 2.0})
        assert json.loads(outcome.content)["variants"][0]["quantity"] == 2
