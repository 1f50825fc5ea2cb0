"""A plan: what one viewer wants to know, and everything a good reply needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.language import Language
from lt_bench.builders.commerce_qa.room import Listing, Room
from lt_bench.builders.commerce_qa.schema import Attribute
from lt_bench.builders.commerce_qa.statement import Speaker, Statement
from lt_bench.records import Document, Fact

NEAR: Final = 3
SERVICE: Final = 5
FAR: Final = 2
"""How many further facts a plan has: of the topic asked, of the offer, and of other topics."""


@dataclass(frozen=True)
class Wordings:
    """One question as a sentence, as bare words, and in mixed languages ("" where there is
    none). All are templates, with {it} and {other} for the goods.

    `named` are the bare words with the product in their midst; `full`, `short_full` and
    `mixed_full` are the same questions made complete. `purpose` is the kind of question, if any.
    """

    ask: str
    short: str = ""
    mixed: str = ""
    named: str = ""
    full: str = ""
    short_full: str = ""
    mixed_full: str = ""
    purpose: str = ""


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

    @property
    def sold_out(self) -> bool:
        return self.target.product.sold_out

    def pronoun(self) -> str:
        """ "it", or "this pair" for shoes and the like, in a reply."""
        return self.speaker.say("it_pair" if self.room.category.pair else "it")

    def wordings(self, purpose: str, **words: object) -> Wordings:
        """What a viewer may type for `purpose`, e.g. "price"."""
        phrases = self.language.phrases
        said = {
            form: self.speaker.say(f"{form}.{purpose}", **words).split("|")
            for form in ("ask", "short", "mixed")
            if f"{form}.{purpose}" in phrases
        }
        plain = phrases[f"ask.{purpose}"][0].split("|")[-1]
        plain = plain.format(**{"it": "{it}", "other": "{other}", **words})
        ask, short, mixed = (said.get(form, [""]) for form in ("ask", "short", "mixed"))
        return Wordings(
            ask=ask[0],
            full=ask[-1],
            short=short[0],
            named=short[1] if len(short) > 1 else "",
            short_full=self._complete(short, plain),
            mixed=mixed[0],
            mixed_full=mixed[1] if len(mixed) > 1 else plain,
            purpose=purpose,
        )

    def asking(self, attribute: Attribute) -> Wordings:
        """What a viewer may type for a property."""
        ask, short = self.draw.pick(attribute.asks), self.draw.pick(attribute.shorts).split("|")
        whole = self._complete(short, attribute.asks[0])
        return Wordings(ask, short[0], full=ask, short_full=whole)

    def _complete(self, short: list[str], plain: str) -> str:
        """Bare words as a sentence: their own last form, or what the language makes of them."""
        return short[-1] if len(short) > 1 else self.language.complete(short[0], plain)


@dataclass(frozen=True)
class More:
    """What further facts of `listing` would help: those of `topic` first; nothing that was
    `asked`, and nothing at the paths `near`, which the answer all but says."""

    listing: Listing
    asked: tuple[Fact, ...] = ()
    topic: str = ""
    near: tuple[str, ...] = ()

    def statements(self, scene: Scene) -> tuple[Statement, ...]:
        """Up to ten, the most relevant first; that it is sold out comes before all else."""
        speaker, product = scene.speaker, self.listing.product
        taken = {(found.document, found.path) for found in self.asked}
        taken |= {(self.listing.id, path) for path in self.near}
        fresh = [a for a in product.listed if (self.listing.id, a.path) not in taken]
        near = [a for a in fresh if a.topic == self.topic][:NEAR]
        far = scene.draw.sample([a for a in fresh if a not in near], FAR)
        bad = [a for a in (*near, *far) if product.values[a.name] is False]
        said = [
            *([speaker.stock(self.listing)] if product.sold_out else []),
            *(speaker.attribute(self.listing, a) for a in near if a not in bad),
            *_service(scene, self.listing),
            *(speaker.attribute(self.listing, a) for a in far if a not in bad),
            *(speaker.attribute(self.listing, a) for a in bad),
        ]
        return tuple(_each_once(said, taken))


def _each_once(said: list[Statement], taken: set[tuple[str, str]]) -> Iterator[Statement]:
    """The statements of which nothing is `taken` yet, nor said by one before."""
    for statement in said:
        keys = {(found.document, found.path) for found in statement.facts}
        if not keys & taken:
            taken |= keys
            yield statement


@dataclass(frozen=True)
class Plan:
    """One question and its gold.

    `asks` are wordings of the question, `lead` what the viewer tells of herself before it.
    `answer` is the part of the reference reply that answers, as whole sentences; `extras` are
    further facts that would help her, to which `with_extras` adds those that `more` asks for. `about_goods` is False where the question points at no
    product, `only_slot` a number that nothing stands in. `papers` must be among the evidence;
    `hide_faq`: no FAQ entry may be, since it might hold the answer. `of_all`: what is said holds
    for every product on the table. `others` are the other goods on the
    table where the question needs certain ones. `nearest`: how many of the extras a good
    reply chooses from; 0 leaves that open.
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
    of_all: bool = False
    others: tuple[Listing, ...] = ()
    nearest: int = 0

    @property
    def about_one(self) -> bool:
        """Whether the answer is about a product that is there."""
        return self.only_slot is None and self.intent != "off_topic"

    @property
    def bad_news(self) -> bool:
        """Whether the answer is that it has not, or is not there."""
        last = self.required[-1].value if self.required else None
        return last is False or last == "OutOfStock"

    def with_tags(self, *tags: str) -> Plan:
        return replace(self, tags=(*self.tags, *tags))

    def with_extras(self, scene: Scene) -> Plan:
        """The plan of a question that is asked indeed: most plans are dropped before."""
        more = self.more.statements(scene) if self.more else ()
        said = [s for s in (*self.extras[:1], *more[:1]) if s.sold_out]
        said += [s for s in (*self.extras, *more) if s not in said]
        return replace(self, extras=tuple(said), more=None)


Say = Callable[[Speaker, Listing], Statement | None]

_SERVICE: Final[tuple[Say, ...]] = (
    Speaker.coupon_price,
    Speaker.price,
    Speaker.stock,
    lambda speaker, listing: speaker.bundle(listing, "gift"),
    Speaker.free_shipping,
    Speaker.return_days,
    Speaker.rating,
)
"""What is good to hear of every offer, or of most."""
_OF_SOLD_OUT: Final[tuple[Say, ...]] = (Speaker.price, Speaker.rating)


def _service(scene: Scene, listing: Listing) -> list[Statement]:
    sayings = _OF_SOLD_OUT if listing.product.sold_out else scene.draw.sample(_SERVICE, SERVICE)
    said = (say(scene.speaker, listing) for say in sayings)
    return [statement for statement in said if statement]
