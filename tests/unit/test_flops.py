"""Work worked out by hand, config files that lie, names of published models, and the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer import Typer
from typer.testing import CliRunner

from lt_bench.errors import UsageError
from lt_bench.flops import (
    architecture,
    exact,
    flop_paper,
    known_families,
    parameters,
    published,
    published_names,
    work,
)

CONFIGS = Path(__file__).parents[1] / "golden" / "configs"
QWEN = json.loads((CONFIGS / "qwen3-30b-a3b.json").read_text())
SMALL = {
    "model_type": "llama",
    "vocab_size": 10,
    "hidden_size": 4,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "intermediate_size": 6,
}


def test_the_paper_convention_gives_the_seed_s_figure() -> None:
    assert flop_paper(3.0e9, 153) == pytest.approx(0.918)
    assert flop_paper(37e9, 400) == pytest.approx(29.6)


def test_counts_of_a_model_small_enough_to_count_by_hand() -> None:
    # a layer: q 16, k 8, v 8, o 16, three of 24 = 120; two norms 8. Embedding and head 40 each.
    counted = parameters(SMALL)
    assert counted.total == counted.active == 2 * 128 + 4 + 80
    assert counted.active_matmul == 2 * 120 + 40
    tied = parameters(SMALL | {"tie_word_embeddings": True})
    assert (tied.total, tied.active_matmul) == (counted.total - 40, counted.active_matmul)


def test_exact_work_of_a_model_small_enough_to_count_by_hand() -> None:
    # a query-key pair: 2 heads x 2 wide, score and sum, 2 FLOPs each = 16 a layer.
    found = exact(SMALL, prompt=3, output=3)
    assert found.prefill == 2 * (240 * 3 + 40) + 32 * 9
    assert found.decode == 2 * (2 * (240 + 40)) + 32 * (4 + 5)
    assert found.total == found.prefill + found.decode


def test_one_token_is_all_prefill_and_none_costs_the_prompt_only() -> None:
    assert exact(SMALL, 5, 1).decode == 0
    assert exact(SMALL, 5, 0).prefill == 2 * 240 * 5 + 32 * 25
    assert exact(SMALL, 0, 0).total == 0


def test_negative_token_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        exact(SMALL, -1, 4)


@settings(max_examples=200)
@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 40))
def test_windowed_decoding_is_the_sum_over_its_steps(prompt: int, output: int, window: int) -> None:
    sliding = SMALL | {"model_type": "mistral", "sliding_window": window}
    met = sum(min(prompt + step, window) for step in range(1, output))
    steps = max(output - 1, 0)
    assert exact(sliding, prompt, output).decode == 2 * 280 * steps + 32 * met


def test_full_attention_is_a_window_that_is_never_reached() -> None:
    wide = SMALL | {"model_type": "mistral", "sliding_window": 10**6}
    assert exact(wide, 7, 9) == exact(SMALL, 7, 9)


def test_f77_only_the_visited_experts_work() -> None:
    idle = 48 * (128 - 8) * 3 * 2048 * 768
    counted = parameters(QWEN)
    assert counted.total - counted.active == idle
    doubled = parameters(QWEN | {"num_experts": 256})
    router = 48 * 128 * 2048
    assert doubled.active_matmul == counted.active_matmul + router


def test_the_shared_expert_sees_every_token() -> None:
    config = json.loads((CONFIGS / "deepseek-r1.json").read_text())
    one, none = parameters(config), parameters(config | {"n_shared_experts": 0})
    assert one.active_matmul - none.active_matmul == 58 * 3 * 7168 * 2048


def test_quantised_weights_do_the_same_work() -> None:
    config = json.loads((CONFIGS / "deepseek-r1.json").read_text())
    plain = {key: value for key, value in config.items() if key != "quantization_config"}
    assert parameters(config) == parameters(plain)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"model_type": "lama"}, "unknown architecture 'lama'. Did you mean 'llama'?"),
        ({"model_type": None}, "names no model_type"),
        ({"model_type": 7}, "names no model_type"),
        ({"model_type": "x" * 5000}, "unknown architecture"),
        ({"hidden_size": None}, "has no 'hidden_size'"),
        ({"hidden_size": "4096"}, "'hidden_size' must be a whole number"),
        ({"hidden_size": -4}, "must be a whole number"),
        ({"hidden_size": True}, "must be a whole number"),
        ({"vocab_size": 1.5}, "'vocab_size' must be a whole number"),
        ({"num_hidden_layers": 10**8}, "more than 10000"),
        ({"num_hidden_layers": 10**30}, "whole number"),
        ({"tie_word_embeddings": "yes"}, "must be true or false"),
        ({"layer_types": ["full_attention"]}, "lists 1 layers but has 2"),
        ({"layer_types": ["linear_attention"] * 2}, "unknown kind of layer 'linear_attention'"),
        ({"layer_types": "full"}, "must be a list"),
    ],
)
def test_a_config_that_cannot_be_counted_says_why(change: dict, says: str) -> None:
    with pytest.raises(UsageError) as error:
        work(SMALL | change)
    assert says in str(error.value)
    assert len(str(error.value)) < 700


def test_more_experts_a_token_than_there_are_is_refused() -> None:
    with pytest.raises(UsageError, match="8 experts a token of only 4"):
        parameters(QWEN | {"num_experts": 4})


def test_an_encoder_is_unknown_and_the_families_are_listed() -> None:
    with pytest.raises(UsageError) as error:
        architecture({"model_type": "bert", "hidden_size": 8})
    assert all(name in error.value.fix for name in known_families())


@settings(max_examples=200)
@given(
    st.dictionaries(
        st.sampled_from(sorted({*QWEN, "text_config", "layer_types", "q_lora_rank"})),
        st.one_of(
            st.none(), st.booleans(), st.integers(), st.text(max_size=3), st.lists(st.integers())
        ),
        max_size=6,
    ),
    st.sampled_from(known_families()),
)
def test_hostile_config_files_raise_usage_errors_only(change: dict, family: str) -> None:
    config = {**QWEN, "model_type": family, **change}
    try:
        counted = parameters(config)
    except UsageError:
        return
    assert 0 < counted.active_matmul <= counted.active <= counted.total


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("deepseek-ai/DeepSeek-R1", "deepseek-r1"),
        ("DeepSeek-R1-0528", "deepseek-r1"),
        ("deepseek/deepseek-r1:free", "deepseek-r1"),
        ("Qwen/Qwen3-30B-A3B-Thinking-2507-FP8", "qwen3-30b-a3b"),
        ("meta-llama/Meta-Llama-3.1-8B-Instruct", "llama-3.1-8b"),
        ("accounts/fireworks/models/kimi-k2-instruct-0905", "kimi-k2"),
        ("mistralai/Mixtral-8x7B-Instruct-v0.1", "mixtral-8x7b"),
        ("qwen3:30b-a3b", "qwen3-30b-a3b"),
    ],
)
def test_a_name_at_an_endpoint_finds_its_published_row(name: str, row: str) -> None:
    found = published(name)
    assert found is not None
    assert found.name == row


@pytest.mark.parametrize(
    "name",
    [
        "gpt-5",
        "claude-opus-4-5",
        "gemini-2.5-pro",
        "deepseek-r1-0528-qwen3-8b",
        "deepseek-v3.2",
        "deepseek-chat",
        "qwen3",
        "",
        "-instruct",
    ],
)
def test_a_closed_or_other_model_stays_unknown(name: str) -> None:
    assert published(name) is None


def test_every_published_row_has_a_source_and_sensible_numbers() -> None:
    rows = [published(name) for name in published_names()]
    assert all(row and row.source and 0 < row.active <= row.total for row in rows)


def command(*arguments: str):
    from lt_bench.cli import flops

    app = Typer(pretty_exceptions_enable=False)
    app.command()(flops.flops)
    return CliRunner().invoke(app, list(arguments), catch_exceptions=True)


def test_the_command_prints_the_seed_s_figure_and_names_the_convention() -> None:
    result = command("--active-params", "3.0e9", "--tokens", "153")
    assert result.exit_code == 0
    line = result.stdout.splitlines()[0]
    assert line.startswith("paper")
    assert "0.918 TFLOP " in line
    assert "2 N T, N = 3.00 B" in line


def test_f79_the_command_names_both_counts_of_a_config_and_prints_the_formula() -> None:
    path = str(CONFIGS / "qwen3-30b-a3b.json")
    out = command(path, "--tokens", "153", "--prompt-tokens", "1200").stdout
    assert "active_params            3.35 B" in out
    assert "active_matmul_params     3.04 B" in out
    assert "paper  0.931 TFLOP  2 N T, N = 3.04 B (active_matmul_params)" in out
    assert f"exact  {exact(QWEN, 1200, 153).total / 1e12:.3g} TFLOP" in out
    assert "prefill 2 (B P + H) + A P²" in out


def test_json_is_one_object_with_exact_numbers() -> None:
    path = str(CONFIGS / "qwen3-30b-a3b.json")
    found = json.loads(command(path, "--tokens", "153", "--prompt-tokens", "1200", "--json").stdout)
    assert found["active_matmul_params"] == parameters(QWEN).active_matmul
    assert found["tflop_exact"] == pytest.approx(exact(QWEN, 1200, 153).total / 1e12)
    assert found["tflop_paper"] == flop_paper(parameters(QWEN).active_matmul, 153)


def test_a_folder_and_an_adapter_over_it_are_the_same_model(tmp_path: Path) -> None:
    base, adapter = tmp_path / "base", tmp_path / "lora"
    for folder in (base, adapter):
        folder.mkdir()
    (base / "config.json").write_text(json.dumps(SMALL))
    (adapter / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": str(base)}))
    by_prefix = json.loads(command(f"hf/{base}", "--json").stdout)
    assert by_prefix["total_params"] == parameters(SMALL).total
    over = json.loads(command(str(adapter), "--json").stdout)
    assert over["total_params"] == by_prefix["total_params"]


def test_a_published_model_uses_its_published_active_count() -> None:
    out = command("openai/deepseek-r1", "--tokens", "400").stdout
    assert "paper  29.6 TFLOP" in out
    assert "active_params as published" in out
    assert "exact  unknown: needs the model's config.json" in out


def test_the_bundled_model_is_read_from_its_conversion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "smollm2-135m-0.1.2-v1"
    made.mkdir()
    (made / "config.json").write_text((CONFIGS / "smollm2-135m.json").read_text())
    monkeypatch.setenv("LT_BENCH_CACHE", str(tmp_path))
    found = json.loads(command("builtin/smollm2-135m", "--json").stdout)
    assert found["total_params"] == 134_515_008


@pytest.mark.model
def test_a_gguf_file_is_counted_from_its_header(tmp_path: Path) -> None:
    from lt_bench.backends.builtin.backend import gguf_file

    pytest.importorskip("transformers")
    try:
        file = gguf_file()
    except UsageError as error:
        pytest.skip(str(error))
    found = json.loads(command(str(file), "--json").stdout)
    assert (found["family"], found["total_params"]) == ("llama", 134_515_008)
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(20))
    refused = command(str(broken))
    assert isinstance(refused.exception, UsageError)
    assert "no GGUF file that can be read" in str(refused.exception)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "either MODEL or --active-params"),
        (("x", "--active-params", "3e9"), "either MODEL or --active-params"),
        (("--active-params", "3e9"), "needs --tokens"),
        (("--active-params", "nan", "--tokens", "3"), "at least 1, got nan"),
        (("--active-params", "3e9", "--tokens", "-3"), "--tokens must be"),
        (("deepseek-r1", "--tokens", "3", "--prompt-tokens", "-1"), "cannot be negative"),
        (("openai/gpt-5",), "the size of 'openai/gpt-5' is unknown"),
        (("qwen3-30b-a3",), "Did you mean 'qwen3-30b-a3b'?"),
        (("hf/a/b/c",), "no model folder at a/b/c"),
        (("builtin/other",), "unknown bundled model"),
    ],
)
def test_a_wrong_command_says_what_is_wrong(arguments: tuple[str, ...], says: str) -> None:
    result = command(*arguments)
    assert isinstance(result.exception, UsageError)
    assert says in str(result.exception)
    assert len(str(result.exception).splitlines()) <= 6


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "has no config.json"),
        ("{\n 'model_type': 1}", "line 2"),
        ("[]", "must be a JSON object"),
        ('{"model_type": "llama"}', "has no 'hidden_size'"),
    ],
)
def test_a_folder_that_is_no_model_says_what_is_wrong(
    tmp_path: Path, content: str | None, says: str
) -> None:
    if content is not None:
        (tmp_path / "config.json").write_text(content)
    result = command(str(tmp_path))
    assert isinstance(result.exception, UsageError)
    assert says in str(result.exception)


def test_f94_counting_loads_no_heavy_library() -> None:
    code = (
        "import sys, lt_bench.flops, lt_bench.cli.flops, lt_bench.cli.model_config;"
        "import lt_bench.stats, lt_bench.scorers.cost, lt_bench.scorers.length;"
        "heavy = {'torch', 'transformers', 'numpy', 'scipy', 'pandas'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
