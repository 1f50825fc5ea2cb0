"""`lt-bench data build`: make a data set from a seed, or from the files that a builder knows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lt_bench.cli.data.options import AsJson, Catalogs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from lt_bench.builders.manifest import Manifest
    from lt_bench.builders.writing import Form
    from lt_bench.errors import UsageError

WITHIN_SHOWN = 3


def build(
    name: Annotated[str, typer.Argument(help="A task, a builder, or commerce_judge.")],
    out: Annotated[Path, typer.Option(help="Folder for rows, manifest.json and README.md.")],
    train: Annotated[int | None, typer.Option(min=0, help="Training rows (8000).")] = None,
    test: Annotated[int | None, typer.Option(min=0, help="Test rows (400).")] = None,
    rows: Annotated[
        int | None, typer.Option(min=1, help="Labelled replies of commerce_judge (2000).")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    lang: Annotated[str | None, typer.Option(help="en, zh or mix.")] = None,
    documents: Annotated[int | None, typer.Option(help="Documents a row (musique).")] = None,
    full: Annotated[bool, typer.Option("--full", help="Keep unanswerable rows (musique).")] = False,
    source: Annotated[
        list[str] | None, typer.Option(help="File, folder or hub id to read; may repeat.")
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", help="jsonl, datasets (a folder of that library), or both.")
    ] = "both",
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="builder.KEY=VALUE; may repeat.")
    ] = None,
    catalog: Catalogs = None,
    json: AsJson = False,
) -> None:
    """Make a data set; equal arguments give equal bytes.

    A row of one split that stands in another too fails the build, and nothing is written."""
    from lt_bench.builders.store import write_dataset
    from lt_bench.cli.data.makers import Asked, maker
    from lt_bench.cli.data.progress import choose
    from lt_bench.cli.notices import notices
    from lt_bench.config import assignments, grouped
    from lt_bench.errors import UsageError

    forms = _forms(format_)
    flags = {"lang": lang, "documents": documents, "full": full or None, "source": source}
    settings = grouped(assignments(set_ or ()), ("builder",))["builder"]
    try:
        found = maker(name, _joined(settings, flags), tuple(catalog or ()))
    except UsageError as error:
        raise _of_flag(error, name, flags) from error
    with notices("builders"):
        manifest = write_dataset(
            out,
            found.splits(Asked(train, test, rows), seed),
            found.origin(seed),
            unit=found.unit,
            forms=forms,
            progress=choose(),
        )
    _remark(manifest)
    if json:
        typer.echo(manifest.model_dump_json())
    else:
        _show(out, manifest)


def _forms(name: str) -> list[Form]:
    """The forms that --format names.

    Raises:
        UsageError: it names none.
    """
    from lt_bench.builders.writing import FORMS
    from lt_bench.errors import UsageError, did_you_mean

    known = (*FORMS, "both")
    if name not in known:
        raise UsageError(
            f"--format: no form {name!r}.{did_you_mean(name, known)}", f"known: {', '.join(known)}"
        )
    return [form for form in FORMS if name in ("both", form)]


def _of_flag(error: UsageError, name: str, flags: Mapping[str, Any]) -> UsageError:
    """The same error, in the words of the flag where one is refused as a key."""
    from lt_bench.errors import UsageError

    for flag, value in flags.items():
        if value is not None and f"unknown key {flag!r}" in error.cause:
            options = (error.fix or "").removeprefix("known keys: ")
            return UsageError(
                f"--{flag} is no option of {name}", f"leave it out; {name} has: {options}"
            )
    return error


def _joined(settings: Mapping[str, Any], flags: Mapping[str, Any]) -> dict[str, Any]:
    """The builder's options: `--set builder.KEY=VALUE` and the flags that were given."""
    from lt_bench.errors import UsageError

    given = {key: value for key, value in flags.items() if value is not None}
    for key in given.keys() & settings.keys():
        raise UsageError(f"--{key} and --set builder.{key} say it twice", "keep one")
    return {**settings, **given}


def _remark(manifest: Manifest) -> None:
    """What a person should know of the rows, on stderr."""
    for name, split in manifest.splits.items():
        if split.asked is not None and split.stats.rows < split.asked:
            _note(f"{name}: {split.stats.rows:,} rows of {split.asked:,} asked; there are no more")
    audit = manifest.audit
    if audit and audit.within:
        from lt_bench.builders.store import pair

        count = sum(audit.within_counts.values())
        shown = "; ".join(pair(hit) for hit in audit.within[:WITHIN_SHOWN])
        rest = ", …" if count > WITHIN_SHOWN else ""
        _note(f"{count:,} rows repeat another of their own split: {shown}{rest}")


def _note(text: str) -> None:
    from lt_bench.plain import on_one_line

    typer.echo(on_one_line(f"note: {text}"), err=True)


def _show(out: Path, manifest: Manifest) -> None:
    from lt_bench.cli.data.counting import counted
    from lt_bench.plain import printable

    for name, split in sorted(manifest.splits.items(), key=lambda one: one[0] != "train"):
        stats = split.stats
        groups = f" in {counted(stats.groups, 'group')}" if stats.groups else ""
        typer.echo(printable(f"{name}: {counted(stats.rows, 'row')}{groups}"))
        for file in split.files:
            if not file.endswith(".json"):
                typer.echo(printable(f"  {out / file}"))
    if manifest.audit:
        rows = sum(manifest.audit.rows.values())
        typer.echo(f"audit: {counted(rows, 'row')} compared, none stands in two splits")
    typer.echo(printable(f"{out / 'manifest.json'}, {out / 'README.md'}"))
