"""Paths in what leaves this machine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final

ABSOLUTE: Final = re.compile(r"^([a-z]+/)?(/|[A-Za-z]:[/\\])")
"""A path of this machine, with or without the prefix of a backend."""


def portable(value: Any) -> Any:
    """The same settings with the paths of this machine shortened to the last two names."""
    if isinstance(value, Mapping):
        return {key: portable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [portable(one) for one in value]
    if isinstance(value, str) and (found := ABSOLUTE.match(value)):
        parts = PurePath(value[len(found.group(1) or "") :].replace("\\", "/")).parts
        return (found.group(1) or "") + "/".join(parts[1:][-2:])
    return value
