"""The importer of the Berkeley Function-Calling Leaderboard."""

import json

import pytest
from support.importing import imported, problems, save

from lt_bench.builders.importers.bfcl_gold import gold_of
from lt_bench.builders.problem import RowFault
from lt_bench.errors import UsageError
from lt_bench.records import ToolCall
from lt_bench.scorers.tools.bfcl import bfcl_fault, parameters_of

FUNCTION = {
    "name": "geo.area",
    "description": "Area.",
    "parameters": {
        "type": "dict",
        "properties": {"n": {"type": "float"}, "spot": {"type": "dict", "properties": {}}},
        "required": ["n"],
    },
}


def row(id_="simple_python_1", **changes):
    return {
        "id": id_,
        "question": [[{"role": "user", "content": "How large?"}]],
        "function": [FUNCTION],
        **changes,
    }


def answers(*pairs):
    return [{"id": name, "ground_truth": truth} for name, truth in pairs]


TRUTH = [{"geo.area": {"n": [2.5, 3], "spot": [{"lat": [1], "lon": [2, ""]}, ""]}}]


def files(folder, rows, truths, name="BFCL_v4_simple_python.json"):
    (folder / "possible_answer").mkdir(exist_ok=True)
    save(folder / "possible_answer", truths, name)
    return save(folder, rows, name)


# --- gold


def test_nested_answers_stand_for_every_choice():
    gold = gold_of(TRUTH[0], "gold")
    assert gold.arguments == {"n": 2.5, "spot": {"lat": 1, "lon": 2}}
    assert gold.accept["n"] == (2.5, 3)
    assert gold.accept["spot"] == ({"lat": 1, "lon": 2}, {"lat": 1})
    assert gold.optional == ("spot",)


def test_objects_in_arrays_stand_for_every_choice_too():
    gold = gold_of({"f": {"xs": [[{"a": [1, 2]}, {"b": [3]}], [[5]]]}}, "gold")
    assert gold.accept["xs"] == ([{"a": 1}, {"b": 3}], [{"a": 2}, {"b": 3}], [[5]])


def test_an_argument_that_may_only_be_left_out_has_no_value():
    gold = gold_of({"f": {"x": [""]}}, "gold")
    assert gold.arguments == {}
    assert gold.accept == {"x": ()}
    assert gold.optional == ("x",)


@pytest.mark.parametrize("broken", [3, {}, {"f": 1}, {"f": {"x": 1}}, {"f": {}, "g": {}}, None])
def test_answers_of_another_form_are_refused(broken):
    with pytest.raises(RowFault):
        gold_of(broken, "gold")


def test_answers_that_explode_are_refused():
    wide = {f"k{i}": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] for i in range(20)}
    with pytest.raises(RowFault, match="over 4,096 values"):
        gold_of({"f": {"x": [wide]}}, "gold")


# --- files


def test_questions_find_their_answers_in_the_folder_beside_them(tmp_path):
    path = files(tmp_path, [row()], answers(("simple_python_1", TRUTH)))
    (found,) = imported("bfcl", path)
    assert found.id == "simple_python_1"
    assert found.task == "tool_dialogue"
    assert found.question == "How large?"
    assert found.tags == ("bfcl", "category:simple_python")
    assert found.license == "Apache-2.0"
    assert found.gold.type == "call"
    (tool,) = found.tools
    assert tool["function"]["parameters"]["type"] == "object"
    assert tool["function"]["parameters"]["properties"]["n"] == {"type": "number"}


def test_a_folder_holds_every_category_and_what_needs_a_world_is_left_out_by_name(tmp_path):
    files(tmp_path, [row()], answers(("simple_python_1", TRUTH)))
    save(tmp_path, [row("irrelevance_0")], "BFCL_v4_irrelevance.json")
    save(tmp_path, [{"id": "m", "question": []}], "BFCL_v4_multi_turn_base.json")
    found = imported("bfcl", tmp_path)
    assert [one.id for one in found] == ["irrelevance_0", "simple_python_1"]
    assert found[0].gold.type == "no_call"
    (said,) = problems("bfcl", tmp_path)
    assert "BFCL_v4_multi_turn_base.json is left out" in said


def test_all_files_that_are_read_are_named(tmp_path):
    from lt_bench.builders.importers.bfcl import Bfcl

    path = files(tmp_path, [row()], answers(("simple_python_1", TRUTH)))
    save(tmp_path, [row("irrelevance_0")], "BFCL_v4_irrelevance.json")
    assert Bfcl({}).files(path) == (path, tmp_path / "possible_answer" / path.name)
    assert len(Bfcl({}).files(tmp_path)) == 3


