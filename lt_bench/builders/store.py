"""Data sets on disk: Examples as JSON Lines, one file a split, and a manifest that says what they are.

Equal inputs give equal bytes: no clock, no version of the machine, no order of a set. A file is
whole or not there; the manifest is written last, so that a folder with one is complete.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from pydantic import Field, ValidationError

from lt_bench.builders.base import Builder
from lt_bench.builders.problem import Inspected, Problem, from_validation
from lt_bench.errors import RunError, UsageError
from lt_bench.records import Example, Record

MANIFEST = "manifest.json"
_LINE = re.compile(r", line (\d+)")


class Origin(Record):
    """Everything that decides the rows. `sources` maps the name of each file that was read to the
    sha256 of its bytes."""

    builder: str
    version: int
    seed: int | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    sources: dict[str, str] = Field(default_factory=dict)


class SplitSummary(Record):
    """One file of a data set: its hash and what it holds."""

    file: str
    sha256: str
    rows: int
    groups: int
    tags: dict[str, int]
    langs: dict[str, int]
    licenses: dict[str, int]


class Manifest(Record):
    """manifest.json: where the rows come from, and what there is of them."""

    origin: Origin
    splits: dict[str, SplitSummary]


@runtime_checkable
class Inspecting(Protocol):
    """A builder that can name every problem of a file, not only the first."""

    def inspect(self, path: Path) -> Iterator[Inspected]: ...


@dataclass
class _Tally:
    """What a split holds, counted while it is written."""

    ids: set[str]
    groups: set[str]
    tags: Counter[str]
    langs: Counter[str]
    licenses: Counter[str]

    @classmethod
    def empty(cls) -> _Tally:
        return cls(set(), set(), Counter(), Counter(), Counter())

    def add(self, example: Example) -> None:
        if example.id in self.ids:
            raise UsageError(f"two examples have the id {example.id!r}", "give each its own")
        self.ids.add(example.id)
        self.groups.add(example.group)
        self.tags.update(example.tags)
        self.langs[example.lang] += 1
        self.licenses[example.license or "unknown"] += 1


def write_dataset(
    folder: Path, splits: Mapping[str, Iterable[Example]], origin: Origin
) -> Manifest:
    """Write `SPLIT.jsonl` for each split, then the manifest. Splits that the folder already has
    from the same origin stay in it.

    Raises:
        UsageError: the folder holds a data set of another origin, or two rows share an id.
        RunError: the disk does not take it. What was there before is still there.
    """
    before = read_manifest(folder) if (folder / MANIFEST).exists() else None
    if before and before.origin != origin:
        raise UsageError(
            f"{folder} holds another data set ({_differences(before.origin, origin)})",
            "write to another folder, or remove this one",
        )
    done = dict(before.splits) if before else {}
    for name, examples in splits.items():
        done[name] = write_examples(folder / f"{name}.jsonl", examples)
    manifest = Manifest(origin=origin, splits=dict(sorted(done.items())))
    text = manifest.model_dump_json(indent=2) + "\n"
    _write(folder / MANIFEST, lambda write: write(text.encode()))
    return manifest


def write_examples(path: Path, examples: Iterable[Example]) -> SplitSummary:
    """Write one file of Examples, which any builder of their task reads.

    Raises:
        UsageError: two rows share an id.
        RunError: the disk does not take it.
    """
    tally, running = _Tally.empty(), sha256()

    def lines(write: Callable[[bytes], object]) -> None:
        for example in examples:
            tally.add(example)
            line = example.model_dump_json().encode() + b"\n"
            running.update(line)
            write(line)

    _write(path, lines)
    return SplitSummary(
        file=path.name,
        sha256=running.hexdigest(),
        rows=len(tally.ids),
        groups=len(tally.groups),
        tags=dict(sorted(tally.tags.items())),
        langs=dict(sorted(tally.langs.items())),
        licenses=dict(sorted(tally.licenses.items())),
    )


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a data set.

    Raises:
        UsageError: it is missing or not one of ours.
    """
    path = folder / MANIFEST
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", "check the path") from error
    except ValidationError as error:
        problem = from_validation(error, 1)
        raise UsageError(
            f"{path} is no manifest of lt-bench: {problem.message}", "write to another folder"
        ) from error


def validate(path: Path, builder: Builder) -> list[Problem]:
    """All that is wrong with a file, as far as it can be read; empty when nothing is."""
    found: list[Problem] = []
    try:
        if isinstance(builder, Inspecting):
            found.extend(item for item in builder.inspect(path) if isinstance(item, Problem))
        else:
            for _ in builder.read(path):
                pass
    except UsageError as error:
        line = _LINE.search(error.cause)
        found.append(Problem("error", int(line[1]) if line else 0, "file", error.cause, error.fix))
    return found


def _write(path: Path, fill: Callable[[Callable[[bytes], object]], object]) -> None:
    """Write a file whole or not at all, and survive a power cut once done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            try:
                fill(file.write)
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).chmod(0o644)
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise RunError(
            f"cannot write {path}: {error.strerror or error}", "check the folder and the free space"
        ) from error


def _differences(before: Origin, after: Origin) -> str:
    return ", ".join(
        f"{name}: {getattr(before, name)!r} there, {getattr(after, name)!r} now"
        for name in Origin.model_fields
        if getattr(before, name) != getattr(after, name)
    )
