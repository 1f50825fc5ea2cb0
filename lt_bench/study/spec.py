"""A study: what is trained and evaluated over which seeds, and the claims that are put to the test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from lt_bench.config import Config

NAME: Final = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$"
"""A training's name is the name of a folder."""
METRICS: Final = ("correctness", "helpfulness", "tpr")
"""What tables show unless a study says otherwise; shares are given in points of a hundred, `tpr` in
tokens."""

Name = Annotated[str, Field(pattern=NAME)]
Metric = Literal[
    "correctness",
    "helpfulness",
    "correct_and_helpful",
    "tpr",
    "task_success",
    "tool_precision",
    "tool_recall",
    "tool_f1",
    "argument_accuracy",
    "answer_correctness",
    "no_call_accuracy",
    "clarify_accuracy",
    "over_calling",
    "under_calling",
    "state_match",
]
Kind = Literal[
    "greater", "less", "not_less", "rises_by", "falls_by", "ratio_at_most", "ratio_at_least"
]


class Paper(Config):
    """Whose figures stand beside ours."""

    title: str
    url: str = ""


class Tuning(Config):
    """Seeds that settings were looked for with: of trainings, and of test rows. None is reported."""

    training: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()


class Measured(Config):
    """How every candidate is evaluated: on so many test rows a seed, at this temperature."""

    rows: int = Field(default=300, ge=1)
    temperature: float = Field(default=0.7, ge=0.0)


class Trained(Config):
    """Stages of one recipe. `start` maps what stages of the recipe are to start from, or take their
    lengths from, to a row of another training (`rft: moe.rft`), so that nothing is trained twice.
    `set` changes settings as `lt-bench train --set` does; `seeds` are all of the study unless given."""

    recipe: str
    stages: tuple[Name, ...] = Field(min_length=1)
    start: dict[str, str] = Field(default_factory=dict)
    set: dict[str, Any] = Field(default_factory=dict)
    seeds: tuple[int, ...] | None = None


class TableRow(Config):
    """`row` is TRAINING.STAGE; `teacher` instead names the stage whose teacher is meant, with the
    replies that it gave for the training rows. `paper` has its figures, in points and tokens."""

    label: str
    row: str | None = None
    teacher: str | None = None
    paper: dict[Metric, float] = Field(default_factory=dict)


class Table(Config):
    """Rows of ours beside the paper's, over the seeds that are named (all, unless given)."""

    title: str
    note: str = ""
    seeds: tuple[int, ...] | None = None
    rows: tuple[TableRow, ...] = Field(min_length=1)


class Claim(Config):
    """One claim about two rows, `of` and `against`, on the same test rows.

    `greater`, `less`: the mean of `of` against that of `against`. `not_less`: at most `amount` below.
    `rises_by`, `falls_by`: at least `amount` above, or below. `ratio_at_most`, `ratio_at_least`:
    `amount` times the other. Amounts are shares (0.02 is two points) or tokens, or plain ratios.
    """

    text: str
    metric: Metric
    kind: Kind
    of: str
    against: str
    amount: float | None = Field(default=None, ge=0.0)
    paper: str = ""


class Plots(Config):
    """`steps`: rows whose stages' logs are drawn. `sweep`: row -> what was turned; `turned` names it."""

    steps: tuple[str, ...] = ()
    sweep: dict[str, float] = Field(default_factory=dict)
    turned: str = ""


class Study(Config):
    """A study file. `metrics` are what tables show; `main` the rows whose time is stated by itself."""

    summary: str
    task: str
    paper: Paper
    seeds: tuple[int, ...] = Field(min_length=1)
    tuning_seeds: Tuning = Tuning()
    evaluation: Measured = Measured()
    metrics: tuple[Metric, ...] = Field(default=METRICS, min_length=1)
    trainings: dict[Name, Trained] = Field(min_length=1)
    main: tuple[str, ...] = ()
    tables: tuple[Table, ...] = Field(min_length=1)
    claims: tuple[Claim, ...] = ()
    plots: Plots = Plots()

    def seeds_of(self, row: str) -> tuple[int, ...]:
        """The seeds that a row is trained with."""
        own = self.trainings[training_of(row)].seeds
        return self.seeds if own is None else own

    @property
    def rows(self) -> Iterator[str]:
        """Every row that is trained, in the order of the file."""
        for name, trained in self.trainings.items():
            yield from (f"{name}.{stage}" for stage in trained.stages)

    @property
    def scored(self) -> frozenset[str]:
        """Every score that a table or a claim is about."""
        return frozenset((*self.metrics, *(claim.metric for claim in self.claims)))

    @property
    def named(self) -> Iterator[tuple[str, str]]:
        """Where in the file each row is named, and its name."""
        for name, trained in self.trainings.items():
            yield from ((f"trainings.{name}.start", row) for row in trained.start.values())
        for table in self.tables:
            for one in table.rows:
                yield from (
                    (f"table {table.title!r}", row) for row in (one.row, one.teacher) if row
                )
        for claim in self.claims:
            yield from ((f"claim {claim.text!r}", row) for row in (claim.of, claim.against))
        yield from (("main", row) for row in self.main)
        yield from (("plots", row) for row in (*self.plots.steps, *self.plots.sweep))


def training_of(row: str) -> str:
    """ "moe" of "moe.rft"."""
    return row.partition(".")[0]


def stage_of(row: str) -> str:
    """ "rft" of "moe.rft"."""
    return row.partition(".")[2]


def rows_seed(seed: int, own: int) -> int:
    """The seed of a stage's rows: no two stages of one seed, and no two seeds, share rows that their
    recipes keep apart."""
    return 10 * seed + own


TEST: Final = 9
"""The recipe's own seed of the test rows, as it were; recipes have 1 to 8 for their stages."""


def test_seed(seed: int) -> int:
    """The seed of a study's test rows."""
    return rows_seed(seed, TEST)


def needs_amount(kind: str) -> bool:
    """Whether a claim of this kind says by how much."""
    return kind not in ("greater", "less")
