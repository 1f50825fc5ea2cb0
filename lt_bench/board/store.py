"""A board on disk: board.yaml, and for each entry its card, what is known of its making, its scores.

    BOARD/board.yaml  cards/ID.json  entries/ID.json  rows/ID.arrow  reported.yaml

cards/ID.json is the card of the run as it stands there; rows/ID.arrow (Arrow's file format) has a row a
sample with the example's id, its group, and a column for each metric.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from lt_bench import yaml
from lt_bench.board.declaration import DECLARATION, BoardSpec
from lt_bench.board.kept import Added, Kept, added_of, entry_id
from lt_bench.board.reading import RunScores
from lt_bench.board.row_file import read_rows, write_rows
from lt_bench.catalog import builtin_root
from lt_bench.config import validate
from lt_bench.errors import RunError, UsageError
from lt_bench.records import Record, ResultCard
from lt_bench.run.disk import write_whole
from lt_bench.run.lock import waited_for
from lt_bench.text.paths import portable

if TYPE_CHECKING:
    import pyarrow

CARDS, ENTRIES, ROWS = "cards", "entries", "rows"
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")

File = TypeVar("File", bound=Record)


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
        return read_rows(self.path / ROWS / f"{entry}.arrow", metrics)

    def add(self, run: RunScores, name: str = "", label: str = "") -> str:
        """Copies a run onto the board; the same run again takes its own place. Returns the id.

        Raises:
            UsageError: board.yaml pins something else.
        """
        self._check(run.card)
        entry = entry_id(run.card, name)
        with waited_for(self.path):
            self._write(entry, run, added_of(run, name, label))
        return entry

    def _write(self, entry: str, run: RunScores, added: Added) -> None:
        """The card comes last: an entry without one is not there yet."""
        for folder in (CARDS, ENTRIES, ROWS):
            (self.path / folder).mkdir(parents=True, exist_ok=True)
        write_rows(self.path / ROWS / f"{entry}.arrow", run)
        write_whole(self.path / ENTRIES / f"{entry}.json", added.model_dump_json(indent=1))
        card = ResultCard.model_validate(portable(run.card.model_dump()))
        write_whole(self.path / CARDS / f"{entry}.json", card.model_dump_json(indent=1))
        self._drop_others(entry)

    def _drop_others(self, entry: str) -> None:
        """Takes away what stands of this entry's run under another name: only once the new files are
        there, so that no failure loses it."""
        run = entry.rpartition("-")[2]
        for folder, ending in ((CARDS, "json"), (ENTRIES, "json"), (ROWS, "arrow")):
            for path in (self.path / folder).glob(f"*-{run}.{ending}"):
                if path.stem != entry:
                    path.unlink(missing_ok=True)

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
        _begin(path / DECLARATION, card.task)
    return Store(path)


def _begin(declaration: Path, task: str) -> None:
    """Writes the least that makes a board, unless another process is just doing so."""
    try:
        write_whole(declaration, f"task: {task}\ntitle: {task}")
    except RunError:
        if not declaration.exists():
            raise


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
