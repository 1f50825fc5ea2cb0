"""A built board: everything that its pages, tables and files show, worked out once.

Markdown, CSV, JSON and the HTML site are all made from a `Board`; none of them computes anything.
Numbers are in the units of the cards (a share is between 0 and 1). Texts are as people, files and
models wrote them: whoever shows them makes them harmless.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import Field

from lt_bench.records import (
    Corrected,
    Estimate,
    JudgeStamp,
    Note,
    Number,
    Record,
    Stamp,
    Status,
    Unit,
)

Better = Literal["higher", "lower"]

Belief = Literal["rules", "calibrated", "by construction", "uncalibrated", "no judge"]
"""How far a judge can be believed. `rules`: no model judges; `by construction`: measured, but on
labels that nobody read; `uncalibrated`: not measured, or on too little; `no judge`: measured, and no
better than chance. Only `rules` and `calibrated` take ranks."""

Grim = Literal["consistent", "not explained by k of n", "not a share of rows"]
"""What an audit of a reported figure came to: some count k of the n rows gives it at its printed
decimals, or none does; or it is no share and has no such count."""


class Column(Record):
    """One metric of the board.

    `shown` columns stand in the table, the others on the models' pages. `judged`: some judge gives it.
    `compared` candidates were tested against each other; where that is fewer than there are (a board of
    more than a hundred), `among` says which. `remark` is how it was computed, where all agree.
    """

    name: str
    unit: Unit
    better: Better
    shown: bool
    judged: bool = False
    compared: int = 0
    among: str = ""
    remark: str = ""


class Source(Record):
    """Where a reported row stands: `paper`, its `table` ("Table 4", "text, main results"), `url`. `rows` is
    the size of its test set, None where it is not told."""

    paper: str
    table: str
    url: str = ""
    rows: int | None = None
    note: str = ""


class JudgeState(Record):
    """Who gave a metric of an entry, and whether people's labels say how far to believe it.
    `sentence` says it in words."""

    stamp: JudgeStamp
    belief: Belief
    sentence: str


class Entry(Record):
    """One line of the board: a candidate that was run here, or a row that a paper reports.

    `id` is unique and fit for a file name ([a-z0-9-]). `label` tells entries of one model apart ("max_tokens
    96"); `settings` are all that may differ, key by key. `command` is what made the run. `run` is the
    folder it was added from, where that was kept; `replay` the page of its rows, relative to the site,
    empty where there is none. `kept_apart` is why it takes no rank anywhere, empty
    where it stands with the others. `reported` marks a row of a paper: it has no stamp and never a rank.
    """

    id: str
    model: str
    label: str = ""
    backend: str = ""
    settings: dict[str, str] = Field(default_factory=dict)
    command: str = ""
    run: str = ""
    replay: str = ""
    task: str
    version: int
    samples: dict[Status, int] = Field(default_factory=dict)
    rows: int | None = None
    stamp: Stamp | None = None
    judges: dict[str, JudgeState] = Field(default_factory=dict)
    corrected: dict[str, tuple[Corrected, ...]] = Field(default_factory=dict)
    passes: dict[str, tuple[Estimate, ...]] = Field(default_factory=dict)
    note_counts: dict[Note, int] = Field(default_factory=dict)
    remarks: dict[str, str] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    kept_apart: str = ""
    reported: Source | None = None

    @property
    def name(self) -> str:
        """How it is called in a table."""
        return f"{self.model} ({self.label})" if self.label else self.model


class Ranks(Record):
    """The places that a candidate may truly have, from `low` to `high` (1 is the best): with 95 % all
    sets of the column hold at once."""

    low: int
    high: int


class Cell(Record):
    """One metric of one entry.

    `estimate` is None where the entry lacks the metric. `completed` is the same over completed answers.
    `rank` is the place by value among the ranked (1 is the best; equal values share it), None with the
    reason in `unranked`. `ranks` is its confidence set, None with the reason in `no_set`. Entries next to each
    other that no test separates share a `tie` (1, 2, … from the best). `printed` is the figure as a paper
    prints it, `grim` what its audit came to, `audit` the same in words.
    """

    entry: str
    metric: str
    estimate: Estimate | None
    completed: Estimate | None = None
    rank: int | None = None
    unranked: str = ""
    ranks: Ranks | None = None
    no_set: str = ""
    tie: int | None = None
    printed: str = ""
    grim: Grim | None = None
    audit: str = ""


class Pair(Record):
    """Two entries on the rows that both were scored on.

    `difference` is the mean of first - second with its 95 % interval (None where nothing varies);
    `p_value` is two-sided, `p_holm` the same adjusted for all pairs of the column. `left_out` rows lack a
    value of one of the two. `standard_error` is that of the difference, over groups. `better` is the id of the one that is better where p_holm is at most 0.05,
    else empty.
    """

    metric: str
    first: str
    second: str
    difference: Number
    low: Number | None
    high: Number | None
    p_value: Number
    p_holm: Number
    rows: int
    groups: int
    left_out: int = 0
    method: str
    standard_error: Number | None = None
    better: str = ""


class Pareto(Record):
    """Quality against cost: `front` are the entries that no other beats in one without losing in the
    other, cheapest first; `beaten` the other entries that have both figures. Only comparable runs are
    on it."""

    quality: str
    cost: str
    front: tuple[str, ...]
    beaten: tuple[str, ...] = ()


class SliceCell(Record):
    """A metric of an entry over the rows of one tag ("tag:price"), language ("lang:en") or status."""

    entry: str
    slice: str
    metric: str
    estimate: Estimate


class Lengths(Record):
    """How many samples of an entry have how many output tokens: `counts[i]` of them lie in
    [edges[i], edges[i + 1]), the last bin with its end. All entries share the edges; the median and the
    95th percentile are of the samples themselves."""

    entry: str
    edges: tuple[Number, ...]
    counts: tuple[int, ...]
    median: Number
    p95: Number


class Bar(Record):
    """One bar of an ablation; an entry that was run has an interval in its cell."""

    label: str
    entry: str


class Ablation(Record):
    """Bars side by side for each of `metrics`: what one change of a candidate does."""

    title: str
    note: str = ""
    metrics: tuple[str, ...]
    bars: tuple[Bar, ...]


class Board(Record):
    """A board as built. `rows` and `groups` are those that the comparable entries share (None where no
    run is on it). `entries` are in the order of the table: ranked runs by the first shown metric, then the
    runs that are kept apart, then what papers report."""

    name: str
    title: str
    summary: str = ""
    task: str
    version: int
    data: str | None = None
    data_sha: str = ""
    rows: int | None = None
    groups: int | None = None
    made: str
    lt_bench: str
    command: str = ""
    metrics: tuple[Column, ...]
    entries: tuple[Entry, ...]
    cells: tuple[Cell, ...]
    pairs: tuple[Pair, ...] = ()
    paretos: tuple[Pareto, ...] = ()
    slices: tuple[SliceCell, ...] = ()
    lengths: tuple[Lengths, ...] = ()
    ablations: tuple[Ablation, ...] = ()
    warnings: tuple[str, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, Entry]:
        """Every entry by its id."""
        return {entry.id: entry for entry in self.entries}

    @cached_property
    def by_name(self) -> dict[str, Column]:
        """Every column by its metric."""
        return {column.name: column for column in self.metrics}

    @cached_property
    def _cells(self) -> dict[tuple[str, str], Cell]:
        return {(cell.entry, cell.metric): cell for cell in self.cells}

    @property
    def shown(self) -> tuple[Column, ...]:
        """The columns of the table."""
        return tuple(column for column in self.metrics if column.shown)

    def cell(self, entry: str, metric: str) -> Cell:
        """One cell of the table; every entry has one for every metric."""
        return self._cells[entry, metric]

    def pairs_of(self, entry: str, metric: str) -> tuple[Pair, ...]:
        """The tests of one entry against others."""
        return tuple(
            pair
            for pair in self.pairs
            if pair.metric == metric and entry in (pair.first, pair.second)
        )
