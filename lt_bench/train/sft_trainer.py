"""TRL's SFTTrainer behind our settings: rows of token ids with their loss, in an order that a seed fixes.

What differs from TRL's own defaults: nothing is cut at `max_length` (rows that are longer were left out
before), weights stay in float32, gradient checkpointing is off unless asked for, λ_aux is the recipe's
and not the one in the model's config, and nobody is told over the network what is trained.
"""

from __future__ import annotations

import json
import logging
import math
from pathlib import Path
from typing import Any, Final

import torch
from datasets import Dataset
from torch.utils.data import Sampler, SequentialSampler
from transformers import PrinterCallback, TrainerCallback
from trl import SFTConfig, SFTTrainer

from lt_bench.backends.transformers.loading import quiet
from lt_bench.errors import LtBenchError, RunError, UsageError
from lt_bench.train.full_disk import disk_trouble
from lt_bench.train.lesson import Learnt, Lesson, shares
from lt_bench.train.processes import Processes
from lt_bench.train.recipe import Optimizer
from lt_bench.train.sealing import Sealing, latest, load_weights, step_of, trim_log
from lt_bench.train.weights import adapters, check_aux_loss, computes_in_bf16

log = logging.getLogger(__name__)

MOST_LINES: Final = 100
"""About so many lines go into log.jsonl, at least one every ten steps."""
KEPT: Final = 2
"""Checkpoints kept: the one before the last may be the last whole one."""
SHOWN: Final = ("loss", "aux_loss", "grad_norm", "learning_rate", "entropy", "mean_token_accuracy")
"""Figures of a step that go into log.jsonl."""


class Learner(SFTTrainer):  # type: ignore[misc]
    """Goes through its rows in their order, and loads all of a checkpoint."""

    def _get_train_sampler(self, train_dataset: Any = None) -> Sampler[int]:
        return SequentialSampler(self.train_dataset if train_dataset is None else train_dataset)

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        spread = self.is_fsdp_enabled or self.is_deepspeed_enabled
        if spread or not (Path(resume_from_checkpoint) / "config.json").is_file():
            super()._load_from_checkpoint(resume_from_checkpoint, model)
        else:
            load_weights(self.model if model is None else model, Path(resume_from_checkpoint))

    def _send_telemetry(self) -> None:
        """Nobody is told what is trained here."""

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """A candidate has a card of lt-bench's own."""


class LogLines(TrainerCallback):  # type: ignore[misc]
    """Appends what the trainer logs to log.jsonl, one object a line.

    Raises:
        RunError: the loss is no number any more, or the disk is full.
    """

    def __init__(self, path: Path, epochs: float) -> None:
        self.path, self.epochs = path, epochs

    def on_log(
        self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any
    ) -> None:
        """Called by the trainer in every process."""
        del args, control
        if not logs or "loss" not in logs:
            return
        step, loss = int(state.global_step), float(logs["loss"])
        if not math.isfinite(loss):
            raise RunError(
                f"the loss is {loss} at step {step}: the training has come apart",
                "lower optimizer.learning_rate, or max_grad_norm; the earlier checkpoints are kept",
            )
        if not state.is_world_process_zero:
            return
        epoch = round(self.epochs * step / state.max_steps, 4)
        known = {name: float(logs[name]) for name in SHOWN if name in logs}
        line = json.dumps({"step": step, "epoch": epoch, **known})
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise RunError(
                f"cannot write {self.path}: {error.strerror}", "free some space and repeat"
            ) from error
        log.info("step %d of %d: loss %.4f", step, state.max_steps, loss)


def learn(lesson: Lesson, model: Any, tokenizer: Any) -> tuple[Any, Learnt]:
    """Trains to the end, from the last whole checkpoint where there is one. The trainer holds the model.

    Raises:
        UsageError: the settings do not fit each other or the model.
        RunError: the disk is full, or the loss is no number any more.
    """
    trainer = trainer_of(lesson, model, tokenizer)
    start = latest(lesson.checkpoints, lesson.training)
    if trainer.accelerator.is_main_process:
        trim_log(lesson.log, step_of(start))
    if start is not None:
        log.info("going on from step %d of %d", step_of(start), lesson.steps)
    trainer.accelerator.wait_for_everyone()
    try:
        with quiet():
            trainer.train(resume_from_checkpoint=str(start) if start else None)
    except LtBenchError:
        raise
    except Exception as error:
        raise _trouble(lesson, error) or error from error
    return trainer, _learnt(lesson, trainer)


