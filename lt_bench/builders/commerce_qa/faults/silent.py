"""Replies that give no answer: evasions, chatter, refusals."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.faults.counterfactual import attribute_at
from lt_bench.builders.commerce_qa.faults.host import Host, host_of
from lt_bench.builders.commerce_qa.faults.invented import asked_in_vain
from lt_bench.builders.commerce_qa.faults.mutant import Mutant
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.row import Row


def evasive(row: Row, draw: Draw) -> Mutant | None:
    """Speaks around the question. Not for questions off the topic, where turning away is right.

    Never correct, since nothing that is required is said, be it that the evidence is silent. Never
    helpful: the question is not spoken to, whatever is added.
    """
    host = host_of(row, draw)
    if host.plan.intent == "off_topic":
        return None
    first, second = draw.sample(host.phrases("fault.evasive"), 2)
    rest = draw.pick(("", second, *_beside(host)))
    return Mutant(host.reply(first, rest), "evasive", False, False)


def off_topic(row: Row, draw: Draw) -> Mutant | None:
    """Small talk, or something true of the product that has nothing to do with the question.

    Neither correct nor helpful: the question is not spoken to. Not for questions off the topic.
    """
    host = host_of(row, draw)
    if host.plan.intent == "off_topic":
        return None
    first, second = draw.sample(host.phrases("fault.off_topic"), 2)
    said = draw.pick(((first,), (first, second), *((one,) for one in _beside(host, "fault.first"))))
    return Mutant(host.reply(*said), "off_topic", False, False)


def needless_refusal(row: Row, draw: Draw) -> Mutant | None:
    """Says that the evidence is silent, though it is not. Only where it holds an answer.

    Neither correct nor helpful, even with a true extra: a viewer who is told that there is no
    answer has been turned away from the question.
    """
    host = host_of(row, draw)
    if host.plan.answerability == "none":
        return None
    purposes = ("fault.refusal", "answer.missing") if host.plan.about_goods else ("fault.refusal",)
    refusal = host.speaker.say(draw.pick(purposes))
    if host.plan.other:
        refusal = host.speaker.say("fault.refusal")
    added = _beside(host) if draw.chance(0.5) else ()
    return Mutant(host.reply(refusal, *added), "needless_refusal", False, False)


def _beside(host: Host, purpose: str = "") -> tuple[str, ...]:
    """A true extra, where it cannot be taken for an answer: one about something else than what
    was asked for, and none where naming a product would be the answer."""
    if host.plan.intent == "recommendation" or not host.plan.about_goods:
        return ()
    target = host.scene.target
    asked = {_matter(target, fact.path) for fact in host.plan.required}
    attribute = asked_in_vain(host)
    asked |= {attribute.topic} if attribute else set()
    asked |= {"fit"} if host.plan.intent == "sizing" else set()
    far = [extra for extra in host.nearest if _matter(target, extra.facts[0].path) not in asked]
    return (host.volunteered(host.draw.pick(far), purpose),) if far else ()


_MATTERS: Final = (
    (re.compile(r"price|discount|validThrough|offers\.addOn|priceSpecification"), "money"),
    (re.compile(r"availability|inventory"), "stock"),
    (re.compile(r"shippingDetails"), "shipping"),
    (re.compile(r"MerchantReturnPolicy"), "returns"),
)


def _matter(listing: Listing, path: str) -> str:
    """What a fact is about, roughly: the topic of a property, or a part of the offer."""
    attribute = attribute_at(listing, path)
    if attribute:
        return attribute.topic
    return next((matter for pattern, matter in _MATTERS if pattern.search(path)), path)
