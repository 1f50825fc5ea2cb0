"""What `lt-bench train --dry-run` prints."""

from __future__ import annotations

from collections.abc import Iterator

from lt_bench.train.hardware import Hardware
from lt_bench.train.memory import GIB, short
from lt_bench.train.plan import Plan, StagePlan
from lt_bench.train.plan_json import flat

WIDTH = 13


def lines(plan: Plan, explain: bool) -> Iterator[str]:
    """The plan for people; `explain` shows the formula behind each estimate."""
    yield f"{plan.recipe}, task {plan.task}: nothing is trained, all figures of work are estimated"
    yield f"reckoned with {plan.hardware.in_words}"
    for stage in plan.stages:
        yield ""
        yield from _stage(stage, plan, explain)
    yield ""
    yield _total(plan)
    yield ""
    yield "settings, as --set takes them"
    for path, value in flat(plan.settings):
        yield f"  {path}={value}"


def _total(plan: Plan) -> str:
    if plan.hours is None:
        return "all stages: time unknown, as the size of a model is"
    devices = plan.hardware.devices
    of = f", {duration(plan.hours * devices)} of device time" if devices > 1 else ""
    judging = "judging and " if plan.settings["judge"]["models"] else ""
    return f"all stages: estimated {duration(plan.hours)}{of}; {judging}loading not counted"


def _stage(stage: StagePlan, plan: Plan, explain: bool) -> Iterator[str]:
    yield f"stage {stage.name} ({stage.kind})" + (f" from {stage.parent}" if stage.parent else "")
    prompts, completion = stage.prompts, stage.completion
    yield _line("rows", f"{prompts.rows:,}")
    yield _line(
        "prompts", f"mean {prompts.mean:,.0f}, longest {prompts.longest:,} tokens ({prompts.how})"
    )
    yield _line(
        "completions",
        f"mean {completion.mean:,.0f}, at most {completion.most:,} tokens ({completion.how})"
        + (f", in {completion.turns:.1f} turns" if completion.turns != 1 else ""),
    )
    if stage.teacher_samples:
        teacher = plan.settings["stages"][stage.name]["teacher"]["model"]
        yield _line("teacher", f"{stage.teacher_samples:,} samples of {teacher}")
    drawn = f", {stage.completions:,} completions drawn" if stage.completions else ""
    yield _line("steps", f"{stage.steps:,} of {stage.sequences_a_step} sequences{drawn}")
    if stage.judged:
        by_models = bool(plan.settings["judge"]["models"])
        how = ("judged", "") if by_models else ("scored", " by rules, no judge is asked")
        yield _line(how[0], f"{stage.judged:,} replies{how[1]}")
    yield _line("parameters", _parameters(stage))
    yield from _memory(stage, plan.hardware, explain)
    yield from _time(stage, plan.hardware, explain)
    for remark in stage.remarks:
        yield f"  note: {remark}"


def _parameters(stage: StagePlan) -> str:
    if stage.size is None:
        return "unknown"
    trained = "an unknown number" if stage.trained is None else short(stage.trained)
    return (
        f"{short(stage.size.total)}, {short(stage.size.active)} a token, {trained} trained "
        f"({stage.size.source})"
    )


def _memory(stage: StagePlan, hardware: Hardware, explain: bool) -> Iterator[str]:
    found = stage.memory
    if found is None:
        yield _line("memory", "unknown")
        return
    least = "" if found.whole else "at least "
    verdict = "" if found.fits(hardware) else ": does not fit (see --devices, --device-memory)"
    yield _line(
        "memory",
        f"estimated {least}{found.peak / GIB:,.2f} of {hardware.memory:g} GiB a device{verdict}",
    )
    for part in found.parts if explain else ():
        size = "unknown" if part.bytes is None else f"{part.bytes / GIB:,.3f} GiB"
        yield f"    {part.name:<17} {size:>12}  {part.formula}"


def _time(stage: StagePlan, hardware: Hardware, explain: bool) -> Iterator[str]:
    hours = stage.hours(hardware)
    if hours is None:
        yield _line("time", "unknown")
        return
    flops = sum(part.flops for part in stage.effort)
    yield _line("time", f"estimated {duration(hours)} for {flops:.3g} FLOPs")
    for part in stage.effort if explain else ():
        yield f"    {part.name:<17} {duration(part.hours(hardware)):>12}  {part.formula}"


def _line(name: str, text: str) -> str:
    return f"  {name:<{WIDTH}}{text}"


def duration(hours: float) -> str:
    """ "12.3 h", "4.1 min", "20 s"."""
    if hours >= 1:
        return f"{hours:,.1f} h"
    return f"{hours * 60:.1f} min" if hours >= 1 / 60 else f"{hours * 3600:.0f} s"
