"""A board on disk: board.yaml, and for each entry its card, what is known of its making, its scores.

    BOARD/board.yaml  cards/ID.json  entries/ID.json  rows/ID.arrow  reported.yaml

cards/ID.json is the card of the run as it stands there; rows/ID.arrow (Arrow's file format) has a row a
sample with the example's id, its group, and a column for each metric.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import Field, ValidationError

from lt_bench import yaml
from lt_bench.board.model import Better
from lt_bench.board.reading import RunScores
from lt_bench.catalog import builtin_root
from lt_bench.config import Config, digest, validate
from lt_bench.errors import UsageError, first_line
from lt_bench.records import CountedBy, Record, ResultCard
from lt_bench.run.disk import write_whole
from lt_bench.text.paths import portable

if TYPE_CHECKING:
    import pyarrow

CARDS, ENTRIES, ROWS = "cards", "entries", "rows"
DECLARATION, REPORTED = "board.yaml", "reported.yaml"
EXAMPLE, GROUP = "example", "group"
"""Columns of rows/ID.arrow that are no metrics; those are `metric:NAME`."""
PREFIX: Final = "metric:"

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")

File = TypeVar("File", bound=Record)


class BarSpec(Config):
    """A bar: an entry by its id, or a reported row by its own."""

    label: str
    entry: str


class AblationSpec(Config):
    """Bars to be drawn side by side."""

    title: str
    note: str = ""
    metrics: tuple[str, ...] = Field(min_length=1)
    bars: tuple[BarSpec, ...] = Field(min_length=1)


class BoardSpec(Config):
    """What board.yaml says. `pins` are what every card must have: `add` refuses others, where without a
    pin `build` keeps those apart that differ from most. `metrics` stand in the table (default: the task's
    headline)."""

    task: str
    title: str
    summary: str = ""
    version: int | None = None
    data_sha: str | None = None
    judge: str | None = None
    counted_by: CountedBy | None = None
    metrics: tuple[str, ...] = ()
    ablations: tuple[AblationSpec, ...] = ()


class Added(Record):
    """entries/ID.json: what the card does not say. `name` stands for the model in tables, where a name of
    its own was given; `rows_sha` tells the rows and their groups, `samples` how many answers each has."""

    name: str = ""
    label: str = ""
    settings: dict[str, str] = Field(default_factory=dict)
    command: str = ""
    run: str = ""
    better: dict[str, Better]
    rows: int
    groups: int
    samples: int
    rows_sha: str


@dataclass(frozen=True)
class Kept:
    """One entry as it lies on disk. `added` is None for a card that somebody laid there alone."""

    id: str
    card: ResultCard
    added: Added | None


class Store:
    """The files of one board.

    Raises:
        UsageError: the folder has no board.yaml, or a broken one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not (path / DECLARATION).is_file():
            raise UsageError(
                f"{path} is no board: it has no {DECLARATION}",
                "lt-bench leaderboard add RUN --board DIR makes one",
            )
        self.spec = validate(BoardSpec, yaml.load(path / DECLARATION), str(path / DECLARATION))

    def entries(self) -> list[Kept]:
        """Every card with what belongs to it, by id.

        Raises:
            UsageError: a file is damaged, or holds text where a number belongs.
        """
        return [self._kept(path) for path in sorted((self.path / CARDS).glob("*.json"))]

    def _kept(self, path: Path) -> Kept:
        name = path.stem
        if not _ID.fullmatch(name):
            raise UsageError(
                f"{path}: {name!r} is no name of an entry", "letters a-z, digits and dashes"
            )
        beside = self.path / ENTRIES / path.name
        added = _read(Added, beside) if beside.is_file() else None
        return Kept(name, _read(ResultCard, path), added)

    def rows(self, entry: str, metrics: Iterable[str]) -> pyarrow.Table:
        """The scores of an entry: the columns `example`, `group`, and one for each of the metrics.

        Raises:
            UsageError: the file is missing or damaged, or a column is not of numbers.
        """
        import pyarrow
        import pyarrow.ipc

        path = self.path / ROWS / f"{entry}.arrow"
        try:
            with pyarrow.ipc.open_file(path.read_bytes()) as file:
                table = file.read_all()
            table = table.select([EXAMPLE, GROUP, *(PREFIX + one for one in metrics)])
        except (OSError, KeyError, pyarrow.ArrowException) as error:
            raise UsageError(
                f"cannot read {path}: {first_line(error)}",
                "add the run again: lt-bench leaderboard add RUN --board DIR",
            ) from error
        for field in table.schema:
            if field.name.startswith(PREFIX) and not pyarrow.types.is_float64(field.type):
                raise UsageError(
                    f"{path}: {field.name} holds {field.type}, no numbers", "add the run again"
                )
        return table

    def add(self, run: RunScores, name: str = "", label: str = "") -> str:
        """Copies a run onto the board; the same run again takes its own place. Returns the id.

        Raises:
            UsageError: board.yaml pins something else.
        """
        self._check(run.card)
        entry = entry_id(run.card, name)
        self._drop(entry.rpartition("-")[2])
        for folder in (CARDS, ENTRIES, ROWS):
            (self.path / folder).mkdir(parents=True, exist_ok=True)
        added = added_of(run, name, label)
        _write_rows(self.path / ROWS / f"{entry}.arrow", run)
        write_whole(self.path / ENTRIES / f"{entry}.json", added.model_dump_json(indent=1))
        card = ResultCard.model_validate(portable(run.card.model_dump()))
        write_whole(self.path / CARDS / f"{entry}.json", card.model_dump_json(indent=1))
        return entry

    def _drop(self, run: str) -> None:
        """Takes away what stands of this run under another name."""
        for folder, ending in ((CARDS, "json"), (ENTRIES, "json"), (ROWS, "arrow")):
            for path in (self.path / folder).glob(f"*-{run}.{ending}"):
                path.unlink()

    def _check(self, card: ResultCard) -> None:
        """Raises UsageError for a card that is not of this board's task, or that its pins refuse."""
        judges = {stamp.name for stamp in card.judges.values()}
        for what, asked, there in (
            ("task", self.spec.task, card.task),
            ("version", self.spec.version, card.version),
            ("data_sha", self.spec.data_sha, card.stamp.data_sha),
            ("counted_by", self.spec.counted_by, card.stamp.counted_by),
        ):
            if asked is not None and asked != there:
                raise UsageError(
                    f"{self.path / DECLARATION} asks for {what} {asked}, and this card has {there}",
                    "add it to another board: --board DIR",
                )
        if self.spec.judge and judges and self.spec.judge not in judges:
            raise UsageError(
                f"{self.path / DECLARATION} asks for judge {self.spec.judge}, and this card has "
                f"{', '.join(sorted(judges))}",
                f"score the run with it: lt-bench score RUN --judge {self.spec.judge}",
            )


