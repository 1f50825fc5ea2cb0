"""Questions that evidence cannot answer, that rest on a wrong premise, or are off topic."""

from __future__ import annotations

from dataclasses import replace

from lt_bench.builders.commerce_qa.intents.budget import round_amount
from lt_bench.builders.commerce_qa.plan import More, Plan, Scene, Wordings
from lt_bench.builders.commerce_qa.room import SLOTS, Listing
from lt_bench.builders.commerce_qa.schema import Attribute, Value
from lt_bench.builders.commerce_qa.statement import Statement
from lt_bench.records import Fact


def missing(scene: Scene) -> Plan | None:
    """No document holds the answer, though a sheet beside it may: the trap of this task."""
    kind = scene.draw.weighted(
        (("withheld", 0.6), ("unlisted", 0.25), ("no_slot", 0.08), ("no_coupon", 0.07))
    )
    return {
        "withheld": _withheld,
        "unlisted": _unlisted,
        "no_slot": _no_slot,
        "no_coupon": _no_coupon,
    }[kind](scene)


def _withheld(scene: Scene) -> Plan | None:
    fitting = scene.target.product.withheld
    if not fitting:
        return None
    attribute = scene.draw.pick(fitting)
    return _silent(
        scene,
        Wordings(scene.draw.pick(attribute.asks), scene.draw.pick(attribute.shorts)),
        topic=attribute.topic,
        forbidden=_lent(scene, attribute),
    )


def _lent(scene: Scene, attribute: Attribute) -> tuple[Fact, ...]:
    """The values that other sheets list, said of the target."""
    listed = [other for other in scene.others if attribute in other.product.listed]
    values = {
        str(o.product.values[attribute.name]): o.product.values[attribute.name] for o in listed
    }
    return tuple(_false(scene.target, attribute, value) for value in values.values())


def _unlisted(scene: Scene) -> Plan | None:
    return _silent(scene, Wordings(scene.draw.pick(scene.room.category.unlisted)))


def _no_slot(scene: Scene) -> Plan | None:
    """A number that nothing in the room has."""
    free = [slot for slot in range(1, SLOTS + 1) if slot not in scene.room]
    slot = scene.draw.pick(free)
    asks = scene.wordings(scene.draw.pick(("price", "stock", "gift", "coupon")))
    plan = _silent(scene, asks)
    answer = scene.speaker.say("answer.no_slot", slot=slot)
    return replace(plan, answer=answer, only_slot=slot)


def _no_coupon(scene: Scene) -> Plan | None:
    if scene.target.product.has_coupon:
        return None
    return _silent(scene, scene.wordings("coupon"))


def _silent(
    scene: Scene,
    asks: Wordings,
    topic: str = "",
    forbidden: tuple[Fact, ...] = (),
) -> Plan:
    return Plan(
        intent="missing_evidence",
        asks=asks,
        answer=scene.speaker.say("answer.missing"),
        answerability="none",
        more=More(scene.target, topic=topic),
        forbidden=forbidden,
        hide_faq=True,
        tags=("noise:no_evidence",),
    )


def wrong_premise(scene: Scene) -> Plan | None:
    """The viewer takes for granted what the documents contradict."""
    kind = scene.draw.weighted(
        (("value", 0.31), ("lineup", 0.38), ("price", 0.13), ("too_cheap", 0.11), ("coupon", 0.07))
    )
    makers = {
        "value": _value,
        "lineup": _lineup,
        "price": _price,
        "too_cheap": _too_cheap,
        "coupon": _coupon,
    }
    plan = makers[kind](scene)
    return plan.with_tags("noise:wrong_premise", f"premise:{kind}") if plan else None


def _value(scene: Scene) -> Plan | None:
    """ "So it runs 50 hours, right": a property with another value than the sheet's."""
    attribute = scene.draw.pick(scene.target.product.listed)
    true = scene.target.product.values[attribute.name]
    wrong = scene.draw.pick([v for v in _possible(attribute) if v != true])
    claim = scene.speaker.attribute_clause(attribute, wrong)
    return _corrected(
        scene,
        scene.wordings("claim", claim=claim),
        scene.speaker.attribute(scene.target, attribute),
        (_false(scene.target, attribute, wrong),),
        attribute.topic,
    )


