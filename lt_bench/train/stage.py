"""One stage at work: what it is given, and what it says when it is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.run.progress import Progress, Silent
from lt_bench.task import Task
from lt_bench.train.recipe import Stage

CHECKPOINTS: Final = "checkpoints"


@dataclass(frozen=True)
class StageContext:
    """`folder` is the stage's own; its model, tokenizer and chat template go to `candidate`,
    checkpoints to `checkpoints`, one JSON object a logged step to `log.jsonl`. `parent` is the folder
    or hub id of the model to start from, None where there is none. `candidates` are those of the
    stages before, by name; `progress` shows how far its runs of a model are."""

    name: str
    stage: Stage
    folder: Path
    task: Task
    judge: JudgeChoice
    parent: str | None
    candidates: Mapping[str, Path]
    progress: Progress = field(default_factory=Silent)

    @property
    def candidate(self) -> Path:
        return self.folder / "candidate"

    @property
    def checkpoints(self) -> Path:
        return self.folder / CHECKPOINTS

    @property
    def log(self) -> Path:
        return self.folder / "log.jsonl"


@dataclass(frozen=True)
class StageResult:
    """What goes into the model card. `rows`: examples trained on; `data_sha` of them (hex);
    `metrics`: numbers by name, as a person would tell them; `remarks`: what a reader must know."""

    rows: int
    data_sha: str
    metrics: Mapping[str, float | int | None] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


class StageRunner(Protocol):
    """Runs a stage to its end, going on where a killed process stopped.

    Raises:
        UsageError: the stage cannot be run as asked.
        RunError: it stopped for a cause; what was finished is kept.
    """

    def __call__(self, context: StageContext) -> StageResult: ...
