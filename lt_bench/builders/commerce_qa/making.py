"""How a row comes about: a moment of a room is drawn, and a row is made of one that is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from lt_bench.builders.commerce_qa import intents, noise
from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.history import history
from lt_bench.builders.commerce_qa.intents import offer
from lt_bench.builders.commerce_qa.papers import faq_document, policy_document, review_document
from lt_bench.builders.commerce_qa.plan import Plan, Scene
from lt_bench.builders.commerce_qa.question import Asked, Mode, ask
from lt_bench.builders.commerce_qa.room import Listing, Room
from lt_bench.builders.commerce_qa.row import Moment, Row
from lt_bench.builders.commerce_qa.speech import reply
from lt_bench.records import Document, Example, Fact, FactsGold

_MODES: Final[tuple[tuple[Mode, float], ...]] = (("shown", 0.515), ("slot", 0.225), ("name", 0.26))
_PREVIOUS: Final = 0.15


@dataclass(frozen=True)
class Shares:
    """How often each phenomenon of a live comment occurs, where it can. `split_lead` is `split`
    where the viewer tells of herself first; a fifth of all questions come in two messages."""

    typos: float = 0.355
    filler: float = 0.265
    script: float = 0.02
    split: float = 0.165
    split_lead: float = 0.55
    interleaved: float = 0.30
    code_switch: float = 0.085
    topic_shift: float = 0.20


SHARES: Final = Shares()


@dataclass(frozen=True)
class Origin:
    """What a row says of where it comes from."""

    task: str
    source: str
    license: str


def draw_moment(room: Room, draw: Draw) -> Moment:
    """A moment of `room` whose plan still lacks its extras (`Plan.with_extras`)."""
    scene, plan = _scene_and_plan(room, draw)
    shift = draw.chance(SHARES.topic_shift)
    mode, before, shown = _showing(plan, scene, shift=shift)
    switches = draw.chance(SHARES.code_switch) and "noise:other_units" not in plan.tags
    splits = draw.chance(SHARES.split_lead if plan.lead else SHARES.split)
    asked = ask(plan, scene, mode, split=splits, mixed=switches)
    if room.language.script and not switches and draw.chance(SHARES.script):
        asked, question, tags = _in_script(asked, room.language.script, room)
    else:
        question, tags = _typed(asked, room, draw)
    tags += ["noise:topic_shift"] * shift
    return Moment(scene, plan, mode, before, shown, asked, question, tuple(tags))


def _scene_and_plan(room: Room, draw: Draw) -> tuple[Scene, Plan]:
    """A moment at which the drawn intent makes sense; a price can always be asked."""
    intent = intents.draw_intent(room.category, draw)
    for target in draw.shuffled(room.listings) * 3:
        rest = [listing for listing in room.listings if listing is not target]
        others = draw.sample(rest, draw.weighted(((1, 0.2), (2, 0.6), (3, 0.2))))
        scene = Scene(room, draw, target, tuple(others))
        plan = intent(scene)
        if plan:
            return replace(scene, others=plan.others or scene.others), plan
    return scene, offer.price(scene)


def _showing(plan: Plan, scene: Scene, *, shift: bool) -> tuple[Mode, Listing | None, Listing]:
    """How the product is called, what was shown before (if anything) and what is shown now."""
    draw, other = scene.draw, scene.draw.pick(scene.others)
    mode: Mode = draw.weighted(_MODES) if plan.about_goods else "none"
    if mode == "shown" and shift and plan.other is None and draw.chance(_PREVIOUS):
        return "previous", scene.target, other
    at_target = mode == "shown" or plan.intent == "off_topic" or draw.chance(0.35)
    shown = scene.target if at_target else other
    rest = [listing for listing in scene.retrieved if listing is not shown]
    return mode, draw.pick(rest) if shift else None, shown


def _in_script(
    asked: Asked, script: Callable[[str], str], room: Room
) -> tuple[Asked, str, list[str]]:
    """All that one viewer types, in another script than the sheets; counted with the slips."""
    asked = replace(asked, lead=script(asked.lead))
    return asked, script(room.language.question(asked.text)), [*asked.tags, "noise:typos"]


def _typed(asked: Asked, room: Room, draw: Draw) -> tuple[str, list[str]]:
    """The question with its noise, and a tag for each kind that shows."""
    start, end, tags = "", asked.tail, list(asked.tags)
    if not asked.courteous and draw.chance(SHARES.filler):
        start, end = noise.filler(asked.text, room.language, draw, room.host)
        tags.append("noise:filler")
    text = start + asked.text
    if draw.chance(SHARES.typos - (SHARES.script if room.language.script else 0)):
        tags.append("noise:typos")
        rough = noise.typed(text, room.language, draw, asked.protected)
        return rough + (end.upper() if rough.isupper() else end), tags
    return room.language.question(text) + end, tags


def make_row(moment: Moment, row_id: str, origin: Origin) -> Row:
    """The row of a moment that is kept: history, evidence, gold and reply."""
    scene, asked = moment.scene, moment.asked
    draw, room = scene.draw, scene.room
    plan = moment.plan.with_extras(scene)
    asker, interleaved = draw.pick(room.viewers), draw.chance(SHARES.interleaved)
    said = history(moment, asker=asker, interleaved=interleaved)
    tags = (*moment.tags, *["noise:interleaved"] * interleaved)
    example = Example(
        id=row_id,
        task=origin.task,
        question=moment.question,
        viewer=asker,
        history=said,
        documents=_documents(plan, scene),
        gold=_gold(plan, asked),
        group=room.id,
        tags=_tags(plan, room, tags),
        lang=room.language.code,
        source=origin.source,
        license=origin.license,
    )
    spoken = reply(plan, scene, moment.mode, asker)
    return Row(example, spoken, replace(moment, plan=plan, tags=tags))


def _documents(plan: Plan, scene: Scene) -> tuple[Document, ...]:
    """The retrieved evidence, in no order: goods, the papers the plan needs, and some others."""
    draw, room = scene.draw, scene.room
    documents = [listing.document for listing in scene.retrieved]
    documents += plan.papers
    if not plan.papers and not plan.hide_faq and draw.chance(0.35):
        documents.append(faq_document(room, draw.below(len(room.category.faqs))))
    if draw.chance(0.4):
        documents.append(review_document(room, draw.pick(scene.retrieved), draw))
    if plan.intent in ("shipping", "returns") or draw.chance(0.25):
        documents.append(policy_document(room))
    return tuple(draw.shuffled(documents))


def _gold(plan: Plan, asked: Asked) -> FactsGold:
    helpful: dict[tuple[str, str], Fact] = {}
    for statement in plan.extras:
        for found in statement.facts:
            helpful.setdefault((found.document, found.path), found)
    taken = {(found.document, found.path) for found in plan.required}
    return FactsGold(
        answerability=plan.answerability,
        required=plan.required,
        helpful=tuple(found for key, found in helpful.items() if key not in taken),
        forbidden=plan.forbidden,
        resolved_question=asked.resolved,
    )


def _tags(plan: Plan, room: Room, noises: tuple[str, ...]) -> tuple[str, ...]:
    """intent, category, answerability and number of facts, then what the text shows."""
    fixed = (
        f"intent:{plan.intent}",
        f"category:{room.category.name}",
        f"answerability:{plan.answerability}",
        f"facts:{len(plan.required)}",
    )
    return (*fixed, *sorted(set(noises)))
