"""The reference reply: what a good host would say to the question, and one thing more."""

from __future__ import annotations

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
    the one after that; `gap` stands between the sentences."""

    greeting: str
    answer: str
    extra: str
    added: Statement
    reference: str
    later: str
    gap: str = " "

    @property
    def text(self) -> str:
        return f"{self.greeting}{self.answer}{self.gap}{self.extra}"


def reply(plan: Plan, scene: Scene, mode: Mode, asker: str) -> Reply:
    """Answer and extra as one short spoken text."""
    first = called(plan, scene, mode)
    other = spoken_name(scene, plan.other) if plan.other else ""
    later = first if plan.other else scene.pronoun()
    answer = plan.answer.replace("{it}", first, 1).replace("{it}", later).replace("{other}", other)
    added = scene.draw.pick(plan.extras[:NEAREST])
    sentences = scene.language.sentences
    return Reply(
        greeting=scene.speaker.say("greeting", name=asker),
        answer=sentences(answer),
        extra=sentences(_extra(plan, scene, added, later)),
        added=added,
        reference=first,
        later=later,
        gap=scene.language.gap,
    )


def called(plan: Plan, scene: Scene, mode: Mode) -> str:
    """What the reply calls the product at its first mention."""
    if plan.intent == "recommendation":
        return scene.speaker.say("the_pick", **scene.speaker.names(scene.target))
    if plan.other or mode not in ("shown", "previous"):
        return spoken_name(scene, scene.target)
    return scene.pronoun()


def spoken_name(scene: Scene, listing: Listing) -> str:
    """No. 9, or the short name."""
    if scene.draw.chance(0.55):
        return scene.speaker.slot(listing.slot)
    return scene.speaker.say("the_short", **scene.speaker.names(listing))


def _extra(plan: Plan, scene: Scene, extra: Statement, pronoun: str) -> str:
    """The extra speaks of the product it is about; "it" would be unclear after two products or
    after a slot that does not exist."""
    about = next(one for one in scene.retrieved if one.id == extra.facts[0].document)
    unclear = plan.other is not None or plan.only_slot is not None or plan.intent == "off_topic"
    name = spoken_name(scene, about) if unclear else pronoun
    purpose = "extra.instead" if plan.answerability == "none" else "extra.join"
    return scene.speaker.say(purpose, clause=extra.clause).replace("{it}", name)
