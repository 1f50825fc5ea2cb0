"""How one viewer types a planned question: what she calls the product, and in how many messages."""

from __future__ import annotations

from dataclasses import dataclass, replace
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

    `resolved` is the question as it would stand alone, `protected` words that must stay legible,
    `tail` what follows its last mark; `courteous`: a word of courtesy is in it already.
    """

    text: str
    lead: str
    resolved: str
    tags: tuple[str, ...]
    protected: frozenset[str]
    tail: str = ""
    courteous: bool = False


@dataclass(frozen=True)
class Typed:
    """A text, the template of its complete form, and what stands before and behind it."""

    text: str
    full: str
    head: str = ""
    tail: str = ""


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
        if named and not plan.other:
            mode, words = "shown", {**words, "it": scene.pronoun()}
    typed = _sentence(plan, scene, mode, words, mixed=mixed)
    text = typed.text
    if lead and not split:
        text, lead = scene.speaker.say("join.lead", lead=lead, text=text), ""
    text = typed.head + text
    tags = [*plan.tags, *names.tags, *["noise:split"] * bool(lead)]
    tags += ["noise:code_switch"] * mixed
    return Asked(
        text,
        lead,
        resolved(plan, scene, typed.full),
        tuple(tags),
        _protected(plan, scene),
        tail=typed.tail,
        courteous=bool(typed.head or typed.tail),
    )


def _names(plan: Plan, scene: Scene, mode: Mode) -> Names:
    words = {"again": scene.speaker.say("again"), "other": ""}
    if plan.only_slot is not None:
        spelled = scene.language.spelled(plan.only_slot)
        words["it"] = scene.speaker.say("ref.slot", slot=plan.only_slot, spelled=spelled)
    else:
        words["it"] = refer(scene, scene.target, mode)
    if not plan.other:
        return Names(words, mode)
    other: Mode = "name" if mode == "name" else "slot"
    form = scene.draw.pick(scene.language.phrases[f"ref.{other}.both"])
    words["other"] = form.format_map(scene.speaker.names(plan.other))
    if mode in ("shown", "none"):
        # Beside another product a bare "it" would be odd.
        words["it"] = scene.speaker.say("ref.shown.both")
    if mode == other:
        # Both in one way: nobody types "no. 5 or item six".
        words["it"] = form.format_map(scene.speaker.names(scene.target))
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


def _sentence(plan: Plan, scene: Scene, mode: Mode, words: dict[str, str], *, mixed: bool) -> Typed:
    asks, named = plan.asks, mode in ("slot", "name")
    if mixed and asks.mixed:
        return Typed(asks.mixed.format_map(words).strip(), asks.mixed_full)
    template, full, purpose = asks.ask, asks.full or asks.ask, "ask.with"
    if asks.short and scene.draw.chance(BARE_WORDS[mode]):
        template = asks.named if named and asks.named else asks.short
        full, purpose = asks.short_full or full, "short.with"
    text = template.format_map(words)
    if named and "{it}" not in template:
        text = scene.speaker.say(purpose, text=text).format_map(words)
    typed = Typed(text.strip(), full)
    return _switched(typed, scene) if mixed else typed


def _switched(typed: Typed, scene: Scene) -> Typed:
    """With a word of another language in it, or before it or behind its last mark."""
    pairs = [entry.split("=") for entry in scene.language.phrases["mixed.words"]]
    fitting = [(word, other) for word, other in pairs if word in typed.text]
    if fitting and scene.draw.chance(SWITCHED_WORD):
        word, other = scene.draw.pick(fitting)
        return replace(typed, text=typed.text.replace(word, other, 1))
    if scene.draw.chance(0.5):
        return replace(typed, head=scene.speaker.say("mixed.before"))
    return replace(typed, tail=scene.speaker.say("mixed.after"))


def resolved(plan: Plan, scene: Scene, full: str) -> str:
    """The question made self-contained, with full product names; `full` is its template."""
    name = _full_name(scene, scene.target)
    if plan.only_slot is not None:
        name = scene.speaker.slot(plan.only_slot)
    words = {
        "it": name,
        "again": scene.speaker.say("again"),
        "other": _full_name(scene, plan.other) if plan.other else "",
    }
    text = full.format_map(words)
    if plan.about_goods and "{it}" not in full:
        text = scene.speaker.say("resolved.named", text=text, name=name)
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
