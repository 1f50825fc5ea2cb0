"""Cards after people's labels: calibrations kept beside a run, corrected values, labelled rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.warm import lt_bench

from lt_bench import Run, catalog
from lt_bench.builders.commerce_judge import CommerceJudge
from lt_bench.records import Calibration, ResultCard

SAMPLE = catalog.find("tasks", "commerce_qa") / "sample"
REPLIES = f"replay/{SAMPLE / 'replies.jsonl'}"
RULES = """
rules:
- when: {contains: helpful}
  answer: {verdict: {helpful: true}}
- when: {block: {name: REPLY, matches: "[0-9]"}}
  answer: {verdict: {correct: true}}
- answer: {verdict: {correct: false}}
"""
"""A judge that believes numbers."""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A judge, 120 labelled replies, and the calibration that came of them."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "judge.yaml").write_text(RULES)
    rows = CommerceJudge({"lang": "en"}).build(120, 0)
    (folder / "labels.jsonl").write_text("".join(row.model_dump_json() + "\n" for row in rows))
    done = lt_bench(
        *("judge", "calibrate", "commerce_correctness", "--judge-model", "scripted/judge.yaml"),
        *("--labels", "labels.jsonl", "--out", "calibration.json", "--no-judge-cache"),
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    return folder


def evaluate(shop: Path, run: Path, *more: str, code: int = 0) -> ResultCard:
    done = lt_bench(
        *("eval", REPLIES, "--task", "commerce_qa", "--limit", "60", "--run", run, "--json"),
        *("--judge", "llm", "--judge-model", "scripted/judge.yaml", "--no-judge-cache", *more),
        cwd=shop,
    )
    assert done.returncode == code, done.stderr
    return ResultCard.model_validate_json(done.stdout)


def test_a_calibration_puts_the_corrected_value_beside_the_raw_one(
    shop: Path, tmp_path: Path
) -> None:
    card = evaluate(shop, tmp_path / "run", "--calibration", "calibration.json")
    known = Calibration.model_validate_json((shop / "calibration.json").read_text())
    stamp = card.judges["correctness"]
    assert stamp.calibration is not None
    assert stamp.calibration.overall == known.metrics["correctness"].overall
    (found,) = card.corrected["correctness"]
    overall = known.metrics["correctness"].overall
    assert overall.sensitivity.value is not None
    assert overall.specificity.value is not None
    raw = card.metrics["correctness"].value
    assert raw is not None
    wanted = (raw + overall.specificity.value - 1) / (
        overall.sensitivity.value + overall.specificity.value - 1
    )
    assert found.raw == raw
    assert found.unclipped == pytest.approx(wanted)
    assert 0 <= found.low <= found.high <= 1
    assert "helpfulness" not in card.corrected
    (warning,) = (text for text in card.warnings if "no rank" in text)
    assert warning.startswith("helpfulness, correct_and_helpful:")


def test_a_calibration_stays_beside_the_run(shop: Path, tmp_path: Path) -> None:
    first = evaluate(shop, tmp_path / "run", "--calibration", "calibration.json")
    done = lt_bench("score", tmp_path / "run", "--json", "--no-judge-cache", cwd=shop)
    assert done.returncode == 0, done.stderr
    assert ResultCard.model_validate_json(done.stdout).corrected == first.corrected
    assert Run(tmp_path / "run").card.corrected == first.corrected


def test_the_calibration_that_is_named_counts_though_a_newer_one_was_there(
    shop: Path, tmp_path: Path
) -> None:
    known = Calibration.model_validate_json((shop / "calibration.json").read_text())
    newer = known.model_copy(update={"labels": "others", "labels_sha": "0" * 64, "created": "2999"})
    (tmp_path / "newer.json").write_text(newer.model_dump_json())
    evaluate(shop, tmp_path / "run", "--calibration", str(tmp_path / "newer.json"))
    for named in ("calibration.json", str(tmp_path / "newer.json"), "calibration.json"):
        done = lt_bench(
            *("score", tmp_path / "run", "--no-judge-cache", "--calibration", named), cwd=shop
        )
        assert done.returncode == 0, done.stderr
        (kept,) = (tmp_path / "run" / "calibrations").iterdir()
        assert ("others" in kept.read_text()) == ("newer" in named)


def test_f60_a_stale_calibration_is_refused_before_anything_is_asked(
    shop: Path, tmp_path: Path
) -> None:
    (tmp_path / "judge.yaml").write_text(RULES.replace("[0-9]", "[1-9]"))
    done = lt_bench(
        *("eval", REPLIES, "--task", "commerce_qa", "--limit", "5", "--run", tmp_path / "run"),
        *("--judge", "llm", "--judge-model", f"scripted/{tmp_path / 'judge.yaml'}"),
        *("--calibration", "calibration.json"),
        cwd=shop,
    )
    assert done.returncode == 2
    assert "stale" in done.stderr
    assert not (tmp_path / "run" / "generations.jsonl").exists()


def test_answers_without_a_reply_are_no_error_of_the_judge(shop: Path, tmp_path: Path) -> None:
    """They are wrong for certain: the correction works on the others alone."""
    lines = (SAMPLE / "replies.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows[:30]:
        row.update(output="<think>and so on", finish_reason="length")
    (tmp_path / "cut.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = lt_bench(
        *("eval", f"replay/{tmp_path / 'cut.jsonl'}", "--task", "commerce_qa", "--limit", "60"),
        *("--run", tmp_path / "run", "--json", "--judge", "llm", "--no-judge-cache"),
        *("--judge-model", "scripted/judge.yaml", "--calibration", "calibration.json"),
        cwd=shop,
    )
    card = ResultCard.model_validate_json(done.stdout)
    (found,) = card.corrected["correctness"]
    assert found.n == 60
    assert found.raw == pytest.approx(card.metrics["correctness"].value)
    assert found.unclipped is not None
    known = Calibration.model_validate_json((shop / "calibration.json").read_text())
    overall = known.metrics["correctness"].overall
    assert overall.sensitivity.value is not None
    assert overall.specificity.value is not None
    judged = found.raw * 2
    wanted = (judged + overall.specificity.value - 1) / (
        overall.sensitivity.value + overall.specificity.value - 1
    )
    assert found.unclipped == pytest.approx(wanted / 2 if 0 <= wanted <= 1 else wanted)
    assert "30 answers without a reply" in found.sentence


def test_labels_on_the_rows_themselves_give_a_second_estimate(shop: Path, tmp_path: Path) -> None:
    evaluate(shop, tmp_path / "run")
    samples = {s.key.example_id: s for s in Run(tmp_path / "run").samples()}
    examples = [
        json.loads(line) for line in (SAMPLE / "test.jsonl").read_text("utf-8").splitlines()
    ]
    labelled = []
    for number, example in enumerate(examples[:60:2]):
        generation = samples[example["id"]].generation
        assert generation is not None
        labelled.append(
            {
                "id": example["id"],
                "example": example,
                "reply": generation.reply,
                "labels": [{"annotator": "ann", "correct": number % 3 != 0}],
            }
        )
    (tmp_path / "said.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labelled))
    done = lt_bench(
        *("score", tmp_path / "run", "--labels", tmp_path / "said.jsonl", "--json"),
        cwd=shop,
    )
    assert done.returncode == 0, done.stderr
    (found,) = ResultCard.model_validate_json(done.stdout).corrected["correctness"]
    assert found.labels == 30
    assert found.n == 60
    assert found.method.startswith(("PPI++", "labels alone"))
    assert (tmp_path / "run" / "labels.jsonl").exists()


def test_labels_drawn_by_verdict_are_refused_on_the_rows_themselves(
    shop: Path, tmp_path: Path
) -> None:
    evaluate(shop, tmp_path / "run")
    row = json.loads((SAMPLE / "test.jsonl").read_text("utf-8").splitlines()[0])
    row["tags"] = [*row["tags"], "sampling:balanced", "stratum:correct=yes"]
    said = {
        "id": "x",
        "example": row,
        "reply": "x",
        "labels": [{"annotator": "a", "correct": True}],
    }
    (tmp_path / "said.jsonl").write_text(json.dumps(said) + "\n")
    done = lt_bench("score", tmp_path / "run", "--labels", tmp_path / "said.jsonl", cwd=shop)
    assert done.returncode == 2
    assert "drawn by a judge's verdict" in done.stderr


def half_cut(tmp_path: Path) -> Path:
    """Sixty recorded answers of which every second was cut before its reply began."""
    lines = (SAMPLE / "replies.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows[:60:2]:
        row.update(output="<think>and so on", finish_reason="length")
    (tmp_path / "cut.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "cut.jsonl"


def test_labels_leave_answers_without_a_reply_wrong(shop: Path, tmp_path: Path) -> None:
    """People can label no reply that is not there: where they agree with the judge on all others,
    the estimate is the raw share."""
    done = lt_bench(
        *("eval", f"replay/{half_cut(tmp_path)}", "--task", "commerce_qa", "--limit", "60"),
        *("--run", tmp_path / "run", "--json", "--judge", "llm", "--no-judge-cache"),
        *("--judge-model", "scripted/judge.yaml"),
        cwd=shop,
    )
    raw = ResultCard.model_validate_json(done.stdout).metrics["correctness"].value
    frame = Run(tmp_path / "run").to_pandas().set_index("example_id")
    examples = [
        json.loads(line) for line in (SAMPLE / "test.jsonl").read_text("utf-8").splitlines()
    ]
    said = [
        {
            "id": example["id"],
            "example": example,
            "reply": frame.reply[example["id"]],
            "labels": [{"annotator": "a", "correct": bool(frame.correctness[example["id"]])}],
        }
        for example in examples[1:60:2]
    ]
    (tmp_path / "said.jsonl").write_text("".join(json.dumps(row) + "\n" for row in said))
    done = lt_bench(
        "score", tmp_path / "run", "--labels", tmp_path / "said.jsonl", "--json", cwd=shop
    )
    assert done.returncode == 0, done.stderr
    (found,) = ResultCard.model_validate_json(done.stdout).corrected["correctness"]
    assert found.raw == pytest.approx(raw)
    assert found.value == pytest.approx(raw)
    assert found.n == 60


def test_what_is_infeasible_stays_so_beside_answers_without_a_reply(
    shop: Path, tmp_path: Path
) -> None:
    (tmp_path / "judge.yaml").write_text(
        'rules:\n- when: {block: {name: REPLY, contains: "zzz"}}\n  answer: {verdict: {correct: true}}\n'
        "- when: {share: 0.5}\n  answer: {verdict: {correct: true}}\n"
        "- answer: {verdict: {correct: false}}\n"
    )
    rows = [
        {
            "question": f"q{i}",
            "documents": ["d"],
            "correct": i % 2,
            "reply": "zzz" if i % 2 else f"{i}",
        }
        for i in range(200)
    ]
    for i, row in enumerate(rows):
        row["question"] += "?" * (i % 7)
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    judge = f"scripted/{tmp_path / 'judge.yaml'}"
    done = lt_bench(
        *("judge", "calibrate", "commerce_correctness", "--judge-model", judge, "--no-judge-cache"),
        *("--labels", tmp_path / "labels.jsonl", "--out", tmp_path / "c.json"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    (tmp_path / "cut.jsonl").write_text(half_cut(tmp_path).read_text("utf-8"))
    done = lt_bench(
        *("eval", f"replay/{tmp_path / 'cut.jsonl'}", "--task", "commerce_qa", "--limit", "60"),
        *("--run", tmp_path / "run", "--json", "--judge", "commerce_correctness"),
        *("--judge-model", judge, "--no-judge-cache", "--calibration", tmp_path / "c.json"),
        cwd=tmp_path,
    )
    (found,) = ResultCard.model_validate_json(done.stdout).corrected["correctness"]
    assert found.unclipped is not None
    assert found.feasible == (0 <= found.unclipped <= 1)
    assert not found.feasible
    assert found.value is None


def test_labels_of_other_replies_are_refused_and_leave_the_earlier_ones(
    shop: Path, tmp_path: Path
) -> None:
    evaluate(shop, tmp_path / "run")
    (tmp_path / "run" / "labels.jsonl").write_text("")
    done = lt_bench("score", tmp_path / "run", "--labels", "labels.jsonl", cwd=shop)
    assert done.returncode == 2
    assert "none of the 120 labelled replies" in done.stderr
    assert (tmp_path / "run" / "labels.jsonl").read_text() == ""
