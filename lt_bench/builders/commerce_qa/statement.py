"""A statement: a gold fact together with the words that say it.

Every value is read at its path from the document that a model gets to see, so that gold and
evidence cannot differ.
"""

from __future__ import annotations

from dataclasses import dataclass

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.language import Language
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.schema import Attribute, Faq, Size, Value, bare
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

    @property
    def sold_out(self) -> bool:
        """Whether it says that a product is gone, or the variant that one needs."""
        return self.facts[0].value == "OutOfStock"


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
        wording = self.draw.pick(self.language.phrases[purpose])
        return wording.format(**{"it": "{it}", "other": "{other}", **words})

    def names(self, listing: Listing) -> dict[str, object]:
        """What a wording may call a product by."""
        product = listing.product
        return {
            "slot": listing.slot,
            "spelled": self.language.spelled(listing.slot),
            "brand": product.brand,
            "form": product.form,
            "short": product.short,
            "noun": product.category.noun,
        }

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
        return self.language.phrase("accept.slot").format(slot=number)

    def price(self, listing: Listing) -> Statement:
        found, money = self._money(listing, "offers.price")
        return Statement((found,), self.say("say.price", money=money))

    def coupon(self, listing: Listing) -> Statement | None:
        if not listing.product.has_coupon:
            return None
        found = fact(listing.document, f"{COUPON}.name")
        return Statement((found,), self.say("say.coupon", code=found.value))

    def coupon_price(self, listing: Listing) -> Statement | None:
        if not listing.product.has_coupon:
            return None
        found, money = self._money(listing, f"{COUPON}.price")
        code = fact(listing.document, f"{COUPON}.name")
        clause = self.say("say.coupon_price", code=code.value, money=money)
        return Statement((found, code), clause)

    def with_coupon(self, listing: Listing) -> Statement | None:
        """The price with the coupon, whose code need not be named."""
        if not listing.product.has_coupon:
            return None
        found, money = self._money(listing, f"{COUPON}.price")
        return Statement((found,), self.say("say.with_coupon", money=money))

    def coupon_percent(self, listing: Listing) -> Statement | None:
        if not listing.product.has_coupon:
            return None
        path = f"{COUPON}.discount"
        off = self.language.discount(value_at(listing.document, path))
        found = fact(listing.document, path, "%", (off,))
        code = fact(listing.document, f"{COUPON}.name")
        return Statement((found, code), self.say("say.coupon_percent", code=code.value, off=off))

    def coupon_until(self, listing: Listing) -> Statement | None:
        if not listing.product.has_coupon:
            return None
        path = f"{COUPON}.validThrough"
        day = self.language.day(value_at(listing.document, path))
        found = fact(listing.document, path, accept=(day,))
        return Statement((found,), self.say("say.coupon_until", day=day))

    def stock(self, listing: Listing) -> Statement:
        availability = listing.product.data["offers"]["availability"]
        accept = tuple(bare(said) for said in self.language.phrases[f"say.{availability}"])
        found = fact(listing.document, "offers.availability", accept=accept)
        return Statement((found,), self.say(f"say.{availability}"))

    def left(self, listing: Listing) -> Statement | None:
        found = fact(listing.document, "offers.inventoryLevel.value")
        if not found.value:
            return None
        purpose = "say.left_one" if found.value == 1 else "say.left"
        return Statement((found,), self.say(purpose, n=found.value))

    def few_left(self, listing: Listing) -> Statement | None:
        """How many are left, where that is few enough to be news."""
        few = listing.product.data["offers"]["availability"] == "LimitedAvailability"
        return self.left(listing) if few else None

    def variant(self, listing: Listing, number: int) -> Statement:
        data = listing.product.data["hasVariant"][number]
        availability = data["offers"]["availability"]
        variant = self.language.variant(data["color"], data.get("size", ""))
        words = "OutOfStock" if availability == "OutOfStock" else "InStock"
        purpose = f"say.variant.{'PreOrder' if availability == 'PreOrder' else words}"
        said = (*self.language.phrases[purpose], *self.language.phrases[f"say.{availability}"])
        accept = tuple(bare(clause.replace("{variant}", variant)) for clause in said)
        found = fact(listing.document, f"hasVariant[{number}].offers.availability", accept=accept)
        return Statement((found,), self.say(purpose, variant=variant))

    def shipping_time(self, listing: Listing) -> Statement:
        days = self.language.phrase("unit.days")
        low = fact(listing.document, f"{SHIPPING}.deliveryTime.minValue", days)
        high = fact(listing.document, f"{SHIPPING}.deliveryTime.maxValue", days)
        clause = self.say("say.shipping_time", low=low.value, high=high.value)
        return Statement((high, low), clause)

    def shipping_cost(self, listing: Listing) -> Statement:
        path = f"{SHIPPING}.shippingRate.value"
        if listing.product.data["offers"]["shippingDetails"]["shippingRate"]["value"]:
            found, money = self._money(listing, path)
            return Statement((found,), self.say("say.shipping_paid", money=money))
        currency = listing.product.data["offers"]["priceCurrency"]
        accept = self.language.phrases["accept.free_shipping"]
        free = fact(listing.document, path, currency, accept)
        return Statement((free,), self.say("say.shipping_free"))

    def free_shipping(self, listing: Listing) -> Statement | None:
        """As `shipping_cost`, where there is none."""
        rate = listing.product.data["offers"]["shippingDetails"]["shippingRate"]
        return None if rate["value"] else self.shipping_cost(listing)

    def ship_to(self, listing: Listing, index: int) -> Statement:
        found = fact(listing.document, f"{SHIPPING}.shippingDestination[{index}]")
        return Statement((found,), self.say("say.ship_to", place=found.value))

    def ship_only(self, listing: Listing) -> Statement:
        places = listing.product.data["offers"]["shippingDetails"]["shippingDestination"]
        facts = tuple(
            fact(listing.document, f"{SHIPPING}.shippingDestination[{i}]")
            for i in range(len(places))
        )
        listed = self.language.phrase("and.places").join(places)
        return Statement(facts, self.say("say.ship_only", places=listed))

    def return_days(self, listing: Listing) -> Statement:
        days = self.language.phrase("unit.days")
        found = fact(listing.document, f"{RETURNS}.merchantReturnDays", days)
        return Statement((found,), self.say("say.return_days", n=found.value))

    def return_cost(self, listing: Listing) -> Statement:
        fees = listing.product.data["offers"]["hasMerchantReturnPolicy"]["returnFees"]
        accept = self.language.phrases[f"accept.{fees}"]
        found = fact(listing.document, f"{RETURNS}.returnFees", accept=accept)
        return Statement((found,), self.say(f"say.{fees}"))

    def bundle(self, listing: Listing, name: str) -> Statement | None:
        """The two-pack (`name` "pack") or the free gift ("gift")."""
        if name not in [extra["name"] for extra in listing.product.data["offers"].get("addOn", ())]:
            return None
        if name == "gift":
            found = fact(listing.document, "offers.addOn[name=gift].itemOffered")
            return Statement((found,), self.say("say.gift", gift=found.value))
        found, money = self._money(listing, "offers.addOn[name=pack].price")
        return Statement((found,), self.say("say.pack", money=money))

    def rating(self, listing: Listing) -> Statement:
        found = fact(listing.document, "aggregateRating.ratingValue")
        return Statement((found,), self.say("say.rating", rating=found.value))

    def size(self, listing: Listing, size: Size) -> Statement:
        found = fact(listing.document, f"size[name={size.name}].name", accept=size.accept)
        return Statement((found,), self.say("say.size", size=size.name))

    def name(self, listing: Listing) -> Fact:
        """The product as such; its slot or short name will do."""
        words = self.names(listing)
        forms = (*self.language.phrases["accept.name"], *self.language.phrases["accept.slot"])
        return fact(listing.document, "name", accept=tuple(form.format(**words) for form in forms))

    def faq(self, document: Document, faq: Faq) -> Statement:
        """The part of a FAQ answer that counts; the fact is a wording within the text."""
        found = Fact(document=document.id, path="text", value=faq.key, accept=faq.accept)
        return Statement((found,), faq.answer)

    def _money(self, listing: Listing, path: str) -> tuple[Fact, str]:
        """The amount at `path`, and how it is said."""
        currency = listing.product.data["offers"]["priceCurrency"]
        value = value_at(listing.document, path)
        money = self.language.money(float(value), currency)
        return fact(listing.document, path, currency, (money,)), money
