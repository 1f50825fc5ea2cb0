"""A dry run's figures, each against a hand-made sum."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from support.stages import CONFIG, training_of

from lt_bench.cli.train_plan import lines
from lt_bench.errors import UsageError
from lt_bench.flops import architecture, parameters
from lt_bench.task import Task
from lt_bench.train.effort import Lengths, completions_of, effort, steps_of
from lt_bench.train.hardware import Hardware, HardwareAsk
from lt_bench.train.loading import load
from lt_bench.train.memory import GIB, memory
from lt_bench.train.plan import Plan, StagePlan, plan
from lt_bench.train.plan_json import as_json, flat
from lt_bench.train.preparation import prepare
from lt_bench.train.recipe import GrpoStage, Lora
from lt_bench.train.sizes import Size

GPU = Hardware(devices=4, memory=80.0, peak=1000.0, mfu=0.5, rollout_mfu=0.1, name="device")
GOLDEN = Path(__file__).parents[1] / "golden" / "configs"


def of(folder: Path, **changes: Any) -> Plan:
    ask = HardwareAsk(4, 80.0, 1000.0, 0.5, 0.1)
    paths = {key.replace("__", "."): value for key, value in changes.items()}
    training = training_of(folder, paths)
    (folder / "tokenizer.json").unlink()  # so that no library is asked to read it
    return plan(training, None, ask)


def stage_of(folder: Path, name: str = "rl", **changes: Any) -> StagePlan:
    return next(stage for stage in of(folder, **changes).stages if stage.name == name)


def parts(stage: StagePlan) -> dict[str, float | None]:
    assert stage.memory
    return {part.name: part.bytes for part in stage.memory.parts}


def flops(stage: StagePlan) -> dict[str, float]:
    return {part.name: part.flops for part in stage.effort}


def test_rows_steps_and_completions_are_counted(tmp_path: Path) -> None:
    rft, rl = of(tmp_path).stages
    assert (rft.prompts.rows, rft.steps, rft.teacher_samples, rft.judged) == (40, 10, 160, 160)
    assert (rl.prompts.rows, rl.steps, rl.sequences_a_step) == (40, 5, 64)
    assert (rl.completions, rl.judged) == (320, 320)
    assert (rl.completion.mean, rl.completion.most) == (64, 64)


def test_dialogues_with_tools_are_counted_whole_and_read_again_in_each_turn(tmp_path: Path) -> None:
    recipe = load("mini/tools", {"stages.rl.optimizer.max_length": 400}, ())
    ask = HardwareAsk(1, 80.0, 1000.0, 0.5, 0.1)
    (rl,) = plan(prepare(recipe), "rl", ask).stages
    acted = list(Task.load("mini_tools").builder.dialogues("train", 64, 4))  # type: ignore[attr-defined]
    assert rl.completion.turns == pytest.approx(fmean(len(one.turns) for one in acted))
    assert 1.5 < rl.completion.turns < 3
    assert rl.completion.most == 400 - rl.prompts.longest  # a whole dialogue
    assert 10 < rl.completion.mean < 100
    turns, prompt, said = rl.completion.turns, rl.prompts.mean, rl.completion.mean
    read = rl.completions * (turns * prompt + (turns + 1) / 2 * said)
    assert rl.size is not None
    assert flops(rl)["rollouts"] == pytest.approx(2 * rl.size.active * read)
    assert flops(rl)["training"] == pytest.approx(
        6 * rl.size.active * rl.completions * (prompt + said)
    )


def test_a_plan_says_who_teaches_and_whether_anybody_is_asked_to_judge(tmp_path: Path) -> None:
    said = "\n".join(lines(of(tmp_path), explain=False))
    assert "160 samples of openai/teacher\n" in said
    assert "320 replies by rules, no judge is asked" in said
    assert "judging" not in said
    judge = {"name": "llm", "models": ["openai/one"]}
    server = {"base_url": "http://one:8000/v1"}
    asked = "\n".join(lines(of(tmp_path, judge=judge, judge_backend=server), explain=False))
    assert "judged       320 replies\n" in asked
    assert "judging and loading not counted" in asked


def test_epochs_and_iterations_make_steps(tmp_path: Path) -> None:
    changes = {
        "stages__rl__optimizer": {"learning_rate": 1e-6, "batch_size": 16, "epochs": 2},
        "stages__rl__objective__iterations": 3,
    }
    stage = training_of(tmp_path, {k.replace("__", "."): v for k, v in changes.items()}).recipe
    rl = stage.stages["rl"]
    assert isinstance(rl, GrpoStage)
    assert steps_of(rl, 40) == 5 * 3
    assert completions_of(rl, 15) == 5 * 16 * 8


def test_prompts_are_estimated_where_no_tokenizer_is_here(tmp_path: Path) -> None:
    stage = stage_of(tmp_path)
    assert "estimated" in stage.prompts.how
    assert 100 < stage.prompts.mean <= stage.prompts.longest < 5000


@pytest.mark.model
def test_a_broken_tokenizer_is_no_reason_to_stop(tmp_path: Path) -> None:
    found = plan(training_of(tmp_path), "rft").stages[0]
    assert "cannot be read" in found.prompts.how


def test_full_training_takes_sixteen_bytes_a_parameter(tmp_path: Path) -> None:
    """The frozen reference is held as the policy is, in float32, whatever matrices multiply in."""
    total = parameters(CONFIG).total
    for dtype in ("bfloat16", "float32"):
        found = parts(stage_of(tmp_path, stages__rl__precision__dtype=dtype))
        states = sum(found[name] or 0 for name in ("weights", "gradients", "optimizer"))
        assert states == pytest.approx(16 * total / 4)
        assert found["reference"] == pytest.approx(4 * total / 4)


def test_adapters_need_no_reference_and_hardly_any_states(tmp_path: Path) -> None:
    lora = {"rank": 2}
    found = parts(
        stage_of(tmp_path, stages__rl__lora=lora, stages__rl__precision__dtype="bfloat16")
    )
    # two layers of query 8x8, key and value 8x4, output 8x8, and three matrices of 8x16
    trained = 2 * 2 * (16 + 12 + 12 + 16 + 3 * 24)
    assert stage_of(tmp_path, stages__rl__lora=lora).trained == trained
    assert found["adapters"] == found["gradients"] == pytest.approx(4 * trained / 4)
    assert found["optimizer"] == pytest.approx(8 * trained / 4)
    assert "reference" not in found


@pytest.mark.parametrize("objective", [{"kl": 0}, {"kl": 0.01, "form": "seed"}])
def test_without_a_kl_to_the_parent_there_is_no_reference(
    tmp_path: Path, objective: dict[str, Any]
) -> None:
    stage = stage_of(tmp_path, stages__rl__objective=objective)
    assert "reference" not in parts(stage)
    assert "reference" not in flops(stage)


def test_one_device_keeps_weights_in_both_precisions(tmp_path: Path) -> None:
    """torch keeps what it rounded until the way back is done; spread weights are gathered instead."""
    training = training_of(tmp_path, {"stages.rl.precision.dtype": "bfloat16"})
    (tmp_path / "tokenizer.json").unlink()
    one = plan(training, "rl", HardwareAsk(1, 80.0, 1000.0, 0.5, 0.1)).stages[0]
    assert parts(one)["halved weights"] == 2 * parameters(CONFIG).total
    four = plan(training, "rl", HardwareAsk(4, 80.0, 1000.0, 0.5, 0.1)).stages[0]
    assert "halved weights" not in parts(four)


def test_a_draw_that_an_epoch_cannot_fill_is_not_made(tmp_path: Path) -> None:
    optimizer = {"learning_rate": 1e-6, "batch_size": 16}
    assert stage_of(tmp_path, stages__rl__optimizer=optimizer).steps == 2  # of 40 rows


def test_the_cache_holds_keys_and_values_of_all_completions(tmp_path: Path) -> None:
    stage = stage_of(tmp_path)
    sequence = stage.prompts.longest + 64
    # keys and values, one head of 4, two layers, 16 completions a device, 4 bytes as it is small
    assert parts(stage)["key-value cache"] == 2 * 1 * 4 * 2 * 16 * sequence * 4


def test_vllm_takes_its_share_and_a_server_none(tmp_path: Path) -> None:
    shared = stage_of(tmp_path, stages__rl__rollouts__engine="vllm")
    assert parts(shared)["vLLM"] == pytest.approx(0.3 * 80 * GIB)
    rollouts = {"engine": "vllm", "mode": "server", "url": "http://x:8000"}
    assert parts(stage_of(tmp_path, stages__rl__rollouts=rollouts))["rollouts"] == 0


def test_checkpointing_holds_less_and_works_more(tmp_path: Path) -> None:
    plain = stage_of(tmp_path)
    saving = stage_of(tmp_path, stages__rl__precision__gradient_checkpointing=True)
    assert (parts(saving)["activations"] or 0) < (parts(plain)["activations"] or 0)
    assert flops(saving)["training"] == pytest.approx(flops(plain)["training"] * 8 / 6)


def test_work_is_six_and_two_n_t(tmp_path: Path) -> None:
    stage = stage_of(tmp_path)
    n = parameters(CONFIG).active_matmul
    tokens = 5 * 64 * (stage.prompts.mean + 64)
    found = flops(stage)
    assert found["training"] == pytest.approx(6 * n * tokens)
    assert found["rollouts"] == found["reference"] == pytest.approx(2 * n * tokens)
    assert found["reference lengths"] == pytest.approx(2 * n * 128 * (stage.prompts.mean + 64))
    seconds = (6 + 2) * n * tokens / (4 * 1000e12 * 0.5)
    seconds += (2 * n * tokens + found["reference lengths"]) / (4 * 1000e12 * 0.1)
    assert (stage.hours(GPU) or 0) * 3600 == pytest.approx(seconds)


def test_adapters_go_back_without_weight_gradients(tmp_path: Path) -> None:
    stage = training_of(tmp_path, {"stages.rl.lora": {}}).recipe.stages["rl"]
    full = training_of(tmp_path).recipe.stages["rl"]
    found = [effort(one, 1e6, 40, Lengths(100, 50)) for one in (stage, full)]
    adapters, whole = ({part.name: part.flops for part in one}["training"] for one in found)
    assert adapters == pytest.approx(whole * 4 / 6)


def test_a_model_that_is_not_here_is_counted_from_the_recipe(tmp_path: Path) -> None:
    config = json.loads((GOLDEN / "qwen3-30b-a3b.json").read_text())
    hub = {"stages__rft__from": "Some/Model"}
    unknown = stage_of(tmp_path, **hub)
    assert unknown.size is None
    assert unknown.hours(GPU) is None
    assert any("configs:" in remark for remark in unknown.remarks)
    known = stage_of(tmp_path, **hub, configs={"Some/Model": config})
    assert known.size is not None
    assert known.size.total == pytest.approx(30.5e9, rel=0.01)
    assert known.size.active == pytest.approx(3.04e9, rel=0.01)


def test_a_published_size_is_used_and_its_gaps_are_said(tmp_path: Path) -> None:
    stage = stage_of(tmp_path, stages__rft__from="Qwen/Qwen3-4B", stages__rl__lora={})
    assert stage.size is not None
    assert (stage.size.total, stage.size.architecture) == (4.0e9, None)
    assert stage.memory is not None
    assert not stage.memory.whole
    assert stage.trained is None


def test_what_does_not_fit_is_said(tmp_path: Path) -> None:
    config = json.loads((GOLDEN / "qwen3-30b-a3b.json").read_text())
    changes = {"stages__rft__from": "Some/Model", "configs": {"Some/Model": config}}
    rft = stage_of(tmp_path, "rft", **changes)
    assert rft.memory is not None
    assert not rft.memory.fits(GPU), "122 GiB of states on each of four devices"
    assert rft.memory.fits(replace(GPU, memory=400.0))


def test_vllm_without_room_for_the_weights_is_said(tmp_path: Path) -> None:
    config = json.loads((GOLDEN / "qwen3-30b-a3b.json").read_text())
    stage = stage_of(
        tmp_path,
        stages__rft__from="Some/Model",
        configs={"Some/Model": config},
        stages__rl__rollouts__engine="vllm",
    )
    assert any("rollouts.memory" in remark for remark in stage.remarks)


def test_a_config_that_cannot_be_counted_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown architecture"):
        of(tmp_path, stages__rft__from="A/B", configs={"A/B": {"model_type": "mamba9"}})


def test_devices_are_guessed_by_the_size_of_the_model() -> None:
    ask = HardwareAsk()
    assert ask.resolved(7e5).name == "CPU core"
    assert ask.resolved(4e9).name == ask.resolved(None).name == "H100 of 80 GB"
    assert ask.resolved(3e10, sparse=True).mfu < ask.resolved(3e10).mfu
    assert HardwareAsk(peak=300.0).resolved(7e5).peak == 300.0
    assert "H100" not in HardwareAsk(peak=300.0).resolved(4e9).in_words


def test_the_plan_as_json_has_every_formula_and_no_secret(tmp_path: Path) -> None:
    options = {"base_url": "http://me:secret@host:8000/v1"}
    found = as_json(of(tmp_path, stages__rft__teacher__options=options))
    text = json.dumps(found, allow_nan=False)
    assert "secret" not in text
    assert found["estimated"] is True
    for stage in found["stages"]:
        assert all(part["formula"] for part in stage["memory"]["parts"] + stage["work"])
    assert found["hours"] == pytest.approx(sum(stage["hours"] for stage in found["stages"]))


def test_settings_are_told_as_set_takes_them(tmp_path: Path) -> None:
    found = dict(flat(of(tmp_path).settings))
    assert found["stages.rl.optimizer.steps"] == "5"
    assert found["stages.rl.rewards.weights.length"] == "0.3"
    assert found["stages.rl.rows.file"] == "null"
    assert found["task_options"] == "{}"


def test_an_unknown_stage_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Did you mean 'rft'"):
        plan(training_of(tmp_path), "rtf")


@pytest.mark.model
@pytest.mark.parametrize("kind", ["Llama", "Qwen3", "Qwen3Moe"])
def test_activations_come_near_what_torch_keeps(kind: str) -> None:
    import torch
    import transformers

    sizes = {
        "hidden_size": 128,
        "num_hidden_layers": 4,
        "num_attention_heads": 8,
        "head_dim": 16,
        "num_key_value_heads": 2,
        "vocab_size": 64,
        "intermediate_size": 384,
        **({"moe_intermediate_size": 64, "num_experts": 8} if kind == "Qwen3Moe" else {}),
        **({"num_experts_per_tok": 2} if kind == "Qwen3Moe" else {}),
    }
    model = transformers.AutoModelForCausalLM.from_config(
        getattr(transformers, f"{kind}Config")(**sizes), attn_implementation="sdpa"
    ).train()
    weights = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    kept: dict[int, int] = {}

    def pack(tensor: Any) -> Any:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        output = model(torch.randint(0, 64, (2, 128)))
    config = model.config.to_dict()
    size = Size(1, 1, "test", architecture(config))
    stage = training_of_rows(2)
    found = {p.name: p.bytes for p in memory(stage, size, 0, 128, replace(GPU, devices=1)).parts}
    assert output.logits.shape == (2, 128, 64)
    assert sum(kept.values()) == pytest.approx(found["activations"], rel=0.1)


def training_of_rows(rows: int) -> Any:
    from lt_bench.train.recipe import PretrainStage

    optimizer = {"learning_rate": 1.0, "batch_size": rows, "max_length": 128}
    architecture_ = {"model_type": "x", "config": {}}
    return PretrainStage.model_validate(
        {
            "kind": "pretrain",
            "architecture": architecture_,
            "optimizer": optimizer,
            "precision": {"dtype": "float32"},
        }
    )


@pytest.mark.model
def test_adapters_are_counted_as_peft_makes_them() -> None:
    import peft
    import transformers

    sizes = {key: value for key, value in CONFIG.items() if key != "model_type"}
    model = transformers.AutoModelForCausalLM.from_config(transformers.Qwen3Config(**sizes))
    lora = peft.LoraConfig(r=3, target_modules="all-linear", task_type="CAUSAL_LM")
    made = peft.get_peft_model(model, lora).get_nb_trainable_parameters()[0]
    assert Size(1, 1, "", architecture(CONFIG)).adapted(Lora(rank=3)) == made
