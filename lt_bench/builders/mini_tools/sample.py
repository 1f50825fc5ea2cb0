"""The rows that ship with the task `mini_tools`, and the right dialogue to each."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lt_bench import jsonl
from lt_bench.builders.mini_tools.builder import MiniTools
from lt_bench.builders.mini_tools.vocabulary import turn_text

SIZE: Final = 100


def write_sample(folder: Path, seed: int = 0) -> None:
    """Writes `test.jsonl` and, in replay form, `replies.jsonl`."""
    made = list(MiniTools({}).dialogues("test", SIZE, seed))
    examples = (one.example.model_dump(mode="json", exclude_none=True) for one in made)
    jsonl.write(folder / "test.jsonl", examples)
    replies = (
        {"id": one.example.id, "turns": [{"output": turn_text(turn)} for turn in one.turns]}
        for one in made
    )
    jsonl.write(folder / "replies.jsonl", replies)