def trainer_of(lesson: Lesson, model: Any, tokenizer: Any) -> Learner:
    """The trainer before its first step. `tokenizer` is only asked for its padding.

    Raises:
        UsageError: no rows, λ_aux for a dense model, or a batch that cannot be divided.
    """
    if not lesson.rows:
        raise UsageError("there is no row to train on", "check rows: and max_length of the stage")
    check_aux_loss(lesson.aux_loss, model.config)
    _check_known(lesson, model)
    check_devices()
    lesson.checkpoints.mkdir(parents=True, exist_ok=True)
    with quiet():
        trainer = Learner(
            model=model,
            args=_arguments(lesson),
            train_dataset=_dataset(lesson),
            processing_class=tokenizer,
            peft_config=adapters(lesson.lora, model),
            callbacks=[
                Sealing(lesson.training),
                LogLines(lesson.log, len(lesson.order) / len(lesson.rows)),
            ],
        )
    trainer.remove_callback(PrinterCallback)  # it prints to stdout, which is for results
    return trainer


def _check_known(lesson: Lesson, model: Any) -> None:
    known = int(model.get_input_embeddings().weight.shape[0])
    highest = max(max(row.input_ids) for row in lesson.rows)
    if highest >= known:
        raise UsageError(
            f"the tokenizer's token {highest} is unknown to the model, which has {known}",
            "use model and tokenizer of one folder",
        )


def _dataset(lesson: Lesson) -> Dataset:
    columns = {
        "input_ids": [row.input_ids for row in lesson.rows],
        "labels": [row.labels for row in lesson.rows],
    }
    return Dataset.from_dict(columns).select(lesson.order)


def _arguments(lesson: Lesson) -> SFTConfig:
    optimizer, precision = lesson.optimizer, lesson.precision
    each, passes = shares(optimizer, Processes.here().count)
    on_cpu = not torch.accelerator.is_available()
    return SFTConfig(
        output_dir=str(lesson.checkpoints),
        per_device_train_batch_size=each,
        gradient_accumulation_steps=passes,
        max_steps=lesson.steps,
        learning_rate=optimizer.learning_rate,
        lr_scheduler_type=_schedule(optimizer),
        warmup_steps=optimizer.warmup_steps,
        weight_decay=optimizer.weight_decay,
        adam_beta2=optimizer.beta2,
        max_grad_norm=optimizer.max_grad_norm,
        bf16=computes_in_bf16(precision),
        gradient_checkpointing=precision.gradient_checkpointing,
        use_cpu=on_cpu,
        dataloader_pin_memory=not on_cpu,
        seed=lesson.seed,
        data_seed=lesson.seed,
        max_length=None,
        dataset_kwargs={"skip_prepare_dataset": True},
        router_aux_loss_coef=lesson.aux_loss,
        save_strategy="steps",
        save_steps=optimizer.save_steps or lesson.steps,
        save_total_limit=KEPT,
        logging_steps=max(1, min(10, lesson.steps // MOST_LINES)),
        logging_first_step=True,
        logging_nan_inf_filter=False,
        report_to="none",
        disable_tqdm=True,
    )


def _schedule(optimizer: Optimizer) -> str:
    warm = optimizer.schedule == "constant" and optimizer.warmup_steps
    return "constant_with_warmup" if warm else optimizer.schedule


def check_devices() -> None:
    """Refuses several devices without a launcher.

    Raises:
        UsageError: there are.
    """
    if torch.cuda.device_count() > 1 and Processes.here().count == 1:
        raise UsageError(
            f"{torch.cuda.device_count()} GPUs and one process",
            "start it with `accelerate launch -m lt_bench train …`, or set CUDA_VISIBLE_DEVICES=0",
        )


def _learnt(lesson: Lesson, trainer: Any) -> Learnt:
    logged = [line for line in trainer.state.log_history if "loss" in line]
    last = logged[-1] if logged else {}
    return Learnt(
        steps=int(trainer.state.global_step),
        loss=last.get("loss"),
        aux_loss=last.get("aux_loss"),
        target_tokens=sum(lesson.rows[row].learnt for row in lesson.order),
    )


def _trouble(lesson: Lesson, error: Exception) -> LtBenchError | None:
    """An error of the libraries that a person can do something about."""
    if isinstance(error, torch.OutOfMemoryError):
        return UsageError(
            "the device is out of memory",
            "set optimizer.micro_batch lower, precision.gradient_checkpointing: true, or lora:",
        )
    return disk_trouble(lesson.checkpoints, error)