def open_store(path: Path, card: ResultCard) -> Store:
    """The board in this folder, begun for the task of this card where there is none.

    Raises:
        UsageError: it lies in the catalog that lt-bench was installed with, or cannot be made.
    """
    root = builtin_root()
    if root.name == "_catalog" and path.resolve().is_relative_to(root.resolve()):
        raise UsageError(
            f"{path} belongs to the installed lt-bench, which is never written", "--board DIR"
        )
    if not (path / DECLARATION).exists():
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot make {path}: {error.strerror}", "--board DIR") from error
        write_whole(path / DECLARATION, f"task: {card.task}\ntitle: {card.task}")
    return Store(path)


def added_of(run: RunScores, name: str = "", label: str = "") -> Added:
    """What is kept of a run beside its card."""
    return Added(
        name=name,
        label=label,
        settings=dict(run.settings),
        command=run.command,
        run=run.run,
        better=dict(run.better),
        rows=len(run.rows.examples),
        groups=len(set(run.rows.groups)),
        samples=run.samples,
        rows_sha=rows_sha(run.rows.examples, run.rows.groups),
    )


def entry_id(card: ResultCard, name: str = "") -> str:
    """The name of an entry's files: the same for the same run and judge, whenever it is added."""
    parts = [
        part for part in re.split(r"[/\\]+", name or card.model) if part not in ("", ".", "..")
    ]
    words = re.sub(r"[^a-z0-9]+", "-", "-".join(parts[-2:]).lower()).strip("-")[:48].strip("-")
    judges = sorted({(stamp.name, stamp.models) for stamp in card.judges.values()})
    told = digest([card.stamp.config_sha, judges])
    return f"{words or 'entry'}-{told[:8]}"


def rows_sha(examples: Sequence[str], groups: Sequence[str]) -> str:
    """Tells one set of rows, in order and with its groups, from another."""
    found = hashlib.sha256()
    for names in (examples, groups):
        for name in names:
            text = name.encode("utf-8", "surrogatepass")
            found.update(len(text).to_bytes(4, "big"))
            found.update(text)
    return found.hexdigest()


def row_table(run: RunScores) -> pyarrow.Table:
    """The scores of a run as rows/ID.arrow holds them."""
    import numpy as np
    import pyarrow

    def repeated(names: Sequence[str]) -> pyarrow.Array:
        whole = [name.encode("utf-8", "replace").decode() for name in names]
        return pyarrow.array([name for name in whole for _ in range(run.samples)], pyarrow.string())

    return pyarrow.table(
        {
            EXAMPLE: repeated(run.rows.examples),
            GROUP: repeated(run.rows.groups),
            **{
                PREFIX + metric: pyarrow.array(values, pyarrow.float64(), mask=np.isnan(values))
                for metric, values in run.rows.values.items()
            },
        }
    )


def _write_rows(path: Path, run: RunScores) -> None:
    """In one step, as `write_whole` does: an entry has all of its rows or is not there."""
    import pyarrow.ipc

    table, part = row_table(run), path.with_name(f".{path.name}.part")
    options = pyarrow.ipc.IpcWriteOptions(compression="zstd")
    try:
        with (
            part.open("wb") as file,
            pyarrow.ipc.new_file(file, table.schema, options=options) as out,
        ):
            out.write_table(table)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError(f"cannot write {path}: {error.strerror}", "see to the disk") from error


def _read(kind: type[File], path: Path) -> File:
    """A record of JSON, by the letter: "0.85" is no number."""
    try:
        return kind.model_validate_json(path.read_bytes(), strict=True)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", "see to the file") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(
            f"{path}: {where}: {first['msg']}", "take it out, or add its run again"
        ) from error
