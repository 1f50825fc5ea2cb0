"""Parameter counts from config.json files against what the vendors published, within 2 %."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lt_bench.flops import parameters, published

CONFIGS = Path(__file__).parent / "configs"
PUBLISHED = {
    "deepseek-r1": (671e9, 37e9),
    "kimi-k2": (1.04e12, 32.6e9),
    "llama-3.1-8b": (8.03e9, 8.03e9),
    "mixtral-8x7b": (46.7e9, 12.9e9),
    "qwen3-1.7b": (1.7e9, 1.7e9),
    "qwen3-235b-a22b": (235e9, 22e9),
    "qwen3-30b-a3b": (30.5e9, 3.3e9),
    "smollm2-135m": (134.5e6, 134.5e6),
}


def config(name: str) -> dict:
    return json.loads((CONFIGS / f"{name}.json").read_text())


@pytest.mark.parametrize("name", PUBLISHED)
def test_f77_counts_are_within_two_percent_of_the_published_figures(name: str) -> None:
    counted, (total, active) = parameters(config(name)), PUBLISHED[name]
    assert counted.total == pytest.approx(total, rel=0.02)
    assert counted.active == pytest.approx(active, rel=0.02)


def test_f77_qwen3_30b_a3b_multiplies_with_3_04_billion_a_token() -> None:
    counted = parameters(config("qwen3-30b-a3b"))
    assert counted.total == 30_532_122_624
    assert counted.active_matmul == pytest.approx(3.04e9, rel=0.002)


def test_f79_the_two_active_counts_differ_by_the_embedding_of_an_untied_model() -> None:
    qwen = parameters(config("qwen3-30b-a3b"))
    embedding = 151936 * 2048
    assert qwen.active - qwen.active_matmul == pytest.approx(embedding, rel=0.001)
    tied = parameters(config("smollm2-135m"))
    assert tied.active - tied.active_matmul == 61 * 576


def test_gpt_oss_publishes_its_active_count_without_the_embedding() -> None:
    counted = parameters(config("gpt-oss-120b"))
    assert counted.total == pytest.approx(116.83e9, rel=1e-4)
    assert counted.active_matmul == pytest.approx(5.13e9, rel=0.001)


def test_glm_4_5_air_total_with_shared_experts_and_a_dense_first_layer() -> None:
    assert parameters(config("glm-4.5-air")).total == pytest.approx(106e9, rel=0.02)


def test_exact_totals_of_two_checkpoints_to_the_last_weight() -> None:
    assert parameters(config("llama-3.1-8b")).total == 8_030_261_248
    assert parameters(config("smollm2-135m")).total == 134_515_008
    assert parameters(config("mixtral-8x7b")).total == 46_702_792_704


def test_a_multimodal_model_is_counted_by_its_language_model() -> None:
    counted = parameters(config("gemma-3-4b"))
    assert counted.family == "gemma3_text"
    assert counted.total == pytest.approx(3.88e9, rel=0.005)


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_table_of_published_sizes_agrees_with_the_config_files(name: str) -> None:
    row = published(name)
    assert row is not None
    counted = parameters(config(name))
    assert counted.total == pytest.approx(row.total, rel=0.02)
    assert counted.active == pytest.approx(row.active, rel=0.02)
