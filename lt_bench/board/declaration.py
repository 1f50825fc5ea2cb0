"""What board.yaml says of a board."""

from __future__ import annotations

from pydantic import Field

from lt_bench.config import Config
from lt_bench.records import CountedBy

DECLARATION, REPORTED = "board.yaml", "reported.yaml"


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
