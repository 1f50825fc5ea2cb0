"""The teacher's samples as an ordinary run, whoever the teacher is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.distilling import born, distilling, lines, mini_task, predictions
from support.server import Call, Reply, serve
from support.teachers import GOOD, SILENT, judge, taught

from lt_bench.builders.base import Teaching
from lt_bench.errors import RunError, UsageError
from lt_bench.run import Run
from lt_bench.train.data import examples_of
from lt_bench.train.recipe import SftStage, Teacher
from lt_bench.train.sampling import Offered, check_teacher, sample
from lt_bench.train.stage import StageContext

PARENT = Path("nobody")


def sampled(context: StageContext) -> Offered:
    assert isinstance(context.stage, SftStage)
    return sample(context, examples_of(context.task, context.stage.rows))


def uncounted(**teacher: Any) -> dict[str, Any]:
    return {"model": "reference", "options": {"tokenizer": None}, **teacher}


def test_the_run_is_an_ordinary_one(tmp_path: Path) -> None:
    context = taught(tmp_path / "rft", [[GOOD, GOOD]] * 3, parent=PARENT)
    offered = sampled(context)
    run = Run(offered.folder)
    assert offered.folder == context.folder / "sampling"
    assert run.config.samples == 2
    assert (run.config.sampling.temperature, run.config.sampling.max_tokens) == (0.7, 4096)
    assert run.config.judge.models == context.judge.models
    assert len(list(run.samples())) == len(list(run.scored())) == 6
    assert run.card.metrics["correctness"].value == 1.0
    rows = context.task.examples(context.folder / "rows.jsonl")
    assert rows == list(offered.examples)


def test_reference_is_what_the_builder_writes(tmp_path: Path) -> None:
    context = distilling(
        tmp_path / "rft",
        PARENT,
        rows={"rows": 30, "seed": 4, "limit": 12},
        teacher=uncounted(samples=3),
    )
    offered = sampled(context)
    builder = mini_task().builder
    assert isinstance(builder, Teaching)
    expected = {
        (one.example.id, index): output
        for one in list(builder.trajectories("train", 30, 4, 3))[:12]
        for index, output in enumerate(one.outputs)
    }
    assert len(expected) == 36
    found = {
        (one.key.example_id, one.key.sample_index): one.generation.turns[0].raw
        for one in Run(offered.folder).samples()
        if one.generation
    }
    assert found == expected


def test_the_labels_of_the_builder_are_those_of_the_scorers(tmp_path: Path) -> None:
    context = distilling(tmp_path / "rft", PARENT, teacher=uncounted())
    offered = sampled(context)
    said = {
        (line.key.example_id, line.key.sample_index): {s.name: s.value for s in line.scores}
        for line in Run(offered.folder).scored()
    }
    for label in lines(context.folder / "labels.jsonl"):
        scores = said[label["id"], label["sample_index"]]
        assert scores["correctness"] == label["correct"]
        assert scores["helpfulness"] == label["helpful"]


@pytest.mark.model
def test_tokens_of_reference_are_counted_by_the_students_tokenizer(tmp_path: Path) -> None:
    student = born(tmp_path / "student", "qwen3")
    context = distilling(tmp_path / "rft", student, rows={"rows": 4})
    card = sampled(context).card
    assert card.metrics["tpr_reasoning"].value is not None
    assert card.metrics["tpr_reasoning"].value > 10


def test_reference_cannot_answer_rows_of_a_file(tmp_path: Path) -> None:
    rows = examples_of(mini_task(), distilling(tmp_path / "x", PARENT).stage.rows)
    (tmp_path / "rows.jsonl").write_text("\n".join(row.model_dump_json() for row in rows) + "\n")
    context = distilling(
        tmp_path / "rft", PARENT, rows={"file": str(tmp_path / "rows.jsonl")}, teacher=uncounted()
    )
    with pytest.raises(UsageError, match="not those of a file"):
        sampled(context)


def test_a_task_without_trajectories_has_no_reference(tmp_path: Path) -> None:
    context = distilling(tmp_path / "rft", PARENT, teacher=uncounted())
    examples = examples_of(context.task, context.stage.rows)
    context.task.__dict__["builder"] = object()
    assert isinstance(context.stage, SftStage)
    with pytest.raises(UsageError, match="mini_qa writes no reference trajectories"):
        sample(context, examples)


def test_four_samples_at_temperature_zero_are_refused() -> None:
    with pytest.raises(UsageError, match="4 at temperature 0 are the same answer"):
        check_teacher(Teacher(model="openai/m", temperature=0.0))
    check_teacher(Teacher(model="openai/m", temperature=0.0, samples=1))
    check_teacher(Teacher(model="replay/x", temperature=0.0))
    check_teacher(Teacher(model="reference", temperature=0.0))


def test_any_teacher_that_can_be_evaluated_can_teach(tmp_path: Path) -> None:
    """Each of its samples is drawn with a seed of its own."""
    seeds = list[int]()

    def answer(call: Call) -> Reply:
        seeds.append(call.body["seed"])
        return Reply(GOOD)

    with serve(answer) as server:
        context = taught(
            tmp_path / "rft",
            [[GOOD]] * 3,
            parent=PARENT,
            teacher={"model": "openai/m", "samples": 4, "options": {"base_url": server.url}},
        )
        sampled(context)
    assert len(set(seeds)) == 12


def test_a_teacher_that_dies_stops_the_stage_and_loses_nothing(tmp_path: Path) -> None:
    count = 0

    def answer(call: Call) -> Reply:
        nonlocal count
        count += 1
        return Reply(GOOD) if count <= 10 else Reply(status=401, error={"message": "bad key"})

    with serve(answer) as server:
        context = taught(
            tmp_path / "rft",
            [[GOOD]] * 40,
            parent=PARENT,
            teacher={
                "model": "openai/m",
                "samples": 1,
                "options": {"base_url": server.url, "concurrency": 2},
            },
        )
        with pytest.raises(RunError):
            sampled(context)
        kept = lines(context.folder / "sampling" / "generations.jsonl")
        assert len([row for row in kept if row.get("status") == "ok"]) == 10
        count = -1000
        assert len(list(Run(sampled(context).folder).samples())) == 40
    assert count == -1000 + 30


def test_a_judge_that_never_answers_stops_the_stage_or_is_asked_again(tmp_path: Path) -> None:
    context = taught(tmp_path / "rft", [[SILENT]] * 3, parent=PARENT)
    assert sampled(context).card.metrics["correctness"].unscored == {"judge_error": 3}
    nobody = replace(
        context,
        folder=tmp_path / "other",
        judge=replace(
            judge(tmp_path / "j"),
            models=("openai/judge",),
            options={"base_url": "http://127.0.0.1:9/v1"},
        ),
    )
    with pytest.raises(RunError):
        sampled(nobody)
    assert len(lines(nobody.folder / "sampling" / "generations.jsonl")) > 0


def test_changed_answers_are_another_run(tmp_path: Path) -> None:
    context = taught(tmp_path / "rft", [[GOOD]] * 3, parent=PARENT)
    sampled(context)
    path = tmp_path / "rft-teacher" / "teacher.jsonl"
    predictions(path, {row["id"]: [GOOD + " Really."] for row in lines(path)})
    with pytest.raises(UsageError, match="fingerprint"):
        sampled(context)


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    context = taught(tmp_path / "rft", [[GOOD, SILENT]] * 3, parent=PARENT)
    sampled(context)
    journal = context.folder / "sampling" / "generations.jsonl"
    kept = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(kept[:2]) + kept[2][:20])
    (context.folder / "sampling" / "scores.jsonl").unlink()
    sampled(context)
    again = journal.read_bytes().splitlines(keepends=True)
    assert again[:2] == kept[:2]
    assert len(again) == 6


def test_a_full_disk_is_told_and_leaves_no_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lt_bench.train.sampling import write_lines

    def rows() -> Any:
        yield {"id": 1}
        raise OSError(28, "No space left on device")

    with pytest.raises(RunError, match="No space left"):
        write_lines(tmp_path / "rows.jsonl", rows())
    assert list(tmp_path.iterdir()) == []
