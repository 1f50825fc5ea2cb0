"""`lt-bench judge bias JUDGE`: what sways a judge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lt_bench.cli.judge import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lt_bench.records import BiasReport, Labelled
    from lt_bench.run.judging.bias import Battery
    from lt_bench.run.judging.choice import JudgeChoice
    from lt_bench.scorers import Scorer

ROWS_A_REPLY, FEWEST_ROWS, SEED = 10, 100, 0
"""How many replies are built for every one that a probe may take, so that each finds its own kind
in rooms of their own."""


def bias(
    judge: Annotated[str, typer.Argument(metavar="JUDGE", help="facts, or a declared judge.")],
    labels: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Labelled replies; may repeat. Default: replies that commerce_judge builds.",
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most N replies for every probe.")] = 40,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="length, order, repeat, injection, blind or abstention; may repeat.",
        ),
    ] = None,
    judge_model: options.Model = None,
    judge_votes: options.Votes = 1,
    judge_min_votes: options.MinVotes = None,
    judge_base_url: options.BaseUrl = None,
    judge_api_key_env: options.ApiKeyEnv = None,
    judge_concurrency: options.Concurrency = None,
    no_judge_cache: options.NoCache = False,
    judge_price: options.Price = None,
    set_: options.Settings = None,
    catalog: options.Catalogs = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to write the report; default nowhere."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how much would be asked; ask nothing.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="The report as JSON.")] = False,
) -> None:
    """Measure what sways a judge.

    Replies whose quality is known are changed in ways that should not matter, or that should, and
    judged again. Exit code: 0 measured, 2 wrong usage, 3 some judgements without a verdict,
    4 failed, 130 interrupted. Answers are kept: the same command asks only for what is missing.
    """
    from lt_bench.cli.running import finish
    from lt_bench.run.judging.bias import plan
    from lt_bench.run.judging.bias.battery import check_names
    from lt_bench.run.judging.bias.draws import votes_a_row
    from lt_bench.run.judging.calibration_file import check_place
    from lt_bench.run.judging.choice import scorer_of

    sampling, backend = options.settings(set_)
    choice = options.choice(
        judge,
        judge_model,
        votes=judge_votes,
        min_votes=judge_min_votes,
        base_url=judge_base_url,
        api_key_env=judge_api_key_env,
        concurrency=judge_concurrency,
        no_cache=no_judge_cache,
        price=judge_price,
        sampling=sampling,
        backend=backend,
        catalogs=catalog,
    )
    if out:
        check_place(out)
    check_names(only or ())
    scorer = scorer_of(choice)
    requests = votes_a_row(scorer)
    battery = plan(scorer, _rows(labels, limit), limit, only or ())
    asked = Asked(judge, battery, requests)
    if dry_run:
        typer.echo(asked.as_json() if json else asked.table())
        return
    typer.echo(asked.line(), err=True)
    _print(finish(_measured(choice, scorer, battery, _origin(labels))), out, as_json=json)


@dataclass(frozen=True)
class Asked:
    """What a battery is going to ask. `requests` judge one reply where every answer is read."""

    judge: str
    battery: Battery
    requests: int

    @property
    def total(self) -> int:
        """Requests in all, before retries; answers that are kept from earlier are among them."""
        return self.requests * len(self.battery.trials)

    def line(self) -> str:
        """The whole in one line."""
        judgements = len(self.battery.trials)
        if not self.requests:
            return f"{self.judge}: {judgements} judgements by rules, no request"
        return (
            f"{self.judge}: {judgements} judgements, {self.total} requests; "
            "retries come on top, answers kept from earlier are not asked again"
        )

    def table(self) -> str:
        """A line a probe, and the whole."""
        lines = [
            f"{probe.name:<11} {len({trial.key for trial in probe.trials}):>6} judgements"
            for probe in self.battery.probes
        ]
        return "\n".join([*lines, self.line()])

    def as_json(self) -> str:
        """The same for programs. Probes share judgements: their sum may exceed the whole."""
        import json

        probes = {p.name: len({t.key for t in p.trials}) for p in self.battery.probes}
        told = {"judge": self.judge, "probes": probes}
        return json.dumps({**told, "judgements": len(self.battery.trials), "requests": self.total})


def _rows(labels: Sequence[Path] | None, limit: int) -> Sequence[Labelled]:
    """The labelled replies to choose from."""
    from lt_bench.builders.commerce_judge import CommerceJudge
    from lt_bench.run.judging.label_files import read_labels

    if labels:
        return read_labels(labels)
    return list(CommerceJudge({}).build(max(ROWS_A_REPLY * limit, FEWEST_ROWS), SEED))


def _origin(labels: Sequence[Path] | None) -> str:
    return ", ".join(map(str, labels)) if labels else f"commerce_judge, seed {SEED}"


async def _measured(
    choice: JudgeChoice, scorer: Scorer, battery: Battery, labels: str
) -> BiasReport:
    from lt_bench.cli.judge.progress import rating
    from lt_bench.run.judging.bias import report
    from lt_bench.run.judging.bias.draws import redrawn

    name = choice.name or ""
    async with choice.opened() as judging:
        at_once = judging.panel.concurrency if judging.panel else 1
        with rating(f"biases of {name}", len(battery.trials)) as finished:
            seen = await battery.ask(redrawn(scorer, judging), at_once, finished)
        return report(name, scorer, battery, seen, labels, choice.prices)


def _print(found: BiasReport, out: Path | None, *, as_json: bool) -> None:
    """Writes the file, if any, and shows the report; exit code 3 where the judge was silent."""
    from lt_bench.cli.cards import console
    from lt_bench.cli.judge.bias_table import show
    from lt_bench.plain import printable
    from lt_bench.run.judging.bias.report_file import save_report

    if out:
        save_report(found, out)
    if as_json:
        typer.echo(found.model_dump_json())
    else:
        show(found, console())
    if out:
        typer.echo(printable(f"bias report: {out}"), err=as_json)
    if any(probe.unscored for probe in found.probes):
        raise typer.Exit(3)
