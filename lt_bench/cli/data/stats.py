"""`lt-bench data stats`: what a file holds, as tables and plots on the terminal."""

from __future__ import annotations

import typer

from lt_bench.cli.data.options import AsJson, Catalogs, DataFile, FormatName, Settings, TaskName


def stats(
    file: DataFile,
    task: TaskName = None,
    format_: FormatName = None,
    set_: Settings = None,
    catalog: Catalogs = None,
    json: AsJson = False,
) -> None:
    """Rows, groups, tags, answerability, languages and lengths of a file."""
    from lt_bench.builders.progress import part
    from lt_bench.builders.recognise import records
    from lt_bench.builders.survey import Survey
    from lt_bench.cli.data.options import reader_of
    from lt_bench.cli.data.progress import choose
    from lt_bench.cli.data.splits import tell_split
    from lt_bench.cli.notices import notices

    if not format_:
        tell_split(file)
    survey, progress = Survey(), choose()
    with notices("builders"), part(progress, file.name):
        for record in records(file, reader_of(task, format_, set_, catalog)):
            survey.add(record)
            progress.advance()
    if json:
        typer.echo(survey.stats().model_dump_json())
        return
    from lt_bench.cli.data.figures import show

    show(str(file), survey)
