"""Where people's labels differ, and how far every two of them agree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from lt_bench.calibration.agreement import agreement
from lt_bench.calibration.consensus import LabelField, consensus
from lt_bench.cli.cards import interval, value
from lt_bench.cli.judge.label_screen import WIDTH
from lt_bench.plain import on_one_line, printable
from lt_bench.records import Agreement, Labelled
from lt_bench.run.judging.label_files import read_labels
from lt_bench.run.labelling.disputes import Dispute, disputes, pairs_of_people

SAID = {True: "yes", False: "no", None: "not said"}
SETTLED = {True: "the majority says yes", False: "the majority says no", None: "not settled"}


def show_disagreements(paths: Sequence[Path], fields: Sequence[LabelField], as_json: bool) -> None:
    """Prints every disputed reply, then agreement and kappa of every two people.

    Raises:
        UsageError: a file cannot be read.
    """
    replies = read_labels(paths)
    found = list(disputes(replies, fields))
    agreements = [
        (first, second, field, agreement(pairs))
        for field in fields
        for first, second, pairs in pairs_of_people(replies, field)
    ]
    if as_json:
        facts = {
            "replies": len(replies),
            "disagreements": [_facts(one) for one in found],
            "agreements": [_pair_facts(*one) for one in agreements],
        }
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    for one in found:
        typer.echo("\n".join(_lines(one)) + "\n")
    typer.echo(_sum(replies, found))
    if agreements:
        _table(agreements)
    else:
        typer.echo("no two people have labelled the same reply")


def _lines(one: Dispute) -> Iterator[str]:
    reply = one.reply
    yield f"{on_one_line(reply.id)}"
    yield f"  question: {_indented(reply.example.question)}"
    yield f"  reply:    {_indented(reply.reply)}"
    for field in one.fields:
        told = (
            f"{on_one_line(label.annotator)} {SAID[getattr(label, field)]}"
            for label in reply.labels
            if getattr(label, field) is not None
        )
        yield f"  {field + ':':9} {', '.join(told)}; {SETTLED[consensus(reply.labels, field)]}"


def _sum(replies: Sequence[Labelled], found: Sequence[Dispute]) -> str:
    open_ = sum(
        any(consensus(one.reply.labels, field) is None for field in one.fields) for one in found
    )
    return (
        f"{len(replies)} replies, {len(found)} disputed, {open_} of them not settled by a majority"
    )


def _table(agreements: Sequence[tuple[str, str, LabelField, Agreement]]) -> None:
    out = Console(highlight=False)
    out = out if out.is_terminal else Console(highlight=False, width=WIDTH)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("annotators", "question", "replies", "agreement", "95 %", "kappa", "95 %"):
        table.add_column(
            heading, justify="left" if heading in ("annotators", "question") else "right"
        )
    for first, second, field, found in agreements:
        table.add_row(
            Text(on_one_line(f"{first}, {second}")),
            field,
            str(found.counts.n),
            value(found.agreement),
            interval(found.agreement),
            value(found.kappa),
            interval(found.kappa),
        )
    out.print(table)


def _facts(one: Dispute) -> dict[str, Any]:
    reply = one.reply
    return {
        "id": reply.id,
        "question": reply.example.question,
        "reply": reply.reply,
        "fields": list(one.fields),
        "labels": [label.model_dump() for label in reply.labels],
        "settled": {field: consensus(reply.labels, field) for field in one.fields},
    }


def _pair_facts(first: str, second: str, field: LabelField, found: Agreement) -> dict[str, Any]:
    return {"annotators": [first, second], "field": field, **found.model_dump(mode="json")}


def _indented(text: str) -> str:
    return printable(text).replace("\n", "\n            ")
