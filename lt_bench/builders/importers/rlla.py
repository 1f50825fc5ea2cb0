"""RLLA, the training data of ToolRL (Qian et al., 2025): tool dialogues as one text, with the next step.

{instruction, input, output}, or the rows of the reinforcement learning set, {prompt: [system,
user], reward_model: {ground_truth}}. The instruction lists the tools, the input is the dialogue in
`<user>`, `<tool_call>`, `<obs>` and `<response>` tags, the output `<think>` and `<tool_call>` or
`<response>`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.importers.source_rows import read_rows
from lt_bench.builders.importers.tool_rows import (
    Asked,
    Said,
    ToolFiles,
    calls_gold,
    gold_call,
    json_value,
    shown,
    text_in,
    to_example,
)
from lt_bench.builders.importers.tool_schemas import from_listed, not_required, tool
from lt_bench.builders.problem import Inspected, Problem, Row, RowFault
from lt_bench.config import NoOptions, digest, validate
from lt_bench.records import CallsGold, Example, GoldCall

SOURCE: Final = "qiancheng0/ToolRL:rlla"
LICENSE: Final = "Apache-2.0"
_TOOL: Final = re.compile(
    r"^\d+\. Name: (?P<name>[^\n]*)\nDescription: (?P<text>.*?)\nParameters: (?P<parameters>\{.*?\})$",
    re.MULTILINE | re.DOTALL,
)
_TAG: Final = re.compile(r"<(user|tool_call|obs|response)>(.*?)</\1>", re.DOTALL)
_THOUGHT: Final = re.compile(r"<think>.*?</think>", re.DOTALL)
_LISTED: Final = "**Available Tools**"


class Rlla(ToolFiles):
    """Reads both forms. A row that goes on after a tool's result asks nothing of a user and is left
    out with a warning; thoughts are not kept.

    Raises:
        UsageError: any option is given; there are none.
    """

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        validate(NoOptions, options, "importer rlla")

    def rows(self, path: Path) -> Iterator[Inspected]:
        going_on: list[int] = []
        for item in read_rows(path):
            if isinstance(item, Problem):
                yield item
                continue
            try:
                instruction, said, output = _parts(item.data)
                history = list(_dialogue(said))
                if history and history[-1].role == "tool":
                    going_on.append(item.number)
                    continue
                yield Row(item.number, _example(instruction, history, output))
            except RowFault as fault:
                yield fault.at(item.number)
        if going_on:
            message = f"{len(going_on)} rows are left out: they go on after a tool's result"
            yield Problem("warning", going_on[0], "", message)


def _parts(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Instruction, dialogue and the next step, from either form."""
    if "prompt" not in row:
        return text_in(row, "instruction"), text_in(row, "input"), text_in(row, "output")
    messages, reward = row["prompt"], row.get("reward_model")
    if not isinstance(messages, list) or len(messages) != 2:
        raise RowFault("prompt", f"is not a system and a user message: {shown(messages)}")
    if not isinstance(reward, Mapping):
        raise RowFault("reward_model", f"is no object: {shown(reward)}")
    system, user = (one if isinstance(one, Mapping) else {} for one in messages)
    return text_in(system, "content"), text_in(user, "content"), text_in(reward, "ground_truth")


def _example(instruction: str, history: list[Said], output: str) -> Example:
    if not history or history[-1].role != "user":
        raise RowFault("input", "does not end with <user>", "fetch the file again")
    gold = _gold(output)
    asked_before = any(one.role == "tool" for one in history)
    kind = "call" if gold.calls else "response"
    made = digest([instruction, [(one.role, one.content) for one in history]])[:12]
    return to_example(
        Asked(
            id=f"rlla-{made}",
            question=history[-1].content,
            tools=_tools(instruction, gold),
            gold=gold,
            group=f"rlla-{made}",
            tags=("rlla", f"step:{kind}", f"history:{'tools' if asked_before else 'none'}"),
            source=SOURCE,
            license=LICENSE,
            history=tuple(history[:-1]),
        )
    )


def _dialogue(text: str) -> Iterator[Said]:
    for found in _TAG.finditer(_THOUGHT.sub("", text)):
        tag, content = found[1], found[2].strip()
        if tag == "user":
            yield Said("user", content)
        elif tag == "response":
            yield Said("assistant", content)
        elif tag == "tool_call":
            yield Said("assistant", "", tuple(_calls(content, "input")))
        else:
            yield from _results(content)


def _results(text: str) -> Iterator[Said]:
    """What the tools said: one line each where it is `[{"name": …, "results": …}]`."""
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        listed = None
    if isinstance(listed, list) and all(
        isinstance(one, dict) and "results" in one for one in listed
    ):
        for one in listed:
            said = json.dumps(one["results"], ensure_ascii=False)
            yield Said("tool", said, name=str(one.get("name", "")))
    else:
        yield Said("tool", text)


def _gold(output: str) -> CallsGold:
    """What the next step calls, and what it says. A thought may quote the tags."""
    after = output.rpartition("</think>")[2]
    found = {tag[1]: tag[2].strip() for tag in _TAG.finditer(after)}
    if not found.keys() & {"tool_call", "response"}:
        raise RowFault("output", "has neither <tool_call> nor <response>", "fetch the file again")
    calls = tuple(_calls(found.get("tool_call", ""), "output"))
    return calls_gold(calls, "" if calls else found.get("response", ""))


def _calls(text: str, field: str) -> Iterator[GoldCall]:
    for line in filter(None, map(str.strip, text.splitlines())):
        call = json_value(line, f"{field}.tool_call")
        key = "parameters" if isinstance(call, dict) and "parameters" in call else "arguments"
        yield gold_call(call, f"{field}.tool_call", key)


def _tools(instruction: str, gold: CallsGold) -> tuple[dict[str, Any], ...]:
    """The tools that the instruction lists. Two may have one name: the first is kept. What a gold
    call leaves out is not required."""
    listed = instruction.partition(_LISTED)[2].partition("\n**")[0]
    found: dict[str, dict[str, Any]] = {}
    for match in _TOOL.finditer(listed):
        name = match["name"].strip()
        if name in found:
            continue
        parameters = from_listed(_parameters(match["parameters"], name))
        made = [set(call.arguments) for call in gold.calls if call.name == name]
        left_out = {key for key in parameters["properties"] for one in made if key not in one}
        found[name] = tool(name, match["text"].strip(), not_required(parameters, left_out))
    if not found:
        raise RowFault("instruction", "lists no tool", "fetch the file again")
    return tuple(found.values())


def _parameters(text: str, name: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RowFault("instruction", f"parameters of {name!r} are broken JSON") from error
    if not isinstance(found, dict):
        raise RowFault("instruction", f"parameters of {name!r} are no object")
    return found
