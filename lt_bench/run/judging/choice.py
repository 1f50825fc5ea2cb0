"""Which judge a command asks for, and the scorers that come of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from lt_bench import catalog
from lt_bench.config import JudgeSettings
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.scorers import SCORERS, Judging, Scorer, ScoringContext

RULES = "facts"
"""The judge that asks no model."""


@dataclass(frozen=True)
class JudgeChoice:
    """`name` None: the default of the task. `models` judge, with `votes` each; `sampling` changes how
    the judges declare to be asked, `options` go to the endpoint. `prices`: what a million prompt
    tokens and a million output tokens cost, in any currency; `calibrations` are files that say how
    far to believe the judge, `labels` files of what people say of the replies of this run."""

    name: str | None = None
    models: tuple[str, ...] = ()
    votes: int = 1
    min_votes: int | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    catalogs: tuple[Path, ...] = ()
    cache: bool = True
    prices: tuple[float, float] | None = None
    calibrations: tuple[Path, ...] = ()
    labels: tuple[Path, ...] = ()

    @cached_property
    def judging(self) -> Judging:
        """The models, not yet opened.

        Raises:
            UsageError: an unknown model, votes that decide nothing, or settings without a model.
        """
        if not self.models:
            if self.votes != 1 or self.min_votes or self.options or self.sampling:
                raise UsageError(
                    "judge settings without a judge model", "name one: --judge-model openai/NAME"
                )
            return Judging(catalogs=self.catalogs)
        from lt_bench.judge import Panel
        from lt_bench.judge.cache import AnswerCache, default_cache

        panel = Panel(
            self.models,
            votes=self.votes,
            min_votes=self.min_votes,
            options=self.options,
            cache=AnswerCache(default_cache()) if self.cache else None,
        )
        return Judging(panel, dict(self.sampling), self.catalogs)

    def settings(self, name: str) -> JudgeSettings:
        """What a run remembers of the judge `name`."""
        return JudgeSettings(
            name=name,
            models=self.models,
            votes=self.votes,
            min_votes=self.min_votes,
            sampling=dict(self.sampling),
        )

    def filled_in(self, settings: JudgeSettings) -> JudgeChoice:
        """This choice, with what it leaves open as a run remembers it."""
        if self.name not in (None, settings.name):
            return self
        return replace(
            self,
            name=settings.name,
            models=self.models or settings.models,
            votes=self.votes if self.votes != 1 else settings.votes,
            min_votes=self.min_votes or settings.min_votes,
            sampling={**settings.sampling, **self.sampling},
        )

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Judging]:
        """The models, ready to be asked."""
        async with AsyncExitStack() as stack:
            if self.judging.panel is not None:
                await stack.enter_async_context(self.judging.panel)
            yield self.judging


def judge_names(catalogs: tuple[Path, ...] = ()) -> dict[str, Path | None]:
    """Every judge that a command may name, and its folder (None: rules)."""
    return {RULES: None, **catalog.entries("judges", catalogs)}


def scorer_of(choice: JudgeChoice) -> Scorer:
    """The scorer of the one judge named, its models not yet opened.

    Raises:
        UsageError: an unknown judge, or a judge and models that do not fit each other.
    """
    known = judge_names(choice.catalogs)
    name = choice.name or ""
    if name not in known:
        raise UsageError(
            f"unknown judge {name!r}.{did_you_mean(name, known)}", f"known: {', '.join(known)}"
        )
    rules = name == RULES
    if rules and choice.models:
        raise UsageError(f"{RULES} asks no model", "leave --judge-model out, or name another judge")
    context = ScoringContext(judging=choice.judging)
    return SCORERS.get(RULES if rules else "judged")(context, {} if rules else {"ask": [name]})


def check_models(judging: Judging, name: str, scorers: Iterable[Scorer]) -> None:
    """Refuses judge models that nobody would ask.

    Raises:
        UsageError: the judge is one of rules.
    """
    if judging.panel is None:
        return
    from lt_bench.scorers.judged import JudgedScorer

    if not any(isinstance(scorer, JudgedScorer) for scorer in scorers):
        raise UsageError(
            f"judge {name or 'none'} asks no model", "add --judge llm, or leave --judge-model out"
        )


@asynccontextmanager
async def open_scorer(choice: JudgeChoice) -> AsyncIterator[Scorer]:
    """The scorer of the one judge named, ready to score."""
    scorer = scorer_of(choice)
    async with choice.opened():
        yield scorer
