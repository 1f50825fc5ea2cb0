"""`lt-bench judge label`: people label replies, each without seeing the others."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lt_bench.cli.judge.options import Catalogs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lt_bench.calibration.consensus import LabelField
    from lt_bench.run.labelling.draw import Draw
    from lt_bench.run.labelling.file import LabelFile
    from lt_bench.run.labelling.session import Assignment, Session
    from lt_bench.run.labelling.source import Source

ROWS = 300
BALANCED = (
    "a balanced draw is for finding faults: it distorts every share, so neither `judge calibrate` nor "
    "`score --labels` takes its rows"
)


class Ask(StrEnum):
    """What a person is asked about a reply."""

    correct = "correct"
    helpful = "helpful"
    both = "both"


class How(StrEnum):
    """How the replies are drawn."""

    proportional = "proportional"
    balanced = "balanced"


def label(
    source: Annotated[
        Path | None, typer.Argument(help="A run, or a file of replies (labelled ones: unseen).")
    ] = None,
    annotator: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who labels; the same name every time.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Labels file, one for all annotators.")
    ] = None,
    rows: Annotated[
        int | None, typer.Option(min=1, help=f"Replies to label (default: {ROWS}).")
    ] = None,
    seed: Annotated[int, typer.Option(help="Draws the replies.")] = 0,
    ask: Annotated[Ask, typer.Option(help="What is asked.")] = Ask.both,
    draw: Annotated[
        How, typer.Option(help="balanced: as many that the run's judge calls right as wrong.")
    ] = How.proportional,
    only_disagreements: Annotated[
        bool, typer.Option("--only-disagreements", help="Settle what the others of --out dispute.")
    ] = False,
    disagreements: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="List what people dispute in FILE; may repeat."),
    ] = None,
    data: Annotated[Path | None, typer.Option(help="The run's data file, if it has moved.")] = None,
    catalog: Catalogs = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object at the end.")] = False,
) -> None:
    """Label replies at the terminal, or list where labels disagree."""
    fields = _fields(ask)
    if disagreements:
        from lt_bench.cli.judge.label_disagreements import show_disagreements

        _refuse("--disagreements", SOURCE=source, annotator=annotator, out=out, data=data)
        show_disagreements(disagreements, fields, json)
        return
    file, name = _file_and_name(out, annotator)
    if only_disagreements:
        _refuse("--only-disagreements", SOURCE=source, data=data, rows=rows)
        sitting = _to_settle(file, name, fields, seed)
    else:
        wish = Wish(rows or ROWS, seed, draw.value)
        sitting = _drawn(_replies(source, data, catalog), wish, file, name, fields)
    summary = _sit(file, name, sitting, json)
    typer.echo(summary)


def _fields(ask: Ask) -> tuple[LabelField, ...]:
    match ask:
        case Ask.correct:
            return ("correct",)
        case Ask.helpful:
            return ("helpful",)
        case Ask.both:
            return ("correct", "helpful")


@dataclass(frozen=True)
class Wish:
    """Which replies are drawn."""

    rows: int
    seed: int
    how: Draw


@dataclass(frozen=True)
class Sitting:
    """What a person is asked, and what they should know before."""

    assignments: Sequence[Assignment]
    notices: tuple[str, ...]


def _refuse(command: str, **given: object) -> None:
    """Nothing, where none of these was given beside an option that would ignore them.

    Raises:
        UsageError: one was.
    """
    from lt_bench.errors import UsageError

    for name, value in given.items():
        if value is not None:
            shown = name if name.isupper() else f"--{name}"
            raise UsageError(f"{command} changes nothing with {shown}", f"leave {shown} out")


def _file_and_name(out: Path | None, annotator: str | None) -> tuple[LabelFile, str]:
    from lt_bench.errors import UsageError
    from lt_bench.run.labelling.file import LabelFile, checked_name

    if annotator is None:
        raise UsageError("nobody is named who labels", "add --annotator NAME")
    if out is None:
        raise UsageError("the labels have no place", "add --out FILE, one for all annotators")
    file = LabelFile(out)
    file.check()
    return file, checked_name(annotator, list(file.annotators()))


def _replies(source: Path | None, data: Path | None, catalogs: Sequence[Path] | None) -> Source:
    from lt_bench.errors import UsageError
    from lt_bench.run.labelling.source import open_source

    if source is None:
        raise UsageError("no replies are named", "give a run, or a file of replies, as SOURCE")
    return open_source(source, data, tuple(catalogs or ()))


def _drawn(
    source: Source, wish: Wish, file: LabelFile, name: str, fields: tuple[LabelField, ...]
) -> Sitting:
    """The draw, checked against what the file holds already."""
    from lt_bench.run.labelling.assign import assigned, strangers
    from lt_bench.run.labelling.draw import draw
    from lt_bench.run.labelling.file import newcomer

    replies = draw(source.candidates, wish.rows, wish.seed, wish.how, fields[0])
    assignments = assigned(replies, file, name, fields, wish.seed)
    notices = (
        newcomer(name, list(file.annotators())),
        strangers(assignments, source, file, name),
        _left_out(source),
        BALANCED if wish.how == "balanced" else "",
    )
    return Sitting(assignments, tuple(filter(None, notices)))


def _to_settle(file: LabelFile, name: str, fields: tuple[LabelField, ...], seed: int) -> Sitting:
    from lt_bench.jsonl import check_file
    from lt_bench.run.labelling.assign import to_settle
    from lt_bench.run.labelling.file import newcomer

    check_file(file.path)
    assignments = to_settle(file, name, fields, seed)
    none = "" if assignments else f"the others dispute nothing in {file.path.name}"
    notices = (newcomer(name, list(file.annotators())), none)
    return Sitting(assignments, tuple(filter(None, notices)))


def _left_out(source: Source) -> str:
    reasons = ", ".join(f"{count} {reason}" for reason, count in source.left_out.items())
    return f"rows that cannot be labelled: {reasons}" if reasons else ""


def _sit(file: LabelFile, name: str, sitting: Sitting, as_json: bool) -> str:
    """Asks, and sums up what there is then.

    Raises:
        Interrupted: by Ctrl-C.
    """
    from rich.console import Console

    from lt_bench.cli.judge.label_keys import open_keys
    from lt_bench.cli.judge.label_loop import Loop
    from lt_bench.cli.judge.label_screen import WIDTH, Screen
    from lt_bench.errors import Interrupted
    from lt_bench.run.labelling.session import Session

    console = Console(stderr=as_json, highlight=False)
    if not console.is_terminal:
        console = Console(stderr=as_json, highlight=False, width=WIDTH)
    session, screen = Session(file, sitting.assignments, name), Screen(console)
    notices = (*sitting.notices, *screen.cannot_show(one.reply for one in sitting.assignments))
    try:
        with open_keys() as keys:
            Loop(session, screen, keys).run(notices)
    except KeyboardInterrupt:
        raise Interrupted(
            f"stopped; what {name} said is in {file.path}", "the same command goes on from there"
        ) from None
    return _summary(session, as_json)


def _summary(session: Session, as_json: bool) -> str:
    import json

    from lt_bench.plain import on_one_line

    done, total = session.done, len(session.assignments)
    facts = {
        "annotator": session.annotator,
        "labelled": done,
        "of": total,
        "left_open": session.left_open,
        "file": str(session.file.path),
    }
    if as_json:
        return json.dumps(facts, ensure_ascii=False)
    open_ = f", {session.left_open} left open" if session.left_open else ""
    return on_one_line(
        f"{session.annotator}: {done} of {total} labelled{open_}; {session.file.path}"
    )
