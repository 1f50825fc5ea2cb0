"""One run as it is looked at: its rows in the order of its data, each with all that is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lt_bench.errors import LtBenchError, UsageError
from lt_bench.records import Example, ResultCard, Sample, Score, Scored
from lt_bench.replay.diagnosis import Case, quality_of
from lt_bench.replay.journals import Key, Latest
from lt_bench.run.examples import Examples
from lt_bench.run.rundir import RunDir, RunFile, find_run
from lt_bench.run.shard import part_of
from lt_bench.task import Task
from lt_bench.text.paths import portable


@dataclass(frozen=True)
class SourceRow:
    """One sample of one run. What is missing is None: the example where the data is not at hand, the sample
    where the journal has no answer yet. `scores` is empty where none are written."""

    example_id: str
    sample_index: int
    example: Example | None
    sample: Sample | None
    scores: Mapping[str, Score]

    @property
    def key(self) -> Key:
        return self.example_id, self.sample_index


class Source:
    """A run on disk, read without a lock and without trust in its files.

    variant: the part of the name scores.VARIANT.jsonl under which another judge has scored it.
    data: its data file, if it has moved.

    Raises:
        UsageError: the folder is not a run, it has no such variant, or `data` is not its data.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        variant: str = "",
        data: Path | None = None,
        catalogs: Sequence[Path] = (),
    ) -> None:
        found = find_run(Path(path))
        if variant and variant not in found.variants:
            raise UsageError(
                f"{found.path} has no scores.{variant}.jsonl",
                f"known: {', '.join(found.variants) or 'only its own scores'}",
            )
        self.folder = RunDir(found.path, variant)
        self.file: RunFile = self.folder.load()
        self._problems: list[str] = []
        self.headline: tuple[str, ...] = ()
        self.examples: Sequence[Example] = self._examples(data, catalogs)
        self.card = self._card()
        self._answers = Latest(self.folder.generations)
        self._scores = self._latest_scores()

    @property
    def problems(self) -> list[str]:
        """What is missing or damaged, as far as it has been read."""
        found = (*self._problems, *self._answers.problems, *self._scores.problems)
        return list(dict.fromkeys(found))

    @property
    def name(self) -> str:
        """How people call the run: the name of its folder."""
        return self.folder.path.resolve().name

    @property
    def model(self) -> str:
        return str(portable(self.file.config.model))

    def _card(self) -> ResultCard | None:
        try:
            return self.folder.card()
        except LtBenchError as error:
            self._problems.append(error.cause)
            return None

    def _latest_scores(self) -> Latest[Scored]:
        """The scores that the card was made from; without a card, those written last."""
        wanted = self.card.stamp.scorers_sha if self.card else None
        latest = Latest(self.folder.scores, wanted)
        if any(True for _ in latest.keys) or not latest.shas:
            return latest
        return Latest(self.folder.scores, list(latest.shas)[-1])

    # --- examples ----------------------------------------------------------------------------

    def _examples(self, data: Path | None, catalogs: Sequence[Path]) -> Sequence[Example]:
        config = self.file.config
        try:
            task = Task.load(
                config.task, catalogs, options=config.task_options, builder=config.builder_options
            )
            self.headline = task.spec.headline
            path = data or (Path(self.file.data) if self.file.data else task.sample)
            if task.data_sha(path) == config.data_sha:
                return Examples(part_of(task.stream(path, config.limit), config.shard))
            what = f"{path} is not the data of {self.folder.path}"
        except LtBenchError as error:
            what = error.cause
        if data:
            raise UsageError(what, "name the right file with --data")
        self._problems.append(f"{what}: rows stand without question and evidence (--data FILE)")
        return ()

    # --- rows --------------------------------------------------------------------------------

    def rows(self) -> Iterator[SourceRow]:
        """Every sample that the run asks, in the order of its data; then those that its data does not
        hold. Read one by one."""
        places = self._numbered()
        answers = self._answers.read(key for key, _ in places)
        scores = self._scores.read(key for key, _ in places)
        for (key, number), sample, scored in zip(places, answers, scores, strict=True):
            known = {score.name: score for score in scored.scores} if scored else {}
            example = None if number is None else self.examples[number]
            mine = sample is not None and scored is not None and scored.key != sample.key
            yield SourceRow(*key, example, sample, {} if mine else known)

    def _numbered(self) -> list[tuple[Key, int | None]]:
        """Every sample, with the number of its example in the data."""
        samples = range(self.file.config.samples)
        ids = self.examples.ids if isinstance(self.examples, Examples) else ()
        asked: dict[Key, int | None] = {
            (name, index): number for number, name in enumerate(ids) for index in samples
        }
        strays = [key for key in self._answers.keys if key not in asked]
        if strays and asked:
            word = "sample is" if len(strays) == 1 else "samples are"
            self._problems.append(f"{len(strays)} {word} in the journal and not in the data")
        return [*asked.items(), *((key, None) for key in sorted(strays))]

    def case(self, row: SourceRow) -> Case:
        """What the rules of diagnosis look at."""
        return Case(row.sample, row.scores, quality_of(row.scores, self.headline))
