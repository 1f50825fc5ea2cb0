"""Data of tool agents through the real command: built, checked, imported, and replayed."""

import json

from support.importing import save
from support.warm import lt_bench


def test_equal_builds_are_equal_in_every_byte_and_their_replies_score_best(tmp_path):
    for name in ("one", "two"):
        done = lt_bench(
            *("data", "build", "tool_dialogue", "--out", name, "--train", "6", "--test", "6"),
            *("--lang", "mix", "--seed", "3"),
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
        assert "none stands in two splits" in done.stdout
    files = sorted(file.relative_to(tmp_path / "one") for file in (tmp_path / "one").rglob("*.*"))
    assert len(files) >= 8
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes(), (
            file
        )

    done = lt_bench("data", "validate", "one/test.jsonl", cwd=tmp_path)
    assert "6 rows, nothing wrong" in done.stdout
    done = lt_bench("data", "stats", "one/test.jsonl", cwd=tmp_path)
    assert "tool_dialogue" in done.stdout
    done = lt_bench("data", "audit", "one/train.jsonl", "one/test.jsonl", cwd=tmp_path)
    assert "clean" in done.stdout

    done = lt_bench(
        *("eval", "replay/one/test.replies.jsonl", "--task", "tool_dialogue", "--run", "run"),
        *("--data", "one/test.jsonl", "--json"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    metrics = json.loads(done.stdout)["metrics"]
    for name in ("task_success", "tool_f1", "answer_correctness", "state_match"):
        assert metrics[name]["value"] == 1, name
    assert metrics["over_calling"]["value"] == 0


def test_foreign_tool_data_is_imported_and_its_faults_are_named(tmp_path):
    tools = json.dumps([{"name": "f", "parameters": {"x": {"type": "int"}}}])
    good = {
        "id": 1,
        "query": "Do f 1.",
        "tools": tools,
        "answers": '[{"name": "f", "arguments": {"x": 1}}]',
    }
    save(tmp_path, [good], "good.jsonl")
    save(tmp_path, [good, {**good, "id": 2, "answers": '[{"name": "g"}]'}], "bad.jsonl")
    done = lt_bench("data", "import", "xlam", "good.jsonl", "--out", "rows.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 Example row" in done.stdout
    assert json.loads((tmp_path / "rows.manifest.json").read_text())["origin"]["name"] == "xlam"
    done = lt_bench("data", "validate", "rows.jsonl", "--task", "tool_dialogue", cwd=tmp_path)
    assert "nothing wrong" in done.stdout
    done = lt_bench("data", "import", "xlam", "bad.jsonl", "--out", "no.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert "line 2, calls: the row has no tool 'g'" in done.stderr
    assert not (tmp_path / "no.jsonl").exists()


def test_a_judge_of_answers_after_tool_calls_stands_beside_the_scores(tmp_path):
    (tmp_path / "gold.yaml").write_text("rules:\n  - answer: {agent: gold, task: tool_dialogue}\n")
    (tmp_path / "judge.yaml").write_text("rules:\n  - answer: {verdict: {correct: false}}\n")
    done = lt_bench(
        *("eval", "scripted/gold.yaml", "--task", "tool_dialogue", "--limit", "3", "--json"),
        *("--judge", "tool_answer", "--judge-model", "scripted/judge.yaml"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    metrics = json.loads(done.stdout)["metrics"]
    assert metrics["answer_correctness"]["value"] == 1
    assert metrics["tool_answer_correctness"]["value"] == 0
