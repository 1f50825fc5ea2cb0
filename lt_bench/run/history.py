"""A run as Python sees it: `Run(path)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lt_bench.config import EvalConfig
from lt_bench.records import ResultCard, Sample, Score, Scored
from lt_bench.run.rundir import RunDir, find_run

if TYPE_CHECKING:
    import pandas as pd


class Run:
    """A run on disk, to read. `variant` is the part of the name card.VARIANT.json under which
    another judge than the run's own has scored it.

    Raises:
        UsageError: the folder is not a run.
    """

    def __init__(self, path: str | Path, variant: str = "") -> None:
        self.path = find_run(Path(path)).path
        self._dir = RunDir(self.path, variant)
        self.config: EvalConfig = self._dir.load().config

    @property
    def card(self) -> ResultCard:
        """The card of the finished run; UsageError while it is not finished."""
        return self._dir.card()

    def samples(self) -> Iterator[Sample]:
        """The latest outcome of each sample, in the order of the journal."""
        yield from self._dir.samples().values()

    def scored(self) -> Iterator[Scored]:
        """The scores that the card was made from."""
        yield from self._dir.scored(self.card.stamp.scorers_sha).values()

    def to_pandas(self) -> pd.DataFrame:
        """One row a sample: identity, status, texts, tokens, and a column for each score (NaN
        where it has no value), and `why`: what a judge said."""
        import pandas as pd

        scores = {line.key: line.scores for line in self.scored()}
        return pd.DataFrame(
            {
                **_columns(sample),
                **{score.name: score.value for score in scores.get(sample.key, ())},
                "why": _why(scores.get(sample.key, ())),
            }
            for sample in self.samples()
        )


def _why(scores: Iterable[Score]) -> str | None:
    """What the judges said of the sample."""
    said = [score.verdict.rationale for score in scores if score.verdict]
    return "; ".join(filter(None, said)) or None


def _columns(sample: Sample) -> dict[str, object]:
    last = sample.generation.turns[-1] if sample.generation else None
    usage = sample.generation.usage if sample.generation else None
    return {
        "example_id": sample.key.example_id,
        "sample_index": sample.key.sample_index,
        "status": sample.status,
        "reasoning": last.reasoning if last else None,
        "reply": last.reply if last else None,
        "failure": sample.failure.message if sample.failure else None,
        "prompt_tokens": usage.prompt if usage else None,
        "output_tokens": usage.output if usage else None,
        "seconds": last.timings.total if last else None,
    }
