"""The reference reply: what a good host would say to the question, and one thing more."""

from __future__ import annotations

from dataclasses import dataclass

from lt_bench.builders.commerce_qa.plan import Plan, Scene
from lt_bench.builders.commerce_qa.question import Mode
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.statement import Statement

NEAREST = 3
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
    other = spoken_name(scene, plan.other, mode) if plan.other else ""
    later = first if plan.other else scene.speaker.say("it_later")
    answer = plan.answer.replace("{it}", first, 1).replace("{it}", later).replace("{other}", other)
    near = 1 if plan.extras[0].sold_out else plan.nearest or NEAREST
    added = scene.draw.pick(plan.extras[:near])
    sentences, curt = scene.language.sentences, scene.language.phrases["greeting.none"]
    return Reply(
        greeting="" if answer.startswith(curt) else scene.speaker.say("greeting", name=asker),
        answer=sentences(answer),
        extra=sentences(_extra(plan, scene, added, later, mode)),
        added=added,
        reference=first,
        later=later,
        gap=scene.language.gap,
    )


def called(plan: Plan, scene: Scene, mode: Mode) -> str:
    """What the reply calls the product at its first mention."""
    if plan.intent == "recommendation":
        return scene.speaker.say("the_pick", **scene.speaker.names(scene.target))
    if plan.of_all:
        return scene.speaker.say("it_all")
    if plan.other or mode != "shown":
        return spoken_name(scene, scene.target, mode)
    return scene.pronoun()


def spoken_name(scene: Scene, listing: Listing, mode: Mode) -> str:
    """No. 9, or the short name where the viewer has used it."""
    if mode == "name":
        return scene.speaker.say("the_short", **scene.speaker.names(listing))
    return scene.speaker.slot(listing.slot)


def joiner(plan: Plan, extra: Statement) -> str:
    """The purpose of a sentence that adds `extra` to the answer."""
    if plan.answerability == "none":
        return "extra.instead"
    if extra.sold_out or (plan.bad_news and extra.facts[0].value in (True, "InStock")):
        return "extra.but"
    return "extra.aside" if plan.bad_news else "extra.join"


def _extra(plan: Plan, scene: Scene, extra: Statement, pronoun: str, mode: Mode) -> str:
    """The extra speaks of the product it is about; "it" would be unclear after two products or
    after a slot that does not exist."""
    about = next(one for one in scene.retrieved if one.id == extra.facts[0].document)
    unclear = plan.other is not None or plan.of_all or not plan.about_one
    purpose, clause = joiner(plan, extra), extra.clause
    if unclear or about is not scene.target:
        name = spoken_name(scene, about, mode)
    else:
        name = pronoun
        clause = clause if purpose == "extra.instead" else scene.language.shortened(clause)
    return scene.speaker.say(purpose, clause=clause).replace("{it}", name)
