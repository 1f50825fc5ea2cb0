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
        prompt, tools = facts.pop("first_prompt"), facts.pop("first_tools")
        for key, text in facts.items():
            typer.echo(printable(f"{key}: {text}"))
        for message in prompt:
            typer.echo(f"--- {message['role']}\n{printable(message['content'])}")
            for call in message["tool_calls"]:
                typer.echo(printable(f"calls {call['name']} {json.dumps(call['arguments'])}"))
        for tool in tools:
            typer.echo(f"--- tool\n{printable(json.dumps(tool, ensure_ascii=False))}")


def _facts(evaluation: Evaluation) -> dict[str, Any]:
    prompts = [evaluation.task.prompt(example) for example in evaluation.examples]
    lengths = [sum(len(m.content) for m in prompt.messages) for prompt in prompts]
    dialogues = sum(bool(one.world and one.tools) for one in evaluation.examples)
    more = dialogues * (evaluation.task.max_turns - 1) * evaluation.samples
    return {
        "task": f"{evaluation.task.spec.name}@{evaluation.task.spec.version}",
        "model": evaluation.model,
        "run": str(evaluation.run),
        "rows": len(prompts),
        "requests": len(prompts) * evaluation.samples,
        **({"most_requests": len(prompts) * evaluation.samples + more} if more else {}),
        "prompt_characters": sum(lengths) * evaluation.samples,
        "longest_prompt_characters": max(lengths, default=0),
        "sampling": evaluation.sampling.model_dump(),
        "first_tools": [tool for prompt in prompts[:1] for tool in prompt.tools],
        "first_prompt": [m.model_dump() for prompt in prompts[:1] for m in prompt.messages],
    }
