"""The importer of RLLA, ToolRL's data."""

import pytest
from support.importing import imported, problems, save

from lt_bench.text.history import messages_of

TOOLS = (
    "Help.\n\n**Available Tools**\nIn your response, you can use the following tools:\n"
    '1. Name: look up\nDescription: Finds words.\nParameters: {"word": {"description": "w", "type": "str", "default": ""}, '
    '"n": {"description": "n", "type": "int, optional", "default": 3}}\n'
    '2. Name: speak\nDescription: Says it.\nParameters: {"text": {"type": "string", "default": ""}}\n\n'
    "**Steps for Each Turn**\n1. **Think:** 1. Name: not a tool\n"
)
HEAD = "**Dialogue Records History**\n"


def row(
    input_="<user> What is a cat? </user>",
    output="<think> t </think>\n<response> A pet. </response>",
):
    return {"instruction": TOOLS, "input": HEAD + input_, "output": output}


def call(name, **parameters):
    import json

    return json.dumps({"name": name, "parameters": parameters})


def test_calls_of_the_next_step_are_gold(tmp_path):
    output = f"<think> quoted <tool_call> tags </think>\n<tool_call>\n{call('look up', word='cat')}\n{call('speak', text='cat')}\n</tool_call>"
    (found,) = imported("rlla", save(tmp_path, [row(output=output)]))
    assert [one.name for one in found.gold.calls] == ["look up", "speak"]
    assert found.gold.type == "call"
    assert found.question == "What is a cat?"
    first = found.tools[0]["function"]
    assert (first["name"], first["description"]) == ("look up", "Finds words.")
    assert first["parameters"]["required"] == ["word"]
    assert len(found.tools) == 2


def test_a_reply_without_calls_calls_nothing(tmp_path):
    (found,) = imported("rlla", save(tmp_path, [row()]))
    assert found.gold.type == "no_call"
    assert found.gold.answer.reference == "A pet."


def test_what_gold_leaves_out_is_not_required(tmp_path):
    output = f"<think> t </think>\n<tool_call>\n{call('look up')}\n</tool_call>"
    (found,) = imported("rlla", save(tmp_path, [row(output=output)]))
    assert found.tools[0]["function"]["parameters"]["required"] == []


def test_past_calls_and_results_become_messages_of_their_own(tmp_path):
    said = (
        f"<user> Cat? </user>\n\n<think> hm </think>\n<tool_call>\n{call('look up', word='cat')}\n"
        f"{call('speak', text='cat')}\n</tool_call>\n"
        '<obs> [{"name": "look up", "results": {"a": "pet"}}, {"name": "speak", "results": "ok"}] </obs>\n\n'
        "<think> t </think>\n<response> A pet. </response>\n\n<user> And a dog? </user>"
    )
    (found,) = imported("rlla", save(tmp_path, [row(said)]))
    assert found.question == "And a dog?"
    assert "history:tools" in found.tags
    assert "hm" not in str(found.history)
    messages = messages_of(found.history)
    assert [message.role for message in messages] == [
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
    ]
    assert [one.name for one in messages[1].tool_calls] == ["look up", "speak"]


def test_rows_of_the_reinforcement_set_are_the_same(tmp_path):
    plain = row()
    other = {
        "data_source": "rlla",
        "prompt": [
            {"role": "system", "content": plain["instruction"]},
            {"role": "user", "content": plain["input"]},
        ],
        "reward_model": {"style": "rule", "ground_truth": plain["output"]},
    }
    (one,) = imported("rlla", save(tmp_path, [plain], "a.jsonl"))
    (two,) = imported("rlla", save(tmp_path, [other], "b.jsonl"))
    assert one == two


def test_a_row_that_goes_on_after_a_result_is_left_out_with_a_word(tmp_path):
    going_on = row(
        f"<user> Cat? </user>\n<tool_call>\n{call('speak')}\n</tool_call>\n<obs> ok </obs>"
    )
    path = save(tmp_path, [going_on, row()])
    assert len(imported("rlla", path)) == 1
    assert problems("rlla", path) == [
        "line 1: 1 rows are left out: they go on after a tool's result"
    ]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"output": "Hello."}, "output: has neither <tool_call> nor <response>"),
        ({"output": "<tool_call>{broken</tool_call>"}, "output.tool_call: is broken JSON"),
        ({"output": '<tool_call>["x"]</tool_call>'}, "output.tool_call: is no call with a name"),
        ({"output": '<tool_call>{"name": "fly"}</tool_call>'}, "calls: the row has no tool 'fly'"),
        ({"input": "nothing said"}, "input: does not end with <user>"),
        ({"instruction": "no tools"}, "instruction: lists no tool"),
        ({"input": 3}, "input: is no text"),
        ({"prompt": [1]}, "prompt: is not a system and a user message"),
        ({"prompt": [1, 2], "reward_model": {}}, "content: is missing"),
    ],
)
def test_what_does_not_fit_is_told_with_its_field(tmp_path, changed, said):
    (found,) = problems("rlla", save(tmp_path, [{**row(), **changed}]))
    assert found.startswith(f"line 1, {said}")


def test_the_shared_rows_all_import(shared_data):
    path = shared_data / "tools" / "toolrl_rlla_sft_shared.jsonl"
    found = imported("rlla", path)
    assert len(found) == 58
    assert sum(one.gold.type == "call" for one in found) == 57
    assert all(one.tools for one in found)
    (said,) = problems("rlla", path)
    assert "2 rows are left out" in said
