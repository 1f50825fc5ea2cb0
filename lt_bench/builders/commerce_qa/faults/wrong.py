"""Replies that answer with something false: another value, or another unit."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.faults.counterfactual import with_value
from lt_bench.builders.commerce_qa.faults.exchange import comparison, exchanged, taken
from lt_bench.builders.commerce_qa.faults.host import Host, host_of
from lt_bench.builders.commerce_qa.faults.mutant import Mutant
from lt_bench.builders.commerce_qa.faults.told import (
    EARLIEST,
    LATEST,
    PLACE,
    SIZE,
    STOCK,
    Told,
    restate,
)
from lt_bench.builders.commerce_qa.faults.values import false_value
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.row import Row
from lt_bench.claims.paths import lookup

_FIGURE: Final = re.compile(r"-?\d[\d.,]*")


def wrong_value(row: Row, draw: Draw) -> Mutant | None:
    """A required fact with another value: off by a tenth, with exchanged digits, the next size,
    the lower end of a range, the opposite of yes. One time in five, where it can be, the answer
    is right and what is added to it is false.

    Never correct. Helpful when a true extra is added, since the question is spoken to.
    """
    host = host_of(row, draw)
    if draw.chance(0.2) and not host.gives_a_code and (lie := _false_extra(host)):
        return Mutant(host.reply(host.plan.answer, lie), "wrong_value", False, False)
    answer = false_answer(host)
    if answer is None:
        return None
    added = host.perhaps()
    return Mutant(host.reply(answer, *added), "wrong_value", False, bool(added))


def wrong_unit(row: Row, draw: Draw) -> Mutant | None:
    """The right figure with another unit: kilograms as pounds, months as weeks, dollars as euros.

    Never correct. Helpful when a true extra is added.
    """
    host = host_of(row, draw)
    for fact in draw.shuffled(host.told):
        clause = _other_unit(fact, host)
        if clause:
            answer = host.plan.answer.replace(fact.clause, clause)
            added = host.perhaps()
            return Mutant(host.reply(answer, *added), "wrong_unit", False, bool(added))
    return None


# --- another value ---------------------------------------------------------------------------


def false_answer(host: Host) -> str | None:
    """The answer with one of its facts made false."""
    for fact in host.draw.shuffled(host.told):
        answer = _falsified(host, fact)
        if answer:
            return answer
    places = [f for f in host.plan.required if PLACE.fullmatch(f.path)]
    if places and not host.told:
        return _sent_away(host)
    return _false_paper(host) if not host.told else None


def _falsified(host: Host, fact: Told) -> str | None:
    if PLACE.fullmatch(fact.path):
        clause = host.speaker.say("fault.ship_not", place=fact.value)
        return exchanged(host, fact, clause, flipped=True)
    if fact.path == LATEST and host.draw.chance(0.4):
        return exchanged(host, fact, _lower_end(host, fact))
    value = false_value(fact.listing, fact.path, fact.value, host.draw, taken(host.row))
    if value is None:
        return None
    if SIZE.fullmatch(fact.path):
        size = restate(host.speaker, fact.listing, f"size[name={value}].name")
        return exchanged(host, fact, size.clause) if size else None
    imagined = with_value(fact.listing, fact.path, value)
    if host.plan.other:
        return comparison(host, {fact.listing.id: imagined})
    instead = fact.instead(host.scene, imagined)
    flips = isinstance(value, bool) or STOCK in fact.path
    return exchanged(host, fact, instead, flipped=flips) if instead else None


def _lower_end(host: Host, fact: Told) -> str:
    """ "In 2 days", where the sheet says 2 to 5."""
    low = lookup(fact.listing.product.data, EARLIEST)
    return host.speaker.say("fault.shipping_low_one" if low == 1 else "fault.shipping_low", n=low)


def _sent_away(host: Host) -> str | None:
    """Yes to a place that the shop does not ship to."""
    asked, places = host.row.moment.asked.resolved, host.scene.room.market.places
    for place in host.phrases("place.away"):
        if place in asked and place not in places:
            return host.speaker.say(
                "answer.yes", clause=host.speaker.say("say.ship_to", place=place)
            )
    return None


def _false_paper(host: Host) -> str | None:
    """A FAQ answer turned into its contrary."""
    for required in host.plan.required:
        for entry in host.draw.shuffled(host.phrases("fault.faq")):
            part, _, instead = entry.partition("=")
            text = host.plan.answer.replace(part, instead)
            known = (str(required.value), *required.accept)
            if part in host.plan.answer and not any(k.lower() in text.lower() for k in known):
                return text
    return None


def _false_extra(host: Host) -> str | None:
    """A fact that was not asked for, and is not so. Clauses that tell two facts (a code and its
    price, both ends of a range) are left alone: half of them would remain true."""
    for extra in host.draw.shuffled([one for one in host.nearest if len(one.facts) == 1]):
        found, listing = extra.facts[0], _listing(host, extra.facts[0].document)
        value = false_value(listing, found.path, found.value, host.draw)
        if value is None:
            continue
        said = restate(host.speaker, with_value(listing, found.path, value), found.path)
        if said:
            return host.volunteered(said)
    return None


def _listing(host: Host, document: str) -> Listing:
    return next(one for one in host.scene.retrieved if one.id == document)


# --- another unit ----------------------------------------------------------------------------


def _other_unit(fact: Told, host: Host) -> str | None:
    """The clause with the same figure in another unit; None for what is no measure."""
    if isinstance(fact.value, (str, bool)) or not fact.unit or fact.value == 1:
        return None
    language = host.scene.language
    for spoken in (
        language.quantity(fact.value, fact.unit),
        *([language.money(float(fact.value), fact.unit)] if fact.is_money else []),
    ):
        figure = _FIGURE.search(spoken)
        if not figure or spoken not in fact.clause:
            continue
        units = [u.format(n=figure.group()) for u in host.phrases(f"fault.unit.{fact.unit}")]
        false = [unit for unit in units if unit not in fact.listing.document.text]
        if false:
            return fact.clause.replace(spoken, host.draw.pick(false))
    return None
