"""Stages `rft` and `sft`: a teacher's trajectories, those admitted, and a student that learns them.

    sampling -> admission -> targets -> fine-tuning -> candidate

`sft` takes the first trajectory of each input, whatever its scores: what rejection adds is the difference
between the two (LiveThinking, Table 4). Dialogues with tools have the same two kinds: `thoughts: false`
learns calls and replies alone, `thoughts: true` (what reasoning agents call a cold start) the thoughts too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lt_bench.config import digest
from lt_bench.errors import RunError
from lt_bench.records import Example, Prompt, Turn
from lt_bench.run.dialogue import after
from lt_bench.train.admission import Admission, Admitted, admit, corpus, finished
from lt_bench.train.data import examples_of
from lt_bench.train.forms import asked_not_to_think
from lt_bench.train.lesson import Learnt, Lesson, shares
from lt_bench.train.processes import Processes
from lt_bench.train.recipe import SftStage, needs_thoughts
from lt_bench.train.sampling import check_teacher, sample
from lt_bench.train.saving import Finish, save_adapter, save_whole
from lt_bench.train.sft_trainer import check_devices, learn
from lt_bench.train.stage import StageContext, StageResult
from lt_bench.train.targets import Spoken, Writer, Written
from lt_bench.train.weights import (
    Parent,
    Router,
    check_adapter,
    check_aux_loss,
    stored_dtype,
    weights_dtype,
)


@dataclass(frozen=True)
class _Student:
    """What is to learn: its files, and how its rows are written."""

    parent: Parent
    writer: Writer


def run(context: StageContext) -> StageResult:
    """Runs the stage to its end, going on where a killed process stopped.

    Raises:
        UsageError: the student, the teacher and the settings do not fit each other; nothing was asked.
        RunError: the teacher or the judge cannot be asked, nothing was admitted, or the disk is full;
            what was finished is kept.
    """
    stage = context.stage
    assert isinstance(stage, SftStage)
    examples = examples_of(context.task, stage.rows)
    student = _student(context, stage, context.task.prompt(examples[0]))
    report = _admission(context, stage, examples)
    written = _written(context, student, report)
    trainer, learnt, finish = _learn(context, stage, student, written, report)
    if stage.lora is None:
        save_whole(trainer, finish, context.candidate)
    else:
        save_adapter(trainer, student.parent, stage.lora, finish, context.candidate)
    return _result(report, written, learnt, stage)


def _student(context: StageContext, stage: SftStage, prompt: Prompt) -> _Student:
    """Everything that can be wrong with the student, found before the teacher is paid."""
    check_devices()
    check_teacher(stage.teacher)
    shares(stage.optimizer, Processes.here().count)
    parent = Parent.find(context.parent)
    check_aux_loss(stage.aux_loss, parent.config)
    check_adapter(stage.lora, parent)
    longest = parent.longest(stage.optimizer.max_length)
    writer = Writer(parent.tokenizer(), prompt, longest)
    if needs_thoughts(stage) and writer.form.thoughtless:
        raise asked_not_to_think()
    return _Student(parent, writer)


def _admission(context: StageContext, stage: SftStage, examples: list[Example]) -> Admission:
    """The report of the corpus, which is made once and by the main process alone."""
    processes = Processes.here()
    if processes.main and finished(context.folder) is None:
        from lt_bench.train.admission_table import show

        report = admit(context.folder, stage, sample(context, examples))
        show(report)
    processes.wait()
    found = finished(context.folder)
    if found is None:
        raise RunError("the corpus of the stage is gone", "run the same command again")
    return found


def _written(context: StageContext, student: _Student, report: Admission) -> Written:
    written = student.writer.write_dialogues(_dialogues(context))
    if not written.rows:
        raise RunError(
            f"none of {report.admitted} admitted trajectories can be learnt: {', '.join(written.told)}",
            "raise optimizer.max_length, or see admitted.jsonl in the folder of the stage",
        )
    return written


def _dialogues(context: StageContext) -> Iterator[tuple[Spoken, ...]]:
    assert isinstance(context.stage, SftStage)
    for one in corpus(context.folder):
        yield tuple(_turns(context, one, thinks=context.stage.thoughts is not False))


def _turns(context: StageContext, one: Admitted, *, thinks: bool) -> Iterator[Spoken]:
    """Each answer of a trajectory after all that came before it, as an evaluation sends it."""
    prompt = context.task.prompt(one.example)
    for answer in one.answers:
        thought = answer.thought if thinks else None
        yield Spoken(prompt, thought, answer.reply, answer.tool_calls)
        turn = Turn(
            reasoning=thought,
            reply=answer.reply,
            tool_calls=answer.tool_calls,
            tool_results=answer.tool_results,
            finish_reason="stop",
            usage=None,
        )
        prompt = after(prompt, turn)


def _learn(
    context: StageContext,
    stage: SftStage,
    student: _Student,
    written: Written,
    report: Admission,
) -> tuple[object, Learnt, Finish]:
    parent = student.parent
    model = parent.load(weights_dtype(stage.precision, stage.lora))
    finish = Finish(
        tokenizer=parent.tokenizer(),
        end=student.writer.form.end,
        dtype=stored_dtype(parent.config),
        router=Router.of(parent.config),
    )
    lesson = Lesson(
        rows=written.rows,
        label=digest(
            [
                report.corpus_sha,
                parent.sha,
                student.writer.max_length,
                *(["without thoughts"] if stage.thoughts is False else []),
            ]
        ),
        optimizer=stage.optimizer,
        precision=stage.precision,
        seed=stage.seed,
        aux_loss=stage.aux_loss,
        lora=stage.lora,
        checkpoints=context.checkpoints,
        log=context.log,
    )
    trainer, learnt = learn(lesson, model, student.writer.tokenizer)
    return trainer, learnt, finish


def _result(report: Admission, written: Written, learnt: Learnt, stage: SftStage) -> StageResult:
    lengths = report.survey.lengths["admitted"]
    return StageResult(
        rows=len(written.rows),
        data_sha=report.corpus_sha,
        metrics={
            "inputs": report.inputs,
            "trajectories": report.trajectories,
            "passed": report.passed,
            "admitted": report.admitted,
            "admitted_share": report.share,
            f"thought_{report.survey.unit}": lengths.thought,
            f"reply_{report.survey.unit}": lengths.reply,
            "steps": learnt.steps,
            "loss": learnt.loss,
            "aux_loss": learnt.aux_loss,
            "target_tokens": learnt.target_tokens,
        },
        remarks=tuple(_remarks(report, written, stage)),
    )


def _remarks(report: Admission, written: Written, stage: SftStage) -> Iterator[str]:
    if stage.thoughts is False:
        yield "thoughts were left out of what is learnt (thoughts: false)"
    if report.failed:
        yield f"{report.failed} of {report.inputs} inputs left out: none of their trajectories passed"
    if report.silent:
        yield f"the judge was silent on {report.silent} of {report.trajectories} trajectories"
    yield from written.told
