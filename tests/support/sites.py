"""Built boards of any size, for tests of what is shown of them: no run is behind these."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from lt_bench.board.model import (
    Ablation,
    Bar,
    Board,
    Cell,
    Column,
    Entry,
    JudgeState,
    Lengths,
    Pair,
    Pareto,
    Ranks,
    SliceCell,
    Source,
)
from lt_bench.records import Environment, Estimate, JudgeStamp, Stamp

COLUMNS = (
    Column(name="correctness", unit="share", better="higher", shown=True, judged=True),
    Column(name="helpfulness", unit="share", better="higher", shown=True, judged=True),
    Column(name="correct_and_helpful", unit="share", better="higher", shown=True),
    Column(name="unsupported_claims", unit="count", better="lower", shown=True),
    Column(name="tpr", unit="tokens", better="lower", shown=True, remark="By the engine."),
    Column(name="tflop_paper", unit="TFLOP", better="lower", shown=True),
    Column(name="tflop_exact", unit="TFLOP", better="lower", shown=True),
    Column(name="truncated", unit="share", better="lower", shown=True),
    Column(name="output_chars", unit="characters", better="lower", shown=False),
)
SPREAD = {
    "correctness": (0.5, 0.95),
    "helpfulness": (0.4, 0.97),
    "correct_and_helpful": (0.3, 0.9),
    "unsupported_claims": (0.0, 2.0),
    "tpr": (90.0, 900.0),
    "tflop_paper": (0.02, 5.0),
    "tflop_exact": (0.1, 9.0),
    "truncated": (0.0, 0.2),
    "output_chars": (300.0, 4000.0),
}
TAGS = ("tag:price", "tag:comparison", "tag:availability", "tag:shipping", "lang:en", "lang:zh")
EDGES = tuple(float(edge) for edge in range(0, 1250, 50))
PRINTED = {
    "paper-full": {"correctness": "92.3", "helpfulness": "96.8", "tpr": "153"},
    "paper-long": {"correctness": "91.5", "helpfulness": "95.0", "tpr": "349"},
    "paper-shy": {"correctness": "87.3", "helpfulness": "72.3", "tpr": "145"},
}
SOURCE = Source(
    paper="A paper",
    table="Table 5",
    url="https://example.org/paper",
    rows=400,
    note="Judged by another model.",
)

Values = dict[str, list[float]]


def board(
    names: Sequence[str],
    *,
    apart: Sequence[str] = (),
    missing: Sequence[tuple[int, str]] = (),
    compared: int = 30,
    replay: str = "",
    labels: Sequence[str] = (),
    reason: str = "it was run on other data",
) -> Board:
    """A board of these models, best first in correctness; the first two are equal in it.

    missing: (place, metric) of figures that a model lacks.
    replay: the page of the first model's rows.
    """
    rng = random.Random(0)
    runs = [entry(f"m{at}", name) for at, name in enumerate(names)]
    runs = [
        one.model_copy(update={"label": text}) for one, text in zip(runs, labels, strict=False)
    ] or runs
    if replay:
        runs[0] = runs[0].model_copy(update={"replay": replay})
    aside = [entry(f"x{at}", name, kept_apart=reason) for at, name in enumerate(apart)]
    papers = [
        Entry(id=name, model=name, task="commerce_qa", version=1, reported=SOURCE)
        for name in PRINTED
    ]
    values = {column.name: _values(rng, column, len(runs) + len(aside)) for column in COLUMNS}
    every = [*runs, *aside]
    return Board(
        name="commerce_qa",
        title="Live commerce questions",
        summary="Replies of a shopping stream's avatar: correct, helpful, short.",
        task="commerce_qa",
        version=1,
        rows=400,
        groups=80,
        made="2026-05-01T10:00:00Z",
        lt_bench="0.1.0",
        command="lt-bench leaderboard build leaderboards/commerce_qa --out site",
        metrics=COLUMNS,
        entries=(*every, *papers),
        cells=(*_cells(runs, aside, values, set(missing)), *_reported(papers)),
        pairs=tuple(_pairs(runs[:compared], values)),
        paretos=tuple(
            _pareto(runs, values, quality, cost)
            for quality in ("correctness", "helpfulness")
            for cost in ("tpr", "tflop_paper")
        ),
        slices=tuple(
            SliceCell(
                entry=one.id,
                slice=tag,
                metric=column.name,
                estimate=estimate(column, values[column.name][at] * rng.uniform(0.8, 1.0), 60),
            )
            for at, one in enumerate(every)
            for tag in TAGS
            for column in COLUMNS
            if column.shown
        ),
        lengths=tuple(_lengths(one.id, values["tpr"][at], rng) for at, one in enumerate(every)),
        ablations=(
            Ablation(
                title="Reward components",
                metrics=("correctness", "helpfulness", "tpr"),
                bars=tuple(Bar(label=paper.model, entry=paper.id) for paper in papers),
            ),
            Ablation(
                title="Three runs",
                metrics=("correctness", "tpr"),
                bars=tuple(Bar(label=one.name, entry=one.id) for one in runs[:3]),
            ),
        ),
        warnings=("One seed of each candidate was run.",),
    )


def estimate(column: Column, value: float, n: int = 400) -> Estimate:
    high = value * 1.05
    return Estimate(
        value=value,
        low=value * 0.95,
        high=min(1.0, high) if column.unit == "share" else high,
        n=n,
        method="cluster bootstrap (80 groups)",
        unit=column.unit,
    )


def entry(name: str, model: str, kept_apart: str = "") -> Entry:
    judge = JudgeStamp(name="facts", version=1, judge_sha="ab" * 32)
    return Entry(
        id=name,
        model=model,
        backend="transformers",
        settings={"sampling.max_tokens": "96", "sampling.temperature": "0"},
        command=f"lt-bench eval 'hf/{model}' --task commerce_qa",
        run=f"runs/{model}",
        task="commerce_qa",
        version=1,
        samples={"ok": 395, "truncated": 5},
        rows=400,
        stamp=Stamp(
            data=None,
            data_sha="cd" * 32,
            prompt_sha="ef" * 32,
            config_sha="01" * 32,
            scorers_sha="23" * 32,
            model_fingerprint=model,
            counted_by="engine",
            seed=0,
            environment=Environment(
                lt_bench="0.1.0", packages={"torch": "2.13.0"}, hardware="2 CPU cores"
            ),
            created="2026-05-01T10:00:00Z",
        ),
        judges={
            "correctness": JudgeState(
                stamp=judge, belief="rules", sentence="Rules judge it; no model is asked."
            )
        },
        warnings=(f"5 of 400 answers of {model} are truncated",),
        kept_apart=kept_apart,
    )


def _values(rng: random.Random, column: Column, count: int) -> list[float]:
    found = [rng.uniform(*SPREAD[column.name]) for _ in range(count)]
    if column.name == "correctness" and count > 1:
        found.sort(reverse=True)
        found[1] = found[0]
    return found


def _cells(
    runs: Sequence[Entry], aside: Sequence[Entry], values: Values, lacking: set[tuple[int, str]]
) -> Iterator[Cell]:
    for column in COLUMNS:
        name, found = column.name, values[column.name]
        known = [found[at] for at in range(len(runs)) if (at, name) not in lacking]
        order = sorted(known, reverse=column.better == "higher")
        for at, one in enumerate(runs):
            if (at, name) in lacking:
                reason = f"{one.model} has no {name}"
                yield Cell(entry=one.id, metric=name, estimate=None, unranked=reason)
                continue
            rank = order.index(found[at]) + 1
            figure = estimate(column, found[at])
            yield Cell(
                entry=one.id,
                metric=name,
                estimate=figure,
                completed=figure,
                rank=rank,
                ranks=Ranks(low=max(1, rank - 1), high=min(len(known), rank + 1)),
                tie=1 if rank <= 2 else None,
            )
        for at, one in enumerate(aside, len(runs)):
            figure = estimate(column, found[at])
            yield Cell(entry=one.id, metric=name, estimate=figure, unranked=one.kept_apart)


def _reported(papers: Sequence[Entry]) -> Iterator[Cell]:
    for paper in papers:
        for column in COLUMNS:
            printed = PRINTED[paper.id].get(column.name, "")
            share = column.unit == "share"
            value = float(printed or 0) / (100 if share else 1)
            yield Cell(
                entry=paper.id,
                metric=column.name,
                estimate=Estimate(
                    value=value, low=None, high=None, n=400, method="as reported", unit=column.unit
                )
                if printed
                else None,
                unranked="as reported, not run here",
                printed=printed,
                grim=_grim(printed, share) if printed else None,
                audit=f"{printed}: an audit in words" if printed else "",
            )


def _grim(printed: str, share: bool) -> str:
    if not share:
        return "not a share of rows"
    return "not explained by k of n" if printed == "91.5" else "consistent"


def _pairs(runs: Sequence[Entry], values: Values) -> Iterator[Pair]:
    for column in COLUMNS:
        found = values[column.name]
        spread = SPREAD[column.name][1] - SPREAD[column.name][0]
        for a, first in enumerate(runs if column.shown else ()):
            for b, second in enumerate(runs[a + 1 :], a + 1):
                difference = found[a] - found[b]
                told = abs(difference) > spread / 5
                ahead = first if (difference > 0) == (column.better == "higher") else second
                yield Pair(
                    metric=column.name,
                    first=first.id,
                    second=second.id,
                    difference=difference,
                    low=difference - spread / 8,
                    high=difference + spread / 8,
                    p_value=0.0004 if told else 0.3,
                    p_holm=0.01 if told else 1.0,
                    rows=400,
                    groups=80,
                    method="cluster bootstrap (80 groups); sign flips of 71 groups",
                    better=ahead.id if told else "",
                )


def _pareto(runs: Sequence[Entry], values: Values, quality: str, cost: str) -> Pareto:
    order = sorted(range(len(runs)), key=lambda at: values[cost][at])
    front: list[int] = []
    for at in order:
        if not front or values[quality][at] > values[quality][front[-1]]:
            front.append(at)
    return Pareto(
        quality=quality,
        cost=cost,
        front=tuple(runs[at].id for at in front),
        beaten=tuple(runs[at].id for at in order if at not in front),
    )


def _lengths(name: str, mean: float, rng: random.Random) -> Lengths:
    tokens = sorted(rng.lognormvariate(0.0, 0.35) * mean for _ in range(60))
    counts = [0] * (len(EDGES) - 1)
    for found in tokens:
        counts[min(len(counts) - 1, int(found // 50))] += 1
    return Lengths(entry=name, edges=EDGES, counts=tuple(counts), median=tokens[30], p95=tokens[57])
