"""What of a row is compared: the question alone, or question, history and evidence."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from lt_bench.builders.base import AuditUnit
from lt_bench.records import Document, Example


def texts(example: Example, unit: AuditUnit) -> tuple[str, ...]:
    """The texts of the unit, in order. Names of speakers and ids of documents are not among them:
    a row stays the same row when they change."""
    if unit == "question":
        return (example.question,)
    said = (line.content for line in example.history)
    return (example.question, *said, *(_evidence(document) for document in example.documents))


def _evidence(document: Document) -> str:
    text = document.text
    if not text and document.product:
        text = json.dumps(document.product, sort_keys=True, ensure_ascii=False)
    return f"{document.title}\n{text}" if document.title else text


def exact_key(parts: Sequence[str]) -> bytes:
    """128 bits that are equal where all bytes are, and the texts end at the same places."""
    running = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        running.update(len(data).to_bytes(8, "little"))
        running.update(data)
    return running.digest()
