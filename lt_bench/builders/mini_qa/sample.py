"""The rows that ship with the task `mini_qa`, and a good reply to each."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lt_bench import jsonl
from lt_bench.builders.mini_qa.builder import MiniQA

SIZE: Final = 100


def write_sample(folder: Path, seed: int = 0) -> None:
    """Writes `test.jsonl` and, in replay form, `replies.jsonl`."""
    made = list(MiniQA({}).references("test", SIZE, seed))
    examples = (one.example.model_dump(mode="json", exclude_none=True) for one in made)
    jsonl.write(folder / "test.jsonl", examples)
    replies = ({"id": one.example.id, "output": one.reply} for one in made)
    jsonl.write(folder / "replies.jsonl", replies)
