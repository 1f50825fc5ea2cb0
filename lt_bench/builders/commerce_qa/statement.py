"""A statement: a gold fact together with the words that say it.

Every value is read at its path from the document that a model gets to see, so that gold and
evidence cannot differ.
"""

from __future__ import annotations

from dataclasses import dataclass

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.language import Language
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.schema import Attribute, Faq, Size, Value
from lt_bench.claims.paths import value_at
from lt_bench.records import Document, Fact

COUPON = "offers.priceSpecification[0]"
SHIPPING = "offers.shippingDetails"
RETURNS = "offers.hasMerchantReturnPolicy"


@dataclass(frozen=True)
class Statement:
    """`clause` says all `facts`; {it} stands for the product."""

    facts: tuple[Fact, ...]
    clause: str


def fact(
    document: Document, path: str, unit: str | None = None, accept: tuple[str, ...] = ()
) -> Fact:
    """The fact at `path`."""
    value = value_at(document, path)
    assert isinstance(value, (str, int, float, bool)), (document.id, path)
    return Fact(document=document.id, path=path, value=value, unit=unit or None, accept=accept)


@dataclass(frozen=True)
class Speaker:
    """Says facts in one language; which of several wordings is a draw."""

    language: Language
    draw: Draw

    def say(self, purpose: str, **words: object) -> str:
        """One wording for `purpose`, its placeholders filled ({it} and {other} stay)."""
        words = {"it": "{it}", "other": "{other}"} | words
        return self.draw.pick(self.language.phrases[purpose]).format(**words)

    def attribute(self, listing: Listing, attribute: Attribute) -> Statement:
        value = listing.product.values[attribute.name]
        accept = attribute.accept.get(value, ())
        if attribute.kind == "number":
            accept = (self.language.quantity(value, attribute.unit),)
        found = fact(listing.document, attribute.path, attribute.unit, accept)
        return Statement((found,), self.attribute_clause(attribute, value))

    def attribute_clause(self, attribute: Attribute, value: Value) -> str:
        """What one would say if the value were `value`."""
        template = attribute.says_no if value is False else attribute.says
        return template.format(it="{it}", v=self.language.quantity(value, attribute.unit))

    def thing(self, attribute: Attribute) -> str:
        """The attribute as a noun: "battery life"."""
        names = self.language.phrases.get(f"thing.{attribute.name}")
        return names[0] if names else attribute.name.replace("_", " ")

    def slot(self, number: int) -> str:
        """A slot as the host says it: "no. 9"."""
        return self.language.phrases["accept.slot"][0].format(slot=number)

    def price(self, listing: Listing) -> Statement:
        found = self._money(listing, "offers.price")
        return Statement((found,), self.say("say.price", money=self._spoken(found)))

    def coupon(self, listing: Listing) -> Statement | None:
        if not listing.product.has_coupon:
            return None
        found = fact(listing.document, f"{COUPON}.name")
        return Statement((found,), self.say("say.coupon", code=found.value))

    def coupon_price(self, listing: Listing) -> Statement | None:
        if not listing.product.has_coupon:
            return None
        found = self._money(listing, f"{COUPON}.price")
        code = fact(listing.document, f"{COUPON}.name")
        clause = self.say("say.coupon_price", code=code.value, money=self._spoken(found))
        return Statement((found, code), clause)

    def coupon_percent(self, listing: Listing) -> Statement | None:
        if not listing.product.has_coupon:
            return None
        found = fact(listing.document, f"{COUPON}.discount", "%")
        code = fact(listing.document, f"{COUPON}.name")
        return Statement(
            (found, code), self.say("say.coupon_percent", code=code.value, percent=found.value)
        )

    def coupon_until(self, listing: Listing) -> Statement | None:
        if not listing.product.has_coupon:
            return None
        found = fact(listing.document, f"{COUPON}.validThrough")
        day = self.language.day(str(found.value))
        found = found.model_copy(update={"accept": (day,)})
        return Statement((found,), self.say("say.coupon_until", day=day))

    def stock(self, listing: Listing) -> Statement:
        availability = listing.product.data["offers"]["availability"]
        accept = tuple(c.replace("{it} ", "") for c in self.language.phrases[f"say.{availability}"])
        found = fact(listing.document, "offers.availability", accept=accept)
        return Statement((found,), self.say(f"say.{availability}"))

    def left(self, listing: Listing) -> Statement | None:
        found = fact(listing.document, "offers.inventoryLevel.value")
        if not found.value:
            return None
        return Statement(
            (found,), self.say("say.left_one" if found.value == 1 else "say.left", n=found.value)
        )

    def variant(self, listing: Listing, number: int) -> Statement:
        data = listing.product.data["hasVariant"][number]
        availability = data["offers"]["availability"]
        variant = " ".join(filter(None, (data["color"], data.get("size"))))
        words = "OutOfStock" if availability == "OutOfStock" else "InStock"
        purpose = "say.PreOrder" if availability == "PreOrder" else f"say.variant.{words}"
        said = (*self.language.phrases[purpose], *self.language.phrases[f"say.{availability}"])
        accept = tuple(c.replace("{it} ", "").format(variant=variant) for c in said)
        found = fact(listing.document, f"hasVariant[{number}].offers.availability", accept=accept)
        return Statement((found,), self.say(purpose, variant=variant))

    def shipping_time(self, listing: Listing) -> Statement:
        low = fact(listing.document, f"{SHIPPING}.deliveryTime.minValue", "days")
        high = fact(listing.document, f"{SHIPPING}.deliveryTime.maxValue", "days")
        return Statement((high, low), self.say("say.shipping_time", low=low.value, high=high.value))

    def shipping_cost(self, listing: Listing) -> Statement:
        found = self._money(listing, f"{SHIPPING}.shippingRate.value")
        if found.value:
            return Statement((found,), self.say("say.shipping_paid", money=self._spoken(found)))
        free = found.model_copy(
            update={"accept": tuple(self.language.phrases["accept.free_shipping"])}
        )
        return Statement((free,), self.say("say.shipping_free"))

    def ship_to(self, listing: Listing, index: int) -> Statement:
        found = fact(listing.document, f"{SHIPPING}.shippingDestination[{index}]")
        return Statement((found,), self.say("say.ship_to", place=found.value))

    def ship_only(self, listing: Listing) -> Statement:
        places = listing.product.data["offers"]["shippingDetails"]["shippingDestination"]
        facts = tuple(
            fact(listing.document, f"{SHIPPING}.shippingDestination[{i}]")
            for i in range(len(places))
        )
        return Statement(
            facts, self.say("say.ship_only", places=self.language.phrases["and"][0].join(places))
        )

    def return_days(self, listing: Listing) -> Statement:
        found = fact(listing.document, f"{RETURNS}.merchantReturnDays", "days")
        return Statement((found,), self.say("say.return_days", n=found.value))

    def return_cost(self, listing: Listing) -> Statement:
        fees = listing.product.data["offers"]["hasMerchantReturnPolicy"]["returnFees"]
        found = fact(
            listing.document,
            f"{RETURNS}.returnFees",
            accept=self.language.phrases[f"accept.{fees}"],
        )
        return Statement((found,), self.say(f"say.{fees}"))

    def bundle(self, listing: Listing, name: str) -> Statement | None:
        """The two-pack (`name` "pack") or the free gift ("gift")."""
        if name not in [extra["name"] for extra in listing.product.data["offers"].get("addOn", ())]:
            return None
        if name == "gift":
            found = fact(listing.document, "offers.addOn[name=gift].itemOffered")
            return Statement((found,), self.say("say.gift", gift=found.value))
        found = self._money(listing, "offers.addOn[name=pack].price")
        return Statement((found,), self.say("say.pack", money=self._spoken(found)))

    def rating(self, listing: Listing) -> Statement:
        found = fact(listing.document, "aggregateRating.ratingValue")
        return Statement((found,), self.say("say.rating", rating=found.value))

    def size(self, listing: Listing, size: Size) -> Statement:
        found = fact(listing.document, f"size[name={size.name}].name", accept=size.accept)
        return Statement((found,), self.say("say.size", size=size.name))

    def name(self, listing: Listing) -> Fact:
        """The product as such; its slot or short name will do."""
        slots = tuple(ref.format(slot=listing.slot) for ref in self.language.phrases["accept.slot"])
        return fact(
            listing.document, "name", accept=(listing.product.short, listing.product.brand, *slots)
        )

    def faq(self, document: Document, faq: Faq) -> Statement:
        """The part of a FAQ answer that counts; the fact is a wording within the text."""
        found = Fact(document=document.id, path="text", value=faq.key, accept=faq.accept)
        return Statement((found,), faq.answer.rstrip("."))

    def _money(self, listing: Listing, path: str) -> Fact:
        found = fact(listing.document, path, listing.product.data["offers"]["priceCurrency"])
        return found.model_copy(update={"accept": (self._spoken(found),)})

    def _spoken(self, found: Fact) -> str:
        return self.language.money(float(found.value), found.unit or "")
