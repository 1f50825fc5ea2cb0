"""The match of the Berkeley Function-Calling Leaderboard: all calls of one turn against all gold calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from lt_bench.records import CallsGold, GoldCall, ToolCall
from lt_bench.scorers.tools.values import OMITTED, value_fault

Parameters = Mapping[str, Any]
"""The JSON Schema of what a tool takes."""

MALFORMED: Final = "ast_decoder:decoder_failed"
CALLED: Final = "irrelevance_error:decoder_success"


def parameters_of(tools: Sequence[Mapping[str, Any]]) -> dict[str, Parameters]:
    """Name -> parameters of tools in OpenAI's form."""
    functions = (tool.get("function", tool) for tool in tools)
    return {one["name"]: one.get("parameters") or {} for one in functions if "name" in one}


def bfcl_fault(
    calls: Sequence[ToolCall], gold: CallsGold, tools: Mapping[str, Parameters]
) -> str | None:
    """What the official checker says against these calls ("value_error:string"); None where it passes.

    One gold call wants exactly one call; several want as many, in any order. Each gold call, in its
    order, takes the first call that fits. Without gold calls nothing may be called; unlike there, a
    call whose arguments are no JSON was a call.
    """
    if not gold.calls:
        return CALLED if calls else None
    if any(call.malformed is not None for call in calls):
        return MALFORMED
    if len(gold.calls) > 1:
        return _parallel(calls, gold.calls, tools)
    if len(calls) != 1:
        checker = "multiple" if len(tools) > 1 else "simple"
        return f"{checker}_function_checker:wrong_count"
    return call_fault(calls[0], gold.calls[0], tools)


def _parallel(
    calls: Sequence[ToolCall], wanted: Sequence[GoldCall], tools: Mapping[str, Parameters]
) -> str | None:
    if len(calls) != len(wanted):
        return "parallel_function_checker_no_order:wrong_count"
    left = list(calls)
    for gold in wanted:
        taken = next((call for call in left if call_fault(call, gold, tools) is None), None)
        if taken is None:
            return "parallel_function_checker_no_order:cannot_find_match"
        left.remove(taken)
    return None


def call_fault(call: ToolCall, gold: GoldCall, tools: Mapping[str, Parameters]) -> str | None:
    """What is wrong with one call beside one gold call; None where it is that call."""
    if call.name != gold.name:
        return "simple_function_checker:wrong_func_name"
    if call.malformed is not None:
        return MALFORMED
    schema = tools.get(gold.name, {})
    if any(name not in call.arguments for name in schema.get("required", ())):
        return "simple_function_checker:missing_required"
    named = arguments_of(gold)
    properties = schema.get("properties")
    for name, value in call.arguments.items():
        if name not in named or (properties is not None and name not in properties):
            return "simple_function_checker:unexpected_param"
        if fault := argument_fault(name, value, gold, schema):
            return fault
    if any(name not in call.arguments and name not in gold.optional for name in named):
        return "simple_function_checker:missing_optional"
    return None


def arguments_of(gold: GoldCall) -> dict[str, None]:
    """The arguments that a gold call may have, in their order."""
    return dict.fromkeys((*gold.arguments, *gold.accept, *gold.optional))


def argument_fault(name: str, value: Any, gold: GoldCall, schema: Parameters) -> str | None:
    """What is wrong with the value of an argument; None where it is accepted."""
    accepted = gold.accept.get(name)
    if accepted is None:
        accepted = (gold.arguments[name],) if name in gold.arguments else ()
    if name in gold.optional:
        accepted = (*accepted, OMITTED)
    own = (schema.get("properties") or {}).get(name)
    return value_fault(value, accepted, own if isinstance(own, Mapping) else {})
