"""The splits of a data set's folder, and a word about the one that a command takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import typer


@dataclass(frozen=True)
class Split:
    """A file of rows and the name it goes by."""

    name: str
    path: Path


def splits_of(file: Path) -> list[Split]:
    """The file itself, or the splits of a folder that a build wrote or `datasets` saved.

    Raises:
        UsageError: the manifest of the folder cannot be read, or names files elsewhere.
    """
    from lt_bench.builders.manifest import MANIFEST, read_manifest
    from lt_bench.builders.saved import is_folder, splits_in
    from lt_bench.errors import UsageError

    if not is_folder(file):
        return [Split(Path(file.name.removesuffix(".gz")).stem, file)]
    if not (file / MANIFEST).is_file():
        return [Split(part.name, part) for part in splits_in(file)] or [Split(file.name, file)]
    manifest, found = read_manifest(file), []
    for name in manifest.splits:
        path = file / manifest.place(name)
        if path.parent != file:
            raise UsageError(
                f"{file / MANIFEST} names a split {name!r} elsewhere", "name the files"
            )
        found.append(Split(name, path))
    return found


def tell_split(file: Path) -> None:
    """On stderr, which split of a folder is read, where it has others too."""
    from lt_bench.builders.saved import is_folder, split_folder, splits_in
    from lt_bench.plain import on_one_line

    if not is_folder(file) or len(splits_in(file)) < 2:
        return
    taken = split_folder(file)
    others = [part for part in splits_in(file) if part != taken]
    names = ", ".join(f"{_named(part)} for {part.name}" for part in others)
    typer.echo(on_one_line(f"{file}: the split {taken.name}; name {names}"), err=True)


def _named(part: Path) -> Path:
    rows = part.with_name(f"{part.name}.jsonl")
    return rows if rows.is_file() else part
