"""A recipe: what is trained, from what, on what, and how. Strict: an unknown key is an error."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from lt_bench.config import Config, JudgeSettings
from lt_bench.train.lengths import LengthBudget

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Seed = Annotated[int, Field(ge=0, lt=2**32)]
"""What numpy takes for one."""


class Rows(Config):
    """The rows of a stage: a `file`, or what the task's builder makes (`split`, `rows`, `seed`).
    `limit` takes the first so many."""

    file: Path | None = None
    split: str = "train"
    rows: int = Field(default=8000, ge=1)
    seed: int = 0
    limit: int | None = Field(default=None, ge=1)


class Optimizer(Config):
    """How weights are changed. `batch_size` counts rows of one step over all devices, `micro_batch`
    those of one pass on one device. A stage ends after `steps`, or else after `epochs`.
    `save_steps`: a checkpoint every so many steps, to resume from; 0 for none but the last."""

    learning_rate: float = Field(gt=0.0)
    schedule: Literal["constant", "linear", "cosine"] = "cosine"
    warmup_steps: int = Field(default=0, ge=0)
    steps: int | None = Field(default=None, ge=1, le=10_000_000)
    epochs: float = Field(default=1.0, gt=0.0, le=1000.0)
    batch_size: int = Field(ge=1)
    micro_batch: int | None = Field(default=None, ge=1)
    weight_decay: float = Field(default=0.0, ge=0.0)
    beta2: float = Field(default=0.999, gt=0.0, lt=1.0)
    max_grad_norm: float = Field(default=1.0, gt=0.0)
    max_length: int = Field(default=4096, ge=8)
    save_steps: int = Field(default=0, ge=0)


class Lora(Config):
    """Low-rank adapters (Hu et al. 2021) instead of all weights. `merge`: the candidate is a whole
    model, not base and adapter."""

    rank: int = Field(default=16, ge=1)
    alpha: float = Field(default=32.0, gt=0.0)
    dropout: Share = 0.0
    targets: Annotated[tuple[str, ...], Field(min_length=1)] | Literal["all-linear"] = "all-linear"
    merge: bool = True


class Precision(Config):
    """Numbers and memory. `dtype` auto: bfloat16 where a GPU is, else float32."""

    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    gradient_checkpointing: bool = False


class Teacher(Config):
    """Who writes the trajectories: any MODEL of `lt-bench eval`, or `reference`, the replies with
    traces that the task's builder makes, with labelled errors. `samples` and `temperature` are k and
    τ of the seed's Table 2. `unanswered`: share of trajectories without an answer, or that the judge
    failed on, above which the stage stops instead of learning from the rest."""

    model: str
    samples: int = Field(default=4, ge=1)
    temperature: float = Field(default=0.7, ge=0.0)
    max_tokens: int = Field(default=4096, ge=1)
    unanswered: Share = 0.05
    options: dict[str, Any] = Field(default_factory=dict)


class _Stage(Config):
    """What every stage has. `parent` (`from` in the file) is an earlier stage, a folder or a hub id."""

    parent: str = Field(alias="from")
    rows: Rows = Rows()
    lora: Lora | None = None
    precision: Precision = Precision()
    seed: Seed = 0


class Architecture(Config):
    """A model from nothing: the class of its transformers config, and that config's fields. The
    tokenizer is the task builder's closed vocabulary."""

    model_type: str
    config: dict[str, Any]


class PretrainStage(Config):
    """Plain language modelling on documents that the task's builder makes; the miniature's base."""

    kind: Literal["pretrain"]
    architecture: Architecture
    rows: Rows = Rows()
    optimizer: Optimizer
    aux_loss: float = Field(default=0.0, ge=0.0)
    precision: Precision = Precision()
    seed: Seed = 0


class SftStage(_Stage):
    """Fine-tuning on trajectories of a teacher: `rft` on those that were admitted, `sft` on the first
    of each input, unfiltered (the control of the seed's Table 4).

    `admit`: score -> least value; at most one trajectory an input is taken, `choose` says which of
    those admitted. `thoughts`: true takes only trajectories with a thought in every turn, false leaves
    thoughts out of what is learnt; by default `rft` needs them and `sft` learns what there is.
    `aux_loss` is λ_aux of the seed, for mixtures of experts alone.
    """

    kind: Literal["rft", "sft"]
    teacher: Teacher
    admit: dict[str, float] = Field(default_factory=dict)
    choose: Literal["random", "first", "shortest"] = "random"
    thoughts: bool | None = None
    optimizer: Optimizer
    aux_loss: float = Field(default=0.0, ge=0.0)


