"""Where everything of a study lies.

FOLDER/SEED/TRAINING/STAGE      trainings, as `lt-bench train --run FOLDER/SEED/TRAINING` leaves them
FOLDER/SEED/rows/               the test rows of a seed
FOLDER/SEED/eval/TRAINING.STAGE their evaluations: ordinary runs
FOLDER/SEED/*.log               what each command said
FOLDER/times.jsonl              what each command took
FOLDER/report.{html,md,json}
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Places:
    """The paths of a study in `folder`."""

    folder: Path

    def seed(self, seed: int) -> Path:
        return self.folder / str(seed)

    def training(self, seed: int, name: str) -> Path:
        return self.seed(seed) / name

    def rows(self, seed: int) -> Path:
        return self.seed(seed) / "rows"

    def data(self, seed: int) -> Path:
        """The file of the test rows."""
        return self.rows(seed) / "test.jsonl"

    def evaluation(self, seed: int, row: str) -> Path:
        return self.seed(seed) / "eval" / row

    def log(self, seed: int, name: str) -> Path:
        return self.seed(seed) / f"{name}.log"

    @property
    def times(self) -> Path:
        return self.folder / "times.jsonl"

    @property
    def lock(self) -> Path:
        return self.folder / ".lock"

    def report(self, suffix: str) -> Path:
        return self.folder / f"report.{suffix}"

    def start(self, seed: int) -> str:
        """The folder of a seed as a recipe names it: no hub id looks like this."""
        return self.as_argument(self.seed(seed))

    @staticmethod
    def as_argument(path: Path) -> str:
        """A path that no command takes for a name."""
        return str(path) if path.is_absolute() else f"./{path.as_posix()}"
