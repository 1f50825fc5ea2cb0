"""Replies without a false word: the reference, the same in other words, and the bare answer."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.faults.host import Host, host_of
from lt_bench.builders.commerce_qa.faults.mutant import Mutant
from lt_bench.builders.commerce_qa.faults.told import WORDINGS, Nth, restate
from lt_bench.builders.commerce_qa.row import Row
from lt_bench.builders.commerce_qa.statement import Speaker


def reference(row: Row, _: Draw) -> Mutant | None:
    """The reference reply: correct, and helpful by its extra."""
    return Mutant(row.reply, "reference", True, True)


def reworded(row: Row, draw: Draw) -> Mutant | None:
    """The answer in other words with another extra, which may come first: correct and helpful."""
    host = host_of(row, draw)
    others = [extra for extra in host.nearest if extra != row.spoken.added]
    extra = draw.pick(others or host.nearest)
    answer = _reworded(host)
    # "That isn't listed" after something that is listed would seem to take it back.
    plain = host.plan.about_goods and host.plan.answerability == "full"
    swaps = plain and host.plan.intent != "wrong_premise" and draw.chance(0.5)
    if not swaps:
        return Mutant(host.reply(answer, host.volunteered(extra)), "reworded", True, True)
    clause = host.named(extra) if host.plan.other or host.plan.only_slot else extra.clause
    opening = host.speaker.say("fault.first", clause=clause)
    return Mutant(host.reply(opening, answer), "reworded", True, True)


def unhelpful_but_correct(row: Row, draw: Draw) -> Mutant | None:
    """The answer and nothing else, with a courtesy, or said twice: correct, and not helpful, since
    nothing is added that was not asked for. Not where the answer gives away a coupon's code."""
    host = host_of(row, draw)
    if host.gives_a_code:
        return None
    kind = draw.pick(("bare", "bare", "courtesy", "again"))
    rest = ""
    if kind == "courtesy":
        rest = host.speaker.say("fault.courtesy")
    elif kind == "again" and host.told and not host.plan.other:
        fact = draw.pick(host.told)
        rest = host.speaker.say("fault.again", clause=fact.clause)
    return Mutant(host.reply(host.plan.answer, rest), "unhelpful_but_correct", True, False)


def _reworded(host: Host) -> str:
    """The answer with each of its facts in another wording, where the language has one."""
    answer = host.plan.answer
    for fact in host.told:
        wording = Speaker(host.scene.language, Nth(host.draw.below(WORDINGS)))
        said = restate(wording, fact.listing, fact.path)
        if said:
            answer = answer.replace(fact.clause, said.clause.replace("{it}", fact.mark))
    return answer
