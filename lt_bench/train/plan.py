"""A training on paper: what it would do, hold and take. Estimated: nothing is trained or asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lt_bench.train import effort, memory
from lt_bench.train.effort import ELSEWHERE, EffortPart, Lengths
from lt_bench.train.hardware import Hardware, HardwareAsk
from lt_bench.train.identity import without_user_info
from lt_bench.train.memory import Memory
from lt_bench.train.parents import parent_of
from lt_bench.train.preparation import Training
from lt_bench.train.prompts import (
    PromptLengths,
    dialogues,
    document_tokens,
    played,
    prompt_lengths,
    taught_tokens,
)
from lt_bench.train.recipe import GrpoStage, PretrainStage, SftStage, Stage
from lt_bench.train.sizes import Size, root, size_of
from lt_bench.train.soundness import REFERENCE, rows_a_step
from lt_bench.train.stages import wanted

SPARSE: Final = 0.5
"""Share of the parameters below which a token's use of them makes a mixture of experts."""


@dataclass(frozen=True)
class CompletionLengths:
    """`mean` tokens as they are reckoned with, never more than `most`; `how` they are known. `turns`:
    answers of which one is made, where it is a dialogue with tools."""

    mean: float
    most: int
    how: str
    turns: float = 1.0


@dataclass(frozen=True)
class StagePlan:
    """One stage. `completions` are drawn while training, `teacher_samples` before it, `judged` are
    replies that go to the judge. `size`, `trained`, `memory` are None where the model is unknown."""

    name: str
    kind: str
    parent: str | None
    prompts: PromptLengths
    completion: CompletionLengths
    steps: int
    sequences_a_step: int
    completions: int
    teacher_samples: int
    judged: int
    size: Size | None
    trained: float | None
    memory: Memory | None
    effort: tuple[EffortPart, ...]
    remarks: tuple[str, ...]

    def hours(self, hardware: Hardware) -> float | None:
        """None where the model is unknown."""
        return sum(part.hours(hardware) for part in self.effort) if self.size else None


@dataclass(frozen=True)
class Plan:
    """What a recipe comes to on these devices."""

    recipe: str
    task: str
    settings: Mapping[str, Any]
    hardware: Hardware
    stages: tuple[StagePlan, ...]

    @property
    def hours(self) -> float | None:
        """Wall time of all stages; None where one is unknown."""
        found = [stage.hours(self.hardware) for stage in self.stages]
        known = [one for one in found if one is not None]
        return sum(known) if len(known) == len(found) else None


def plan(
    training: Training,
    only: str | None = None,
    ask: HardwareAsk | None = None,
    completion_tokens: int | None = None,
) -> Plan:
    """The plan of a recipe, or of its stage `only`; `completion_tokens` is what the user expects of a
    completion.

    Raises:
        UsageError: an unknown stage, rows that cannot be read, or a config that cannot be counted.
    """
    recipe = training.recipe
    names = wanted(list(recipe.stages), only)
    sizes = {name: size_of(root(name, recipe.stages), recipe, training.task) for name in names}
    known = [size for size in sizes.values() if size is not None]
    largest = max((size.total for size in known), default=None)
    sparse = any(size.active < SPARSE * size.total for size in known)
    hardware = (ask or HardwareAsk()).resolved(largest, sparse)
    stages = tuple(
        _stage(training, name, sizes[name], hardware, completion_tokens) for name in names
    )
    settings = json.loads(without_user_info(recipe.model_dump_json(by_alias=True)))
    return Plan(training.named.name, training.task.spec.name, settings, hardware, stages)


def _stage(
    training: Training, name: str, size: Size | None, hardware: Hardware, expected: int | None
) -> StagePlan:
    stage, task = training.recipe.stages[name], training.task
    model = root(name, training.recipe.stages)
    prompts = prompt_lengths(task, stage.rows, model)
    completion = _completion(training, stage, model, prompts.longest, expected)
    lengths = Lengths(prompts.mean, completion.mean, completion.turns)
    steps = effort.steps_of(stage, prompts.rows)
    drawn = effort.completions_of(stage, steps) if isinstance(stage, GrpoStage) else 0
    taught = prompts.rows * stage.teacher.samples if isinstance(stage, SftStage) else 0
    parts = _effort(training, stage, size, prompts.rows, taught, lengths)
    return StagePlan(
        name=name,
        kind=stage.kind,
        parent=parent_of(stage),
        prompts=prompts,
        completion=completion,
        steps=steps,
        sequences_a_step=rows_a_step(stage),
        completions=drawn,
        teacher_samples=taught,
        judged=drawn + (taught if stage.kind == "rft" else 0),
        size=size,
        trained=_trained(stage, size),
        memory=memory.memory(stage, size, prompts.longest, completion.most, hardware)
        if size
        else None,
        effort=parts,
        remarks=tuple(_remarks(training, stage, prompts, completion, size, hardware)),
    )


