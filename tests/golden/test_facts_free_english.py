"""The scorer `facts` on English replies in free words, each judged by hand beforehand.

Rows with `missed` are those on which the scorer is known to differ from the judgement; they count
in the agreement, and nowhere else.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

from lt_bench.claims.assessment import assess
from lt_bench.claims.cases import case_of
from lt_bench.records import Example

LINES = [
    json.loads(line)
    for line in (Path(__file__).parent / "facts_free_english.jsonl").read_text("utf-8").splitlines()
]
EXAMPLES = {
    line["example"]["id"]: case_of(Example.model_validate(line["example"]))
    for line in LINES
    if "example" in line
}
ROWS = [line for line in LINES if "reply" in line]


@functools.cache
def assessed(of, reply):
    found = assess(EXAMPLES[of], reply)
    return found.correct, found.helpful


def judged(row):
    return assessed(row["of"], row["reply"])


@pytest.mark.parametrize(
    "row", [row for row in ROWS if "missed" not in row], ids=lambda row: row["id"]
)
def test_reply_is_judged_as_by_hand(row):
    assert judged(row) == (bool(row["correct"]), bool(row["helpful"]))


@pytest.mark.parametrize(("measure", "place"), [("correct", 0), ("helpful", 1)])
def test_agreement_over_all_rows_is_high(measure, place):
    agreed = [judged(row)[place] == bool(row[measure]) for row in ROWS]
    assert sum(agreed) >= 0.92 * len(agreed)


def test_table_has_all_four_judgements():
    assert len({(row["correct"], row["helpful"]) for row in ROWS}) == 4
