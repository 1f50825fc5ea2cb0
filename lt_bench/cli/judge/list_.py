"""`lt-bench judge list`: who can judge."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lt_bench.cli.judge import options

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Listed:
    """One judge. `answer` is the form in which a model has to answer, or "rules"."""

    name: str
    version: int
    metrics: tuple[str, ...]
    answer: str
    summary: str


def show(
    catalog: options.Catalogs = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON list.")] = False,
) -> None:
    """List the judges: name, version, form of the answer, metric, and what each decides."""
    import json as jsonlib

    from lt_bench.plain import on_one_line

    found = judges(tuple(catalog or ()))
    if json:
        typer.echo(jsonlib.dumps([asdict(one) for one in found], ensure_ascii=False))
        return
    width = max(len(one.name) for one in found)
    for one in found:
        head = f"{one.name:<{width}}  version {one.version}  {one.answer:<6}"
        typer.echo(on_one_line(f"{head}  {', '.join(one.metrics)}"))
        typer.echo(on_one_line(f"{'':{width}}  {one.summary}".rstrip()))


def judges(catalogs: Sequence[Path] = ()) -> list[Listed]:
    """Every judge that a command may name: the rules first, then the declared ones.

    Raises:
        UsageError: a declaration is broken, or two have one name.
    """
    from lt_bench.run.judging.choice import judge_names

    folders = judge_names(tuple(catalogs))
    return [
        _rules(name) if folder is None else _declared(folder) for name, folder in folders.items()
    ]


def _rules(name: str) -> Listed:
    from lt_bench.scorers.facts import VERSION, FactsScorer

    metrics = tuple(metric.name for metric in FactsScorer.metrics)
    return Listed(
        name, VERSION, metrics, "rules", "The reply against gold facts and documents, by rules."
    )


def _declared(folder: Path) -> Listed:
    from lt_bench.judge import Judge

    spec = Judge(folder).spec
    return Listed(spec.name, spec.version, (spec.metric,), spec.answer.form, spec.summary)
