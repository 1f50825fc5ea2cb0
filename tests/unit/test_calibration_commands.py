"""What `judge correct` and `judge plan` refuse, and with which words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lt_bench.calibration.agreement import Pair, agreement
from lt_bench.cli.judge.correct import correct
from lt_bench.cli.judge.plan import plan
from lt_bench.errors import UsageError
from lt_bench.records import Calibration, Environment, MetricCalibration

SCORE = {"observed": "0.923", "n": 400, "sensitivity": "0.83", "specificity": "0.83"}
PLAN = {"rate": "0.9", "n": 400, "sensitivity": "0.9", "specificity": "0.85"}

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a percentage": ({"observed": "92.3%", "n": 9}, "for 92.3 % write 0.923"),
    "a spaced percentage": ({"observed": "92.3 %", "n": 9}, "for 92.3 % write 0.923"),
    "above 1": ({"observed": "92.3", "n": 9}, "for 92.3 % write 0.923"),
    "far above": ({"observed": "923", "n": 9}, "give a share between 0 and 1"),
    "below 0": ({"observed": "-0.1", "n": 9}, "is not a share between 0 and 1"),
    "nan": ({"observed": "nan", "n": 9}, "is not a share between 0 and 1"),
    "infinity": ({"observed": "inf", "n": 9}, "is not a share between 0 and 1"),
    "words": ({"observed": "most", "n": 9}, "is not a share between 0 and 1"),
    "nothing": ({"observed": "", "n": 9}, "is not a share between 0 and 1"),
    "no score": ({"n": 9}, "--observed is missing"),
    "no judge": ({"observed": "0.9", "n": 9}, "--sensitivity is missing"),
    "half a judge": ({"observed": "0.9", "sensitivity": "0.9"}, "--specificity is missing"),
    "no number of rows": ({**SCORE, "n": None, "labels": 300}, "--n is missing"),
    "no rows": ({**SCORE, "n": 0, "labels": 300}, "--n 0 is not a number of 1"),
    "rows below 0": ({**SCORE, "n": -4, "labels": 300}, "--n -4 is not a number"),
    "absurd rows": ({**SCORE, "n": 10**15, "labels": 300}, "is not a number of 1"),
    "no labels": (SCORE, "--labels is missing"),
    "0 labels": ({**SCORE, "labels": 0}, "--labels 0 is not a number of 2"),
    "a coin": ({**SCORE, "specificity": "0.17", "labels": 9}, "a judge tells nothing"),
    "worse than a coin": ({**SCORE, "specificity": "0.1", "labels": 9}, "a judge tells nothing"),
    "half a class": ({**SCORE, "labels": 9, "label_split": "1"}, "must lie between 0 and 1"),
    "rows of no one": ({**SCORE, "labels": 9, "against_n": 9}, "belongs to --against"),
    "a wrong rival": ({**SCORE, "labels": 9, "against": "nan"}, "--against nan is not a share"),
    "a metric alone": ({**SCORE, "metric": "x"}, "give --calibration FILE"),
    "unbalanced": ({"observed": "0.9", "agreement": "0.8"}, "add --balanced"),
    "coin": ({"observed": "0.9", "agreement": "0.5", "balanced": True}, "what a coin has"),
    "agreement and labels": (
        {"observed": "0.9", "agreement": "0.8", "balanced": True, "labels": 9},
        "--agreement stands alone",
    ),
    "agreement and a metric": (
        {"observed": "0.9", "agreement": "0.8", "balanced": True, "metric": "x"},
        "--agreement stands alone",
    ),
    "balanced alone": ({"observed": "0.9", "balanced": True}, "--agreement is missing"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_corrected_is_refused_with_a_fix(case: str) -> None:
    arguments, words = WRONG[case]
    with pytest.raises(UsageError) as caught:
        correct(**arguments)
    assert words in str(caught.value)
    assert caught.value.fix
    assert len(str(caught.value).splitlines()) <= 6


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (PLAN, "give --precision 0.05 or --labels 300"),
        ({**PLAN, "precision": "0"}, "must lie between 0 and 1"),
        ({**PLAN, "precision": "3"}, "for 3 % write 0.03"),
        ({**PLAN, "precision": "nan"}, "is not a share"),
        ({**PLAN, "rate": None, "precision": "0.05"}, "--rate is missing"),
        ({**PLAN, "n": None, "precision": "0.05"}, "--n is missing"),
        ({**PLAN, "labels": 1}, "--labels 1 is not a number of 2"),
        ({**PLAN, "specificity": "0.05", "labels": 100}, "a judge tells nothing"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        plan(**arguments)
    assert words in str(caught.value)


@pytest.fixture
def calibration(tmp_path: Path) -> Path:
    good = agreement(
        [Pair(i % 10 > 0, True, str(i)) for i in range(150)]
        + [Pair(i % 7 == 0, False, f"w{i}") for i in range(150)]
    )
    one_class = agreement([Pair(True, True, str(i)) for i in range(300)])
    coin = agreement([Pair(i % 2 == 0, i % 4 < 2, str(i)) for i in range(300)])
    whole = Calibration(
        judge="j",
        labels="labels.jsonl",
        labels_sha="l",
        rows=300,
        metrics={
            name: MetricCalibration(judge="j", judge_sha="s", overall=overall)
            for name, overall in (
                ("correctness", good),
                ("helpfulness", one_class),
                ("correct_and_helpful", coin),
            )
        },
        environment=Environment(lt_bench="0", hardware="none"),
        created="2026-01-01T00:00:00+00:00",
    )
    path = tmp_path / "calibration.json"
    path.write_text(whole.model_dump_json())
    return path


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "holds several metrics"),
        ({"metric": "corectness"}, "Did you mean 'correctness'?"),
        ({"metric": "helpfulness"}, "people call no labelled reply wrong"),
        ({"metric": "correct_and_helpful"}, "a judge tells nothing"),
        ({"metric": "correctness", "labels": 9}, "leave out --labels"),
        ({"metric": "correctness", "sensitivity": "0.9"}, "leave out either the file"),
        ({"metric": "correctness", "label_split": "0.9"}, "leave out either the file"),
    ],
)
def test_a_calibration_that_does_not_fit_is_refused(
    calibration: Path, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError) as caught:
        correct(observed="0.8", n=400, calibration=calibration, **arguments)
    assert words in str(caught.value)


def test_a_broken_calibration_is_refused(tmp_path: Path) -> None:
    for text in ("{", "[]", "\ud83d", ""):
        (tmp_path / "broken.json").write_bytes(text.encode("utf-8", "surrogatepass"))
        with pytest.raises(UsageError):
            correct(observed="0.8", n=4, calibration=tmp_path / "broken.json")
    with pytest.raises(UsageError, match="cannot read"):
        correct(observed="0.8", n=4, calibration=tmp_path / "none.json")


@pytest.mark.parametrize("observed", ["0", "1", "0.5"])
@pytest.mark.parametrize("n", [1, 2, 10**12])
@pytest.mark.parametrize(("labels", "judge"), [(2, "0.51"), (3, "1"), (10**12, "0.9")])
def test_odd_but_possible_figures_get_an_answer(
    observed: str, n: int, labels: int, judge: str, capsys: pytest.CaptureFixture[str]
) -> None:
    correct(observed, n, judge, judge, labels, against="0.4")
    text = capsys.readouterr().out
    assert text.startswith("raw ")
    assert "nan" not in text
    assert "-0.000" not in text
    plan(None, observed, n, judge, judge, labels)
    plan("0.05", observed, n, judge, judge)
    assert "nan" not in capsys.readouterr().out
