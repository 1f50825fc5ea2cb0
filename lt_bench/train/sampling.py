"""The teacher's trajectories: k samples of each input at temperature τ, as an ordinary lt-bench run.

The run lies in STAGE/sampling, on the rows of STAGE/rows.jsonl, and is asked, scored, journalled and
resumed as any other; `lt-bench replay` shows it. The teacher `reference` is the task's own builder: what
it writes goes into STAGE/teacher.jsonl once, and is replayed from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import orjson

from lt_bench.backends.choose import open_model
from lt_bench.builders.base import ActedTurn, Acting, ReferenceDialogue, Taught, Teaching
from lt_bench.errors import RunError, UsageError
from lt_bench.records import Example, ResultCard
from lt_bench.run.evaluation import Evaluation, evaluate
from lt_bench.run.loop import run
from lt_bench.train.recipe import SftStage, Teacher
from lt_bench.train.stage import StageContext

REFERENCE: Final = "reference"
"""The teacher that the task's builder is."""
FOLDER, ROWS, TEACHER, LABELS = "sampling", "rows.jsonl", "teacher.jsonl", "labels.jsonl"
RECORDED: Final = ("replay/", "scripted/")
"""Answers from files differ by sample whatever they were drawn at."""


@dataclass(frozen=True)
class Offered:
    """A finished run of the teacher: its folder, its rows in order, and its card."""

    folder: Path
    examples: Sequence[Example]
    samples: int
    card: ResultCard


def sample(context: StageContext, examples: Sequence[Example]) -> Offered:
    """Asks the teacher for whatever its run lacks.

    Raises:
        UsageError: a teacher that cannot be asked so; nothing was asked.
        RunError: the teacher or the judge cannot be asked any more, or the disk is full. Everything
            answered and judged is kept.
    """
    stage = context.stage
    assert isinstance(stage, SftStage)
    model, options = _teacher(context, stage, examples)
    data = context.folder / ROWS
    write_lines(data, (example.model_dump(mode="json") for example in examples))
    evaluation = Evaluation(
        model=model,
        task=context.task,
        examples=examples,
        data=data,
        run=context.folder / FOLDER,
        sampling=context.task.sampling(
            {
                "temperature": stage.teacher.temperature,
                "max_tokens": stage.teacher.max_tokens,
                "seed": stage.seed,
            }
        ),
        samples=stage.teacher.samples,
        judge=context.judge,
    )

    async def ask() -> ResultCard:
        async with open_model(model, options) as backend:
            return await evaluate(evaluation, backend, context.progress)

    return Offered(evaluation.run, examples, stage.teacher.samples, run(ask()))


def check_teacher(teacher: Teacher) -> None:
    """Refuses samples that would all be one.

    Raises:
        UsageError: several of them at temperature 0.
    """
    recorded = teacher.model == REFERENCE or teacher.model.startswith(RECORDED)
    if teacher.samples > 1 and teacher.temperature == 0 and not recorded:
        raise UsageError(
            f"teacher.samples: {teacher.samples} at temperature 0 are the same answer "
            f"{teacher.samples} times",
            "set teacher.temperature, e.g. 0.7",
        )


def _teacher(
    context: StageContext, stage: SftStage, examples: Sequence[Example]
) -> tuple[str, dict[str, Any]]:
    """MODEL and the options it is opened with."""
    check_teacher(stage.teacher)
    options = dict(stage.teacher.options)
    if stage.teacher.model != REFERENCE:
        return stage.teacher.model, options
    # Nobody counted these: the student's own tokenizer does, since it is to learn them.
    options.setdefault("tokenizer", context.parent)
    return f"replay/{_written(context, stage, examples)}", options


def _written(context: StageContext, stage: SftStage, examples: Sequence[Example]) -> Path:
    """The builder's trajectories as a predictions file, and their labels in one of their own."""
    builder, name = context.task.builder, context.task.spec.name
    if not isinstance(builder, Teaching | Acting):
        raise UsageError(
            f"teacher.model: task {name} writes no reference trajectories",
            "name a model (openai/NAME, hf/…) or a file (replay/FILE)",
        )
    rows = stage.rows
    if rows.file is not None:
        raise UsageError(
            "teacher.model: reference knows the rows that the builder makes, not those of a file",
            "remove rows.file, or name another teacher",
        )
    if not isinstance(builder, Teaching):
        acted = builder.dialogues(rows.split, rows.rows, rows.seed)
        dialogues = list(islice(acted, len(examples)))
        _check_order(name, [one.example for one in dialogues], examples)
        return write_lines(context.folder / TEACHER, _acted(dialogues))
    made = builder.trajectories(rows.split, rows.rows, rows.seed, stage.teacher.samples)
    taught = list(islice(made, len(examples)))
    _check_order(name, [one.example for one in taught], examples)
    write_lines(context.folder / LABELS, _labels(taught))
    return write_lines(context.folder / TEACHER, _predictions(taught))


def _check_order(name: str, made: Sequence[Example], asked: Sequence[Example]) -> None:
    if [one.id for one in made] != [example.id for example in asked]:
        raise UsageError(
            f"teacher.model: the trajectories of task {name} are not those of its rows",
            "have trajectories() give the rows of build() in their order",
        )


def _predictions(taught: Iterable[Taught]) -> Iterable[dict[str, Any]]:
    for one in taught:
        for index, output in enumerate(one.outputs):
            key = {"id": one.example.id, "sample_index": index}
            if isinstance(output, str):
                yield {**key, "output": output}
            else:
                yield {**key, "turns": [{"output": text} for text in output]}


def _acted(dialogues: Iterable[ReferenceDialogue]) -> Iterable[dict[str, Any]]:
    """Right dialogues; their calls are made anew in the worlds of their rows."""
    for one in dialogues:
        yield {"id": one.example.id, "turns": [_turn(turn) for turn in one.turns]}


def _turn(turn: ActedTurn) -> dict[str, Any]:
    calls = [{"name": call.name, "arguments": call.arguments} for call in turn.calls]
    said = {"output": turn.reply or None, "reasoning": turn.thought or None}
    return {**said, "tool_calls": calls} if calls else said


def _labels(taught: Iterable[Taught]) -> Iterable[dict[str, Any]]:
    for one in taught:
        for index, label in enumerate(one.labels):
            yield {
                "id": one.example.id,
                "sample_index": index,
                "correct": label.correct,
                "helpful": label.helpful,
                "faults": list(label.faults),
            }


def write_lines(path: Path, rows: Iterable[Any]) -> Path:
    """One JSON object a line, the whole file or none of it.

    Raises:
        RunError: the disk is full.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.writelines(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RunError(
            f"cannot write {path}: {error.strerror}", "free some space and repeat"
        ) from error
    return path
