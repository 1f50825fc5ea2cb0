"""Parts of the labelled replies in which a judge may be better or worse."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import FactsGold, Labelled

SOURCE = "source:"
PARTS = 3
"""Slices by the length of the reply, with as many replies in each."""


def source_of(row: Labelled) -> str:
    """The data set a reply comes from: its tag, or what its source names before the first colon."""
    tagged = _tagged(row, SOURCE)
    return tagged[0] if tagged else row.example.source.partition(":")[0].strip()


def sliced(rows: Sequence[Labelled], prefixes: Sequence[str] = ()) -> dict[str, list[int]]:
    """Slice -> places of its rows. By source always; by language, by answerability (where gold facts
    tell it) and by length where there are at least two; by the tags that begin with `prefixes`."""
    found = _by_value(rows, SOURCE, lambda row: [source_of(row)] if source_of(row) else [])
    for kind, of in (("lang:", _lang), ("answerability:", _answerability)):
        values = _by_value(rows, kind, of)
        found |= values if len(values) > 1 else {}
    lengths = _by_length(rows)
    found |= lengths if len(lengths) > 1 else {}
    for prefix in map(whole, prefixes):
        found |= _by_value(rows, prefix, lambda row, prefix=prefix: _tagged(row, prefix))
    return found


def check_prefixes(rows: Sequence[Labelled], prefixes: Sequence[str]) -> None:
    """Nothing, where every prefix begins some tag.

    Raises:
        UsageError: one begins none; those there are named.
    """
    known = {tag.partition(":")[0] for row in rows for tag in row.example.tags if ":" in tag}
    for prefix in prefixes:
        if not any(_tagged(row, whole(prefix)) for row in rows):
            names = ", ".join(sorted(known)) or "none"
            raise UsageError(
                f"--slice {prefix}: no reply has such a tag.{did_you_mean(prefix, known)}",
                f"tags of these replies: {names}",
            )


def whole(prefix: str) -> str:
    """ "fault" as "fault:"."""
    return prefix if prefix.endswith(":") else f"{prefix}:"
