"""What a choice among trajectories did to the corpus: lengths, tags and known faults of those that were
offered, passed, were admitted and were refused."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from lt_bench.records import Example, Number, Record, Sample, Turn

WORD: Final = re.compile(r"[㐀-鿿豈-﫿]|[^\s㐀-鿿豈-﫿]+")
"""A word between blanks, or a Chinese character."""

Unit = Literal["tokens", "words"]
Group = Literal["offered", "passed", "admitted", "refused"]
GROUPS: Final[tuple[Group, ...]] = ("offered", "passed", "admitted", "refused")
"""`refused` are those that did not pass: of those that did, at most one an input is admitted."""


class Lengths(Record):
    """Mean lengths of `n` trajectories that have an answer; None where there is none."""

    n: int
    thought: Number | None
    reply: Number | None


class Share(Record):
    """How many trajectories with a tag, or a fault, were offered, passed and were admitted."""

    offered: int = 0
    passed: int = 0
    admitted: int = 0


class Survey(Record):
    """`lengths` by group, in `unit`: tokens where all were counted, else words. `tags` of the inputs;
    `faults` of the trajectories, where their writer knows them ("none": there is none)."""

    unit: Unit
    lengths: dict[str, Lengths]
    tags: dict[str, Share]
    faults: dict[str, Share]


@dataclass(frozen=True)
class Thinking:
    """Lengths of one answer, counted by its engine where it was, else in words."""

    unit: Unit
    thought: int
    reply: int

    @property
    def total(self) -> int:
        return self.thought + self.reply

    @classmethod
    def of(cls, turn: Turn) -> Thinking:
        usage = turn.usage
        if usage is not None and usage.reasoning is not None and usage.reply is not None:
            return cls("tokens", usage.reasoning, usage.reply)
        return cls.in_words(turn)

    @classmethod
    def in_words(cls, turn: Turn) -> Thinking:
        return cls("words", words(turn.reasoning or ""), words(turn.reply))

    @classmethod
    def over(cls, turns: Sequence[Turn], *, in_words: bool = False) -> Thinking:
        """All answers of a dialogue; in words where one of them was not counted. Calls are neither
        thought nor reply."""
        found = [cls.in_words(turn) if in_words else cls.of(turn) for turn in turns]
        if len({one.unit for one in found}) > 1:
            found = [cls.in_words(turn) for turn in turns]
        thought, reply = sum(one.thought for one in found), sum(one.reply for one in found)
        return cls(found[0].unit, thought, reply)


def shortest(dialogues: Sequence[Sequence[Turn]]) -> int:
    """The number of the shortest answer, or dialogue, the first of several: in tokens where all are
    counted."""
    found = [Thinking.over(turns) for turns in dialogues]
    if any(one.unit == "words" for one in found):
        found = [Thinking.over(turns, in_words=True) for turns in dialogues]
    return min(range(len(found)), key=lambda number: found[number].total)


def words(text: str) -> int:
    """How many there are; Chinese ones are counted by character."""
    return sum(1 for _ in WORD.finditer(text))


@dataclass
class _Sum:
    n: int = 0
    thought: int = 0
    reply: int = 0

    def add(self, one: Thinking) -> None:
        self.n, self.thought, self.reply = (
            self.n + 1,
            self.thought + one.thought,
            self.reply + one.reply,
        )

    def mean(self) -> Lengths:
        return Lengths(
            n=self.n,
            thought=self.thought / self.n if self.n else None,
            reply=self.reply / self.n if self.n else None,
        )


@dataclass
class Tally:
    """Sums over trajectories, one at a time. `known` are the faults of some by (example id, sample)."""

    known: Mapping[tuple[str, int], tuple[str, ...]]
    _counted: dict[tuple[Unit, Group], _Sum] = field(default_factory=lambda: defaultdict(_Sum))
    _tags: dict[Group, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _faults: dict[Group, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _uncounted: int = 0

    def add(self, example: Example, sample: Sample, *, passed: bool, taken: bool) -> None:
        """One trajectory and what became of it."""
        groups = tuple(_groups(passed=passed, taken=taken))
        faults = self.known.get((sample.key.example_id, sample.key.sample_index), ())
        for group in groups:
            self._tags[group].update(set(example.tags))
            self._faults[group].update(faults)
        if sample.generation is None:
            return
        turns = sample.generation.turns
        found = Thinking.over(turns)
        self._uncounted += found.unit == "words"
        for group in groups:
            self._counted[found.unit, group].add(found)
            if found.unit == "tokens":
                self._counted["words", group].add(Thinking.over(turns, in_words=True))

    def survey(self) -> Survey:
        """What all of them come to."""
        unit: Unit = "words" if self._uncounted else "tokens"
        return Survey(
            unit=unit,
            lengths={group: self._counted[unit, group].mean() for group in GROUPS},
            tags=_shares(self._tags),
            faults=_shares(self._faults),
        )


def _groups(*, passed: bool, taken: bool) -> Iterator[Group]:
    yield "offered"
    if not passed:
        yield "refused"
        return
    yield "passed"
    if taken:
        yield "admitted"


def _shares(counted: Mapping[Group, Counter[str]]) -> dict[str, Share]:
    """By name, the commonest first."""
    return {
        name: Share(
            offered=count, passed=counted["passed"][name], admitted=counted["admitted"][name]
        )
        for name, count in sorted(counted["offered"].items(), key=lambda one: (-one[1], one[0]))
    }
