"""Questions about the offer: price, promotion, availability, shipping, returns, bundles."""

from __future__ import annotations

from typing import Final

from lt_bench.builders.commerce_qa.plan import More, Plan, Scene
from lt_bench.builders.commerce_qa.statement import COUPON, Statement

NEAR: Final = {
    "variant": ("offers.availability",),
    "left": ("offers.availability",),
    "stock": ("offers.inventoryLevel.value",),
    "coupon": (f"{COUPON}.price",),
    "coupon_until": (f"{COUPON}.price",),
    "coupon_price": ("offers.price",),
    "pack": ("offers.price",),
}
"""What an answer to each kind of question all but says, so that it is no extra."""


def price(scene: Scene) -> Plan:
    """What it costs; now and then what people think of it."""
    if scene.draw.chance(0.12):
        return _plain(scene, "price", "rating", scene.speaker.rating(scene.target)).with_tags(
            "asks:rating"
        )
    return _plain(scene, "price", "price", scene.speaker.price(scene.target))


def promotion(scene: Scene) -> Plan | None:
    """The coupon's code, the price with it, or its last day."""
    kind = scene.draw.pick(("coupon", "coupon", "coupon_price", "coupon_price", "coupon_until"))
    said = {
        "coupon": scene.speaker.coupon,
        "coupon_price": scene.speaker.coupon_price,
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
    """Sold out is said without yes or no, since viewers ask both ways."""
    wording = "answer.sorry" if availability == "OutOfStock" else "answer.bare"
    return _plain(scene, "availability", kind, said, wording, **words)


def shipping(scene: Scene) -> Plan | None:
    """How long it takes, what it costs, and whether it goes to a place."""
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
    return _plain(scene, "shipping", "ship_to", said, "answer.no", place=away)


def returns(scene: Scene) -> Plan | None:
    """How long it can be sent back, and who pays for that."""
    if scene.draw.chance(0.35):
        return _plain(scene, "returns", "return_cost", scene.speaker.return_cost(scene.target))
    return _plain(scene, "returns", "return_days", scene.speaker.return_days(scene.target))


def bundle(scene: Scene) -> Plan | None:
    """The price of two, or the free gift."""
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
    return Plan(
        intent=intent,
        asks=scene.wordings(kind, **words),
        answer=scene.speaker.say(wording, clause=said.clause),
        required=said.facts,
        more=More(scene.target, said.facts, near=NEAR.get(kind, ())),
    )
