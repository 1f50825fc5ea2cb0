"""A task: which examples, how they are asked, and how the answers are scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from lt_bench import catalog, yaml
from lt_bench.builders import BUILDERS, saved
from lt_bench.builders.base import Builder
from lt_bench.config import Config, Sampling, digest, validate
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Example, Prompt
from lt_bench.scorers import SCORERS, Judging, Scorer, ScoringContext
from lt_bench.template import PromptTemplate

MAX_TURNS: Final = 8
"""Answers of one dialogue with tools, where the task's option `max_turns` says nothing else."""


class TaskSpec(Config):
    """What task.yaml says. `options` are the task's own settings with their defaults, changed by
    `--set task.KEY=VALUE` (`max_turns` bounds a dialogue with tools); `judges` are scorers of which a run has those of one name (the first,
    or `--judge NAME`), beside all of `scorers`; `headline` names the metrics a card shows first."""

    name: str
    version: int
    summary: str
    builder: dict[str, Any]
    sampling: dict[str, Any] = Field(default_factory=dict)
    options: dict[str, Any] = Field(default_factory=dict)
    judges: dict[str, tuple[dict[str, Any], ...]] = Field(default_factory=dict)
    scorers: tuple[dict[str, Any], ...]
    headline: tuple[str, ...] = ()


