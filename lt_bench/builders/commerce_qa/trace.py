"""Reference reasoning: what a careful host thinks before the reference reply, short and long.

Both lead to the same reply. The long one looks at everything that was said and retrieved, as a
large reasoning model does; the short one holds what the reply cannot do without.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.plan import Plan
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.row import Moment, Row
from lt_bench.builders.commerce_qa.statement import Speaker, Statement
from lt_bench.records import Document, Example

TRAPS: Final = ("none", "no_slot", "wrong_premise", "off_topic")
"""Questions that must not be answered as they stand."""
KEPT: Final = (None, 0.2, 0.6, 1.0)
"""Shares of the documents that a varied trace reads; None: it is short."""


@dataclass(frozen=True)
class Trace:
    """Two ways to think of one question."""

    short: str
    long: str


def trace(row: Row) -> Trace:
    """The traces of a row; the same whenever they are made."""
    thinker, gap = _Thinker(row), row.moment.scene.language.gap
    return Trace(short=gap.join(thinker.short()), long="\n".join(thinker.long()))


def varied(row: Row, draw: Draw) -> str:
    """Another trace to the same reply, in other words: the short one, or the long one with some of its
    readings left out."""
    thinker, kept = _Thinker(row, draw), draw.pick(KEPT)
    if kept is None:
        return row.moment.scene.language.gap.join(thinker.short())
    documents = [one for one in row.example.documents if draw.chance(kept)]
    return "\n".join(thinker.long(documents))


class _Thinker:
    """Words for one row. Its draws are its own, so that the row stays what it is."""

    def __init__(self, row: Row, draw: Draw | None = None) -> None:
        self.example: Example = row.example
        self.moment: Moment = row.moment
        self.plan: Plan = row.moment.plan
        self.added: Statement = row.spoken.added
        language = row.moment.scene.language
        self.sentences = language.sentences
        self.speaker = Speaker(language, draw or Draw("trace", row.example.id))

    def short(self) -> Iterator[str]:
        yield self.moment.asked.resolved
        yield self._say(f"short.{self._check}", answer=self._answer())
        yield self._say("short.extra", extra=self._extra())

    def long(self, documents: Sequence[Document] | None = None) -> Iterator[str]:
        yield from self._hearing()
        yield from self._resolving()
        for document in self.example.documents if documents is None else documents:
            yield self._reading(document)
        yield from self._measuring()
        yield from self._concluding()
        yield self._say("extra", extra=self._extra())
        yield self._say("close")

    @property
    def _check(self) -> str:
        """What this question has to be checked for."""
        if self.plan.intent in ("wrong_premise", "off_topic", "comparison", "recommendation"):
            return self.plan.intent
        return "no_slot" if self.plan.only_slot is not None else self.plan.answerability

    def _hearing(self) -> Iterator[str]:
        """Who asks what, in which words."""
        viewer, lead = self.example.viewer, self.moment.asked.lead
        if lead:
            yield self._say("lead", viewer=viewer, lead=lead)
        yield self._say("asks", viewer=viewer, question=self.example.question)

    def _resolving(self) -> Iterator[str]:
        """Which product is meant, and the question as it would stand alone."""
        target = self.moment.scene.target
        if self.moment.mode in ("shown", "previous", "slot", "name") and not self.plan.only_slot:
            words = {"slot": self._name(target), "short": target.product.short}
            yield self._say(f"meant.{self.moment.mode}", **words)
        if self.plan.intent != "off_topic":
            yield self._say("resolved", resolved=self.moment.asked.resolved)

    def _reading(self, document: Document) -> str:
        """What one document is worth for this question."""
        if any(paper.id == document.id for paper in self.plan.papers):
            return self._say("paper.found", title=document.title)
        if document.product is None:
            touches = document.kind == "policy" and self.plan.intent in ("shipping", "returns")
            return self._say("paper.near" if touches else "paper.beside", title=document.title)
        listing = next(one for one in self.moment.scene.retrieved if one.id == document.id)
        name, clause = self._name(listing), self._same_of(listing)
        if listing in (self.moment.scene.target, self.plan.other) and self.plan.about_goods:
            return self._say("sheet.asked", name=name)
        if clause and self._check not in ("comparison", "recommendation"):
            return self._say("sheet.other", name=name, clause=clause.replace("{it}", name))
        return self._say("sheet.beside", name=name)

    def _measuring(self) -> Iterator[str]:
        """The line of the size chart that the answer rests on."""
        if self.plan.intent != "sizing":
            return
        chart = self.moment.scene.target.product.data["size"]
        size = next(one for one in chart if one["name"] == self.plan.required[0].value)
        ranges = ", ".join(
            f"{m['name']} {m['minValue']}-{m['maxValue']} {m['unitText']}"
            for m in size["suggestedMeasurement"]
        )
        yield self._say("size", size=size["name"], ranges=ranges)

    def _concluding(self) -> Iterator[str]:
        """The answer and its check; where there is a trap, the check comes first."""
        found = self._say("found", answer=self._answer())
        check = self._say(f"check.{self._check}", n=len(self.plan.required))
        yield from (check, found) if self._check in TRAPS else (found, check)

    def _same_of(self, listing: Listing) -> str:
        """What this sheet says of the asked property, as a clause; "" where there is no such."""
        asked = self.plan.required or self.plan.forbidden
        path = asked[0].path if asked else ""
        if path == "offers.price":
            return self.speaker.price(listing).clause
        found = [a for a in listing.product.listed if a.path == path]
        return self.speaker.attribute(listing, found[0]).clause if found else ""

    def _answer(self) -> str:
        other = self._name(self.plan.other) if self.plan.other else ""
        text = self.plan.answer.replace("{it}", self._name(self.moment.scene.target))
        return self.sentences(text.replace("{other}", other))

    def _extra(self) -> str:
        """The fact that the reply volunteers, said of its product."""
        retrieved = self.moment.scene.retrieved
        about = next(one for one in retrieved if one.id == self.added.facts[0].document)
        return self.added.clause.replace("{it}", self._name(about))

    def _name(self, listing: Listing) -> str:
        return self.speaker.slot(listing.slot)

    def _say(self, purpose: str, **words: object) -> str:
        text = self.speaker.say(f"think.{purpose}", **words)
        return text[:1].upper() + text[1:]
