"""Typed reading of one config.json: a missing or senseless value names its key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lt_bench.errors import UsageError

LARGEST = 10**9
"""No width, depth or vocabulary comes near; a larger number is a broken file."""
CORRECT = "use the model's complete config.json"


@dataclass(frozen=True)
class Fields:
    """The settings of one language model, as its config.json holds them."""

    values: Mapping[str, Any]
    family: str

    def has(self, key: str) -> bool:
        """The key is there and not null."""
        return self.values.get(key) is not None

    def whole(self, key: str, default: int | None = None, least: int = 1) -> int:
        """A whole number of at least `least`; `default` stands for a key that is missing or null.

        Raises:
            UsageError: missing without a default, or no such number.
        """
        value = self.values.get(key)
        if value is None:
            value = default
        if value is None:
            raise UsageError(
                f"config.json ({self.family}) has no {key!r}",
                CORRECT,
            )
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= LARGEST:
            raise UsageError(
                f"config.json ({self.family}): {key!r} must be a whole number of at least {least}, "
                f"got {str(value)[:40]!r}",
                CORRECT,
            )
        return value

    def flag(self, key: str, default: bool) -> bool:
        """True or false; `default` stands for a key that is missing or null."""
        value = self.values.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise UsageError(
                f"config.json ({self.family}): {key!r} must be true or false, got {str(value)[:40]!r}",
                CORRECT,
            )
        return value

    def items(self, key: str) -> tuple[Any, ...]:
        """The entries of a list; none where it is missing or null."""
        value = self.values.get(key)
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            raise UsageError(f"config.json ({self.family}): {key!r} must be a list", CORRECT)
        return tuple(value)
