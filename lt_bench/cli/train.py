"""`lt-bench train RECIPE`: run the stages of a recipe, or say what they would take."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lt_bench.cli.judge import options as who

if TYPE_CHECKING:
    from lt_bench.train.hardware import HardwareAsk
    from lt_bench.train.preparation import Training
    from lt_bench.train.stages import StageReport

JUDGE_GROUPS = ("judge", "judge_backend")


def train(
    recipe: Annotated[
        str,
        typer.Argument(
            metavar="RECIPE", help="FOLDER/FILE of `lt-bench list recipes`, or a .yaml file."
        ),
    ],
    run: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Name or folder of the training; an unfinished one resumes."
        ),
    ] = None,
    stage: Annotated[
        str | None, typer.Option(metavar="NAME", help="This stage only; its parent is finished.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Path of a recipe's setting, e.g. stages.rl.optimizer.steps=10; may repeat.",
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Show settings, rows, tokens, memory and hours; train nothing."
        ),
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="With --dry-run: the formula behind each estimate.")
    ] = False,
    devices: Annotated[
        int | None, typer.Option(metavar="N", help="With --dry-run: devices to reckon with.")
    ] = None,
    device_memory: Annotated[
        float | None, typer.Option(metavar="GIB", help="With --dry-run: memory of a device.")
    ] = None,
    peak_tflops: Annotated[
        float | None, typer.Option(metavar="N", help="With --dry-run: peak TFLOP/s of a device.")
    ] = None,
    mfu: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="With --dry-run: share of the peak in training."),
    ] = None,
    rollout_mfu: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="With --dry-run: share of the peak in rollouts."),
    ] = None,
    completion_tokens: Annotated[
        int | None,
        typer.Option(metavar="N", help="With --dry-run: expected tokens of a completion."),
    ] = None,
    judge: who.Name = None,
    judge_model: who.Model = None,
    judge_votes: who.Votes = 1,
    judge_min_votes: who.MinVotes = None,
    judge_base_url: who.BaseUrl = None,
    judge_api_key_env: who.ApiKeyEnv = None,
    judge_concurrency: who.Concurrency = None,
    no_judge_cache: who.NoCache = False,
    catalog: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder with training/, tasks/ or judges/ of your own; may repeat.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Train a model by the stages of a recipe; each ends in a folder that `lt-bench eval` takes.

    Exit code: 0 done, 2 wrong usage, 4 a stage failed, 130 interrupted. Whatever happened, the same
    command goes on where it stopped, and runs no finished stage again.
    """
    from lt_bench.cli.loading import loading

    reckoned = {
        "--explain": explain or None,
        "--devices": devices,
        "--device-memory": device_memory,
        "--peak-tflops": peak_tflops,
        "--mfu": mfu,
        "--rollout-mfu": rollout_mfu,
        "--completion-tokens": completion_tokens,
    }
    _check_reckoning(reckoned, dry_run)
    with loading():
        from lt_bench.config import assignments
        from lt_bench.train.loading import load
        from lt_bench.train.preparation import prepare
        from lt_bench.train.processes import Processes

        named = load(recipe, assignments(set_ or ()), tuple(catalog or ()))
        choice = who.choice(
            judge,
            judge_model,
            votes=judge_votes,
            min_votes=judge_min_votes,
            base_url=judge_base_url,
            api_key_env=judge_api_key_env,
            concurrency=judge_concurrency,
            no_cache=no_judge_cache,
            catalogs=catalog,
        )
        count = (devices or 1) if dry_run else Processes.here().count
        training = prepare(named, choice, tuple(catalog or ()), count, ask=not dry_run)
    if dry_run:
        from lt_bench.train.hardware import HardwareAsk

        ask = HardwareAsk(devices or 1, device_memory, peak_tflops, mfu, rollout_mfu)
        _show_plan(training, stage, ask, completion_tokens, explain=explain, as_json=json)
        return
    reports = _train(training, run or named.slug, stage)
    if Processes.here().main:
        _show(training, run or named.slug, reports, as_json=json)


def _check_reckoning(reckoned: Mapping[str, float | bool | None], dry_run: bool) -> None:
    """Figures for an estimate are numbers above nothing, and given where one is made."""
    import math

    from lt_bench.errors import UsageError

    given = {flag: value for flag, value in reckoned.items() if value is not None}
    if given and not dry_run:
        raise UsageError(
            f"{next(iter(given))} is for an estimate", "add --dry-run, or leave it out"
        )
    for flag, value in given.items():
        share = flag.endswith("mfu")
        if not (math.isfinite(value) and value > 0 and (value <= 1 or not share)):
            raise UsageError(
                f"{flag} must be {'a share up to 1' if share else 'above 0'}, got {value:g}",
                f"e.g. {flag} {0.4 if share else 8}",
            )


