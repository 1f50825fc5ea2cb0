"""A teacher whose answers are recorded, and a judge that does what stands in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from support.distilling import distilling, predictions

from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.task import Task
from lt_bench.train.stage import StageContext

RULES = """\
count: words
fingerprint: judge
rules:
  - when: {block: {name: REPLY, contains: SILENT}}
    answer: {fault: timeout}
  - when: {block: {name: REPLY, contains: BABBLE}}
    answer: {garbage: true}
  - when: {contains: helpful, block: {name: REPLY, contains: BARE}}
    answer: {verdict: {helpful: false, reason: no more than asked}}
  - when: {contains: helpful}
    answer: {verdict: {helpful: true, reason: told more}}
  - when: {block: {name: REPLY, contains: WRONG}}
    answer: {verdict: {correct: false, reason: not so}}
  - answer: {verdict: {correct: true, reason: so it says}}
"""
GOOD = "<think>\nSheet says 99.\n</think>\n\nIt is 99 yuan, and red."
WRONG = GOOD.replace("It is", "WRONG it is")
BARE = GOOD.replace("It is", "BARE it is")
SILENT = GOOD.replace("It is", "SILENT it is")
BABBLE = GOOD.replace("It is", "BABBLE it is")
BARE_THOUGHTLESS = "It is 99 yuan."
EMPTY_THOUGHT = "<think>\n\n</think>\n\nIt is 99 yuan."
MUTE = "<think>\nSheet says 99.\n</think>\n\n"
TWO_BLOCKS = "<think>One.</think>It is<think>Two.</think> 99 yuan."
UNCLOSED = "<think>\nSheet says 99 and"
CUT: dict[str, Any] = {"output": GOOD, "finish_reason": "length"}
FILTERED: dict[str, Any] = {"output": None, "finish_reason": "content_filter"}
EMPTY: dict[str, Any] = {"output": None}


def judge(folder: Path, rules: str = RULES) -> JudgeChoice:
    """Who judges by the words in a reply."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "judge.yaml").write_text(rules)
    return JudgeChoice(name="llm", models=(f"scripted/{folder / 'judge.yaml'}",), cache=False)


def taught(
    folder: Path,
    answers: list[list[str | dict[str, Any]]],
    *,
    parent: Path,
    rules: str = RULES,
    **stage: Any,
) -> StageContext:
    """A stage on as many rows of commerce_qa's sample, each answered by the teacher as given."""
    task = Task.load("commerce_qa", judge="llm")
    home = folder.with_name(f"{folder.name}-teacher")
    who = judge(home, rules)
    rows = task.examples(task.sample, len(answers))
    named: Mapping[str, list[str | dict[str, Any]]] = {
        row.id: given for row, given in zip(rows, answers, strict=True)
    }
    file = predictions(home / "teacher.jsonl", named)
    settings: dict[str, Any] = {
        "rows": {"file": str(task.sample), "limit": len(answers)},
        "teacher": {
            "model": f"replay/{file}",
            "samples": max(map(len, answers)),
            "unanswered": 1.0,
        },
        **stage,
    }
    return distilling(folder, parent, judge=who, task=task, **settings)