class Rewards(Config):
    """Score -> weight. `length` is the length reward; every other name is a score of the task."""

    weights: dict[str, Annotated[float, Field(gt=0.0)]] = Field(min_length=1)
    length: LengthBudget | None = None


class Rollouts(Config):
    """How completions are drawn. `group` is K of the seed; `engine` vllm needs vLLM, `mode` says
    whether it shares the devices with the trainer (`server`: `vllm serve` or `trl vllm-serve` at
    `url`)."""

    group: int = Field(default=8, ge=2)
    temperature: float = Field(default=1.0, gt=0.0)
    top_p: float = Field(default=1.0, gt=0.0, le=1.0)
    max_tokens: int = Field(default=1024, ge=1)
    engine: Literal["transformers", "vllm"] = "transformers"
    mode: Literal["colocate", "server"] = "colocate"
    url: str | None = None
    memory: Share = 0.3


class Objective(Config):
    """The policy objective. `seed` is the published formula word for word (ratio of whole replies,
    KL of the old policy to the new); `trl` is TRL's loss named by `loss`, with `level` of the ratio.
    On the policy itself, with equal advantages, both have the same gradient."""

    form: Literal["trl", "seed"] = "trl"
    loss: Literal["luspo", "grpo", "dr_grpo", "dapo", "bnpo"] = "luspo"
    level: Literal["token", "sequence"] = "sequence"
    clip: float = Field(default=0.2, gt=0.0)
    kl: float = Field(default=0.01, ge=0.0)
    iterations: int = Field(default=1, ge=1)
    scale: Literal["group", "batch", "none"] = "group"


class Guards(Config):
    """When a stage is hopeless: of the first `pilot` steps, none had a group whose rewards differ, or
    more than `clipped` of the completions were cut. `table_steps`: the reward table every so many."""

    pilot: int = Field(default=3, ge=0)
    clipped: Share = 0.5
    table_steps: int = Field(default=5, ge=1)


class GrpoStage(_Stage):
    """Reinforcement on groups of completions (GRPO). `optimizer.batch_size` counts prompts a step.
    `report`: where the figures of each step are shown beside the table and log.jsonl."""

    kind: Literal["grpo"]
    rewards: Rewards
    rollouts: Rollouts = Rollouts()
    objective: Objective = Objective()
    optimizer: Optimizer
    aux_loss: float = Field(default=0.0, ge=0.0)
    guards: Guards = Guards()
    report: tuple[Literal["tensorboard", "trackio"], ...] = ()


def needs_thoughts(stage: SftStage) -> bool:
    """Whether a trajectory without a thought cannot be learnt from."""
    return stage.kind == "rft" if stage.thoughts is None else stage.thoughts


Stage = Annotated[PretrainStage | SftStage | GrpoStage, Field(discriminator="kind")]


class Recipe(Config):
    """Stages in the order in which they run, by name. `judge` gives the scores that admit and reward:
    the same scorers as `lt-bench eval`. `configs` maps hub ids to what their config.json says, so that
    a dry run can count a model that is not here."""

    summary: str
    task: str
    task_options: dict[str, Any] = Field(default_factory=dict)
    judge: JudgeSettings = JudgeSettings()
    judge_backend: dict[str, Any] = Field(default_factory=dict)
    configs: dict[str, dict[str, Any]] = Field(default_factory=dict)
    stages: dict[str, Stage] = Field(min_length=1)


def with_settings(data: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The recipe's mapping with `--set PATH=VALUE` applied, e.g. `stages.rl.optimizer.steps`."""
    changed = dict(data)
    for path, value in settings.items():
        head, _, rest = path.partition(".")
        if rest:
            inner = changed.get(head)
            given = inner if isinstance(inner, Mapping) else {}
            changed[head] = with_settings(given, {rest: value})
        else:
            changed[head] = value
    return changed
