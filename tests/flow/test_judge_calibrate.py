"""`lt-bench judge calibrate` and `report` through the real command."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.warm import lt_bench, start

from lt_bench.builders.commerce_judge import CommerceJudge
from lt_bench.records import BiasProbe, BiasReport, Environment

RULES = """\
rules:
  - when: {block: {name: REPLY, contains: garbled}}
    answer: {garbage: true}
  - when: {block: {name: REPLY, contains: "99"}}
    answer: {verdict: {correct: true, reason: it is 99}}
  - answer: {verdict: {correct: false, reason: it is not 99}}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A working folder with a cache of its own."""
    (tmp_path / "cache").mkdir()
    return tmp_path


def command(home: Path, *arguments: str | Path) -> Any:
    return lt_bench("judge", *arguments, cwd=home, env={"LT_BENCH_CACHE": str(home / "cache")})


def shop_rows(home: Path, count: int = 40, garbled: int = 0) -> Path:
    """Replies from two shops: half say 99, as the document does; people call those right."""
    rows = []
    for i in range(count):
        right = i % 2 == 0
        reply = f"It is {99 if right else 98} yuan, order {i}."
        if i < garbled:
            reply = f"garbled {reply}"
        rows.append(
            {
                "question": "How much?",
                "documents": [f"Kettle {i}: 99 yuan"],
                "reply": reply,
                "correct": right,
                "source": f"shop {'AB'[i // 2 % 2]}: March",
            }
        )
    path = home / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def script(home: Path, text: str = RULES) -> str:
    (home / "judge.yaml").write_text(text, encoding="utf-8")
    return "scripted/judge.yaml"


def test_facts_is_good_on_replies_by_construction(home: Path):
    folder = home / "built"
    folder.mkdir()
    rows = CommerceJudge({"lang": "mix"}).build(80, 0)
    (folder / "labels.jsonl").write_text("".join(row.model_dump_json() + "\n" for row in rows))
    done = command(
        home, "calibrate", "facts", "--labels", folder, "--slice", "fault", "--min-kappa", "0.6"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("facts judges correctness ")
    assert "is no judge" not in done.stdout
    for shown in ("fault:wrong_value", "lang:zh", "answerability:none", "always yes", "length:"):
        assert shown in done.stdout
    (file,) = (home / "calibrations").iterdir()
    assert file.name.startswith("facts-")
    found = json.loads(file.read_text())["metrics"]
    assert set(found) == {"correctness", "helpfulness", "correct_and_helpful"}


def test_facts_on_rows_without_gold_says_what_is_missing(home: Path):
    done = command(home, "calibrate", "facts", "--labels", shop_rows(home))
    assert done.returncode == 2
    assert "needs gold facts" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (home / "calibrations").exists()


def test_a_model_that_judges_well_is_measured_per_source(home: Path):
    model = script(home)
    done = command(
        home, "calibrate", "commerce_correctness", "--judge-model", model,
        "--labels", shop_rows(home), "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    one = found["metrics"]["correctness"]
    assert found["models"] == [model]
    assert one["overall"]["kappa"]["value"] == 1.0
    assert {name: part["counts"]["true_positive"] for name, part in one["slices"].items()
            if name.startswith("source:")} == {"source:shop A": 10, "source:shop B": 10}  # fmt: skip


def test_a_gate_that_is_not_met_ends_with_5_after_the_file_is_written(home: Path):
    always = script(home, "rules:\n  - answer: {verdict: {correct: true}}\n")
    done = command(
        home, "calibrate", "commerce_correctness", "--judge-model", always,
        "--labels", shop_rows(home), "--min-kappa", "0.4", "--out", home / "c.json",
    )  # fmt: skip
    assert done.returncode == 5
    assert f"{always} is no judge of correctness" in done.stdout
    assert "kappa is below 0.4: correctness has 0.00" in done.stderr
    assert json.loads((home / "c.json").read_text())["rows"] == 40


def test_what_has_no_verdict_is_counted_and_alone_asked_again(home: Path):
    model, labels = script(home), shop_rows(home, garbled=6)
    asked = ("calibrate", "commerce_correctness", "--judge-model", model, "--labels", labels,
             "--out", home / "c.json")  # fmt: skip
    first = command(home, *asked)
    assert first.returncode == 3, first.stderr
    assert "no verdict: 6 judge_unparsed" in first.stdout
    assert "instead of a verdict: " in first.stdout
    found = json.loads((home / "c.json").read_text())["metrics"]["correctness"]["overall"]
    assert found["unscored"] == {"judge_unparsed": 6}
    assert sum(found["counts"].values()) == 34
    again = command(home, *asked)
    assert "34 answers from the cache" in again.stdout


def answers_kept(cache: Path) -> int:
    """Rows of the cache of judge answers; 0 while there is none."""
    try:
        with closing(sqlite3.connect(f"file:{cache / 'judge.sqlite'}?mode=ro", uri=True)) as file:
            (table,) = file.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            ).fetchone()
            return int(file.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    except (sqlite3.Error, TypeError):
        return 0


def test_an_interrupted_calibration_ends_with_130_and_goes_on(
    home: Path, monkeypatch: pytest.MonkeyPatch
):
    slow = "fingerprint: shop\nrules:\n  - answer: {verdict: {correct: true}, delay: 0.5}\n"
    model, labels = script(home, slow), shop_rows(home)
    asked = ("calibrate", "commerce_correctness", "--judge-model", model, "--labels", labels,
             "--judge-concurrency", "2", "--out", home / "c.json")  # fmt: skip
    monkeypatch.setenv("LT_BENCH_CACHE", str(home / "cache"))
    process = start("judge", *asked, cwd=home)
    while process.poll() is None and answers_kept(home / "cache") < 3:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert not (home / "c.json").exists()
    kept = answers_kept(home / "cache")
    assert 3 <= kept < 40
    script(home, slow.replace(", delay: 0.5", ""))
    done = command(home, *asked)
    assert f"{40 - kept} requests, {kept} answers from the cache" in done.stdout


def test_a_balanced_limit_is_told_in_the_file_and_on_the_screen(home: Path):
    done = command(
        home, "calibrate", "commerce_correctness", "--judge-model", script(home),
        "--labels", shop_rows(home), "--limit", "20", "--balance",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "40 replies: 20 compared, 20 not drawn" in done.stdout
    assert "as many right as wrong ones" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("fatcs",), "Did you mean 'facts'"),
        (("commerce_correctness",), "--judge-model"),
        (("commerce_helpfulness", "--judge-model", "scripted/judge.yaml"), "no reply has a label"),
        (("facts", "--judge-model", "scripted/judge.yaml"), "asks no model"),
        (("commerce_correctness", "--judge-model", "scripted/judge.yaml", "--slice", "colour"),
         "no reply has such a tag"),
        (("commerce_correctness", "--judge-model", "scripted/judge.yaml", "--out", "."),
         "is a folder"),
        (("commerce_correctness", "--judge-model", "scripted/judge.yaml", "--min-kappa", "1.5"),
         "--min-kappa"),
        (("commerce_correctness", "--judge-model", "scripted/judge.yaml", "--min-kappa", "nan"),
         "--min-kappa"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_refused_before_anything_is_asked(
    home: Path, arguments: tuple[str, ...], told: str
):
    script(home)
    done = command(home, "calibrate", *arguments, "--labels", shop_rows(home, 4))
    assert done.returncode == 2, done.stdout
    assert told in done.stderr
    assert not (home / "calibrations").exists()
    assert not list((home / "cache").iterdir())


def test_reports_show_calibrations_again_and_side_by_side(home: Path):
    labels = shop_rows(home)
    always = "rules:\n  - answer: {verdict: {correct: true}}\n"
    for name, text in (("good", RULES), ("yes", always)):
        (home / f"{name}.yaml").write_text(text)
        command(home, "calibrate", "commerce_correctness", "--judge-model", f"scripted/{name}.yaml",
                "--labels", labels, "--out", f"{name}.json")  # fmt: skip
    one = command(home, "report", "yes.json")
    assert one.returncode == 0, one.stderr
    assert (
        "scripted/yes.yaml is no judge of correctness: it calls all 40 replies right" in one.stdout
    )
    both = command(home, "report", "good.json", "yes.json")
    assert [line.split()[2] for line in both.stdout.splitlines()[1:3]] == ["correctness"] * 2
    assert "no judge" in both.stdout
    table = command(home, "report", "good.json", "yes.json", "--markdown").stdout
    assert table.startswith("| judge | model |")
    lines = command(home, "report", "good.json", "yes.json", "--json").stdout.splitlines()
    assert [json.loads(line)["models"] for line in lines] == [
        ["scripted/good.yaml"], ["scripted/yes.yaml"],
    ]  # fmt: skip


def test_a_report_of_something_else_is_refused(home: Path):
    done = command(home, "report", shop_rows(home, 2))
    assert done.returncode == 2
    assert "is no calibration" in done.stderr


def test_real_labels_are_drawn_from_all_their_sources(home: Path, shared_data: Path):
    always = script(home, "rules:\n  - answer: {verdict: {correct: true}}\n")
    done = command(
        home, "calibrate", "commerce_correctness", "--judge-model", always, "--limit", "60",
        "--labels", shared_data / "judge" / "correctness.jsonl", "--out", "c.json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads((home / "c.json").read_text())
    slices = found["metrics"]["correctness"]["slices"]
    sources = {name: sum(s["counts"].values()) for name, s in slices.items() if "source:" in name}
    assert len(sources) == 4
    assert set(sources.values()) == {15}
    assert "is no judge of correctness" in done.stdout


def test_bias_reports_are_shown_by_the_same_command(home: Path):
    probe = BiasProbe(name="length", word="sways", sentence="Padding | moves it by 12 points.")
    made = BiasReport(
        judge="facts", judge_sha="5a" * 32, labels="built", labels_sha="6b" * 32, rows=9, limit=4,
        judgements=8, probes=(probe,), created="2026-01-01T00:00:00+00:00",
        environment=Environment(lt_bench="0", hardware="none"),
    )  # fmt: skip
    (home / "bias.json").write_text(made.model_dump_json())
    shown = command(home, "report", "bias.json")
    assert shown.returncode == 0, shown.stderr
    assert "moves it by 12 points" in shown.stdout
    table = command(home, "report", "bias.json", "--markdown").stdout
    assert "| length | sways | Padding \\| moves it by 12 points. |" in table
