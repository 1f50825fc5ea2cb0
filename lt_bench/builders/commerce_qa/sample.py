"""The rows that ship with the task `commerce_qa`, and a good reply to each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from lt_bench import jsonl
from lt_bench.builders.commerce_qa.builder import CommerceQA
from lt_bench.builders.commerce_qa.row import Row

SIZES: Final = {"en": 60, "zh": 40}
"""Rows of each language."""


def sample_rows(seed: int = 0) -> Iterator[Row]:
    """The first rows of the test split in each language."""
    builders = ((CommerceQA({"lang": lang}), size) for lang, size in SIZES.items())
    return chain.from_iterable(one.rows("test", size, seed) for one, size in builders)


def write_sample(folder: Path) -> None:
    """Writes `test.jsonl` and, in replay form, `replies.jsonl`."""
    rows = list(sample_rows())
    examples = (row.example.model_dump(mode="json", exclude_none=True) for row in rows)
    jsonl.write(folder / "test.jsonl", examples)
    replies = ({"id": row.example.id, "output": row.reply} for row in rows)
    jsonl.write(folder / "replies.jsonl", replies)
