"""TRL behind our settings: its advantages and gradients against formulas written out here."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch
from support.reinforcing import context, parent, stage
from torch import Tensor

from lt_bench.backends.transformers.prompting import Renderer
from lt_bench.errors import UsageError
from lt_bench.train.advantages import advantages
from lt_bench.train.bookkeeping import Bookkeeper
from lt_bench.train.grpo_settings import Batches, Schedule
from lt_bench.train.grpo_trainer import GroupTrainer
from lt_bench.train.objective import seed_loss
from lt_bench.train.recipe import GrpoStage
from lt_bench.train.reference import Reference
from lt_bench.train.reinforcing import prepared, scorekeeper, trainer_of
from lt_bench.train.rollouts import Rollout

KL = 0.05
REFERENCE = Reference(
    model="hf/x", temperature=0.7, answers=1, truncated=0, failed=0, mean=20.0, by_input={}
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return parent(tmp_path_factory.mktemp("model"), num_hidden_layers=2)


@pytest.fixture(scope="module")
def mixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return parent(tmp_path_factory.mktemp("mixture"), "qwen3_moe")


@contextmanager
def trainer(
    folder: Path, model: Path, one: GrpoStage, rewards: Sequence[float | None] | None = None
) -> Iterator[GroupTrainer]:
    """The trainer of a stage before its first step; `rewards` are given to the completions in turn."""
    here = context(folder, model, one)
    ready = prepared(here)
    policy = ready.parent.load(torch.float32)
    keeper = scorekeeper(ready, policy, REFERENCE)
    if rewards is not None:
        given = iter(rewards)

        def rewarded(one: Rollout, _: Any) -> Rollout:
            value = next(given)
            column = {} if value is None else dict.fromkeys(keeper.weights, value)
            return one.model_copy(update={"rewards": column, "reward": value})

        keeper._rewarded = rewarded  # type: ignore[assignment, method-assign]
    with Bookkeeper(here, one, 0, main=True) as book:
        found = trainer_of(ready, policy, keeper, book)
        found.current_gradient_accumulation_steps = 1
        found.model.train()
        try:
            yield found
        finally:
            found.close()


def drawn(one: GroupTrainer, prompts: int = 2) -> dict[str, Any]:
    """Completions of the first prompts, scored."""
    rows = [one.train_dataset[at] for at in range(prompts) for _ in range(one.num_generations)]
    return one._generate_and_score_completions(rows)


def gradient(policy: Any, loss: Tensor) -> Tensor:
    policy.zero_grad()
    loss.backward()
    parts = [p.grad.flatten() for p in policy.parameters() if p.grad is not None]
    return torch.cat(parts).clone()


def log_probabilities(policy: Any, inputs: dict[str, Any]) -> Tensor:
    """log π of each token of the completions, from plain logits; shape (B, T)."""
    ids = torch.cat([inputs["prompt_ids"], inputs["completion_ids"]], dim=1)
    mask = torch.cat([inputs["prompt_mask"], inputs["completion_mask"]], dim=1)
    logits = policy(input_ids=ids, attention_mask=mask, use_cache=False).logits[:, :-1]
    chosen = logits.log_softmax(-1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    found: Tensor = chosen[:, -inputs["completion_ids"].size(1) :]
    return found


def same(one: Tensor, other: Tensor) -> None:
    """Equal to 1e-5 of their length."""
    assert other.norm() > 1e-3
    assert (one - other).norm() <= 1e-5 * other.norm()


# --- advantages ------------------------------------------------------------------------------

GROUP = [1.0, 0.7, 0.7, 0.4, 0.3, 0.3, 0.0, 0.0]
ONE_WEIGHT = {"weights": {"correctness": 1.0}, "length": None}
EIGHT = {
    "rewards": ONE_WEIGHT,
    "rollouts": {"group": 8},
    "optimizer": {"batch_size": 1, "steps": 1},
}


def trl_advantages(rewards: Sequence[float]) -> list[float]:
    """TRL's formula: the deviation of a sample, and 1e-4."""
    mean = math.fsum(rewards) / len(rewards)
    deviation = math.sqrt(math.fsum((r - mean) ** 2 for r in rewards) / (len(rewards) - 1))
    return [(reward - mean) / (deviation + 1e-4) for reward in rewards]


