"""Replies that mix up products: the value of another one, or an answer about another one."""

from __future__ import annotations

from dataclasses import replace

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.faults.counterfactual import attribute_at
from lt_bench.builders.commerce_qa.faults.exchange import comparison, exchanged, taken
from lt_bench.builders.commerce_qa.faults.host import Host, host_of
from lt_bench.builders.commerce_qa.faults.mutant import Mutant
from lt_bench.builders.commerce_qa.faults.told import (
    PRICE,
    RATING,
    SIZE,
    STOCK,
    VARIANT,
    Told,
    restate,
)
from lt_bench.builders.commerce_qa.faults.values import figures_of, overlap
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.row import Row
from lt_bench.builders.commerce_qa.speech import called


def wrong_product(row: Row, draw: Draw) -> Mutant | None:
    """The value of another product on the table, the answer about another slot or another
    variant, the wrong winner of a comparison, or the wrong recommendation.

    Never correct. Another product's value said of the one that was asked about, and the wrong
    winner, still speak to the question: helpful when a true extra is added. An answer about, or a
    recommendation of, what nobody asked for does not, whatever is added.
    """
    host = host_of(row, draw)
    if host.plan.intent == "recommendation":
        return _recommended(host)
    if host.plan.other:
        return _compared_wrongly(host, host.plan.other)
    for fact in draw.shuffled(host.told):
        if VARIANT.fullmatch(fact.path):
            return _other_variant(host, fact)
        for other in draw.shuffled(host.scene.others):
            if _differs(host, fact, other):
                return _borrowed(host, fact, other)
    return None


# --- another product -------------------------------------------------------------------------


def _differs(host: Host, fact: Told, other: Listing) -> bool:
    """Whether another sheet has a value that is false of the product asked about."""
    said = restate(host.speaker, other, fact.path)
    if said is None or SIZE.fullmatch(fact.path):
        return False
    value, true = said.facts[0].value, fact.value
    if value == true or value in taken(host.row):
        return False
    if isinstance(value, bool):
        return True
    if isinstance(value, str) or isinstance(true, str):
        attribute = attribute_at(other, fact.path)
        known = attribute.values if attribute else ()
        both_in = fact.path == STOCK and "OutOfStock" not in (value, true)
        return not both_in and not (known and overlap(str(value), str(true), known))
    return float(value) not in figures_of(fact.listing.document.text)


def _borrowed(host: Host, fact: Told, other: Listing) -> Mutant | None:
    clause = fact.instead(host.scene, other)
    if clause is None:
        return None
    if host.draw.chance(0.4) and host.plan.about_goods:
        return _elsewhere(host, fact, other)
    flips = isinstance(fact.value, bool) or fact.path == STOCK
    added = host.perhaps()
    answer = exchanged(host, fact, clause, flipped=flips)
    return Mutant(host.reply(answer, *added), "wrong_product", False, bool(added))


def _elsewhere(host: Host, fact: Told, other: Listing) -> Mutant | None:
    """The truth about a product that nobody asked about."""
    name = host.name(other)
    said = [
        restate(host.speaker, other, path) for path in (fact.path, *_beside(fact.path, host.draw))
    ]
    clauses = [one.clause.replace("{it}", name) for one in said if one]
    answer = host.speaker.say("answer.bare", clause=clauses[0])
    beside = host.speaker.say("extra.join", clause=clauses[-1])
    added = beside if host.draw.chance(0.5) else ""
    return Mutant(host.reply(answer, added), "wrong_product", False, False)


def _beside(path: str, draw: Draw) -> list[str]:
    return [draw.pick([one for one in (PRICE, STOCK, RATING) if one != path])]


def _other_variant(host: Host, fact: Told) -> Mutant | None:
    """The truth about another colour or size of the product."""
    numbers = range(len(fact.listing.product.data["hasVariant"]))
    paths = [path for n in numbers if (path := f"hasVariant[{n}].{STOCK}") != fact.path]
    said = restate(host.speaker, fact.listing, host.draw.pick(paths)) if paths else None
    if said is None:
        return None
    answer = host.speaker.say("answer.bare", clause=said.clause)
    return Mutant(host.reply(answer), "wrong_product", False, False)


def _recommended(host: Host) -> Mutant | None:
    """The reasons of the right recommendation, said of a product that does not fulfil them."""
    other = host.draw.pick(host.scene.others)
    scene = replace(host.scene, target=other)
    liar = replace(host, first=called(host.plan, scene, host.row.moment.mode))
    return Mutant(liar.reply(host.plan.answer), "wrong_product", False, False)


def _compared_wrongly(host: Host, other: Listing) -> Mutant | None:
    """Two values exchanged, or the wrong winner with the right values."""
    target, exchange = host.scene.target, host.draw.chance(0.6)
    values = {target.id: other, other.id: target} if exchange else {}
    answer = comparison(host, values, loser=not exchange)
    if answer is None:
        return None
    added = host.perhaps()
    return Mutant(host.reply(answer, *added), "wrong_product", False, bool(added))
