"""A plan: what one viewer wants to know, and everything a good reply needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.language import Language
from lt_bench.builders.commerce_qa.room import Listing, Room
from lt_bench.builders.commerce_qa.statement import Speaker, Statement
from lt_bench.records import Document, Fact


@dataclass(frozen=True)
class Wordings:
    """One question as a sentence, as bare words, and in mixed languages ("" where there is
    none). All are templates, with {it} and {other} for the goods."""

    ask: str
    short: str = ""
    mixed: str = ""


@dataclass(frozen=True)
class Scene:
    """The moment of a question: what it is about, and the other goods that were retrieved."""

    room: Room
    draw: Draw
    target: Listing
    others: tuple[Listing, ...]

    @property
    def language(self) -> Language:
        return self.room.language

    @property
    def speaker(self) -> Speaker:
        return Speaker(self.language, self.draw)

    @property
    def retrieved(self) -> tuple[Listing, ...]:
        return (self.target, *self.others)

    def pronoun(self) -> str:
        """ "it", or "this pair" for shoes and the like."""
        return self.speaker.say("it_pair" if self.room.category.pair else "it")

    def wordings(self, purpose: str, **words: object) -> Wordings:
        """What a viewer may type for `purpose`, e.g. "price"."""
        phrases, found = self.language.phrases, {}
        for form in ("ask", "short", "mixed"):
            known = f"{form}.{purpose}" in phrases
            found[form] = self.speaker.say(f"{form}.{purpose}", **words) if known else ""
        return Wordings(**found)


@dataclass(frozen=True)
class Plan:
    """One question and its gold.

    `asks` are wordings of the question, `lead` what the viewer tells of herself before it.
    `answer` is the part of the reference reply that answers, as whole sentences; `extras` are
    further facts that would help her. `about_goods` is False where the question points at no
    product, `only_slot` a number that nothing stands in. `papers` must be among the evidence;
    `hide_faq`: no FAQ entry may be, since it might hold the answer.
    """

    intent: str
    asks: Wordings
    answer: str
    lead: str = ""
    other: Listing | None = None
    answerability: Literal["full", "partial", "none"] = "full"
    required: tuple[Fact, ...] = ()
    extras: tuple[Statement, ...] = ()
    forbidden: tuple[Fact, ...] = ()
    about_goods: bool = True
    only_slot: int | None = None
    tags: tuple[str, ...] = ()
    papers: tuple[Document, ...] = ()
    hide_faq: bool = False

    def with_tags(self, *tags: str) -> Plan:
        return replace(self, tags=(*self.tags, *tags))


def extras(
    scene: Scene,
    listing: Listing,
    asked: tuple[Fact, ...],
    topic: str = "",
    near_paths: tuple[str, ...] = (),
) -> tuple[Statement, ...]:
    """What else is documented about `listing`, the same topic first; nothing that was asked, and
    nothing at `near_paths`, which the answer all but says."""
    taken = {(found.document, found.path) for found in asked}
    taken |= {(listing.id, path) for path in near_paths}
    fresh = [a for a in listing.product.listed if (listing.id, a.path) not in taken]
    near = [a for a in fresh if a.topic == topic][:3]
    far = scene.draw.sample([a for a in fresh if a not in near], 3)
    said = [
        *(scene.speaker.attribute(listing, attribute) for attribute in near),
        *_service(scene, listing),
        *(scene.speaker.attribute(listing, attribute) for attribute in far),
    ]
    return tuple(s for s in said if not any((f.document, f.path) in taken for f in s.facts))


def _service(scene: Scene, listing: Listing) -> list[Statement]:
    """What can be said of every offer, in random order."""
    speaker = scene.speaker
    said = (
        speaker.coupon_price(listing),
        speaker.price(listing),
        speaker.stock(listing),
        speaker.bundle(listing, "gift"),
        speaker.shipping_time(listing),
        speaker.shipping_cost(listing),
        speaker.return_days(listing),
        speaker.rating(listing),
    )
    return scene.draw.shuffled([statement for statement in said if statement])
