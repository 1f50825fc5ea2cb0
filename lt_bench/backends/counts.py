"""Tokens as a provider reports them, believed only where they can be true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lt_bench.records import Usage


def reported_reasoning(usage: Mapping[str, Any] | None) -> int | None:
    """Reasoning tokens as the provider reports them; None when it does not."""
    if usage is None:
        return None
    details = usage.get("completion_tokens_details")
    inner = details.get("reasoning_tokens") if isinstance(details, Mapping) else None
    return _count(inner if inner is not None else usage.get("reasoning_tokens"))


def counted(usage: Mapping[str, Any] | None, *, spoke: bool, thought: bool) -> Usage | None:
    """The provider's counts as a record, or None when it counted nothing that can be true.

    `spoke`: the answer holds any text or call, so that 0 output tokens cannot be; `thought`: it
    holds a trace, so that 0 reasoning tokens are not a count but the lack of one. Some providers
    report reasoning beside `completion_tokens`, not within: `total_tokens` gives them away.
    """
    if usage is None:
        return None
    prompt, output = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    reasoning = reported_reasoning(usage)
    if output is None or (spoke and not output and not reasoning):
        return None
    total = _count(usage.get("total_tokens"))
    if reasoning and prompt is not None and total == prompt + output + reasoning:
        output += reasoning
    if reasoning is not None and (reasoning > output or (thought and not reasoning)):
        reasoning = None
    return Usage(prompt=prompt, output=output, reasoning=reasoning, counted_by="provider")


def _count(value: Any) -> int | None:
    """A number of tokens: whole and not negative. Anything else is no count."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 2**53 and value == int(value) else None
