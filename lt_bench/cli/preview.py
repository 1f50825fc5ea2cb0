"""`lt-bench eval --dry-run`: what would be asked, without asking."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, Final

import typer

from lt_bench.plain import printable
from lt_bench.run import Evaluation
from lt_bench.stats.flips import groups_needed
from lt_bench.stats.shares import detectable


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


DECIDED_APART: Final = 0.2
"""Share of rows on which two candidates are assumed to differ, one right and the other wrong."""


def _detectable(rows: int, groups: int) -> str:
    """What a paired comparison on these rows could find, under an assumption that it states."""
    if groups < groups_needed():
        return (
            f"none: {rows} rows in {groups} groups separate no two candidates, whatever the scores; "
            f"{groups_needed()} groups are the fewest that can"
        )
    alone, alike = (100 * detectable(math.sqrt(DECIDED_APART / n)) for n in (rows, groups))
    span = f"{alone:.1f}" if rows == groups else f"{alone:.1f} to {alike:.1f}"
    return (
        f"{span} points of a right-or-wrong score against another candidate, in 80 % of the cases, if "
        f"{DECIDED_APART:.0%} of the rows are decided differently ({rows} rows in {groups} groups)"
    )


def _facts(evaluation: Evaluation) -> dict[str, Any]:
    prompts = [evaluation.task.prompt(example) for example in evaluation.examples]
    lengths = [sum(len(m.content) for m in prompt.messages) for prompt in prompts]
    dialogues = sum(bool(one.world and one.tools) for one in evaluation.examples)
    more = dialogues * (evaluation.task.max_turns - 1) * evaluation.samples
    groups = len({example.group for example in evaluation.examples})
    return {
        "task": f"{evaluation.task.spec.name}@{evaluation.task.spec.version}",
        "model": evaluation.model,
        "run": str(evaluation.run),
        "rows": len(prompts),
        "requests": len(prompts) * evaluation.samples,
        **({"most_requests": len(prompts) * evaluation.samples + more} if more else {}),
        "prompt_characters": sum(lengths) * evaluation.samples,
        "longest_prompt_characters": max(lengths, default=0),
        "smallest_difference_found": _detectable(len(prompts), groups),
        "sampling": evaluation.sampling.model_dump(),
        "first_tools": [tool for prompt in prompts[:1] for tool in prompt.tools],
        "first_prompt": [m.model_dump() for prompt in prompts[:1] for m in prompt.messages],
    }
