"""What was said in the room before the question."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.plan import Scene
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
        # As often with a capital and a mark as without.
        content = scene.language.sentences(lead) if scene.draw.chance(0.4) else lead
        line = Utterance(role="viewer", name=asker, content=content)
        later.insert(scene.draw.between(0, len(later)), line)
    return (*lines, *later)


def _show(scene: Scene, purpose: str, listing: Listing) -> str:
    return scene.speaker.say(purpose, **scene.speaker.names(listing))


def _host(scene: Scene, text: str) -> Utterance:
    return Utterance(role="host", name=scene.room.host, content=text)


def _others(scene: Scene, asker: str, exchanges: int) -> list[Utterance]:
    """Comments of other viewers, some of them answered."""
    draw, lines = scene.draw, []
    names = [name for name in scene.room.viewers if name != asker]
    for name in draw.sample(names, exchanges):
        if draw.chance(0.5):
            text = scene.speaker.say("viewer.small")
            lines.append(Utterance(role="viewer", name=name, content=text))
            continue
        listing, other = draw.sample(scene.room.listings, 2)
        words = {**scene.speaker.names(listing), "other": other.slot}
        text = scene.speaker.say("viewer.other", **words)
        lines.append(Utterance(role="viewer", name=name, content=text))
        if draw.chance(0.55):
            lines.append(_host(scene, _answer(scene, listing)))
    return lines


def _answer(scene: Scene, listing: Listing) -> str:
    """The host tells another viewer what something else costs: true, and beside the question."""
    reference = scene.speaker.slot(listing.slot)
    clause = scene.speaker.price(listing).clause.format(it=reference)
    return scene.language.sentences(scene.speaker.say("host.to_other", clause=clause))
