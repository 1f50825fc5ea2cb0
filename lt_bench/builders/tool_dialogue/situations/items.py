"""What is done with the items of an order: taken back, exchanged, changed, or bought."""

from __future__ import annotations

from typing import get_args

from lt_bench.builders.tool_dialogue import people
from lt_bench.builders.tool_dialogue.situations import finding, telling
from lt_bench.builders.tool_dialogue.stage import Ending, Result, Stage, Unfit, Wanted
from lt_bench.environments.shop import Order, Product, Variant
from lt_bench.environments.shop.records import ReturnReason


def give_back(stage: Stage) -> Ending:
    """Return an item: its number stands in the order."""
    order, item, product = people.with_goods(stage)
    people.delivered(stage, order, _ago(stage))
    reason, why = _why_back(stage)
    stage.ask("return", order=order.order_id, product=people.named(stage, product), why=why)
    stage.call(finding.get_order(order.order_id))
    arguments = {"order_id": order.order_id, "skus": [item.sku], "reason": reason}
    result = stage.call(Wanted("return_order", arguments))
    if result.error:
        return telling.refused(stage, result)
    said = {
        "product": product.name,
        "order": order.order_id,
        "refund": stage.money(result["refund"]),
    }
    if result["postage"]:
        reply = stage.say("say.postage", postage=stage.money(result["postage"]), **said)
    else:
        reply = stage.say("say.returned", **said)
    return stage.end("call", "think.done", reply, stated=("returned",))


def exchange(stage: Stage) -> Ending:
    """Exchange an item for another variant, if that is in stock."""
    order, item, product = people.with_goods(stage)
    people.delivered(stage, order, _ago(stage))
    reason, why = _why_back(stage)
    wanted = _instead(stage, order, product, item.sku)
    words = people.variant_of(stage, wanted)
    said = people.named(stage, product)
    stage.ask("exchange", order=order.order_id, product=said, variant=words, why=why)
    stage.call(finding.get_order(order.order_id))
    if not _there(stage, product, wanted):
        return telling.sold_out(stage, product, wanted)
    arguments = {
        "order_id": order.order_id,
        "sku": item.sku,
        "new_sku": wanted.sku,
        "reason": reason,
    }
    result = stage.call(Wanted("exchange_item", arguments))
    if result.error:
        return telling.refused(stage, result)
    return _swapped(stage, "exchanged", order, product, wanted, result)


def change(stage: Stage) -> Ending:
    """Change an item of an open order for another variant."""
    order, item, product = people.with_goods(stage)
    people.processing(stage, order)
    wanted = _instead(stage, order, product, item.sku)
    words, said = people.variant_of(stage, wanted), people.named(stage, product)
    others = [one for one in product.variants if one.sku not in (wanted.sku, item.sku)]
    if others and stage.draw.chance(0.3):
        stage.tag("case:changed_mind")
        other = people.variant_of(stage, stage.draw.pick(others))
        stage.ask(
            "change.changed_mind", order=order.order_id, product=said, variant=words, other=other
        )
    else:
        stage.ask("change", order=order.order_id, product=said, variant=words)
    stage.call(finding.get_order(order.order_id))
    if not _there(stage, product, wanted):
        return telling.sold_out(stage, product, wanted)
    arguments = {"order_id": order.order_id, "sku": item.sku, "new_sku": wanted.sku}
    result = stage.call(Wanted("change_order_item", arguments))
    if result.error:
        return telling.refused(stage, result)
    return _swapped(stage, "changed", order, product, wanted, result)


def place(stage: Stage) -> Ending:
    """Buy something that is called by name."""
    customer = people.some_customer(stage)
    product = people.some_product(stage)
    said = people.named(stage, product)
    variant, n = _to_buy(stage, product)
    key = people.key_of(stage, customer)
    stage.ask(
        "place",
        product=said,
        variant=people.variant_of(stage, variant),
        pieces=people.pieces(stage, n),
        customer=key,
    )
    finding.search(stage, product, said)
    return _bought(stage, product, variant, n, key)


