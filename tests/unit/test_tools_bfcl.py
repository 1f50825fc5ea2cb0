"""The match of the Berkeley leaderboard: its official verdicts, and its rules case by case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lt_bench.builders.importers.bfcl import Bfcl
from lt_bench.records import CallsGold, GoldCall, ToolCall
from lt_bench.scorers.tools import bfcl_fault
from lt_bench.scorers.tools.bfcl import parameters_of
from lt_bench.scorers.tools.values import value_fault

INTEGER, NUMBER, TEXT, FLAG = ({"type": one} for one in ("integer", "number", "string", "boolean"))
TEXTS = {"type": "array", "items": TEXT}
NUMBERS = {"type": "array", "items": NUMBER}
OBJECT = {"type": "object"}
OBJECTS = {"type": "array", "items": OBJECT}
ANY: dict[str, Any] = {}


def test_every_official_verdict_and_error_class(shared_data: Path) -> None:
    folder = shared_data / "tools"
    rows = {row.id: row for row in Bfcl({}).read(folder / "bfcl_shared.jsonl")}
    lines = (folder / "bfcl_ast_cases_shared.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    assert len(cases) == 359
    for case in cases:
        row = rows[case["bfcl_id"]]
        calls = [
            ToolCall(name=name, arguments=arguments)
            for output in case["model_output"]
            for name, arguments in output.items()
        ]
        assert isinstance(row.gold, CallsGold)
        expected = None if case["valid"] else case["error_type"]
        assert bfcl_fault(calls, row.gold, parameters_of(row.tools)) == expected, case


@pytest.mark.parametrize(
    ("value", "accepted", "schema", "fault"),
    [
        (5, [5], INTEGER, None),
        (5.0, [5], INTEGER, "type_error:simple"),
        ("5", [5], INTEGER, "type_error:simple"),
        (True, [1], INTEGER, "type_error:simple"),
        (6, [5], INTEGER, "value_error:others"),
        (5, [5.0], NUMBER, None),
        (5, [5], NUMBER, None),
        (True, [1.0], NUMBER, "type_error:simple"),
        (True, [True], FLAG, None),
        (1, [True], FLAG, "type_error:simple"),
        ("Paris, FR", ["paris fr"], TEXT, None),
        ("it's", ['it"s'], TEXT, None),
        ("Lyon", ["Paris"], TEXT, "value_error:string"),
        ("", ["x", ""], TEXT, None),
        ("", ["x"], TEXT, "value_error:string"),
        (["A.", "b"], [["a", "B"]], TEXTS, None),
        (["b", "a"], [["a", "b"]], TEXTS, "value_error:list/tuple"),
        ([1], [["a"]], TEXTS, "type_error:nested"),
        ([], [["a"], ""], TEXTS, None),
        ([1], [[1.0]], NUMBERS, "type_error:nested"),
        ([1.0], [[1.0]], NUMBERS, None),
        ([["A"]], [[["a"]]], {"type": "array", "items": {"type": "array"}}, "value_error:list/tuple"),
        ({"a": "X "}, [{"a": "x"}], OBJECT, None),
        ({"a": "y"}, [{"a": "x"}], OBJECT, "value_error:dict_value"),
        ({}, [{"a": "x"}], OBJECT, "value_error:dict_key"),
        ({"a": "x", "b": 1}, [{"a": "x"}], OBJECT, "value_error:dict_key"),
        ({"a": 1}, [""], OBJECT, "dict_checker:unclear"),
        ([{"a": "X"}, {"b": 2}], [[{"a": "x"}, {"b": 2}]], OBJECTS, None),
        ([{"b": 2}, {"a": "x"}], [[{"a": "x"}, {"b": 2}]], OBJECTS, "value_error:dict_key"),
        ([{"a": "x"}], [[{"a": "x"}, {"b": 2}]], OBJECTS, "value_error:list_dict_count"),
        (["x"], [[{"a": "x"}]], OBJECTS, "type_error:nested"),
        ("size", ["size"], INTEGER, None),
        ("SIZE", ["size"], INTEGER, "value_error:others"),
        ("A b", ["ab"], ANY, None),
        (3, [3], ANY, None),
        (None, [None], {"type": ["string", "null"]}, None),
        ("X", ["x"], {"type": ["string", "null"]}, None),
    ],
)  # fmt: skip
def test_values_are_compared_as_the_checker_does(
    value: Any, accepted: list[Any], schema: dict[str, Any], fault: str | None
) -> None:
    assert value_fault(value, accepted, schema) == fault


def tool(name: str, *required: str, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


TOOLS = parameters_of([tool("f", "a", a=INTEGER, b=TEXT), tool("g")])
GOLD = GoldCall(name="f", arguments={"a": 1}, accept={"a": (1, 2), "b": ("x",)}, optional=("b",))


def call(name: str, malformed: str | None = None, **arguments: Any) -> ToolCall:
    return ToolCall(name=name, arguments=arguments, malformed=malformed)


@pytest.mark.parametrize(
    ("calls", "fault"),
    [
        ([call("f", a=2)], None),
        ([call("f", a=1, b="X")], None),
        ([call("f", a=1, b="")], None),
        ([call("f", b="x")], "simple_function_checker:missing_required"),
        ([call("f", a=1, c=1)], "simple_function_checker:unexpected_param"),
        ([call("g", a=1)], "simple_function_checker:wrong_func_name"),
        ([], "multiple_function_checker:wrong_count"),
        ([call("f", a=1), call("f", a=1)], "multiple_function_checker:wrong_count"),
        ([call("f", malformed="{")], "ast_decoder:decoder_failed"),
    ],
)
def test_one_gold_call_wants_exactly_that_call(calls: list[ToolCall], fault: str | None) -> None:
    assert bfcl_fault(calls, CallsGold(type="call", calls=(GOLD,)), TOOLS) == fault


def test_an_argument_of_gold_that_is_neither_required_nor_optional_must_be_given() -> None:
    gold = GoldCall(name="f", arguments={"a": 1, "b": "x"})
    fault = bfcl_fault([call("f", a=1)], CallsGold(type="call", calls=(gold,)), TOOLS)
    assert fault == "simple_function_checker:missing_optional"


def test_without_gold_calls_any_call_is_wrong_even_one_that_cannot_be_read() -> None:
    gold = CallsGold(type="no_call")
    assert bfcl_fault([], gold, TOOLS) is None
    assert bfcl_fault([call("f", malformed="{")], gold, TOOLS) is not None


def test_a_tool_that_the_row_does_not_declare_is_compared_by_its_gold_alone() -> None:
    gold = CallsGold(type="call", calls=(GoldCall(name="h", arguments={"a": 1, "b": "x"}),))
    assert bfcl_fault([call("h", a=1, b="X")], gold, {}) is None
    assert bfcl_fault([call("h", a=1, b="X", c=2)], gold, {}) is not None
