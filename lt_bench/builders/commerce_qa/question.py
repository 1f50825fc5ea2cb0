"""How one viewer types a planned question: what she calls the product, and in how many messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lt_bench.builders.commerce_qa.plan import Plan, Scene
from lt_bench.builders.commerce_qa.room import Listing

Mode = Literal["shown", "previous", "slot", "name", "none"]
"""How the product is called: by what is on show (or was, just before), by its slot number, by
its name, or not at all."""

BARE_WORDS = {"shown": 0.75, "previous": 0.0, "slot": 0.6, "name": 0.45, "none": 0.0}
"""How often bare words stand in place of a sentence."""


@dataclass(frozen=True)
class Asked:
    """What was typed: `lead` in an earlier message (or ""), then `text`; no noise yet.

    `resolved` is the question as it would stand alone, `protected` words that must stay legible.
    """

    text: str
    lead: str
    resolved: str
    tags: tuple[str, ...]
    protected: tuple[str, ...]


def ask(plan: Plan, scene: Scene, mode: Mode, *, split: bool, mixed: bool) -> Asked:
    """The wording of `plan`; `split` over two messages, `mixed` with another language."""
    mode = "slot" if plan.only_slot is not None else mode
    names = _names(plan, scene, mode)
    tags = [*plan.tags, *_mode_tags(mode, names)]
    lead = plan.lead
    if split and not lead:
        purpose = "lead.reference" if mode in ("slot", "name") else "lead.plain"
        lead = scene.speaker.say(purpose).format_map(names)
        if mode in ("slot", "name"):
            names = {**names, "it": scene.pronoun()}
            mode = "shown"
    text = _sentence(plan, scene, mode, names, mixed=mixed)
    if lead and not split:
        text, lead = f"{lead}, {text}", ""
    if lead:
        tags.append("noise:split")
    if mixed:
        tags.append("noise:code_switch")
    return Asked(text, lead, resolved(plan, scene), tuple(tags), _protected(plan, scene))


def _names(plan: Plan, scene: Scene, mode: Mode) -> dict[str, str]:
    """What {it}, {other} and {again} stand for."""
    names = {"again": scene.pronoun(), "other": ""}
    if plan.only_slot is not None:
        names["it"] = scene.speaker.say("ref.slot", slot=plan.only_slot)
    else:
        names["it"] = refer(scene, scene.target, mode)
    if plan.other:
        names["other"] = refer(
            scene,
            plan.other,
            "name" if mode == "name" else scene.draw.pick(("slot", "slot", "name")),
        )
    return names


def refer(scene: Scene, listing: Listing, mode: Mode) -> str:
    """A viewer's words for `listing`."""
    pair = listing.product.category.pair
    if mode == "slot" and scene.draw.chance(0.06):
        wrong = listing.slot % 60 + 1
        return scene.speaker.say("ref.corrected", slot=listing.slot, wrong=wrong)
    if mode in ("shown", "none"):
        return scene.speaker.say("ref.shown_pair" if pair else "ref.shown")
    product = listing.product
    words = {
        "slot": listing.slot,
        "brand": product.brand,
        "short": product.short,
        "noun": product.category.noun,
    }
    return scene.speaker.say(f"ref.{mode}", **words)


def _mode_tags(mode: Mode, names: dict[str, str]) -> list[str]:
    tags = {
        "shown": ["noise:ellipsis"],
        "previous": ["noise:ellipsis"],
        "slot": ["noise:slot_number"],
    }.get(mode, [])
    if mode != "slot" and names["other"][-1:].isdigit():
        tags = [*tags, "noise:slot_number"]
    return tags


def _sentence(plan: Plan, scene: Scene, mode: Mode, names: dict[str, str], *, mixed: bool) -> str:
    if mixed and plan.asks.mixed:
        return plan.asks.mixed.format_map(names)
    text = plan.asks.ask.format_map(names)
    if plan.asks.short and scene.draw.chance(BARE_WORDS[mode]):
        text = plan.asks.short
        if mode in ("slot", "name"):
            text = scene.speaker.say("short.with", **names, short=text)
    elif mode in ("slot", "name") and "{it}" not in plan.asks.ask:
        text = scene.speaker.say("ask.with", **names, ask=text)
    if mixed:
        before = scene.draw.chance(0.5)
        text = (
            scene.speaker.say("mixed.before") + text
            if before
            else text + scene.speaker.say("mixed.after")
        )
    return text


def resolved(plan: Plan, scene: Scene) -> str:
    """The question made self-contained, with full product names."""
    name = _full_name(scene, scene.target)
    if plan.only_slot is not None:
        name = scene.speaker.slot(plan.only_slot)
    words = {
        "it": name,
        "again": scene.pronoun(),
        "other": _full_name(scene, plan.other) if plan.other else "",
    }
    text = plan.asks.ask.format_map(words)
    if plan.about_goods and "{it}" not in plan.asks.ask:
        text = f"{text} ({scene.target.product.name})"
    lead = f"{_capital(plan.lead)}. " if plan.lead else ""
    return f"{lead}{finish(text)}"


def _full_name(scene: Scene, listing: Listing) -> str:
    return scene.speaker.say("the_short", short=listing.product.name)


def finish(text: str) -> str:
    """`text` as one would write it with care: a capital first, a question mark last."""
    return _capital(text) + ("" if text[-1:] in ".!?" else "?")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _protected(plan: Plan, scene: Scene) -> tuple[str, ...]:
    listings = (scene.target, *((plan.other,) if plan.other else ()))
    return tuple(word for one in listings for word in one.product.name.lower().split())
