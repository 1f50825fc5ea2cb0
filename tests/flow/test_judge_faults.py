"""A judge that fails on a third of the rows, through the real command: no row is lost, none is
scored by its silence, and only what is missing is asked again."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from support.judging import NO, YES, declared
from support.server import Call, Reply, Server, serve
from support.warm import lt_bench

ROWS = 200

FAULTS: dict[str, tuple[Reply, str]] = {
    "429": (Reply(status=429, error={"message": "slow down"}), "judge_error"),
    "timeout": (Reply(fault="hang"), "judge_error"),
    "cut": (Reply('{"reason": "it is', finish_reason="length"), "judge_unparsed"),
    "filter": (Reply("", finish_reason="content_filter"), "judge_refused"),
    "refusal": (Reply("I would rather not grade this."), "judge_unparsed"),
    "two objects": (Reply(NO + "\n" + YES), "judge_unparsed"),
    "quoted": (Reply('{"reason": "", "correct": "false"}'), "judge_unparsed"),
}
"""What a judge may do instead of judging, and the reason that the row must then carry."""


def fault_of(row: int) -> str | None:
    """The fault of a row: 60 of the 200 have one, every kind about equally often."""
    return list(FAULTS)[row // 10 * 3 % 7 + row % 10 - 9] if row % 10 >= 7 else None


def value_of(row: int) -> float:
    """What a healthy judge says of it."""
    return float(row % 3 == 0)


class Judging:
    """A judge's server that fails on its rows until it is healed."""

    def __init__(self) -> None:
        self.healed = False

    def __call__(self, call: Call) -> Reply:
        fault = fault_of(row_of(call))
        if fault and not self.healed:
            return FAULTS[fault][0]
        return Reply(YES if value_of(row_of(call)) else NO)


def row_of(call: Call) -> int:
    found = re.search(r"question (\d+) here", call.text)
    assert found, call.text
    return int(found[1])


def written(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Questions, recorded replies and a judge of one's own."""
    declared(tmp_path / "own" / "judges")
    rows = [
        {
            "id": f"r{n}",
            "task": "commerce_qa",
            "question": f"question {n} here",
            "documents": [{"id": "d", "text": "The kettle is red."}],
            "group": f"g{n}",
        }
        for n in range(ROWS)
    ]
    written(tmp_path / "rows.jsonl", rows)
    written(tmp_path / "replies.jsonl", ({"id": f"r{n}", "output": "Red."} for n in range(ROWS)))
    return tmp_path


def evaluated(folder: Path, server: Server, run: str = "run", *more: str) -> CompletedProcess[str]:
    return lt_bench(
        *("eval", "replay/replies.jsonl", "--task", "commerce_qa", "--data", "rows.jsonl"),
        *("--judge", "right", "--catalog", "own", "--run", run),
        *("--judge-model", "openai/m", "--judge-base-url", server.url),
        *("--set", "judge_backend.backoff=0.01", "--set", "judge_backend.max_attempts=2"),
        *("--set", "judge_backend.timeout=4", *more),
        cwd=folder,
        env={"LT_BENCH_CACHE": str(folder / "cache")},
    )


def scored(folder: Path, run: str = "run") -> dict[int, dict[str, Any]]:
    """Row -> its last line's correctness."""
    found = {}
    for line in (folder / "runs" / run / "scores.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        scores = {score["name"]: score for score in row["scores"]}
        found[int(row["key"]["example_id"][1:])] = scores["correctness"]
    return found


def estimate(folder: Path, run: str = "run") -> dict[str, Any]:
    card = json.loads((folder / "runs" / run / "card.json").read_text("utf-8"))
    metric: dict[str, Any] = card["metrics"]["correctness"]
    return metric


def test_a_third_of_the_judgements_fails_and_a_resume_asks_for_those_alone(folder: Path) -> None:
    judging, faulty = Judging(), {n for n in range(ROWS) if fault_of(n)}
    assert len(faulty) == 60
    assert set(Counter(fault_of(n) for n in faulty)) == set(FAULTS)
    with serve(judging) as server:
        first = evaluated(folder, server)
        assert first.returncode == 3, first.stderr
        rows = scored(folder)
        assert rows.keys() == set(range(ROWS))
        for n, score in rows.items():
            fault = fault_of(n)
            expected = (value_of(n), None) if fault is None else (None, FAULTS[fault][1])
            assert (score.get("value"), score.get("reason")) == expected, (n, fault, score)
        told = estimate(folder)
        assert told["n"] == ROWS - len(faulty)
        assert told["unscored"] == Counter(FAULTS[fault_of(n) or ""][1] for n in faulty)

        judging.healed = True
        before = len(server.calls)
        second = evaluated(folder, server)
        assert second.returncode == 0, second.stderr
        asked = Counter(row_of(call) for call in server.calls[before:])
    assert asked == Counter(faulty)
    for n, score in scored(folder).items():
        assert (score["value"], score.get("reason")) == (value_of(n), None)
    told = estimate(folder)
    assert (told["n"], told["unscored"]) == (ROWS, {})
    assert told["value"] == pytest.approx(sum(map(value_of, range(ROWS))) / ROWS)


def test_another_run_is_judged_from_the_cache_but_for_what_was_silent(folder: Path) -> None:
    judging, rows = Judging(), 60
    limit, faulty = ("--limit", str(rows)), {n for n in range(rows) if fault_of(n)}
    with serve(judging) as server:
        assert evaluated(folder, server, "first", *limit).returncode == 3
        judging.healed = True
        before = len(server.calls)
        assert evaluated(folder, server, "second", *limit).returncode == 0
        assert Counter(row_of(call) for call in server.calls[before:]) == Counter(faulty)
        before = len(server.calls)
        assert evaluated(folder, server, "third", "--no-judge-cache", *limit).returncode == 0
        assert len(server.calls) - before == rows
    ballots = [score["verdict"]["ballots"][0] for score in scored(folder, "second").values()]
    paid = Counter(ballot.get("requests", 0) for ballot in ballots)
    assert paid == {0: rows - len(faulty), 1: len(faulty)}


def test_one_vote_of_three_that_fails_costs_no_row(folder: Path) -> None:
    """Three votes of each row, of which the first is always garbage."""
    first: dict[int, int] = {}

    def respond(call: Call) -> Reply:
        if call.body["seed"] == first.setdefault(row_of(call), call.body["seed"]):
            return FAULTS["two objects"][0]
        return Reply(YES if value_of(row_of(call)) else NO)

    with serve(respond) as server:
        votes = ("--judge-votes", "3", "--set", "judge.temperature=0.7", "--limit", "20")
        assert evaluated(folder, server, "run", *votes).returncode == 0
    for n, score in scored(folder).items():
        assert score["value"] == value_of(n)
        labels = [ballot.get("label") for ballot in score["verdict"]["ballots"]]
        assert labels.count(None) == 1
