"""The importer of APIGen-MT, on rows of our own in its published schema."""

import json

import pytest
from support.importing import imported, problems, save

from lt_bench.text.history import messages_of

SCHEMA = {"type": "object", "properties": {}, "required": []}
TOOLS = [
    {"name": name, "description": name, "parameters": SCHEMA}
    for name in ("find_user", "cancel", "think")
]


def said(speaker, value):
    return {"from": speaker, "value": value}


def call(tool, **arguments):
    return said("function_call", json.dumps({"name": tool, "arguments": arguments}))


DIALOGUE = [
    said("human", "Cancel W1, I am Mia."),
    call("find_user", name="Mia"),
    said("observation", "u1"),
    call("think", thought="May I?"),
    said("observation", ""),
    call("cancel", order="W1"),
    said("observation", "done"),
    said("gpt", "It is cancelled."),
    said("human", "Thanks!"),
    said("gpt", "You are welcome."),
]


def row(**changes):
    return {
        "system": "# Rules",
        "tools": json.dumps(TOOLS),
        "conversations": DIALOGUE,
        **changes,
    }


def test_every_message_of_the_human_is_a_row(tmp_path):
    first, second = imported("apigen_mt", save(tmp_path, [row()]))
    assert first.question == "Cancel W1, I am Mia."
    assert [one.name for one in first.gold.calls] == ["find_user"]
    assert first.gold.answer.reference == "It is cancelled."
    assert first.documents[0].text == "# Rules"
    assert second.question == "Thanks!"
    assert second.gold.type == "no_call"
    assert first.group == second.group
    assert first.license == "CC-BY-NC-4.0"


def test_all_calls_until_the_agent_speaks_on_demand(tmp_path):
    first, _ = imported("apigen_mt", save(tmp_path, [row()]), steps="all")
    assert [one.name for one in first.gold.calls] == ["find_user", "cancel"]
    assert first.gold.order == "strict"


def test_thinking_is_neither_offered_nor_expected_nor_told(tmp_path):
    first, second = imported("apigen_mt", save(tmp_path, [row()]))
    assert [one["function"]["name"] for one in first.tools] == ["find_user", "cancel"]
    roles = [message.role for message in messages_of(second.history)]
    assert roles == ["user", "assistant", "tool", "assistant", "tool", "assistant"]
    assert "May I?" not in str(second.history)


def test_a_dialogue_that_ends_with_the_human_has_no_gold_there(tmp_path):
    found = imported("apigen_mt", save(tmp_path, [row(conversations=DIALOGUE[:9])]))
    assert [one.question for one in found] == ["Cancel W1, I am Mia."]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"tools": None}, "tools: is no list of objects"),
        ({"tools": "[{}]"}, "tools: one has no name"),
        (
            {"tools": json.dumps([{**TOOLS[1], "parameters": {**SCHEMA, "required": None}}])},
            "tools.0.function.parameters.required: is no list of names",
        ),
        ({"conversations": "x"}, "conversations: is broken JSON"),
        ({"conversations": [said("robot", "x")]}, "conversations.0.from: 'robot' is no speaker"),
        ({"conversations": [said("human", 3)]}, "conversations.0.value: is no text"),
        ({"conversations": [said("function_call", "{")]}, "conversations.0: is broken JSON"),
        ({"conversations": [said("human", "a"), call("fly")]}, "calls: the row has no tool 'fly'"),
        ({"system": 3}, "system: is no text"),
    ],
)
def test_what_does_not_fit_is_told_with_its_field(tmp_path, changed, told):
    (found,) = problems("apigen_mt", save(tmp_path, [row(**changed)]))
    assert found.startswith(f"line 1, {told}")
