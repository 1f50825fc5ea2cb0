"""A live room: a host, viewers, goods in numbered slots, and the shop's papers."""

from __future__ import annotations

from dataclasses import dataclass

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.language import Language
from lt_bench.builders.commerce_qa.product import Market, Product, make_product
from lt_bench.builders.commerce_qa.schema import Category
from lt_bench.records import Document

GOODS = 6
SLOTS = 60


@dataclass(frozen=True)
class Listing:
    """A product on sale in this room, under the number that viewers call it by."""

    product: Product
    slot: int
    document: Document

    @property
    def id(self) -> str:
        return self.document.id


@dataclass(frozen=True)
class Room:
    """Goods of one category, so that every other product is a distractor."""

    id: str
    language: Language
    category: Category
    market: Market
    host: str
    viewers: tuple[str, ...]
    listings: tuple[Listing, ...]

    def __contains__(self, slot: int) -> bool:
        return any(listing.slot == slot for listing in self.listings)


def open_room(room_id: str, split: str, language: Language, draw: Draw) -> Room:
    """A room of one category, with goods of different brands."""
    category = draw.pick(language.categories)
    market = _market(language, draw)
    slots = draw.sample(range(1, SLOTS + 1), GOODS)
    products: list[Product] = []
    while len(products) < GOODS:
        product = make_product(category, market, split, language, draw)
        if product.brand not in [other.brand for other in products]:
            products.append(product)
    listings = tuple(_listing(p, slot, language) for p, slot in zip(products, slots, strict=True))
    viewers = tuple(draw.sample(language.phrases["names.viewer"], 9))
    host = draw.pick(language.phrases["names.host"])
    return Room(room_id, language, category, market, host, viewers, listings)


def _listing(product: Product, slot: int, language: Language) -> Listing:
    document = Document(
        id=f"product-{slot}",
        kind="product",
        title=product.name,
        text=language.sheet(product, slot),
        product=product.data,
        slot=slot,
    )
    return Listing(product, slot, document)


def _market(language: Language, draw: Draw) -> Market:
    region = draw.weighted([(region, region.weight) for region in language.regions])
    home, also = draw.pick(region.homes), draw.sample(region.also, draw.between(0, 2))
    low = draw.between(1, 4)
    return Market(
        currency=region.currency,
        places=(*home, *also),
        days=(low, low + draw.between(1, 5)),
        rate=draw.pick((0.0, 0.0, 3.9, 4.5, 5.9, 7.5)),
        return_days=draw.pick((7, 14, 15, 30, 45, 60)),
        return_fees=draw.pick(("FreeReturn", "ReturnFeesCustomerResponsibility")),
    )
