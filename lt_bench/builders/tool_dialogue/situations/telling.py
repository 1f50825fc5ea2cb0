"""What a good agent says of what the tools said, and what any reply must hold of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lt_bench.builders.tool_dialogue import people
from lt_bench.builders.tool_dialogue.language import figure
from lt_bench.builders.tool_dialogue.stage import Ending, Result, Stage, Unfit
from lt_bench.environments.shop import Order, Product, Variant


def order_before(stage: Stage, order: Order) -> None:
    """The user named an order, and the agent told what it is."""
    found = stage.look("get_order", order_id=order.order_id)
    stage.user("user.order", order=order.order_id)
    stage.agent(
        "agent.order",
        order=order.order_id,
        placed=found["placed_on"],
        total=stage.money(found["total"]),
        status=stage.language.statuses[found["status"]],
    )
    stage.tag("ref:ellipsis")


def parcel(stage: Stage, found: Result, *, premise: bool = False) -> Ending:
    """Where a parcel is, or why there is none."""
    order, status = found["order_id"], found["status"]
    if status in ("processing", "cancelled"):
        name = "say.not_shipped" if status == "processing" else "say.was_cancelled"
        said = stage.say(name, order=order)
        return stage.end("call", "think.done", said, stated=(status,))
    if status == "delivered":
        said = stage.say(
            "say.arrived",
            order=order,
            carrier=found["carrier"],
            day=found["delivered_on"],
            place=found["place"],
        )
        return stage.end(
            "call",
            "think.done",
            said,
            must=() if premise else (found["delivered_on"],),
            stated=(status,),
        )
    if premise:
        said = stage.say(
            "say.not_arrived", order=order, carrier=found["carrier"], due=found["due_on"]
        )
        return stage.end("call", "think.premise", said, stated=(status,))
    said = stage.say(
        "say.track",
        order=order,
        carrier=found["carrier"],
        place=found["place"],
        due=found["due_on"],
    )
    return stage.end("call", "think.done", said, must=(found["due_on"],))


def order(stage: Stage, found: Result) -> str:
    """What an order holds."""
    return stage.say(
        "say.order",
        order=found["order_id"],
        status=stage.language.statuses[found["status"]],
        items=stage.language.listed([item["name"] for item in found["items"]]),
        total=stage.money(found["total"]),
    )


def coupon(stage: Stage, found: Result, wrong: str = "") -> Ending:
    """What a coupon is worth and until when."""
    percent = found.data.get("percent_off")
    worth = (
        stage.say("say.percent", n=percent)
        if percent is not None
        else stage.money(found["amount_off"])
    )
    said = {"code": found["code"], "worth": worth, "expires": found["expires"], "wrong": wrong}
    must = (f"{percent}%" if percent is not None else figure(found["amount_off"]),)
    if wrong:
        name = "say.coupon_wrong" if found["valid"] else "say.coupon_wrong_over"
        return stage.end("call", "think.premise", stage.say(name, **said), must=must)
    if not found["valid"]:
        reply = stage.say("say.coupon_over", **said)
        return stage.end("call", "think.done", reply, stated=("expired",))
    category = found["category"]
    scope = stage.say("say.scope", category=category) if category else ""
    minimum = stage.money(found["minimum"])
    reply = stage.say("say.coupon", minimum=minimum, scope=scope, **said)
    return stage.end("call", "think.done", reply, must=must)


def the_variant(found: Result, variant: Variant) -> dict[str, object]:
    """What a tool says of one variant."""
    mine: dict[str, object] = next(one for one in found["variants"] if one["sku"] == variant.sku)
    return mine


def in_stock(stage: Stage, product: Product) -> list[Variant]:
    """The variants of a product that are there after the row's own changes."""
    changed = stage.patch.get("variants", {})
    return [
        one for one in product.variants if (changed.get(one.sku) or {}).get("stock", one.stock) > 0
    ]


def stock(
    stage: Stage, product: Product, variant: Variant, found: Result, *, count: bool = False
) -> Ending:
    """Whether a variant is there; `count`: how many pieces."""
    left = int(str(the_variant(found, variant)["stock"]))
    said = {"product": product.name, "variant": people.variant_of(stage, variant), "n": left}
    if left == 0:
        stage.tag("case:out_of_stock")
        return stage.end(
            "call", "think.sold_out", stage.say("say.sold_out", **said), stated=("out of stock",)
        )
    if count:
        return stage.end("call", "think.done", stage.say("say.count", **said), must=(str(left),))
    return there_is(stage, said)


def there_is(stage: Stage, said: Mapping[str, object], must: Sequence[str] = ()) -> Ending:
    """It is in stock, and nobody may say the contrary."""
    return stage.end(
        "call",
        "think.done",
        stage.say("say.in_stock", **said),
        must=must,
        must_not=stage.language.stated["out of stock"][:5],
        stated=("in stock",),
    )


def sold_out(stage: Stage, product: Product, variant: Variant) -> Ending:
    """A variant that is wanted instead of another is not there: nothing is changed."""
    stage.tag("case:out_of_stock")
    there = in_stock(stage, product)
    said = {"product": product.name, "variant": people.variant_of(stage, variant)}
    if there:
        names = [people.variant_of(stage, one) for one in there[:3]]
        reply = stage.say("say.sold_out_others", others="; ".join(names), **said)
    else:
        reply = stage.say("say.sold_out", **said)
    return stage.end("call", "think.sold_out", reply, stated=("out of stock",))


def price(
    stage: Stage, product: Product, variant: Variant, found: Result, wrong: str = ""
) -> Ending:
    """What a variant costs today."""
    amount = float(str(the_variant(found, variant)["price"]))
    said = {
        "product": product.name,
        "variant": people.variant_of(stage, variant),
        "price": stage.money(amount),
    }
    if wrong:
        reply = stage.say("say.price_wrong", wrong=wrong, **said)
        return stage.end("call", "think.premise", reply, must=(figure(amount),))
    return stage.end("call", "think.done", stage.say("say.price", **said), must=(figure(amount),))


def details(stage: Stage, found: Result) -> Ending:
    """Material, weight, warranty, rating."""
    months = found["warranty_months"]
    warranty = stage.say("say.warranty", n=months) if months else stage.say("say.no_warranty")
    reply = stage.say(
        "say.details",
        product=found["name"],
        material=found["material"],
        weight=stage.say("say.weight", n=found["weight_g"]),
        warranty=warranty,
        rating=found["rating"],
    )
    return stage.end("call", "think.done", reply, must=(found["material"],))


def found(stage: Stage, result: Result, product: Product) -> Ending:
    """What a search found, which must be one product that this split may name."""
    (one, *more) = result["products"]
    if more or one["product_id"] != product.product_id:
        raise Unfit("other goods are found too")
    entry = stage.say(
        "say.found_one",
        product=one["name"],
        id=one["product_id"],
        price=stage.money(one["price_from"]),
    )
    names = (people.short(stage, product),)
    return stage.end("call", "think.done", stage.say("say.found", goods=entry), must=names)


def refused(
    stage: Stage, result: Result, stated: Sequence[str] = (), must: Sequence[str] = ()
) -> Ending:
    """The rules forbid what was asked for."""
    stage.tag("case:policy_violation")
    reply = stage.say("say.refused", because=result.because)
    return stage.end("call", "think.refused", reply, must=must, stated=("not", *stated))


def difference(stage: Stage, amount: float) -> str:
    """What a change costs or gives back."""
    if not amount:
        return stage.say("say.same_price")
    name = "say.to_pay" if amount > 0 else "say.to_get"
    return stage.say(name, amount=stage.money(abs(amount)))
