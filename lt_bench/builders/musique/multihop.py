"""Multi-hop questions over an invented world, in the original MuSiQue schema.

Row 2k and row 2k + 1 end in the same single-hop question and reach it from different starts. Each
hop needs its own paragraph: the question names the start alone, and for every paragraph on the
way there are others with the same relation (parallel chains) and, where the start has two relations
to one kind of thing (author and illustrator), one for whoever takes the wrong one.

A row depends on split, seed and its index only, so that a longer build begins with the shorter one.
Splits share no name, and the test split shares no wording of a question with the others.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lt_bench.builders.musique.names import SPLITS, Names, anchor_root, seeded, split_number
from lt_bench.builders.musique.relations import COMPOSED, KINDS, RELATIONS, Relation
from lt_bench.builders.musique.world import Fact, Paragraph, Thing, World, sentence, wording

PARAGRAPHS = 20
HOPS, HOP_WEIGHTS = (2, 3, 4), (0.5, 0.33, 0.17)
"""Lengths of linear chains, in about the shares of MuSiQue's own development set."""
COMPOSED_SHARE = 0.12
SHARED_BY = 2
"""Rows that end in one final question."""

SIMPLE = tuple(relation for relation in RELATIONS if relation.subject not in COMPOSED)
REACHABLE = tuple(dict.fromkeys(r.object for r in RELATIONS if r.object in KINDS))


@dataclass(frozen=True)
class Hop:
    """One single-hop question of a row: its number, its text, the answer and where it stands."""

    number: int
    question: str
    answer: Thing
    paragraph: Paragraph


@dataclass(frozen=True)
class Draft:
    """A row before its paragraphs are mixed: wrong turns first, then as many others as fit."""

    shape: str
    question: str
    hops: list[Hop]
    wrong_turns: list[Paragraph]
    others: Iterator[Paragraph]


def rows(split: str, size: int, seed: int) -> Iterator[dict[str, Any]]:
    """The first `size` rows of a split, each with the keys of the original in their order.

    Raises:
        UsageError: no such split, or more rows than the split has names for.
    """
    split_number(split)
    return (_row(split, seed, index) for index in range(size))


def reference(row: dict[str, Any], numbers: dict[int, int]) -> str:
    """A right answer to a row: a short trace, then the reply. `numbers` maps the index of a
    paragraph to the number it has in the prompt."""
    answers: dict[int, str] = {}
    steps, cited = [], []
    for place, hop in enumerate(row["question_decomposition"], start=1):
        subject, _, relation = hop["question"].partition(" >> ")
        for earlier, answer in answers.items():
            subject = subject.replace(f"#{earlier}", answer)
        answers[place] = hop["answer"]
        cited.append(numbers[hop["paragraph_support_idx"]])
        steps.append(f"The {relation} of {subject}: document {cited[-1]} says {hop['answer']}.")
    support = ", ".join(str(number) for number in sorted(cited))
    trace = "\n".join(steps)
    return f"<think>\n{trace}\n</think>\n\nAnswer: {row['answer']}\nSupport: {support}"


