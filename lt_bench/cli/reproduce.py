"""`lt-bench reproduce`: train and evaluate all that a study asks for, and report it beside its paper."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from lt_bench.study.jobs import Job
    from lt_bench.study.loading import NamedStudy
    from lt_bench.study.places import Places
    from lt_bench.study.running import Outcome


def reproduce(
    study: Annotated[
        str,
        typer.Argument(metavar="STUDY", help="FILE of training/_studies, or a .yaml file."),
    ] = "mini",
    run: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where all of it goes; it goes on from there.")
    ] = Path("runs/reproduce"),
    jobs: Annotated[
        int, typer.Option(min=1, metavar="N", help="Commands at a time; each takes one core.")
    ] = 2,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what is done and what would be run.")
    ] = False,
    report_only: Annotated[
        bool, typer.Option("--report-only", help="Run nothing; report what there is.")
    ] = False,
    catalog: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="Folder with training/ or tasks/; may repeat."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The report as one JSON object.")] = False,
) -> None:
    """Train and evaluate what a study asks for, and put its claims to the test.

    Exit code: 0 everything was run, whatever became of the claims, 2 wrong usage, 3 something failed
    and is missing in the report, 4 the command failed, 130 interrupted. Whatever happened, the same
    command goes on where it stopped, and runs nothing again that is finished.
    """
    from lt_bench.cli.loading import loading

    with loading():
        from lt_bench.study.jobs import jobs as jobs_of
        from lt_bench.study.loading import load
        from lt_bench.study.places import Places

        named = load(study, tuple(catalog or ()))
        places = Places(run)
        work = jobs_of(named, places)
    if dry_run:
        _preview(work, as_json=json)
        return
    outcomes = {} if report_only else _work(work, places, jobs)
    _report(named, places, outcomes, as_json=json)
    if any(one.fate in ("failed", "left") for one in outcomes.values()):
        raise typer.Exit(3)


def _preview(work: Sequence[Job], as_json: bool) -> None:
    """Every command with how it stands."""
    import json
    import shlex

    from lt_bench.errors import UsageError
    from lt_bench.plain import printable

    if not as_json:
        cores = "each takes one core; finished ones are not run again"
        typer.echo(f"{len(work)} commands, in this order where one needs another; {cores}")
    for job in work:
        try:
            state = "done" if job.is_done() else "to do"
        except UsageError as error:
            state = "other" if as_json else f"cannot be used: {error.cause}"
        if as_json:
            told = {"job": job.name, "state": state, "needs": job.needs, "command": job.command}
            typer.echo(json.dumps(told, ensure_ascii=False))
        else:
            typer.echo(printable(f"{job.name}: {state}"))
            if state == "to do":
                typer.echo(printable(f"  {shlex.join(['lt-bench', *job.command])}"))


def _work(work: Sequence[Job], places: Places, most: int) -> Mapping[str, Outcome]:
    """What became of every job.

    Raises:
        Interrupted: the user stopped it, or the system did; what was finished is kept.
    """
    from lt_bench.errors import Interrupted, UsageError
    from lt_bench.run import lock
    from lt_bench.study.running import Worker
    from lt_bench.study.times import times

    try:
        places.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"cannot make {places.folder}: {error.strerror}", "use another --run"
        ) from error
    try:
        with lock.written(places.lock, busy="worked on"), _ended_by_sigterm():
            return Worker(work, times(places.times), _tell).run(most)
    except KeyboardInterrupt:
        raise Interrupted(
            "interrupted; finished stages, checkpoints and evaluations are kept",
            "run the same command again: it goes on where it stopped",
        ) from None


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """SIGTERM ends the commands that run, as Ctrl-C does, instead of leaving them alone."""
    try:
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _tell(line: str) -> None:
    from lt_bench.plain import printable

    typer.echo(printable(line), err=True)


def _report(
    named: NamedStudy, places: Places, outcomes: Mapping[str, Outcome], as_json: bool
) -> None:
    """Writes the report in its three forms, and shows it."""
    from lt_bench.cli.reproduce_html import page
    from lt_bench.cli.reproduce_tables import markdown, show
    from lt_bench.errors import UsageError
    from lt_bench.run.disk import write_whole
    from lt_bench.study.reporting import report

    if not places.folder.is_dir():
        raise UsageError(f"{places.folder} is not there", "leave --report-only out")
    found = report(named, places, outcomes)
    write_whole(places.report("json"), found.model_dump_json(indent=2))
    write_whole(places.report("md"), markdown(found))
    write_whole(places.report("html"), page(found))
    if as_json:
        typer.echo(found.model_dump_json())
        return
    show(found)
    _tell(f"report: {places.report('html')}")
