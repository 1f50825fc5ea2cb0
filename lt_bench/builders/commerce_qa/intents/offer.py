"""Questions about the offer: price, promotion, availability, shipping, returns, bundles."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from lt_bench.builders.commerce_qa.plan import More, Plan, Say, Scene
from lt_bench.builders.commerce_qa.statement import COUPON, SHIPPING, Speaker, Statement

NEAR: Final = {
    "variant": ("offers.availability",),
    "left": ("offers.availability",),
    "coupon": (f"{COUPON}.price", "offers.price"),
    "coupon_until": (f"{COUPON}.price", "offers.price"),
    "coupon_price": ("offers.price",),
    "ship_away": (f"{SHIPPING}.deliveryTime.maxValue", f"{SHIPPING}.shippingRate.value"),
    "pack": ("offers.price", f"{COUPON}.price"),
}
"""What an answer to each kind of question all but says, or would be confused with, so that it is
no extra."""

NEXT: Final[dict[str, tuple[Say, ...]]] = {
    "price": (Speaker.coupon_price,),
    "coupon": (Speaker.with_coupon, Speaker.coupon_until),
    "coupon_price": (Speaker.coupon_percent, Speaker.coupon_until),
    "coupon_until": (Speaker.with_coupon,),
    "stock": (Speaker.few_left, Speaker.shipping_time, Speaker.price),
    "left": (Speaker.shipping_time, Speaker.price),
    "variant": (Speaker.shipping_time, Speaker.price),
    "shipping_time": (Speaker.shipping_cost,),
    "shipping_cost": (Speaker.shipping_time,),
    "ship_to": (Speaker.shipping_time, Speaker.shipping_cost),
    "return_days": (Speaker.return_cost,),
    "return_cost": (Speaker.return_days,),
}
"""What one would want to know next."""


def price(scene: Scene) -> Plan:
    """What it costs; now and then what people think of it."""
    if scene.draw.chance(0.12):
        return _plain(scene, "price", "rating", scene.speaker.rating(scene.target)).with_tags(
            "asks:rating"
        )
    return _plain(scene, "price", "price", scene.speaker.price(scene.target))


def promotion(scene: Scene) -> Plan | None:
    """The coupon's code, the price with it, or its last day."""
    if scene.sold_out:
        return None
    kind = scene.draw.pick(("coupon", "coupon", "coupon_price", "coupon_price", "coupon_until"))
    said = {
        "coupon": scene.speaker.coupon,
        "coupon_price": scene.speaker.with_coupon,
        "coupon_until": scene.speaker.coupon_until,
    }[kind](scene.target)
    if said is None:
        return None
    return _plain(scene, "promotion", kind, Statement(said.facts[:1], said.clause))


def availability(scene: Scene) -> Plan | None:
    """Whether it can be had, how many are left, or one colour and size of it."""
    kind = scene.draw.weighted((("stock", 0.35), ("left", 0.2), ("variant", 0.45)))
    variants = scene.target.product.data.get("hasVariant", ())
    if kind == "variant" and variants:
        number = scene.draw.below(len(variants))
        said = scene.speaker.variant(scene.target, number)
        data = variants[number]
        words = scene.language.variant(data["color"], data.get("size", ""))
        return _yes_no(scene, "variant", said, data["offers"]["availability"], variant=words)
    left = scene.speaker.left(scene.target)
    if kind == "left" and left:
        return _plain(scene, "availability", "left", left)
    stock = scene.speaker.stock(scene.target)
    return _yes_no(scene, "stock", stock, scene.target.product.data["offers"]["availability"])


def _yes_no(scene: Scene, kind: str, said: Statement, availability: str, **words: str) -> Plan:
    """Sold out is said without yes or no, since viewers ask both ways; then comes what else there
    is, in another colour or size, or of another kind."""
    if availability != "OutOfStock":
        return _plain(scene, "availability", kind, said, "answer.bare", **words)
    plan = _plain(scene, "availability", kind, said, "answer.sorry", **words)
    instead = _instead(scene)
    return replace(plan, extras=instead or plan.extras, nearest=len(instead))


def _instead(scene: Scene) -> tuple[Statement, ...]:
    """Other variants of it that are there; where it is gone altogether, other goods."""
    speaker, listing = scene.speaker, scene.target
    if scene.sold_out:
        there = [o for o in scene.others if o.product.data["offers"]["availability"] == "InStock"]
        return tuple(speaker.stock(other) for other in there)
    variants = listing.product.data.get("hasVariant", ())
    numbers = [n for n, one in enumerate(variants) if one["offers"]["availability"] == "InStock"]
    return tuple(speaker.variant(listing, n) for n in scene.draw.sample(numbers, 2))


def shipping(scene: Scene) -> Plan | None:
    """How long it takes, what it costs, and whether it goes to a place."""
    if scene.sold_out:
        return None
    kind = scene.draw.pick(("shipping_time", "shipping_time", "shipping_cost", "ship_to"))
    if kind == "ship_to":
        return _ship_to(scene)
    if kind == "shipping_cost":
        return _plain(scene, "shipping", kind, scene.speaker.shipping_cost(scene.target))
    said = scene.speaker.shipping_time(scene.target)
    return _plain(scene, "shipping", kind, Statement(said.facts[:1], said.clause))


def _ship_to(scene: Scene) -> Plan:
    places = scene.room.market.places
    if scene.draw.chance(0.6):
        number = scene.draw.below(len(places))
        said = scene.speaker.ship_to(scene.target, number)
        return _plain(scene, "shipping", "ship_to", said, "answer.yes", place=places[number])
    away = scene.draw.pick([p for p in scene.language.phrases["place.away"] if p not in places])
    said = scene.speaker.ship_only(scene.target)
    plan = _plain(scene, "shipping", "ship_to", said, "answer.ship_no", place=away)
    # How long it takes to where it does go is of no use.
    return replace(plan, extras=(), more=More(scene.target, said.facts, near=NEAR["ship_away"]))


def returns(scene: Scene) -> Plan | None:
    """How long it can be sent back, and who pays for that."""
    if scene.sold_out:
        return None
    if scene.draw.chance(0.35):
        return _plain(scene, "returns", "return_cost", scene.speaker.return_cost(scene.target))
    return _plain(scene, "returns", "return_days", scene.speaker.return_days(scene.target))


def bundle(scene: Scene) -> Plan | None:
    """The price of two, or the free gift."""
    if scene.sold_out:
        return None
    kind = scene.draw.pick(("pack", "gift"))
    said = scene.speaker.bundle(scene.target, kind)
    return _plain(scene, "bundle", kind, said) if said else None


def _plain(
    scene: Scene,
    intent: str,
    kind: str,
    said: Statement,
    wording: str = "answer.plain",
    **words: str,
) -> Plan:
    """A question of this `kind`, answered by what was `said`."""
    more = [say(scene.speaker, scene.target) for say in NEXT.get(kind, ())]
    return Plan(
        intent=intent,
        asks=scene.wordings(kind, **words),
        answer=scene.speaker.say(wording, clause=said.clause, **words),
        required=said.facts,
        extras=() if scene.sold_out else tuple(one for one in more if one),
        more=More(scene.target, said.facts, near=NEAR.get(kind, ())),
    )
