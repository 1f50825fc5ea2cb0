"""The options by which every command names who judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from lt_bench.run.judging.choice import JudgeChoice

Model = Annotated[
    list[str] | None,
    typer.Option(
        "--judge-model",
        metavar="MODEL",
        help="Model that judges: openai/NAME, hf/…, builtin/…; several make a panel.",
    ),
]
Votes = Annotated[
    int, typer.Option("--judge-votes", metavar="N", help="Votes of each judge model.")
]
MinVotes = Annotated[
    int | None,
    typer.Option(
        "--judge-min-votes",
        metavar="N",
        help="Valid votes that a verdict needs (default: more than half).",
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option("--judge-base-url", metavar="URL", help="Address of the judge's server."),
]
ApiKeyEnv = Annotated[
    str | None,
    typer.Option(
        "--judge-api-key-env",
        metavar="NAME",
        help="Environment variable that holds the judge's key.",
    ),
]
Concurrency = Annotated[
    int | None,
    typer.Option("--judge-concurrency", metavar="N", help="Judge requests in flight."),
]
NoCache = Annotated[
    bool,
    typer.Option("--no-judge-cache", help="Ask again what was answered before."),
]
Price = Annotated[
    str | None,
    typer.Option(
        "--judge-price",
        metavar="IN,OUT",
        help="Price of a million prompt and output tokens of the judge: 0.55,2.19.",
    ),
]
Name = Annotated[
    str | None,
    typer.Option(
        "--judge",
        metavar="NAME",
        help="Who judges: one of the task's judges (facts, llm), or a declared judge.",
    ),
]
Calibrations = Annotated[
    list[Path] | None,
    typer.Option(
        "--calibration",
        metavar="FILE",
        help="What `judge calibrate` wrote for this judge; may repeat.",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Key: judge.NAME (its sampling) or judge_backend.NAME (its endpoint); may repeat.",
    ),
]
Catalogs = Annotated[
    list[Path] | None,
    typer.Option(
        "--catalog", metavar="FOLDER", help="Folder with judges/ of your own; may repeat."
    ),
]


def choice(
    name: str | None,
    models: Sequence[str] | None,
    *,
    votes: int = 1,
    min_votes: int | None = None,
    base_url: str | None = None,
    api_key_env: str | None = None,
    concurrency: int | None = None,
    no_cache: bool = False,
    price: str | None = None,
    sampling: Mapping[str, Any] | None = None,
    backend: Mapping[str, Any] | None = None,
    catalogs: Sequence[Path] | None = None,
    calibrations: Sequence[Path] | None = None,
    labels: Sequence[Path] | None = None,
) -> JudgeChoice:
    """The flags of a command as one choice.

    Raises:
        UsageError: a price that is none.
    """
    from lt_bench.run.judging.choice import JudgeChoice

    flags = {"base_url": base_url, "api_key_env": api_key_env, "concurrency": concurrency}
    given = {key: value for key, value in flags.items() if value is not None}
    return JudgeChoice(
        name=name,
        models=tuple(models or ()),
        votes=votes,
        min_votes=min_votes,
        sampling=dict(sampling or {}),
        options={**given, **(backend or {})},
        catalogs=tuple(catalogs or ()),
        cache=not no_cache,
        prices=_prices(price),
        calibrations=tuple(calibrations or ()),
        labels=tuple(labels or ()),
    )


def settings(pairs: Sequence[str] | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """`--set judge.KEY=VALUE` and `--set judge_backend.KEY=VALUE` of a judge command.

    Raises:
        UsageError: another group, or no KEY=VALUE.
    """
    from lt_bench.config import assignments, grouped

    groups = grouped(assignments(pairs or ()), ("judge", "judge_backend"))
    return groups["judge"], groups["judge_backend"]


def _prices(text: str | None) -> tuple[float, float] | None:
    import math

    from lt_bench.errors import UsageError

    if text is None:
        return None
    try:
        prompt, output = (float(part) for part in text.split(","))
    except ValueError:
        prompt = output = math.nan
    if not (math.isfinite(prompt) and math.isfinite(output) and min(prompt, output) >= 0):
        raise UsageError(
            f"--judge-price {text!r} is not two prices", "e.g. --judge-price 0.55,2.19"
        )
    return prompt, output
