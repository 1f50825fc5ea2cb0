"""What entries are called: their model, and what tells two of one model apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from lt_bench.board.comparing import Candidate

MOST: Final = 3
"""Settings in a label; the model's page has all."""
LESSER: Final = ("fingerprint", "prompt")
"""Hashes: named only where nothing else differs."""


def names(candidates: Sequence[Candidate]) -> dict[str, str]:
    """Entry -> its model, or the name it was given."""
    return {
        one.id: one.added.name if one.added and one.added.name else one.card.model
        for one in candidates
    }


def labels(candidates: Sequence[Candidate]) -> dict[str, str]:
    """Entry -> its label: the one it was given, else the settings in which entries of one name differ."""
    called = names(candidates)
    alike: defaultdict[str, list[Candidate]] = defaultdict(list)
    for one in candidates:
        alike[called[one.id]].append(one)
    found: dict[str, str] = {}
    for group in alike.values():
        differing = _differing(group)
        for one in group:
            found[one.id] = (one.added.label if one.added else "") or _told(one, differing)
    return _unique(candidates, called, found)


def _differing(group: Sequence[Candidate]) -> list[str]:
    settings = [one.added.settings if one.added else {} for one in group]
    keys = dict.fromkeys(key for one in settings for key in one)
    differ = [key for key in keys if len({one.get(key, "") for one in settings}) > 1]
    telling = [key for key in differ if key not in LESSER]
    return (telling or differ)[:MOST]


def _told(one: Candidate, keys: Sequence[str]) -> str:
    settings = one.added.settings if one.added else {}
    return ", ".join(f"{key.rpartition('.')[2]} {settings[key]}" for key in keys if key in settings)


def _unique(
    candidates: Sequence[Candidate], called: dict[str, str], found: dict[str, str]
) -> dict[str, str]:
    """Where a name and label still stand twice, the end of the id tells them apart."""
    seen: defaultdict[tuple[str, str], int] = defaultdict(int)
    for one in candidates:
        seen[called[one.id], found[one.id]] += 1
    return {
        one.id: found[one.id]
        if seen[called[one.id], found[one.id]] == 1
        else f"{found[one.id]}, {one.id.rpartition('-')[2]}".removeprefix(", ")
        for one in candidates
    }
