"""What was said in the room before the question."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.plan import Scene
from lt_bench.builders.commerce_qa.question import finish
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.records import Utterance


def history(
    scene: Scene,
    before: Listing | None,
    shown: Listing,
    *,
    asker: str,
    lead: str,
    interleaved: bool,
) -> tuple[Utterance, ...]:
    """The host shows goods (`before`, then `shown`); with `interleaved` other viewers talk in
    between; the asker's first message comes after the showing, in the midst of it all."""
    lines: list[Utterance] = []
    if scene.draw.chance(0.35):
        lines.append(_host(scene, scene.speaker.say("host.opening")))
    if before:
        lines.append(_host(scene, _show(scene, "host.show", before)))
        lines += _others(scene, asker, scene.draw.between(1, 2)) if interleaved else []
    lines.append(_host(scene, _show(scene, "host.shift" if before else "host.show", shown)))
    later = _others(scene, asker, scene.draw.between(1, 3)) if interleaved else []
    if lead:
        line = Utterance(role="viewer", name=asker, content=lead)
        later.insert(scene.draw.between(0, len(later)), line)
    return (*lines, *later)


def _show(scene: Scene, purpose: str, listing: Listing) -> str:
    product = listing.product
    return scene.speaker.say(
        purpose, slot=listing.slot, short=product.short, noun=product.category.noun
    )


def _host(scene: Scene, text: str) -> Utterance:
    return Utterance(role="host", name=scene.room.host, content=text)


def _others(scene: Scene, asker: str, exchanges: int) -> list[Utterance]:
    """Comments of other viewers, some of them answered."""
    draw, lines = scene.draw, []
    names = [name for name in scene.room.viewers if name != asker]
    for name in draw.sample(names, exchanges):
        if draw.chance(0.5):
            lines.append(
                Utterance(role="viewer", name=name, content=scene.speaker.say("viewer.small"))
            )
            continue
        listing, other = draw.sample(scene.room.listings, 2)
        words = {"slot": listing.slot, "short": listing.product.short, "other": other.slot}
        lines.append(
            Utterance(role="viewer", name=name, content=scene.speaker.say("viewer.other", **words))
        )
        if draw.chance(0.55):
            lines.append(_host(scene, _answer(scene, listing)))
    return lines


def _answer(scene: Scene, listing: Listing) -> str:
    """The host tells another viewer what something else costs: true, and beside the question."""
    reference = scene.speaker.slot(listing.slot)
    clause = scene.speaker.price(listing).clause.format(it=reference)
    text = scene.speaker.say("host.to_other", clause=clause)
    return text[0].upper() + text[1:]


def careful(lead: str, draw: Draw) -> str:
    """A first message: as often without capital and full stop as with."""
    return finish(lead).rstrip("?") if draw.chance(0.4) else lead
