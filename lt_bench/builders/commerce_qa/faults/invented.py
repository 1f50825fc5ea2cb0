"""Replies that say what no document says: inventions, alternatives, guesses."""

from __future__ import annotations

import re

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.faults.host import Host, host_of
from lt_bench.builders.commerce_qa.faults.mutant import Mutant
from lt_bench.builders.commerce_qa.faults.told import PRICE
from lt_bench.builders.commerce_qa.faults.values import figures_of
from lt_bench.builders.commerce_qa.row import Row
from lt_bench.builders.commerce_qa.schema import Attribute, Value
from lt_bench.claims.paths import lookup
from lt_bench.records import FactsGold


def invented_attribute(row: Row, draw: Draw) -> Mutant | None:
    """A good answer with a property that no document gives the product; or, where the evidence
    holds no answer, an answer nevertheless: another sheet's value as its own, a yes to what
    nobody knows, a price in an empty slot, a coupon that does not exist.

    Never correct. Helpful when a true extra stands beside the invention, which itself is no
    documented fact. An invented answer speaks to the question, as a wrong one does.
    """
    host = host_of(row, draw)
    added = host.perhaps()
    if host.plan.answerability != "full" and draw.chance(0.7):
        answer = _hallucinated(host)
        if answer:
            return Mutant(host.reply(answer, *added), "invented_attribute", False, bool(added))
    clause = _withheld(host) if draw.chance(0.4) else None
    lie = host.speaker.say("extra.join", clause=clause or host.speaker.say("fault.invented"))
    if not host.plan.about_goods or host.plan.other or host.plan.only_slot:
        lie = lie.replace("{it}", host.name(host.scene.target))
    return Mutant(
        host.reply(host.plan.answer, *added, lie), "invented_attribute", False, bool(added)
    )


def unsupported_alternative(row: Row, draw: Draw) -> Mutant | None:
    """A good answer, and then an offer that no document makes: another colour, a newer version, a
    cheaper one in another room, something made to measure.

    Never correct. Helpful when a true extra stands beside the offer.
    """
    host = host_of(row, draw)
    added = host.perhaps()
    offer = _offer(host)
    return Mutant(
        host.reply(host.plan.answer, *added, offer), "unsupported_alternative", False, bool(added)
    )


def needless_guess(row: Row, draw: Draw) -> Mutant | None:
    """Says that the evidence is silent, and then what is probably so. Only where it is silent.

    Never correct: the guess is a claim, and nothing supports it. Helpful when a true extra is
    added.
    """
    host = host_of(row, draw)
    attribute = asked_in_vain(host)
    if attribute:
        guess = host.speaker.say("fault.guess", clause=_imagined(host, attribute))
    elif _is_unlisted(host):
        guess = host.speaker.say("fault.guess_bare")
    else:
        return None
    known = _known_part(host)
    added = host.perhaps()
    return Mutant(host.reply(known, guess, *added), "needless_guess", False, bool(added))


# --- answers to what nobody knows ------------------------------------------------------------


def asked_in_vain(host: Host) -> Attribute | None:
    """The property that was asked for and is not on the sheet."""
    if host.plan.answerability == "full":
        return None
    asked = host.plan.asks.ask
    for attribute in host.scene.target.product.withheld:
        wordings = (*attribute.asks, *(ask.replace("{it}", "{again}") for ask in attribute.asks))
        if asked in wordings or (host.told and any(word in asked for word in wordings)):
            return attribute
    return None


def _is_unlisted(host: Host) -> bool:
    """Whether it is a yes-or-no question that no sheet has a line for."""
    asked = host.plan.asks.ask
    polar = any(re.search(pattern, asked) for pattern in host.phrases("fault.polar"))
    return polar and asked in host.scene.room.category.unlisted


def _hallucinated(host: Host) -> str | None:
    """An answer where there is none; None where there is nothing to make one of."""
    attribute = asked_in_vain(host)
    if attribute:
        value = _lent(host, attribute)
        clause = attribute_clause(host, attribute, value)
        if host.told:
            also = host.speaker.say("extra.join", clause=clause)
            return host.scene.language.gap.join((_known_part(host), also))
        wording = "answer.plain"
        if isinstance(value, bool):
            wording = "answer.yes" if value else "answer.no"
        return host.speaker.say(wording, clause=clause)
    if _is_unlisted(host):
        return host.speaker.say("fault.sure")
    if host.plan.only_slot is not None:
        return _from_empty_slot(host, host.plan.only_slot)
    return _made_up_coupon(host) if host.plan.intent == "missing_evidence" else None


