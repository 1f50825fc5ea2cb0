"""What a data set is made from and what it holds: manifest.json, and FILE.manifest.json of an import."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from lt_bench.builders.audit.report import Audit
from lt_bench.builders.problem import from_validation
from lt_bench.builders.survey import Stats
from lt_bench.errors import UsageError
from lt_bench.records import Record

MANIFEST: Final = "manifest.json"
CARD: Final = "README.md"


class Origin(Record):
    """Everything that decides the rows. `sources` maps the name of each file or hub data set that
    was read to its sha256."""

    maker: Literal["builder", "labeller", "importer"]
    name: str
    version: int
    seed: int | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    sources: dict[str, str] = Field(default_factory=dict)


class SplitSummary(Record):
    """One split: its files with the sha256 of their bytes, the sha256 of its rows as JSON Lines
    (whether or not they were written so), and what they hold. `asked` is how many rows were asked
    for; a source may have fewer."""

    files: dict[str, str]
    sha256: str
    asked: int | None = None
    stats: Stats


class Manifest(Record):
    """Where the rows come from, what there is of them, and what the audit found."""

    origin: Origin
    splits: dict[str, SplitSummary]
    audit: Audit | None = None

    @property
    def files(self) -> Iterator[str]:
        """The names of all files with rows in them."""
        return (name for split in self.splits.values() for name in split.files)

    def place(self, split: str) -> str:
        """The name of what holds the rows of a split: its JSON Lines file, else its folder."""
        file = f"{split}.jsonl"
        return file if file in self.splits[split].files else split

    @property
    def text(self) -> str:
        return self.model_dump_json(indent=2) + "\n"


def read_manifest(path: Path) -> Manifest:
    """The manifest in this file, or in this folder.

    Raises:
        UsageError: it is missing or not one of ours.
    """
    path = path / MANIFEST if path.is_dir() else path
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", "check the path") from error
    except ValidationError as error:
        problem = from_validation(error, 1)
        raise UsageError(
            f"{path} is no manifest of this lt-bench: {problem.field}: {problem.message}",
            "write to another folder, or remove this one",
        ) from error


def differences(before: Origin, after: Origin) -> str:
    """What two origins do not share: "lang: default there, zh now"."""
    return ", ".join(
        f"{name}: {_told(old)} there, {_told(new)} now"
        for name, old, new in _both(before, after)
        if old != new
    )


def _both(before: Origin, after: Origin) -> Iterator[tuple[str, Any, Any]]:
    """Each field, and each option and source by itself, as it was and as it is."""
    for name in Origin.model_fields:
        old, new = getattr(before, name), getattr(after, name)
        if isinstance(old, dict):
            absent = "default" if name == "options" else "none"
            for key in sorted({*old, *new}):
                yield key, old.get(key, absent), new.get(key, absent)
        else:
            yield name, old, new


def _told(value: Any) -> str:
    if value is None:
        return "none"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def portable(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options without the folders of this machine: a data set is the same wherever its sources
    lay, and their sha256 says which they were."""
    return {key: _portable(value) for key, value in options.items()}


def _portable(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_portable(one) for one in value]
    if not isinstance(value, str):
        return value
    split, equals, path = value.rpartition("=")
    return f"{split}{equals}{Path(path).name}" if path and Path(path).exists() else value
