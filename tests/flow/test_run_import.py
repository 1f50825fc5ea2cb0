"""`lt-bench run import`: from somebody else's log to a run that everything else works on."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.logs import archive, batch_row, inspect_sample, lines, lm_eval_row, rows
from support.runs import card, generations, scores
from support.warm import lt_bench

from lt_bench.records import AnswersGold


def data(folder: Path, count: int = 3) -> Path:
    """Rows in MuSiQue's schema, which the task reads."""
    found = []
    for one in rows(count):
        assert isinstance(one.gold, AnswersGold)
        answer = one.gold.answers[0]
        text = f"Book was written by {answer}."
        found.append(
            {
                "id": one.id,
                "paragraphs": [
                    {"idx": 0, "title": "B", "paragraph_text": text, "is_supporting": True}
                ],
                "question": one.question,
                "question_decomposition": [],
                "answer": answer,
                "answer_aliases": [],
                "answerable": True,
            }
        )
    return lines(folder / "rows.jsonl", found)


def imported(
    log: Path, rows: Path, *more: str | Path, run: str = "r"
) -> subprocess.CompletedProcess[str]:
    words = ("--task", "musique", "--data", rows, "--run", run, "--set", "builder.documents=1")
    return lt_bench("run", "import", log, *words, *more, cwd=log.parent)


def ems(run: Path) -> dict[str, Any]:
    return {
        row["key"]["example_id"]: next(s["value"] for s in row["scores"] if s["name"] == "em")
        for row in scores(run).values()
    }


def test_a_log_becomes_a_run_that_scores_status_and_score_know(tmp_path: Path) -> None:
    log = lines(tmp_path / "samples.jsonl", [lm_eval_row(0), lm_eval_row(1, "Bob"), lm_eval_row(2)])
    done = imported(log, data(tmp_path), "--model", "org/model")
    assert done.returncode == 0, done.stderr
    assert "3 answers of lm-eval imported (3 by id)" in done.stdout
    run = tmp_path / "runs" / "r"
    assert ems(run) == {"q0": 1.0, "q1": 0.0, "q2": 1.0}
    found = card(run)
    assert (found["model"], found["backend"]) == ("import/org/model", "import/lm-eval")
    assert found["stamp"]["environment"]["hardware"] == "unknown: imported from a log"
    # nobody counted, and nobody said what was cut
    assert found["metrics"]["tpr"]["unscored"] == {"not_applicable": 3}
    assert found["metrics"]["truncated"]["unscored"] == {"not_applicable": 3}
    assert "counted_by" not in {k for k, v in found["stamp"].items() if v is not None}
    assert lt_bench("score", "r", cwd=tmp_path).returncode == 0
    assert "finished" in lt_bench("run", "status", "r", cwd=tmp_path).stdout
    assert ems(run) == {"q0": 1.0, "q1": 0.0, "q2": 1.0}


