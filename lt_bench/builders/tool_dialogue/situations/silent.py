"""What needs no tool: talk, questions that the rules answer, and requests that must be declined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lt_bench.builders.tool_dialogue import people
from lt_bench.builders.tool_dialogue.language import figure
from lt_bench.builders.tool_dialogue.stage import Ending, Stage
from lt_bench.environments.shop import RETURN_DAYS
from lt_bench.environments.shop.money import units
from lt_bench.environments.shop.policy import MOST_PIECES
from lt_bench.environments.shop.words import MARKETS

_CHAT: Final = (("thanks", 3.0), ("help", 2.0), ("robot", 2.0), ("mood", 3.0))


def chat(stage: Stage) -> Ending:
    """Small talk."""
    about = stage.draw.weighted(_CHAT)
    stage.ask(f"chat.{about}")
    return stage.end("no_call", "think.chat", stage.say(f"reply.{about}"))


@dataclass(frozen=True)
class _Rule:
    """What a reply about a rule must hold: figures of the policy, or what it states."""

    figures: Sequence[str] = ()
    stated: Sequence[str] = ()


_RULES: Final[Mapping[str, _Rule]] = {
    "shipping": _Rule(("shipping",)),
    "free_from": _Rule(("free_from",)),
    "window": _Rule(("days",)),
    "postage": _Rule(("postage",)),
    "quantity": _Rule(("limit",)),
    "coupon_one": _Rule(stated=("one",)),
    "open_only": _Rule(stated=("before_shipping",)),
    "opened": _Rule(stated=("faulty",)),
    "once": _Rule(stated=("once",)),
    "difference": _Rule(stated=("difference",)),
    "cancel_refund": _Rule(stated=("full",)),
    "coupon_once": _Rule(stated=("once",)),
}


def rule(stage: Stage) -> Ending:
    """A question that the rules of the shop answer."""
    about = stage.draw.pick(tuple(_RULES))
    known = _figures(stage)
    stage.ask(f"rule.{about}")
    stage.tag("case:rule")
    wanted = _RULES[about]
    must = [known[name] for name in wanted.figures]
    reply = stage.say(f"reply.{about}", **_spoken(stage))
    return stage.end("no_call", "think.rule", reply, must=must, stated=wanted.stated)


def forbidden(stage: Stage) -> Ending:
    """A request that says itself what the rules forbid."""
    stage.tag("case:policy_violation")
    about = stage.draw.pick(tuple(_FORBIDDEN))
    return _FORBIDDEN[about](stage)


def _two_coupons(stage: Stage) -> Ending:
    return _coupons(stage, "two_coupons")


def _replace_coupon(stage: Stage) -> Ending:
    return _coupons(stage, "replace_coupon")


def _coupons(stage: Stage, about: str) -> Ending:
    """The order has a coupon, as the user says."""
    (order,) = people.some_orders(stage)
    people.processing(stage, order)
    first, second = people.two_coupons(stage)
    stage.change("orders", order.order_id, coupon=first.code)
    said = {"order": order.order_id, "code": first.code, "second": second.code}
    stage.ask(f"no.{about}", **said)
    reply = stage.say(f"reply.{about}", **said)
    return stage.end("no_call", "think.forbidden", reply, stated=("not",))


def _many(stage: Stage) -> Ending:
    customer = people.some_customer(stage)
    product = people.some_product(stage)
    variant = people.some_variant(stage, product, stocked=True)
    n = stage.draw.between(MOST_PIECES + 1, 20)
    stage.ask(
        "no.many",
        n=n,
        product=people.named(stage, product),
        variant=people.variant_of(stage, variant),
        customer=people.key_of(stage, customer),
    )
    reply = stage.say("reply.many", **_spoken(stage))
    return stage.end("no_call", "think.forbidden", reply, stated=("not",))


def _late(stage: Stage) -> Ending:
    order, _, product = people.with_goods(stage)
    n = people.delivered(stage, order, stage.draw.between(RETURN_DAYS + 3, 90))
    stage.ask("no.late", n=n, product=people.named(stage, product), order=order.order_id)
    reply = stage.say("reply.late", **_spoken(stage))
    return stage.end("no_call", "think.forbidden", reply, stated=("not",))


def _abroad(stage: Stage) -> Ending:
    (order,) = people.some_orders(stage)
    people.processing(stage, order)
    country = stage.say("country")
    stage.ask("no.abroad", order=order.order_id, country=country)
    reply = stage.say("reply.abroad", country=country)
    return stage.end("no_call", "think.forbidden", reply, stated=("not",))


_FORBIDDEN: Final[Mapping[str, Callable[[Stage], Ending]]] = {
    "two_coupons": _two_coupons,
    "replace_coupon": _replace_coupon,
    "many": _many,
    "late": _late,
    "abroad": _abroad,
}


def out_of_scope(stage: Stage) -> Ending:
    """What no tool can do."""
    about = stage.draw.pick(("gift", "carrier", "homework"))
    values = {}
    if about != "homework":
        (order,) = people.some_orders(stage)
        values["order"] = order.order_id
    if about == "carrier":
        values["carrier"] = stage.draw.pick(MARKETS[stage.shop.lang].carriers)
    stage.tag("case:out_of_scope")
    stage.ask(f"out.{about}", **values)
    return stage.end("no_call", "think.out", stage.say("reply.out"), stated=("not",))


def _figures(stage: Stage) -> dict[str, str]:
    """The figures of the rules, as a reply must hold them."""
    market = MARKETS[stage.shop.lang]
    sums = {
        "shipping": market.shipping,
        "free_from": market.free_from,
        "postage": market.return_postage,
    }
    return {
        **{name: figure(units(amount)) for name, amount in sums.items()},
        "days": str(RETURN_DAYS),
        "limit": str(MOST_PIECES),
    }


def _spoken(stage: Stage) -> dict[str, str]:
    """The same, as they are said."""
    plain = _figures(stage)
    market = MARKETS[stage.shop.lang]
    return {
        **plain,
        "shipping": stage.money(units(market.shipping)),
        "free_from": stage.money(units(market.free_from)),
        "postage": stage.money(units(market.return_postage)),
    }
