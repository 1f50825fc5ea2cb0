"""`lt-bench judge correct` and `plan` through the real command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.warm import lt_bench

from lt_bench.calibration.agreement import Pair, agreement
from lt_bench.records import Calibration, Environment, MetricCalibration

PUBLISHED = ("--observed", "0.923", "--n", "400", "--sensitivity", "0.83", "--specificity", "0.83")
PLAN = ("--rate", "0.9", "--sensitivity", "0.9", "--specificity", "0.85", "--n", "400")


def correct(folder: Path, *arguments: str, code: int = 0) -> str:
    done = lt_bench("judge", "correct", *arguments, cwd=folder)
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


def plan(folder: Path, *arguments: str, code: int = 0) -> str:
    done = lt_bench("judge", "plan", *arguments, cwd=folder)
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


@pytest.fixture
def calibration(tmp_path: Path) -> Path:
    """135 of 150 right replies and 128 of 150 wrong ones judged as people do; one metric of two."""
    cells = [(True, True)] * 135 + [(False, True)] * 15
    cells += [(False, False)] * 128 + [(True, False)] * 22
    found = agreement([Pair(judge, human, str(i)) for i, (judge, human) in enumerate(cells)])
    metric = MetricCalibration(judge="j", judge_sha="s", overall=found)
    one_class = agreement([Pair(True, True, str(i)) for i in range(300)])
    whole = Calibration(
        judge="j",
        labels="labels.jsonl",
        labels_sha="l",
        rows=300,
        metrics={
            "correctness": metric,
            "helpfulness": metric.model_copy(update={"overall": one_class}),
        },
        environment=Environment(lt_bench="0", hardware="none"),
        created="2026-01-01T00:00:00+00:00",
    )
    path = tmp_path / "calibration.json"
    path.write_text(whole.model_dump_json())
    return path


def test_the_published_score_is_infeasible_and_separates_nothing(tmp_path: Path) -> None:
    text = correct(tmp_path, *PUBLISHED, "--labels", "300", "--against", "0.915")
    assert "raw         0.923 [0.893, 0.945]  400 rows, Wilson" in text
    assert "infeasible: 1.14 [1.038, 1.267]" in text
    assert "1.00 " not in text
    assert "rows and labels contradict each other" in " ".join(text.split())
    assert "this judge cannot separate 92.3 from 91.5 with 400 rows and 300 labels" in text


def test_the_same_as_json(tmp_path: Path) -> None:
    text = correct(tmp_path, *PUBLISHED, "--labels", "300", "--against", "0.915", "--json")
    found = json.loads(text)
    corrected = found["corrected"]
    assert corrected["unclipped"] == pytest.approx(0.753 / 0.66, abs=1e-12)
    assert (corrected["feasible"], corrected["value"], corrected["labels"]) == (False, None, 300)
    assert found["interval"] == pytest.approx([1.03838, 1.26690], abs=1e-5)
    assert found["against"]["separate"] is False
    assert found["against"]["difference"] == pytest.approx(0.008 / 0.66)


def test_an_agreement_gives_a_range_and_claims_nothing(tmp_path: Path) -> None:
    text = correct(tmp_path, "--observed", "0.923", "--agreement", "0.83", "--balanced")
    assert "corrected   0.883 to 1.398 over all pairs with that sum" in text
    assert "infeasible (1.14)" in text
    assert "0.883 to 1.000, which needs a sensitivity of 0.923 or more" in text
    assert "Nothing follows about the study" in text
    found = json.loads(
        correct(tmp_path, "--observed", "0.7", "--agreement", "0.9", "--balanced", "--json")
    )
    assert found["all_feasible"] is True
    assert (found["low"], found["high"]) == (pytest.approx(0.625), pytest.approx(0.875))


def test_a_score_that_can_be_corrected(tmp_path: Path) -> None:
    text = correct(
        tmp_path, "--observed", "0.8", "--n", "400", "--sensitivity", "0.9", "--specificity",
        "0.85", "--labels", "300", "--against", "0.6", "--against-n", "500",
    )  # fmt: skip
    assert "corrected   0.867 [0.793, 0.950]" in text
    assert "people would call 86.7 % right [79.3, 95.0], not 80.0 %" in " ".join(text.split())
    assert "this judge separates 80.0 from 60.0 with 400 and 500 rows and 300 labels" in text


def test_a_calibration_file_brings_the_figures(tmp_path: Path, calibration: Path) -> None:
    figures = ("--calibration", str(calibration), "--metric", "correctness")
    found = json.loads(correct(tmp_path, "--observed", "0.8", "--n", "400", *figures, "--json"))
    typed = json.loads(
        correct(
            tmp_path, "--observed", "0.8", "--n", "400", "--labels", "300", "--sensitivity", "0.9",
            "--specificity", str(128 / 150), "--json",
        )
    )  # fmt: skip
    assert found["corrected"]["value"] == pytest.approx(typed["corrected"]["value"])
    assert found["interval"] == pytest.approx(typed["interval"])
    assert found["labels"] == 300
    planned = plan(tmp_path, "--precision", "0.08", "--rate", "0.9", "--n", "400", *figures)
    assert "sensitivity 0.900, specificity 0.853" in planned


def test_labels_that_a_precision_needs(tmp_path: Path) -> None:
    text = plan(tmp_path, "--precision", "0.06", *PLAN)
    assert "labels      933: 467 on replies that people call right, 466 on wrong ones" in text
    assert "best split  88 % on right replies: then 632 labels give ± 0.06" in text
    found = json.loads(plan(tmp_path, "--labels", "933", *PLAN, "--json"))
    assert found["half_width"] == pytest.approx(0.06, abs=1e-4)
    assert found["half_width"] <= 0.06


def test_a_precision_that_the_rows_do_not_allow(tmp_path: Path) -> None:
    text = plan(tmp_path, "--precision", "0.03", *PLAN)
    assert "no number is enough with 400 rows: it takes at least 1,098 rows" in text
    assert "floor       ± 0.050" in text


def test_a_percentage_is_refused_with_the_share_to_write(tmp_path: Path) -> None:
    text = correct(tmp_path, "--observed", "92.3%", "--n", "400", code=2)
    assert text == (
        "error: --observed 92.3% is not a share between 0 and 1\nfix: for 92.3 % write 0.923\n"
    )
    assert "give --precision 0.05 or --labels 300" in plan(tmp_path, *PLAN, code=2)


def test_the_page_on_corrected_scores_shows_what_the_commands_print(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "correction.md").read_text(encoding="utf-8")
    examples = re.findall(r"```console\n\$ lt-bench (.*?)\n(.*?)```", page, re.DOTALL)
    assert len(examples) >= 4
    for arguments, printed in examples:
        done = lt_bench(*arguments.replace("\\\n", " ").split(), cwd=tmp_path)
        assert done.stdout == printed, done.stdout + done.stderr
