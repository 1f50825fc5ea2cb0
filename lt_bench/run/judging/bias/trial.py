"""What a probe asks: labelled replies, changed or not, and what the judge said of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Protocol

from lt_bench.records import BiasProbe, Document, Labelled, Score


@dataclass(frozen=True, eq=False)
class Trial:
    """One judgement to be had. `draw` 0 is the judge as it is declared; every other number is the
    same judge under another seed."""

    row: Labelled
    draw: int = 0

    @cached_property
    def key(self) -> str:
        """The same for two trials that are one question."""
        asked = f"{self.draw}\n{self.row.reply}\n{self.row.example.model_dump_json()}"
        return sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Seen:
    """The scores of all trials, by key."""

    scores: Mapping[str, Mapping[str, Score]]

    def of(self, trial: Trial, metric: str) -> Score:
        """What the judge said."""
        return self.scores[trial.key][metric]


@dataclass(frozen=True)
class Setting:
    """What probes are made from. `rows` are in the order in which they are to be taken; `limit` is
    how many replies a probe may take; `rules`: the judge is no model but rules over gold facts."""

    rows: Sequence[Labelled]
    metrics: tuple[str, ...]
    limit: int
    rules: bool = False


class Probe(Protocol):
    """One thing that may sway a judge."""

    @property
    def name(self) -> str: ...

    @property
    def trials(self) -> Sequence[Trial]:
        """All it needs to have judged; empty where it means nothing for this judge."""
        ...

    def read(self, seen: Seen, /) -> BiasProbe:
        """What came of it."""
        ...


@dataclass(frozen=True)
class NotApplicable:
    """A probe that would mean nothing, and why."""

    name: str
    why: str
    trials: Sequence[Trial] = field(default=())

    def read(self, _: Seen, /) -> BiasProbe:
        """Says so."""
        return BiasProbe(name=self.name, word="not_applicable", sentence=self.why)


def with_reply(row: Labelled, reply: str) -> Labelled:
    """The row with another reply."""
    return row.model_copy(update={"reply": reply})


def with_documents(row: Labelled, documents: Iterable[Document]) -> Labelled:
    """The row with other documents, or the same in another order."""
    example = row.example.model_copy(update={"documents": tuple(documents)})
    return row.model_copy(update={"example": example})