def without_length(**changes: Any) -> GrpoStage:
    data = stage(**{**EIGHT, **changes}).model_dump(by_alias=True)
    data["rewards"] = ONE_WEIGHT
    return GrpoStage.model_validate(data)


def test_trl_divides_by_the_deviation_of_a_sample(tmp_path: Path, model: Path) -> None:
    """The difference to the seed: K - 1 for K under the root, and 1e-4 for 1e-8."""
    with trainer(tmp_path, model, without_length(), GROUP) as one:
        found = drawn(one, 1)["advantages"].tolist()
    assert found == pytest.approx(trl_advantages(GROUP), abs=1e-5)
    ratio = [a / b for a, b in zip(found, advantages(GROUP), strict=True)]
    assert ratio == pytest.approx([math.sqrt(7 / 8)] * 8, rel=1e-3)  # 0.935


def test_the_seeds_form_has_the_seeds_advantages(tmp_path: Path, model: Path) -> None:
    literal = without_length(objective={"form": "seed"})
    with trainer(tmp_path, model, literal, GROUP) as one:
        found = drawn(one, 1)["advantages"].tolist()
    assert found == pytest.approx(advantages(GROUP), abs=1e-6)


@pytest.mark.parametrize("form", ["trl", "seed"])
def test_a_dropped_completion_moves_nothing_and_nobody(
    tmp_path: Path, model: Path, form: str
) -> None:
    holes: list[float | None] = [1.0, None, 0.7, 0.4, None, 0.3, 0.0, 0.0]
    left = [reward for reward in holes if reward is not None]
    with trainer(tmp_path, model, without_length(objective={"form": form}), holes) as one:
        found = drawn(one, 1)["advantages"].tolist()
    formula = trl_advantages if form == "trl" else advantages
    assert found[1] == found[4] == 0.0
    kept = [value for value, reward in zip(found, holes, strict=True) if reward is not None]
    assert kept == pytest.approx(formula(left), abs=1e-5)


# --- gradients -------------------------------------------------------------------------------


def given_advantages(inputs: dict[str, Any]) -> dict[str, Any]:
    values = torch.tensor([1.5, -0.5, 0.25, -1.25, 0.75, 2.0, -1.0, 0.5])
    return {**inputs, "advantages": values}


def test_a_steps_gradient_is_that_of_the_formula(tmp_path: Path, model: Path) -> None:
    """luspo by sequence, clip 0.2, k3 estimate of the KL to the parent, on a model of two layers."""
    one = stage(objective={"kl": KL})
    with trainer(tmp_path, model, one) as it:
        inputs = given_advantages(drawn(it))
        frozen = type(it.model).from_pretrained(model)
        with torch.no_grad():  # the policy has gone a little way from its parent
            for weight in it.model.parameters():
                weight.add_(0.01 * torch.randn_like(weight))
        ours = gradient(it.model, it._compute_loss(it.model, inputs))
        mask, advantage = inputs["completion_mask"], inputs["advantages"]
        logps = log_probabilities(it.model, inputs)
        with torch.no_grad():
            old, reference = logps.detach(), log_probabilities(frozen, inputs)
        length = mask.sum(-1)
        ratio = torch.exp(((logps - old) * mask).sum(-1) / length)
        surrogate = torch.minimum(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage)
        k3 = torch.exp(reference - logps) - (reference - logps) - 1
        loss = (-surrogate * length + KL * (k3 * mask).sum(-1)).mean()
        same(ours, gradient(it.model, loss))


