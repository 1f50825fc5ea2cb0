"""The rows of one run, or of two side by side, with their diagnoses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from lt_bench.errors import UsageError
from lt_bench.records import Example, Generation, Sample, Score
from lt_bench.replay.diagnosis import Code, Finding, Rival, diagnose
from lt_bench.replay.source import Source, SourceRow

QUALITY_DIFFERS: Final = 3
DIAGNOSIS_DIFFERS: Final = 2
WORDS_DIFFER: Final = 1


@dataclass(frozen=True)
class Side:
    """What one run did with a row. `findings` begin with the diagnosis."""

    row: SourceRow
    findings: tuple[Finding, ...]
    quality: str

    @property
    def code(self) -> Code:
        return self.findings[0].code

    @property
    def sample(self) -> Sample | None:
        return self.row.sample

    @property
    def generation(self) -> Generation | None:
        return self.row.sample.generation if self.row.sample else None

    @property
    def tokens(self) -> int | None:
        """Output tokens of all turns, where they were counted."""
        usage = self.generation.usage if self.generation else None
        return usage.output if usage else None

    @property
    def seconds(self) -> float | None:
        """Seconds of all turns, where they are known."""
        turns = self.generation.turns if self.generation else ()
        known = [turn.timings.total for turn in turns if turn.timings.total is not None]
        return sum(known) if known and len(known) == len(turns) else None

    def value(self, name: str) -> float | None:
        score = self.row.scores.get(name)
        return score.value if score else None

    def scores(self) -> list[Score]:
        """The scores that say something of this row."""
        return [one for one in self.row.scores.values() if one.reason != "not_applicable"]


@dataclass(frozen=True)
class ReplayRow:
    """One row with what each run made of it; None for a run that does not ask it."""

    example_id: str
    sample_index: int
    example: Example | None
    sides: tuple[Side | None, ...]

    @property
    def anchor(self) -> str:
        return anchor(self.example_id, self.sample_index)

    @property
    def difference(self) -> int:
        """How far two runs differ: 3 in quality, 2 in the diagnosis or helpfulness, 1 in words, 0 not, or not
        comparable."""
        first, second = (*self.sides, None)[:2]
        if first is None or second is None:
            return 0
        if first.value(first.quality) != second.value(second.quality):
            return QUALITY_DIFFERS
        helpful = first.value("helpfulness") != second.value("helpfulness")
        if helpful or first.code != second.code:
            return DIAGNOSIS_DIFFERS
        replies = [side.generation.reply if side.generation else None for side in (first, second)]
        return WORDS_DIFFER if replies[0] != replies[1] else 0


def anchor(example_id: str, sample_index: int = 0) -> str:
    """What a page calls a row: its id, and the number of its sample where that is not the first."""
    return example_id if not sample_index else f"{example_id}@{sample_index}"


def rows(first: Source, second: Source | None = None) -> Iterator[ReplayRow]:
    """Every row in the order of the first run's data. Of two runs those that only the second has come
    last; the second is held in memory.

    Raises:
        UsageError: two runs of different tasks, without a row in common, or that asked different things
            under one id.
    """
    if second is None:
        for _, samples in groupby(first.rows(), key=lambda row: row.example_id):
            yield from _joined([list(samples)], [first])
        return
    _check_tasks(first, second)
    others: dict[str, list[SourceRow]] = {}
    for row in second.rows():
        others.setdefault(row.example_id, []).append(row)
    shared = False
    for name, samples in groupby(first.rows(), key=lambda row: row.example_id):
        mine, theirs = list(samples), others.pop(name, [])
        shared = shared or bool(theirs)
        _check_asked(mine, theirs, first, second)
        yield from _joined([mine, theirs], [first, second])
    if not shared:
        raise UsageError(
            f"{first.folder.path} and {second.folder.path} have no row in common",
            "name runs over the same rows",
        )
    for theirs in others.values():
        yield from _joined([[], theirs], [first, second])


def _check_tasks(first: Source, second: Source) -> None:
    one, other = first.file.config.task, second.file.config.task
    if one != other:
        raise UsageError(
            f"{first.folder.path} is a run of {one}, {second.folder.path} of {other}",
            "name two runs of one task",
        )


def _check_asked(
    mine: Sequence[SourceRow], theirs: Sequence[SourceRow], first: Source, second: Source
) -> None:
    """An answer never stands beside a question that it was not given to."""
    asked = [row.example for row in (*mine[:1], *theirs[:1]) if row.example]
    if len(asked) == 2 and _asked(asked[0]) != _asked(asked[1]):
        raise UsageError(
            f"{first.folder.path} and {second.folder.path} have different data: "
            f"{asked[0].id!r} is not the same question in both",
            "name runs over the same rows",
        )


def _asked(example: Example) -> tuple[object, ...]:
    return example.question, example.history, example.documents


def _joined(
    samples: Sequence[Sequence[SourceRow]], sources: Sequence[Source]
) -> Iterator[ReplayRow]:
    """The samples of one example in each run, number by number."""
    sides: list[dict[int, Side]] = [
        {row.sample_index: _side(row, number, samples, sources) for row in mine}
        for number, mine in enumerate(samples)
    ]
    for index in sorted({row.sample_index for mine in samples for row in mine}):
        row = next(known[index].row for known in sides if index in known)
        examples = (known[index].row.example for known in sides if index in known)
        yield ReplayRow(
            row.example_id,
            index,
            next((one for one in examples if one), None),
            tuple(known.get(index) for known in sides),
        )


def _side(
    row: SourceRow, run: int, samples: Sequence[Sequence[SourceRow]], sources: Sequence[Source]
) -> Side:
    case = sources[run].case(row)
    rivals = _rivals(row, run, samples, sources)
    findings = diagnose(type(case)(case.sample, case.scores, case.quality, tuple(rivals)))
    return Side(row, findings, case.quality)


def _rivals(
    row: SourceRow, run: int, samples: Sequence[Sequence[SourceRow]], sources: Sequence[Source]
) -> Iterable[Rival]:
    """The other answers to its example: other samples of its run, and all of the other run."""
    for number, theirs in enumerate(samples):
        for one in theirs:
            if one is row:
                continue
            own = f"sample {one.sample_index}"
            called = own if number == run else sources[number].name
            rival = sources[number].case(one).as_rival(called)
            if rival:
                yield rival
