"""The rows that ship with the task `musique`, in the original schema, and right answers to them."""

from __future__ import annotations

from pathlib import Path

from lt_bench import jsonl
from lt_bench.builders.musique import multihop
from lt_bench.builders.musique.builder import Musique
from lt_bench.builders.musique.row import parse_row


def write_sample(folder: Path, size: int = 100, seed: int = 0) -> None:
    """Writes `test.jsonl` and, in replay form, `replies.jsonl`, which cites documents by the
    numbers they have under the builder's default options."""
    builder, rows, replies = Musique({}), list(multihop.rows("test", size, seed)), []
    for row in rows:
        example = builder.example(parse_row(row), seed)
        numbers = {int(doc.id[1:]): at for at, doc in enumerate(example.documents, start=1)}
        replies.append({"id": example.id, "output": multihop.reference(row, numbers)})
    jsonl.write(folder / "test.jsonl", rows)
    jsonl.write(folder / "replies.jsonl", replies)
