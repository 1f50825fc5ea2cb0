"""Runs with a judge model: eval --judge, score --judge, silence and resume, calibrations on cards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.warm import lt_bench

from lt_bench import catalog
from lt_bench.records import ResultCard, Scored

REPLIES = f"replay/{catalog.find('tasks', 'commerce_qa') / 'sample' / 'replies.jsonl'}"
ROWS = 12

YES = """
- when: {contains: helpful}
  answer: {verdict: {helpful: true, reason: told more}}
- answer: {verdict: {correct: true, reason: all there}}
"""


def script(folder: Path, rules: str, name: str = "judge.yaml", **head: str) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in head.items())
    (folder / name).write_text(f"{lines}rules:\n{rules}")
    return f"scripted/{folder / name}"


def evaluate(folder: Path, judge: str, *more: str, code: int = 0) -> ResultCard:
    done = lt_bench(
        *("eval", REPLIES, "--task", "commerce_qa", "--limit", str(ROWS), "--run", "r"),
        *("--judge", "llm", "--judge-model", judge, "--json", *more),
        cwd=folder,
        env={"LT_BENCH_CACHE": str(folder / "cache")},
    )
    assert done.returncode == code, done.stderr
    return ResultCard.model_validate_json(done.stdout)


def score(folder: Path, *more: str, code: int = 0) -> ResultCard:
    done = lt_bench(
        *("score", "r", "--json", *more), cwd=folder, env={"LT_BENCH_CACHE": str(folder / "cache")}
    )
    assert done.returncode == code, done.stderr
    return ResultCard.model_validate_json(done.stdout)


def journal(path: Path) -> list[Scored]:
    return [Scored.model_validate_json(line) for line in path.read_text("utf-8").splitlines()]


def test_a_judge_model_scores_both_qualities_and_the_card_says_who(tmp_path: Path) -> None:
    card = evaluate(tmp_path, script(tmp_path, YES, count="words"))
    assert card.metrics["correctness"].value == 1.0
    assert card.metrics["helpfulness"].value == 1.0
    assert card.metrics["correct_and_helpful"].value == 1.0
    assert card.judges["correctness"].name == "commerce_correctness"
    assert card.judges["correctness"].models[0].startswith("scripted/")
    assert "unsupported_claims" not in card.metrics
    assert card.labels["correctness"] == {"correct": ROWS}
    assert card.bill is not None
    assert card.bill.requests == 2 * ROWS
    assert card.bill.output is not None
    assert any("no rank" in warning for warning in card.warnings)


def test_a_price_makes_a_cost(tmp_path: Path) -> None:
    card = evaluate(tmp_path, script(tmp_path, YES, count="words"), "--judge-price", "1,2")
    assert card.bill is not None
    assert card.bill.prompt is not None
    assert card.bill.output is not None
    wanted = (card.bill.prompt + 2 * card.bill.output) / 1e6
    assert card.bill.cost == pytest.approx(wanted)


def test_another_judge_writes_beside_the_run_s_own(tmp_path: Path) -> None:
    evaluate(tmp_path, script(tmp_path, YES))
    own = (tmp_path / "runs/r/card.json").read_bytes()
    card = score(tmp_path, "--judge", "facts")
    sha = card.stamp.scorers_sha[:8]
    assert card.judges["correctness"].name == "facts"
    assert (tmp_path / f"runs/r/scores.{sha}.jsonl").exists()
    assert (tmp_path / f"runs/r/card.{sha}.json").exists()
    assert (tmp_path / "runs/r/card.json").read_bytes() == own


def test_scoring_again_keeps_the_judge_of_the_run(tmp_path: Path) -> None:
    first = evaluate(tmp_path, script(tmp_path, YES))
    again = score(tmp_path)
    assert again.stamp.scorers_sha == first.stamp.scorers_sha
    assert again.metrics == first.metrics
    assert sorted(path.name for path in (tmp_path / "runs/r").glob("card*")) == ["card.json"]


def test_silence_is_no_zero_and_a_resume_asks_only_for_it(tmp_path: Path) -> None:
    bad = """
- when: {share: 0.4}
  answer: {garbage: true}
