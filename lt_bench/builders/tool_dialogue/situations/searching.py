"""Goods that are called by name: their number has to be searched for first."""

from __future__ import annotations

from lt_bench.builders.tool_dialogue import people
from lt_bench.builders.tool_dialogue.language import figure
from lt_bench.builders.tool_dialogue.situations import finding, telling
from lt_bench.builders.tool_dialogue.stage import Ending, Stage, Unfit, Wanted
from lt_bench.environments.shop import Product, Variant


def stock(stage: Stage) -> Ending:
    """Is it there in this colour; how many are left."""
    product = people.some_product(stage)
    variant = people.some_variant(stage, product, stocked=stage.draw.chance(0.65))
    said, count = people.named(stage, product), stage.draw.chance(0.4)
    purpose = "count" if count else "stock"
    stage.ask(purpose, product=said, variant=people.variant_of(stage, variant))
    finding.search(stage, product, said)
    found = stage.call(finding.check_stock(product, variant))
    return telling.stock(stage, product, variant, found, count=count)


def stock_of_it(stage: Stage) -> Ending:
    """The same in another colour of what was spoken of before; its number was never said."""
    product, said = finding.mentioned(stage)
    known = stage.patch["variants"]
    others = [one for one in product.variants if one.sku not in known]
    variant = people.pick(stage, others)
    stage.change("variants", variant.sku, stock=stage.draw.pick((0, 3, 8, 12)))
    stage.ask("stock.it", ref=stage.say("ref.it"), variant=people.variant_of(stage, variant))
    finding.search(stage, product, said)
    found = stage.call(finding.check_stock(product, variant))
    return telling.stock(stage, product, variant, found)


def price(stage: Stage) -> Ending:
    """What does it cost."""
    product, variant, said = _wanted(stage)
    stage.ask("price", product=said, variant=people.variant_of(stage, variant))
    finding.search(stage, product, said)
    found = stage.call(finding.get_price(product, variant))
    return telling.price(stage, product, variant, found)


def wrong_price(stage: Stage) -> Ending:
    """The user believes in a lower price."""
    product, variant, said = _wanted(stage)
    lower = max(100, variant.price - stage.draw.between(2, 9) * 100)
    wrong = stage.money(lower / 100)
    stage.tag("case:wrong_premise")
    stage.ask("premise.price", product=said, variant=people.variant_of(stage, variant), wrong=wrong)
    finding.search(stage, product, said)
    found = stage.call(finding.get_price(product, variant))
    return telling.price(stage, product, variant, found, wrong)


def price_with_coupon(stage: Stage) -> Ending:
    """What is to pay for some pieces with a coupon, which may be of no use."""
    product, variant, said = _wanted(stage)
    code, n = people.pick(stage, stage.shop.coupons).code, stage.draw.between(1, 4)
    stage.ask(
        "price.coupon",
        product=said,
        variant=people.variant_of(stage, variant),
        pieces=people.pieces(stage, n),
        code=code,
    )
    finding.search(stage, product, said)
    wanted = finding.get_price(product, variant, quantity=n, coupon=code)
    found = telling.the_variant(stage.call(wanted), variant)
    amount = float(str(found["to_pay"]))
    said_of = {
        "product": product.name,
        "variant": people.variant_of(stage, variant),
        "pieces": people.pieces(stage, n),
        "amount": stage.money(amount),
        "code": code,
    }
    if "coupon_not_used" in found:
        stage.tag("case:policy_violation")
        reply = stage.say("say.no_coupon", because=found["coupon_not_used"], **said_of)
        return stage.end("call", "think.refused", reply, must=(figure(amount),), stated=("not",))
    off = stage.money(float(str(found["discount"])))
    reply = stage.say("say.to_pay_coupon", off=off, **said_of)
    return stage.end("call", "think.done", reply, must=(figure(amount),))


def details(stage: Stage) -> Ending:
    """What is it made of."""
    product = people.some_product(stage)
    said = people.named(stage, product)
    stage.ask("details", product=said)
    finding.search(stage, product, said)
    found = stage.call(Wanted("get_product", {"product_id": product.product_id}))
    return telling.details(stage, found)


def cheapest(stage: Stage) -> Ending:
    """The cheapest of a category, and whether it is there in a colour."""
    product = people.some_product(stage)
    rivals = [one for one in stage.shop.products if one.category == product.category]
    if any(
        finding.lowest_price(one) <= finding.lowest_price(product)
        for one in rivals
        if one != product
    ):
        raise Unfit("another one is cheaper")
    color = stage.draw.pick(product.colors)
    for variant in product.variants:
        if variant.color == color:
            stage.change("variants", variant.sku, stock=stage.draw.pick((0, 0, 4, 9)))
    stage.ask("cheapest", category=product.category, color=color)
    wanted = Wanted(
        "search_products",
        {"category": product.category, "sort": "price_low"},
        {"query": (product.category,)},
        ("query",),
    )
    stage.call(wanted, think="think.search_filter")
    arguments = {"product_id": product.product_id, "color": color}
    found = stage.call(Wanted("check_stock", arguments, {}, ("color",)))
    left = sum(one["stock"] for one in found["variants"] if one["color"] == color)
    names = {"product": product.name, "variant": color, "n": left}
    must = (people.short(stage, product),)
    if left:
        return telling.there_is(stage, names, must)
    stage.tag("case:out_of_stock")
    return stage.end(
        "call", "think.sold_out", stage.say("say.sold_out", **names), must, stated=("out of stock",)
    )


def _wanted(stage: Stage) -> tuple[Product, Variant, str]:
    product = people.some_product(stage)
    return product, people.some_variant(stage, product), people.named(stage, product)
