"""The builder of commerce_qa: rooms, and in each room a few questions with gold and reply."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.base import AuditUnit, Reference, Taught
from lt_bench.builders.commerce_qa.brands import SPLITS
from lt_bench.builders.commerce_qa.draw import Draw, bucket
from lt_bench.builders.commerce_qa.en import ENGLISH
from lt_bench.builders.commerce_qa.language import Language
from lt_bench.builders.commerce_qa.making import Origin, draw_moment, make_row
from lt_bench.builders.commerce_qa.room import Room, open_room
from lt_bench.builders.commerce_qa.row import Row
from lt_bench.builders.commerce_qa.trace import trace
from lt_bench.builders.commerce_qa.zh import CHINESE
from lt_bench.builders.examples import inspect_examples
from lt_bench.builders.problem import Inspected, strict
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Example

TASK: Final = "commerce_qa"
VERSION: Final = 2
ORIGIN: Final = Origin(TASK, f"lt-bench {TASK} generator v{VERSION}", "Apache-2.0")
LANGUAGES: Final[Mapping[str, tuple[Language, ...]]] = {
    "en": (ENGLISH,),
    "zh": (CHINESE,),
    "mix": (ENGLISH, CHINESE),
}
_OWNERS: Final = ("test", "test", "validation", *("train",) * 5)
"""Every question text belongs to one split, by its hash in this table."""


class Options(Config):
    """Settings of the builder in task.yaml, changed by `--set builder.KEY=VALUE`.

    lang: "en", "zh", or "mix", in which each room has one of the two.
    """

    lang: str = "en"


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
        self.languages = LANGUAGES[lang]

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
            # A room depends on its language and number alone: those of "mix" are some of "en"
            # and some of "zh".
            language = Draw(TASK, "language", split, seed, number).pick(self.languages)
            name = f"{language.code}-{split}-{seed}-{number:05d}"
            draw = Draw(TASK, VERSION, name)
            room = open_room(f"room-{name}", split, language, draw)
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

    def trajectories(self, split: str, size: int, seed: int, samples: int) -> Iterator[Taught]:
        """The rows of `build`, each with `samples` trajectories of a teacher with faults."""
        # The faults are told in the words of this package, which they import.
        from lt_bench.builders.commerce_qa.teaching import taught

        return (taught(row, samples) for row in self.rows(split, size, seed))

    def read(self, path: Path) -> Iterator[Example]:
        """The examples of a JSON Lines file that a builder or an importer wrote.

        Raises:
            UsageError: with file, line, field and fix.
        """
        return strict(path, self.inspect(path))

    def inspect(self, path: Path) -> Iterator[Inspected]:
        """Every row of such a file as an Example, or what is wrong with it."""
        return inspect_examples(path)


def plain(text: str) -> str:
    """What counts of a question text: its letters and digits. "９号 价格？" is "9号价格"."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, folded))


def owner(text: str) -> str:
    """The split that may ask `text`. Case, width, marks, spaces and emoji do not count, so that
    "price?" and "Price" are never on two sides."""
    return _OWNERS[bucket(plain(text), len(_OWNERS))]


def question_row(room: Room, split: str, row_id: str) -> Row:
    """One row of a room: drawn anew until its wording belongs to `split`."""
    for attempt in count():
        draw = Draw(TASK, VERSION, row_id, attempt)
        moment = draw_moment(room, draw)
        if owner(moment.question) == split:
            return make_row(moment, row_id, ORIGIN)
    raise AssertionError("unreachable")
