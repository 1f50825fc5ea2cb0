"""From the MODEL a user typed to the backend that runs it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lt_bench.backends import BACKENDS, Backend
from lt_bench.errors import UsageError, did_you_mean


def open_model(model: str, options: Mapping[str, Any]) -> Backend:
    """The backend behind `prefix/target`; an existing folder or .gguf file needs no prefix.

    Options that are None were not given.

    Raises:
        UsageError: no such prefix, or an option that this backend does not have.
    """
    prefix, slash, target = model.partition("/")
    given = {key: value for key, value in options.items() if value is not None}
    if slash and target and prefix in BACKENDS.targets:
        return BACKENDS.get(prefix)(target, given)
    path = Path(model)
    if path.is_dir() or (path.is_file() and path.suffix == ".gguf"):
        return BACKENDS.get("hf")(model, given)
    raise UsageError(
        f"MODEL {model!r} has no known prefix and is no folder.{did_you_mean(prefix, BACKENDS.targets)}",
        f"write one of {', '.join(f'{name}/…' for name in sorted(BACKENDS.targets))}; "
        "`lt-bench list backends` explains them",
    )