def _from_empty_slot(host: Host, slot: int) -> str:
    """What was asked, said of a slot in which nothing stands."""
    asked, other = host.plan.asks.purpose, host.draw.pick(host.scene.retrieved)
    if asked == "stock":
        clause = host.speaker.say("say.InStock")
    elif asked == "gift":
        clause = host.speaker.say("say.gift", gift=host.draw.pick(other.product.category.gifts))
    elif asked == "coupon":
        return _made_up_coupon(host).replace("{it}", host.speaker.slot(slot))
    else:
        clause = host.speaker.price(other).clause
    clause = clause.replace("{it}", host.speaker.slot(slot))
    return host.speaker.say("answer.plain", clause=clause)


def _made_up_coupon(host: Host) -> str:
    code = host.speaker.say("coupon.name", percent=host.draw.pick((5, 10, 15, 20)))
    return host.speaker.say("answer.plain", clause=host.speaker.say("say.coupon", code=code))


def _known_part(host: Host) -> str:
    """The half of a two-part answer that the sheet does give; "" where it gives none."""
    return host.scene.language.gap.join(
        host.speaker.say("answer.bare", clause=fact.clause) for fact in host.told
    )


def _lent(host: Host, attribute: Attribute) -> Value:
    """A value from another sheet on the table where there is one, as that is the likely mistake."""
    gold = host.row.example.gold
    lent = [f.value for f in gold.forbidden] if isinstance(gold, FactsGold) else []
    lent += [
        one.product.values[attribute.name]
        for one in host.scene.others
        if attribute in one.product.listed
    ]
    return host.draw.pick(lent or attribute.values)


def _imagined(host: Host, attribute: Attribute) -> str:
    return attribute_clause(host, attribute, host.draw.pick(attribute.values))


def attribute_clause(host: Host, attribute: Attribute, value: Value) -> str:
    """What the host would say if the sheet had this value."""
    return host.speaker.attribute_clause(attribute, value)


# --- additions -------------------------------------------------------------------------------


def _withheld(host: Host) -> str | None:
    """A property that the sheet leaves out, as if it were there."""
    asked = asked_in_vain(host)
    # A FAQ may all but tell a property ("wash it inside out"), which then is no invention.
    told_elsewhere = any(document.kind == "faq" for document in host.row.example.documents)
    free = [
        a
        for a in host.scene.target.product.withheld
        if a is not asked and not (told_elsewhere and a.kind != "number")
    ]
    if not free or host.plan.only_slot is not None:
        return None
    attribute = host.draw.pick(free)
    values = [True] if attribute.kind == "flag" else list(attribute.values)
    return attribute_clause(host, attribute, host.draw.pick(values))


def _offer(host: Host) -> str:
    category, target = host.scene.room.category, host.scene.target.product
    sold = {entry["color"] for entry in target.data.get("hasVariant", ())}
    colors = [color for color in category.colors if color not in sold]
    wordings = [w for w in host.phrases("fault.alternative") if colors or "{color}" not in w]
    return host.draw.pick(wordings).format(
        it="{it}",
        color=host.draw.pick(colors) if colors else "",
        money=host.scene.language.money(low_price(host), host.scene.room.market.currency),
        a_noun=category.one,
    )


def low_price(host: Host) -> float:
    """An amount below every price on the table that stands in no document."""
    prices = [float(lookup(one.product.data, PRICE)) for one in host.scene.retrieved]
    known = figures_of(" ".join(document.text for document in host.row.example.documents))
    wanted = min(prices) * host.draw.pick((0.5, 0.6, 0.7))
    whole = [float(n) for n in range(1, int(min(prices))) if n not in known]
    # Of cheap goods every whole amount may stand somewhere; then one with cents does not.
    found = whole or [n + 0.49 for n in range(int(min(prices))) if n + 0.49 not in known]
    return min(found, key=lambda n: abs(n - wanted))
