"""A plan: what one viewer wants to know, and everything a good reply needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.language import Language
from lt_bench.builders.commerce_qa.room import Listing, Room
from lt_bench.builders.commerce_qa.statement import Speaker, Statement
from lt_bench.records import Document, Fact

NEAR: Final = 3
SERVICE: Final = 5
FAR: Final = 2
"""How many further facts a plan has: of the topic asked, of the offer, and of other topics."""


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

    @cached_property
    def speaker(self) -> Speaker:
        return Speaker(self.language, self.draw)

    @property
    def retrieved(self) -> tuple[Listing, ...]:
        return (self.target, *self.others)

    @property
    def goods(self) -> dict[str, str]:
        """What a wording may call the goods of the room by."""
        category = self.room.category
        return {"noun": category.noun, "a_noun": category.one, "plural": category.plural}

    def pronoun(self) -> str:
        """ "it", or "this pair" for shoes and the like, in a reply."""
        return self.speaker.say("it_pair" if self.room.category.pair else "it")

    def wordings(self, purpose: str, **words: object) -> Wordings:
        """What a viewer may type for `purpose`, e.g. "price"."""
        phrases, found = self.language.phrases, {}
        for form in ("ask", "short", "mixed"):
            known = f"{form}.{purpose}" in phrases
            found[form] = self.speaker.say(f"{form}.{purpose}", **words) if known else ""
        return Wordings(**found)


@dataclass(frozen=True)
class More:
    """What further facts of `listing` would help: those of `topic` first; nothing that was
    `asked`, and nothing at the paths `near`, which the answer all but says."""

    listing: Listing
    asked: tuple[Fact, ...] = ()
    topic: str = ""
    near: tuple[str, ...] = ()

    def statements(self, scene: Scene) -> tuple[Statement, ...]:
        """Up to ten, the most relevant first."""
        speaker, product = scene.speaker, self.listing.product
        taken = {(found.document, found.path) for found in self.asked}
        taken |= {(self.listing.id, path) for path in self.near}
        fresh = [a for a in product.listed if (self.listing.id, a.path) not in taken]
        near = [a for a in fresh if a.topic == self.topic][:NEAR]
        far = scene.draw.sample([a for a in fresh if a not in near], FAR)
        said = [
            *(speaker.attribute(self.listing, attribute) for attribute in near),
            *_service(scene, self.listing),
            *(speaker.attribute(self.listing, attribute) for attribute in far),
        ]
        return tuple(s for s in said if not any((f.document, f.path) in taken for f in s.facts))


@dataclass(frozen=True)
class Plan:
    """One question and its gold.

    `asks` are wordings of the question, `lead` what the viewer tells of herself before it.
    `answer` is the part of the reference reply that answers, as whole sentences; `extras` are
    further facts that would help her, to which `with_extras` adds those that `more` asks for. `about_goods` is False where the question points at no
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
    more: More | None = None
    forbidden: tuple[Fact, ...] = ()
    about_goods: bool = True
    only_slot: int | None = None
    tags: tuple[str, ...] = ()
    papers: tuple[Document, ...] = ()
    hide_faq: bool = False

    def with_tags(self, *tags: str) -> Plan:
        return replace(self, tags=(*self.tags, *tags))

    def with_extras(self, scene: Scene) -> Plan:
        """The plan of a question that is asked indeed: most plans are dropped before."""
        more = self.more.statements(scene) if self.more else ()
        return replace(self, extras=(*self.extras, *more), more=None)


_SERVICE: Final[tuple[Callable[[Speaker, Listing], Statement | None], ...]] = (
    Speaker.coupon_price,
    Speaker.price,
    Speaker.stock,
    lambda speaker, listing: speaker.bundle(listing, "gift"),
    Speaker.shipping_time,
    Speaker.shipping_cost,
    Speaker.return_days,
    Speaker.rating,
)
"""What can be said of every offer, or of most."""


def _service(scene: Scene, listing: Listing) -> list[Statement]:
    said = (say(scene.speaker, listing) for say in scene.draw.sample(_SERVICE, SERVICE))
    return [statement for statement in said if statement]
