"""The invented world of the multi-hop rows: entities, what is true of them, and how it is told."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from lt_bench.builders.musique.names import GIVEN, Names
from lt_bench.builders.musique.relations import COMPOSED, KINDS, RELATIONS, Relation


@dataclass(frozen=True)
class Thing:
    """An entity or a figure: its name, how a sentence speaks of it, what to call it later."""

    kind: str
    name: str
    mention: str
    short: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fact:
    subject: Thing
    relation: Relation
    object: Thing


@dataclass(frozen=True)
class Paragraph:
    title: str
    text: str


@dataclass
class World:
    """Where one row's entities come from: names not used before, drawn by `draw`."""

    split: str
    draw: random.Random
    names: Names
    figures: set[str] = field(default_factory=set)

    def thing(self, kind: str, root: str | None = None) -> Thing:
        """A new entity of `kind`, or a new figure where the kind is none of KINDS."""
        if kind not in KINDS:
            return self._figure(kind)
        root = root or self.names.root(self.draw)
        form = self.draw.choice(KINDS[kind].forms)
        mention = form.format(root=root, given=self.draw.choice(GIVEN))
        name = mention.removeprefix("the ")
        short = KINDS[kind].mention.format(last=root)
        return Thing(kind, name, mention, short)

    def composed(self, kind: str, parts: tuple[Thing, Thing]) -> Thing:
        """The entity of `kind` that joins two others."""
        mention = COMPOSED[kind].name.format(parts[0].name, parts[1].name)
        return Thing(kind, mention.removeprefix("the "), mention, KINDS[kind].mention)

    def _figure(self, kind: str) -> Thing:
        while True:
            text, aliases = _figure(kind, self.draw)
            if text not in self.figures:
                self.figures.add(text)
                return Thing(kind, text, text, text, aliases)

    def facts(self, subject: Thing, main: Relation, value: Thing) -> list[Fact]:
        """The main fact and up to two more, first one that leads to the same kind of thing."""
        others = [r for r in RELATIONS if r.subject == subject.kind and r != main]
        self.draw.shuffle(others)
        others.sort(key=lambda relation: relation.object != main.object)
        extra = [Fact(subject, relation, self.thing(relation.object)) for relation in others[:2]]
        return [Fact(subject, main, value), *extra]

    def paragraph(self, facts: list[Fact]) -> Paragraph:
        """All that is said of one subject, in some order."""
        subject, kind = facts[0].subject, KINDS[facts[0].subject.kind]
        said = [
            self.draw.choice(fact.relation.say).format(s=subject.short, o=fact.object.mention)
            for fact in facts
        ]
        said.append(self.draw.choice(kind.filler).format(m=subject.short))
        self.draw.shuffle(said)
        opening = self.draw.choice(kind.opening).format(s=subject.mention)
        return Paragraph(
            sentence(subject.name), " ".join(sentence(text) for text in (opening, *said))
        )


def wording(wordings: tuple[str, ...], split: str) -> str:
    """The wording that belongs to a split."""
    return wordings[0 if split == "test" else 1]


def sentence(text: str) -> str:
    """`text` with a capital letter."""
    return text[0].upper() + text[1:]


def _figure(kind: str, draw: random.Random) -> tuple[str, tuple[str, ...]]:
    """A figure as text and other ways to write it."""
    if kind == "year":
        return str(draw.randrange(1850, 1996)), ()
    if kind == "people":
        return f"{draw.randrange(1_200, 90_000):,}", ()
    unit, short, low, high = {
        "length": ("kilometres", "km", 40, 900),
        "height": ("metres", "m", 20, 3_900),
    }[kind]
    number = f"{draw.randrange(low, high):,}"
    return f"{number} {unit}", (f"{number} {short}", number)
