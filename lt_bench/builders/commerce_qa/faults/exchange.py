"""Exchanging what an answer says: one clause for another, or both values of a comparison."""

from __future__ import annotations

from typing import Final

from lt_bench.builders.commerce_qa.faults.counterfactual import attribute_at
from lt_bench.builders.commerce_qa.faults.host import Host
from lt_bench.builders.commerce_qa.faults.told import Told
from lt_bench.builders.commerce_qa.faults.values import figures_of
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.row import Row
from lt_bench.builders.commerce_qa.schema import Value
from lt_bench.claims.paths import lookup
from lt_bench.records import FactsGold

_OPPOSITE: Final = (
    ("answer.yes", "answer.no"),
    ("answer.no", "answer.yes"),
    ("answer.sorry", "answer.plain"),
)


def exchanged(host: Host, fact: Told, clause: str, *, flipped: bool = False) -> str:
    """The answer with `clause` for what it says of a fact; a yes becomes a no where that is
    `flipped`."""
    whole = host.plan.answer
    for purpose, opposite in _OPPOSITE if flipped else ():
        if whole in {wording.format(clause=fact.clause) for wording in host.phrases(purpose)}:
            return host.speaker.say(opposite, clause=clause)
    return whole.replace(fact.clause, clause)


def taken(row: Row) -> list[Value]:
    """What must not be said by accident: the premise, and figures of the question."""
    gold = row.example.gold
    forbidden = gold.forbidden if isinstance(gold, FactsGold) else ()
    return [*(f.value for f in forbidden), *figures_of(row.moment.asked.resolved)]


def comparison(host: Host, values: dict[str, Listing], *, loser: bool = False) -> str | None:
    """The comparison with what other listings say instead; the winner follows from the values,
    unless it is to be the `loser`."""
    facts, path = host.told, host.told[0].path if host.told else ""
    if len(facts) != 2:
        return None
    attribute = attribute_at(host.scene.target, path)
    lower = attribute.lower_wins if attribute else True
    wins = (
        [attribute.wins]
        if attribute
        else [w for w in host.phrases("wins.price") if w in host.plan.answer]
    )
    sheets = [values.get(fact.listing.id, fact.listing) for fact in facts]
    clauses = [fact.instead(host.scene, sheet) for fact, sheet in zip(facts, sheets, strict=True)]
    first, second = (float(lookup(sheet.product.data, path)) for sheet in sheets)
    if first == second or not wins or None in clauses:
        return None
    winner = "{it}" if ((first < second) == lower) != loser else "{other}"
    return host.speaker.say(
        "answer.compare", first=clauses[0], second=clauses[1], winner=winner, wins=wins[0]
    )
