"""`lt-bench leaderboard compare RUN… | DIR`: every two candidates on the rows that both have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lt_bench.board.model import Board, Pair
    from lt_bench.board.reading import RunScores
    from lt_bench.records import ResultCard


def compare(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN…|DIR", help="Finished runs of one task, or a board."),
    ],
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Metrics to test; may repeat. Default: the headline."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID", help="Entries of a board to test against each other; may repeat."
        ),
    ] = None,
    non_inferior: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Exit 5 unless the first is worse than the second by less than --margin in NAME.",
        ),
    ] = "",
    margin: Annotated[
        float | None, typer.Option(metavar="X", help="0.02: two points of a share.")
    ] = None,
    mdd: Annotated[
        bool, typer.Option("--mdd", help="The smallest differences that these rows can find.")
    ] = False,
    data: Annotated[Path | None, typer.Option(help="The runs' data file, if it has moved.")] = None,
    catalog: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="Folder with tasks/ of your own; may repeat."),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="The cards and all tests as one JSON object.")
    ] = False,
) -> None:
    """Compare candidates: cards side by side, paired differences, tests, ranks.

    Exit code: 0 compared, 2 wrong usage, 5 not shown to be non-inferior.
    """
    from lt_bench.cli.leaderboard import tables
    from lt_bench.errors import UsageError

    if bool(non_inferior) != (margin is not None):
        raise UsageError(
            "--non-inferior and --margin go together",
            "e.g. --non-inferior correctness --margin 0.02",
        )
    asked = list(dict.fromkeys((*(metric or ()), *([non_inferior] if non_inferior else ()))))
    board = _board(runs, asked, only or (), data, tuple(catalog or ()))
    if json:
        typer.echo(board.model_dump_json())
    else:
        tables.show(board, metric or [], with_mdd=mdd)
    if margin is not None:
        _judge(board, non_inferior, margin, quiet=json)


def _board(
    runs: Sequence[Path],
    metrics: Sequence[str],
    only: Sequence[str],
    data: Path | None,
    catalogs: tuple[Path, ...],
) -> Board:
    from lt_bench.board.at_hand import board_of
    from lt_bench.board.reading import read_run
    from lt_bench.cli.leaderboard.finding import is_board
    from lt_bench.errors import UsageError

    if len(runs) == 1 and is_board(runs[0]):
        return _of_folder(runs[0], metrics, only)
    if only:
        raise UsageError("--only names entries of a board", "name the runs alone")
    found = [read_run(run, data, catalogs) for run in runs]
    if len({Path(run.run).resolve() for run in found}) < len(found):
        raise UsageError("a run is named twice", "name each once")
    _comparable([run.card for run in found])
    _known(metrics, found)
    return board_of(found, metrics)


def _of_folder(path: Path, metrics: Sequence[str], only: Sequence[str]) -> Board:
    from lt_bench.board.building import assembled
    from lt_bench.board.store import Store
    from lt_bench.errors import UsageError, did_you_mean

    store = Store(path)
    kept = store.entries()
    for name in only:
        if name not in {one.id for one in kept}:
            raise UsageError(
                f"{path} has no entry {name!r}.{did_you_mean(name, [one.id for one in kept])}",
                "board.json and board.csv of a built board have the ids",
            )
    chosen = [one for one in kept if not only or one.id in only]
    for name in metrics:
        known = {metric: None for one in chosen for metric in one.card.metrics}
        _known_name(name, list(known))
    if only:
        chosen.sort(key=lambda one: list(only).index(one.id))
    spec = store.spec.model_copy(update={"ablations": ()})
    return assembled(path.resolve().name, spec, chosen, store, tested=metrics)


def _known(metrics: Sequence[str], runs: Sequence[RunScores]) -> None:
    for name in metrics:
        _known_name(name, list(dict.fromkeys(one for run in runs for one in run.card.metrics)))


def _known_name(name: str, known: Sequence[str]) -> None:
    from lt_bench.errors import UsageError, did_you_mean

    if name not in known:
        raise UsageError(
            f"no metric {name!r} here.{did_you_mean(name, known)}",
            f"known: {', '.join(known)}" if known else "add runs first: lt-bench leaderboard add",
        )


def _comparable(cards: Sequence[ResultCard]) -> None:
    """Raises UsageError where rows or task differ: such runs cannot be paired."""
    from lt_bench.errors import UsageError

    first = cards[0]
    for card in cards:
        for what, one, other in (
            ("task", f"{first.task}@{first.version}", f"{card.task}@{card.version}"),
            ("data", f"sha256 {first.stamp.data_sha[:12]}…", f"sha256 {card.stamp.data_sha[:12]}…"),
            ("number of samples", sum(first.samples.values()), sum(card.samples.values())),
        ):
            if one != other:
                raise UsageError(
                    f"these runs differ in {what}: {one} and {other}",
                    "compare runs over the same rows of the same task",
                )


def _judge(board: Board, metric: str, margin: float, *, quiet: bool) -> None:
    """Says whether the first is non-inferior to the second, and ends with 5 where it is not shown."""
    from lt_bench.board.margins import non_inferiority
    from lt_bench.cli.leaderboard import tables
    from lt_bench.errors import GateError, UsageError

    runs = [entry for entry in board.entries if not entry.reported]
    pairs = [pair for pair in board.pairs if pair.metric == metric]
    if len(runs) != 2:
        raise UsageError(f"--non-inferior asks about two, here are {len(runs)}", "name two runs")
    if not pairs:
        why = next((board.cell(one.id, metric).unranked for one in runs), "") or "no common rows"
        raise UsageError(f"{metric} cannot be compared: {why}", "choose another metric")
    found = non_inferiority(_as_named(pairs[0], board), board.by_name[metric], margin)
    sentence = tables.non_inferior(found, board)
    typer.echo(sentence, err=quiet)
    if found.refuted:
        raise GateError("worse by more than the margin", "more rows will not show otherwise")
    if not found.established:
        raise GateError("non-inferiority is not shown", "more rows narrow the interval")


def _as_named(pair: Pair, board: Board) -> Pair:
    """The pair in the order in which the command named the two."""
    order = {cell.entry: number for number, cell in enumerate(board.cells[: len(board.entries)])}
    if order[pair.first] < order[pair.second]:
        return pair
    turned = None if pair.high is None else -pair.high, None if pair.low is None else -pair.low
    return pair.model_copy(
        update={
            "first": pair.second,
            "second": pair.first,
            "difference": -pair.difference,
            "low": turned[0],
            "high": turned[1],
        }
    )