def _completion(
    training: Training,
    stage: Stage,
    model: str | PretrainStage,
    prompt: int,
    expected: int | None,
) -> CompletionLengths:
    """What is generated, or learnt, after a prompt; the longest has `prompt` tokens."""
    if isinstance(stage, PretrainStage):
        words = document_tokens(training.task, stage.rows.seed)
        return CompletionLengths(words, stage.optimizer.max_length, "words of some documents")
    if isinstance(stage, GrpoStage) and played(training.task, stage.rows):
        return _dialogue(training, stage, model, prompt, expected)
    most = stage.rollouts.max_tokens if isinstance(stage, GrpoStage) else stage.teacher.max_tokens
    if isinstance(stage, SftStage) and played(training.task, stage.rows):
        most = max(most, stage.optimizer.max_length - prompt)  # of all turns
    if expected is not None:
        return CompletionLengths(min(expected, most), most, "as given")
    if isinstance(stage, SftStage) and stage.teacher.model == REFERENCE:
        found = taught_tokens(training.task, stage.rows, model)
        if found is not None:
            return CompletionLengths(min(found, most), most, "mean of some reference trajectories")
    return CompletionLengths(
        most, most, "the most that the recipe allows; give --completion-tokens"
    )


def _dialogue(
    training: Training,
    stage: GrpoStage,
    model: str | PretrainStage,
    prompt: int,
    expected: int | None,
) -> CompletionLengths:
    """All that a dialogue of the policy may have after its prompt, what tools say included."""
    turns, one = float(training.task.max_turns), stage.rollouts.max_tokens
    most = max(one, stage.optimizer.max_length - prompt)
    found = dialogues(training.task, stage.rows, model)
    if found is not None:
        turns = found.turns
    if expected is not None:
        return CompletionLengths(min(expected, most), most, "as given", turns)
    if found is None:
        how = "the most that the recipe allows; give --completion-tokens"
        return CompletionLengths(min(most, turns * one), most, how, turns)
    return CompletionLengths(
        min(found.tokens, most), most, "mean of some reference dialogues", turns
    )


def _effort(
    training: Training,
    stage: Stage,
    size: Size | None,
    rows: int,
    taught: int,
    lengths: Lengths,
) -> tuple[EffortPart, ...]:
    if size is None:
        return ()
    parts = effort.effort(stage, size.active, rows, lengths)
    if isinstance(stage, SftStage) and not stage.teacher.model.startswith(ELSEWHERE):
        teacher = _teacher_size(training, stage.teacher.model)
        if teacher is not None:
            parts = (effort.teaching(teacher.active, taught, lengths), *parts)
    return parts


def _teacher_size(training: Training, model: str) -> Size | None:
    name = model.removeprefix("vllm/").removeprefix("hf/")
    return size_of(name, training.recipe, training.task)


def _trained(stage: Stage, size: Size | None) -> float | None:
    if size is None:
        return None
    lora = None if isinstance(stage, PretrainStage) else stage.lora
    return size.total if lora is None else size.adapted(lora)


def _remarks(
    training: Training,
    stage: Stage,
    prompts: PromptLengths,
    completion: CompletionLengths,
    size: Size | None,
    hardware: Hardware,
) -> Iterator[str]:
    """What a reader of the plan must know."""
    yield from prompts.remarks
    if size is None:
        yield "the model's size is unknown here: give its config.json under configs: in the recipe"
    elif (small := memory.too_small_for_vllm(stage, size, hardware)) is not None:
        yield small
    if isinstance(stage, SftStage):
        if stage.teacher.model.startswith("openai/"):
            yield "the teacher answers elsewhere: its time is not in the hours"
        elif not stage.teacher.model.startswith(ELSEWHERE) and not _teacher_size(
            training, stage.teacher.model
        ):
            yield "the teacher's size is unknown: its time is not in the hours"
        if prompts.longest + completion.mean > stage.optimizer.max_length:
            yield (
                f"prompts of {prompts.longest:,} tokens with {completion.mean:,.0f} of completion are "
                f"over max_length {stage.optimizer.max_length:,}"
            )
    if isinstance(stage, SftStage) and stage.kind == "rft":
        yield "rows are before admission: inputs whose trajectories are all refused are left out"
    if training.judge.models and not isinstance(stage, PretrainStage) and stage.kind != "sft":
        yield f"the time of the judge ({', '.join(training.judge.models)}) is not in the hours"
