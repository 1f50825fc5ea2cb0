"""The stage `grpo`: reference lengths, reinforcement on groups of completions, a candidate.

STAGE/reference/       an ordinary lt-bench run of the parent, and reference.json with L_ref
STAGE/rollouts.jsonl   every completion with its scores, rewards and advantage
STAGE/log.jsonl        figures of every step
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from trl import GRPOConfig

from lt_bench.backends.transformers.loading import quiet
from lt_bench.backends.transformers.memory import is_out_of_memory
from lt_bench.backends.transformers.prompting import Renderer
from lt_bench.config import digest
from lt_bench.errors import LtBenchError, RunError, UsageError, first_line
from lt_bench.train.bookkeeping import Bookkeeper
from lt_bench.train.full_disk import disk_trouble
from lt_bench.train.grpo_rows import TrainingRows, longest_of, training_rows
from lt_bench.train.grpo_settings import Batches, Schedule, grpo_config
from lt_bench.train.grpo_trainer import GroupTrainer, SeedTrainer, quiet_rows
from lt_bench.train.outcome import result_of, taste
from lt_bench.train.playing import Table, with_tools
from lt_bench.train.policy import check_start, finish_of, positions_of, reader_of
from lt_bench.train.processes import Processes
from lt_bench.train.recipe import GrpoStage
from lt_bench.train.reference import Reference, check_rows, reference_of
from lt_bench.train.rewards import LENGTH, LengthRule, Scorekeeper
from lt_bench.train.saving import save_adapter, save_whole
from lt_bench.train.sealing import Sealing, latest, step_of
from lt_bench.train.sft_trainer import check_devices
from lt_bench.train.stage import StageContext, StageResult
from lt_bench.train.weights import Parent, adapters, weights_dtype

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Reinforcement:
    """What a stage trains on and how, before a model is in memory."""

    context: StageContext
    stage: GrpoStage
    parent: Parent
    rows: TrainingRows
    schedule: Schedule
    config: GRPOConfig

    @property
    def training(self) -> str:
        """Changes when the weights after a step may be others."""
        mine = self.stage.model_dump(mode="json", exclude={"guards", "report"})
        for key in ("micro_batch", "save_steps"):
            del mine["optimizer"][key]
        return digest([mine, str(self.context.parent), [one.id for one in self.rows.examples]])


def run(context: StageContext) -> StageResult:
    """Trains the stage, or goes on where a killed process stopped. Every process of a launch draws and
    scores completions; the main one alone measures L_ref and writes.

    Raises:
        UsageError: it cannot be trained as asked.
        RunError: it stopped for a cause; checkpoints, rollouts and log are kept.
    """
    one = prepared(context)
    for line in (*one.rows.told, *taste(context)):
        log.warning("stage %s: %s", context.name, line)
    with _told_plainly(context):
        reference = _reference(one)
        _train(one, reference)
    Processes.here().wait()
    return result_of(context, one.stage, one.rows, reference)


def prepared(context: StageContext) -> Reinforcement:
    """Everything that can be wrong with a stage, found before its parent is asked.

    Raises:
        UsageError: it is.
    """
    stage, devices = context.stage, Processes.here().count
    assert isinstance(stage, GrpoStage)
    check_devices()
    parent = Parent.find(context.parent)
    tokenizer = parent.tokenizer()
    check_start(parent, tokenizer, stage)
    rows = training_rows(context, stage, Renderer(tokenizer), positions_of(parent))
    schedule = Schedule.of(stage, len(rows.asked))
    batches = Batches.of(stage, devices)
    context.checkpoints.mkdir(parents=True, exist_ok=True)
    with quiet():
        longest = rows.longest
        if with_tools(rows.asked):  # a dialogue may take all that there is
            longest = longest_of(stage, positions_of(parent)) - stage.rollouts.max_tokens
        config = grpo_config(context, stage, batches, schedule, longest)
    return Reinforcement(context, stage, parent, rows, schedule, config)


def _reference(one: Reinforcement) -> Reference | None:
    """L_ref, measured by the main process while the others wait; None without a length reward."""
    context, rewards, processes = one.context, one.stage.rewards, Processes.here()
    if LENGTH not in rewards.weights:
        return None
    if rewards.length is None:
        raise UsageError(
            f"stage {context.name} weights length without a budget", "give rewards.length"
        )
    check_rows(rewards.length, one.rows.examples)
    if processes.main:
        reference_of(context, rewards.length, one.rows.examples)
    processes.wait()
    found = reference_of(context, rewards.length, one.rows.examples)
    log.info("stage %s: %s", context.name, found.told)
    return found


def _train(one: Reinforcement, reference: Reference | None) -> None:
    context, stage = one.context, one.stage
    start = latest(context.checkpoints, one.training)
    done = step_of(start)
    if start is not None:
        log.info("stage %s goes on after step %d of %d", context.name, done, one.schedule.steps)
    with ExitStack() as stack:
        stack.enter_context(quiet())
        stack.enter_context(quiet_rows())
        book = stack.enter_context(Bookkeeper(context, stage, done, main=Processes.here().main))
        model = one.parent.load(weights_dtype(stage.precision, stage.lora))
        finish = finish_of(one.parent, model)
        trainer = trainer_of(one, model, scorekeeper(one, model, reference), book)
        stack.callback(trainer.close)
        trainer.train(resume_from_checkpoint=str(start) if start else None)
        if stage.lora is None:
            save_whole(trainer, finish, context.candidate)
        else:
            save_adapter(trainer, one.parent, stage.lora, finish, context.candidate)


def scorekeeper(one: Reinforcement, model: Any, reference: Reference | None) -> Scorekeeper:
    """Who scores the completions of a stage."""
    context, rewards, rule = one.context, one.stage.rewards, None
    if reference is not None and rewards.length is not None:
        own = reference.by_input if rewards.length.reference == "input" else None
        rule = LengthRule(rewards.length, reference.mean, own)
    reader = reader_of(model, one.parent.tokenizer(), context.task.sampling({}).stop)
    return Scorekeeper(context.task, context.judge, one.rows.asked, reader, rewards.weights, rule)


def table_of(one: Reinforcement, keeper: Scorekeeper) -> Table | None:
    """Where the policy plays dialogues with tools; None where no row has any."""
    if not with_tools(one.rows.asked):
        return None
    return Table(
        one.rows.asked,
        keeper.reader,
        Renderer(one.parent.tokenizer()),
        longest=longest_of(one.stage, positions_of(one.parent)),
        max_tokens=one.stage.rollouts.max_tokens,
        max_turns=one.context.task.max_turns,
    )


def trainer_of(
    one: Reinforcement, model: Any, keeper: Scorekeeper, book: Bookkeeper
) -> GroupTrainer:
    """The trainer of a stage's objective, ready to train."""
    stage = one.stage
    given: dict[str, Any] = {
        "model": model,
        "tokenizer": one.parent.tokenizer(),
        "args": one.config,
        "asked": one.rows.asked,
        "order": one.schedule.order(len(one.rows.asked), stage.seed),
        "keeper": keeper,
        "kept": book.keep,
        "table": table_of(one, keeper),
        "callbacks": [Sealing(one.training), *([book.monitor] if book.monitor else [])],
        "lora": adapters(stage.lora, model),
    }
    if stage.objective.form == "seed":
        return SeedTrainer(kl=stage.objective.kl, **given)
    return GroupTrainer(**given)


@contextmanager
def _told_plainly(context: StageContext) -> Iterator[None]:
    """What a device or a disk refuses, in words."""
    try:
        yield
    except LtBenchError:
        raise
    except Exception as error:
        if is_out_of_memory(error):
            raise RunError(
                f"stage {context.name}: out of memory: {first_line(error)}",
                "lower optimizer.micro_batch or rollouts.max_tokens, or set "
                "precision.gradient_checkpointing; the same command goes on from the last checkpoint",
            ) from error
        raise disk_trouble(context.folder, error) or error from error
