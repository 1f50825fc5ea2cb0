"""The importer of the retail tasks of tau-bench and tau2-bench."""

import json

import pytest
from support.importing import imported, problems, save

from lt_bench.errors import UsageError

TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}
    for name in ("find", "cancel")
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "retail_tools.json").write_text(json.dumps(TOOLS))
    return tmp_path


def task(*actions, outputs=()):
    return {
        "annotator": "x",
        "user_id": "u",
        "instruction": "You are Mia. Cancel W1.",
        "actions": [{"name": name, "kwargs": {"id": "W1"}} for name in actions],
        "outputs": list(outputs),
    }


def tau2(*actions, told=("10",), instructions=None):
    return {
        "id": "7",
        "user_scenario": {
            "instructions": instructions
            or {"reason_for_call": "Cancel W1.", "known_info": "You are Mia.", "unknown_info": None}
        },
        "evaluation_criteria": {
            "actions": [{"name": name, "arguments": {"id": "W1"}} for name in actions],
            "communicate_info": list(told),
        },
    }


def test_the_gold_chain_and_what_must_be_said(folder):
    (found,) = imported("tau", save(folder, [task("find", "cancel", outputs=["54.04"])]))
    assert [(one.name, one.arguments) for one in found.gold.calls] == [
        ("find", {"id": "W1"}),
        ("cancel", {"id": "W1"}),
    ]
    assert found.gold.answer.must_include == ("54.04",)
    assert found.gold.end_state is None
    assert found.world is None
    assert found.question == "You are Mia. Cancel W1."
    assert found.tools == tuple(TOOLS)
    assert "question:scenario" in found.tags


def test_tasks_of_tau2_put_their_scenario_together(folder):
    (found,) = imported("tau", save(folder, [tau2("cancel")]))
    assert found.id == "tau2-7"
    assert found.question == "Cancel W1.\nYou are Mia."
    assert found.gold.answer.must_include == ("10",)
    assert found.source == "sierra-research/tau2-bench:retail"


def test_a_scenario_in_one_text_is_taken_as_it_is(folder):
    (found,) = imported("tau", save(folder, [tau2("cancel", instructions="Cancel it all.")]))
    assert found.question == "Cancel it all."


def test_a_policy_is_what_the_agent_is_told_first(folder):
    (folder / "policy.md").write_text("# Be strict\n")
    (found,) = imported("tau", save(folder, [task("find")]), policy=str(folder / "policy.md"))
    assert found.documents[0].text == "# Be strict"


def test_tasks_with_a_tool_that_is_not_there_are_left_out_with_a_word(folder):
    path = save(folder, [task("fly"), task("find")])
    assert len(imported("tau", path)) == 1
    assert problems("tau", path) == ["line 1, actions: left out: there is no tool 'fly'"]


def test_the_tools_must_be_told_where_no_one_file_has_them(tmp_path):
    path = save(tmp_path, [task("find")])
    with pytest.raises(UsageError, match="which file beside .* has the tools"):
        imported("tau", path)
    (tmp_path / "mine.json").write_text(json.dumps(TOOLS))
    assert imported("tau", path, tools=str(tmp_path / "mine.json"))
    (tmp_path / "mine.json").write_text('[{"name": "find"}]')
    with pytest.raises(UsageError, match="not in OpenAI's form"):
        imported("tau", path, tools=str(tmp_path / "mine.json"))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"instruction": None}, "instruction: is no text"),
        ({"actions": "all"}, "actions: is broken JSON"),
        ({"actions": [3]}, "actions: is no list of objects"),
        ({"actions": [{"name": "find", "kwargs": [1]}]}, "actions.0.kwargs: is no object"),
        ({"outputs": [4]}, "outputs: is no list of texts"),
        ({"evaluation_criteria": 4}, "evaluation_criteria: is no object"),
        ({"evaluation_criteria": {}}, "user_scenario.instructions: is neither text nor object"),
    ],
)
def test_what_does_not_fit_is_told_with_its_field(folder, changed, said):
    (found,) = problems("tau", save(folder, [{**task("find"), **changed}]))
    assert found.startswith(f"line 1, {said}")


def test_the_shared_tasks_import_with_their_tools(shared_data):
    tools = shared_data / "tools"
    found = imported("tau", tools / "taubench_retail_train_shared.jsonl")
    assert len(found) == 100
    assert all(one.gold.calls and len(one.tools) == 16 for one in found)
    policy = str(tools / "tau2_retail_policy.md")
    more = imported("tau", tools / "tau2_retail_tasks_shared.jsonl", policy=policy)
    assert len(more) == 73
    assert sum(bool(one.gold.answer) for one in more) >= 10
    assert more[0].documents[0].text.startswith("# Retail agent policy")
