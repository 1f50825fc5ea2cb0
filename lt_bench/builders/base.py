"""What brings rows in: builders, labellers and importers, each the same rows every time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from lt_bench.records import Document, Example, Labelled, ToolCall, ToolResult

AuditUnit = Literal["question", "row"]
"""What must not occur in two splits: the question alone, or question, history and evidence."""


class Builder(Protocol):
    """Rows of one task: made from a seed, or read from a file a user brings."""

    version: int
    unit: AuditUnit

    def build(self, split: str, size: int, seed: int) -> Iterator[Example]:
        """`size` rows of a split, byte-identical for equal arguments.

        Raises:
            UsageError: this builder only reads files.
        """
        ...

    def read(self, path: Path) -> Iterator[Example]:
        """The rows of a file in one of the formats of this task, in file order.

        Raises:
            UsageError: with file, line, field and fix; before the first row where possible.
        """
        ...


@dataclass(frozen=True)
class Reference:
    """A row with a right reply to it, and traces that lead there, the shortest first."""

    example: Example
    reply: str
    thoughts: tuple[str, ...] = ()


@runtime_checkable
class Referring(Protocol):
    """A builder that knows right replies to the rows it makes."""

    def references(self, split: str, size: int, seed: int) -> Iterator[Reference]:
        """The rows of `build` for the same arguments, in the same order, each with its reply."""
        ...


@dataclass(frozen=True)
class ActedTurn:
    """One turn of an agent: what it thought, the calls it made with what the tools said, or the reply."""

    thought: str
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()
    reply: str = ""


@dataclass(frozen=True)
class ReferenceDialogue:
    """A row and the whole dialogue of the right agent, which ends with a turn that only replies."""

    example: Example
    turns: tuple[ActedTurn, ...]

    @property
    def reply(self) -> str:
        """What the user hears in the end."""
        return self.turns[-1].reply


@runtime_checkable
class Acting(Protocol):
    """A builder that knows the right calls to the rows it makes, with thoughts before each."""

    def dialogues(self, split: str, size: int, seed: int) -> Iterator[ReferenceDialogue]:
        """The rows of `build` for the same arguments, in the same order, each with its dialogue;
        byte-identical for equal arguments."""
        ...


@dataclass(frozen=True)
class TrajectoryLabel:
    """What a trajectory is by construction. `faults` are the names of what was done to it, none for a
    correct and helpful one."""

    correct: bool
    helpful: bool
    faults: tuple[str, ...] = ()


Output = str | tuple[str, ...]
"""What a model wrote: one raw text, or in a dialogue with tools the raw text of every turn."""


@dataclass(frozen=True)
class Attempt:
    """A whole dialogue of an agent that may err, and its label."""

    turns: tuple[ActedTurn, ...]
    label: TrajectoryLabel


@dataclass(frozen=True)
class Attempted:
    """A row and what an agent that may err did with it."""

    example: Example
    attempts: tuple[Attempt, ...]


@runtime_checkable
class Attempting(Protocol):
    """A builder that can act as a teacher does, with errors whose labels it knows."""

    def attempts(self, split: str, size: int, seed: int, samples: int) -> Iterator[Attempted]:
        """The rows of `build` for the same arguments, in the same order, each with `samples` dialogues;
        byte-identical for equal arguments."""
        ...


@dataclass(frozen=True)
class Taught:
    """A row and what a teacher wrote for it: raw outputs, `<think>` thought `</think>` reply, and
    the label of each."""

    example: Example
    outputs: tuple[Output, ...]
    labels: tuple[TrajectoryLabel, ...]


@runtime_checkable
class Teaching(Protocol):
    """A builder that can write trajectories as a teacher does, with errors whose labels it knows."""

    def trajectories(self, split: str, size: int, seed: int, samples: int) -> Iterator[Taught]:
        """The rows of `build` for the same arguments, in the same order, each with `samples` outputs;
        byte-identical for equal arguments."""
        ...


@runtime_checkable
class Reciting(Protocol):
    """A builder whose texts are made of few words, so that a model can learn them from nothing."""

    def documents(self, size: int, seed: int) -> Iterator[tuple[Example, str]]:
        """`size` train rows with the raw text of a completion to the task's prompt for each."""
        ...

    def vocabulary(self) -> tuple[str, ...]:
        """Every word that prompts, completions and the roles of the chat template are made of, in
        alphabetical order. All are separated by white space. Think tags and the special tokens of
        the template are not among them."""
        ...

    def chat_template(self) -> str:
        """The jinja2 template of a tokenizer for these words. Its special tokens are `<|im_start|>`
        and `<|im_end|>`, the end token."""
        ...


@runtime_checkable
class Sourced(Protocol):
    """A builder that reads files or data sets."""

    def sources(self) -> dict[str, str]:
        """Name -> sha256 (hex) of everything it reads; empty where it reads nothing."""
        ...


@runtime_checkable
class Limited(Protocol):
    """A builder that may not be able to make every split."""

    @property
    def splits(self) -> tuple[str, ...] | None:
        """The splits that its sources hold; None where any split can be made."""
        ...


class BuilderFactory(Protocol):
    """`options` are the builder's entry in task.yaml without `use`; unknown keys are refused."""

    def __call__(self, options: dict[str, Any]) -> Builder: ...


class Labeller(Protocol):
    """Replies of known quality, for measuring judges."""

    version: int

    def build(self, size: int, seed: int) -> Iterator[Labelled]:
        """`size` labelled replies, byte-identical for equal arguments."""
        ...


class LabellerFactory(Protocol):
    """`options` come from `--set builder.KEY=VALUE`; unknown keys are refused."""

    def __call__(self, options: dict[str, Any]) -> Labeller: ...


Imported = Example | Labelled | Document
"""What a foreign file may hold: questions, labelled replies, or a catalog of goods."""


class Importer(Protocol):
    """Reads files of one foreign format."""

    version: int

    def read(self, path: Path) -> Iterator[Imported]:
        """The rows of a file, in file order.

        Raises:
            UsageError: the file is not of that format; it names line, field and fix.
        """
        ...


@runtime_checkable
class Reading(Protocol):
    """An importer that takes a folder, or reads more than the one file it is given."""

    def files(self, path: Path) -> tuple[Path, ...]:
        """Every file that it reads for `path`.

        Raises:
            UsageError: one is missing.
        """
        ...


class ImporterFactory(Protocol):
    """`options` come from `--set importer.KEY=VALUE`; unknown keys are refused."""

    def __call__(self, options: dict[str, Any]) -> Importer: ...
