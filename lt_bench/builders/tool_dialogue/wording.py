"""Wordings by purpose, each a small grammar, dealt out to the splits so that none has another's.

"[Where is|Where's] [my order|order] {order}?" stands for four wordings. The grammars of a purpose are
dealt in turn to train, test and validation, so that a wording of one split is no variation of one
of another. A purpose with fewer grammars than splits, such as a greeting, is everybody's.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Final

SPLITS: Final = ("train", "validation", "test")
_DEALT: Final = ("train", "test", "validation", "train", "test", "train")
_CHOICE: Final = re.compile(r"\[([^\]]*)\]")


class Wordings:
    """The wordings of one language."""

    def __init__(self, grammars: Mapping[str, tuple[str, ...]]) -> None:
        self._grammars = grammars
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    @cached_property
    def purposes(self) -> tuple[str, ...]:
        return tuple(self._grammars)

    def of(self, purpose: str, split: str) -> tuple[str, ...]:
        """Every wording for a purpose that a split may use, with its placeholders."""
        key = purpose, split
        if key not in self._known:
            grammars = dealt(self._grammars[purpose], split)
            self._known[key] = tuple(one for grammar in grammars for one in expand(grammar))
        return self._known[key]


def dealt(grammars: tuple[str, ...], split: str) -> tuple[str, ...]:
    """Those that a split may use; all of them where there are fewer than splits."""
    if len(grammars) < len(SPLITS):
        return grammars
    return tuple(
        grammar for place, grammar in enumerate(grammars) if _DEALT[place % len(_DEALT)] == split
    )


def expand(grammar: str) -> tuple[str, ...]:
    """Every wording that a grammar stands for."""
    parts = _CHOICE.split(grammar)
    choices = [part.split("|") if place % 2 else [part] for place, part in enumerate(parts)]
    return tuple("".join(chosen) for chosen in itertools.product(*choices))
