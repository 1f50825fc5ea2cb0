"""Which row of a task each answer of a log belongs to.

By an id, else by the question, word for word. Never by position: a log of other rows, or of the same in
another order, would be scored without a murmur.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

from lt_bench.errors import UsageError
from lt_bench.integrations.runs.log import Logged
from lt_bench.records import Example, Prompt
from lt_bench.run.examples import ids_of
from lt_bench.run.naming import named

SHOWN: Final = 6
"""Names in a message; the others are counted."""

Place = tuple[str, int]
"""Example id and sample index."""


@dataclass
class Matched:
    """Answers by their places. `strangers` are of no row, `told_twice` stand in the log more than once;
    of `compared` prompts that the log holds, `as_ours` have the words of the task's own; `prompts` are
    their hashes by example."""

    answers: dict[Place, Logged] = field(default_factory=dict)
    by_id: int = 0
    by_question: int = 0
    told_twice: int = 0
    strangers: list[str] = field(default_factory=list)
    compared: int = 0
    as_ours: int = 0
    prompts: dict[str, str] = field(default_factory=dict)

    @property
    def samples(self) -> int:
        """Answers of the row that has most."""
        return max((index for _, index in self.answers), default=0) + 1

    @property
    def asked_as_ours(self) -> bool:
        """Whether the model was asked in the words of the task, as far as the log tells."""
        return self.as_ours == self.compared


class _Rows:
    """The rows of a task, by id and by question."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.examples = examples
        self.numbers = {name: number for number, name in enumerate(ids_of(examples))}
        self._questions: dict[str, str | None] | None = None

    def find(self, logged: Logged) -> tuple[str | None, bool]:
        """The id of its row, and whether that took its question."""
        known = next((name for name in logged.ids if name in self.numbers), None)
        if known is not None:
            return known, False
        found = (self.questions.get(_plain(text)) for text in logged.texts)
        return next((name for name in found if name is not None), None), True

    @property
    def questions(self) -> dict[str, str | None]:
        """Question -> id; None where several rows ask the same."""
        if self._questions is None:
            self._questions = {}
            for example in self.examples:
                text = _plain(example.question)
                self._questions[text] = None if text in self._questions else example.id
        return self._questions


def match(
    answers: Iterable[Logged], examples: Sequence[Example], prompt: Callable[[Example], Prompt]
) -> Matched:
    """Every answer at its place.

    Raises:
        UsageError: none is of any row, or two claim one place with different answers.
    """
    rows, found, seen = _Rows(examples), Matched(), 0
    next_free = dict[str, int]()
    for logged in answers:
        seen += 1
        name, by_question = rows.find(logged)
        if name is None:
            found.strangers.append(logged.ids[0] if logged.ids else logged.where)
            continue
        index = next_free.get(name, 0) if logged.sample_index is None else logged.sample_index
        next_free[name] = max(next_free.get(name, 0), index + 1)
        if _settle(found, (name, index), logged):
            found.by_id += not by_question
            found.by_question += by_question
            _compare(found, logged, examples[rows.numbers[name]], prompt)
    if not found.answers:
        raise _none(found, seen, examples)
    return found


def _settle(found: Matched, place: Place, logged: Logged) -> bool:
    """Puts an answer in its place; False where it stands there already."""
    before = found.answers.get(place)
    if before is None:
        found.answers[place] = replace(logged, asked="", texts=())
        return True
    if before.outcome != logged.outcome:
        raise UsageError(
            f"{named(*place)} has two answers: {before.where}, and {logged.where}",
            "remove one of them from the log, or import the runs one by one",
        )
    found.told_twice += 1
    return False


def _compare(
    found: Matched, logged: Logged, example: Example, prompt: Callable[[Example], Prompt]
) -> None:
    """Looks whether all messages of the task's prompt stand in what was asked, in their order."""
    if not logged.asked:
        return
    found.compared += 1
    found.prompts[example.id] = sha256(logged.asked.encode("utf-8", "surrogatepass")).hexdigest()
    at = 0
    for message in prompt(example).messages:
        place = logged.asked.find(message.content.strip(), at)
        if place < 0:
            return
        at = place + len(message.content.strip())
    found.as_ours += 1


def _plain(text: str) -> str:
    return " ".join(text.split())


def _none(found: Matched, seen: int, examples: Sequence[Example]) -> UsageError:
    if not seen:
        return UsageError("the log holds no answers", "name a log with samples in it")
    ours = next(iter(ids_of(examples)))
    return UsageError(
        f"none of the {seen} answers is of a row of this task: the log has, for example, "
        f"{named(found.strangers[0])}, the data {named(ours)}",
        "name the rows that were asked with --data, and their task with --task",
    )


def some(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    shown = ", ".join(named(name) for name in names[:SHOWN])
    more = len(names) - SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