class Task:
    """One declared task, with the user's settings applied.

    Raises:
        UsageError: the declaration is broken, or a setting is unknown.
    """

    def __init__(
        self,
        folder: Path,
        *,
        options: Mapping[str, Any] | None = None,
        builder: Mapping[str, Any] | None = None,
        judge: str | None = None,
        catalogs: Sequence[Path] = (),
    ) -> None:
        self.folder, self.catalogs = folder, tuple(catalogs)
        where = str(folder / "task.yaml")
        self.spec = validate(TaskSpec, yaml.load(folder / "task.yaml"), where)
        if self.spec.name != folder.name:
            raise UsageError(f"{where}: name {self.spec.name!r} is not the folder's", "rename one")
        self.options = _known(self.spec.options, options or {}, "task")
        self.max_turns = _max_turns(self.options, where)
        self.builder_options = {**_without_use(self.spec.builder, where), **(builder or {})}
        self.template = PromptTemplate(folder / "prompt.md")
        self.judge = next(iter(self.spec.judges), "") if judge is None else judge
        self._judge_entries = self._entries_of(self.judge)

    @classmethod
    def load(
        cls,
        name: str,
        catalogs: Sequence[Path] = (),
        *,
        options: Mapping[str, Any] | None = None,
        builder: Mapping[str, Any] | None = None,
        judge: str | None = None,
    ) -> Task:
        """The task of this name in the catalogs."""
        folder = catalog.find("tasks", name, catalogs)
        return cls(folder, options=options, builder=builder, judge=judge, catalogs=catalogs)

    def _entries_of(self, judge: str) -> tuple[dict[str, Any], ...]:
        """The scorers of one of the task's judges, or of a declared judge by its name.

        Raises:
            UsageError: there is neither.
        """
        if not judge:
            return ()
        if judge in self.spec.judges:
            return self.spec.judges[judge]
        declared = catalog.entries("judges", self.catalogs)
        if judge in declared:
            return ({"use": "judged", "ask": [judge]},)
        known = (*self.spec.judges, *declared)
        raise UsageError(
            f"task {self.spec.name} has no judge {judge!r}.{did_you_mean(judge, known)}",
            f"known: {', '.join(known)}",
        )

    @cached_property
    def builder(self) -> Builder:
        return BUILDERS.get(self.spec.builder["use"])(self.builder_options)

    @property
    def sample(self) -> Path:
        """The examples that ship with the task."""
        return self.folder / "sample" / "test.jsonl"

    def sampling(self, changes: Mapping[str, Any]) -> Sampling:
        """How this task samples, with the user's changes."""
        return validate(Sampling, {**self.spec.sampling, **changes}, "sampling")

    def data_sha(self, data: Path | None) -> str:
        """Changes when the rows of a file, or of a saved data set, may change; None: the sample.

        Raises:
            UsageError: it cannot be read.
        """
        return saved.sha(data or self.sample)

    def examples(self, data: Path, limit: int | None = None) -> list[Example]:
        """The first `limit` rows of a file, or of a data set that `datasets` saved.

        Raises:
            UsageError: the file cannot be used, or holds no row.
        """
        return list(self.stream(data, limit))

    def stream(self, data: Path, limit: int | None = None) -> Iterator[Example]:
        """The same rows, one at a time.

        Raises:
            UsageError: the file cannot be used, or holds no row.
        """
        empty = True
        for example in islice(self.builder.read(data), limit):
            empty = False
            yield example
        if empty:
            raise UsageError(f"{data} holds no example", "check the file, or leave --data out")

    def prompt(self, example: Example) -> Prompt:
        messages = self.template.render(example=example, options=self.options)
        return Prompt(messages=messages, tools=example.tools)

    @property
    def prompt_sha(self) -> str:
        """Changes when the wording of the prompts may change."""
        return digest([self.template.text, self.options])

    def scorers(
        self,
        model: str = "",
        architecture: dict[str, Any] | None = None,
        active_params: float | None = None,
        judging: Judging | None = None,
    ) -> tuple[Scorer, ...]:
        """The task's scorers, the judge's first; the arguments are what is known of the model, and
        who judges.

        Raises:
            UsageError: a broken declaration, or a judge that needs a model and has none.
        """
        judging = judging or Judging(catalogs=self.catalogs)
        context = ScoringContext(model, architecture, active_params, self.options, judging)
        where = str(self.folder / "task.yaml")
        entries = (*self._judge_entries, *self.spec.scorers)
        made = [
            SCORERS.get(str(entry.get("use")))(context, _without_use(entry, where))
            for entry in entries
        ]
        names = [metric.name for scorer in made for metric in scorer.metrics]
        twice = {name for name in names if names.count(name) > 1}
        for entry, scorer in zip(entries, made, strict=True):
            both = ", ".join(sorted(twice & {metric.name for metric in scorer.metrics}))
            if both and entry["use"] == "judged":
                raise UsageError(
                    f"judge {', '.join(entry['ask'])} gives {both}, and so does another scorer of "
                    f"task {self.spec.name}",
                    "give `metric` in its judge.yaml another name",
                )
        if twice:
            raise UsageError(f"{where}: two scorers give {', '.join(sorted(twice))}", "remove one")
        own = self.judge == next(iter(self.spec.judges), "")
        for name in self.spec.headline:
            if own and name not in names:
                raise UsageError(
                    f"{where}: headline {name!r} is no metric.{did_you_mean(name, names)}",
                    f"known: {', '.join(names)}",
                )
        return tuple(made)


def _without_use(entry: Mapping[str, Any], where: str) -> dict[str, Any]:
    if not isinstance(entry.get("use"), str):
        raise UsageError(f"{where}: an entry without `use: NAME`: {dict(entry)}", "name one")
    return {key: value for key, value in entry.items() if key != "use"}


def _max_turns(options: Mapping[str, Any], where: str) -> int:
    turns = options.get("max_turns", MAX_TURNS)
    if not isinstance(turns, int) or isinstance(turns, bool) or turns < 1:
        raise UsageError(
            f"{where}: task.max_turns {turns!r} is no number of turns", "give at least 1"
        )
    return turns


def _known(defaults: Mapping[str, Any], changes: Mapping[str, Any], group: str) -> dict[str, Any]:
    for key in changes:
        if key not in defaults:
            raise UsageError(
                f"--set {group}.{key}: unknown key.{did_you_mean(key, defaults)}",
                f"known: {', '.join(defaults) or 'none'}",
            )
    return {**defaults, **changes}
