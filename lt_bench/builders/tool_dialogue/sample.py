"""The rows that ship with the task `tool_dialogue`, and the right dialogue to each."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Final

from lt_bench import jsonl
from lt_bench.builders.tool_dialogue.builder import ToolDialogue
from lt_bench.builders.writing import dialogue_line

SIZES: Final = {"en": 60, "zh": 40}
"""Rows of each language."""


def write_sample(folder: Path, seed: int = 0) -> None:
    """Writes `test.jsonl` and, in replay form, `replies.jsonl`."""
    builders = ((ToolDialogue({"lang": lang}), size) for lang, size in SIZES.items())
    made = list(chain.from_iterable(one.dialogues("test", size, seed) for one, size in builders))
    examples = (one.example.model_dump(mode="json", exclude_none=True) for one in made)
    jsonl.write(folder / "test.jsonl", examples)
    jsonl.write(folder / "replies.jsonl", (dialogue_line(one, thinks=False) for one in made))
