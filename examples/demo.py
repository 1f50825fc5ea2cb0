"""`make demo`: a real model and the shipped reference replies on the same twenty questions.

Shows what lt-bench is for in a few minutes, offline: two result cards as one table, one example
with its evidence and replies, and what to type next.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from lt_bench import Run
from lt_bench.backends.builtin.bundled import converted, gguf_file
from lt_bench.backends.choose import open_model
from lt_bench.cli import cards
from lt_bench.cli.failure import report
from lt_bench.cli.notices import notices
from lt_bench.cli.progress import choose
from lt_bench.errors import LtBenchError
from lt_bench.plain import printable
from lt_bench.records import Example
from lt_bench.run import Ask, prepare, run_evaluation, run_to_end
from lt_bench.task import Task

ROWS = 20
CAP = 96
"""Tokens an answer may take. The small model often does not stop by itself, and a minute is
enough to see that; the card counts such answers as truncated."""

TASK = Task.load("commerce_qa")
REPLIES = TASK.folder / "sample" / "replies.jsonl"
LABELS = ("builtin/smollm2-135m", "reference replies")


def candidates() -> list[Ask]:
    """The bundled model, and the shipped replies counted with the same tokenizer."""
    tokenizer = str(converted(gguf_file()))
    return [
        ask("builtin/smollm2-135m", {"sampling.max_tokens": CAP, "backend.batch_size": ROWS}),
        ask(f"replay/{REPLIES}", {"sampling.max_tokens": CAP, "backend.tokenizer": tokenizer}),
    ]


def ask(model: str, settings: dict[str, Any]) -> Ask:
    return Ask(model=model, tasks=("commerce_qa",), limit=ROWS, settings=settings)


async def evaluate(candidate: Ask) -> Path:
    """Runs, or resumes, one candidate; the folder of its run."""
    (evaluation,) = prepare(candidate)
    async with open_model(candidate.model, candidate.backend_options) as backend:
        await run_evaluation(evaluation, backend, choose())
    return evaluation.run


def show_example(out: Console, example: Example, runs: list[Run]) -> None:
    """Question, the evidence that holds the answer, and what each candidate said."""
    gold = example.gold
    facts = getattr(gold, "required", ()) or getattr(gold, "helpful", ())
    named = {fact.document for fact in facts}
    evidence = [doc for doc in example.documents if doc.id in named] or list(example.documents[:1])
    text = Text()
    for line in example.history[-3:]:
        text.append(f"{line.name or line.role}: {printable(line.content)}\n", style="dim")
    text.append(f"viewer: {printable(example.question)}\n\n", style="bold")
    for document in evidence[:2]:
        text.append(f"{printable(document.text)}\n\n", style="dim")
    for label, run in zip(LABELS, runs, strict=True):
        sample = next(s for s in run.samples() if s.key.example_id == example.id)
        reply = sample.generation.reply if sample.generation else f"({sample.status})"
        text.append(f"{label}: ", style="bold")
        text.append(f"{printable(reply)}\n")
    out.print(Panel(text, title="one of the twenty", border_style="dim"))


def main() -> None:
    out = cards.console()
    with notices():
        runs = [Run(run_to_end(evaluate(candidate))) for candidate in candidates()]
    out.print()
    cards.compare({label: run.card for label, run in zip(LABELS, runs, strict=True)})
    out.print()
    example = TASK.examples(TASK.sample, ROWS)[0]
    show_example(out, example, runs)
    out.print("The runs, with every answer and score:", style="bold")
    for run in runs:
        out.print(Text(f"  {run.path}"), soft_wrap=True)
    out.print("Next:", style="bold")
    for what, command in (
        ("your model", ".venv/bin/lt-bench eval hf/FOLDER --task commerce_qa"),
        ("your data", ".venv/bin/lt-bench eval builtin/smollm2-135m --task musique --data FILE"),
        ("the board", f".venv/bin/lt-bench leaderboard compare {runs[0].path} {runs[1].path}"),
    ):
        out.print(Text(f"  {what:<11} {command}"), soft_wrap=True)


if __name__ == "__main__":
    try:
        main()
    except LtBenchError as error:
        sys.exit(report(error))
