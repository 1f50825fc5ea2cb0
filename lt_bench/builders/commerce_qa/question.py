"""How one viewer types a planned question: what she calls the product, and in how many messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lt_bench.builders.commerce_qa.plan import Plan, Scene
from lt_bench.builders.commerce_qa.room import SLOTS, Listing

Mode = Literal["shown", "previous", "slot", "name", "none"]
"""How the product is called: by what is on show (or was, just before), by its slot number, by
its name, or not at all."""

BARE_WORDS = {"shown": 0.92, "previous": 0.0, "slot": 0.9, "name": 0.75, "none": 0.8}
"""How often bare words stand in place of a sentence, where there are any."""
CORRECTED = 0.06
SWITCHED_WORD = 0.6
"""Of the questions with words of another language and no wording of their own for that: how
often it is a word in the midst of it, where one is known."""


@dataclass(frozen=True)
class Asked:
    """What was typed: `lead` in an earlier message (or ""), then `text`; no noise yet.

    `resolved` is the question as it would stand alone, `protected` words that must stay legible.
    """

    text: str
    lead: str
    resolved: str
    tags: tuple[str, ...]
    protected: frozenset[str]


@dataclass(frozen=True)
class Names:
    """What {it}, {other} and {again} stand for, and how that calls them."""

    words: dict[str, str]
    mode: Mode
    other: Mode = "none"

    @property
    def tags(self) -> tuple[str, ...]:
        slots = "slot" in (self.mode, self.other)
        ellipsis = self.mode in ("shown", "previous")
        return (*["noise:slot_number"] * slots, *["noise:ellipsis"] * ellipsis)


def ask(plan: Plan, scene: Scene, mode: Mode, *, split: bool, mixed: bool) -> Asked:
    """The wording of `plan`; `split` over two messages, `mixed` with another language."""
    names = _names(plan, scene, "slot" if plan.only_slot is not None else mode)
    mode, words, lead = names.mode, names.words, plan.lead
    if split and not lead:
        named = mode in ("slot", "name")
        purpose = "lead.reference" if named else "lead.plain"
        lead = scene.speaker.say(purpose).format_map(words).strip()
        if named:
            mode, words = "shown", {**words, "it": scene.pronoun()}
    text = _sentence(plan, scene, mode, words, mixed=mixed)
    if lead and not split:
        text, lead = scene.speaker.say("join.lead", lead=lead, text=text), ""
    tags = [*plan.tags, *names.tags, *["noise:split"] * bool(lead)]
    tags += ["noise:code_switch"] * mixed
    return Asked(text, lead, resolved(plan, scene), tuple(tags), _protected(plan, scene))


def _names(plan: Plan, scene: Scene, mode: Mode) -> Names:
    words = {"again": scene.speaker.say("again"), "other": ""}
    if plan.only_slot is not None:
        spelled = scene.language.spelled(plan.only_slot)
        words["it"] = scene.speaker.say("ref.slot", slot=plan.only_slot, spelled=spelled)
    else:
        words["it"] = refer(scene, scene.target, mode)
    if not plan.other:
        return Names(words, mode)
    other: Mode = "name" if mode == "name" else scene.draw.pick(("slot", "slot", "name"))
    words["other"] = refer(scene, plan.other, other)
    return Names(words, mode, other)


def refer(scene: Scene, listing: Listing, mode: Mode) -> str:
    """A viewer's words for `listing`."""
    words = scene.speaker.names(listing)
    if mode == "slot" and scene.draw.chance(CORRECTED):
        wrong = listing.slot % SLOTS + 1
        return scene.speaker.say("ref.corrected", wrong=wrong, **words)
    purpose = "shown" if mode == "none" else mode
    pair = "_pair" if listing.product.category.pair and mode != "slot" else ""
    return scene.speaker.say(f"ref.{purpose}{pair}", **words)


def _sentence(plan: Plan, scene: Scene, mode: Mode, words: dict[str, str], *, mixed: bool) -> str:
    if mixed and plan.asks.mixed:
        return plan.asks.mixed.format_map(words).strip()
    template, purpose = plan.asks.ask, "ask.with"
    if plan.asks.short and scene.draw.chance(BARE_WORDS[mode]):
        template, purpose = plan.asks.short, "short.with"
    text = template.format_map(words)
    if mode in ("slot", "name") and "{it}" not in template:
        text = scene.speaker.say(purpose, text=text).format_map(words)
    return (_switched(text, scene) if mixed else text).strip()


def _switched(text: str, scene: Scene) -> str:
    """`text` with a word of another language in it, or before or after it."""
    pairs = [entry.split("=") for entry in scene.language.phrases["mixed.words"]]
    fitting = [(word, other) for word, other in pairs if word in text]
    if fitting and scene.draw.chance(SWITCHED_WORD):
        word, other = scene.draw.pick(fitting)
        return text.replace(word, other, 1)
    if scene.draw.chance(0.5):
        return scene.speaker.say("mixed.before") + text
    return text + scene.speaker.say("mixed.after")


def resolved(plan: Plan, scene: Scene) -> str:
    """The question made self-contained, with full product names."""
    name = _full_name(scene, scene.target)
    if plan.only_slot is not None:
        name = scene.speaker.slot(plan.only_slot)
    words = {
        "it": name,
        "again": scene.speaker.say("again"),
        "other": _full_name(scene, plan.other) if plan.other else "",
    }
    text = plan.asks.ask.format_map(words)
    if plan.about_goods and "{it}" not in plan.asks.ask:
        text = scene.speaker.say("resolved.named", text=text, name=scene.target.product.name)
    text = scene.language.question(text)
    if plan.lead:
        text = scene.speaker.say("resolved.lead", lead=plan.lead, text=text)
    return scene.language.sentences(text)


def _full_name(scene: Scene, listing: Listing) -> str:
    pair = "_pair" if listing.product.category.pair else ""
    return scene.speaker.say(f"the_name{pair}", name=listing.product.name)


def _protected(plan: Plan, scene: Scene) -> frozenset[str]:
    """Names and colours, word by word: "back" for "black" would be another question."""
    listings = (scene.target, *((plan.other,) if plan.other else ()))
    texts = (*(one.product.name for one in listings), *scene.room.category.colors)
    return frozenset(word for text in texts for word in text.lower().split())
