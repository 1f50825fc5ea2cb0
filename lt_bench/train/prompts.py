"""How many rows and how long prompts a stage will see: counted where a tokenizer is here, else estimated."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Final

from lt_bench.backends.transformers.folder import has_tokenizer, looks_local
from lt_bench.builders.base import ActedTurn, Acting, Output, Reciting, Teaching
from lt_bench.errors import LtBenchError, UsageError
from lt_bench.records import Example, Prompt
from lt_bench.task import Task
from lt_bench.text.tool_prompt import calls_in_words
from lt_bench.train.parents import BUILTIN, cached_file, config_of, place_of
from lt_bench.train.recipe import PretrainStage, Rows

LOOKED_AT: Final = 64
"""Prompts that are counted; the mean of more would differ little."""
LETTERS_A_TOKEN: Final = 4.0
SIGNS_A_TOKEN: Final = 1.5
"""Characters a token: of English, and of scripts without spaces. Common vocabularies lie near."""
MARKUP: Final = 4
"""Tokens by which a chat template sets off one message."""

Counter = Callable[[Prompt], int]


@dataclass(frozen=True)
class PromptLengths:
    """`rows` of the stage; mean and longest prompt in tokens over `counted` of them, by `how`."""

    rows: int
    mean: float
    longest: int
    counted: int
    how: str
    remarks: tuple[str, ...] = ()


def prompt_lengths(task: Task, rows: Rows, model: str | PretrainStage) -> PromptLengths:
    """What the prompts of a stage come to, for the tokenizer of `model`.

    Raises:
        UsageError: the file of the rows cannot be used.
    """
    count, examples, remarks = _some(task, rows)
    counter, how = _counter(model)
    lengths = [counter(task.prompt(example)) for example in examples]
    return PromptLengths(count, fmean(lengths), max(lengths), len(lengths), how, remarks)


def document_tokens(task: Task, seed: int) -> float:
    """Words of a generated document, which are its tokens: the mean of some."""
    builder = task.builder
    assert isinstance(builder, Reciting)
    return fmean(_words_of(text) for _, text in builder.documents(LOOKED_AT, seed))


def taught_tokens(task: Task, rows: Rows, model: str | PretrainStage) -> float | None:
    """Mean tokens of a reference trajectory (thought and reply); None where the builder writes none."""
    count_text = _words_of if isinstance(model, PretrainStage) else _of_text
    if isinstance(task.builder, Teaching):
        taught = task.builder.trajectories(rows.split, LOOKED_AT, rows.seed, 1)
        return fmean(count_text(_joined(output)) for one in taught for output in one.outputs)
    if isinstance(task.builder, Acting):
        acted = task.builder.dialogues(rows.split, LOOKED_AT, rows.seed)
        return fmean(count_text(" ".join(_words_in(one.turns))) for one in acted)
    return None


@dataclass(frozen=True)
class Dialogues:
    """Mean answers of a dialogue with tools, and tokens of all that is written and read in it after its
    prompt."""

    turns: float
    tokens: float


def dialogues(task: Task, rows: Rows, model: str | PretrainStage) -> Dialogues | None:
    """Those of the builder's right dialogues; None where it writes none, or the rows are a file's."""
    if rows.file is not None or not isinstance(task.builder, Acting):
        return None
    acted = [one.turns for one in task.builder.dialogues(rows.split, LOOKED_AT, rows.seed)]
    count_text = _words_of if isinstance(model, PretrainStage) else _of_text
    said = fmean(count_text(" ".join(_words_in(turns))) for turns in acted)
    turns = fmean(map(len, acted))
    return Dialogues(turns, said + MARKUP * (2 * turns - 1))


def played(task: Task, rows: Rows) -> bool:
    """Whether answers to these rows are dialogues: they have tools, and a world to run calls in."""
    _, examples, _ = _some(task, rows)
    return any(one.tools and one.world for one in examples)


def _joined(output: Output) -> str:
    return output if isinstance(output, str) else " ".join(output)


def _words_in(turns: Iterable[ActedTurn]) -> Iterator[str]:
    """What is written and read in a dialogue."""
    for turn in turns:
        yield from (turn.thought, turn.reply, *(one.content for one in turn.results))
        yield from (calls_in_words([call]) for call in turn.calls)


def _words_of(text: str) -> int:
    return len(text.split()) + 1


@lru_cache(maxsize=4)
def _some(task: Task, rows: Rows) -> tuple[int, Sequence[Example], tuple[str, ...]]:
    """How many rows there are, the first of them, and remarks. Kept, as the stages of a recipe mostly
    share their rows, and each is asked for them more than once."""
    if rows.file is not None:
        count, kept = 0, []
        for example in task.stream(rows.file.expanduser(), rows.limit):
            count += 1
            if count <= LOOKED_AT:
                kept.append(example)
        return count, tuple(kept), ()
    count = min(rows.rows, rows.limit or rows.rows)
    try:
        made = task.builder.build(rows.split, min(count, LOOKED_AT), rows.seed)
        return count, tuple(islice(made, LOOKED_AT)), ()
    except UsageError as error:
        sample = tuple(task.examples(task.sample, LOOKED_AT))
        cause = f"rows cannot be made here ({error.cause}): prompts are the shipped sample's"
        return count, sample, (cause,)


def _counter(model: str | PretrainStage) -> tuple[Counter, str]:
    """Counts the tokens of a prompt, and how it does."""
    if isinstance(model, PretrainStage):
        return _words, "one word one token"
    try:
        return _tokenizer(model), f"tokenizer of {model}"
    except (ImportError, OSError, ValueError, KeyError, TypeError, LtBenchError):
        return _guess, "estimated from characters; its tokenizer cannot be read here"


def _words(prompt: Prompt) -> int:
    return sum(len(message.content.split()) + MARKUP for message in prompt.messages)


def _guess(prompt: Prompt) -> int:
    tools = _of_text(json.dumps(prompt.tools, ensure_ascii=False)) if prompt.tools else 0
    return tools + sum(_of_text(message.content) + MARKUP for message in prompt.messages)


def _of_text(text: str) -> int:
    plain = len(text.encode("ascii", "ignore"))
    return round(plain / LETTERS_A_TOKEN + (len(text) - plain) / SIGNS_A_TOKEN)


def _tokenizer(model: str) -> Counter:
    """By the model's own chat template. Nothing is fetched.

    Raises:
        OSError, ValueError, ImportError: it is not here, or cannot be read.
    """
    if model.startswith(BUILTIN) and config_of(model) is None:
        raise OSError(f"{model} is not converted yet")
    place = place_of(model, {})
    if not looks_local(place) and cached_file(place, "tokenizer_config.json") is None:
        raise OSError(f"{model} is not cached")
    if Path(place).is_dir() and not has_tokenizer(Path(place)):
        raise OSError(f"{model} has no tokenizer")
    from transformers import AutoTokenizer

    from lt_bench.backends.transformers.prompting import Renderer

    quiet = logging.getLogger("transformers")
    level = quiet.level
    quiet.setLevel(logging.ERROR)
    try:
        renderer = Renderer(AutoTokenizer.from_pretrained(place, local_files_only=True))
    finally:
        quiet.setLevel(level)
    return lambda prompt: len(renderer.render(prompt).ids)
