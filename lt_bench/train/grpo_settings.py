"""A stage's settings as TRL's: every one that differs from the seed, or that TRL would take from
elsewhere, is set here and explained in docs/decisions/0011-grpo-against-the-seed.md."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lt_bench.errors import UsageError
from lt_bench.train.recipe import GrpoStage, Optimizer
from lt_bench.train.stage import StageContext

if TYPE_CHECKING:
    from trl import GRPOConfig

KEPT: Final = 2
"""Checkpoints kept: the one before the last may be the last whole one."""
OFF: Final = 0
"""top_k that keeps every token."""


@dataclass(frozen=True)
class Batches:
    """How the completions of a step are passed through the model. `prompts` x `group` completions a
    step, `each` of them in one pass of one device, `passes` of every device a step."""

    prompts: int
    group: int
    each: int
    passes: int

    @classmethod
    def of(cls, stage: GrpoStage, devices: int) -> Batches:
        """Those of a stage on so many devices.

        Raises:
            UsageError: a step cannot be cut into equal passes.
        """
        prompts, group = stage.optimizer.batch_size, stage.rollouts.group
        whole = prompts * group
        each = stage.optimizer.micro_batch or max(whole // devices, 1)
        if whole % (each * devices):
            raise UsageError(
                f"{whole} completions a step ({prompts} prompts x {group}) cannot be cut into passes "
                f"of {each} on each of {devices} devices",
                f"make optimizer.batch_size x {group} a multiple of {each * devices}",
            )
        return cls(prompts, group, each, whole // (each * devices))


@dataclass(frozen=True)
class Schedule:
    """`steps` changes of the weights. The completions of one draw serve `iterations` of them."""

    steps: int
    prompts: int
    iterations: int

    @classmethod
    def of(cls, stage: GrpoStage, rows: int) -> Schedule:
        """That of a stage on so many training rows.

        Raises:
            UsageError: there are fewer rows than prompts in a step.
        """
        optimizer = stage.optimizer
        if rows < optimizer.batch_size:
            raise UsageError(
                f"a step takes {optimizer.batch_size} prompts and {rows} rows are left to train on",
                "more rows, or a smaller optimizer.batch_size",
            )
        draws = int(rows * optimizer.epochs) // optimizer.batch_size
        iterations = stage.objective.iterations
        steps = optimizer.steps or max(draws, 1) * iterations
        return cls(steps, optimizer.batch_size, iterations)

    @property
    def draws(self) -> int:
        """How often completions are drawn."""
        return -(-self.steps // self.iterations)

    def order(self, rows: int, seed: int) -> list[int]:
        """The training rows in the order in which they are asked, `prompts` to a draw: each epoch in
        an order of its own. A draw that an epoch cannot fill goes on with the next."""
        generator, wanted = random.Random(seed), self.draws * self.prompts
        order: list[int] = []
        while len(order) < wanted:
            epoch = list(range(rows))
            generator.shuffle(epoch)
            order += epoch
        return order[:wanted]

    def save_every(self, asked: int) -> int:
        """Steps between two checkpoints: never between the steps of one draw, whose completions a
        resumed run would not have. The last step always has one."""
        return -(-asked // self.iterations) * self.iterations if asked else self.steps


def grpo_config(
    context: StageContext, stage: GrpoStage, batches: Batches, schedule: Schedule, longest: int
) -> GRPOConfig:
    """TRL's settings. `longest`: tokens of the longest prompt.

    Raises:
        UsageError: vLLM or a reporter is asked for and not installed.
    """
    from trl import GRPOConfig

    return GRPOConfig(
        output_dir=str(context.checkpoints),
        **_steps(stage, batches, schedule),
        **_objective(stage),
        **_rollouts(stage, longest),
        **_precision(stage),
    )


def _steps(stage: GrpoStage, batches: Batches, schedule: Schedule) -> dict[str, Any]:
    optimizer = stage.optimizer
    return {
        "max_steps": schedule.steps,
        "per_device_train_batch_size": batches.each,
        "gradient_accumulation_steps": batches.passes,
        "learning_rate": optimizer.learning_rate,
        "lr_scheduler_type": _schedule(optimizer),
        "warmup_steps": optimizer.warmup_steps,
        "weight_decay": optimizer.weight_decay,
        "adam_beta2": optimizer.beta2,
        "max_grad_norm": optimizer.max_grad_norm,
        "seed": stage.seed,
        "shuffle_dataset": False,
        "remove_unused_columns": False,
        "save_strategy": "steps",
        "save_steps": schedule.save_every(optimizer.save_steps),
        "save_total_limit": KEPT,
        "logging_steps": 1,
        "logging_nan_inf_filter": False,
        "report_to": list(reporters(stage)),
        "disable_tqdm": True,
    }


def _objective(stage: GrpoStage) -> dict[str, Any]:
    objective, literal = stage.objective, stage.objective.form == "seed"
    return {
        "num_generations": stage.rollouts.group,
        "num_iterations": objective.iterations,
        "reward_weights": list(stage.rewards.weights.values()),
        "multi_objective_aggregation": "sum_then_normalize",
        "scale_rewards": objective.scale,
        "loss_type": objective.loss,
        "importance_sampling_level": objective.level,
        "epsilon": objective.clip,
        # The seed's KL is to the policy that drew the replies: no frozen model is needed for it.
        "beta": 0.0 if literal else objective.kl,
        "use_bias_correction_kl": False,
        "router_aux_loss_coef": stage.aux_loss,
        "mask_truncated_completions": False,
        "disable_dropout": True,
    }


def _rollouts(stage: GrpoStage, longest: int) -> dict[str, Any]:
    rollouts = stage.rollouts
    settings: dict[str, Any] = {
        "temperature": rollouts.temperature,
        "top_p": rollouts.top_p,
        "top_k": OFF,
        "max_completion_length": rollouts.max_tokens,
        "log_completions": False,
    }
    if rollouts.engine == "transformers":
        return settings
    _need("vllm", "rollouts.engine: vllm", "pip install 'lt-bench[train-vllm]'")
    settings |= {"use_vllm": True, "vllm_mode": rollouts.mode}
    if rollouts.mode == "server":
        return settings | {"vllm_server_base_url": rollouts.url}
    return settings | {
        "vllm_gpu_memory_utilization": rollouts.memory,
        "vllm_max_model_length": longest + rollouts.max_tokens,
    }


def _precision(stage: GrpoStage) -> dict[str, Any]:
    import torch

    from lt_bench.train.weights import computes_in_bf16

    on_cpu = not torch.accelerator.is_available()
    return {
        "bf16": computes_in_bf16(stage.precision),
        "gradient_checkpointing": stage.precision.gradient_checkpointing,
        "use_cpu": on_cpu,
        "dataloader_pin_memory": not on_cpu,
    }


def _schedule(optimizer: Optimizer) -> str:
    warm = optimizer.schedule == "constant" and optimizer.warmup_steps
    return "constant_with_warmup" if warm else optimizer.schedule


def reporters(stage: GrpoStage) -> tuple[str, ...]:
    """Where figures are shown beside the table and log.jsonl.

    Raises:
        UsageError: one is not installed.
    """
    for name in stage.report:
        _need(name, f"report: {name}", f"pip install {name}, or remove it from `report`")
    return stage.report


def _need(package: str, key: str, fix: str) -> None:
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise UsageError(f"{key} needs {package}, which is not installed", fix)
