"""Questions whose answer was said before: to look it up again would be a call too many."""

from __future__ import annotations

from typing import get_args

from lt_bench.builders.tool_dialogue import people
from lt_bench.builders.tool_dialogue.language import figure
from lt_bench.builders.tool_dialogue.situations import finding, telling
from lt_bench.builders.tool_dialogue.stage import Ending, Stage, Unfit
from lt_bench.environments.shop.records import CancelReason


def carrier(stage: Stage) -> Ending:
    """Who brings the parcel."""
    found = _tracked(stage)
    stage.ask("known.carrier")
    reply = stage.say("reply.carrier", carrier=found["carrier"])
    return stage.end("answer", "think.known", reply, must=(found["carrier"],))


def due(stage: Stage) -> Ending:
    """When it comes."""
    found = _tracked(stage)
    stage.ask("known.due")
    reply = stage.say("reply.due", due=found["due"])
    return stage.end("answer", "think.known", reply, must=(found["due"],))


def total(stage: Stage) -> Ending:
    """What an order comes to."""
    (order,) = people.some_orders(stage)
    telling.order_before(stage, order)
    amount = stage.look("get_order", order_id=order.order_id)["total"]
    stage.ask("known.total")
    reply = stage.say("reply.total", total=stage.money(amount))
    return stage.end("answer", "think.known", reply, must=(figure(amount),))


def cheaper(stage: Stage) -> Ending:
    """Which of a list costs less."""
    some = finding.listing(stage)
    prices = {one: finding.lowest_price(one) for one in some}
    best = min(some, key=prices.__getitem__)
    if sum(one == prices[best] for one in prices.values()) > 1:
        raise Unfit("two cost the same")
    stage.ask("known.cheaper")
    brief = people.short(stage, best)
    price = prices[best] / 100
    reply = stage.say("reply.cheaper", product=brief, price=stage.money(price))
    return stage.end("answer", "think.known", reply, must=(brief,))


def done(stage: Stage) -> Ending:
    """Whether the order is cancelled, which it is."""
    (order,) = people.some_orders(stage)
    reason: CancelReason = stage.draw.pick(get_args(CancelReason))
    people.cancelled(stage, order, reason)
    refund = stage.look("get_order", order_id=order.order_id)["total"]
    stage.user("user.cancelled", order=order.order_id, why=stage.say(f"why.{reason}"))
    stage.agent("agent.cancelled", order=order.order_id, refund=stage.money(refund))
    stage.ask("known.done")
    reply = stage.say("reply.done", order=order.order_id, refund=stage.money(refund))
    return stage.end("answer", "think.known", reply, stated=("yes",))


def stock(stage: Stage) -> Ending:
    """How many pieces there are."""
    product = people.some_product(stage)
    variant = people.some_variant(stage, product, stocked=True)
    n = stage.patch["variants"][variant.sku]["stock"]
    words = people.variant_of(stage, variant)
    stage.user("user.stock", product=people.named(stage, product), variant=words)
    stage.agent("agent.stock", product=product.name, variant=words, n=n)
    stage.ask("known.stock")
    reply = stage.say("reply.stock", product=product.name, variant=words, n=n)
    return stage.end("answer", "think.known", reply, must=(str(n),))


def _tracked(stage: Stage) -> dict[str, str]:
    """A parcel that the agent has told all about."""
    (order,) = people.some_orders(stage)
    people.shipped(stage, order)
    found = stage.look("track_shipment", order_id=order.order_id)
    told = {"carrier": found["carrier"], "place": found["place"], "due": found["due_on"]}
    stage.user("user.track", order=order.order_id)
    stage.agent("agent.track", order=order.order_id, **told)
    return told
