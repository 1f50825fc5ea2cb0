"""Types of other languages as JSON Schema."""

import pytest

from lt_bench.builders.importers.tool_schemas import (
    from_listed,
    from_pythonic,
    not_required,
    written,
)
from lt_bench.builders.problem import RowFault

ANY: dict = {}


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        ("str", {"type": "string"}),
        ("int, optional", {"type": "integer"}),
        ("String", {"type": "string"}),
        ("HashMap", {"type": "object"}),
        ("ArrayList", {"type": "array"}),
        ("double", {"type": "number"}),
        ("Bigint", {"type": "integer"}),
        ("List[int]", {"type": "array", "items": {"type": "integer"}}),
        ("typing.List[str]", {"type": "array", "items": {"type": "string"}}),
        ("List[Union[int, float]]", {"type": "array", "items": {"type": ["integer", "number"]}}),
        (
            "Tuple[float, float]",
            {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
        ),
        ("Tuple[int, ...]", {"type": "array", "items": {"type": "integer"}}),
        ("Tuple[int, str]", {"type": "array"}),
        ("Dict[str, float]", {"type": "object", "additionalProperties": {"type": "number"}}),
        ("Dict[str, Any]", {"type": "object"}),
        ("Optional[str]", {"type": "string"}),
        ("Union[str, List[int]]", {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}),
        ("Union[str, Any]", ANY),
        ("List[List[int]], optional", {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}),
        ("any", ANY),
        ("Callable[[float], float]", ANY),
        ("", ANY),
        ("List[", ANY),
        ("[" * 400, ANY),
        ("List[" * 200 + "int" + "]" * 200, None),
    ],
)  # fmt: skip
def test_written_types(kind, schema):
    found = written(kind)
    assert found == schema if schema is not None else found["type"] == "array"


def test_nested_pythonic_schemas_keep_everything_but_the_names_of_types():
    found = from_pythonic(
        {
            "type": "dict",
            "properties": {
                "n": {"type": "float", "description": "d", "default": 1.5},
                "pair": {"type": "tuple", "items": {"type": "integer"}, "optional": True},
                "any": {"type": "any"},
                "either": {"type": ["string", "integer"]},
            },
            "required": ["n"],
        }
    )
    assert found == {
        "type": "object",
        "properties": {
            "n": {"type": "number", "description": "d", "default": 1.5},
            "pair": {"type": "array", "items": {"type": "integer"}},
            "any": {},
            "either": {"type": ["string", "integer"]},
        },
        "required": ["n"],
    }


def test_listed_parameters_are_required_unless_their_type_says_optional():
    found = from_listed(
        {"q": {"type": "str", "default": "x"}, "n": {"type": "int, optional", "default": 3}}
    )
    assert found["required"] == ["q"]
    assert found["properties"]["n"] == {"type": "integer", "default": 3}
    assert not_required(found, {"q"})["required"] == []


def test_listed_parameters_that_are_a_schema_already_stay_one():
    schema = {"type": "object", "properties": {"q": {"type": "string"}}, "required": []}
    assert from_listed(schema) == schema


def test_what_is_no_schema_is_named():
    with pytest.raises(RowFault, match="parameters.q: is no object"):
        from_listed({"q": "str"})
    deep: dict = {}
    for _ in range(100):
        deep = {"type": "dict", "properties": {"a": deep}}
    with pytest.raises(RowFault, match="nested more than 40 levels"):
        from_pythonic(deep)