@pytest.mark.parametrize("kl", [0.0, 0.01])
def test_on_the_policy_the_seeds_gradient_is_that_of_luspo(
    tmp_path: Path, model: Path, kl: float
) -> None:
    """With equal advantages. The seed's KL is to the policy itself there, and has no gradient."""
    with trainer(tmp_path / "a", model, stage(objective={"kl": 0.0})) as trl:
        inputs = given_advantages(drawn(trl))
        expected = gradient(trl.model, trl._compute_loss(trl.model, inputs))
    with trainer(tmp_path / "b", model, stage(objective={"form": "seed", "kl": kl})) as seed:
        assert seed.ref_model is None
        same(gradient(seed.model, seed._compute_loss(seed.model, inputs)), expected)
        logps = log_probabilities(seed.model, inputs)
        ratio = torch.exp(((logps - logps.detach()) * inputs["completion_mask"]).sum(-1))
        literal = -(ratio * inputs["advantages"]).mean()
        same(gradient(seed.model, literal), expected)


@pytest.mark.parametrize("form", ["trl", "seed"])
def test_what_tools_say_in_a_dialogue_has_no_gradient(
    tmp_path: Path, model: Path, form: str
) -> None:
    """Every third token was read: it counts in no ratio and in no length, and is still context."""
    with trainer(tmp_path, model, stage(objective={"form": form, "kl": 0.0})) as it:
        inputs = given_advantages(drawn(it))
        seen = inputs["completion_mask"]
        own = (torch.arange(seen.size(1)) % 3 != 1).long().expand_as(seen)
        ours = gradient(it.model, it._compute_loss(it.model, {**inputs, "tool_mask": own}))
        logps = log_probabilities(it.model, inputs)
        ratio = torch.exp(((logps - logps.detach()) * seen * own).sum(-1))
        same(ours, gradient(it.model, -(ratio * inputs["advantages"]).mean()))
        everything = gradient(it.model, it._compute_loss(it.model, inputs))
        assert (ours - everything).norm() > 0.01 * everything.norm()


def test_the_seeds_objective_off_the_policy() -> None:
    """Two replies of three and two tokens, reckoned by hand in float64."""
    old = torch.tensor([[-1.0, -2.0, -0.5], [-1.0, -1.0, -9.0]], dtype=torch.float64)
    logps = torch.tensor([[-0.9, -1.9, -0.4], [-1.2, -0.9, -4.0]], dtype=torch.float64)
    mask = torch.tensor([[1, 1, 1], [1, 1, 0]])
    advantage = torch.tensor([1.0, -2.0], dtype=torch.float64)
    loss, kl, ratio = seed_loss(logps, old, mask, advantage, clip=0.2, kl=0.5)
    assert ratio.tolist() == pytest.approx([math.exp(0.3), math.exp(-0.1)], abs=1e-12)
    first = 3 * (math.exp(0.1) - 1 - 0.1)
    second = (math.exp(-0.2) - 1 + 0.2) + (math.exp(0.1) - 1 - 0.1)
    assert kl.tolist() == pytest.approx([first, second], abs=1e-12)
    surrogate = [1.2, -2.0 * math.exp(-0.1)]  # the first is clipped from above
    expected = -((surrogate[0] - 0.5 * first) + (surrogate[1] - 0.5 * second)) / 2
    assert float(loss) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("form", ["trl", "seed"])
def test_the_load_balancing_loss_counts_by_its_weight_exactly(
    tmp_path: Path, mixture: Path, form: str
) -> None:
    losses, aux = {}, 0.0
    for weight in (0.0, 0.01, 0.5):
        one = stage(objective={"form": form, "kl": 0.0}, aux_loss=weight)
        with trainer(tmp_path / str(weight), mixture, one) as it:
            inputs = given_advantages(drawn(it))
            losses[weight] = it._compute_loss(it.model, inputs).item()
            if weight:
                aux = it._metrics["train"]["aux_loss"][-1]
    assert aux > 1.0  # k of the experts at the least
    assert losses[0.01] - losses[0.0] == pytest.approx(0.01 * aux, abs=1e-5)
    assert losses[0.5] - losses[0.0] == pytest.approx(0.5 * aux, abs=1e-5)


