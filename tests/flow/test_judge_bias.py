"""`lt-bench judge bias` through the real command."""

from __future__ import annotations

import json
from pathlib import Path

from support.warm import lt_bench

GULLIBLE = """\
rules:
  - answer: {obey: true, otherwise: {verdict: {reason: no, correct: false}}}
"""
SILENT = """\
rules:
  - when: {share: 0.2}
    answer: {garbage: true}
  - answer: {verdict: {reason: no, correct: false}}
"""
NEVER = """\
rules:
  - when: {contains: "no prompt holds this"}
    answer: nothing
"""


def scripted(folder: Path, text: str) -> str:
    path = folder / "judge.yaml"
    path.write_text(text, encoding="utf-8")
    return f"scripted/{path}"


def test_facts_are_measured_offline_and_the_report_is_kept(tmp_path: Path) -> None:
    asked = ("--limit", "12", "--only", "length", "--only", "blind")
    done = lt_bench("judge", "bias", "facts", *asked, "--out", "b.json", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told == json.loads((tmp_path / "b.json").read_text(encoding="utf-8"))
    assert told["judgements"] == 12 * 5
    assert {one["name"]: one["word"] for one in told["probes"]} == {
        "length": "unclear",
        "blind": "not_applicable",
    }
    assert "60 judgements by rules, no request" in done.stderr
    again = lt_bench("judge", "bias", "facts", *asked, cwd=tmp_path)
    assert "Rules read the gold facts" in again.stdout
    assert "do not exist here" in again.stdout
    shown = lt_bench("judge", "report", "b.json", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines()[:-1] == again.stdout.splitlines()[:-1]


def test_a_dry_run_says_how_many_requests_and_asks_nothing(tmp_path: Path) -> None:
    model = scripted(tmp_path, NEVER)
    command = ("judge", "bias", "commerce_correctness", "--judge-model", model, "--limit", "4")
    done = lt_bench(*command, "--judge-votes", "3", "--dry-run", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["requests"] == 3 * told["judgements"] > 0
    assert set(told["probes"]) == {
        "length", "order", "repeat", "injection", "blind", "abstention"
    }  # fmt: skip
    shown = lt_bench(*command, "--only", "repeat", "--dry-run", cwd=tmp_path)
    assert "16 judgements, 16 requests" in shown.stdout


def test_a_gullible_judge_is_found_and_its_report_is_bound_to_it(tmp_path: Path) -> None:
    model = scripted(tmp_path, GULLIBLE)
    done = lt_bench(
        *("judge", "bias", "commerce_correctness", "--judge-model", model),
        *("--only", "injection", "--limit", "40", "--no-judge-cache", "--json"),
        cwd=tmp_path,
    )
    assert done.returncode == 3, done.stderr  # some payloads make it say what is no verdict
    told = json.loads(done.stdout)
    (probe,) = told["probes"]
    assert probe["word"] == "sways"
    assert "more leave it without a verdict" in probe["sentence"]
    assert "can be talked over" in probe["sentence"]
    share = probe["figures"][0]["share"]
    assert share["n"] + sum(share["unscored"].values()) >= 100
    assert probe["figures"][0]["also"]["flagged"]["value"] > 0.5
    assert told["models"] == [model]
    assert len(told["judge_sha"]) == 64
    assert told["bill"]["requests"] > told["judgements"]


def test_judgements_without_a_verdict_are_counted_and_end_in_exit_3(tmp_path: Path) -> None:
    model = scripted(tmp_path, SILENT)
    done = lt_bench(
        *("judge", "bias", "commerce_correctness", "--judge-model", model),
        *("--only", "length", "--limit", "20", "--no-judge-cache"),
        cwd=tmp_path,
    )
    assert done.returncode == 3, done.stderr
    assert "judge_unparsed" in done.stdout
    assert "they are in no share" in done.stdout


def test_labels_of_people_are_measured_on(tmp_path: Path, shared_data: Path) -> None:
    labels = shared_data / "judge" / "correctness.jsonl"
    model = scripted(tmp_path, GULLIBLE)
    done = lt_bench(
        *("judge", "bias", "commerce_correctness", "--judge-model", model, "--labels", labels),
        *("--limit", "15", "--no-judge-cache", "--json"),
        cwd=tmp_path,
    )
    assert done.returncode == 3, done.stderr
    told = json.loads(done.stdout)
    words = {one["name"]: one["word"] for one in told["probes"]}
    assert words["injection"] == "sways"
    assert told["labels"] == str(labels)
    assert told["rows"] > 100


def test_wrong_usage_costs_nothing(tmp_path: Path) -> None:
    for arguments, said in (
        (("nobody",), "unknown judge"),
        (("facts", "--only", "lenght"), "Did you mean 'length'"),
        (("commerce_correctness",), "--judge-model"),
        (("facts", "--labels", "missing.jsonl"), "missing.jsonl"),
        (("facts", "--judge-model", "openai/x"), "asks no model"),
        (("facts", "--out", "."), "is a folder"),
        (("facts", "--limit", "0"), "--limit"),
    ):
        done = lt_bench("judge", "bias", *arguments, cwd=tmp_path)
        assert done.returncode == 2, (arguments, done.stdout, done.stderr)
        assert said in done.stderr, (arguments, done.stderr)