def place_from_list(stage: Stage) -> Ending:
    """Buy one of a list that was read out, pointed at just before."""
    shown = finding.point(stage, finding.listing(stage))
    customer = people.some_customer(stage)
    variant, n = _to_buy(stage, shown.product)
    key, words = people.key_of(stage, customer), people.variant_of(stage, variant)
    stage.user("stock.it", ref=shown.ref, variant=words)
    left = stage.patch["variants"][variant.sku]["stock"]
    if left < n:
        raise Unfit("who buys what was just said to be sold out")
    stage.agent("agent.stock", product=shown.product.name, variant=words, n=left)
    stage.ask("place.it", variant=words, pieces=people.pieces(stage, n), customer=key)
    return _bought(stage, shown.product, variant, n, key)


# --- parts


def _why_back(stage: Stage) -> tuple[ReturnReason, str]:
    reason: ReturnReason = stage.draw.pick(get_args(ReturnReason))
    return reason, stage.say(f"back.{reason}")


def _ago(stage: Stage) -> int:
    """Days since a delivery; one in six is too long ago."""
    draw = stage.draw
    return draw.between(34, 80) if draw.chance(0.16) else draw.between(1, 28)


def _instead(stage: Stage, order: Order, product: Product, sku: str) -> Variant:
    """Another variant of an item, in stock or not."""
    variant = people.pick(stage, people.others_of(order, product, sku))
    stock = 0 if stage.draw.chance(0.28) else stage.draw.between(5, 30)
    stage.change("variants", variant.sku, stock=stock)
    return variant


def _there(stage: Stage, product: Product, variant: Variant) -> bool:
    """Looks at the shelf, which tells the number of the variant too."""
    found = stage.call(finding.check_stock(product, variant))
    return bool(telling.the_variant(found, variant)["stock"])


def _swapped(
    stage: Stage, done: str, order: Order, product: Product, wanted: Variant, result: Result
) -> Ending:
    amount = result["difference"]
    words = people.variant_of(stage, wanted)
    reply = stage.say(
        f"say.{done}",
        order=order.order_id,
        product=product.name,
        variant=words,
        difference=telling.difference(stage, amount),
    )
    return stage.end("call", "think.done", reply, stated=(done,))


def _to_buy(stage: Stage, product: Product) -> tuple[Variant, int]:
    """A variant and a number of pieces; one in five is sold out, one in ten has too few."""
    variant, n = stage.draw.pick(product.variants), stage.draw.between(1, 3)
    stock = stage.draw.weighted(((0, 0.2), (n - 1, 0.1), (stage.draw.between(n, 30), 0.7)))
    stage.change("variants", variant.sku, stock=stock)
    return variant, n


def _bought(stage: Stage, product: Product, variant: Variant, n: int, key: str) -> Ending:
    found = stage.call(finding.check_stock(product, variant))
    left = int(str(telling.the_variant(found, variant)["stock"]))
    if left == 0:
        return telling.sold_out(stage, product, variant)
    words = people.variant_of(stage, variant)
    if left < n:
        stage.tag("case:out_of_stock")
        reply = stage.say("say.few", product=product.name, variant=words, n=left, needed=n)
        return stage.end("call", "think.sold_out", reply, must=(str(left),), stated=("not",))
    arguments = {"customer": key, "items": [{"sku": variant.sku, "quantity": n}]}
    result = stage.call(Wanted("place_order", arguments))
    if result.error:
        raise Unfit(result.because)
    reply = stage.say(
        "say.placed",
        order=result["order_id"],
        product=product.name,
        variant=words,
        pieces=people.pieces(stage, n),
        total=stage.money(result["total"]),
    )
    return stage.end("call", "think.done", reply, must=(result["order_id"],))
