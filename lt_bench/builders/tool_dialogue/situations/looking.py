"""One question, one look: parcels, orders, coupons, and goods whose number was read out before."""

from __future__ import annotations

from lt_bench.builders.tool_dialogue import people
from lt_bench.builders.tool_dialogue.language import figure
from lt_bench.builders.tool_dialogue.situations import finding, telling
from lt_bench.builders.tool_dialogue.stage import Ending, Stage, Wanted


def track(stage: Stage) -> Ending:
    """Where is my parcel."""
    (order,) = people.some_orders(stage)
    people.shipped(stage, order)
    if stage.draw.chance(0.35):
        telling.order_before(stage, order)
        stage.ask("track.it")
    else:
        stage.ask("track", order=order.order_id)
    return telling.parcel(stage, stage.call(finding.track(order.order_id)))


def not_shipped(stage: Stage) -> Ending:
    """Where is my parcel, and there is none yet, or none any more."""
    (order,) = people.some_orders(stage)
    if stage.draw.chance(0.6):
        people.processing(stage, order)
    else:
        people.cancelled(stage, order, "changed_mind")
    stage.ask("track", order=order.order_id)
    return telling.parcel(stage, stage.call(finding.track(order.order_id)))


def arrived(stage: Stage) -> Ending:
    """The user thinks that a parcel was delivered; it was not, or it was."""
    (order,) = people.some_orders(stage)
    if stage.draw.chance(0.7):
        people.shipped(stage, order)
        stage.tag("case:wrong_premise")
    else:
        people.delivered(stage, order)
    stage.ask("premise.arrived", order=order.order_id)
    return telling.parcel(stage, stage.call(finding.track(order.order_id)), premise=True)


def order(stage: Stage) -> Ending:
    """What an order holds and comes to."""
    (one,) = people.some_orders(stage)
    stage.ask("order", order=one.order_id)
    found = stage.call(finding.get_order(one.order_id))
    said = telling.order(stage, found)
    return stage.end("call", "think.done", said, must=(figure(found["total"]),))


def unknown_order(stage: Stage) -> Ending:
    """An order that the shop does not have."""
    number = people.unknown_order(stage)
    stage.tag("case:not_found")
    if stage.draw.chance(0.5):
        stage.ask("track", order=number)
        stage.call(finding.track(number))
    else:
        stage.ask("order", order=number)
        stage.call(finding.get_order(number))
    said = stage.say("say.unknown_order", order=number)
    return stage.end("call", "think.not_found", said, stated=("not found",))


def coupon(stage: Stage) -> Ending:
    """What a coupon is worth."""
    one = people.pick(stage, stage.shop.coupons)
    stage.ask("coupon", code=one.code)
    return telling.coupon(stage, stage.call(Wanted("check_coupon", {"code": one.code})))


def wrong_coupon(stage: Stage) -> Ending:
    """The user thinks that a coupon is worth more than it is."""
    one = people.pick(stage, stage.shop.coupons)
    more = one.value + stage.draw.pick((5, 10) if one.kind == "percent" else (500, 1000))
    wrong = stage.say("say.percent", n=more) if one.kind == "percent" else stage.money(more / 100)
    stage.tag("case:wrong_premise")
    stage.ask("coupon.wrong", code=one.code, wrong=wrong)
    found = stage.call(Wanted("check_coupon", {"code": one.code}))
    return telling.coupon(stage, found, wrong=wrong)


def stock(stage: Stage) -> Ending:
    """Whether one of a list is there in a colour."""
    shown = finding.point(stage, finding.listing(stage))
    variant = people.some_variant(stage, shown.product, stocked=stage.draw.chance(0.65))
    stage.ask("stock.it", ref=shown.ref, variant=people.variant_of(stage, variant))
    found = stage.call(finding.check_stock(shown.product, variant))
    return telling.stock(stage, shown.product, variant, found)


def price(stage: Stage) -> Ending:
    """What one of a list costs in a colour."""
    shown = finding.point(stage, finding.listing(stage))
    variant = people.some_variant(stage, shown.product)
    stage.ask("price.it", ref=shown.ref, variant=people.variant_of(stage, variant))
    found = stage.call(finding.get_price(shown.product, variant))
    return telling.price(stage, shown.product, variant, found)


def details(stage: Stage) -> Ending:
    """What one of a list is made of."""
    shown = finding.point(stage, finding.listing(stage))
    stage.ask("details.it", ref=shown.ref)
    found = stage.call(Wanted("get_product", {"product_id": shown.product.product_id}))
    return telling.details(stage, found)


def search(stage: Stage) -> Ending:
    """Goods by colour and price, of which one fits or none."""
    product = people.some_product(stage)
    variant = people.some_variant(stage, product, stocked=True)
    for other in stage.shop.products:
        for one in other.variants:
            if other.category == product.category and one.color == variant.color and one != variant:
                stage.change("variants", one.sku, stock=0)
    lowest = variant.price // 100
    fits = stage.draw.chance(0.75)
    limit = (
        lowest + stage.draw.between(1, 15) if fits else max(1, lowest - stage.draw.between(1, 8))
    )
    stage.ask("search", category=product.category, color=variant.color, price=stage.money(limit))
    arguments = {
        "category": product.category,
        "color": variant.color,
        "max_price": limit,
        "in_stock": True,
    }
    wanted = Wanted(
        "search_products",
        arguments,
        {"query": (product.category, variant.color), "sort": ("relevance", "price_low", "rating")},
        ("query", "sort"),
    )
    found = stage.call(wanted, think="think.search_filter")
    if not found["products"]:
        stage.tag("case:not_found")
        said = stage.say("say.none_found", price=stage.money(limit))
        return stage.end("call", "think.not_found", said, stated=("not found",))
    return telling.found(stage, found, product)
