"""Questions that evidence cannot answer, that rest on a wrong premise, or are off topic."""

from __future__ import annotations

from dataclasses import replace

from lt_bench.builders.commerce_qa.intents.budget import round_amount
from lt_bench.builders.commerce_qa.intents.properties import false, lent
from lt_bench.builders.commerce_qa.plan import More, Plan, Scene, Wordings
from lt_bench.builders.commerce_qa.room import SLOTS, Listing
from lt_bench.builders.commerce_qa.schema import Attribute, Value
from lt_bench.builders.commerce_qa.statement import COUPON, Statement
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
        scene.asking(attribute),
        topic=attribute.topic,
        forbidden=lent(scene, attribute),
    )


def _unlisted(scene: Scene) -> Plan | None:
    return _silent(scene, Wordings(scene.draw.pick(scene.room.category.unlisted)))


def _no_slot(scene: Scene) -> Plan | None:
    """A number that nothing in the room has."""
    free = [slot for slot in range(1, SLOTS + 1) if slot not in scene.room]
    slot = scene.draw.pick(free)
    asks = scene.wordings(scene.draw.pick(("price", "stock", "gift", "coupon")))
    plan = _silent(scene, asks, near=(f"{COUPON}.price",))
    answer = scene.speaker.say("answer.no_slot", slot=slot)
    return replace(plan, answer=answer, only_slot=slot)


def _no_coupon(scene: Scene) -> Plan | None:
    if scene.target.product.has_coupon or scene.sold_out:
        return None
    return _silent(scene, scene.wordings("coupon"))


def _silent(
    scene: Scene,
    asks: Wordings,
    topic: str = "",
    forbidden: tuple[Fact, ...] = (),
    near: tuple[str, ...] = (),
) -> Plan:
    return Plan(
        intent="missing_evidence",
        asks=asks,
        answer=scene.speaker.say("answer.missing"),
        answerability="none",
        more=More(scene.target, topic=topic, near=near),
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
    others = unlike(attribute, true)
    if not others:
        return None
    wrong = scene.draw.pick(others)
    claim = scene.speaker.attribute_clause(attribute, wrong)
    return _corrected(
        scene,
        scene.wordings("claim", claim=claim),
        scene.speaker.attribute(scene.target, attribute),
        (false(scene.target, attribute, wrong),),
        attribute.topic,
    )


def unlike(attribute: Attribute, true: Value) -> list[Value]:
    """The other values of an attribute, but none that is a part of the `true` one or holds it:
    recycled polyester is polyester."""
    if attribute.kind == "flag":
        return [value for value in (True, False) if value != true]
    kept = [value for value in dict.fromkeys(attribute.values) if value != true]
    if attribute.kind == "number":
        return kept
    return [value for value in kept if str(value) not in str(true) and str(true) not in str(value)]


def _lineup(scene: Scene) -> Plan | None:
    """ "Which is the cooling-only one", when every sheet says that it heats too."""
    if scene.sold_out:
        return None
    alike = []
    for attribute in scene.target.product.listed:
        same = [one for one in scene.room.listings if _same(one, scene.target, attribute)]
        if attribute.kind == "choice" and attribute.want and same:
            others = unlike(attribute, scene.target.product.values[attribute.name])
            alike += [(attribute, same, others)] if others else []
    if not alike:
        return None
    attribute, same, others = scene.draw.pick(alike)
    scene = replace(scene, others=tuple(scene.draw.sample(same, len(scene.others))))
    wrong = scene.draw.pick(others)
    wish = attribute.want.format(v=wrong)
    asks = scene.wordings("lineup", wish=wish, **scene.goods)
    said = scene.speaker.attribute(scene.target, attribute)
    untrue = tuple(false(one, attribute, wrong) for one in scene.retrieved)
    plan = _corrected(scene, asks, said, untrue, attribute.topic)
    answer = scene.speaker.say("answer.no_such", clause=said.clause)
    return replace(plan, answer=answer, about_goods=False, of_all=True, others=scene.others)


def _same(one: Listing, target: Listing, attribute: Attribute) -> bool:
    """Whether the sheet of another product lists the same value as that of the target."""
    values = (one.product.values[attribute.name], target.product.values[attribute.name])
    return one is not target and attribute in one.product.listed and values[0] == values[1]


def _price(scene: Scene) -> Plan | None:
    said = scene.speaker.price(scene.target)
    true = float(said.facts[0].value)
    wrong = round(true * scene.draw.pick((0.5, 0.6, 0.7, 0.8)))
    money = scene.language.money(float(wrong), scene.room.market.currency)
    lie = said.facts[0].model_copy(update={"value": wrong, "accept": (money,)})
    return _corrected(scene, scene.wordings("price_claim", money=money), said, (lie,))


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
    if said is None or scene.sold_out:
        return None
    percent, code = said.facts
    wrong = scene.draw.pick((30, 40, 50, 60))
    off = scene.language.discount(wrong)
    asks = scene.wordings("coupon_claim", off=off, code=code.value)
    lie = percent.model_copy(update={"value": wrong, "accept": (off,)})
    return _corrected(scene, asks, Statement((percent,), said.clause), (lie,))


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


def off_topic(scene: Scene) -> Plan | None:
    """Nothing to do with the goods."""
    opener = scene.draw.pick(scene.language.phrases["opener.off_topic"])
    ask = scene.draw.pick(scene.language.phrases["ask.off_topic"])
    return Plan(
        intent="off_topic",
        asks=Wordings(opener + ask, full=ask),
        answer=scene.speaker.say("answer.off_topic"),
        answerability="none",
        more=More(scene.target),
        about_goods=False,
    )
