"""The importer of xLAM's function calling data, on rows of our own in its published schema."""

import json

import pytest
from support.importing import imported, problems, save

TOOLS = [
    {
        "name": "live_giveaways_by_type",
        "description": "Giveaways.",
        "parameters": {
            "type": {"description": "Kind.", "type": "str", "default": "game"},
            "page": {"description": "Page.", "type": "int, optional"},
        },
    }
]
ANSWERS = [{"name": "live_giveaways_by_type", "arguments": {"type": "beta"}}]


def row(**changes):
    return {
        "id": 0,
        "query": "Beta giveaways?",
        "tools": json.dumps(TOOLS),
        "answers": json.dumps(ANSWERS),
        **changes,
    }


def test_a_row_with_json_in_strings(tmp_path):
    (found,) = imported("xlam", save(tmp_path, [row()]))
    assert found.id == "xlam-0"
    assert found.question == "Beta giveaways?"
    assert found.gold.calls[0].arguments == {"type": "beta"}
    parameters = found.tools[0]["function"]["parameters"]
    assert parameters["required"] == ["type"]
    assert parameters["properties"]["type"] == {
        "type": "string",
        "description": "Kind.",
        "default": "game",
    }
    assert found.license == "CC-BY-4.0"


def test_json_that_is_no_string_and_one_array_are_read_too(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([row(tools=TOOLS, answers=ANSWERS)]))
    assert imported("xlam", path)[0].gold.calls[0].name == "live_giveaways_by_type"


def test_parquet_is_read(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "rows.parquet"
    parquet.write_table(pyarrow.Table.from_pylist([row()]), path)
    assert len(imported("xlam", path)) == 1


def test_no_answer_means_that_nothing_is_called(tmp_path):
    (found,) = imported("xlam", save(tmp_path, [row(answers="[]")]))
    assert found.gold.type == "no_call"


def test_a_parameter_called_type_or_properties_is_a_parameter(tmp_path):
    tools = [
        {
            "name": "f",
            "description": "",
            "parameters": {"type": {"type": "str"}, "properties": {"type": "dict"}},
        }
    ]
    (found,) = imported("xlam", save(tmp_path, [row(tools=json.dumps(tools), answers="[]")]))
    assert set(found.tools[0]["function"]["parameters"]["properties"]) == {"type", "properties"}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"tools": "[{"}, "tools: is broken JSON"),
        ({"tools": '{"a": 1}'}, "tools: is no list of objects"),
        ({"tools": '[{"name": 1}]'}, "tools.0: has no name with parameters"),
        ({"answers": None}, "answers: is no list of objects"),
        ({"answers": '[{"name": "fly"}]'}, "calls: the row has no tool 'fly'"),
        ({"answers": '[{"arguments": {}}]'}, "answers.0: is no call with a name"),
        ({"query": ""}, "question: is empty"),
        ({"query": 7}, "query: is no text"),
        ({"id": [1]}, "id: is no number or text"),
        ({"answers": "[" * 100_000}, "answers: is broken JSON"),
    ],
)
def test_what_does_not_fit_is_told_with_its_field(tmp_path, changed, said):
    (found,) = problems("xlam", save(tmp_path, [row(**changed)]))
    assert found.startswith(f"line 1, {said}")


def test_two_rows_of_one_id_are_told_apart(tmp_path):
    (found,) = problems("xlam", save(tmp_path, [row(), row()]))
    assert "'xlam-0' is on line 1 already" in found
