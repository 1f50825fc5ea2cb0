"""The shop's papers beside the product sheets: FAQ, reviews, shipping and returns."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.room import Listing, Room
from lt_bench.records import Document


def faq_document(room: Room, number: int) -> Document:
    """The FAQ entry `number` of the room's category."""
    faq, language = room.category.faqs[number], room.language
    ask = language.question(faq.asks[0])
    return Document(
        id=f"faq-{number + 1}",
        kind="faq",
        title=language.phrase("document.faq").format(plural=room.category.plural),
        text=language.phrase("document.faq_text").format(ask=ask, answer=faq.answer),
    )


def review_document(room: Room, listing: Listing, draw: Draw) -> Document:
    """What one buyer wrote of `listing`; an opinion, never a figure of the sheet."""
    language = room.language
    words = {"stars": draw.between(4, 5), "text": draw.pick(room.category.reviews)}
    return Document(
        id=f"review-{listing.slot}",
        kind="review",
        title=language.phrase("document.review").format(short=listing.product.short),
        text=language.phrase("document.review_text").format(**words),
    )


def policy_document(room: Room) -> Document:
    """Shipping and returns of the shop, in agreement with every offer of the room."""
    language, market = room.language, room.market
    text = language.phrase("document.policy_text").format(
        low=market.days[0],
        high=market.days[1],
        places=language.phrase("and.places").join(market.places),
        days=market.return_days,
        postage=language.phrase(f"postage.{market.return_fees}"),
    )
    return Document(id="policy", kind="policy", title=language.phrase("document.policy"), text=text)