def _possible(attribute: Attribute) -> tuple[Value, ...]:
    return (True, False) if attribute.kind == "flag" else attribute.values


def _lineup(scene: Scene) -> Plan | None:
    """ "Which is the cooling-only one", when every sheet says that it heats too."""
    absent, alike = [], []
    for attribute in scene.room.category.attributes:
        listed = [one for one in scene.retrieved if attribute in one.product.listed]
        if attribute.kind == "choice" and attribute.want and len(listed) == len(scene.retrieved):
            had = {one.product.values[attribute.name] for one in listed}
            others = [v for v in dict.fromkeys(attribute.values) if v not in had]
            absent += [(attribute, others)] if others else []
            alike += [(attribute, others)] if others and len(had) == 1 else []
    if not absent:
        return None
    # Mostly where all are alike: that is what makes a viewer ask for the other kind.
    attribute, others = scene.draw.pick(alike if alike and scene.draw.chance(0.85) else absent)
    wrong = scene.draw.pick(others)
    wish = attribute.want.format(v=wrong)
    asks = scene.wordings("lineup", wish=wish, **scene.goods)
    said = scene.speaker.attribute(scene.target, attribute)
    false = _false(scene.target, attribute, wrong)
    plan = _corrected(scene, asks, said, (false,), attribute.topic)
    answer = scene.speaker.say("answer.no_such", clause=said.clause)
    return replace(plan, answer=answer, about_goods=False)


def _price(scene: Scene) -> Plan | None:
    said = scene.speaker.price(scene.target)
    true = float(said.facts[0].value)
    wrong = round(true * scene.draw.pick((0.5, 0.6, 0.7, 0.8)))
    money = scene.language.money(float(wrong), scene.room.market.currency)
    false = said.facts[0].model_copy(update={"value": wrong, "accept": (money,)})
    return _corrected(scene, scene.wordings("price_claim", money=money), said, (false,))


def _too_cheap(scene: Scene) -> Plan | None:
    """A budget below the cheapest of all; the target is the cheapest."""
    prices = [one.product.data["offers"]["price"] for one in scene.retrieved]
    if prices[0] != min(prices):
        return None
    limit = round_amount(prices[0] * scene.draw.pick((0.5, 0.6, 0.7)))
    money = scene.language.money(limit, scene.room.market.currency)
    said = scene.speaker.price(scene.target)
    asks = scene.wordings("none_cheaper", money=money, **scene.goods)
    plan = _corrected(scene, asks, said, ())
    answer = scene.speaker.say("answer.too_cheap", clause=said.clause)
    return replace(plan, answer=answer, about_goods=False)


def _coupon(scene: Scene) -> Plan | None:
    said = scene.speaker.coupon_percent(scene.target)
    if said is None:
        return None
    percent, code = said.facts
    wrong = scene.draw.pick((30, 40, 50, 60))
    off = scene.language.discount(wrong)
    asks = scene.wordings("coupon_claim", off=off, code=code.value)
    false = percent.model_copy(update={"value": wrong, "accept": (off,)})
    return _corrected(scene, asks, Statement((percent,), said.clause), (false,))


def _corrected(
    scene: Scene,
    asks: Wordings,
    said: Statement,
    forbidden: tuple[Fact, ...],
    topic: str = "",
) -> Plan:
    return Plan(
        intent="wrong_premise",
        asks=asks,
        answer=scene.speaker.say("answer.wrong", clause=said.clause),
        required=said.facts,
        more=More(scene.target, said.facts, topic),
        forbidden=forbidden,
    )


def _false(listing: Listing, attribute: Attribute, value: Value) -> Fact:
    """What must not be said of `listing`."""
    accept = attribute.accept.get(value, ())
    return Fact(
        document=listing.id,
        path=attribute.path,
        value=value,
        unit=attribute.unit or None,
        accept=accept,
    )


def off_topic(scene: Scene) -> Plan | None:
    """Nothing to do with the goods."""
    opener = scene.draw.pick(scene.language.phrases["opener.off_topic"])
    return Plan(
        intent="off_topic",
        asks=Wordings(opener + scene.draw.pick(scene.language.phrases["ask.off_topic"])),
        answer=scene.speaker.say("answer.off_topic"),
        answerability="none",
        more=More(scene.target),
        about_goods=False,
    )
