"""One `lt-bench latency` from what is asked to what was seen: the load first, the scores after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from lt_bench.backends.choose import open_model
from lt_bench.backends.endpoint_flags import refuse_batch
from lt_bench.errors import UsageError
from lt_bench.run.evaluation import Evaluation
from lt_bench.run.judging.choice import check_models
from lt_bench.run.latency.arrivals import Arrivals, Size
from lt_bench.run.latency.clock import LoopClock, WallClock
from lt_bench.run.latency.path_model import PathModel
from lt_bench.run.latency.plan import Deck
from lt_bench.run.latency.quality import Scores, metric_asked_for, score_all
from lt_bench.run.latency.sweep import Sweep, Watcher

BOUND: Final = 4096
"""Requests that may be outstanding before further ones are dropped."""
SPARE_FILES: Final = 128
"""File descriptors that are left to everything but connections."""
PATIENCE: Final = 10.0
"""A request is given up at this many deadlines, but not before `LEAST_PATIENCE` seconds."""
LEAST_PATIENCE: Final = 60.0


@dataclass(frozen=True)
class Measurement:
    """What one command measures. `deadline` in seconds; `start_by`: it is met by beginning to speak;
    `quality` names the score that must be 1 (None: the task's strictest); `options` are those of the
    backend; `virtual` runs a scripted model in virtual time.

    Raises:
        UsageError: a deadline, bound or timeout that is none, or a model that cannot be timed.
    """

    evaluation: Evaluation
    rates: tuple[float, ...]
    deadline: float
    arrivals: Arrivals
    size: Size
    path: PathModel
    options: Mapping[str, Any]
    start_by: bool = False
    quality: str | None = None
    seed: int = 0
    most: int | None = None
    patience: float | None = None
    keep_going: bool = False
    virtual: bool = False

    def __post_init__(self) -> None:
        model = self.evaluation.model
        if not 0 < self.deadline < 1e6:
            raise UsageError(f"--deadline {self.deadline:g} is no time", "give seconds, e.g. 1.5")
        if self.patience is not None and not 0 < self.patience < 1e6:
            raise UsageError(f"--timeout {self.patience:g} is no time", "give seconds, above 0")
        if self.most is not None and self.most < 1:
            raise UsageError(f"--max-outstanding {self.most} sends nothing", "give at least 1")
        if "concurrency" in self.options:
            raise UsageError(
                "a live room knows no concurrency: requests are sent when they are due",
                "set --rate, and --max-outstanding against accidents",
            )
        refuse_batch(self.options, "nobody can tell how long one answer of a batch took")
        if any(one.world is not None and one.tools for one in self.evaluation.examples):
            raise UsageError(
                f"rows of {self.evaluation.task.spec.name} are dialogues with tools: several requests, "
                "with a tool's time between them, and no single time to a reply",
                "measure a task of one answer a row, or the rows without a world",
            )
        if model.startswith("replay/"):
            raise UsageError(
                "replay/ answers from a file and has no clock",
                "measure the model itself: openai/NAME, hf/…, or scripted/FILE.yaml",
            )
        if self.virtual and not model.startswith("scripted/"):
            raise UsageError(
                f"--virtual-clock simulates time, and {model} takes real time",
                "leave it out, or measure a scripted/FILE.yaml",
            )

    @property
    def timeout(self) -> float:
        """Seconds after its arrival at which a request is given up, and is a miss."""
        if self.patience is not None:
            return self.patience
        return max(LEAST_PATIENCE, PATIENCE * self.deadline)

    @property
    def bound(self) -> int:
        """Requests that may be outstanding."""
        if self.most is not None:
            return self.most
        return min(BOUND, _connections()) if self._endpoint else BOUND

    @cached_property
    def asked_for(self) -> str:
        """The score that must be 1.

        Raises:
            UsageError: the task has no such score, or its judge asks no model but one is named.
        """
        task, judging = self.evaluation.task, self.evaluation.judge.judging
        scorers = task.scorers(judging=judging)
        check_models(judging, task.judge, scorers)
        return metric_asked_for(scorers, task.spec.headline, self.quality)

    def sweep(self) -> Sweep:
        """The sweep, every arrival drawn."""
        schedules = [self.arrivals.schedule(rate, self.size, self.seed) for rate in self.rates]
        clock = LoopClock() if self.virtual else WallClock()
        deck = Deck(self.evaluation, self.seed)
        return Sweep(deck, schedules, clock, self.bound, self.timeout, self.keep_going)

    async def load(self, sweep: Sweep, watcher: Watcher) -> None:
        """Opens the model and measures; what was seen is in `sweep.windows`, whatever happens.

        Raises:
            LtBenchError: the model cannot be asked.
        """
        async with open_model(self.evaluation.model, self.backend_options) as backend:
            await sweep.run(backend, watcher)

    async def scores(self, sweep: Sweep) -> Scores:
        """The scores of all measured requests.

        Raises:
            LtBenchError: the judge cannot be asked.
        """
        facts, one = sweep.facts, self.evaluation
        name, architecture = (facts.name, facts.architecture) if facts else (one.model, None)
        async with one.judge.opened() as judging:
            scorers = one.task.scorers(name, architecture, one.active_params, judging)
            return await score_all(sweep.seen, scorers, judging)

    @property
    def asks_a_judge(self) -> bool:
        """Whether the scores take a model."""
        return self.evaluation.judge.judging.panel is not None

    @property
    def backend_options(self) -> dict[str, Any]:
        """An endpoint gets a connection for each outstanding request, and one attempt: what a retry
        hides is what is measured here."""
        if not self._endpoint:
            return dict(self.options)
        return {"max_attempts": 1, "concurrency": self.bound, **self.options}

    @property
    def _endpoint(self) -> bool:
        return self.evaluation.model.startswith("openai/")


def _connections() -> int:
    """Connections that this process may hold open."""
    try:
        import resource
    except ImportError:
        return BOUND
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return BOUND if soft == resource.RLIM_INFINITY else max(16, soft - SPARE_FILES)
