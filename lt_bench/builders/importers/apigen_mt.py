"""APIGen-MT, 5k (Prabhakar et al., 2025): whole service dialogues with calls and their results.

{system, tools, conversations: [{from, value}]} with the speakers human, gpt, function_call (value
is JSON with name and arguments) and observation; tools is JSON within a string. Written from the
set's published schema; no real rows were at hand. Each message of the human becomes a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from lt_bench.builders.importers.source_rows import read_rows
from lt_bench.builders.importers.tool_rows import (
    Asked,
    Said,
    ToolFiles,
    calls_gold,
    gold_call,
    json_value,
    list_of_objects,
    shown,
    text_in,
    to_example,
)
from lt_bench.builders.importers.tool_schemas import from_listed, tool
from lt_bench.builders.problem import Inspected, Problem, Row, RowFault
from lt_bench.config import Config, digest, validate
from lt_bench.records import Example, GoldCall

SOURCE: Final = "Salesforce/APIGen-MT-5k"
LICENSE: Final = "CC-BY-NC-4.0"
THINK: Final = "think"
"""A tool that only notes a thought: neither offered nor expected here."""


class ApigenMtOptions(Config):
    """`steps: first` expects the calls up to the first result, after which a dialogue without a
    world ends; `all` those until the agent speaks again."""

    steps: Literal["first", "all"] = "first"


class ApigenMt(ToolFiles):
    """Reads JSON, JSON Lines or Parquet. Rows of one dialogue are one group.

    Raises:
        UsageError: an option is unknown.
    """

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = validate(ApigenMtOptions, options, "importer apigen_mt")

    def rows(self, path: Path) -> Iterator[Inspected]:
        for item in read_rows(path):
            if isinstance(item, Problem):
                yield item
                continue
            try:
                examples = list(self._examples(item.data))
            except RowFault as fault:
                yield fault.at(item.number)
                continue
            yield from (Row(item.number, example) for example in examples)

    def _examples(self, row: Mapping[str, Any]) -> Iterator[Example]:
        listed = list_of_objects(row.get("tools"), "tools")
        tools = tuple(made for one in listed if (made := _tool(one)))
        said = list(_said(list_of_objects(row.get("conversations"), "conversations")))
        system = text_in(row, "system") if "system" in row else ""
        group = f"apigen-{digest([system, [(one.role, one.content) for one in said]])[:12]}"
        for place, one in enumerate(said):
            if one.role != "user" or (place + 1 < len(said) and said[place + 1].role == "user"):
                continue
            after = _until_user(said[place + 1 :])
            if not after:
                continue
            calls = self._calls(after)
            yield to_example(
                Asked(
                    id=f"{group}-{place}",
                    question=one.content,
                    tools=tools,
                    gold=calls_gold(calls, _last_word(after), order="strict"),
                    group=group,
                    tags=("apigen_mt", f"calls:{len(calls)}"),
                    source=SOURCE,
                    license=LICENSE,
                    history=tuple(said[:place]),
                    system=system,
                )
            )

    def _calls(self, after: Sequence[Said]) -> list[GoldCall]:
        made: list[GoldCall] = []
        for one in after:
            if self.options.steps == "first" and made and one.role == "tool":
                break
            made += one.calls
        return made


def _until_user(said: Sequence[Said]) -> Sequence[Said]:
    end = next((i for i, one in enumerate(said) if one.role == "user"), len(said))
    return said[:end]


def _last_word(after: Sequence[Said]) -> str:
    spoken = [one.content for one in after if one.role == "assistant" and one.content]
    return spoken[-1] if spoken else ""


def _said(lines: list[dict[str, Any]]) -> Iterator[Said]:
    """The dialogue without thoughts, whose results say nothing either."""
    thinking, called = False, ""
    for number, line in enumerate(lines):
        speaker, value = line.get("from"), line.get("value")
        field = f"conversations.{number}"
        if not isinstance(value, str):
            raise RowFault(f"{field}.value", f"is no text: {shown(value)}")
        if speaker == "human":
            yield Said("user", value)
        elif speaker == "gpt":
            yield Said("assistant", value)
        elif speaker == "function_call":
            call = gold_call(json_value(value, field), field)
            thinking, called = call.name == THINK, call.name
            if not thinking:
                yield Said("assistant", "", (call,))
        elif speaker == "observation":
            if not thinking:
                yield Said("tool", value, name=called)
            thinking = False
        else:
            raise RowFault(
                f"{field}.from",
                f"{shown(speaker)} is no speaker of the set",
                "speakers: human, gpt, function_call, observation",
            )


def _tool(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """A tool in OpenAI's form or without its outer layer; None for the one that thinks."""
    inner = data.get("function", data)
    if not isinstance(inner, Mapping) or not isinstance(inner.get("name"), str):
        raise RowFault("tools", f"one has no name: {shown(data)}")
    parameters = inner.get("parameters") or {}
    if not isinstance(parameters, dict):
        raise RowFault("tools", f"parameters of {inner['name']!r} are no object")
    if inner["name"] == THINK:
        return None
    return tool(inner["name"], str(inner.get("description", "")), from_listed(parameters))
