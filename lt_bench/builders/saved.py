"""Data sets in the form that `datasets` saves and loads: one Arrow file a split, and what it says.

Written with pyarrow alone, a batch at a time, so that equal rows give equal bytes and memory does
not grow with them (`datasets` would stamp its own version and a random fingerprint). Read with
`datasets.load_from_disk`, which takes what others saved as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final, Self

from lt_bench import jsonl
from lt_bench.builders.base import Imported
from lt_bench.builders.columns import COLUMNS, Column, from_columns, to_columns
from lt_bench.config import digest, file_sha
from lt_bench.errors import UsageError, first_line
from lt_bench.jsonl import Broken, Line

ARROW: Final = "data-00000-of-00001.arrow"
DICT, INFO, STATE = "dataset_dict.json", "dataset_info.json", "state.json"
BATCH: Final = 100
"""Rows that are held before they are written."""


class ArrowRows:
    """Writes records of one kind to an open file as an Arrow stream."""

    def __init__(self, sink: IO[bytes], kind: type[Imported]) -> None:
        import pyarrow

        self._schema = pyarrow.schema(
            [(name, _arrow_type(column)) for name, column in COLUMNS[kind].items()]
        )
        self._writer = pyarrow.ipc.new_stream(sink, self._schema)
        self._rows: list[dict[str, Any]] = []

    def add(self, record: Imported) -> None:
        """One more row.

        Raises:
            UsageError: a number in this batch is too large for its column.
        """
        self._rows.append(to_columns(record))
        if len(self._rows) == BATCH:
            self._flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Writes what is left and the end mark, unless all is given up anyway."""
        if kind is None:
            self._flush()
            self._writer.close()

    def _flush(self) -> None:
        import pyarrow

        try:
            batch = pyarrow.RecordBatch.from_pylist(self._rows, schema=self._schema)
        except (OverflowError, pyarrow.ArrowInvalid) as error:
            ids = f"{self._rows[0]['id']} to {self._rows[-1]['id']}"
            raise UsageError(
                f"rows {ids} do not fit into Arrow columns: {first_line(error)}",
                "look for a number over 64 bits, or write --format jsonl",
            ) from error
        if self._rows:
            self._writer.write_batch(batch)
        self._rows.clear()


def descriptions(kind: type[Imported], split: str, sha256: str, licence: str) -> dict[str, str]:
    """Name -> text of the two files beside a split's rows; `sha256` (of the rows) stands for the
    random fingerprint by which `datasets` tells data sets apart in its caches."""
    features = {name: _feature(column) for name, column in COLUMNS[kind].items()}
    info = {"citation": "", "description": "", "features": features, "homepage": ""}
    state: dict[str, Any] = {
        "_data_files": [{"filename": ARROW}],
        "_fingerprint": sha256[:16],
        "_format_columns": None,
        "_format_kwargs": {},
        "_format_type": None,
        "_output_all_columns": False,
        "_split": split,
    }
    return {INFO: _json({**info, "license": licence}), STATE: _json(state)}


def split_list(splits: Sequence[str]) -> str:
    """The text of the file that names the splits of a data set."""
    return _json({"splits": splits})


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _arrow_type(column: Column) -> Any:
    import pyarrow

    if isinstance(column, list):
        return pyarrow.list_(_arrow_type(column[0]))
    if isinstance(column, dict):
        return pyarrow.struct([(name, _arrow_type(inner)) for name, inner in column.items()])
    types = {"string": pyarrow.string, "int64": pyarrow.int64, "bool": pyarrow.bool_}
    return types[column]()


def _feature(column: Column) -> Any:
    """The type as `datasets` writes it; its list form is read by every version since 3."""
    if isinstance(column, list):
        return [_feature(column[0])]
    if isinstance(column, dict):
        return {name: _feature(inner) for name, inner in column.items()}
    return {"dtype": column, "_type": "Value"}


def read(path: Path) -> Iterator[Line]:
    """The rows of a JSON Lines file, or of a saved data set.

    Raises:
        UsageError: as `jsonl.read`; a folder holds no saved data set, or several splits none of
            which is called test.
    """
    return jsonl.whole(path, scan(path))


def scan(path: Path) -> Iterator[Line | Broken]:
    """The same rows, and a word about each that cannot be read."""
    return _table_rows(split_folder(path)) if is_folder(path) else jsonl.scan(path)


def sha(path: Path) -> str:
    """sha256 (hex) of a file's bytes, or of those of a saved split's rows."""
    if not is_folder(path):
        return file_sha(path)
    folder = split_folder(path)
    return digest([file_sha(file) for file in sorted(folder.glob("*.arrow"))])


def is_folder(path: Path) -> bool:
    """Whether it is one; False where that cannot be told."""
    try:
        return path.is_dir()
    except OSError:  # a name too long, a circle of links: whoever opens it says so
        return False


def split_folder(path: Path) -> Path:
    """The folder of one split: `path` itself, or the only one in it, or the one called test.

    Raises:
        UsageError: there is no such folder.
    """
    splits = splits_in(path)
    if not splits and (path / STATE).is_file():
        return path
    named = [part for part in splits if part.name == "test"]
    if len(splits) == 1 or named:
        return (named or splits)[0]
    if splits:
        names = ", ".join(part.name for part in splits)
        raise UsageError(f"{path} has the splits {names}", f"name one: {splits[0]}")
    inside = next((str(file) for file in sorted(path.glob("*.jsonl"))), "a JSON Lines file in it")
    raise UsageError(
        f"{path} is a folder, and none that `datasets` saved with save_to_disk", f"name {inside}"
    )


def splits_in(path: Path) -> list[Path]:
    """The folders of the splits of a saved data set; none where `path` is one split itself."""
    if (path / STATE).is_file():
        return []
    return [part for part in sorted(path.iterdir()) if (part / STATE).is_file()]


def _table_rows(folder: Path) -> Iterator[Line | Broken]:
    import datasets

    try:
        table = datasets.load_from_disk(str(folder)).with_format(None)
    except Exception as error:  # a damaged folder raises some ten kinds
        raise UsageError(
            f"cannot load {folder}: {first_line(error)}", "build or save the data set again"
        ) from error
    for number, cells in enumerate(table, start=1):
        try:
            yield Line(number, from_columns(cells))
        except ValueError as error:
            yield Broken(number, f"broken JSON in a cell: {first_line(error)}", "save it again")
