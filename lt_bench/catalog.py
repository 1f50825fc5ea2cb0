"""Where declarations live: tasks/, judges/, training/ and leaderboards/, found by name.

A catalog is a folder holding any of the four kinds. Looked up in this order, and never hiding one
another: `--catalog` folders, `LT_BENCH_CATALOG`, plug-ins (entry points), the built-in catalog.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Literal

from lt_bench.errors import UsageError, did_you_mean
from lt_bench.plugins import plugins

Kind = Literal["tasks", "judges", "training", "leaderboards"]
DECLARATION: dict[Kind, str] = {
    "tasks": "task.yaml",
    "judges": "judge.yaml",
    "training": "",
    "leaderboards": "board.yaml",
}
GROUP = "lt_bench.catalogs"


def builtin_root() -> Path:
    """The catalog that ships with lt-bench: `lt_bench/_catalog` in a wheel; the checkout beside
    the package in an editable install, so that an edit to a YAML file is seen at once."""
    package = Path(str(files("lt_bench")))
    shipped, checkout = package / "_catalog", package.parent
    if shipped.is_dir():
        return shipped
    if (checkout / "tasks").is_dir() and (checkout / "pyproject.toml").is_file():
        return checkout
    raise UsageError(
        f"lt-bench has no built-in catalog (looked in {shipped} and {checkout})",
        "reinstall lt-bench, or name a folder with --catalog",
    )


def roots(explicit: Sequence[Path] = ()) -> Iterator[Path]:
    """Every catalog folder, in look-up order."""
    named = [Path(p) for p in os.environ.get("LT_BENCH_CATALOG", "").split(os.pathsep) if p]
    for folder in dict.fromkeys(path.absolute() for path in (*explicit, *named)):
        if not folder.is_dir():
            raise UsageError(
                f"catalog {folder} is not a folder", "check --catalog and LT_BENCH_CATALOG"
            )
        yield folder
    for plugin in plugins(GROUP):
        try:
            yield Path(str(files(plugin.value)))
        except ModuleNotFoundError as error:
            raise UsageError(
                f"catalog plug-in {plugin.name!r} ({plugin.value}) does not import: {error}",
                "reinstall or remove its package",
            ) from error
    yield builtin_root()


def entries(kind: Kind, explicit: Sequence[Path] = ()) -> dict[str, Path]:
    """Every declared name of one kind and its folder.

    Raises:
        UsageError: two catalogs declare one name, or a folder lacks its declaration file.
    """
    found: dict[str, Path] = {}
    for root in roots(explicit):
        folder = root / kind
        for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
            if not entry.is_dir() or entry.name.startswith((".", "_")):
                continue
            if DECLARATION[kind] and not (entry / DECLARATION[kind]).is_file():
                raise UsageError(
                    f"{entry} has no {DECLARATION[kind]}", "add it, or remove the folder"
                )
            if entry.name in found:
                raise UsageError(
                    f"two catalogs declare {kind} entry {entry.name!r}: {found[entry.name]} and {entry}",
                    "rename one of the folders",
                )
            found[entry.name] = entry
    return found


def find(kind: Kind, name: str, explicit: Sequence[Path] = ()) -> Path:
    """The folder that declares `name`, e.g. `find("tasks", "musique")`.

    Raises:
        UsageError: nothing of that name; the nearest and all known names are shown.
    """
    known = entries(kind, explicit)
    if name not in known:
        noun = kind.removesuffix("s")
        raise UsageError(
            f"unknown {noun} {name!r}.{did_you_mean(name, known)}",
            f"known: {', '.join(known) or 'none'} (a folder under {kind}/ of a --catalog adds one)",
        )
    return known[name]
