"""Two things at once that do not depend on each other: the calls go out in one turn."""

from __future__ import annotations

from typing import get_args

from lt_bench.builders.tool_dialogue import people
from lt_bench.builders.tool_dialogue.language import figure
from lt_bench.builders.tool_dialogue.situations import finding, telling
from lt_bench.builders.tool_dialogue.stage import Ending, Stage, Wanted
from lt_bench.environments.shop.records import CancelReason


def tracks(stage: Stage) -> Ending:
    """Where are these two parcels."""
    first, second = people.some_orders(stage, 2)
    people.shipped(stage, first)
    (people.shipped if stage.draw.chance(0.6) else people.delivered)(stage, second)
    stage.ask("two_tracks", order=first.order_id, second=second.order_id)
    found = stage.together(finding.track(first.order_id), finding.track(second.order_id))
    return _both(stage, *(telling.parcel(stage, one) for one in found))


def orders(stage: Stage) -> Ending:
    """What did these two orders cost."""
    first, second = people.some_orders(stage, 2)
    stage.ask("two_orders", order=first.order_id, second=second.order_id)
    found = stage.together(finding.get_order(first.order_id), finding.get_order(second.order_id))
    said = (telling.order(stage, one) for one in found)
    must = [figure(one["total"]) for one in found]
    return stage.end("call", "think.done", stage.language.gap.join(said), must=must)


def coupons(stage: Stage) -> Ending:
    """What are these two coupons worth."""
    first, second = people.two_coupons(stage)
    stage.ask("two_coupons", code=first.code, second=second.code)
    found = stage.together(
        Wanted("check_coupon", {"code": first.code}), Wanted("check_coupon", {"code": second.code})
    )
    return _both(stage, *(telling.coupon(stage, one) for one in found))


def prices(stage: Stage) -> Ending:
    """What do two of a list cost."""
    first, second = finding.listing(stage)[:2]
    stage.tag("ref:slot")
    one, other = people.some_variant(stage, first), people.some_variant(stage, second)
    stage.ask(
        "two_prices",
        color=people.variant_of(stage, one),
        second=people.variant_of(stage, other),
    )
    found = stage.together(finding.get_price(first, one), finding.get_price(second, other))
    return _both(
        stage,
        telling.price(stage, first, one, found[0]),
        telling.price(stage, second, other, found[1]),
    )


def stocks(stage: Stage) -> Ending:
    """Are two of a list there."""
    first, second = finding.listing(stage)[:2]
    stage.tag("ref:slot")
    one = people.some_variant(stage, first, stocked=True)
    other = people.some_variant(stage, second, stocked=stage.draw.chance(0.5))
    stage.ask(
        "two_stocks",
        color=people.variant_of(stage, one),
        second=people.variant_of(stage, other),
    )
    found = stage.together(finding.check_stock(first, one), finding.check_stock(second, other))
    return _both(
        stage,
        telling.stock(stage, first, one, found[0], count=True),
        telling.stock(stage, second, other, found[1], count=True),
    )


def cancels(stage: Stage) -> Ending:
    """Call both of them off."""
    first, second = people.some_orders(stage, 2)
    for order in (first, second):
        people.processing(stage, order)
    reason: CancelReason = stage.draw.pick(get_args(CancelReason))
    why = stage.say(f"why.{reason}")
    stage.ask("two_cancels", order=first.order_id, second=second.order_id, why=why)
    calls = (
        Wanted("cancel_order", {"order_id": order.order_id, "reason": reason})
        for order in (first, second)
    )
    found = stage.together(*calls)
    refunds = [one["refund"] for one in found]
    reply = stage.say(
        "say.two_cancelled",
        order=first.order_id,
        second=second.order_id,
        refund=stage.money(refunds[0]),
        more=stage.money(refunds[1]),
    )
    return stage.end("call", "think.done", reply, stated=("cancelled",))


def _both(stage: Stage, one: Ending, other: Ending) -> Ending:
    """Two answers as one. What must not be said of the one may be right of the other."""
    return Ending(
        kind="call",
        thought=one.thought,
        reply=stage.language.gap.join((one.reply, other.reply)),
        must=tuple(dict.fromkeys((*one.must, *other.must))),
        must_not=(),
        accept={**one.accept, **other.accept},
    )
