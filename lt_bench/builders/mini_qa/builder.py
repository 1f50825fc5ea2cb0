"""The builder of mini_qa: rows, reference replies, trajectories of a teacher, documents of a base."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.base import AuditUnit, Reference, Taught
from lt_bench.builders.commerce_qa.draw import Draw, bucket
from lt_bench.builders.examples import inspect_examples
from lt_bench.builders.mini_qa.recital import SHARE, recite
from lt_bench.builders.mini_qa.row import TASK, VERSION, example_of, recital_of
from lt_bench.builders.mini_qa.scene import Scene, draw_scene
from lt_bench.builders.mini_qa.teacher import CROWD, GOOD, TEACHER, speak, think, trajectory
from lt_bench.builders.mini_qa.vocabulary import CHAT_TEMPLATE, vocabulary
from lt_bench.builders.problem import Inspected, strict
from lt_bench.config import NoOptions, validate
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Example

SPLITS: Final = ("train", "validation", "test")
_OWNERS: Final = ("test", "test", "validation", *("train",) * 5)
"""Every sheet that is asked about belongs to one split, by its hash in this table."""
_LONG_WINDED: Final = 5
"""Redundant checks of the longer trace of a reference, the mean of the teacher's."""


class MiniQA:
    """A viewer's question in a shop of twenty goods, in words of a closed vocabulary.

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
        return (example for _, example in self._rows(split, size, seed))

    def references(self, split: str, size: int, seed: int) -> Iterator[Reference]:
        """The rows of `build`, each with its reply and a short and a long trace to it."""
        for scene, example in self._rows(split, size, seed):
            yield _reference(scene, example)

    def trajectories(self, split: str, size: int, seed: int, samples: int) -> Iterator[Taught]:
        """The rows of `build`, each with `samples` trajectories of a teacher with faults.

        Raises:
            UsageError: the split is unknown, or the size is below 0.
        """
        for scene, example in self._rows(split, size, seed):
            drawn = [
                trajectory(scene, Draw(TASK, VERSION, "teacher", example.id, k), TEACHER)
                for k in range(samples)
            ]
            yield Taught(
                example, tuple(one.output for one in drawn), tuple(one.label for one in drawn)
            )

    def documents(self, size: int, seed: int) -> Iterator[tuple[Example, str]]:
        """`size` train rows with what a crowd would write, or with a recital of their evidence."""
        for scene, example in self._rows("train", size, seed):
            draw = Draw(TASK, VERSION, "document", example.id)
            if draw.chance(SHARE):
                yield recital_of(scene, example.id), recite(scene, draw)
            else:
                yield example, trajectory(scene, draw, CROWD).output

    def vocabulary(self) -> tuple[str, ...]:
        """Every word of prompts, completions and roles."""
        return vocabulary()

    def chat_template(self) -> str:
        """ChatML with blanks between words."""
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

    def _rows(self, split: str, size: int, seed: int) -> Iterator[tuple[Scene, Example]]:
        if split not in SPLITS:
            raise UsageError(
                f"unknown split {split!r}.{did_you_mean(split, SPLITS)}",
                f"known: {', '.join(SPLITS)}",
            )
        if size < 0:
            raise UsageError(f"size {size} is below 0", "ask for 0 or more rows")
        return (_row(split, f"mini-{split}-{seed}-{number:05d}") for number in range(size))


def _row(split: str, row_id: str) -> tuple[Scene, Example]:
    """A scene drawn anew until its sheet belongs to `split`."""
    for attempt in count():
        scene = draw_scene(Draw(TASK, VERSION, row_id, attempt))
        if owner(scene) == split:
            return scene, example_of(scene, row_id)
    raise AssertionError("unreachable")


def owner(scene: Scene) -> str:
    """The split that may ask about the target of a scene, whatever the order of its lines."""
    return _OWNERS[bucket("\n".join(sorted(scene.target.lines())), len(_OWNERS))]


def _reference(scene: Scene, example: Example) -> Reference:
    draw = Draw(TASK, VERSION, "reference", example.id)
    spoken = speak(scene, draw, GOOD)
    thoughts = (think(scene, spoken.extra, checks, draw) for checks in (0, _LONG_WINDED))
    return Reference(example, spoken.reply, tuple(thoughts))
