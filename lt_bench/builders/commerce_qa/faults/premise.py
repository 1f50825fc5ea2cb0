"""Replies that agree with what is not so."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.faults.counterfactual import attribute_at
from lt_bench.builders.commerce_qa.faults.host import Host, host_of
from lt_bench.builders.commerce_qa.faults.mutant import Mutant
from lt_bench.builders.commerce_qa.faults.told import PRICE
from lt_bench.builders.commerce_qa.row import Row
from lt_bench.builders.commerce_qa.statement import COUPON
from lt_bench.records import Fact, FactsGold


def missed_wrong_premise(row: Row, draw: Draw) -> Mutant | None:
    """Says yes to the viewer's mistake, in so many words or with a bare "that's right"; offers the
    product as the one that nobody has, or as cheaper than it is. Only where the premise is wrong.

    Never correct. Helpful when a true extra is added, since the question is spoken to.
    """
    host = host_of(row, draw)
    if host.plan.intent != "wrong_premise":
        return None
    answer = _agreement(host)
    if answer is None:
        return None
    added = host.perhaps()
    return Mutant(host.reply(answer, *added), "missed_wrong_premise", False, bool(added))


def _agreement(host: Host) -> str | None:
    gold = host.row.example.gold
    assert isinstance(gold, FactsGold)
    if not gold.forbidden:
        return host.speaker.say("fault.agree_budget")
    false = gold.forbidden[0]
    clause = _claimed(host, false)
    if clause is None:
        return None
    if not host.plan.about_goods:
        name = host.name(host.scene.target)
        return host.speaker.say("fault.agree_lineup", ref=name, clause=clause)
    if host.draw.chance(0.25):
        return host.speaker.say("fault.agree_bare")
    return host.speaker.say("fault.agree", clause=clause)


def _claimed(host: Host, false: Fact) -> str | None:
    """The viewer's mistake as a clause."""
    target, speaker = host.scene.target, host.speaker
    attribute = attribute_at(target, false.path)
    if attribute:
        return speaker.attribute_clause(attribute, false.value)
    if false.path == PRICE:
        money = host.scene.language.money(float(false.value), false.unit or "")
        return speaker.say("say.price", money=money)
    coupon = target.product.data["offers"].get("priceSpecification")
    if false.path == f"{COUPON}.discount" and coupon:
        return speaker.say(
            "say.coupon_percent",
            code=coupon[0]["name"],
            off=host.scene.language.discount(int(false.value)),
        )
    return None
