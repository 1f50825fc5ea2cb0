"""The builder of tool_dialogue: shops, and in each shop a few dialogues with gold calls and reply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.base import Attempted, AuditUnit, Reference, ReferenceDialogue
from lt_bench.builders.examples import inspect_examples
from lt_bench.builders.problem import Inspected, strict
from lt_bench.builders.tool_dialogue import talk
from lt_bench.builders.tool_dialogue.en import ENGLISH
from lt_bench.builders.tool_dialogue.faults import attempted
from lt_bench.builders.tool_dialogue.language import Language
from lt_bench.builders.tool_dialogue.row import TASK, VERSION, Played, dialogue_of, example_of
from lt_bench.builders.tool_dialogue.situations import BY_NAME, SITUATIONS, Situation
from lt_bench.builders.tool_dialogue.stage import Setting, Stage, Unfit
from lt_bench.builders.tool_dialogue.wording import SPLITS
from lt_bench.builders.tool_dialogue.zh import CHINESE
from lt_bench.config import Config, validate
from lt_bench.environments.shop import catalogue
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Example
from lt_bench.stats.draw import Draw, bucket

LANGUAGES: Final[Mapping[str, tuple[Language, ...]]] = {
    "en": (ENGLISH,),
    "zh": (CHINESE,),
    "mix": (ENGLISH, CHINESE),
}
ROWS: Final = 4
"""Dialogues in one shop, which is their group."""
TRIES: Final = 12
"""Draws of one situation in a shop before another one is tried."""
_SEEDS: Final = 2**29


class Options(Config):
    """Settings of the builder in task.yaml, changed by `--set builder.KEY=VALUE`.

    lang: "en", "zh", or "mix", in which each shop has one of the two.
    """

    lang: str = "en"


class ToolDialogue:
    """A customer of a shop, an agent with tools, and what the right agent does.

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
        return (one.example for one in self.dialogues(split, size, seed))

    def references(self, split: str, size: int, seed: int) -> Iterator[Reference]:
        """The rows of `build`, each with its last reply and all thoughts on the way to it."""
        for one in self.dialogues(split, size, seed):
            thoughts = "\n".join(turn.thought for turn in one.turns)
            yield Reference(one.example, one.reply, (thoughts,))

    def dialogues(self, split: str, size: int, seed: int) -> Iterator[ReferenceDialogue]:
        """The rows of `build`, each with the whole dialogue of the right agent.

        Raises:
            UsageError: the split is unknown, or the size is below 0.
        """
        if split not in SPLITS:
            raise UsageError(
                f"unknown split {split!r}.{did_you_mean(split, SPLITS)}",
                f"known: {', '.join(SPLITS)}",
            )
        if size < 0:
            raise UsageError(f"size {size} is below 0", "ask for 0 or more rows")
        return (self._dialogue(split, number, seed) for number in range(size))

    def attempts(self, split: str, size: int, seed: int, samples: int) -> Iterator[Attempted]:
        """The rows of `build`, each with `samples` dialogues of an agent that errs now and then.

        Raises:
            UsageError: the split is unknown, or the size is below 0.
        """
        for one in self.dialogues(split, size, seed):
            yield attempted(one, LANGUAGES[one.example.lang][0], samples)

    def _dialogue(self, split: str, number: int, seed: int) -> ReferenceDialogue:
        place, k = divmod(number, ROWS)
        # A shop depends on its language and number alone: those of "mix" are some of "en" and
        # some of "zh".
        language = Draw(TASK, "language", split, seed, place).pick(self.languages)
        name = f"{language.code}-{split}-{seed}-{place:05d}"
        world = bucket(f"{TASK}|{VERSION}|{name}", _SEEDS) * len(SPLITS) + SPLITS.index(split)
        setting = Setting(language, catalogue(world, language.code), world, split)
        row_id = f"tool-{name}-{k}"
        played = _played(setting, row_id)
        return dialogue_of(played, example_of(played, row_id, f"shop-{name}"))

    def read(self, path: Path) -> Iterator[Example]:
        """The examples of a JSON Lines file that a builder or an importer wrote.

        Raises:
            UsageError: with file, line, field and fix.
        """
        return strict(path, self.inspect(path))

    def inspect(self, path: Path) -> Iterator[Inspected]:
        """Every row of such a file as an Example, or what is wrong with it."""
        return inspect_examples(path)


def _played(setting: Setting, row_id: str) -> Played:
    """A situation that this shop has room for."""
    for attempt in count():
        weights = [(one.name, one.weight) for one in SITUATIONS]
        situation = BY_NAME[Draw(TASK, VERSION, row_id, "situation", attempt).weighted(weights)]
        for again in range(TRIES):
            draw = Draw(TASK, VERSION, row_id, attempt, again)
            played = play(situation, setting, draw)
            if played:
                return played
    raise AssertionError("unreachable")


def play(situation: Situation, setting: Setting, draw: Draw) -> Played | None:
    """A situation in a shop; None where the shop does not have what it needs."""
    stage = Stage(setting, draw)
    try:
        ending = situation.play(stage)
        talk.before(stage, open_=situation.open and ending.kind != "answer")
        stage.question = talk.typed(stage, thanks=situation.name != "chat")
        return Played(stage, ending, situation.name, stage.open().state_sha())
    except Unfit:
        return None
    finally:
        stage.close()
