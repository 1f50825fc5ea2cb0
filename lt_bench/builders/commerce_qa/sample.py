"""The rows that ship with the task `commerce_qa`, and a good reply to each."""

from __future__ import annotations

from pathlib import Path

from lt_bench import jsonl
from lt_bench.builders.commerce_qa.builder import CommerceQA


def write_sample(folder: Path, size: int = 100, seed: int = 0) -> None:
    """Writes `test.jsonl` and, in replay form, `replies.jsonl`."""
    rows = list(CommerceQA({}).rows("test", size, seed))
    examples = (row.example.model_dump(mode="json", exclude_none=True) for row in rows)
    jsonl.write(folder / "test.jsonl", examples)
    replies = ({"id": row.example.id, "output": row.reply} for row in rows)
    jsonl.write(folder / "replies.jsonl", replies)
