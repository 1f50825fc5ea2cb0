"""What was said in the room before the question."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.plan import Scene
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.row import Moment
from lt_bench.records import Utterance


def history(moment: Moment, *, asker: str, interleaved: bool) -> tuple[Utterance, ...]:
    """The host shows goods (`before`, then `shown`); with `interleaved` other viewers talk in
    between; the asker's first message comes after the showing, in the midst of it all."""
    scene, before, shown = moment.scene, moment.before, moment.shown
    lines: list[Utterance] = []
    if scene.draw.chance(0.35):
        lines.append(_host(scene, scene.speaker.say("host.opening")))
    if before:
        lines.append(_host(scene, _show(scene, "host.show", before)))
        lines += _others(moment, before, asker, scene.draw.between(1, 2)) if interleaved else []
    lines.append(_host(scene, _show(scene, "host.shift" if before else "host.show", shown)))
    later = _others(moment, shown, asker, scene.draw.between(1, 3)) if interleaved else []
    if any(line.role == "host" for line in later):
        # What is on show stays the last that the host has named.
        later.append(_host(scene, _show(scene, "host.back", shown)))
    if moment.asked.lead:
        # As often with a capital and a mark as without.
        lead = moment.asked.lead
        content = scene.language.sentences(lead) if scene.draw.chance(0.4) else lead
        line = Utterance(role="viewer", name=asker, content=content)
        later.insert(_place(scene, later), line)
    return (*lines, *later)


def _place(scene: Scene, later: list[Utterance]) -> int:
    """Where the asker's first message goes: after the last word of the host."""
    spoken = [i for i, line in enumerate(later) if line.role == "host"]
    return scene.draw.between(spoken[-1] + 1 if spoken else 0, len(later))


def _show(scene: Scene, purpose: str, listing: Listing) -> str:
    return scene.speaker.say(purpose, **scene.speaker.names(listing))


def _host(scene: Scene, text: str) -> Utterance:
    return Utterance(role="host", name=scene.room.host, content=text)


def _others(moment: Moment, shown: Listing, asker: str, exchanges: int) -> list[Utterance]:
    """Comments of other viewers, some of them answered: about what the question is not about."""
    scene, draw = moment.scene, moment.scene.draw
    lines: list[Utterance] = []
    asked = (scene.target, moment.plan.other, shown, moment.before, moment.shown)
    free = [one for one in scene.room.listings if one not in asked]
    names = [name for name in scene.room.viewers if name != asker]
    for name, listing in zip(
        draw.sample(names, exchanges), draw.sample(free, exchanges), strict=False
    ):
        kind = draw.weighted((("small", 0.5), ("price", 0.2), ("stock", 0.12), ("look", 0.18)))
        text = scene.speaker.say(f"viewer.{kind}", **scene.speaker.names(listing))
        lines.append(Utterance(role="viewer", name=name, content=text))
        # After "the one before" nothing else may come between.
        if kind in ("price", "stock") and moment.mode != "previous" and draw.chance(0.6):
            lines.append(_host(scene, _answer(scene, listing, kind)))
    return lines


def _answer(scene: Scene, listing: Listing, kind: str) -> str:
    """The host tells another viewer what was asked of something else."""
    speaker = scene.speaker
    said = speaker.price(listing) if kind == "price" else speaker.stock(listing)
    clause = said.clause.format(it=speaker.slot(listing.slot))
    return scene.language.sentences(speaker.say("host.to_other", clause=clause))
