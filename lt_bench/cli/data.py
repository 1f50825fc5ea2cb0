"""`lt-bench data …`: make, bring in, check and look at data sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lt_bench.builders.store import SplitSummary
    from lt_bench.records import Example
    from lt_bench.task import Task

app = typer.Typer(help="Make, bring in, check and look at data sets.", no_args_is_help=True)

TaskName = Annotated[str, typer.Option("--task", help="The task whose rows these are.")]
Catalogs = Annotated[
    list[Path] | None, typer.Option("--catalog", help="Folder with tasks/ of your own; may repeat.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Results as JSON.")]


@app.command()
def build(
    name: Annotated[str, typer.Argument(help="A task whose builder makes rows from a seed.")],
    out: Annotated[Path, typer.Option(help="Folder for train.jsonl, test.jsonl, manifest.json.")],
    train: Annotated[int, typer.Option(min=0, help="Training rows.")] = 8000,
    test: Annotated[int, typer.Option(min=0, help="Test rows.")] = 400,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="builder.KEY=VALUE; may repeat.")
    ] = None,
    catalog: Catalogs = None,
    json: AsJson = False,
) -> None:
    """Make a data set from a seed; equal arguments give equal bytes."""
    from lt_bench.builders.store import Origin, write_dataset
    from lt_bench.config import assignments, grouped
    from lt_bench.task import Task

    settings = grouped(assignments(set_ or ()), ("builder",))
    task = Task.load(name, tuple(catalog or ()), builder=settings["builder"])
    sizes = {split: size for split, size in (("train", train), ("test", test)) if size}
    origin = Origin(
        builder=task.spec.builder["use"],
        version=task.builder.version,
        seed=seed,
        options=task.builder_options,
    )
    splits = {split: task.builder.build(split, size, seed) for split, size in sizes.items()}
    manifest = write_dataset(out, splits, origin)
    if json:
        typer.echo(manifest.model_dump_json())
    else:
        _show_splits(out, manifest.splits)


def _show_splits(folder: Path, splits: Mapping[str, SplitSummary]) -> None:
    for split in splits.values():
        typer.echo(f"{folder / split.file}: {split.rows} rows in {split.groups} groups")


@app.command("import")
def import_(
    format_: Annotated[str, typer.Argument(metavar="FORMAT", help="Such as epqa.")],
    file: Annotated[Path, typer.Argument(help="The file as you have it.")],
    out: Annotated[Path, typer.Option(help="JSONL file to write.")],
    json: AsJson = False,
) -> None:
    """Turn a file of another format into rows that `--data` takes."""
    from lt_bench.builders import IMPORTERS
    from lt_bench.builders.store import write_examples
    from lt_bench.errors import UsageError

    if out.exists() and file.exists() and out.samefile(file):
        raise UsageError(f"{out} is the file to read", "name another --out")
    summary = write_examples(out, IMPORTERS.get(format_)(file))
    if json:
        typer.echo(summary.model_dump_json())
    else:
        _show_splits(out.parent, {"": summary})


@app.command()
def validate(
    file: Annotated[Path, typer.Argument(help="A data file.")],
    task: TaskName,
    catalog: Catalogs = None,
    json: AsJson = False,
) -> None:
    """Name everything that is wrong with a file: line, field, fix."""
    import json as jsonlib
    from dataclasses import asdict

    from lt_bench.builders.store import validate as problems_of
    from lt_bench.cli.plain import printable
    from lt_bench.task import Task

    problems = problems_of(file, Task.load(task, tuple(catalog or ())).builder)
    if json:
        typer.echo(jsonlib.dumps([asdict(problem) for problem in problems], ensure_ascii=False))
    else:
        for problem in problems:
            fix = f" ({problem.fix})" if problem.fix else ""
            typer.echo(printable(f"{problem.level}: {problem}{fix}"))
        if not problems:
            typer.echo(f"{file}: nothing wrong")
    if any(problem.level == "error" for problem in problems):
        raise typer.Exit(2)


@app.command()
def stats(
    file: Annotated[Path, typer.Argument(help="A data file.")],
    task: TaskName,
    catalog: Catalogs = None,
    json: AsJson = False,
) -> None:
    """Rows, groups, tags, answerability and lengths of a file."""
    from lt_bench.builders.survey import stats as stats_of
    from lt_bench.cli.plain import printable
    from lt_bench.task import Task

    found = stats_of(Task.load(task, tuple(catalog or ())).examples(file))
    if json:
        typer.echo(found.model_dump_json())
        return
    for key, value in found.model_dump().items():
        text = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
        typer.echo(printable(f"{key}: {text}"))


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="A data file.")],
    task: TaskName,
    row: Annotated[str, typer.Argument(help="Number (from 1) or id of a row.")] = "1",
    catalog: Catalogs = None,
    json: AsJson = False,
) -> None:
    """Show one row: dialogue, question, evidence, gold, and the prompt that a model gets."""
    from lt_bench.cli.plain import printable
    from lt_bench.task import Task

    loaded = Task.load(task, tuple(catalog or ()))
    example = _pick(loaded, file, row)
    if json:
        typer.echo(example.model_dump_json())
        return
    tags = ", ".join(example.tags) or "none"
    typer.echo(printable(f"id {example.id}, group {example.group}, tags: {tags}"))
    for message in loaded.prompt(example).messages:
        typer.echo(f"--- {message.role}\n{printable(message.content)}")
    gold = example.gold.model_dump_json(indent=2) if example.gold else "none"
    typer.echo(f"--- gold\n{printable(gold)}")


def _pick(task: Task, file: Path, row: str) -> Example:
    from lt_bench.errors import UsageError

    examples = task.examples(file)
    if row.isdecimal() and 1 <= int(row) <= len(examples):
        return examples[int(row) - 1]
    found = next((example for example in examples if example.id == row), None)
    if found is None:
        raise UsageError(f"{file} has no row {row!r}", f"give an id, or 1 to {len(examples)}")
    return found
