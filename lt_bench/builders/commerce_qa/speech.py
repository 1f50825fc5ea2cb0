"""The reference reply: what a good host would say to the question, and one thing more."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lt_bench.builders.commerce_qa.plan import Plan, Scene
from lt_bench.builders.commerce_qa.question import Mode
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.statement import Statement

NEAREST = 4
"""An extra is drawn from the first few, which are the most relevant."""


@dataclass(frozen=True)
class Reply:
    """A spoken text and what it is made of: `greeting` (or ""), `answer`, and `extra`, which says
    the facts of `added`. `reference` is the name that the answer gives the product first, `later`
    the one after that."""

    greeting: str
    answer: str
    extra: str
    added: Statement
    reference: str
    later: str

    @property
    def text(self) -> str:
        return f"{self.greeting}{self.answer} {self.extra}"


def reply(plan: Plan, scene: Scene, mode: Mode, asker: str) -> Reply:
    """Answer and extra as one short spoken text."""
    first = called(plan, scene, mode)
    other = spoken_name(scene, plan.other) if plan.other else ""
    later = first if plan.other else scene.pronoun()
    answer = plan.answer.replace("{it}", first, 1).replace("{it}", later).replace("{other}", other)
    greeting = scene.speaker.say("greeting", name=asker)
    added = scene.draw.pick(plan.extras[:NEAREST])
    extra = capitals(_extra(plan, scene, added, later))
    return Reply(greeting, capitals(answer), extra, added, first, later)


def called(plan: Plan, scene: Scene, mode: Mode) -> str:
    """What the reply calls the product at its first mention."""
    if plan.intent == "recommendation":
        return f"{scene.speaker.slot(scene.target.slot)}, {scene.speaker.say('the_short', short=scene.target.product.short)},"
    if plan.other or mode not in ("shown", "previous"):
        return spoken_name(scene, scene.target)
    return scene.pronoun()


def spoken_name(scene: Scene, listing: Listing) -> str:
    """No. 9, or the short name."""
    if scene.draw.chance(0.55):
        return scene.speaker.slot(listing.slot)
    return scene.speaker.say("the_short", short=listing.product.short)


def _extra(plan: Plan, scene: Scene, extra: Statement, pronoun: str) -> str:
    """The extra speaks of the product it is about; "it" would be unclear after two products or
    after a slot that does not exist."""
    about = next(one for one in scene.retrieved if one.id == extra.facts[0].document)
    unclear = plan.other is not None or plan.only_slot is not None or plan.intent == "off_topic"
    name = spoken_name(scene, about) if unclear else pronoun
    instead = plan.answerability == "none"
    return scene.speaker.say(
        "extra.instead" if instead else "extra.join", clause=extra.clause
    ).replace("{it}", name)


def capitals(text: str) -> str:
    """A capital at the start and after each full stop that ends a sentence ("no. 9" does not)."""
    text = re.sub(
        r"(?<!\bno)([.!?] )([a-z])", lambda m: m[1] + m[2].upper(), text, flags=re.IGNORECASE
    )
    return re.sub(r",([.:,])", r"\1", text[:1].upper() + text[1:])
