"""The builder of commerce_qa: rooms, and in each room a few questions with gold and reply."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.base import AuditUnit, Reference
from lt_bench.builders.commerce_qa import intents, noise
from lt_bench.builders.commerce_qa.brands import SPLITS
from lt_bench.builders.commerce_qa.draw import Draw, bucket
from lt_bench.builders.commerce_qa.en import ENGLISH
from lt_bench.builders.commerce_qa.history import careful, history
from lt_bench.builders.commerce_qa.intents import offer
from lt_bench.builders.commerce_qa.language import Language
from lt_bench.builders.commerce_qa.papers import faq_document, policy_document, review_document
from lt_bench.builders.commerce_qa.plan import Plan, Scene
from lt_bench.builders.commerce_qa.question import Asked, Mode, ask, finish
from lt_bench.builders.commerce_qa.room import Listing, Room, open_room
from lt_bench.builders.commerce_qa.row import Moment, Row
from lt_bench.builders.commerce_qa.speech import reply
from lt_bench.builders.commerce_qa.trace import trace
from lt_bench.builders.examples import inspect_examples
from lt_bench.builders.problem import Inspected, strict
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Document, Example, Fact, FactsGold

TASK: Final = "commerce_qa"
VERSION: Final = 1
LICENSE: Final = "Apache-2.0"
LANGUAGES: Final[Mapping[str, Language]] = {"en": ENGLISH}
_MODES: Final[tuple[tuple[Mode, float], ...]] = (("shown", 0.53), ("slot", 0.25), ("name", 0.22))
_PREVIOUS: Final = 0.15
_OWNERS: Final = ("test", "test", "validation", *("train",) * 5)
"""Every question text belongs to one split, by its hash in this table."""


class Options(Config):
    """Settings of the builder in task.yaml, changed by `--set builder.KEY=VALUE`."""

    lang: str = "en"


@dataclass(frozen=True)
class Shares:
    """How often each phenomenon of a live comment occurs, where it can."""

    typos: float = 0.35
    filler: float = 0.25
    split: float = 0.20
    interleaved: float = 0.30
    code_switch: float = 0.08
    topic_shift: float = 0.20


SHARES: Final = Shares()


class CommerceQA:
    """A viewer's comment in a shopping stream, with dialogue, evidence and gold facts.

    Raises:
        UsageError: an option is unknown, or its language is not there.
    """

    version = VERSION
    unit: AuditUnit = "row"

    def __init__(self, options: dict[str, Any]) -> None:
        lang = validate(Options, options, f"builder {TASK}").lang
        if lang not in LANGUAGES:
            raise UsageError(
                f"builder {TASK}: no language {lang!r}", f"known: {', '.join(LANGUAGES)}"
            )
        self.language = LANGUAGES[lang]

    def build(self, split: str, size: int, seed: int) -> Iterator[Example]:
        """`size` examples; the first n are the same for every size.

        Raises:
            UsageError: the split is unknown, or the size is below 0.
        """
        return (row.example for row in self.rows(split, size, seed))

    def rows(self, split: str, size: int, seed: int) -> Iterator[Row]:
        """The rows of `build`, each with its reference reply."""
        if split not in SPLITS:
            raise UsageError(
                f"unknown split {split!r}.{did_you_mean(split, SPLITS)}",
                f"known: {', '.join(SPLITS)}",
            )
        if size < 0:
            raise UsageError(f"size {size} is below 0", "ask for 0 or more rows")
        return self._rows(split, size, seed)

    def _rows(self, split: str, size: int, seed: int) -> Iterator[Row]:
        left = size
        for number in count():
            name = f"{self.language.code}-{split}-{seed}-{number:05d}"
            draw = Draw(TASK, VERSION, name)
            room = open_room(f"room-{name}", split, self.language, draw)
            for k in range(draw.between(3, 4)):
                if left == 0:
                    return
                yield question_row(room, split, f"commerce-{name}-{k}")
                left -= 1

    def references(self, split: str, size: int, seed: int) -> Iterator[Reference]:
        """The rows of `build`, each with its reply and a short and a long trace to it."""
        for row in self.rows(split, size, seed):
            thoughts = trace(row)
            yield Reference(row.example, row.reply, (thoughts.short, thoughts.long))

    def read(self, path: Path) -> Iterator[Example]:
        """The examples of a JSON Lines file that a builder or an importer wrote.

        Raises:
            UsageError: with file, line, field and fix.
        """
        return strict(path, self.inspect(path))

    def inspect(self, path: Path) -> Iterator[Inspected]:
        """Every row of such a file as an Example, or what is wrong with it."""
        return inspect_examples(path)


def owner(text: str) -> str:
    """The split that may ask `text`. Case, marks and spaces do not count, so that "price?" and
    "Price" are never on two sides."""
    return _OWNERS[bucket(" ".join(re.findall(r"\w+", text.lower())), len(_OWNERS))]


def question_row(room: Room, split: str, row_id: str) -> Row:
    """One row of a room: drawn anew until its wording belongs to `split`."""
    for attempt in count():
        draw = Draw(TASK, VERSION, row_id, attempt)
        moment = _moment(room, draw)
        if owner(moment.question) == split:
            return _row(moment, room, row_id, draw)
    raise AssertionError("unreachable")


def _moment(room: Room, draw: Draw) -> Moment:
    scene, plan = _scene_and_plan(room, draw)
    shift = draw.chance(SHARES.topic_shift)
    mode, before, shown = _showing(plan, scene, shift=shift)
    switches = draw.chance(SHARES.code_switch) and "noise:other_units" not in plan.tags
    asked = ask(plan, scene, mode, split=draw.chance(SHARES.split), mixed=switches)
    question, tags = _typed(asked, room, draw)
    tags += ["noise:topic_shift"] * shift
    return Moment(scene, plan, mode, before, shown, asked, question, tuple(tags))


def _row(moment: Moment, room: Room, row_id: str, draw: Draw) -> Row:
    scene, plan, lead = moment.scene, moment.plan, moment.asked.lead
    asker, interleaved = draw.pick(room.viewers), draw.chance(SHARES.interleaved)
    lead = careful(lead, draw) if lead else ""
    example = Example(
        id=row_id,
        task=TASK,
        question=moment.question,
        viewer=asker,
        history=history(
            scene, moment.before, moment.shown, asker=asker, lead=lead, interleaved=interleaved
        ),
        documents=_documents(plan, scene, draw),
        gold=_gold(plan, moment.asked),
        group=room.id,
        tags=_tags(plan, room, (*moment.tags, *["noise:interleaved"] * interleaved)),
        lang=room.language.code,
        source=f"lt-bench {TASK} generator v{VERSION}",
        license=LICENSE,
    )
    return Row(example, reply(plan, scene, moment.mode, asker), moment)


def _scene_and_plan(room: Room, draw: Draw) -> tuple[Scene, Plan]:
    """A moment at which the drawn intent makes sense; a price can always be asked."""
    intent = intents.draw_intent(room.category, draw)
    for target in draw.shuffled(room.listings) * 3:
        rest = [listing for listing in room.listings if listing is not target]
        others = draw.sample(rest, draw.weighted(((1, 0.2), (2, 0.6), (3, 0.2))))
        scene = Scene(room, draw, target, tuple(others))
        plan = intent(scene)
        if plan:
            return scene, plan
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


def _typed(asked: Asked, room: Room, draw: Draw) -> tuple[str, list[str]]:
    """The question with its noise, and a tag for each kind that shows."""
    text, tags = asked.text, list(asked.tags)
    if draw.chance(SHARES.filler):
        text = noise.filled(text, room.language, draw, room.host)
        tags.append("noise:filler")
    if draw.chance(SHARES.typos):
        text = noise.typed(text, room.language, draw, asked.protected)
        tags.append("noise:typos")
        return text, tags
    return finish(text), tags


def _documents(plan: Plan, scene: Scene, draw: Draw) -> tuple[Document, ...]:
    """The retrieved evidence, in no order: goods, the papers the plan needs, and some others."""
    documents = [listing.document for listing in scene.retrieved]
    documents += plan.papers
    if not plan.papers and not plan.hide_faq and draw.chance(0.35):
        documents.append(faq_document(scene.room, draw.below(len(scene.room.category.faqs))))
    if draw.chance(0.4):
        documents.append(review_document(scene.room, draw.pick(scene.retrieved), draw))
    if plan.intent in ("shipping", "returns") or draw.chance(0.25):
        documents.append(policy_document(scene.room))
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
