"""Questions about properties: a value, a fit for the viewer's own case, compatibility, FAQ."""

from __future__ import annotations

from dataclasses import replace

from lt_bench.builders.commerce_qa.papers import faq_document
from lt_bench.builders.commerce_qa.plan import More, Plan, Scene, Wordings
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.schema import Attribute, Check, Value
from lt_bench.builders.commerce_qa.statement import Statement
from lt_bench.records import Fact


def spec(scene: Scene) -> Plan | None:
    """One property, two at once (of which one may be missing), a check, or a FAQ."""
    kind = scene.draw.weighted((("one", 0.44), ("check", 0.18), ("two", 0.27), ("faq", 0.11)))
    return {"one": _one, "check": _check, "two": _two, "faq": _faq}[kind](scene)


def _one(scene: Scene) -> Plan | None:
    fitting = [a for a in scene.target.product.listed if a.topic != "compatibility"]
    return about(scene, scene.draw.pick(fitting), "spec")


def compatibility(scene: Scene) -> Plan | None:
    """Whether it goes with something the viewer has."""
    fitting = [a for a in scene.target.product.listed if a.topic == "compatibility"]
    if not fitting:
        return None
    attribute = scene.draw.pick(fitting)
    plan = about(scene, attribute, "compatibility")
    if not attribute.leads or scene.draw.chance(0.35):
        return plan
    lead, ask = scene.draw.pick(attribute.leads)
    return replace(plan, lead=lead, asks=Wordings(ask))


def about(scene: Scene, attribute: Attribute, intent: str) -> Plan:
    """The question for one property that the sheet lists."""
    said = scene.speaker.attribute(scene.target, attribute)
    wording = "answer.bare"
    if attribute.kind == "flag":
        wording = "answer.yes" if said.facts[0].value else "answer.no"
    asks = scene.asking(attribute)
    if attribute.kind == "flag" and scene.language.either in asks.ask + asks.short:
        wording = "answer.bare"
    return Plan(
        intent=intent,
        asks=asks,
        answer=scene.speaker.say(wording, clause=said.clause),
        required=said.facts,
        more=More(scene.target, said.facts, attribute.topic),
    )


def _check(scene: Scene) -> Plan | None:
    """ "My room is 25 m², is it enough": the viewer's number against the sheet's."""
    fitting = [a for a in scene.target.product.listed if a.check]
    if not fitting:
        return None
    attribute = scene.draw.pick(fitting)
    check = attribute.check
    assert check
    own, spoken, tags = _own_number(scene, attribute)
    said = scene.speaker.attribute(scene.target, attribute)
    holds = _holds(check, float(said.facts[0].value), own)
    return Plan(
        intent="spec",
        asks=Wordings(check.ask),
        lead=check.lead.format(n=spoken),
        answer=(check.yes if holds else check.no).format(clause=said.clause),
        required=said.facts,
        more=More(scene.target, said.facts, attribute.topic),
        tags=("asks:check", *tags),
    )


def _own_number(scene: Scene, attribute: Attribute) -> tuple[float, str, tuple[str, ...]]:
    """A number of the viewer, how she says it, and a tag where she uses other units."""
    value = float(scene.target.product.values[attribute.name])
    own = float(scene.draw.pick([v for v in attribute.values if v != value]))
    other = scene.language.convert(own, attribute.unit) if scene.draw.chance(0.35) else None
    tags = ("noise:other_units",) if other else ()
    return own, other or scene.language.quantity(own, attribute.unit), tags


def _holds(check: Check, value: float, own: float) -> bool:
    return value >= own if check.rule == "at_least" else value <= own


def _two(scene: Scene) -> Plan | None:
    """Two properties in one breath; where the sheet lacks the second, the answer is partial."""
    listed, withheld = scene.target.product.listed, scene.target.product.withheld
    first = scene.draw.pick(listed)
    missing = bool(withheld) and scene.draw.chance(0.6)
    rest = [
        a
        for a in (withheld if missing else listed)
        if a.name != first.name and a.topic != "compatibility"
    ]
    if not rest or first.topic == "compatibility":
        return None
    second = scene.draw.pick(rest)
    said = scene.speaker.attribute(scene.target, first)
    answer = scene.speaker.say("answer.bare", clause=said.clause)
    facts = said.facts
    if missing:
        answer += scene.language.gap + _unknown(scene, second)
    else:
        also = scene.speaker.attribute(scene.target, second)
        turn = said.facts[0].value is False and also.facts[0].value is not False
        purpose = "extra.but" if turn else "extra.and"
        answer += scene.language.gap + scene.speaker.say(purpose, clause=also.clause)
        facts = (*facts, *also.facts)
    # Only the first half names the product; the second says "it".
    halves = {
        "first": scene.draw.pick(first.asks),
        "second": scene.draw.pick(second.asks).replace("{it}", "{again}"),
    }
    one, two = scene.asking(first), scene.asking(second)
    bare = {"first": one.short, "second": two.short}
    whole = {"first": one.short_full, "second": two.short_full.replace("{it}", "{again}")}
    asks = Wordings(
        scene.speaker.say("ask.both", **halves),
        scene.speaker.say("short.both", **bare),
        short_full=scene.speaker.say("ask.both", **whole),
    )
    return Plan(
        intent="spec",
        asks=asks,
        answer=answer,
        answerability="partial" if missing else "full",
        required=facts,
        more=More(scene.target, facts, first.topic),
        forbidden=lent(scene, second) if missing else (),
        hide_faq=missing,
        tags=("asks:two",),
    )


def lent(scene: Scene, attribute: Attribute) -> tuple[Fact, ...]:
    """What must not be said of the target, whose sheet is silent: the values that other sheets
    list, and both answers to a question for yes or no."""
    listed = [other for other in scene.others if attribute in other.product.listed]
    values = dict.fromkeys(str(o.product.values[attribute.name]) for o in listed)
    known = {str(value): value for value in attribute.values}
    if attribute.kind == "flag":
        return tuple(false(scene.target, attribute, value) for value in (True, False))
    return tuple(false(scene.target, attribute, known[value]) for value in values)


def false(listing: Listing, attribute: Attribute, value: Value) -> Fact:
    """What must not be said of `listing`."""
    accept = attribute.accept.get(value, ())
    return Fact(
        document=listing.id,
        path=attribute.path,
        value=value,
        unit=attribute.unit or None,
        accept=accept,
    )


def _unknown(scene: Scene, attribute: Attribute) -> str:
    """That the sheet does not tell this property."""
    words = {"thing": scene.speaker.thing(attribute)}
    if attribute.kind == "flag":
        words["clause"] = attribute.says.replace("{it}", scene.pronoun())
        return scene.speaker.say("answer.missing_flag", **words)
    return scene.speaker.say("answer.missing_part", **words)


def _faq(scene: Scene) -> Plan | None:
    number = scene.draw.below(len(scene.room.category.faqs))
    faq = scene.room.category.faqs[number]
    document = faq_document(scene.room, number)
    said: Statement = scene.speaker.faq(document, faq)
    ask = scene.draw.pick(faq.asks).split("|")
    return Plan(
        intent="spec",
        asks=Wordings(ask[0], full=ask[-1]),
        answer=said.clause,
        required=said.facts,
        more=More(scene.target, said.facts),
        papers=(document,),
        tags=("asks:faq",),
    )
