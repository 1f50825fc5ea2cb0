"""The tools that a row offers: each has a name, and a schema that whoever reads it can rely on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from lt_bench.builders.problem import RowFault

_DEEPEST: Final = 100
"""What lies deeper is a fault of its own."""


def tool_faults(tools: Sequence[Mapping[str, Any]]) -> Iterator[RowFault]:
    """What is wrong with tools in OpenAI's form, each with its field. A tool without parameters takes
    none."""
    for place, tool in enumerate(tools):
        function, field = tool.get("function", tool), f"tools.{place}"
        field += ".function" if "function" in tool else ""
        if not isinstance(function, Mapping):
            yield RowFault(field, "is no object", 'write {"name": …, "parameters": {…}}')
            continue
        name = function.get("name")
        if not isinstance(name, str) or not name.strip():
            yield RowFault(f"{field}.name", "is no text", "give every tool a name")
        if function.get("parameters") is not None:
            yield from _schema_faults(f"{field}.parameters", function["parameters"], _DEEPEST)


def _schema_faults(field: str, schema: Any, levels: int) -> Iterator[RowFault]:
    if isinstance(schema, bool) or not levels:
        return
    if not isinstance(schema, Mapping):
        yield RowFault(field, "is no JSON Schema", 'write {"type": …}, or {} for any value')
        return
    required, properties = schema.get("required", []), schema.get("properties", {})
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        message = "is no list of names"
        yield RowFault(f"{field}.required", message, "name the arguments that are needed, or none")
    if not isinstance(properties, Mapping):
        message = "is no object"
        yield RowFault(f"{field}.properties", message, 'write {"NAME": {"type": …}}')
        return
    for name, inner in properties.items():
        yield from _schema_faults(f"{field}.properties.{name}", inner, levels - 1)
    if isinstance(schema.get("items"), Mapping):
        yield from _schema_faults(f"{field}.items", schema["items"], levels - 1)
