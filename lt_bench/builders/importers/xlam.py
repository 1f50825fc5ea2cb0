"""xLAM function calling, 60k (Liu et al., 2024): a question, tools, and the calls that answer it.

{id, query, tools, answers}, the last two JSON within strings: [{name, description, parameters:
{name: {type: "str, optional", description, default}}}] and [{name, arguments}]. Written from the
set's published schema; no real rows were at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.importers.source_rows import read_rows
from lt_bench.builders.importers.tool_rows import (
    Asked,
    ToolFiles,
    calls_gold,
    gold_call,
    list_of_objects,
    shown,
    text_in,
    to_example,
)
from lt_bench.builders.importers.tool_schemas import from_listed, not_required, tool
from lt_bench.builders.problem import Inspected, Problem, Row, RowFault
from lt_bench.config import NoOptions, validate
from lt_bench.records import Example, GoldCall

SOURCE: Final = "Salesforce/xlam-function-calling-60k"
LICENSE: Final = "CC-BY-4.0"


class Xlam(ToolFiles):
    """Reads JSON, JSON Lines or Parquet. No answers at all means that nothing is to be called.

    Raises:
        UsageError: any option is given; there are none.
    """

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        validate(NoOptions, options, "importer xlam")

    def rows(self, path: Path) -> Iterator[Inspected]:
        for item in read_rows(path):
            if isinstance(item, Problem):
                yield item
                continue
            try:
                yield Row(item.number, _example(item.data, item.number))
            except RowFault as fault:
                yield fault.at(item.number)


def _example(row: Mapping[str, Any], line: int) -> Example:
    number = row.get("id", line)
    if isinstance(number, bool) or not isinstance(number, int | str):
        raise RowFault("id", f"is no number or text: {shown(number)}")
    calls = [
        gold_call(one, f"answers.{i}")
        for i, one in enumerate(list_of_objects(row.get("answers"), "answers"))
    ]
    tools = tuple(
        _tool(one, calls, f"tools.{i}")
        for i, one in enumerate(list_of_objects(row.get("tools"), "tools"))
    )
    name = f"xlam-{number}"
    return to_example(
        Asked(
            id=name,
            question=text_in(row, "query"),
            tools=tools,
            gold=calls_gold(calls),
            group=name,
            tags=("xlam", f"calls:{len(calls)}"),
            source=SOURCE,
            license=LICENSE,
        )
    )


def _tool(data: Mapping[str, Any], calls: list[GoldCall], field: str) -> dict[str, Any]:
    name, parameters = data.get("name"), data.get("parameters") or {}
    if not isinstance(name, str) or not isinstance(parameters, dict):
        raise RowFault(field, f"has no name with parameters: {shown(data)}")
    schema = from_listed(parameters)
    made = [set(call.arguments) for call in calls if call.name == name]
    left_out = {key for key in schema["properties"] for one in made if key not in one}
    return tool(name, str(data.get("description", "")), not_required(schema, left_out))
