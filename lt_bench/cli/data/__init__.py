"""`lt-bench data …`: make, bring in, check and look at data sets."""

from __future__ import annotations

import typer

from lt_bench.cli.data import audit, build, import_, show, stats, validate

app = typer.Typer(help="Make, bring in, check and look at data sets.", no_args_is_help=True)
app.command("build")(build.build)
app.command("import")(import_.import_)
app.command("validate")(validate.validate)
app.command("stats")(stats.stats)
app.command("show")(show.show)
app.command("audit")(audit.audit)
