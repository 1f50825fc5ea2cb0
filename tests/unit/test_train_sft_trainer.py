"""Fine-tuning: what is learnt in which order, checkpoints, and the candidate that comes of it."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.distilling import born
from support.tiny_models import tiny_adapter, tiny_model

from lt_bench.errors import RunError, UsageError
from lt_bench.train.lesson import Lesson, shares
from lt_bench.train.recipe import Lora, Optimizer, Precision
from lt_bench.train.targets import Row

pytestmark = pytest.mark.model

ROWS = tuple(
    Row(
        prompt=(2, 10 + n, 11, 12 + n % 3),
        target=tuple(20 + (n * k) % 30 for k in range(1, 4 + n % 4)),
    )
    for n in range(14)
)
LR = 3e-3


def lesson(folder: Path, **changes: Any) -> Lesson:
    optimizer = {"learning_rate": LR, "batch_size": 4, "epochs": 2.0, "save_steps": 2}
    optimizer.update(changes.pop("optimizer", {}))
    made = Lesson(
        rows=ROWS,
        label="rows",
        optimizer=Optimizer.model_validate(optimizer),
        precision=Precision(),
        seed=7,
        aux_loss=0.0,
        checkpoints=folder / "checkpoints",
        log=folder / "log.jsonl",
    )
    return replace(made, **changes)


@pytest.fixture(scope="module")
def mixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return born(tmp_path_factory.mktemp("students") / "mixture")


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return born(tmp_path_factory.mktemp("students") / "dense", "qwen3")


def loaded(folder: Path) -> tuple[Any, Any]:
    import torch

    from lt_bench.train.weights import Parent

    parent = Parent.find(str(folder))
    return parent.load(torch.float32), parent.tokenizer()


def logged(made: Lesson) -> list[dict[str, Any]]:
    return [json.loads(line) for line in made.log.read_text("utf-8").splitlines()]


def test_each_epoch_is_every_row_once_in_an_order_of_its_own(tmp_path: Path) -> None:
    made = lesson(tmp_path)
    first, second = made.order[:14], made.order[14:]
    assert sorted(first) == sorted(second) == list(range(14))
    assert first != second
    assert first != list(range(14))
    assert made.steps == 7
    assert lesson(tmp_path).order == made.order
    assert replace(made, seed=8).order != made.order
    assert len(lesson(tmp_path, optimizer={"epochs": 0.5}).order) == 7
    assert len(lesson(tmp_path, optimizer={"steps": 3}).order) == 12


def test_the_trainer_takes_the_rows_in_that_order(tmp_path: Path, dense: Path) -> None:
    from lt_bench.train.sft_trainer import trainer_of

    made = lesson(tmp_path)
    trainer = trainer_of(made, *loaded(dense))
    seen = [
        [token for token, there in zip(ids, mask, strict=True) if there]
        for batch in trainer.get_train_dataloader()
        for ids, mask in zip(
            batch["input_ids"].tolist(), batch["attention_mask"].tolist(), strict=True
        )
    ]
    assert seen == [ROWS[place].input_ids for place in made.order]


def test_the_loss_is_the_mean_over_target_tokens_alone(tmp_path: Path, dense: Path) -> None:
    import torch

    from lt_bench.train.sft_trainer import trainer_of

    trainer = trainer_of(lesson(tmp_path), *loaded(dense))
    batch = next(iter(trainer.get_train_dataloader()))
    trainer.model.train()
    found = trainer.compute_loss(trainer.model, dict(batch))
    with torch.no_grad():
        logits = trainer.model(
            input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]
        ).logits
    log_probs = logits[:, :-1].double().log_softmax(-1)
    labels = batch["labels"][:, 1:]
    learnt = labels != -100
    picked = log_probs.gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    assert int(learnt.sum()) == sum(len(ROWS[place].target) for place in lesson(tmp_path).order[:4])
    assert float(found.detach()) == pytest.approx(float(-picked[learnt].mean()), abs=1e-5)


def test_the_auxiliary_loss_changes_the_total_by_lambda_exactly(
    tmp_path: Path, mixture: Path
) -> None:
    from lt_bench.train.sft_trainer import trainer_of

    totals, aux = {}, 0.0
    for weight in (0.0, 0.01, 0.5):
        trainer = trainer_of(lesson(tmp_path, aux_loss=weight), *loaded(mixture))
        trainer.model.train()
        batch = next(iter(trainer.get_train_dataloader()))
        totals[weight] = float(trainer.compute_loss(trainer.model, dict(batch)).detach())
        if weight:
            aux = trainer._metrics["train"]["aux_loss"][-1]
        else:
            assert "aux_loss" not in trainer._metrics["train"]
    assert aux > 0.5
    assert totals[0.01] - totals[0.0] == pytest.approx(0.01 * aux, abs=1e-6)
    assert totals[0.5] - totals[0.0] == pytest.approx(0.5 * aux, abs=1e-6)


def test_an_auxiliary_loss_of_a_dense_model_is_refused(tmp_path: Path, dense: Path) -> None:
    from lt_bench.train.sft_trainer import trainer_of

    with pytest.raises(UsageError, match="aux_loss 0.01 is for mixtures of experts, and qwen3"):
        trainer_of(lesson(tmp_path, aux_loss=0.01), *loaded(dense))


def test_the_weight_in_the_checkpoint_of_the_parent_is_not_inherited(
    tmp_path: Path, mixture: Path
) -> None:
    from lt_bench.train.sft_trainer import trainer_of

    model, tokenizer = loaded(mixture)
    assert model.config.router_aux_loss_coef > 0
    trainer = trainer_of(lesson(tmp_path), model, tokenizer)
    assert (trainer.router_aux_loss_coef, trainer.aux_loss_enabled) == (0.0, False)


def test_experts_are_computed_in_one_go_on_a_cpu(mixture: Path) -> None:
    model, _ = loaded(mixture)
    assert model.config._experts_implementation == "grouped_mm"


def test_learning_lowers_the_loss_and_logs_each_step_once(
    tmp_path: Path, mixture: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from lt_bench.train.sft_trainer import learn

    made = lesson(tmp_path, aux_loss=0.01, optimizer={"epochs": 4.0})
    _, learnt = learn(made, *loaded(mixture))
    told = logged(made)
    assert [line["step"] for line in told] == list(range(1, 15))
    assert told[-1]["loss"] < told[0]["loss"] - 0.3
    assert told[-1]["epoch"] == 4.0
    assert learnt.loss == pytest.approx(told[-1]["loss"])
    assert learnt.target_tokens == 4 * sum(len(row.target) for row in ROWS)
    assert capfd.readouterr() == ("", "")


def _stopped_at(made: Lesson, student: Path, step: int) -> None:
    """Learns until the process dies, so to speak, after `step` steps."""
    from transformers import TrainerCallback

    from lt_bench.train.sft_trainer import trainer_of

    class Die(TrainerCallback):  # type: ignore[misc]
        def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.global_step == step:
                raise KeyboardInterrupt

    trainer = trainer_of(made, *loaded(student))
    trainer.add_callback(Die())
    with pytest.raises(KeyboardInterrupt):
        trainer.train()


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory, dense: Path) -> Path:
    """The folder of a training that died after five steps, with checkpoints of the second and fourth."""
    folder = tmp_path_factory.mktemp("stopped")
    _stopped_at(lesson(folder), dense, 5)
    return folder


def _weights(trainer: Any) -> dict[str, Any]:
    return {name: weight.detach().clone() for name, weight in trainer.model.state_dict().items()}


@pytest.mark.parametrize("kind", ["mixture", "dense"])
def test_a_resumed_training_ends_as_an_unbroken_one(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from lt_bench.train.sft_trainer import learn

    student = request.getfixturevalue(kind)
    whole, broken = lesson(tmp_path / "whole"), lesson(tmp_path / "broken")
    expected, _ = learn(whole, *loaded(student))
    _stopped_at(broken, student, 5)
    trainer, learnt = learn(broken, *loaded(student))
    assert learnt.steps == whole.steps
    assert [line["step"] for line in logged(broken)] == [line["step"] for line in logged(whole)]
    for one, other in zip(logged(broken), logged(whole), strict=True):
        assert one["loss"] == pytest.approx(other["loss"], abs=1e-5)
    other_weights = _weights(expected)
    for name, weight in _weights(trainer).items():
        assert weight.allclose(other_weights[name], atol=1e-5), name


def test_a_checkpoint_brings_back_every_expert(tmp_path: Path, mixture: Path) -> None:
    """On disk the experts of a mixture have names that a model in memory does not know."""
    from lt_bench.train.sealing import latest, load_weights
    from lt_bench.train.sft_trainer import learn

    made = lesson(tmp_path)
    trainer, _ = learn(made, *loaded(mixture))
    fresh, _ = loaded(mixture)
    before = {name: weight.clone() for name, weight in fresh.state_dict().items()}
    checkpoint = latest(made.checkpoints, made.training)
    assert checkpoint is not None
    load_weights(fresh, checkpoint)
    changed = 0
    for name, weight in _weights(trainer).items():
        assert fresh.state_dict()[name].equal(weight), name
        changed += not before[name].equal(weight)
    assert changed == len(before)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


@pytest.mark.parametrize(
    "damage",
    [
        lambda checkpoint: (checkpoint / "lt_bench.json").unlink(),
        lambda checkpoint: _cut(checkpoint / "model.safetensors"),
        lambda checkpoint: _cut(checkpoint / "optimizer.pt"),
        lambda checkpoint: (checkpoint / "trainer_state.json").unlink(),
        lambda checkpoint: (checkpoint / "lt_bench.json").write_text("{"),
    ],
    ids=["unsealed", "weights cut", "optimizer cut", "no state", "seal torn"],
)
def test_a_torn_checkpoint_is_passed_over(
    damage: Callable[[Path], None], tmp_path: Path, dense: Path, stopped: Path
) -> None:
    from lt_bench.train.sealing import latest, step_of
    from lt_bench.train.sft_trainer import learn

    made = lesson(shutil.copytree(stopped, tmp_path / "lesson"))
    assert step_of(latest(made.checkpoints, made.training)) == 4
    damage(made.checkpoints / "checkpoint-4")
    assert step_of(latest(made.checkpoints, made.training)) == 2
    _, learnt = learn(made, *loaded(dense))
    assert learnt.steps == 7
    assert [line["step"] for line in logged(made)] == list(range(1, 8))


def test_checkpoints_of_another_training_are_not_gone_on_from(stopped: Path) -> None:
    from lt_bench.train.sealing import latest

    made = lesson(stopped)
    for other in (
        replace(made, label="other rows"),
        replace(made, seed=8),
        lesson(stopped, optimizer={"learning_rate": 1e-3}),
        replace(made, lora=Lora()),
    ):
        assert latest(other.checkpoints, other.training) is None
    same = lesson(stopped, optimizer={"micro_batch": 2, "save_steps": 5})
    assert latest(same.checkpoints, same.training) is not None


def test_a_finished_training_is_not_done_again(tmp_path: Path, dense: Path) -> None:
    from lt_bench.train.sft_trainer import learn

    made = lesson(tmp_path)
    first, told = learn(made, *loaded(dense))
    before = made.log.read_bytes()
    second, again = learn(made, *loaded(dense))
    assert made.log.read_bytes() == before
    assert again == told
    expected = _weights(first)
    assert all(weight.equal(expected[name]) for name, weight in _weights(second).items())


def test_smaller_passes_learn_the_same(tmp_path: Path, dense: Path) -> None:
    from lt_bench.train.sft_trainer import learn

    whole, _ = learn(lesson(tmp_path / "a"), *loaded(dense))
    parts, _ = learn(lesson(tmp_path / "b", optimizer={"micro_batch": 1}), *loaded(dense))
    expected = _weights(whole)
    for name, weight in _weights(parts).items():
        assert weight.allclose(expected[name], atol=2e-4), name


def test_a_batch_that_cannot_be_divided_is_refused() -> None:
    optimizer = Optimizer(learning_rate=1.0, batch_size=12, micro_batch=4)
    assert shares(optimizer, 1) == (4, 3)
    assert shares(optimizer, 3) == (4, 1)
    assert shares(Optimizer(learning_rate=1.0, batch_size=12), 4) == (3, 1)
    with pytest.raises(UsageError, match="12 rows cannot be divided into passes of 4 rows on 2"):
        shares(optimizer, 2)


def test_a_training_that_comes_apart_is_stopped_with_the_step(tmp_path: Path, dense: Path) -> None:
    from lt_bench.train.sft_trainer import learn

    model, tokenizer = loaded(dense)
    model.get_input_embeddings().weight.data.fill_(math.nan)
    with pytest.raises(RunError, match="the loss is nan at step 1"):
        learn(lesson(tmp_path), model, tokenizer)
    assert not (tmp_path / "log.jsonl").exists()


def test_no_rows_are_refused(tmp_path: Path, dense: Path) -> None:
    from lt_bench.train.sft_trainer import learn

    with pytest.raises(UsageError, match="no row to train on"):
        learn(replace(lesson(tmp_path), rows=()), *loaded(dense))


def test_a_token_that_the_model_does_not_have_is_refused(tmp_path: Path, dense: Path) -> None:
    from lt_bench.train.sft_trainer import trainer_of

    rows = (*ROWS, Row(prompt=(1,), target=(5000,)))
    with pytest.raises(UsageError, match="token 5000 is unknown to the model"):
        trainer_of(replace(lesson(tmp_path), rows=rows), *loaded(dense))


def test_half_precision_and_recomputed_activations_learn_too(tmp_path: Path, mixture: Path) -> None:
    import torch

    from lt_bench.train.sft_trainer import learn

    precision = Precision(dtype="bfloat16", gradient_checkpointing=True)
    plain, _ = learn(lesson(tmp_path / "plain"), *loaded(mixture))
    trainer, _ = learn(lesson(tmp_path / "half", precision=precision), *loaded(mixture))
    assert (plain.args.bf16, trainer.args.bf16) == (False, True)
    assert (plain.args.gradient_checkpointing, trainer.args.gradient_checkpointing) == (False, True)
    assert trainer.model.dtype == torch.float32
    one, other = (logged(lesson(tmp_path / name))[-1]["loss"] for name in ("plain", "half"))
    assert one == pytest.approx(other, rel=0.02)


def test_rows_are_no_longer_than_the_model_has_positions(dense: Path) -> None:
    from lt_bench.train.weights import Parent

    parent = Parent.find(str(dense))
    assert (parent.longest(4096), parent.longest(100)) == (512, 100)


# --- the candidate -----------------------------------------------------------------------------


def finish(folder: Path, end: int) -> Any:
    from lt_bench.train.saving import Finish
    from lt_bench.train.weights import Parent, Router, stored_dtype

    parent = Parent.find(str(folder))
    return Finish(parent.tokenizer(), end, stored_dtype(parent.config), Router.of(parent.config))


async def _answer(folder: Path) -> Any:
    from lt_bench.backends import Request
    from lt_bench.backends.transformers.backend import TransformersBackend
    from lt_bench.config import Sampling
    from lt_bench.records import Message, Prompt

    prompt = Prompt(messages=(Message(role="user", content="the kettle price"),))
    async with TransformersBackend(str(folder), {}) as backend:
        return await backend.generate(Request(prompt, Sampling(max_tokens=5), "x", 0))


def test_a_mixture_is_saved_so_that_it_answers(tmp_path: Path, mixture: Path) -> None:
    from lt_bench.run.loop import run
    from lt_bench.train.saving import save_whole
    from lt_bench.train.sft_trainer import learn

    trainer, _ = learn(lesson(tmp_path, aux_loss=0.01), *loaded(mixture))
    save_whole(trainer, finish(mixture, 3), tmp_path / "candidate")
    config = json.loads((tmp_path / "candidate" / "config.json").read_text())
    before = json.loads((mixture / "config.json").read_text())
    assert config["output_router_logits"] is False
    assert config["router_aux_loss_coef"] == before["router_aux_loss_coef"]
    assert config["use_cache"] is True
    saved, _ = loaded(tmp_path / "candidate")
    expected = _weights(trainer)
    assert all(weight.equal(expected[name]) for name, weight in saved.state_dict().items())
    assert run(_answer(tmp_path / "candidate")).usage.output >= 1
    assert not list((tmp_path / "candidate").glob("*.bin"))


def test_the_end_of_a_turn_joins_the_end_tokens_of_the_parent(tmp_path: Path) -> None:
    from transformers import AutoTokenizer, GenerationConfig

    from lt_bench.train.saving import save_whole
    from lt_bench.train.sft_trainer import learn

    student = tiny_model(tmp_path / "student", "qwen3", eos=(0,))
    trainer, _ = learn(lesson(tmp_path), *loaded(student))
    save_whole(trainer, finish(student, 2), tmp_path / "candidate")
    assert GenerationConfig.from_pretrained(tmp_path / "candidate").eos_token_id == [2, 0]
    before = AutoTokenizer.from_pretrained(student)
    after = AutoTokenizer.from_pretrained(tmp_path / "candidate")
    assert after.chat_template == before.chat_template
    assert after.get_vocab() == before.get_vocab()


def test_weights_are_stored_as_the_parent_stores_them(tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file
    from transformers import AutoModelForCausalLM

    from lt_bench.train.saving import save_whole
    from lt_bench.train.sft_trainer import learn

    student = tiny_model(tmp_path / "float", "llama")
    half = AutoModelForCausalLM.from_pretrained(student, dtype=torch.bfloat16)
    half.save_pretrained(student)
    trainer, _ = learn(lesson(tmp_path), *loaded(student))
    assert trainer.model.dtype == torch.float32
    save_whole(trainer, finish(student, 2), tmp_path / "candidate")
    stored = load_file(tmp_path / "candidate" / "model.safetensors")
    assert {weight.dtype for weight in stored.values()} == {torch.bfloat16}
    assert json.loads((tmp_path / "candidate" / "config.json").read_text())["dtype"] == "bfloat16"


def _adapted(tmp_path: Path, student: Path, lora: Lora) -> tuple[Any, Path]:
    from lt_bench.train.saving import save_adapter
    from lt_bench.train.sft_trainer import learn
    from lt_bench.train.weights import Parent

    trainer, _ = learn(lesson(tmp_path, lora=lora), *loaded(student))
    save_adapter(
        trainer, Parent.find(str(student)), lora, finish(student, 2), tmp_path / "candidate"
    )
    return trainer, tmp_path / "candidate"


def _logits(model: Any) -> Any:
    import torch

    with torch.no_grad():
        return model.eval()(input_ids=torch.tensor([[5, 6, 7, 8]])).logits


def test_a_merged_adapter_is_a_whole_model_that_says_the_same(tmp_path: Path) -> None:
    student = tiny_model(tmp_path / "student", "llama")
    trainer, candidate = _adapted(tmp_path, student, Lora(rank=4))
    assert not (candidate / "adapter_config.json").exists()
    saved, _ = loaded(candidate)
    assert _logits(saved).allclose(_logits(trainer.model), atol=1e-4)
    assert not _logits(saved).allclose(_logits(loaded(student)[0]), atol=1e-3)


def test_an_adapter_that_stays_apart_is_evaluated_over_its_base(tmp_path: Path) -> None:
    from lt_bench.run.loop import run

    student = tiny_model(tmp_path / "student", "llama")
    trainer, candidate = _adapted(tmp_path, student, Lora(rank=4, merge=False, targets=("q_proj",)))
    assert (candidate / "adapter_config.json").exists()
    assert not (candidate / "model.safetensors").exists()
    saved, _ = loaded(candidate)
    assert _logits(saved).allclose(_logits(trainer.model), atol=1e-4)
    assert run(_answer(candidate)).usage.output >= 1


def test_an_adapter_over_an_adapter_must_be_merged(tmp_path: Path) -> None:
    from lt_bench.train.weights import Parent, check_adapter

    student = tiny_model(tmp_path / "student", "llama")
    adapter = tiny_adapter(tmp_path / "adapter", student)
    parent = Parent.find(str(adapter))
    check_adapter(Lora(), parent)
    with pytest.raises(UsageError, match="is an adapter already"):
        check_adapter(Lora(merge=False), parent)
    import torch

    assert not _logits(parent.load(torch.float32)).allclose(_logits(loaded(student)[0]), atol=1e-3)


def test_parents_that_cannot_be_trained_are_refused(tmp_path: Path, dense: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    from lt_bench.train.weights import Parent

    with pytest.raises(UsageError, match="no model to start from"):
        Parent.find(None)
    with pytest.raises(UsageError, match="no model folder"):
        Parent.find(str(tmp_path / "nothing"))
    broken = tmp_path / "broken"
    shutil.copytree(dense, broken)
    weights = load_file(broken / "model.safetensors")
    weights.pop("model.norm.weight")
    save_file(weights, broken / "model.safetensors", {"format": "pt"})
    with pytest.raises(UsageError, match="lack .* tensors"):
        Parent.find(str(broken)).load(torch.float32)


def test_a_candidate_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    from lt_bench.train.saving import replace_folder

    folder = tmp_path / "candidate"
    replace_folder(folder, lambda part: (part / "weights").write_text("first") and None)

    def full(part: Path) -> None:
        (part / "weights").write_text("sec")
        raise OSError(28, "No space left on device")

    with pytest.raises(RunError, match="No space left"):
        replace_folder(folder, full)
    assert (folder / "weights").read_text() == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["candidate"]
