"""`lt-bench eval --dry-run`: what would be asked, without asking."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import typer

from lt_bench.cli.plain import printable
from lt_bench.run import Evaluation


def preview(evaluations: Sequence[Evaluation], as_json: bool) -> None:
    """Rows, requests, settings and the first prompt of each run."""
    for evaluation in evaluations:
        facts = _facts(evaluation)
        if as_json:
            typer.echo(json.dumps(facts, ensure_ascii=False))
            continue
        prompt = facts.pop("first_prompt")
        for key, text in facts.items():
            typer.echo(printable(f"{key}: {text}"))
        for message in prompt:
            typer.echo(f"--- {message['role']}\n{printable(message['content'])}")


def _facts(evaluation: Evaluation) -> dict[str, Any]:
    prompts = [evaluation.task.prompt(example) for example in evaluation.examples]
    lengths = [sum(len(m.content) for m in prompt.messages) for prompt in prompts]
    return {
        "task": f"{evaluation.task.spec.name}@{evaluation.task.spec.version}",
        "model": evaluation.model,
        "run": str(evaluation.run),
        "rows": len(prompts),
        "requests": len(prompts) * evaluation.samples,
        "prompt_characters": sum(lengths) * evaluation.samples,
        "longest_prompt_characters": max(lengths, default=0),
        "sampling": evaluation.sampling.model_dump(),
        "first_prompt": [m.model_dump() for prompt in prompts[:1] for m in prompt.messages],
    }