def test_the_same_import_again_changes_nothing_and_finishes_what_was_cut(tmp_path: Path) -> None:
    log = lines(tmp_path / "samples.jsonl", [lm_eval_row(n) for n in range(3)])
    file = data(tmp_path)
    assert imported(log, file).returncode == 0
    run = tmp_path / "runs" / "r"
    before = generations(run)
    journal = (run / "generations.jsonl").read_bytes()
    assert imported(log, file).returncode == 0
    assert (run / "generations.jsonl").read_bytes() == journal
    (run / "generations.jsonl").write_bytes(journal[: len(journal) // 2])
    (run / "card.json").unlink()
    assert imported(log, file).returncode == 0
    assert generations(run) == before
    other = lines(tmp_path / "other.jsonl", [lm_eval_row(n, "Bob") for n in range(3)])
    refused = imported(other, file)
    assert refused.returncode == 2
    assert "other settings" in refused.stderr


def test_inspect_counts_cuts_and_refusals_are_kept(tmp_path: Path) -> None:
    def ended(text: str, reason: str) -> dict[str, Any]:
        message = {"role": "assistant", "content": text, "source": "generate"}
        return {"choices": [{"message": message, "stop_reason": reason}]}

    log = archive(
        tmp_path / "log.eval",
        {
            "samples/q0_epoch_1.json": inspect_sample(0),
            "samples/q1_epoch_1.json": inspect_sample(1, output=ended("An", "max_tokens")),
            "samples/q2_epoch_1.json": inspect_sample(2, output=ended("", "content_filter")),
        },
    )
    done = imported(log, data(tmp_path))
    assert done.returncode == 3, done.stderr  # a refusal has no score
    found = card(tmp_path / "runs" / "r")
    assert found["samples"] == {"ok": 1, "refused": 1, "truncated": 1}
    assert found["metrics"]["tpr"]["value"] == 5
    assert found["stamp"]["counted_by"] == "provider"
    assert found["metrics"]["truncated"]["value"] == 0.5
    config = json.loads((tmp_path / "runs" / "r" / "config.json").read_text())
    assert config["config"]["sampling"]["temperature"] == 0.5
    assert config["environment"]["packages"] == {"inspect_ai": "0.3.285"}


def test_rows_without_an_answer_and_strangers_are_named(tmp_path: Path) -> None:
    log = lines(tmp_path / "out.jsonl", [batch_row("q0", "Ann0"), batch_row("other", "Ann9")])
    done = imported(log, data(tmp_path))
    assert done.returncode == 3
    assert "1 answers are of no row of the data: other" in done.stdout
    assert "2 rows of the data have no answer in the log: q1, q2" in done.stdout
    found = card(tmp_path / "runs" / "r")
    assert found["metrics"]["em"]["n"] == 1
    assert found["metrics"]["em"]["unscored"] == {"no_answer": 2}
    first = imported(log, data(tmp_path), "--limit", "1", run="first")
    assert first.returncode == 0, first.stderr
    assert "no answer in the log" not in first.stdout


def test_empty_answers_and_thinking_that_never_ended_are_scored_as_everywhere(
    tmp_path: Path,
) -> None:
    log = lines(
        tmp_path / "p.jsonl",
        [
            {"id": "q0", "output": ""},
            {"id": "q1", "output": "<think>Ann1 wrote it"},
            {"id": "q2", "output": "<think>Hm.</think>Ann2", "tokens": 9},
        ],
    )
    done = imported(log, data(tmp_path))
    assert done.returncode == 0, done.stderr
    run = tmp_path / "runs" / "r"
    assert ems(run) == {"q0": 0.0, "q1": 0.0, "q2": 1.0}
    assert card(run)["samples"] == {"ok": 2, "truncated": 1}
    last = [row for row in generations(run).values() if row["key"]["example_id"] == "q2"]
    assert last[0]["generation"]["turns"][0]["reasoning"] == "Hm."


def test_no_answer_of_a_row_of_the_task_stops_before_anything_is_written(tmp_path: Path) -> None:
    log = lines(tmp_path / "out.jsonl", [batch_row("x1", "Ann0")])
    done = imported(log, data(tmp_path))
    assert done.returncode == 2
    assert "none of the 1 answers is of a row of this task" in done.stderr
    assert "fix:" in done.stderr
    assert len(done.stderr.splitlines()) <= 6
    assert not (tmp_path / "runs").exists()


def test_a_hostile_model_name_is_inert_in_the_terminal(tmp_path: Path) -> None:
    log = lines(tmp_path / "samples.jsonl", [lm_eval_row(n) for n in range(3)])
    done = imported(log, data(tmp_path), "--model", "a\x1b[31m‮<script>b")
    assert done.returncode == 0
    half = imported(log, data(tmp_path), "--model", "a\udcff", "--run", "half")
    assert half.returncode == 2, half.stderr
    assert "is not UTF-8" in half.stderr
    assert "\x1b" not in done.stdout
    assert "‮" not in done.stdout


@pytest.mark.model
def test_a_tokenizer_counts_what_the_log_did_not_and_says_so(tmp_path: Path) -> None:
    from support.tiny_models import tiny_tokenizer

    tiny_tokenizer().save_pretrained(tmp_path / "tok")
    log = lines(tmp_path / "samples.jsonl", [lm_eval_row(n) for n in range(3)])
    done = imported(log, data(tmp_path), "--tokenizer", tmp_path / "tok")
    assert done.returncode == 0, done.stderr
    found = card(tmp_path / "runs" / "r")
    expected = len(tiny_tokenizer()("Ann0", add_special_tokens=False)["input_ids"])
    assert found["metrics"]["tpr"]["value"] == expected
    assert found["stamp"]["counted_by"] == "tokenizer"
    assert found["note_counts"]["retokenized"] == 3


def prompt_sha(run: Path) -> str:
    return str(card(run)["stamp"]["prompt_sha"])


def test_models_that_were_asked_alike_stand_together_and_apart_from_ours(tmp_path: Path) -> None:
    file = data(tmp_path)
    foreign = {"gen_args_0": {"arg_0": "Book 0, by whom?", "arg_1": {}}}
    other = {"gen_args_0": {"arg_0": "Tell: book 0, by whom?", "arg_1": {}}}
    told = {
        "one": [lm_eval_row(0, "Ann0", arguments=foreign)],
        "two": [lm_eval_row(0, "Bob", arguments=foreign)],
        "three": [lm_eval_row(0, "Bob", arguments=other)],
        "silent": [{"id": "q0", "output": "Bob"}],
    }
    for name, found in told.items():
        log = lines(tmp_path / f"{name}.jsonl", found)
        done = imported(log, file, "--limit", "1", run=name)
        assert done.returncode == 0, done.stderr
        assert ("not in this task's own words" in done.stdout) == (name != "silent")
    one, two, three, silent = (prompt_sha(tmp_path / "runs" / name) for name in told)
    assert one == two
    assert len({one, three, silent}) == 3
    asked = lt_bench(
        *("eval", f"replay/{tmp_path / 'silent.jsonl'}", "--task", "musique", "--data", file),
        *("--limit", "1", "--set", "builder.documents=1", "--run", "ours"),
        cwd=tmp_path,
    )
    assert asked.returncode == 0, asked.stderr
    assert prompt_sha(tmp_path / "runs" / "ours") == silent


# --- Real logs -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both real logs, over the thirty rows of MuSiQue that were asked, and those alone."""
    folder = tmp_path_factory.mktemp("real")
    every = (shared_data / "musique" / "rows.jsonl").read_text("utf-8").splitlines()
    asked = logged(shared_data)
    mine = [row for row in map(json.loads, every) if row["id"] in asked and row["answerable"]]
    lines(folder / "rows.jsonl", mine)
    for name, log in (
        ("lm", "lm_eval_samples_musique_rows10.jsonl"),
        ("insp", "inspect_musique_rows10.eval"),
    ):
        done = lt_bench(
            *("run", "import", shared_data / "logs" / log, "--task", "musique"),
            *("--data", folder / "rows.jsonl", "--run", name),
            cwd=folder,
        )
        assert done.returncode == 0, done.stderr
        assert "30 by id" in done.stdout
    return folder / "runs"


def logged(shared_data: Path) -> dict[str, dict[str, Any]]:
    file = shared_data / "logs" / "lm_eval_samples_musique_rows10.jsonl"
    return {row["doc"]["id"]: row for row in map(json.loads, file.read_text("utf-8").splitlines())}


def test_a_real_log_of_lm_eval_has_the_exact_matches_it_reports(
    shared_data: Path, real: Path
) -> None:
    """lm-eval's rule here: punctuation and case ignored, articles kept; equal on these answers."""
    theirs = logged(shared_data)
    ours = ems(real / "lm")
    assert len(ours) == 30
    assert ours == {name: row["exact_match"] for name, row in theirs.items()}
    said = {
        row["key"]["example_id"]: row["generation"]["turns"][0]["raw"]
        for row in generations(real / "lm").values()
    }
    assert said == {name: row["resps"][0][0] for name, row in theirs.items()}
    found = card(real / "lm")
    assert found["model"] == "import/models/smollm2-135m"
    assert found["stamp"]["environment"]["packages"]["lm-eval"] == "0.4.13"


def test_a_real_log_of_inspect_has_the_scores_and_counts_it_reports(
    shared_data: Path, real: Path
) -> None:
    from lt_bench.integrations.runs.archive import Archive

    with Archive(shared_data / "logs" / "inspect_musique_rows10.eval") as archive:
        samples = {
            one["id"]: one
            for one in (archive.json(name) for name in archive.names if name.startswith("samples/"))
        }
    ours = {
        row["key"]["example_id"]: {s["name"]: s.get("value") for s in row["scores"]}
        for row in scores(real / "insp").values()
    }
    assert ours.keys() == samples.keys()
    same = 0
    for name, found in ours.items():
        theirs = samples[name]["scores"]
        assert found["tpr"] == samples[name]["output"]["usage"]["output_tokens"]
        if found["em"] is not None:
            assert found["em"] == float(theirs["exact"]["value"] == "C")
            # Inspect rounds to hundredths, and takes a hyphen for a space, where MuSiQue deletes it
            if "-" not in "".join(
                [samples[name]["output"]["completion"], *samples[name]["target"]]
            ):
                assert found["f1"] == pytest.approx(theirs["f1"]["value"], abs=0.0051)
                same += 1
    assert same >= 15
    cut = sum(
        one["output"]["choices"][0]["stop_reason"] == "max_tokens" for one in samples.values()
    )
    assert card(real / "insp")["samples"].get("truncated", 0) == cut
