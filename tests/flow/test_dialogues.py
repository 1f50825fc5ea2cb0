"""Dialogues with tools through the real command: agents of every kind, kill -9, resume, refusals."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.agents import Agent, at_random, native, perfect, serving, shop_rows, write_task
from support.process import kill_when, server_process
from support.runs import card, generations, scores
from support.server import Reply, serve
from support.warm import lt_bench, start

from lt_bench import evaluate
from lt_bench.backends.choose import open_model
from lt_bench.errors import UsageError
from lt_bench.records import Example, ResultCard, Sample
from lt_bench.run import Ask, prepare, run_evaluation, run_to_end
from lt_bench.task import Task

ROWS = shop_rows(12)
CALLED = [row for row in ROWS if row.gold.calls]  # type: ignore[union-attr]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_task(tmp_path, ROWS)
    return tmp_path


def asked(folder: Path, model: str, **given: Any) -> ResultCard:
    """The card of a run in this process."""
    return evaluate(
        model, task="shop_talk", run=folder / "run", catalogs=[folder / "catalog"], **given
    )


def served(folder: Path, agent: Agent, **given: Any) -> tuple[ResultCard, Any]:
    with serve(serving(ROWS, agent)) as server:
        return asked(folder, "openai/agent", base_url=server.url, **given), server


def samples(folder: Path) -> dict[str, Sample]:
    lines = (folder / "run" / "generations.jsonl").read_text("utf-8").splitlines()
    found = [Sample.model_validate_json(line) for line in lines]
    return {one.key.example_id: one for one in found}


ACCURACIES = (
    "tool_precision", "tool_recall", "tool_f1", "argument_accuracy", "no_call_accuracy",
    "clarify_accuracy", "answer_correctness", "state_match", "task_success",
)  # fmt: skip


def assert_perfect(found: ResultCard, rows: int = len(ROWS)) -> None:
    values = {name: found.metrics[name].value for name in ACCURACIES}
    assert values == dict.fromkeys(ACCURACIES, 1.0)
    assert found.metrics["over_calling"].value == 0.0
    assert found.metrics["under_calling"].value == 0.0
    assert found.samples["ok"] == rows


def test_a_perfect_agent_behind_a_server_scores_one(folder: Path) -> None:
    with serve(serving(ROWS, perfect)) as server:
        done = lt_bench(
            *("eval", "openai/agent", "--catalog", "catalog", "--task", "shop_talk", "--json"),
            *("--run", folder / "run", "--base-url", server.url),
            cwd=folder,
        )
    assert done.returncode == 0, done.stderr
    found = ResultCard.model_validate_json(done.stdout)
    assert_perfect(found)
    turns = Counter(len(one.generation.turns) for one in samples(folder).values() if one.generation)
    assert turns == {2: len(CALLED), 1: len(ROWS) - len(CALLED)}
    assert len(server.calls) == len(ROWS) + len(CALLED)
    later = next(call.body for call in server.calls if len(call.body["messages"]) > 3)
    assert [one["role"] for one in later["messages"][2:4]] == ["assistant", "tool"]
    assert later["messages"][3]["tool_call_id"] == later["messages"][2]["tool_calls"][0]["id"]
    assert json.loads(later["messages"][2]["tool_calls"][0]["function"]["arguments"])
    assert "reasoning" not in later["messages"][2]
    assert len(later["tools"]) == len(ROWS[0].tools)
    assert len({call.body["seed"] for call in server.calls}) == len(server.calls)


def test_a_perfect_agent_that_writes_its_calls_as_text_scores_one(folder: Path) -> None:
    def texts(row: Example, turn: int) -> Reply:
        reply = perfect(row, turn)
        calls = [
            {"name": one["function"]["name"], "arguments": json.loads(one["function"]["arguments"])}
            for one in reply.tool_calls
        ]
        text = "\n".join(f"<tool_call>\n{json.dumps(one)}\n</tool_call>" for one in calls)
        return Reply(f"<think>Hm.</think>{reply.content or ''}{text}")

    assert_perfect(served(folder, texts)[0])


def test_thoughts_are_sent_back_in_the_field_that_is_named(folder: Path) -> None:
    _, server = served(folder, perfect, thoughts="reasoning_content")
    later = [call.body["messages"][2] for call in server.calls if len(call.body["messages"]) > 3]
    assert {one["reasoning_content"] for one in later} == {"I must look."}


def test_a_random_agent_behind_a_server_succeeds_nowhere(folder: Path) -> None:
    found, _ = served(folder, at_random)
    assert found.metrics["task_success"].value == 0.0
    assert found.metrics["no_call_accuracy"].value == 0.0


@pytest.mark.parametrize("pace", ["together", "one_by_one"])
def test_the_scripted_gold_agent_is_perfect(folder: Path, pace: str) -> None:
    sample = "catalog/tasks/shop_talk/sample/test.jsonl"
    script = {
        "count": "words",
        "rules": [{"answer": {"agent": "gold", "data": sample, "pace": pace}}],
    }
    (folder / "gold.yaml").write_text(json.dumps(script))
    found = asked(folder, f"scripted/{folder / 'gold.yaml'}")
    if pace == "together":
        assert_perfect(found)
    assert found.metrics["task_success"].value == 1.0
    assert found.metrics["tool_f1"].value == 1.0
    assert found.metrics["tpr"].value


def test_the_scripted_random_agent_hardly_succeeds(folder: Path) -> None:
    (folder / "random.yaml").write_text("rules: [{answer: {agent: random}}]")
    found = asked(folder, f"scripted/{folder / 'random.yaml'}")
    assert (found.metrics["task_success"].value or 0.0) <= 0.05
    assert found.samples["ok"] == len(ROWS)


# --- The task that ships ---------------------------------------------------------------------

SHIPPED = Task.load("tool_dialogue")


def shipped(folder: Path, model: str, **given: Any) -> ResultCard:
    return evaluate(model, task="tool_dialogue", run=folder / "shipped", **given)


def test_the_shipped_rows_are_all_within_reach_of_a_server_with_native_calls(
    tmp_path: Path,
) -> None:
    rows = SHIPPED.examples(SHIPPED.sample)
    with serve(serving(rows, perfect, SHIPPED)) as server:
        found = shipped(tmp_path, "openai/agent", base_url=server.url)
    assert_perfect(found, len(rows))


@pytest.mark.parametrize("agent", ["gold", "random"])
def test_scripted_agents_on_the_shipped_rows(agent: str, tmp_path: Path) -> None:
    task = ", task: tool_dialogue" if agent == "gold" else ""
    (tmp_path / "s.yaml").write_text(f"rules: [{{answer: {{agent: {agent}{task}}}}}]")
    found = shipped(tmp_path, f"scripted/{tmp_path / 's.yaml'}")
    if agent == "gold":
        assert_perfect(found, 100)
    assert agent == "gold" or (found.metrics["task_success"].value or 0.0) <= 0.05


def test_every_way_to_call_wrongly_has_an_outcome(folder: Path) -> None:
    product = CALLED[1].gold.calls[0].arguments["product_id"]  # type: ignore[union-attr]
    right = native("get_product", json.dumps({"product_id": product}), 1)

    def agent(row: Example, turn: int) -> Reply:
        number = int(row.id.rpartition("-")[2])
        if turn and number % 4 != 2:
            return Reply("So be it.")
        match number % 4:
            case 0:
                return Reply("", tool_calls=(native("get_product", '{"product_id": '),))
            case 1:
                return Reply("", tool_calls=(native("fly", "{}"),))
            case 2:
                return Reply("Still looking.", tool_calls=(right,))
        return Reply("It is here.", tool_calls=(right, native("get_product", '{"product": 1}', 2)))

    found, _ = served(folder, agent)
    assert found.note_counts == {"malformed_call": 3, "unknown_tool": 3, "turns_exhausted": 3}
    assert found.samples == {"ok": 9, "truncated": 3}
    assert any("task.max_turns" in one for one in found.warnings)
    rows = samples(folder)
    malformed, unknown, endless, both = (rows[f"shop-{n}"].generation for n in range(4))
    assert malformed
    assert unknown
    assert endless
    assert both
    assert "no JSON object" in malformed.turns[0].tool_results[0].content
    assert "fly" in unknown.turns[0].tool_results[0].content
    assert len(endless.turns) == 4
    assert [one.error for one in both.turns[0].tool_results] == [False, True]
    assert (both.turns[0].reply, both.reply) == ("It is here.", "So be it.")


def test_a_fault_in_the_middle_is_asked_again_by_the_same_command(folder: Path) -> None:
    broken = {"shop-0", "shop-5"}

    def agent(row: Example, turn: int) -> Reply:
        if row.id in broken and turn:
            return Reply(status=400, error={"message": "out of order"})
        return perfect(row, turn)

    found, _ = served(folder, agent)
    assert found.samples["error"] == 2
    found, server = served(folder, perfect)
    assert_perfect(found)
    assert len(server.calls) == 4


# --- kill -9 ---------------------------------------------------------------------------------


def answers(folder: Path) -> Path:
    """The perfect agent as a table for the server process: the result of a call stands in the prompt
    only in the second turn, and names the row."""
    table: dict[str, Any] = {}
    for row in ROWS:
        reply = perfect(row, 1)
        table[row.question] = [{"content": reply.content, "tool_calls": []}]
    for row in CALLED:
        calls = list(perfect(row, 0).tool_calls)
        said = {"content": perfect(row, 1).content}
        table[row.question] = [
            {"content": None, "tool_calls": calls, "finish_reason": "tool_calls"}
        ]
        first = next(iter(row.gold.calls[0].arguments.values()))  # type: ignore[union-attr]
        table = {
            f"{row.question}\n\n{{": [said],
            f"{row.question}\n{{": [said],
            **table,
            first: [said],
        }
    file = folder / "answers.json"
    file.write_text(json.dumps(table))
    return file


def test_killed_in_the_middle_of_dialogues_a_run_resumes_to_the_same_rows(folder: Path) -> None:
    with server_process(folder, "--delay", "0.05", "--answers", str(answers(folder))) as url:

        def arguments(run: str) -> list[str | Path]:
            return [
                *("eval", "openai/agent", "--base-url", url, "--catalog", "catalog"),
                *("--task", "shop_talk", "--run", folder / run, "--concurrency", "3", "--json"),
            ]

        whole = lt_bench(*arguments("whole"), cwd=folder)
        assert whole.returncode == 0, whole.stderr
        assert any(
            len(one["generation"]["turns"]) == 2 for one in generations(folder / "whole").values()
        )
        for point in range(2):
            draw, run = random.Random(point), folder / f"killed-{point}"
            journal = run / "generations.jsonl"
            process = start(*arguments(run.name), cwd=folder)
            kill_when(process, journal, draw.randrange(1, 9), draw.uniform(0, 0.06))
            before = generations(run)
            done = lt_bench(*arguments(run.name), cwd=folder)
            assert done.returncode == 0, done.stderr
            assert before.items() <= generations(run).items()
            assert generations(run) == generations(folder / "whole")
            assert scores(run) == scores(folder / "whole")
            assert card(run) == card(folder / "whole")


# --- What goes with it and what does not -----------------------------------------------------


def test_another_cap_of_turns_is_another_run(folder: Path) -> None:
    served(folder, perfect)
    with pytest.raises(UsageError, match="max_turns"):
        served(folder, perfect, settings={"task.max_turns": 2})


@pytest.mark.parametrize(
    ("model", "given", "said"),
    [
        ("openai/x", {"batch": True}, "--batch does not go with row 'shop-0'"),
        (
            "openai/x",
            {"settings": {"backend.batch": True}},
            "--batch does not go with row 'shop-0'",
        ),
        ("openai/x", {"settings": {"task.max_turns": 0}}, "max_turns 0"),
        ("replay/s.yaml", {"tool_form": "hermse"}, "Did you mean 'hermes'"),
        ("openai/x", {"tool_form": "hermse"}, "Did you mean 'hermes'"),
        ("hf/x", {"tool_form": "hermse"}, "Did you mean 'hermes'"),
        ("openai/x", {"thoughts": "thinking"}, "thoughts"),
    ],
)
def test_what_does_not_go_with_dialogues_is_refused(
    folder: Path, model: str, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError) as caught:
        asked(folder, model, **given)
    assert said in str(caught.value)
    assert not (folder / "run").exists()


def test_latency_is_for_answers_of_one_turn(folder: Path) -> None:
    done = lt_bench(
        *("latency", "openai/x", "--base-url", "http://127.0.0.1:9/v1", "--rate", "1"),
        *("--deadline", "1", "--catalog", "catalog", "--task", "shop_talk"),
        cwd=folder,
    )
    assert done.returncode == 2, done.stdout
    assert "dialogues with tools" in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 6


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"world": {"kind": "shop", "seed": 1, "patch": {"drawers": {}}}}, "drawers"),
        ({"world": {"kind": "shap", "seed": 1}}, "Did you mean 'shop'"),
        (
            {"tools": [{"type": "function", "function": {"name": "fly"}}], "gold": None},
            "offers fly",
        ),
    ],
)
def test_a_world_that_does_not_fit_is_found_before_anything_is_asked(
    folder: Path, change: dict[str, Any], said: str
) -> None:
    row = json.loads(ROWS[0].model_dump_json()) | change
    (folder / "odd.jsonl").write_text(json.dumps(row))
    with pytest.raises(UsageError) as caught:
        asked(folder, "openai/x", base_url="http://127.0.0.1:9/v1", data=folder / "odd.jsonl")
    assert said in str(caught.value)


def test_a_dry_run_shows_the_tools_and_how_many_requests_there_may_be(folder: Path) -> None:
    done = lt_bench(
        *("eval", "openai/x", "--catalog", "catalog", "--task", "shop_talk", "--dry-run"),
        *("--base-url", "http://127.0.0.1:9/v1"),
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    assert "requests: 12" in done.stdout
    assert "most_requests: 48" in done.stdout
    assert '"name": "cancel_order"' in done.stdout


def test_dialogues_are_replayed_turn_by_turn(folder: Path) -> None:
    lines = []
    for row in ROWS:
        turns = [{"output": perfect(row, 1).content}]
        if row in CALLED:
            calls = [one["function"] for one in perfect(row, 0).tool_calls]
            turns.insert(0, {"output": None, "tool_calls": calls})
        lines.append(json.dumps({"id": row.id, "turns": turns}))
    (folder / "p.jsonl").write_text("\n".join(lines))
    assert_perfect(asked(folder, f"replay/{folder / 'p.jsonl'}"))


def test_a_replay_that_ends_with_a_call_lacks_an_answer(folder: Path) -> None:
    lines = [{"id": row.id, "output": "Well."} for row in ROWS if row not in CALLED]
    for row in CALLED:
        call = row.gold.calls[0]  # type: ignore[union-attr]
        text = json.dumps({"name": call.name, "arguments": call.arguments})
        lines.append({"id": row.id, "output": f"<tool_call>{text}</tool_call>"})
    (folder / "p.jsonl").write_text("\n".join(map(json.dumps, lines)))
    found = asked(folder, f"replay/{folder / 'p.jsonl'}")
    assert found.samples["error"] == len(CALLED)
    assert any("the last of them calls a tool" in one for one in found.warnings)


def test_shards_of_dialogues_make_the_same_rows(folder: Path) -> None:
    sample = "catalog/tasks/shop_talk/sample/test.jsonl"
    (folder / "gold.yaml").write_text(f"rules: [{{answer: {{agent: gold, data: {sample}}}}}]")
    model = f"scripted/{folder / 'gold.yaml'}"
    asked(folder, model)

    async def part(number: int) -> None:
        ask = Ask(
            model, ["shop_talk"], shard=f"{number}/2", run=folder / "parts",
            catalogs=[folder / "catalog"],
        )  # fmt: skip
        (one,) = prepare(ask)
        async with open_model(model, {}) as backend:
            await run_evaluation(one, backend)

    for number in (1, 2):
        run_to_end(part(number))
    found = [generations(one) for one in folder.glob("parts*")]
    joined = {key: row for one in found for key, row in one.items()}
    assert len(found) == 2
    assert joined == generations(folder / "run")