"""
    first = evaluate(tmp_path, script(tmp_path, bad + YES, fingerprint="j"), code=3)
    silent = first.metrics["correctness"].unscored["judge_unparsed"]
    assert 0 < silent < ROWS
    assert first.metrics["correctness"].n == ROWS - silent
    assert first.metrics["correctness"].value == 1.0
    low, high = first.metrics["correctness"].bounds or (None, None)
    assert (low, high) == (pytest.approx(1 - silent / ROWS), 1.0)
    rows = journal(tmp_path / "runs/r/scores.jsonl")
    assert all(s.value != 0.0 for row in rows for s in row.scores if s.name == "correctness")
    second = evaluate(tmp_path, script(tmp_path, YES, fingerprint="j"))
    assert second.metrics["correctness"].n == ROWS
    again = journal(tmp_path / "runs/r/scores.jsonl")[len(rows) :]
    owed = {r.key for r in rows if any(s.reason for s in r.scores if s.reason != "not_applicable")}
    assert {row.key for row in again} == owed
    assert len(again) == len(owed)


def test_another_judge_model_is_refused_on_resume_with_its_name(tmp_path: Path) -> None:
    evaluate(tmp_path, script(tmp_path, YES))
    other = script(tmp_path, YES, name="other.yaml")
    done = lt_bench(
        *("eval", REPLIES, "--task", "commerce_qa", "--limit", str(ROWS), "--run", "r"),
        *("--judge", "llm", "--judge-model", other),
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert "judge.models" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--judge", "llm"), "--judge-model"),
        (("--judge-model", "scripted/x.yaml"), "--judge llm"),
        (("--judge", "lmm", "--judge-model", "scripted/x.yaml"), "Did you mean 'llm'"),
        (("--judge-votes", "3"), "--judge-model"),
        (("--judge", "llm", "--judge-model", "scripted/none.yaml"), "none.yaml"),
        (("--judge", "llm", "--judge-model", "opnai/x"), "openai"),
        (
            ("--judge", "llm", "--judge-model", "scripted/x.yaml", "--judge-price", "1"),
            "two prices",
        ),
        (("--judge-model", "scripted/x.yaml", "--set", "judge.temprature=1"), "temperature"),
    ],
)
def test_a_mistake_is_found_before_anything_is_asked(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    script(tmp_path, YES, name="x.yaml")
    more = ("--judge", "llm") if "temprature" in words[-1] else ()
    done = lt_bench("eval", REPLIES, "--task", "commerce_qa", *words, *more, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 6
    assert not (tmp_path / "runs").exists() or not list((tmp_path / "runs").glob("*/scores.jsonl"))


def test_a_judge_serves_the_tasks_that_have_it(tmp_path: Path) -> None:
    done = lt_bench(
        *("eval", REPLIES, "--limit", "2", "--json"),
        *("--judge", "llm", "--judge-model", script(tmp_path, YES)),
        cwd=tmp_path,
    )
    commerce, musique = map(ResultCard.model_validate_json, done.stdout.splitlines())
    assert commerce.judges
    assert not musique.judges


def test_a_declared_judge_serves_any_task(tmp_path: Path) -> None:
    musique = catalog.find("tasks", "musique") / "sample" / "replies.jsonl"
    done = lt_bench(
        *("eval", f"replay/{musique}", "--task", "musique", "--limit", "3", "--json"),
        *("--judge", "commerce_correctness", "--judge-model", script(tmp_path, YES)),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    card = ResultCard.model_validate_json(done.stdout)
    assert card.metrics["em"].value == 1.0
    assert card.metrics["correctness"].value == 1.0


def test_own_rows_without_gold_get_a_quality_from_a_judge(tmp_path: Path) -> None:
    row = {
        "id": "own-1",
        "task": "commerce_qa",
        "question": "does it fit a small kitchen?",
        "documents": [{"id": "d1", "text": "The oven is 40 cm wide."}],
        "gold": {"kind": "reference", "answers": ["It is 40 cm wide."]},
        "group": "own",
    }
    (tmp_path / "own.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "out.jsonl").write_text(json.dumps({"id": "own-1", "output": "40 cm wide."}) + "\n")
    done = lt_bench(
        *("eval", f"replay/{tmp_path / 'out.jsonl'}", "--task", "commerce_qa", "--json"),
        *("--data", tmp_path / "own.jsonl", "--judge", "llm"),
        *("--judge-model", script(tmp_path, YES)),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert ResultCard.model_validate_json(done.stdout).metrics["correctness"].value == 1.0


def test_the_bill_counts_what_a_resume_asks_again_and_leaves_out_what_failed(
    tmp_path: Path,
) -> None:
    bad = """
- when: {share: 0.4}
  answer: {fault: rate_limited}
"""
    first = evaluate(tmp_path, script(tmp_path, bad + YES, fingerprint="j", count="words"), code=3)
    assert first.bill is not None
    assert first.bill.failed > 0
    assert first.bill.output is not None
    assert first.bill.requests == 2 * ROWS
    second = evaluate(tmp_path, script(tmp_path, YES, fingerprint="j", count="words"))
    assert second.bill is not None
    assert second.bill.requests == 2 * ROWS + first.bill.failed
    assert second.bill.output is not None
    assert second.bill.output > first.bill.output


def test_a_cache_that_is_no_cache_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "judge.sqlite").write_text("no database " * 500)
    judge = script(tmp_path, YES)
    env = {"LT_BENCH_CACHE": str(tmp_path / "cache")}
    other = script(tmp_path, YES, "other.yaml")
    for command in (
        ("eval", REPLIES, "--task", "commerce_qa", "--limit", "3", "--run", "r", "--judge", "llm",
         "--judge-model", judge),
        ("score", "r", "--judge", "llm", "--judge-model", other),
    ):  # fmt: skip
        done = lt_bench(*command, cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("judge answers are not cached") == 1
        assert "judge.sqlite" in done.stderr