def test_the_weight_in_the_checkpoint_is_not_inherited(tmp_path: Path, mixture: Path) -> None:
    with trainer(tmp_path, mixture, stage()) as one:
        assert one.model.config.router_aux_loss_coef > 0.0
        assert one.router_aux_loss_coef == 0.0
        assert not one.aux_loss_enabled


# --- prompts, settings and order -------------------------------------------------------------


def test_prompts_are_the_ids_of_an_evaluation(tmp_path: Path) -> None:
    """One BOS, although the template writes it and the tokenizer would add another."""
    llama = parent(tmp_path / "m", template="with_bos", adds_bos=True)
    with trainer(tmp_path, llama, stage()) as one:
        asked = [row.rendered for row in one._keeper._asked]
        renderer = Renderer(one.processing_class)
        examples = [row.example for row in one._keeper._asked]
        task = context(tmp_path, llama).task
        assert [renderer.render(task.prompt(row)).ids for row in examples] == [
            row.ids for row in asked
        ]
        inputs = drawn(one, 1)
        bos = one.processing_class.bos_token_id
        sent = inputs["prompt_ids"][0][inputs["prompt_mask"][0].bool()].tolist()
        assert sent.count(bos) == 1
        assert sent == list(one._ids[one.train_dataset[0]["prompt"]])


def test_every_setting_of_the_recipe_reaches_trl(tmp_path: Path, model: Path) -> None:
    one = stage(
        rollouts={"group": 4, "temperature": 0.9, "top_p": 0.95, "max_tokens": 24},
        objective={"loss": "dr_grpo", "level": "token", "clip": 0.3, "kl": 0.02, "scale": "batch"},
        optimizer={
            "learning_rate": 2.5e-6,
            "micro_batch": 4,
            "beta2": 0.98,
            "max_grad_norm": 0.5,
            "weight_decay": 0.1,
            "schedule": "constant",
            "warmup_steps": 2,
        },
        seed=5,
    )
    config = prepared(context(tmp_path, model, one)).config
    found = {
        name: getattr(config, name)
        for name in (
            *("num_generations", "temperature", "top_p", "top_k", "max_completion_length"),
            *("loss_type", "importance_sampling_level", "epsilon", "beta", "scale_rewards"),
            *("learning_rate", "adam_beta2", "max_grad_norm", "weight_decay", "seed"),
            *("per_device_train_batch_size", "gradient_accumulation_steps", "max_steps"),
            *("generation_batch_size", "mask_truncated_completions", "router_aux_loss_coef"),
            *("multi_objective_aggregation", "bf16", "gradient_checkpointing", "use_vllm"),
            *("reward_weights", "num_iterations", "shuffle_dataset", "use_bias_correction_kl"),
        )
    }
    assert found == {
        "num_generations": 4,
        "temperature": 0.9,
        "top_p": 0.95,
        "top_k": 0,
        "max_completion_length": 24,
        "loss_type": "dr_grpo",
        "epsilon": 0.3,
        "beta": 0.02,
        "importance_sampling_level": "token",
        "scale_rewards": "batch",
        "seed": 5,
        "learning_rate": 2.5e-6,
        "adam_beta2": 0.98,
        "max_grad_norm": 0.5,
        "weight_decay": 0.1,
        "per_device_train_batch_size": 4,
        "max_steps": 4,
        "gradient_accumulation_steps": 2,
        "generation_batch_size": 8,
        "mask_truncated_completions": False,
        "router_aux_loss_coef": 0.0,
        "multi_objective_aggregation": "sum_then_normalize",
        "bf16": False,
        "gradient_checkpointing": False,
        "use_vllm": False,
        "num_iterations": 1,
        "reward_weights": [0.4, 0.3, 0.3],
        "shuffle_dataset": False,
        "use_bias_correction_kl": False,
    }
    assert config.lr_scheduler_type.value == "constant_with_warmup"


