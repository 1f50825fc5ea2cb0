"""Questions that need several products: comparison, and recommendation under constraints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from lt_bench.builders.commerce_qa.intents.budget import above
from lt_bench.builders.commerce_qa.plan import More, Plan, Scene
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.schema import Attribute
from lt_bench.builders.commerce_qa.statement import Statement


def comparison(scene: Scene) -> Plan | None:
    """Which of two is better in one measure; equal values are no question."""
    other = scene.draw.pick(scene.others)
    mine, theirs = scene.target.product, other.product
    fitting = [
        a
        for a in mine.listed
        if a.wins and a in theirs.listed and mine.values[a.name] != theirs.values[a.name]
    ]
    if scene.draw.chance(0.25) or not fitting:
        return _compare_price(scene, other)
    attribute = scene.draw.pick(fitting)
    said = [scene.speaker.attribute(listing, attribute) for listing in (scene.target, other)]
    return _compare(
        scene, other, (said[0], said[1]), attribute.wins, attribute.lower_wins, attribute.topic
    )


def _compare_price(scene: Scene, other: Listing) -> Plan | None:
    said = [scene.speaker.price(listing) for listing in (scene.target, other)]
    if said[0].facts[0].value == said[1].facts[0].value:
        return None
    wins = scene.speaker.say("wins.price")
    return _compare(scene, other, (said[0], said[1]), wins, lower_wins=True, topic="")


def _compare(
    scene: Scene,
    other: Listing,
    said: tuple[Statement, Statement],
    wins: str,
    lower_wins: bool,
    topic: str,
) -> Plan:
    first, second = said[0].facts[0].value, said[1].facts[0].value
    assert not isinstance(first, str)
    assert not isinstance(second, str)
    better = (first < second) == lower_wins
    clauses = (said[0].clause, said[1].clause.replace("{it}", "{other}"))
    facts = (said[0].facts[0], said[1].facts[0])
    return Plan(
        intent="comparison",
        asks=scene.wordings("compare", wins=wins),
        answer=scene.speaker.say(
            "answer.compare",
            first=clauses[0],
            second=clauses[1],
            winner="{it}" if better else "{other}",
            wins=wins,
        ),
        other=other,
        required=facts,
        more=More(scene.target if better else other, facts, topic),
    )


@dataclass(frozen=True)
class Wish:
    """One thing the product must have. `said` states it of the product that has it."""

    words: str
    met_by: Callable[[Listing], bool]
    said: Callable[[], Statement]


def recommendation(scene: Scene) -> Plan | None:
    """Wishes that the target alone fulfils, as few as will do."""
    if scene.target.product.data["offers"]["availability"] in ("OutOfStock", "PreOrder"):
        return None
    wishes = _wishes(scene)
    isolating = [
        group
        for group in (*((wish,) for wish in wishes), *combinations(wishes, 2))
        if not any(all(wish.met_by(other) for wish in group) for other in scene.others)
    ]
    if not isolating:
        return None
    group = scene.draw.pick(isolating)
    wished = scene.language.phrase("and.wishes").join(wish.words for wish in group)
    said = [wish.said() for wish in group]
    why = scene.language.chained([one.clause for one in said])
    pick = scene.speaker.say("say.recommend", ref="{it}")
    asked = tuple(found for one in said for found in one.facts)
    return Plan(
        intent="recommendation",
        asks=scene.wordings("recommend", wishes=wished, **scene.goods),
        answer=scene.speaker.say("answer.recommend", pick=pick, why=why),
        required=(scene.speaker.name(scene.target),),
        more=More(scene.target, asked),
        about_goods=False,
        tags=(f"wishes:{len(group)}",),
    )


def _wishes(scene: Scene) -> list[Wish]:
    """What can be wished for that the target has: a budget, features, enough of something."""
    wishes = [w for a in scene.target.product.listed if a.want and (w := _wish(scene, a))]
    return scene.draw.sample([*wishes, _budget(scene)], 5)


def _budget(scene: Scene) -> Wish:
    limit = above(scene.target.product.data["offers"]["price"])
    money = scene.language.money(limit, scene.room.market.currency)
    return Wish(
        scene.speaker.say("wish.budget", money=money),
        lambda listing: _lowest(listing) <= limit,
        lambda: scene.speaker.price(scene.target),
    )


def _wish(scene: Scene, attribute: Attribute) -> Wish | None:
    value = scene.target.product.values[attribute.name]
    if value is False:
        return None
    words = attribute.want.format(v=scene.language.quantity(value, attribute.unit))

    def met_by(listing: Listing) -> bool:
        """A sheet that is silent does not fulfil a wish."""
        if attribute in listing.product.withheld:
            return False
        has = listing.product.values[attribute.name]
        return float(has) >= float(value) if attribute.kind == "number" else has == value

    return Wish(words, met_by, lambda: scene.speaker.attribute(scene.target, attribute))


def _lowest(listing: Listing) -> float:
    """Its price, or the one with the coupon: what costs more only without a coupon fits too."""
    offer = listing.product.data["offers"]
    return min(float(p["price"]) for p in (offer, *offer.get("priceSpecification", ())))
