"""Tables as people save them, for tests of what reads them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path


def table(
    rows: Iterable[Sequence[str]], header: Sequence[str], delimiter: str = ",", end: str = "\n"
) -> str:
    """The text of a table, quoted where it must be."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
    writer.writerows([header, *rows])
    return text.getvalue()


def save(folder: Path, data: str | bytes, name: str = "rows.csv") -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def real_rows(path: Path, delimiter: str = "\t") -> list[dict[str, str]]:
    """The rows of a published file by the csv module alone, to count against."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter=delimiter))
