"""The shop's papers beside the product sheets: FAQ, reviews, shipping and returns."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.room import Listing, Room
from lt_bench.records import Document


def faq_document(room: Room, number: int) -> Document:
    """The FAQ entry `number` of the room's category."""
    faq, phrases = room.category.faqs[number], room.language.phrases
    ask = faq.asks[0][0].upper() + faq.asks[0][1:]
    return Document(
        id=f"faq-{number + 1}",
        kind="faq",
        title=phrases["document.faq"][0].format(plural=room.category.plural),
        text=phrases["document.faq_text"][0].format(ask=ask, answer=faq.answer),
    )


def review_document(room: Room, listing: Listing, draw: Draw) -> Document:
    """What one buyer wrote of `listing`; an opinion, never a figure of the sheet."""
    phrases = room.language.phrases
    words = {"stars": draw.between(4, 5), "text": draw.pick(room.category.reviews)}
    return Document(
        id=f"review-{listing.slot}",
        kind="review",
        title=phrases["document.review"][0].format(short=listing.product.short),
        text=phrases["document.review_text"][0].format(**words),
    )


def policy_document(room: Room) -> Document:
    """Shipping and returns of the shop, in agreement with every offer of the room."""
    phrases, market = room.language.phrases, room.market
    text = phrases["document.policy_text"][0].format(
        low=market.days[0],
        high=market.days[1],
        places=phrases["and"][0].join(market.places),
        days=market.return_days,
        postage=phrases[f"postage.{market.return_fees}"][0],
    )
    return Document(id="policy", kind="policy", title=phrases["document.policy"][0], text=text)