def test_what_was_said_to_the_agent_first_is_its_policy(tmp_path):
    question = [
        [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "One?"},
            {"role": "assistant", "content": "Two."},
            {"role": "user", "content": "Three?"},
        ]
    ]
    path = save(tmp_path, [row(question=question, category="live_irrelevance")])
    (found,) = imported("bfcl", path)
    assert found.documents[0].text == "Be brief."
    assert [line.content for line in found.history] == ["One?", "Two."]
    assert found.question == "Three?"


def test_relevance_rows_have_no_gold_since_nobody_says_which_call(tmp_path):
    (found,) = imported("bfcl", save(tmp_path, [row(category="live_relevance")]))
    assert found.gold is None


def test_dots_are_written_as_openai_asks_on_demand(tmp_path):
    path = files(tmp_path, [row()], answers(("simple_python_1", TRUTH)))
    (found,) = imported("bfcl", path, names="underscore")
    assert found.tools[0]["function"]["name"] == "geo_area"
    assert found.gold.calls[0].name == "geo_area"


def test_an_answer_that_nothing_meets_is_the_sets_own_slip(tmp_path):
    path = save(
        tmp_path,
        [
            row(category="live_simple", ground_truth=[{"geo.area": {"n": []}}]),
            row("b", category="irrelevance"),
        ],
    )
    assert [one.id for one in imported("bfcl", path)] == ["b"]
    (said,) = problems("bfcl", path)
    assert "line 1, ground_truth.0.geo.area.n: accepts no value; left out" in said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "category: is missing"),
        ({"category": "simple_python"}, "ground_truth: 'simple_python_1' has none"),
        ({"category": "irrelevance", "question": [[]]}, "question: does not end with the user"),
        ({"category": "irrelevance", "question": [[{"role": "user", "content": " "}]]}, "question: is empty"),
        ({"category": "irrelevance", "function": [{"name": 3}]}, "function.0"),
        ({"category": "irrelevance", "question": "How?"}, "question"),
        ({"category": "x", "ground_truth": [{"other": {}}]}, "calls: the row has no tool 'other'"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_with_its_field(tmp_path, changes, said):
    (found,) = problems("bfcl", save(tmp_path, [row(**changes)]))
    assert found.startswith("line 1")
    assert said in found


def test_a_folder_without_questions_and_an_unknown_option_are_refused(tmp_path):
    with pytest.raises(UsageError, match="has no BFCL_v4"):
        imported("bfcl", tmp_path)
    with pytest.raises(UsageError, match="unknown key 'categorie'"):
        imported("bfcl", tmp_path, categorie="x")


def test_a_file_of_answers_that_is_broken_is_named(tmp_path):
    path = files(tmp_path, [row()], [{"id": "simple_python_1"}])
    with pytest.raises(UsageError, match="line 1: no id with a list ground_truth"):
        imported("bfcl", path)


# --- real rows


def test_the_shared_rows_all_import(shared_data):
    path = shared_data / "tools" / "bfcl_shared.jsonl"
    found = imported("bfcl", path)
    assert len(found) == 53
    (said,) = problems("bfcl", path)
    assert "2 rows are left out: multi_turn_base" in said
    assert {one.lang for one in found} >= {"en", "mix"}


def test_every_case_gets_the_official_verdict_through_the_importer(shared_data):
    rows = {one.id: one for one in imported("bfcl", shared_data / "tools" / "bfcl_shared.jsonl")}
    cases = [
        json.loads(line)
        for line in (shared_data / "tools" / "bfcl_ast_cases_shared.jsonl").read_text().splitlines()
        if line.strip()
    ]
    assert len(cases) == 359
    for case in cases:
        example = rows[case["bfcl_id"]]
        calls = [
            ToolCall(name=name, arguments=arguments)
            for one in case["model_output"]
            for name, arguments in one.items()
        ]
        fault = bfcl_fault(calls, example.gold, parameters_of(example.tools))
        assert (fault is None) == case["valid"], (case["bfcl_id"], case["mutation"], fault)


def test_gold_calls_pass_their_own_match(shared_data):
    for example in imported("bfcl", shared_data / "tools" / "bfcl_shared.jsonl"):
        if example.gold:
            calls = [ToolCall(name=one.name, arguments=one.arguments) for one in example.gold.calls]
            assert bfcl_fault(calls, example.gold, parameters_of(example.tools)) is None, example.id
