"""Files of foreign formats, written for a test and read back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lt_bench.builders import IMPORTERS
from lt_bench.builders.checking import check
from lt_bench.records import Example


def save(folder: Path, rows: Iterable[Any], name: str = "rows.jsonl") -> Path:
    """JSON Lines of these rows."""
    path = folder / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return path


def imported(format_: str, path: Path, **options: Any) -> list[Example]:
    """The rows of a file."""
    found = list(IMPORTERS.get(format_)(options).read(path))
    assert all(isinstance(row, Example) for row in found)
    return [row for row in found if isinstance(row, Example)]


def problems(format_: str, path: Path, **options: Any) -> list[str]:
    """Everything that is wrong with a file."""
    return [str(one) for one in check(path, IMPORTERS.get(format_)(options)).problems]
