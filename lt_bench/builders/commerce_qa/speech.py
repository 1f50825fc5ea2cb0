"""The reference reply: what a good host would say to the question, and one thing more."""

from __future__ import annotations

import re

from lt_bench.builders.commerce_qa.plan import Plan, Scene
from lt_bench.builders.commerce_qa.question import Mode
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.statement import Statement

NEAREST = 4
"""An extra is drawn from the first few, which are the most relevant."""


def reply(plan: Plan, scene: Scene, mode: Mode, asker: str) -> str:
    """Answer and extra as one short spoken text."""
    first = _reference(plan, scene, mode)
    other = _spoken_name(scene, plan.other) if plan.other else ""
    later = first if plan.other else scene.pronoun()
    answer = plan.answer.replace("{it}", first, 1).replace("{it}", later).replace("{other}", other)
    text = scene.speaker.say("greeting", name=asker) + _capitals(answer)
    extra = scene.draw.pick(plan.extras[:NEAREST])
    return f"{text} {_capitals(_extra(plan, scene, extra, later))}"


def _reference(plan: Plan, scene: Scene, mode: Mode) -> str:
    if plan.intent == "recommendation":
        return f"{scene.speaker.slot(scene.target.slot)}, {scene.speaker.say('the_short', short=scene.target.product.short)},"
    if plan.other or mode not in ("shown", "previous"):
        return _spoken_name(scene, scene.target)
    return scene.pronoun()


def _spoken_name(scene: Scene, listing: Listing) -> str:
    """No. 9, or the short name."""
    if scene.draw.chance(0.55):
        return scene.speaker.slot(listing.slot)
    return scene.speaker.say("the_short", short=listing.product.short)


def _extra(plan: Plan, scene: Scene, extra: Statement, pronoun: str) -> str:
    """The extra speaks of the product it is about; "it" would be unclear after two products or
    after a slot that does not exist."""
    about = next(one for one in scene.retrieved if one.id == extra.facts[0].document)
    unclear = plan.other is not None or plan.only_slot is not None or plan.intent == "off_topic"
    name = _spoken_name(scene, about) if unclear else pronoun
    instead = plan.answerability == "none"
    return scene.speaker.say(
        "extra.instead" if instead else "extra.join", clause=extra.clause
    ).replace("{it}", name)


def _capitals(text: str) -> str:
    """A capital at the start and after each full stop that ends a sentence ("no. 9" does not)."""
    text = re.sub(
        r"(?<!\bno)([.!?] )([a-z])", lambda m: m[1] + m[2].upper(), text, flags=re.IGNORECASE
    )
    return re.sub(r",([.:,])", r"\1", text[:1].upper() + text[1:])