def test_vllm_rollouts_are_passed_through(
    tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lt_bench.train.grpo_settings._need", lambda *_: None)
    shared = stage(rollouts={"engine": "vllm", "memory": 0.4})
    config = prepared(context(tmp_path / "a", model, shared)).config
    assert (config.use_vllm, config.vllm_mode) == (True, "colocate")
    assert config.vllm_gpu_memory_utilization == 0.4
    rows = prepared(context(tmp_path / "a", model, shared)).rows
    assert config.vllm_max_model_length == rows.longest + 24
    server = stage(rollouts={"engine": "vllm", "mode": "server", "url": "http://h:8000"})
    config = prepared(context(tmp_path / "b", model, server)).config
    assert (config.vllm_mode, config.vllm_server_base_url) == ("server", "http://h:8000")


def test_vllm_that_is_not_installed_is_told(tmp_path: Path, model: Path) -> None:
    with pytest.raises(UsageError, match="needs vllm, which is not installed"):
        prepared(context(tmp_path, model, stage(rollouts={"engine": "vllm"})))


def test_batches_count_completions() -> None:
    one = stage(optimizer={"batch_size": 8, "micro_batch": 16}, rollouts={"group": 8})
    assert Batches.of(one, devices=2) == Batches(prompts=8, group=8, each=16, passes=2)
    whole = stage(optimizer={"batch_size": 8}, rollouts={"group": 8})
    assert Batches.of(whole, devices=4) == Batches(prompts=8, group=8, each=16, passes=1)
    with pytest.raises(UsageError, match="64 completions a step") as caught:
        Batches.of(one, devices=3)
    assert "multiple of 48" in caught.value.fix


def test_the_order_is_fixed_by_the_seed_and_takes_every_row_once_an_epoch() -> None:
    schedule = Schedule(steps=6, prompts=4, iterations=1)
    order = schedule.order(12, seed=3)
    assert order == schedule.order(12, seed=3) != schedule.order(12, seed=4)
    assert len(order) == 24
    assert sorted(order[:12]) == sorted(order[12:]) == list(range(12))
    assert order[:12] != order[12:]


def test_one_draw_serves_several_steps() -> None:
    one = stage(optimizer={"steps": 7}, objective={"iterations": 3})
    schedule = Schedule.of(one, rows=12)
    assert schedule.draws == 3
    assert len(schedule.order(12, seed=0)) == 6
    assert [schedule.save_every(asked) for asked in (0, 1, 3, 4)] == [7, 3, 3, 6]


def test_epochs_make_steps_where_none_are_given() -> None:
    data = stage().model_dump(by_alias=True)
    data["optimizer"] |= {"steps": None, "epochs": 2.5, "batch_size": 4}
    assert Schedule.of(GrpoStage.model_validate(data), rows=10).steps == 6


# --- rows that are left out ------------------------------------------------------------------


def test_long_prompts_are_left_out_and_told(tmp_path: Path, model: Path) -> None:
    lengths = sorted(len(row.rendered.ids) for row in prepared(context(tmp_path, model)).rows.asked)
    middle = lengths[5]
    short = stage(optimizer={"max_length": middle + 24})
    rows = prepared(context(tmp_path, model, short)).rows
    assert rows.longest <= middle
    assert rows.too_long == 12 - len(rows.asked) > 0
    assert rows.told == (
        f"{rows.too_long} rows were left out: they are longer than a prompt may be",
    )


def test_nothing_left_to_train_on_is_told(tmp_path: Path, model: Path) -> None:
    with pytest.raises(UsageError, match="12 rows were left out"):
        prepared(context(tmp_path, model, stage(optimizer={"max_length": 40})))
    with pytest.raises(UsageError, match="leave no room for a prompt"):
        prepared(context(tmp_path, model, stage(optimizer={"max_length": 24})))


def test_a_model_without_a_chat_template_is_refused(tmp_path: Path) -> None:
    bare = parent(tmp_path / "m", template=None)
    with pytest.raises(UsageError, match="no chat template"):
        prepared(context(tmp_path, bare))


def test_a_dense_model_has_no_load_balancing_loss(tmp_path: Path, model: Path) -> None:
    with pytest.raises(UsageError, match="dense"):
        prepared(context(tmp_path, model, stage(aux_loss=0.01)))
