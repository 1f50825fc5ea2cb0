"""`lt-bench leaderboard …`: results side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from lt_bench.records import ResultCard

app = typer.Typer(help="Results side by side.", no_args_is_help=True)


@app.command()
def compare(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs of one task.")],
    json: Annotated[bool, typer.Option("--json", help="Cards as JSON, one a line.")] = False,
) -> None:
    """Print the cards of several runs as one table."""
    from lt_bench.cli import cards
    from lt_bench.run import Run

    found = [Run(path).card for path in runs]
    _comparable(found[0], found)
    if json:
        typer.echo(cards.as_json(found))
        return
    cards.compare(_labels(runs, found))


def _comparable(first: ResultCard, found: list[ResultCard]) -> None:
    from lt_bench.errors import UsageError

    for card in found:
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


def _labels(runs: list[Path], found: list[ResultCard]) -> dict[str, ResultCard]:
    """Models by name; by folder where one model stands twice."""
    models = [card.model for card in found]
    names = models if len(set(models)) == len(models) else [str(path) for path in runs]
    return dict(zip(names, found, strict=True))


@app.callback()
def group() -> None:
    """Keeps `compare` a subcommand while it is the only one."""
