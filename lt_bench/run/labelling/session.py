"""One person's way through the replies: what is asked next, what was said, and back again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lt_bench.calibration.consensus import LabelField
from lt_bench.records import HumanLabel, Labelled
from lt_bench.run.labelling.file import LabelFile


@dataclass(frozen=True)
class Assignment:
    """A reply and the questions that this person is asked about it."""

    reply: Labelled
    fields: tuple[LabelField, ...]


class Session:
    """Asks for what a person has not said yet, in the order of the assignments. A label is in the file as
    soon as its reply is done; a reply that is left open is asked about in the next session."""

    def __init__(self, file: LabelFile, assignments: Sequence[Assignment], annotator: str) -> None:
        self.file, self.assignments, self.annotator = file, tuple(assignments), annotator
        self._said = file.labels_of(annotator)
        self._left: set[int] = set()
        self._trail = _places(self._said, assignments)
        self._place: int | None = None
        self._fields: tuple[LabelField, ...] = ()
        self._answers: list[bool] = []
        self._behind = 0
        self._go(self._next_open())

    @property
    def current(self) -> Assignment | None:
        """What is asked about now; None when nothing is left."""
        return None if self._place is None else self.assignments[self._place]

    @property
    def field(self) -> LabelField:
        """The question at hand."""
        return self._fields[len(self._answers)]

    @property
    def given(self) -> dict[LabelField, bool]:
        """What was said of this reply since it is shown."""
        return dict(zip(self._fields, self._answers, strict=False))

    @property
    def before(self) -> HumanLabel | None:
        """What this person said of it earlier."""
        current = self.current
        return self._said.get(current.reply.id) if current else None

    @property
    def revisited(self) -> bool:
        """Whether all was said of the reply at hand, and it is asked about again."""
        return self._place is not None and not self._open(self._place)

    @property
    def done(self) -> int:
        """Replies with all their labels."""
        return sum(not self._open(place) for place in range(len(self.assignments)))

    @property
    def left_open(self) -> int:
        """Replies that were left open in this session."""
        return len(self._left)

    @property
    def remaining(self) -> int:
        """Replies that this session will still ask about."""
        return len(self.assignments) - self.done - self.left_open

    def answer(self, yes: bool) -> bool:
        """Takes a yes or no; whether the reply is done with it.

        Raises:
            RunError: it cannot be written.
        """
        self._answers.append(yes)
        if len(self._answers) < len(self._fields):
            return False
        self._keep()
        self._leave()
        return True

    def skip(self) -> None:
        """Goes on. What was said of the reply is kept, the rest of it stays as it was.

        Raises:
            RunError: it cannot be written.
        """
        self._keep()
        self._leave()

    def back(self) -> bool:
        """To the question before; False when there is none. Of an earlier reply all is asked."""
        if self._answers:
            self._answers.pop()
            return True
        if not self._behind:
            return False
        self._behind -= 1
        place = self._trail[self._behind]
        self._place, self._fields = place, self.assignments[place].fields
        return True

    def _keep(self) -> None:
        current = self.current
        if current is not None and self._answers:
            id_ = current.reply.id
            self._said[id_] = self.file.give(current.reply, self.annotator, self.given)

    def _leave(self) -> None:
        """From this reply to the next open one."""
        place = self._place
        assert place is not None
        if self._open(place):
            self._left.add(place)
        else:
            self._left.discard(place)
        if place not in self._trail:
            self._trail.append(place)
        self._go(self._next_open())

    def _go(self, place: int | None) -> None:
        self._place, self._answers, self._behind = place, [], len(self._trail)
        self._fields = () if place is None else self._open(place)

    def _open(self, place: int) -> tuple[LabelField, ...]:
        """The questions that this person has not answered."""
        asked = self.assignments[place]
        said = self._said.get(asked.reply.id)
        return tuple(f for f in asked.fields if said is None or getattr(said, f) is None)

    def _next_open(self) -> int | None:
        places = range(len(self.assignments))
        return next((i for i in places if i not in self._left and self._open(i)), None)


def _places(said: Iterable[str], assignments: Sequence[Assignment]) -> list[int]:
    """The way so far: the replies this person has labelled, in the order of the file."""
    place = {one.reply.id: number for number, one in enumerate(assignments)}
    return [place[id_] for id_ in said if id_ in place]