def _show_plan(
    training: Training,
    stage: str | None,
    ask: HardwareAsk,
    completion_tokens: int | None,
    *,
    explain: bool,
    as_json: bool,
) -> None:
    import json

    from lt_bench.cli.train_plan import lines
    from lt_bench.plain import printable
    from lt_bench.train.plan import plan
    from lt_bench.train.plan_json import as_json as plain

    with _quiet():
        found = plan(training, stage, ask, completion_tokens)
    if as_json:
        typer.echo(json.dumps(plain(found), ensure_ascii=False))
        return
    for line in lines(found, explain):
        typer.echo(printable(line))


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps what libraries print out of the results."""
    with redirect_stdout(sys.stderr):
        yield


def _train(training: Training, name: str, stage: str | None) -> list[StageReport]:
    """The finished stages.

    Raises:
        Interrupted: the user stopped it; what was finished is kept.
    """
    import logging

    from lt_bench.cli.notices import notices
    from lt_bench.cli.progress import choose
    from lt_bench.errors import Interrupted
    from lt_bench.train.processes import Processes
    from lt_bench.train.stages import train as run_stages
    from lt_bench.train.workdir import TrainingRun, training_folder

    main = Processes.here().main
    try:
        with (
            _quiet(),
            notices("train", logging.INFO if main else logging.ERROR),
            notices(),
            notices("judge", logging.WARNING),
        ):
            folder = TrainingRun(training_folder(name))
            return run_stages(training, folder, stage, progress=choose() if main else None)
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted; {_kept(training, name)}",
            "run the same command again: it goes on from there",
        ) from None


def _kept(training: Training, name: str) -> str:
    """What is there after a stop."""
    from lt_bench.train.workdir import TrainingRun, training_folder

    run = TrainingRun(training_folder(name))
    for stage in training.recipe.stages:
        if run.finished(stage) is None and run.stage_folder(stage).is_dir():
            step = run.last_checkpoint(stage)
            trained = f"{step} steps" if step else "no step yet (optimizer.save_steps)"
            return f"finished stages are kept, and of {stage} what was sampled and {trained}"
    return "finished stages are kept"


def _show(training: Training, name: str, reports: Sequence[StageReport], as_json: bool) -> None:
    import json

    from lt_bench.plain import printable
    from lt_bench.train.workdir import training_folder

    if as_json:
        found = {
            "recipe": training.named.name,
            "run": str(training_folder(name)),
            "stages": [_report(report) for report in reports],
        }
        typer.echo(json.dumps(found, ensure_ascii=False))
        return
    for line in _lines(training, reports):
        typer.echo(printable(line))


def _report(report: StageReport) -> dict[str, Any]:
    kept = ("name", "kind", "parent", "rows", "metrics", "remarks", "candidate_sha", "finished")
    file = report.file.model_dump(mode="json", include=set(kept))
    return {**file, "candidate": str(report.candidate), "before": report.before}


def _lines(training: Training, reports: Sequence[StageReport]) -> Iterator[str]:
    """Each stage with what was measured, and what to do next."""
    from lt_bench.train.candidate import figure

    for report in reports:
        before = ", finished before" if report.before else ""
        start = f" from {report.file.parent}" if report.file.parent else ""
        rows = "" if report.file.rows is None else f", {report.file.rows:,} rows"
        yield f"stage {report.file.name} ({report.file.kind}){start}{rows}{before}"
        width = max((len(metric) for metric in report.file.metrics), default=0)
        for metric, value in report.file.metrics.items():
            yield f"  {metric:<{width}}  {figure(value)}"
        for remark in report.file.remarks:
            yield f"  note: {remark}"
        yield f"  candidate: {report.candidate}"
    yield _next(reports, training.task.spec.name)


def _next(reports: Sequence[StageReport], task: str) -> str:
    """What to do with the candidates."""
    if len(reports) == 1:
        return f"next: lt-bench eval hf/{reports[0].candidate} --task {task}"
    run = reports[0].candidate.parent.parent
    names = ", ".join(report.file.name for report in reports)
    return f"next: lt-bench eval hf/{run}/STAGE/candidate --task {task}, STAGE one of {names}"
