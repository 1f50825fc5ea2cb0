"""The host of a row, who can be made to say other things than the reference reply."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.faults.told import VARIANT, Told, told
from lt_bench.builders.commerce_qa.plan import Plan, Scene
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.row import Row
from lt_bench.builders.commerce_qa.speech import NEAREST, joiner, spoken_name
from lt_bench.builders.commerce_qa.statement import Speaker, Statement


@dataclass(frozen=True)
class Host:
    """Speaks at the moment of a row with draws of its own, so that the row stays as it was.

    `first` and `later` call the product that was asked about at its first and later mentions,
    `other` the one it is compared with.
    """

    row: Row
    scene: Scene
    first: str
    later: str
    other: str

    @property
    def plan(self) -> Plan:
        return self.row.moment.plan

    @property
    def draw(self) -> Draw:
        return self.scene.draw

    @property
    def speaker(self) -> Speaker:
        return self.scene.speaker

    @property
    def told(self) -> tuple[Told, ...]:
        """The facts in the reference answer."""
        return told(self.plan, self.scene)

    @property
    def nearest(self) -> tuple[Statement, ...]:
        """The extras from which a good reply chooses; for a question about sizes, none that names
        one, since beside a wrong answer it would give the right one away."""
        sizing = self.plan.intent == "sizing"
        return tuple(
            extra
            for extra in self.plan.extras[: NEAREST + sizing]
            if not (sizing and VARIANT.fullmatch(extra.facts[0].path))
        )

    def phrases(self, purpose: str) -> tuple[str, ...]:
        """All wordings for a purpose; none where the language has none."""
        return tuple(self.scene.language.phrases.get(purpose, ()))

    def name(self, listing: Listing) -> str:
        """The slot or the short name of any product."""
        return spoken_name(self.scene, listing, self.row.moment.mode)

    def reply(self, *parts: str) -> str:
        """One spoken text of whole sentences in which {it} and {other} may stand."""
        language = self.scene.language
        text = language.gap.join(part for part in parts if part)
        text = text.replace("{it}", self.first, 1).replace("{it}", self.later)
        greeting = self.speaker.say("greeting", name=self.row.example.viewer)
        return greeting + language.sentences(text.replace("{other}", self.other))

    def extra(self) -> str:
        """A true fact that was not asked for, as a sentence."""
        return self.volunteered(self.draw.pick(self.nearest))

    @property
    def gives_a_code(self) -> bool:
        """Whether the answer tells a coupon's code to one who did not ask for it: an extra of its
        own, for some, so that without another the reply is neither helpful nor unhelpful."""
        asked = f"{self.row.moment.asked.lead} {self.row.example.question}".casefold()
        coupons = self.scene.target.product.data["offers"].get("priceSpecification", ())
        wanted = {fact.value for fact in self.plan.required}
        codes = {coupon["name"] for coupon in coupons} - wanted
        return any(code in self.plan.answer and code.casefold() not in asked for code in codes)

    def perhaps(self) -> tuple[str, ...]:
        """An extra or none, equally often; always one where it must be clear that there is one."""
        return (self.extra(),) if self.gives_a_code or self.draw.chance(0.5) else ()

    def volunteered(self, extra: Statement, purpose: str = "") -> str:
        """`extra` as a sentence that follows the answer, or as one for another `purpose`."""
        purpose = purpose or joiner(self.plan, extra)
        about = extra.facts[0].document == self.scene.target.id
        clear = about and self.plan.about_one and not (self.plan.other or self.plan.of_all)
        return self.speaker.say(purpose, clause=extra.clause if clear else self.named(extra))

    def named(self, extra: Statement) -> str:
        """The clause of an extra with the name of its product."""
        about = next(one for one in self.scene.retrieved if one.id == extra.facts[0].document)
        return extra.clause.replace("{it}", self.name(about))


def host_of(row: Row, draw: Draw) -> Host:
    """The host of a row, whose choices come from `draw`."""
    scene, other = replace(row.moment.scene, draw=draw), row.moment.plan.other
    name = spoken_name(scene, other, row.moment.mode) if other else ""
    return Host(row, scene, row.spoken.reference, row.spoken.later, name)
