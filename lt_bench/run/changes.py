"""What differs between two configurations, told key by key."""

from __future__ import annotations

import re

from pydantic import BaseModel


def changes(before: BaseModel, after: BaseModel) -> list[str]:
    """ "sampling.temperature: 0.0 -> 0.7" for every field that differs."""
    return differences(before.model_dump(mode="json"), after.model_dump(mode="json"))


def differences(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """The same for two trees of plain settings."""
    old, new = _flat(before), _flat(after)
    keys = [*old, *(key for key in new if key not in old)]
    return [
        f"{key}: {_short(old.get(key))} -> {_short(new.get(key))}"
        for key in keys
        if old.get(key) != new.get(key)
    ]


def _short(value: object) -> str:
    """A hash by its first digits, anything else whole."""
    text = str(value)
    return f"{text[:8]}…" if re.fullmatch(r"[0-9a-f]{64}", text) else text


def _flat(tree: dict[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat
