"""report.json: what a study came to, beside its paper. The other forms are made from it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lt_bench.records import Number, Record, Unit

Word = Literal[
    "holds, separated",
    "same direction, not separated",
    "opposite direction, not separated",
    "contradicted",
    "no difference",
    "missing",
]
"""What the interval of a claim says: all of it on the claim's side, or on the other, or neither."""


class Cell(Record):
    """One figure of ours: the mean over all rows of all seeds, its 95 % interval, the mean of each
    seed, and the paper's. Shares are between 0 and 1, the paper's too."""

    value: Number | None
    low: Number | None
    high: Number | None
    unit: Unit
    by_seed: dict[int, Number]
    paper: Number | None = None
    method: str = ""


class ReportRow(Record):
    """`row` is TRAINING.STAGE, None for one of the paper alone. `missing`: seed -> why it is."""

    label: str
    row: str | None
    teacher: bool
    cells: dict[str, Cell]
    missing: dict[int, str] = Field(default_factory=dict)


class ReportTable(Record):
    title: str
    note: str
    rows: tuple[ReportRow, ...]


class Verdict(Record):
    """One claim put to the test. `of` and `against` are the two rows, `first` and `second` their
    means. `difference` is the mean of a - factor x b over paired rows with its interval, and
    `threshold` what it is held against; `sign` +1 where the claim says above. `p_value` is two-sided
    and `p_holm` the same adjusted for all claims. `by_seed`: the difference of each seed alone."""

    text: str
    paper: str
    metric: str
    unit: Unit
    kind: str
    of: str
    against: str
    word: Word
    sign: Literal[-1, 1]
    factor: Number
    threshold: Number
    first: Number | None = None
    second: Number | None = None
    difference: Number | None = None
    low: Number | None = None
    high: Number | None = None
    p_value: Number | None = None
    p_holm: Number | None = None
    by_seed: dict[int, Number] = Field(default_factory=dict)
    rows: int = 0
    method: str = ""
    missing: dict[int, str] = Field(default_factory=dict)


class Curve(Record):
    """A stage's log: at each step mean reward and output tokens of what was drawn."""

    row: str
    seed: int
    steps: tuple[int, ...]
    reward: tuple[Number | None, ...]
    tokens: tuple[Number, ...]


class MainTime(Record):
    """The main rows of one seed, evaluations included. `chain` are minutes by the clock along the
    longest chain of jobs that need each other: what they take where each can begin at once."""

    seed: int
    cpu: Number
    chain: Number


class Costs(Record):
    """Minutes. `wall` counts time during which any command ran; `unknown` are jobs that are done and
    of which no time is recorded, since something else ran them."""

    cpu: Number
    by_kind: dict[str, Number]
    wall: Number
    commands: int
    failed: int
    unknown: tuple[str, ...]
    main: tuple[MainTime, ...]


class Failure(Record):
    """A job that failed, or was left out, and why: its exit code and the end of its log."""

    job: str
    why: str


class StudyReport(Record):
    """The whole report. `metrics` are the columns of its tables; seeds of tuning are named, and none
    of them is in any figure."""

    name: str
    summary: str
    task: str
    paper_title: str
    paper_url: str
    made: str
    lt_bench: str
    git_commit: str | None
    hardware: str
    packages: dict[str, str]
    seeds: tuple[int, ...]
    test_seeds: tuple[int, ...]
    tuning_training: tuple[int, ...]
    tuning_rows: tuple[int, ...]
    rows: int
    metrics: tuple[str, ...]
    temperature: Number
    tables: tuple[ReportTable, ...]
    verdicts: tuple[Verdict, ...]
    curves: tuple[Curve, ...]
    sweep: dict[str, Number]
    turned: str
    costs: Costs
    failures: tuple[Failure, ...] = ()

    @property
    def by_row(self) -> dict[str, ReportRow]:
        """Every trained row of the tables, the first time that it stands in one."""
        found: dict[str, ReportRow] = {}
        for table in self.tables:
            for one in table.rows:
                if one.row and not one.teacher:
                    found.setdefault(one.row, one)
        return found
