"""L_ref: an ordinary run of the parent, whose tokens count as the engine counts them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from support.reinforcing import context, parent, stage

from lt_bench.errors import RunError, UsageError
from lt_bench.run.rundir import RunDir
from lt_bench.train.data import examples_of
from lt_bench.train.lengths import LengthBudget
from lt_bench.train.recipe import GrpoStage
from lt_bench.train.reference import reference_of
from lt_bench.train.stage import StageContext


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return parent(tmp_path_factory.mktemp("model"))


def budget_of(here: StageContext) -> LengthBudget:
    assert isinstance(here.stage, GrpoStage)
    assert here.stage.rewards.length is not None
    return here.stage.rewards.length


def test_the_reference_is_the_mean_of_an_ordinary_run(tmp_path: Path, model: Path) -> None:
    here = context(tmp_path, model)
    rows = examples_of(here.task, here.stage.rows)
    found = reference_of(here, budget_of(here), rows)
    samples = list(RunDir(here.folder / "reference").samples().values())
    assert len(samples) == found.answers == 8
    output = [one.generation.usage.output for one in samples if one.generation]  # type: ignore[union-attr]
    assert found.mean == pytest.approx(math.fsum(output) / 8, abs=1e-9)
    assert found.truncated == sum(one.status == "truncated" for one in samples)
    assert {one.key.example_id for one in samples} == {row.id for row in rows[:8]}
    card = RunDir(here.folder / "reference").card()
    assert card.metrics["tpr"].value == pytest.approx(found.mean)
    config = RunDir(here.folder / "reference").load().config
    assert config.sampling.temperature == 0.7
    assert config.sampling.max_tokens == here.task.sampling({}).max_tokens
    assert f"L_ref {found.mean:.1f} tokens" in found.told


def test_it_is_measured_once(tmp_path: Path, model: Path) -> None:
    here = context(tmp_path, model)
    rows = examples_of(here.task, here.stage.rows)
    budget = budget_of(here)
    first = reference_of(here, budget, rows)
    journal = here.folder / "reference" / "generations.jsonl"
    before = journal.stat().st_mtime_ns
    assert reference_of(here, budget, rows) == first
    assert journal.stat().st_mtime_ns == before


def test_a_run_that_was_cut_off_goes_on(tmp_path: Path, model: Path) -> None:
    here = context(tmp_path, model)
    rows = examples_of(here.task, here.stage.rows)
    budget = budget_of(here)
    whole = reference_of(here, budget, rows)
    journal = here.folder / "reference" / "generations.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:5]) + lines[5][:20])
    (here.folder / "reference.json").unlink()
    again = reference_of(here, budget, rows)
    assert again == whole  # sampling is seeded by row
    assert journal.read_bytes().startswith(b"".join(lines[:5]))


def test_lengths_by_input_are_means_over_their_samples(tmp_path: Path, model: Path) -> None:
    length = {"reference": "input", "rows": 12, "samples": 3}
    here = context(tmp_path, model, stage(rewards={"length": length}))
    rows = examples_of(here.task, here.stage.rows)
    found = reference_of(here, budget_of(here), rows)
    assert found.by_input.keys() == {row.id for row in rows}
    own = [
        sample.generation.usage.output  # type: ignore[union-attr]
        for key, sample in RunDir(here.folder / "reference").samples().items()
        if key.example_id == rows[3].id and sample.generation
    ]
    assert len(own) == 3
    assert found.by_input[rows[3].id] == pytest.approx(sum(own) / 3, abs=1e-9)
    assert found.mean == pytest.approx(math.fsum(found.by_input.values()) / 12, abs=1e-9)


def test_lengths_by_input_need_a_row_for_each(tmp_path: Path, model: Path) -> None:
    here = context(tmp_path, model, stage(rewards={"length": {"reference": "input", "rows": 8}}))
    rows = examples_of(here.task, here.stage.rows)
    with pytest.raises(UsageError, match="each of 12 training rows") as caught:
        reference_of(here, budget_of(here), rows)
    assert "rewards.length.rows to 12" in caught.value.fix
    assert not (here.folder / "reference").exists()


def test_answers_that_were_cut_count_as_they_are(tmp_path: Path) -> None:
    endless = parent(tmp_path / "m", architecture="qwen3")
    here = context(tmp_path, endless)
    here.task.spec.sampling["max_tokens"] = 4
    rows = examples_of(here.task, here.stage.rows)
    found = reference_of(here, budget_of(here), rows)
    assert 0 < found.truncated <= 8
    assert found.mean <= 4.0
    assert f"{found.truncated} cut by the cap" in found.told


def test_of_names_an_earlier_stage(tmp_path: Path, model: Path) -> None:
    other = parent(tmp_path / "other", seed=7)
    here = context(tmp_path, other, stage(rewards={"length": {"of": "base", "rows": 4}}))
    here.candidates["base"] = model  # type: ignore[index]
    rows = examples_of(here.task, here.stage.rows)
    found = reference_of(here, budget_of(here), rows)
    assert found.model == f"hf/{model}"


def test_a_model_that_answers_nothing_has_no_length(tmp_path: Path) -> None:
    short = parent(tmp_path / "m", max_position_embeddings=16)
    here = context(tmp_path, short)
    rows = examples_of(here.task, here.stage.rows)
    with pytest.raises(RunError, match="no answer to measure L_ref from"):
        reference_of(here, budget_of(here), rows)
