"""The builder of mini_tools: rows, right dialogues, trajectories of a teacher, documents of a base."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.base import AuditUnit, Reference, ReferenceDialogue, Taught
from lt_bench.builders.examples import inspect_examples
from lt_bench.builders.mini_tools.performance import CROWD, TEACHER, perform
from lt_bench.builders.mini_tools.recital import SHARE, recite
from lt_bench.builders.mini_tools.row import TASK, VERSION, example_of, right
from lt_bench.builders.mini_tools.scene import GOALS, Scene, draw_scene
from lt_bench.builders.mini_tools.vocabulary import (
    CHAT_TEMPLATE,
    dialogue_text,
    turn_text,
    vocabulary,
)
from lt_bench.builders.problem import Inspected, strict
from lt_bench.config import NoOptions, validate
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Example
from lt_bench.stats.draw import Draw, bucket

SPLITS: Final = ("train", "validation", "test")
_OWNERS: Final = ("test", "test", "validation", *("train",) * 5)
"""Every wording, history included, belongs to one split, by its hash in this table."""


class MiniTools:
    """A user's wish in the mini shop, in words of a closed vocabulary.

    Raises:
        UsageError: it is given an option; it has none.
    """

    version = VERSION
    unit: AuditUnit = "row"

    def __init__(self, options: dict[str, Any]) -> None:
        validate(NoOptions, options, f"builder {TASK}")

    def build(self, split: str, size: int, seed: int) -> Iterator[Example]:
        """`size` rows; the first n are the same for every size.

        Raises:
            UsageError: the split is unknown, or the size is below 0.
        """
        return (example_of(scene, row_id) for scene, row_id in self._scenes(split, size, seed))

    def references(self, split: str, size: int, seed: int) -> Iterator[Reference]:
        """The rows of `build`, each with the right last reply and the thoughts on the way to it."""
        for one in self.dialogues(split, size, seed):
            thoughts = " ".join(turn.thought for turn in one.turns)
            yield Reference(one.example, one.reply, (thoughts,))

    def dialogues(self, split: str, size: int, seed: int) -> Iterator[ReferenceDialogue]:
        """The rows of `build`, each with the dialogue of the right agent."""
        for scene, row_id in self._scenes(split, size, seed):
            yield ReferenceDialogue(example_of(scene, row_id), right(scene, row_id).turns)

    def trajectories(self, split: str, size: int, seed: int, samples: int) -> Iterator[Taught]:
        """The rows of `build`, each with `samples` dialogues of a teacher with faults.

        Raises:
            UsageError: the split is unknown, or the size is below 0.
        """
        for scene, row_id in self._scenes(split, size, seed):
            played = [
                perform(scene, Draw(TASK, VERSION, "teacher", row_id, k), TEACHER)
                for k in range(samples)
            ]
            outputs = tuple(tuple(map(turn_text, one.turns)) for one in played)
            yield Taught(example_of(scene, row_id), outputs, tuple(one.label for one in played))

    def documents(self, size: int, seed: int) -> Iterator[tuple[Example, str]]:
        """`size` train rows with what a crowd would do, the words of its tools included, or with a recital
        of such words."""
        for scene, row_id in self._scenes("train", size, seed):
            example, draw = example_of(scene, row_id), Draw(TASK, VERSION, "document", row_id)
            if scene.kind == "call" and draw.chance(SHARE):
                yield example, recite(scene, draw)
            else:
                yield example, dialogue_text(perform(scene, draw, CROWD).turns)

    def vocabulary(self) -> tuple[str, ...]:
        """Every word of prompts, completions, tools and roles."""
        return vocabulary()

    def chat_template(self) -> str:
        """ChatML with blanks between words, calls and results of tools included."""
        return CHAT_TEMPLATE

    def read(self, path: Path) -> Iterator[Example]:
        """The rows of a JSON Lines file that a builder wrote.

        Raises:
            UsageError: with file, line, field and fix.
        """
        return strict(path, self.inspect(path))

    def inspect(self, path: Path) -> Iterator[Inspected]:
        """Every row of such a file as an Example, or what is wrong with it."""
        return inspect_examples(path)

    def _scenes(self, split: str, size: int, seed: int) -> Iterator[tuple[Scene, str]]:
        if split not in SPLITS:
            raise UsageError(
                f"unknown split {split!r}.{did_you_mean(split, SPLITS)}",
                f"known: {', '.join(SPLITS)}",
            )
        if size < 0:
            raise UsageError(f"size {size} is below 0", "ask for 0 or more rows")
        ids = (f"minitools-{split}-{seed}-{number:05d}" for number in range(size))
        return ((_scene(split, row_id), row_id) for row_id in ids)


def _scene(split: str, row_id: str) -> Scene:
    """A scene drawn anew until its wording belongs to `split`; what is wanted stays, since some wishes
    have few wordings."""
    goal = Draw(TASK, VERSION, row_id).weighted(GOALS)
    for attempt in count():
        scene = draw_scene(goal, Draw(TASK, VERSION, row_id, attempt))
        if owner(scene) == split:
            return scene
    raise AssertionError("unreachable")


def owner(scene: Scene) -> str:
    """The split whose rows have this wording, in whichever shop, and however many signs follow it."""
    words = [word for word in scene.question.split() if any(map(str.isalnum, word))]
    return _OWNERS[bucket(f"{scene.said}|{' '.join(words)}", len(_OWNERS))]
