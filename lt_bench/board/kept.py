"""One entry as it lies on disk."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pydantic import Field

from lt_bench.board.model import Better
from lt_bench.board.reading import RunScores
from lt_bench.board.row_file import rows_sha
from lt_bench.config import digest
from lt_bench.plain import writable
from lt_bench.records import Record, ResultCard


class Added(Record):
    """entries/ID.json: what the card does not say. `name` stands for the model in tables, where a name of
    its own was given; `rows_sha` tells the rows and their groups, `samples` how many answers each has."""

    name: str = ""
    label: str = ""
    settings: dict[str, str] = Field(default_factory=dict)
    command: str = ""
    run: str = ""
    better: dict[str, Better]
    rows: int = Field(ge=0)
    groups: int = Field(ge=0)
    samples: int = Field(ge=1)
    rows_sha: str


@dataclass(frozen=True)
class Kept:
    """One entry as it lies on disk. `added` is None for a card that somebody laid there alone."""

    id: str
    card: ResultCard
    added: Added | None


def added_of(run: RunScores, name: str = "", label: str = "") -> Added:
    """What is kept of a run beside its card."""
    return Added(
        name=writable(name),
        label=writable(label),
        settings=dict(run.settings),
        command=writable(run.command),
        run=writable(run.run),
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
