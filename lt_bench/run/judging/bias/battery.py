"""All probes together: what is to be asked, asking it once, and the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Final

from lt_bench.config import digest
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import BiasReport, JudgeBill, JudgeStamp, Labelled, Score
from lt_bench.run.environment import environment
from lt_bench.run.judgements import bill
from lt_bench.run.judging.bias.abstention import AbstentionProbe
from lt_bench.run.judging.bias.blind import blind_probe
from lt_bench.run.judging.bias.choosing import spread
from lt_bench.run.judging.bias.injection import InjectionProbe
from lt_bench.run.judging.bias.length import LengthProbe
from lt_bench.run.judging.bias.order import OrderProbe
from lt_bench.run.judging.bias.repeat import repeat_probe
from lt_bench.run.judging.bias.trial import Probe, Seen, Setting, Trial
from lt_bench.run.judging.people import BOTH
from lt_bench.run.judging.rating import Rated, rate
from lt_bench.scorers import Scorer
from lt_bench.scorers.facts import FactsScorer

PROBES: Final[Mapping[str, Callable[[Setting], Probe]]] = {
    "length": LengthProbe,
    "order": OrderProbe,
    "repeat": repeat_probe,
    "injection": InjectionProbe,
    "blind": blind_probe,
    "abstention": AbstentionProbe,
}
"""Name of a probe -> what makes it, in the order they are shown."""


@dataclass(frozen=True)
class Battery:
    """What is to be asked of one judge. `rows` labelled replies were there to choose from."""

    probes: tuple[Probe, ...]
    rows: int
    limit: int

    @cached_property
    def trials(self) -> tuple[Trial, ...]:
        """Every judgement to be had, each once, however many probes look at it."""
        found = {trial.key: trial for probe in self.probes for trial in probe.trials}
        return tuple(found.values())

    async def ask(
        self,
        scorer: Callable[[int], Scorer],
        concurrency: int,
        finished: Callable[[Rated], None] | None = None,
    ) -> Seen:
        """All scores. `scorer` gives the judge for a draw: 0 as declared, others under other seeds.

        Raises:
            RunError: no request of the judge can succeed.
        """
        scores: dict[str, Mapping[str, Score]] = {}
        for draw in sorted({trial.draw for trial in self.trials}):
            trials = [trial for trial in self.trials if trial.draw == draw]
            rows = [trial.row for trial in trials]
            rated = await rate(scorer(draw), rows, concurrency, finished)
            scores |= {t.key: one.scores for t, one in zip(trials, rated, strict=True)}
        return Seen(scores)


def plan(scorer: Scorer, rows: Sequence[Labelled], limit: int, only: Sequence[str] = ()) -> Battery:
    """The probes for this judge on these rows, before anything is asked.

    Raises:
        UsageError: an unknown probe, or no row that the judge can score.
    """
    check_names(only)
    metrics = judged_metrics(scorer)
    fitting = [row for row in rows if _applies(scorer, metrics, row)]
    if not fitting:
        raise UsageError(
            f"none of the {len(rows)} replies can be scored by this judge",
            "facts needs rows with gold facts; name another judge, or leave --labels out",
        )
    rules = isinstance(scorer, FactsScorer)
    setting = Setting(spread(fitting), metrics, limit, rules)
    names = [name for name in PROBES if name in (only or PROBES)]
    return Battery(tuple(PROBES[name](setting) for name in names), len(fitting), limit)


def judged_metrics(scorer: Scorer) -> tuple[str, ...]:
    """The metrics that the judge itself gives, as yes or no."""
    return tuple(m.name for m in scorer.metrics if m.kind == "quality" and m.name != BOTH)


def check_names(only: Sequence[str]) -> None:
    """Nothing, where every name is a probe.

    Raises:
        UsageError: one is none.
    """
    for name in only:
        if name not in PROBES:
            raise UsageError(
                f"--only {name}: no such probe.{did_you_mean(name, PROBES)}",
                f"known: {', '.join(PROBES)}",
            )


def report(
    judge: str,
    scorer: Scorer,
    battery: Battery,
    seen: Seen,
    labels: str,
    prices: tuple[float, float] | None = None,
) -> BiasReport:
    """What all probes came to, bound to the judge as it was asked, while its models are open."""
    stamps = [scorer.judges[metric] for metric in judged_metrics(scorer)]
    return BiasReport(
        judge=judge,
        judge_sha=_sha(stamps),
        models=stamps[0].models,
        labels=labels,
        labels_sha=digest([trial.key for trial in battery.trials]),
        rows=battery.rows,
        limit=battery.limit,
        judgements=len(battery.trials),
        probes=tuple(probe.read(seen) for probe in battery.probes),
        bill=_bill(seen, prices),
        environment=environment(None),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _sha(stamps: Sequence[JudgeStamp]) -> str:
    shas = list(dict.fromkeys(stamp.judge_sha for stamp in stamps))
    return shas[0] if len(shas) == 1 else digest(shas)


def _bill(seen: Seen, prices: tuple[float, float] | None) -> JudgeBill | None:
    return bill((score for scores in seen.scores.values() for score in scores.values()), prices)


def _applies(scorer: Scorer, metrics: Sequence[str], row: Labelled) -> bool:
    found = {metric.name: metric for metric in scorer.metrics}
    return bool(row.reply.strip()) and all(scorer.applies(found[m], row.example) for m in metrics)
