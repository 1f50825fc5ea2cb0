"""board.md: the table, what the tests separate, what papers report, and how to read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lt_bench.board.harmless import markdown as plain
from lt_bench.board.model import Board, Cell, Column, Entry
from lt_bench.board.wording import difference, figure, p_value, place

PAIRS: Final = 15
"""Pairs of a column that the page lists; board.json has all."""


def board_markdown(board: Board) -> str:
    """The page; every text of others in it shows as text."""
    parts = [
        f"# {plain(board.title)}",
        *([plain(board.summary)] if board.summary else []),
        _facts(board),
        *(f"> {plain(one)}" for one in board.warnings),
        *_ranked(board),
        *_apart(board),
        *_reported(board),
        *_pairs(board),
        *_entries(board),
        _reading(),
    ]
    return "\n\n".join(parts) + "\n"


def _facts(board: Board) -> str:
    data = "its shipped sample" if board.data is None else board.data
    rows = f", {board.rows} rows in {board.groups} groups" if board.rows else ""
    sha = f", data sha256 {board.data_sha[:12]}…" if board.data_sha else ""
    return (
        f"{plain(board.task)}@{board.version} on {plain(data)}{rows}{sha}. "
        f"Built {plain(board.made)} by lt-bench {plain(board.lt_bench)}."
    )


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    rule = ["---"] * left + ["---:"] * (len(headings) - left)
    return "\n".join(f"| {' | '.join(line)} |" for line in (headings, rule, *rows))


def _ranked(board: Board) -> Iterator[str]:
    entries = [one for one in board.entries if not one.kept_apart and not one.reported]
    if not entries:
        return
    columns = board.shown
    headings = ["model", *(f"{plain(one.name)} {_arrow(one)}" for one in columns)]
    rows = [
        [plain(one.name), *(_cell(board.cell(one.id, column.name)) for column in columns)]
        for one in entries
    ]
    yield _table(headings, rows)
    yield (
        "In each cell: the value, its 95 % interval, and in bold the rank by value with the ranks that "
        "the tests leave open, all of them at once with 95 %. Equal values share a rank."
    )
    if notes := _notes(board, entries, columns):
        yield "\n".join(notes)


def _arrow(column: Column) -> str:
    return "↑" if column.better == "higher" else "↓"


def _cell(cell: Cell) -> str:
    rank = place(cell)
    return f"{figure(cell.estimate)} **{rank}**" if rank else figure(cell.estimate)


def _notes(board: Board, entries: Sequence[Entry], columns: Sequence[Column]) -> list[str]:
    """Why entries take no rank, a line a metric and reason."""
    why: dict[tuple[str, str], list[str]] = {}
    for column in columns:
        if not any(board.cell(one.id, column.name).rank for one in entries):
            continue  # a column of dashes says it already
        for one in entries:
            if reason := board.cell(one.id, column.name).unranked:
                why.setdefault((column.name, reason), []).append(one.name)
    return [
        f"- no rank in {plain(metric)}: {', '.join(map(plain, named))} ({plain(reason)})"
        for (metric, reason), named in why.items()
    ]


def _apart(board: Board) -> Iterator[str]:
    entries = [one for one in board.entries if one.kept_apart]
    if not entries:
        return
    yield "## Kept apart"
    headings = ["model", "why", *(plain(one.name) for one in board.shown)]
    rows = [
        [
            plain(one.name),
            plain(one.kept_apart),
            *(figure(board.cell(one.id, column.name).estimate) for column in board.shown),
        ]
        for one in entries
    ]
    yield _table(headings, rows, left=2)


def _reported(board: Board) -> Iterator[str]:
    entries = [one for one in board.entries if one.reported]
    if not entries:
        return
    yield "## Reported, not run here"
    columns = [
        one for one in board.metrics if any(board.cell(row.id, one.name).printed for row in entries)
    ]
    headings = ["model", "where", *(plain(one.name) for one in columns)]
    rows = []
    for one in entries:
        assert one.reported is not None
        cells = [_printed(board.cell(one.id, column.name)) for column in columns]
        rows.append([plain(one.name), plain(f"{one.reported.paper}, {one.reported.table}"), *cells])
    yield _table(headings, rows, left=2)
    if notes := [one for one in entries if one.reported and one.reported.note]:
        yield "\n".join(
            f"- {plain(one.name)}: {plain(one.reported.note)}" for one in notes if one.reported
        )
    yield (
        "As printed, with other data, judges and counters than here: they take no rank. Shares of a test "
        "set of known size are audited: whether some k of its n rows gives the figure at its printed "
        "decimals, halves rounded either way."
    )


def _printed(cell: Cell) -> str:
    if not cell.printed:
        return "–"
    audit = (
        f" ({plain(cell.audit)})" if cell.grim in ("consistent", "not explained by k of n") else ""
    )
    return f"{plain(cell.printed)}{audit}"


def _pairs(board: Board) -> Iterator[str]:
    """The differences, the clearest first."""
    if not board.pairs:
        return
    yield "## Differences"
    for column in board.shown:
        pairs = [one for one in board.pairs if one.metric == column.name]
        if not pairs:
            continue
        clear = sum(bool(one.better) for one in pairs)
        told = f"{clear} of {len(pairs)} pairs are separated"
        yield f"**{plain(column.name)}**: {told}{', among ' + column.among if column.among else ''}."
        shown = sorted(pairs, key=lambda one: (one.p_holm, one.p_value))[:PAIRS]
        rows = [
            [
                plain(board.by_id[one.first].name),
                plain(board.by_id[one.second].name),
                difference(one, column.unit),
                plain(p_value(one.p_value)),
                plain(p_value(one.p_holm)),
                str(one.rows),
                plain(one.method),
            ]
            for one in shown
        ]
        headings = ["first", "second", "first − second", "p", "p (Holm)", "rows", "how"]
        yield _table(headings, rows, left=2)


def _entries(board: Board) -> Iterator[str]:
    runs = [one for one in board.entries if not one.reported]
    if not runs:
        return
    yield "## Made by"
    lines = []
    for one in runs:
        told = "".join(f". {plain(line)}" for line in _judged(one))
        lines.append(f"- {plain(one.name)}: {_code(one.command)}{told}")
    yield "\n".join(lines)


def _judged(one: Entry) -> Iterator[str]:
    """Who judged, each with all the metrics it gave."""
    given: dict[str, list[str]] = {}
    for metric, state in one.judges.items():
        given.setdefault(state.sentence, []).append(metric)
    for sentence, metrics in given.items():
        yield f"{', '.join(metrics)}: {sentence}"


def _code(command: str) -> str:
    return f"<code>{plain(command)}</code>" if command else "no command is known"


def _reading() -> str:
    return (
        "Differences are over the rows that both were scored on; p is two-sided, and adjusted by Holm "
        "for all pairs of the column. A pair is separated where the adjusted p is at most 0.05."
    )
