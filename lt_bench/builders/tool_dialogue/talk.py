"""What stands around a request: talk before it, a greeting, thanks, and slips of the keyboard."""

from __future__ import annotations

from typing import Final

from lt_bench.builders.tool_dialogue import people
from lt_bench.builders.tool_dialogue.stage import Stage
from lt_bench.records import Utterance

TYPOS: Final = 0.2
GREETED: Final = 0.22
CLOSED: Final = 0.16
BEFORE: Final = 0.4
"""Share of dialogues that had begun with something else, of those that had not begun at all."""
_TRIES: Final = 8


def before(stage: Stage, *, open_: bool) -> None:
    """Puts some talk before a dialogue: a greeting or, with `open_`, something that was settled."""
    if stage.history or not stage.draw.chance(BEFORE):
        return
    asked, told = stage.history, list[Utterance]()
    stage.history = told
    kind = stage.draw.pick(("hello", "customer", "track", "stock")) if open_ else "hello"
    if kind == "customer":
        _customer(stage)
    elif kind == "track":
        _track(stage)
    elif kind == "stock":
        _stock(stage)
    if not told:
        stage.user("user.hello")
        stage.agent("agent.hello")
    elif stage.draw.chance(0.3):
        stage.user("user.unsure")
        stage.agent("agent.unsure")
    stage.history = [*told, *asked]


def _customer(stage: Stage) -> None:
    some = [one for one in people.customers(stage) if stage.person in ("", one.customer_id)]
    if some:
        one = stage.draw.pick(some)
        stage.user("user.customer", customer=people.key_of(stage, one))
        stage.agent("agent.customer", name=one.name)


def _track(stage: Stage) -> None:
    """A parcel that the row has nothing to do with."""
    touched = stage.patch.get("orders", {})
    some = [
        one
        for one in people.orders(stage)
        if one.status == "shipped"
        and one.order_id not in touched
        and stage.person in ("", one.customer_id)
    ]
    if not some:
        return
    order = stage.draw.pick(some)
    parcel = order.shipment
    assert parcel is not None, "a shipped order has a parcel"
    stage.user("user.track", order=order.order_id)
    stage.agent(
        "agent.track",
        order=order.order_id,
        carrier=parcel.carrier,
        place=parcel.place,
        due=parcel.due_on,
    )


def _stock(stage: Stage) -> None:
    """Goods that the row has nothing to do with."""
    touched = {sku.partition("-")[0] for sku in stage.patch.get("variants", {})}
    some = [
        (product, variant)
        for product in people.goods(stage)
        for variant in product.variants
        if variant.stock and product.product_id not in touched
    ]
    if not some:
        return
    product, variant = stage.draw.pick(some)
    words = people.variant_of(stage, variant)
    stage.user("user.stock", product=people.named(stage, product), variant=words)
    stage.agent("agent.stock", product=product.name, variant=words, n=variant.stock)


def typed(stage: Stage, *, thanks: bool) -> str:
    """The question as it is typed. `thanks`: it may end with some."""
    draw, gap, text = stage.draw, stage.language.gap, stage.question
    if not stage.history and draw.chance(GREETED):
        text = gap.join((stage.say("hello"), text))
    if thanks and draw.chance(CLOSED):
        text = gap.join((text, stage.say("close")))
    if stage.exact or not draw.chance(TYPOS):
        return text
    stage.tag("noise:typos")
    kept = frozenset(stage.names)
    for _ in range(_TRIES):
        rough = text
        for slip in draw.sample(stage.language.slips, draw.between(1, 2)):
            rough = slip(rough, draw, kept)
        if rough != text:
            return rough
    return stage.language.careless(text)
