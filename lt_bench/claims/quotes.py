"""The words of a document behind a verdict."""

from __future__ import annotations

from lt_bench.claims.entries import Entry
from lt_bench.claims.evidence import Evidence


def quoted(entry: Entry, evidence: Evidence) -> str | None:
    """The line of the document that holds an entry of its product's data, where there is one."""
    if entry.start is None:
        alike = (e for e in evidence.entries[entry.product] if _tells(e, entry))
        entry = next(alike, entry)
    if entry.start is None:
        return None
    return evidence.documents[entry.document].text[entry.start : entry.end]


def _tells(line: Entry, data: Entry) -> bool:
    if line.start is None or line.document != data.document:
        return False
    if data.quantities:
        return any(a.base == b.base for a in line.quantities for b in data.quantities)
    named = bool(data.label & line.label)
    return (bool(data.value) and set(data.value) <= {*line.value, *line.label}) or (
        named and data.flag == line.flag is not None
    )