def _row(split: str, seed: int, index: int) -> dict[str, Any]:
    """Row `index`: its shared end first, then its own way there, then what distracts from it."""
    names = Names(split)
    end = World(split, seeded("end", seed, split, index // SHARED_BY), names)
    own = World(split, seeded("way", seed, split, index), names, end.figures)
    root, numbers = anchor_root(split, seed, index), _numbers(split, index)
    make = _composed if end.draw.random() < COMPOSED_SHARE else _linear
    return _as_musique(make(end, own, root, numbers), own.draw)


def _numbers(split: str, index: int) -> Iterator[int]:
    """Numbers of a row's single-hop questions, the final one first: who shares it, shares that."""
    shared, way = divmod(index, SHARED_BY)
    base, longest = shared * (1 + SHARED_BY * max(HOPS)), max(HOPS)
    for place in (0, *range(1 + way * longest, 1 + (way + 1) * longest)):
        yield (base + place) * len(SPLITS) + split_number(split)


def _linear(end: World, own: World, root: str, numbers: Iterator[int]) -> Draft:
    """One chain of two to four relations."""
    last = end.draw.choice([r for r in RELATIONS if r.subject in REACHABLE])
    end_facts = end.facts(end.thing(last.subject), last, end.thing(last.object))
    end_paragraph, end_number = end.paragraph(end_facts), next(numbers)
    relations = _way_to(last, own.draw.choices(HOPS, HOP_WEIGHTS)[0], own.draw)
    start = own.thing(relations[0].subject, root)
    chain = _chain(own, start, relations[:-1], end_facts[0].subject)
    asked, hops = start.mention, []
    for place, facts in enumerate(chain):
        relation, subject = facts[0].relation, f"#{place}" if place else start.name
        asked = wording(relation.noun, own.split).format(x=asked)
        question = f"{subject} >> {relation.name}"
        hops.append(Hop(next(numbers), question, facts[0].object, own.paragraph(facts)))
    question = f"#{len(chain)} >> {last.name}"
    hops.append(Hop(end_number, question, end_facts[0].object, end_paragraph))
    return Draft(
        shape={2: "2hop", 3: "3hop1", 4: "4hop1"}[len(hops)],
        question=wording(last.ask, own.split).format(x=asked),
        hops=hops,
        wrong_turns=list(_wrong_turns(own, chain, relations[1:])),
        others=_parallel(own, relations),
    )


def _composed(end: World, own: World, root: str, numbers: Iterator[int]) -> Draft:
    """Two branches of one relation each that meet in a question about both their ends."""
    kind = end.draw.choice(tuple(COMPOSED))
    parts = (end.thing(COMPOSED[kind].parts[0]), end.thing(COMPOSED[kind].parts[1]))
    last = end.draw.choice([r for r in RELATIONS if r.subject == kind])
    end_facts = end.facts(end.composed(kind, parts), last, end.thing(last.object))
    end_paragraph, end_number = end.paragraph(end_facts), next(numbers)
    relations = _branches(parts, own.draw)
    roots = (root, None)
    asked, hops, chain = [], [], []
    for part, relation, name in zip(parts, relations, roots, strict=True):
        start = own.thing(relation.subject, name)
        facts = own.facts(start, relation, part)
        chain.append(facts)
        asked.append(wording(relation.noun, own.split).format(x=start.mention))
        question = f"{start.name} >> {relation.name}"
        hops.append(Hop(next(numbers), question, part, own.paragraph(facts)))
    question = f"{COMPOSED[kind].asked.format('#1', '#2')} >> {last.name}"
    hops.append(Hop(end_number, question, end_facts[0].object, end_paragraph))
    return Draft(
        shape="3hop2",
        question=wording(last.ask, own.split).format(x=COMPOSED[kind].asked.format(*asked)),
        hops=hops,
        wrong_turns=list(_wrong_parts(own, kind, parts, chain, last)),
        others=_parallel_branches(own, kind, relations, last),
    )


def _way_to(last: Relation, count: int, draw: random.Random) -> list[Relation]:
    """`count` relations of which each leads to the subject of the next, none of them twice."""
    way = [last]
    while len(way) < count:
        first = len(way) == count - 1
        choices = [
            r
            for r in SIMPLE
            if r.object == way[0].subject and r not in way and (first or r.subject in REACHABLE)
        ]
        # Only one relation leads to a university: a way that has used it may be stuck.
        way = [draw.choice(choices), *way] if choices else [last]
    return way


def _branches(parts: tuple[Thing, Thing], draw: random.Random) -> list[Relation]:
    """For each part another relation that leads to its kind."""
    chosen: list[Relation] = []
    for part in parts:
        taken = {relation.subject for relation in chosen}
        chosen.append(
            draw.choice([r for r in SIMPLE if r.object == part.kind and r.subject not in taken])
        )
    return chosen


def _chain(
    world: World, start: Thing, relations: list[Relation], end: Thing | None
) -> list[list[Fact]]:
    """What is said of each subject on the way from `start` along `relations` to `end`."""
    chain: list[list[Fact]] = []
    subject = start
    for place, relation in enumerate(relations, start=1):
        arrived = end if end and place == len(relations) else world.thing(relation.object)
        chain.append(world.facts(subject, relation, arrived))
        subject = arrived
    return chain


def _wrong_turns(
    world: World, chain: list[list[Fact]], following: list[Relation]
) -> Iterator[Paragraph]:
    """For each subject with a second relation to the same kind of thing: what the next question
    finds there."""
    for facts, relation in zip(chain, following, strict=True):
        if wrong := _second(facts):
            value = world.thing(relation.object)
            yield world.paragraph(world.facts(wrong, relation, value))


def _wrong_parts(
    world: World, kind: str, parts: tuple[Thing, Thing], chain: list[list[Fact]], last: Relation
) -> Iterator[Paragraph]:
    """The same question about one right and one wrong part."""
    for place, facts in enumerate(chain):
        wrong = _second(facts) or world.thing(parts[place].kind)
        pair = (wrong, parts[1]) if place == 0 else (parts[0], wrong)
        subject = world.composed(kind, pair)
        yield world.paragraph(world.facts(subject, last, world.thing(last.object)))


def _second(facts: list[Fact]) -> Thing | None:
    """The object of another fact than the first that is of the first one's kind."""
    kind = facts[0].object.kind
    return next((fact.object for fact in facts[1:] if fact.object.kind == kind), None)


def _parallel(world: World, relations: list[Relation]) -> Iterator[Paragraph]:
    """Chains along the same relations from other starts, without end."""
    while True:
        start = world.thing(relations[0].subject)
        for facts in _chain(world, start, relations, None):
            yield world.paragraph(facts)


def _parallel_branches(
    world: World, kind: str, relations: list[Relation], last: Relation
) -> Iterator[Paragraph]:
    """Other branches along the same relations and what they meet in, without end."""
    while True:
        parts = []
        for relation in relations:
            parts.append(world.thing(relation.object))
            start = world.thing(relation.subject)
            yield world.paragraph(world.facts(start, relation, parts[-1]))
        subject = world.composed(kind, (parts[0], parts[1]))
        yield world.paragraph(world.facts(subject, last, world.thing(last.object)))


def _as_musique(draft: Draft, draw: random.Random) -> dict[str, Any]:
    supporting = [hop.paragraph for hop in draft.hops]
    others = itertools.chain(draft.wrong_turns, draft.others)
    mixed = [*supporting, *itertools.islice(others, PARAGRAPHS - len(supporting))]
    draw.shuffle(mixed)
    answer = draft.hops[-1].answer
    return {
        "id": f"{draft.shape}__syn_{'_'.join(str(hop.number) for hop in draft.hops)}",
        "paragraphs": [
            {
                "idx": idx,
                "title": paragraph.title,
                "paragraph_text": paragraph.text,
                "is_supporting": paragraph in supporting,
            }
            for idx, paragraph in enumerate(mixed)
        ],
        "question": sentence(draft.question),
        "question_decomposition": [
            {
                "id": hop.number,
                "question": hop.question,
                "answer": hop.answer.name,
                "paragraph_support_idx": mixed.index(hop.paragraph),
            }
            for hop in draft.hops
        ],
        "answer": answer.name,
        "answer_aliases": list(answer.aliases),
        "answerable": True,
    }
