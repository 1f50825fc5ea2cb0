"""Parts of the labelled replies in which a judge may be better or worse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import FactsGold, Labelled

SOURCE = "source:"
PARTS = 3
"""Slices by the length of the reply, with about as many replies in each."""


def source_of(row: Labelled) -> str:
    """The data set a reply comes from: its tag, or what its source names before the first colon."""
    tagged = _tagged(SOURCE)(row)
    return tagged[0] if tagged else row.example.source.partition(":")[0].strip()


def sliced(rows: Sequence[Labelled], prefixes: Sequence[str] = ()) -> dict[str, list[int]]:
    """Slice -> places of its rows: by source and by the tags that begin with `prefixes`; by language,
    answerability (where gold facts tell it) and length of the reply where these differ."""
    found = _by_value(rows, SOURCE, _source)
    for kind, values_of in (("lang:", _lang), ("answerability:", _answerability)):
        values = _by_value(rows, kind, values_of)
        found |= values if len(values) > 1 else {}
    found |= _by_length(rows)
    for prefix in map(whole, prefixes):
        found |= _by_value(rows, prefix, _tagged(prefix))
    return found


def check_prefixes(rows: Sequence[Labelled], prefixes: Sequence[str]) -> None:
    """Nothing, where every prefix begins some tag.

    Raises:
        UsageError: one begins none; those that are there are named.
    """
    known = {tag.partition(":")[0] for row in rows for tag in row.example.tags if ":" in tag}
    for prefix in prefixes:
        if not any(_tagged(whole(prefix))(row) for row in rows):
            raise UsageError(
                f"--slice {prefix}: no reply has such a tag.{did_you_mean(prefix, known)}",
                f"tags of these replies: {', '.join(sorted(known)) or 'none'}",
            )


def whole(prefix: str) -> str:
    """ "fault" as "fault:"."""
    return prefix if prefix.endswith(":") else f"{prefix}:"


ValuesOf = Callable[[Labelled], list[str]]


def _by_value(rows: Sequence[Labelled], kind: str, values_of: ValuesOf) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        for value in values_of(row):
            found.setdefault(kind + value, []).append(place)
    return dict(sorted(found.items()))


def _source(row: Labelled) -> list[str]:
    name = source_of(row)
    return [name] if name else []


def _lang(row: Labelled) -> list[str]:
    return [row.example.lang]


def _answerability(row: Labelled) -> list[str]:
    gold = row.example.gold
    return [gold.answerability] if isinstance(gold, FactsGold) else []


def _tagged(prefix: str) -> ValuesOf:
    """What follows the prefix in the tags of a row, each once."""

    def values(row: Labelled) -> list[str]:
        found = (tag.removeprefix(prefix) for tag in row.example.tags if tag.startswith(prefix))
        return list(dict.fromkeys(found))

    return values


def _by_length(rows: Sequence[Labelled]) -> dict[str, list[int]]:
    """Short, middle and long replies, named by the characters of their shortest and longest one.
    Replies of one length are never parted, so that there may be fewer slices."""
    if len(rows) < PARTS:
        return {}
    lengths = sorted(len(row.reply) for row in rows)
    ends = [-1, *(lengths[-(-len(rows) * part // PARTS) - 1] for part in range(1, PARTS + 1))]
    parts = []
    for low, high in pairwise(ends):
        if inside := [i for i, row in enumerate(rows) if low < len(row.reply) <= high]:
            parts.append(inside)
    return {_range(rows, part): part for part in parts} if len(parts) > 1 else {}


def _range(rows: Sequence[Labelled], places: Sequence[int]) -> str:
    lengths = [len(rows[place].reply) for place in places]
    return f"length:{min(lengths)}-{max(lengths)}"
