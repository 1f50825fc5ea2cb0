"""Where rows in the original schema come from: a file, a folder, a saved data set or the hub.

The authors' release names its files `musique_ans_v1.0_train.jsonl`, `…_dev.jsonl` and
`musique_full_v1.0_…`; the labels of its test files are hidden, so that dev makes the test split.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lt_bench import jsonl
from lt_bench.config import file_sha
from lt_bench.errors import LtBenchError, RunError, UsageError, first_line
from lt_bench.jsonl import Line

if TYPE_CHECKING:
    import datasets

SPLITS: Final = ("train", "test")
ORIGINAL: Final = {"train": ("train",), "test": ("dev", "validation", "test")}
"""What a split of ours is called in the sources, the best first."""
SUFFIXES: Final = (".jsonl", ".jsonl.gz", ".json", ".json.gz")
_HUB: Final = re.compile(r"[\w.-]+/[\w.-]+(?:@[\w.-]+)?")
_FIX: Final = (
    "name a file, train=FILE and test=FILE, a folder, or a hub id such as dgslibisey/MuSiQue"
)


@dataclass(frozen=True)
class Source:
    """The rows of one split; `sha256` is of the file's bytes, or of the rows of a data set."""

    name: str
    lines: Callable[[], Iterator[Line]]
    sha256: Callable[[], str]


def sources(named: Sequence[str], *, full: bool) -> dict[str, Source]:
    """The source of each split that `named` can serve.

    A lone file serves `test`, unless its name says "train".

    Raises:
        UsageError: there is no such file, folder or data set, or two serve one split.
    """
    found: dict[str, Source] = {}
    for name in named:
        for split, source in _found(name, full=full).items():
            if split in found:
                raise UsageError(
                    f"{found[split].name} and {source.name} are both for {split}",
                    "write train=FILE and test=FILE",
                )
            found[split] = source
    return found


def _found(name: str, *, full: bool) -> dict[str, Source]:
    split, _, rest = name.partition("=")
    if split in SPLITS and rest:
        return {split: _file(Path(rest))}
    path = Path(name)
    if path.is_dir():
        return _folder(path, full=full)
    if path.exists() or not _HUB.fullmatch(name):
        return {"train" if "train" in path.name else "test": _file(path)}
    return _hub(name)


def _file(path: Path) -> Source:
    jsonl.read(path)
    return Source(path.name, lambda: jsonl.read(path), lambda: file_sha(path))


def _folder(folder: Path, *, full: bool) -> dict[str, Source]:
    """A data set that `datasets` saved, or the files of the authors' release."""
    if (folder / "dataset_dict.json").exists() or (folder / "dataset_info.json").exists():
        return _tables(folder.name, _saved(folder))
    release = f"musique_{'full' if full else 'ans'}_v1.0"
    found: dict[str, Source] = {}
    for split, names in ORIGINAL.items():
        files = [folder / f"{release}_{names[0]}{end}" for end in SUFFIXES]
        there = next((path for path in files if path.is_file()), None)
        if there:
            found[split] = _file(there)
    if not found:
        raise UsageError(f"{folder} holds no {release}_train.jsonl or {release}_dev.jsonl", _FIX)
    return found


def _saved(folder: Path) -> Mapping[str, datasets.Dataset]:
    import datasets

    try:
        loaded = datasets.load_from_disk(str(folder))
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"cannot read {folder}: {first_line(error)}", _FIX) from error
    if isinstance(loaded, datasets.Dataset):
        return {"train" if "train" in folder.name else "test": loaded}
    return dict(loaded)


def _hub(name: str) -> dict[str, Source]:
    import datasets

    repository, _, revision = name.partition("@")
    try:
        loaded = datasets.load_dataset(repository, revision=revision or None)
    except Exception as error:  # the hub client raises some twenty kinds
        raise _unreachable(name, error) from error
    return _tables(name, loaded)


def _unreachable(name: str, error: Exception) -> LtBenchError:
    if isinstance(error, FileNotFoundError) or "NotFound" in type(error).__name__:
        return UsageError(f"no file, folder or data set {name!r}: {first_line(error)}", _FIX)
    return RunError(
        f"cannot load {name!r} from the hub: {first_line(error)}",
        "download the files elsewhere and name them, or try again",
    )


def _tables(name: str, tables: Mapping[str, datasets.Dataset]) -> dict[str, Source]:
    found = {}
    for split, names in ORIGINAL.items():
        known = next((one for one in names if one in tables), None)
        if known:
            found[split] = _table(f"{name}:{known}", tables[known])
    if not found:
        raise UsageError(
            f"{name} has the splits {', '.join(tables)}", "it needs train or validation"
        )
    return found


def _table(name: str, table: datasets.Dataset) -> Source:
    def lines() -> Iterator[Line]:
        return (Line(number, _plain(row)) for number, row in enumerate(table, start=1))

    return Source(name, lines, lambda: _digest(lines()))


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as in the files; older versions of `datasets` turn lists of objects into an object
    of lists."""
    return {
        key: [dict(zip(value, cells, strict=True)) for cells in zip(*value.values(), strict=True)]
        if isinstance(value, dict)
        else value
        for key, value in row.items()
    }


def _digest(lines: Iterator[Line]) -> str:
    import orjson

    running = sha256()
    for line in lines:
        running.update(orjson.dumps(line.data, option=orjson.OPT_SORT_KEYS) + b"\n")
    return running.hexdigest()
