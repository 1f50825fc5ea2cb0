"""`lt-bench run …`: look after runs on disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from lt_bench.integrations.runs.importing import Imported
    from lt_bench.run.merging import Merged

app = typer.Typer(help="Look after runs on disk.", no_args_is_help=True)


@app.command()
def status(
    run: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...", help="Runs, by name or folder; NAME also stands for its shards."
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="One JSON object a run.")] = False,
) -> None:
    """How far a run has come; it may be read while it goes on."""
    from lt_bench.cli.standings import lines, of_shards
    from lt_bench.run.rundir import find_run
    from lt_bench.run.standing import shards_of, standing

    for name in run:
        folder = find_run(name)
        shards = [] if folder.begun else shards_of(name)
        found = [standing(one) for one in shards or [folder]]
        if json:
            for one in found:
                typer.echo(one.model_dump_json())
        else:
            for line in of_shards(name, found) if shards else lines(found[0]):
                typer.echo(line)


@app.command()
def merge(
    run: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="The runs of all shards, in any order.")
    ],
    out: Annotated[str, typer.Option(metavar="NAME", help="Name or folder of the joined run.")],
    data: Annotated[Path | None, typer.Option(help="Their data file, if it has moved.")] = None,
    catalog: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="Folder with tasks/ of your own; may repeat."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The card as JSON.")] = False,
) -> None:
    """Join the runs of all shards into one; no model is asked.

    All shards must be there and finished. Merging again adds only what is new.
    """
    from lt_bench.cli.running import finish
    from lt_bench.run.merging import merge as join
    from lt_bench.run.rundir import run_folder

    merged = finish(join(run, run_folder(out), data=data, catalogs=tuple(catalog or ())))
    if json:
        typer.echo(merged.card.model_dump_json())
    else:
        _tell(merged)
    _exit(merged)


@app.command("import")
def import_(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Log of lm-eval (samples_*.jsonl) or Inspect (.eval, .json), predictions JSONL, or the "
            "output file of a batch.",
        ),
    ],
    task: Annotated[str, typer.Option(metavar="NAME", help="Task whose rows were asked.")],
    run: Annotated[str, typer.Option(metavar="NAME", help="Name or folder of the new run.")],
    data: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The rows. Default: the task's shipped sample."),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="lm-eval, inspect, predictions, openai-batch or vllm-batch; guessed when left out.",
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the model, if the log has none.")
    ] = None,
    tokenizer: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Tokenizer that counts answers without a count."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="First N rows of the data only.")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Key: backend.family|opened|tool_form, task.NAME or builder.NAME; may repeat.",
        ),
    ] = None,
    catalog: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="Folder with tasks/ of your own; may repeat."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The card as JSON.")] = False,
) -> None:
    """Make a run of answers that another harness had; no model is asked.

    `score`, judges, boards and replay then work on it. Answers find their rows by id, else by the
    question, word for word. What the log does not tell (token counts, which answers were cut) stays
    unknown.
    """
    from lt_bench.cli.imported import tell, wanted
    from lt_bench.cli.progress import choose
    from lt_bench.cli.running import finish
    from lt_bench.integrations.runs.importing import import_run

    asked = wanted(
        file,
        task,
        run,
        data=data,
        limit=limit,
        format=format_,
        model=model,
        tokenizer=tokenizer,
        settings=set_ or (),
        catalogs=catalog or (),
    )
    imported = finish(import_run(asked, choose()))
    if json:
        typer.echo(imported.card.model_dump_json())
    tell(imported, as_json=json)
    _exit(imported)


def _tell(merged: Merged) -> None:
    from lt_bench.cli.cards import show
    from lt_bench.plain import printable

    show(merged.card, merged.run)
    one = "sample" if merged.added == 1 else "samples"
    new = f"{merged.added} {one} added" if merged.added else "nothing was new"
    typer.echo(f"{merged.shards} shards joined: {new}")
    for name in merged.beside:
        typer.echo(
            printable(
                f"{name} is joined too; lt-bench score {merged.run} --judge … writes its card"
            )
        )
    for name in merged.left_out:
        typer.echo(printable(f"{name} is left out: not every shard has it"))


def _exit(done: Merged | Imported) -> None:
    from lt_bench.cli.cards import partial

    if partial(done.card):
        raise typer.Exit(3)
