"""The recipes at full scale: what they say, and that accelerate reads the launch files beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from lt_bench.catalog import builtin_root
from lt_bench.cli import application
from lt_bench.flops import parameters, published
from lt_bench.train.loading import load, recipes
from lt_bench.train.recipe import GrpoStage, Recipe, SftStage

TASKS = ("commerce_qa", "musique")
NAMES = sorted(name for name, _ in recipes() if name.startswith(TASKS))
STUDENTS = [name for name in NAMES if not name.endswith("smollm2-135m")]
PAPERS = [name for name in STUDENTS if "qwen3-30b" in name or "llama-8b" in name]
LAUNCH = builtin_root() / "training" / "_accelerate"
FILES = ("fsdp2", "multi_gpu", "one_gpu", "zero3")


def recipe(name: str) -> Recipe:
    return load(name).recipe


def rft(name: str) -> SftStage:
    stage = recipe(name).stages["rft"]
    assert isinstance(stage, SftStage)
    return stage


def rl(name: str) -> GrpoStage:
    stage = recipe(name).stages["rl"]
    assert isinstance(stage, GrpoStage)
    return stage


def test_each_task_has_the_papers_students_and_small_ones() -> None:
    sizes = ("qwen3-30b-a3b", "qwen3-4b", "qwen3-1.7b", "qwen3-0.6b")
    for task in TASKS:
        assert {f"{task}/deepseek-r1-distill-llama-8b", *(f"{task}/{s}" for s in sizes)} <= {*NAMES}
    assert "commerce_qa/smollm2-135m" in NAMES


@pytest.mark.parametrize("name", PAPERS)
def test_the_papers_students_have_the_settings_of_its_table_2(name: str) -> None:
    """LiveThinking, Table 2; η and β from the text above it, 8,000 rows from its data section."""
    first, then = rft(name), rl(name)
    assert (first.teacher.samples, first.teacher.temperature) == (4, 0.7)
    assert first.teacher.model.endswith("DeepSeek-R1")
    assert first.optimizer.learning_rate == 1.5e-6
    assert first.optimizer.batch_size == 2 * 8  # two a device on eight, as the recipe says
    assert first.aux_loss == (0.01 if "30b" in name else 0.0)
    assert (then.optimizer.learning_rate, then.optimizer.batch_size) == (2.5e-6, 8)
    assert then.rollouts.group == 8
    assert (then.objective.clip, then.objective.kl, then.aux_loss) == (0.2, 0.01, 0.0)
    assert (first.rows, then.rows.rows) == (then.rows, 8000)


@pytest.mark.parametrize("name", NAMES)
def test_rewards_are_the_papers_for_the_task(name: str) -> None:
    rewards, admit = rl(name).rewards, rft(name).admit
    if name.startswith("musique"):
        assert rewards.weights == {"em": 0.4, "length": 0.3}
        assert admit == {"em": 1.0}
    else:
        assert rewards.weights == {"correctness": 0.4, "helpfulness": 0.3, "length": 0.3}
        assert admit == {"correctness": 1.0, "helpfulness": 1.0}
    budget = rewards.length
    assert budget is not None
    assert (budget.upper, budget.lower, budget.tolerance) == (0.5, 0.4, 0.1)
    assert (budget.unit, budget.of) == (
        "relative",
        None,
    )  # of the rft candidate, which is the parent


@pytest.mark.parametrize("task", TASKS)
def test_students_of_one_task_differ_in_size_alone(task: str) -> None:
    names = [name for name in STUDENTS if name.startswith(task)]
    for one in names[1:]:
        assert rft(one).teacher == rft(names[0]).teacher
        assert rl(one).rewards == rl(names[0]).rewards
        assert rl(one).objective == rl(names[0]).objective
        assert recipe(one).judge == recipe(names[0]).judge


@pytest.mark.parametrize("name", STUDENTS)
def test_configs_count_what_the_vendors_published(name: str) -> None:
    one = recipe(name)
    model = rft(name).parent
    counted, row = parameters(one.configs[model]), published(model)
    assert set(one.configs) == {model}
    assert row is not None
    assert counted.total == pytest.approx(row.total, rel=0.02)
    assert counted.active == pytest.approx(row.active, rel=0.02)


def test_the_bundled_models_config_counts_its_134_5_million() -> None:
    given = recipe("commerce_qa/smollm2-135m").configs["builtin/smollm2-135m"]
    assert parameters(given).total == 134_515_008


def test_the_bundled_recipe_asks_nobody() -> None:
    one = recipe("commerce_qa/smollm2-135m")
    assert rft("commerce_qa/smollm2-135m").teacher.model == "reference"
    assert (one.judge.name, one.judge.models) == ("facts", ())
    stage = rl("commerce_qa/smollm2-135m")
    assert stage.rows.rows == 40 * stage.optimizer.batch_size


def test_launch_files_are_no_recipes() -> None:
    assert {path.stem for path in LAUNCH.glob("*.yaml")} == set(FILES)
    assert not [name for name, _ in recipes() if "accelerate" in name]


def launched(name: str, *more: str) -> Any:
    """What `accelerate launch` makes of a file and a command."""
    from accelerate.commands.launch import _validate_launch_command, launch_command_parser

    words = ["--config_file", str(LAUNCH / f"{name}.yaml"), "-m", "lt_bench", *more]
    asked, file, _ = _validate_launch_command(launch_command_parser().parse_args(words))
    asked.deepspeed_fields_from_accelerate_config = ",".join(file.deepspeed_config)
    return asked


@pytest.mark.model
@pytest.mark.parametrize("name", FILES)
def test_accelerate_reads_every_launch_file(name: str) -> None:
    from accelerate.commands.config.config_args import load_config_from_file

    config = load_config_from_file(str(LAUNCH / f"{name}.yaml"))
    assert config.mixed_precision == "bf16"
    assert config.num_processes == (1 if name == "one_gpu" else 8)
    asked = launched(name)
    assert (asked.use_fsdp, asked.use_deepspeed) == (name == "fsdp2", name == "zero3")
    assert asked.multi_gpu == (name == "multi_gpu")


@pytest.mark.model
def test_fsdp2_is_what_the_processes_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from accelerate.utils import FullyShardedDataParallelPlugin
    from accelerate.utils.launch import prepare_multi_gpu_env

    for key, value in prepare_multi_gpu_env(launched("fsdp2")).items():
        monkeypatch.setenv(key, value)
    plugin = FullyShardedDataParallelPlugin()
    assert (plugin.fsdp_version, plugin.reshard_after_forward) == (2, True)
    assert plugin.state_dict_type.name == "SHARDED_STATE_DICT"
    assert plugin.cpu_ram_efficient_loading
    assert not plugin.activation_checkpointing


@pytest.mark.model
def test_zero_3_gathers_a_whole_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    from accelerate.utils import DeepSpeedPlugin
    from accelerate.utils.launch import prepare_deepspeed_cmd_env

    for key, value in prepare_deepspeed_cmd_env(launched("zero3"))[1].items():
        monkeypatch.setenv(key, value)
    config = DeepSpeedPlugin().deepspeed_config
    assert config["zero_optimization"]["stage"] == 3
    assert config["zero_optimization"]["stage3_gather_16bit_weights_on_model_save"] is True
    # What the recipe says is filled in by the trainer.
    assert config["gradient_accumulation_steps"] == config["gradient_clipping"] == "auto"


@pytest.mark.model
def test_every_option_of_the_command_passes_through_accelerate() -> None:
    command = get_command(application("train"))
    train = command.commands["train"]  # type: ignore[attr-defined]
    options = [max(one.opts, key=len) for one in train.params if one.opts[0].startswith("--")]
    assert {"--run", "--stage", "--set", "--json"} <= {*options}
    words = ["train", "mini/moe", *(word for one in options for word in (one, "x"))]
    asked = launched("one_gpu", *words)
    assert asked.module
    assert (asked.training_script, asked.training_script_args) == ("lt_bench", words)


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_names_its_own_launch(name: str) -> None:
    """The command in the first lines is that of this very file."""
    folder, _, stem = name.partition("/")
    path: Path = builtin_root() / "training" / folder / f"{stem}.yaml"
    head = path.read_text("utf-8").partition("summary:")[0]
    assert f"train {name}\n" in head
