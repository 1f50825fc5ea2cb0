"""EM and F1 against tables: ours, and those made with the official scorer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lt_bench.scorers.overlap import exact_match, f1, normalize

OURS = Path(__file__).with_name("em_f1.jsonl")


def table(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", table(OURS), ids=lambda case: case["why"])
def test_our_table(case):
    assert exact_match(case["prediction"], case["golds"]) == case["em"]
    assert f1(case["prediction"], case["golds"]) == case["f1"]


def test_our_table_holds_both_outcomes_and_hostile_text():
    cases = table(OURS)
    assert len(cases) >= 80
    assert {case["em"] for case in cases} == {0, 1}
    assert sum(not case["prediction"].isascii() for case in cases) >= 30


@pytest.mark.parametrize(
    ("name", "rows"), [("em_f1_cases.jsonl", 112), ("em_f1_cases_real.jsonl", 385)]
)
def test_official_table_agrees_on_every_row(shared_data, name, rows):
    cases = table(shared_data / "musique" / name)
    assert len(cases) == rows
    for case in cases:
        golds = [case["gold"], *case["aliases"]]
        assert exact_match(case["prediction"], golds) == case["em"], case
        assert f1(case["prediction"], golds) == case["f1"], case
        assert " ".join(normalize(case["prediction"])) == case["norm_prediction"], case
        assert " ".join(normalize(case["gold"])) == case["norm_gold"], case
