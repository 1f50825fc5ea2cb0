"""What the card of a reinforcement stage says, from its log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.train.data import data_sha
from lt_bench.train.grpo_rows import TrainingRows
from lt_bench.train.guards import one_family
from lt_bench.train.monitor import Draw, log_of
from lt_bench.train.recipe import GrpoStage
from lt_bench.train.reference import Reference
from lt_bench.train.stage import StageContext, StageResult

ENDS: Final = 10
"""Draws at either end of a stage whose figures its card tells; half of them where there are fewer than
twenty, so that no draw counts for both ends."""


def result_of(
    context: StageContext, stage: GrpoStage, rows: TrainingRows, reference: Reference | None
) -> StageResult:
    """What the card says of a stage that has come to its end, from its log."""
    steps = list(log_of(context.log))
    draws = [step.draw for step in steps if step.draw is not None]
    metrics: dict[str, float | int | None] = {"steps": steps[-1].step if steps else 0}
    ends = max(1, min(ENDS, len(draws) // 2))
    for when, some in (("first", draws[:ends]), ("last", draws[-ends:])):
        metrics |= _figures(when, some)
    groups = sum(draw.groups for draw in draws)
    metrics["equal_groups"] = sum(draw.equal_groups for draw in draws) / groups if groups else None
    metrics["dropped"] = sum(draw.dropped for draw in draws)
    metrics["length_reference"] = reference.mean if reference else None
    metrics["seconds"] = sum(step.seconds for step in steps)
    return StageResult(
        rows=min(len(rows.asked), groups),
        data_sha=data_sha(rows.examples),
        metrics=metrics,
        remarks=_remarks(context, stage, rows, reference),
    )


def _figures(when: str, draws: Sequence[Draw]) -> dict[str, float | int | None]:
    """Means over the first or last draws."""
    names = dict.fromkeys(name for draw in draws for name in draw.rewards)
    found: dict[str, float | int | None] = {
        f"reward_{when}": _mean([draw.reward for draw in draws if draw.reward is not None])
    }
    for name in names:
        given = [draw.rewards[name] for draw in draws if name in draw.rewards]
        found[f"{name}_{when}"] = _mean(given)
    found[f"tokens_{when}"] = _mean([draw.length for draw in draws])
    found[f"clipped_{when}"] = _mean([draw.clipped for draw in draws])
    if any(draw.calls is not None for draw in draws):
        found[f"calls_{when}"] = _mean([draw.calls for draw in draws if draw.calls is not None])
    return found


def _remarks(
    context: StageContext, stage: GrpoStage, rows: TrainingRows, reference: Reference | None
) -> tuple[str, ...]:
    lengths = (reference.told,) if reference is not None else ()
    return (*rows.told, *lengths, _objective(stage), *taste(context))


def _objective(stage: GrpoStage) -> str:
    one = stage.objective
    if one.form == "seed":
        return (
            f"objective: the seed's formula, clip {one.clip:g}, KL of the policy that drew the replies "
            f"to the trained one, weight {one.kl:g}"
        )
    return (
        f"objective: TRL's {one.loss}, ratio by {one.level}, clip {one.clip:g}, KL of the trained "
        f"policy to the parent, weight {one.kl:g}"
    )


def taste(context: StageContext) -> tuple[str, ...]:
    """A warning where who rewards the policy would also judge it by default."""
    task = context.task
    if not task.judge:
        return ()
    evaluation = JudgeChoice().settings(next(iter(task.spec.judges), ""))
    warning = one_family(context.judge.settings(task.judge), evaluation)
    return (warning,) if warning else ()


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
