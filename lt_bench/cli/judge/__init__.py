"""`lt-bench judge …`: who judges, how far to believe it, and what its scores are worth."""

from __future__ import annotations

import typer

from lt_bench.cli.judge import bias, calibrate, correct, label, list_, plan, report, try_

app = typer.Typer(
    help="Who judges, how far to believe it, and what its scores are worth.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("list")(list_.show)
app.command("try")(try_.try_)
app.command("calibrate")(calibrate.calibrate)
app.command("bias")(bias.bias)
app.command("report")(report.report)
app.command("label")(label.label)
app.command("plan")(plan.plan)
app.command("correct")(correct.correct)
