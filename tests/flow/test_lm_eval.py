"""The tasks of lt-bench inside lm-eval: same prompts, same scores of every row as `lt-bench eval`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from support.tiny_models import tiny_model
from support.warm import lt_bench

from lt_bench import catalog
from lt_bench.integrations.lm_eval import TASKS
from lt_bench.task import Task

pytestmark = pytest.mark.lm_eval

CAP = 12


def scores_of(run: Path) -> dict[str, dict[str, float]]:
    """Id -> metric -> value of every row of a run of lt-bench."""
    lines = (run / "scores.jsonl").read_text().splitlines()
    return {
        row["key"]["example_id"]: {
            one["name"]: one["value"] for one in row["scores"] if one.get("value") is not None
        }
        for row in map(json.loads, lines)
    }


def replies_of(run: Path) -> dict[str, str]:
    lines = (run / "generations.jsonl").read_text().splitlines()
    rows = map(json.loads, lines)
    return {row["key"]["example_id"]: row["generation"]["turns"][-1]["raw"] for row in rows}


def lm_eval(model: Any, task: str, *, chat: bool = True, **metadata: Any) -> list[dict[str, Any]]:
    """What lm-eval logs of every row."""
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    named = isinstance(model, Path)
    arguments = {"pretrained": str(model), "dtype": "float32"} if named else {}
    manager = TaskManager(
        include_path=str(TASKS), include_defaults=False, metadata={**arguments, **metadata}
    )
    found = simple_evaluate(
        model="hf" if named else model,
        model_args=arguments if named else None,
        tasks=[task],
        task_manager=manager,
        apply_chat_template=chat,
        batch_size=1 if named else None,
        device="cpu" if named else None,
        gen_kwargs=f"max_gen_toks={CAP}" if named else None,
        bootstrap_iters=0,
        log_samples=True,
    )
    assert found is not None
    samples: list[dict[str, Any]] = found["samples"][task]
    return samples


def musique_rows(count: int) -> list[dict[str, Any]]:
    """Rows of the shipped sample with three short paragraphs, for models of few positions."""
    file = catalog.find("tasks", "musique") / "sample" / "test.jsonl"
    rows = []
    for line in file.read_text("utf-8").splitlines()[:count]:
        row = json.loads(line)
        kept = [one for one in row["paragraphs"] if one["is_supporting"]][:3]
        index = {one["idx"]: number for number, one in enumerate(kept)}
        row["paragraphs"] = [
            {**one, "idx": index[one["idx"]], "paragraph_text": one["paragraph_text"][:90]}
            for one in kept
        ]
        for hop in row["question_decomposition"]:
            hop["paragraph_support_idx"] = index.get(hop["paragraph_support_idx"])
        rows.append(row)
    return rows


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.model
@pytest.mark.parametrize("template", ["chatml", None])
def test_a_model_gets_the_same_answers_scores_and_token_counts(
    tmp_path: Path, template: str | None
) -> None:
    folder = tiny_model(tmp_path / "model", template=template, max_position_embeddings=4096)
    data = write(tmp_path / "rows.jsonl", rows := musique_rows(2))

    def evaluated(run: str) -> Path:
        settings = ("backend.batch_size=1", f"sampling.max_tokens={CAP}", "builder.documents=3")
        words = [word for one in settings for word in ("--set", one)]
        done = lt_bench(
            *("eval", folder, "--task", "musique", "--data", data, "--run", run, *words),
            cwd=tmp_path,
            loaded="model",
        )
        assert done.returncode in (0, 3), done.stderr
        return tmp_path / "runs" / run

    # the answers are noise, so that gold is made of them: all of one, and a word of the other
    said = replies_of(evaluated("before"))
    for row, words in zip(rows, (1000, 1), strict=True):
        row["answer"] = " ".join(said[row["id"]].split()[:words]) or "Lisbon"
    write(data, rows)
    ours = evaluated("after")
    logged = lm_eval(folder, "lt_musique", chat=template is not None, data=str(data),
                     builder={"documents": 3})  # fmt: skip
    scores, replies = scores_of(ours), replies_of(ours)
    assert [one["doc"]["id"] for one in logged] == [row["id"] for row in rows]
    for one in logged:
        name = one["doc"]["id"]
        assert one["resps"][0][0] == replies[name]
        assert {key: one[key] for key in ("em", "f1", "support_f1")} == {
            key: scores[name][key] for key in ("em", "f1", "support_f1")
        }
        assert one["tpr_recounted"] == _recount(folder, replies[name])
    assert any(one["f1"] > 0 for one in logged), replies


def _recount(folder: Path, text: str) -> int:
    from lt_bench.backends.recount import count, load_tokenizer

    return count(text, load_tokenizer(str(folder)))


class Parrot:
    """A model for lm-eval that answers from a table, by the last message it is sent."""

    def __new__(cls, answers: Mapping[str, str]) -> Any:
        from lm_eval.api.model import LM

        class Speaking(LM):
            tokenizer_name = "parrot"

            def chat_template(self, chat_template: bool | str = False) -> str:
                return "json"

            def apply_chat_template(self, chat_history: Any, **_: Any) -> str:
                return json.dumps(chat_history, ensure_ascii=False)

            def generate_until(self, requests: Any, **_: Any) -> list[str]:
                return [answers[json.loads(one.args[0])[-1]["content"]] for one in requests]

            def loglikelihood(self, requests: Any, **_: Any) -> Any:
                raise NotImplementedError

            loglikelihood_rolling = loglikelihood

        return Speaking()


def replay(task: str, folder: Path) -> tuple[Path, Path]:
    """Reference replies with every third one spoilt, and the run that lt-bench makes of them."""
    sample = catalog.find("tasks", task) / "sample" / "replies.jsonl"
    rows = [json.loads(line) for line in sample.read_text("utf-8").splitlines()]
    for number, row in enumerate(rows):
        if number % 3 == 1:
            row["output"] = "<think>Hm.</think>It comes with a free unicorn and costs $12345."
        if number % 12 == 2:
            row["output"] = "" if number % 24 == 2 else "<think>It never ends"
    file = write(folder / "replies.jsonl", rows)
    done = lt_bench("eval", f"replay/{file}", "--task", task, "--run", task, cwd=folder)
    assert done.returncode in (0, 3), done.stderr
    return file, folder / "runs" / task


@pytest.mark.parametrize(
    ("task", "metrics"),
    [
        ("musique", {"em", "f1", "support_f1"}),
        (
            "commerce_qa",
            {
                *("correctness", "helpfulness", "correct_and_helpful"),
                *("unsupported_claims", "needless_refusal"),
            },
        ),
    ],
)
def test_right_and_wrong_replies_get_the_scores_of_lt_bench(
    tmp_path: Path, task: str, metrics: set[str]
) -> None:
    file, run = replay(task, tmp_path)
    said = {row["id"]: row["output"] for row in map(json.loads, file.read_text().splitlines())}
    loaded = Task.load(task)
    asked = {
        loaded.prompt(one).messages[-1].content: said[one.id]
        for one in loaded.stream(loaded.sample)
    }
    logged = lm_eval(Parrot(asked), f"lt_{task}")
    expected = scores_of(run)
    assert len(logged) == len(expected)
    values = set()
    for one in logged:
        theirs = {key: one[key] for key in one["metrics"]}
        ours = {k: v for k, v in expected[one["doc"]["id"]].items() if k in metrics}
        assert theirs == ours
        values |= set(theirs.items())
    name = next(iter(metrics & {"em", "correctness"}))
    assert {(name, 0.0), (name, 1.0)} <= values


def test_messages_are_those_of_lt_bench(tmp_path: Path) -> None:
    seen: list[Any] = []

    def keep(messages: Any) -> str:
        seen.append(messages)
        return json.dumps(messages, ensure_ascii=False)

    for name in ("musique", "commerce_qa"):
        task, built = Task.load(name), _built(name)
        for example in list(task.stream(task.sample, 5)):
            built.fewshot_context(
                {"id": example.id}, 0, apply_chat_template=True, chat_template=keep
            )
            wanted = [
                {"role": one.role, "content": one.content} for one in task.prompt(example).messages
            ]
            assert seen[-1] == wanted


def _built(name: str, **metadata: Any) -> Any:
    from lt_bench.integrations.lm_eval import task as tasks

    classes = {"musique": tasks.Musique, "commerce_qa": tasks.CommerceQa}
    classes["tool_dialogue"] = tasks.ToolDialogue
    return classes[name](config={"metadata": metadata})


def test_the_first_turn_of_a_dialogue_is_scored_by_its_decision() -> None:
    task = _built("tool_dialogue")
    rows = {one.id: one for one in Task.load("tool_dialogue").stream(task._task.sample)}
    needing = next(one for one in rows.values() if one.gold.calls)
    idle = next(one for one in rows.values() if one.gold.type == "no_call")
    call = needing.gold.calls[0]
    written = json.dumps({"name": call.name, "arguments": call.arguments})
    right = f"<tool_call>\n{written}\n</tool_call>"

    assert task.process_results({"id": needing.id}, [right]) == {
        "first_decision": 1.0,
        "first_under_calling": 0.0,
        "first_tool_precision": 1.0,
    }
    assert task.process_results({"id": needing.id}, ["It is in stock."]) == {
        "first_decision": 0.0,
        "first_under_calling": 1.0,
    }
    assert task.process_results({"id": idle.id}, [right]) == {
        "first_decision": 0.0,
        "first_over_calling": 1.0,
    }
    assert task.process_results({"id": idle.id}, ["You are welcome."])["first_decision"] == 1.0
    assert task.process_results({"id": idle.id}, [" "])["first_decision"] == 0.0
    told = task.fewshot_context({"id": needing.id}, 0, apply_chat_template=True,
                                chat_template=lambda messages: json.dumps(messages))  # fmt: skip
    assert call.name in told


def test_solved_rows_are_refused() -> None:
    from lt_bench.errors import UsageError

    task = _built("musique")
    row = next(iter(task._examples))
    with pytest.raises(UsageError, match="no solved rows"):
        task.fewshot_context({"id": row}, 2)


def test_a_system_instruction_comes_before_the_tasks_own() -> None:
    task = _built("musique")
    row = next(iter(task._examples))
    text = task.fewshot_context(
        {"id": row},
        0,
        system_instruction="Be quick.",
        apply_chat_template=True,
        chat_template=lambda messages: json.dumps(messages),
    )
    assert json.loads(text)[0]["content"].startswith("Be quick.\n\nYou answer questions")


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """lm-eval sets the level of the root logger."""
    import logging

    level = logging.getLogger().level
    yield
    logging.getLogger().setLevel(level)
