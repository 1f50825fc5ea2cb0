"""Rows of mini_qa: the same every time, in few words, and no sheet in two splits."""

from __future__ import annotations

import asyncio
from itertools import chain
from pathlib import Path

import pytest

from lt_bench.builders import BUILDERS
from lt_bench.builders.audit import Auditor
from lt_bench.builders.base import Builder, Reciting, Referring, Teaching
from lt_bench.builders.mini_qa import MiniQA
from lt_bench.builders.mini_qa.sample import write_sample
from lt_bench.builders.problem import Problem
from lt_bench.errors import UsageError
from lt_bench.records import Example, FactsGold, Generation, Turn
from lt_bench.scorers import Scorer
from lt_bench.task import Task

MINI = MiniQA({})
TASK = Task.load("mini_qa")
SCORER: Scorer = TASK.scorers()[0]


def scores(example: Example, reply: str) -> tuple[float | None, float | None]:
    """Correctness and helpfulness."""
    turn = Turn(reasoning=None, reply=reply, finish_reason="stop", usage=None)
    found = asyncio.run(SCORER.score(example, Generation(turns=(turn,))))
    values = {score.name: score.value for score in found}
    return values["correctness"], values["helpfulness"]


def prompt(example: Example) -> str:
    (message,) = TASK.prompt(example).messages
    return message.content


def gold(example: Example) -> FactsGold:
    assert isinstance(example.gold, FactsGold)
    return example.gold


def test_the_builder_is_known_by_name_and_can_teach_and_recite() -> None:
    made: Builder = BUILDERS.get("mini_qa")({})
    assert isinstance(made, Teaching)
    assert isinstance(made, Reciting)
    assert isinstance(made, Referring)


def test_the_judge_is_that_of_commerce_qa() -> None:
    (first, *_), commerce = TASK.scorers(), Task.load("commerce_qa").scorers()
    assert type(first) is type(commerce[0])
    assert first.sha == commerce[0].sha


def test_equal_arguments_give_equal_rows_and_more_rows_begin_with_fewer() -> None:
    rows = list(MINI.build("train", 40, 7))
    assert rows == list(MiniQA({}).build("train", 40, 7))
    assert rows[:10] == list(MINI.build("train", 10, 7))
    assert rows != list(MINI.build("train", 40, 8))
    assert len({row.id for row in rows}) == 40


def test_references_trajectories_and_documents_are_of_the_rows_of_build() -> None:
    rows = list(MINI.build("train", 20, 3))
    assert [one.example for one in MINI.references("train", 20, 3)] == rows
    assert [one.example for one in MINI.trajectories("train", 20, 3, 2)] == rows
    assert [one.id for one, _ in MINI.documents(20, 3)] == [row.id for row in rows]


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown split 'trian'"):
        MINI.build("trian", 1, 0)
    with pytest.raises(UsageError, match="below 0"):
        MINI.build("train", -1, 0)
    with pytest.raises(UsageError, match="langs"):
        MiniQA({"langs": "en"})


def test_no_row_is_faulty_when_it_is_read_back(tmp_path: Path) -> None:
    rows = list(MINI.build("validation", 200, 0))
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(row.model_dump_json() + "\n" for row in rows))
    assert [one for one in MINI.inspect(path) if isinstance(one, Problem)] == []
    assert list(MINI.read(path)) == rows


def test_no_sheet_of_one_split_is_asked_about_in_another() -> None:
    sheets = {
        split: {
            frozenset(document.text.splitlines())
            for row in MINI.build(split, size, 0)
            for document in row.documents
            if document.id in row.question or document.id in "".join(u.content for u in row.history)
        }
        for split, size in (("train", 1500), ("validation", 300), ("test", 300))
    }
    assert not sheets["train"] & sheets["test"]
    assert not sheets["train"] & sheets["validation"]
    assert not sheets["validation"] & sheets["test"]


def test_the_audit_finds_no_row_of_test_in_train() -> None:
    auditor = Auditor(MINI.unit)
    for split, size in (("train", 1500), ("test", 300)):
        for row in MINI.build(split, size, 0):
            auditor.add(split, row)
    assert auditor.finish().clean


def test_rows_of_different_seeds_hardly_ever_repeat_each_other() -> None:
    first, second = ({prompt(row) for row in MINI.build("test", 400, seed)} for seed in (100, 101))
    assert len(first & second) <= 2


def test_shares_are_those_of_the_card() -> None:
    rows = list(MINI.build("train", 2000, 1))

    def share(tag: str) -> float:
        return sum(tag in row.tags for row in rows) / len(rows)

    assert share("answerability:none") == pytest.approx(0.10, abs=0.025)
    assert share("noise:ellipsis") == pytest.approx(0.35, abs=0.035)
    assert share("noise:distractor") == pytest.approx(0.15, abs=0.03)
    assert min(share(f"intent:{name}") for name in ("price", "colour", "origin", "size")) > 0.1


def test_two_products_never_share_a_property() -> None:
    for row in MINI.build("train", 500, 2):
        named = [
            line.split()[1] for document in row.documents for line in document.text.split("\n")
        ]
        assert len(named) == len(set(named))


def test_gold_asks_for_what_the_sheet_holds_and_for_nothing_else() -> None:
    for row in MINI.build("train", 300, 4):
        missing = "answerability:none" in row.tags
        assert (gold(row).answerability == "none") == missing
        assert len(gold(row).required) == int(not missing)
        assert 1 <= len(gold(row).helpful) <= 4


def test_every_word_is_in_the_vocabulary_and_every_word_of_it_occurs() -> None:
    from_prompts = (prompt(row) for row in MINI.build("train", 1500, 0))
    taught = MINI.trajectories("train", 1500, 0, 2)
    recited = MINI.documents(1500, 1)
    texts = chain(
        from_prompts,
        (output for one in taught for output in one.outputs),
        (text for example, document in recited for text in (prompt(example), document)),
        (text for one in MINI.references("test", 300, 0) for text in (*one.thoughts, one.reply)),
        ("user assistant",),
    )
    words = {word for text in texts for word in text.split()} - {"<think>", "</think>"}
    assert words == set(MINI.vocabulary())
    assert list(MINI.vocabulary()) == sorted(MINI.vocabulary())
    assert len(MINI.vocabulary()) <= 200


def test_prompts_are_short() -> None:
    lengths = [len(prompt(row).split()) for row in MINI.build("train", 500, 0)]
    assert min(lengths) >= 18
    assert max(lengths) <= 60


def test_references_are_correct_and_helpful_by_either_trace() -> None:
    for one in MINI.references("train", 150, 5):
        short, long = one.thoughts
        assert scores(one.example, one.reply) == (1.0, 1.0)
        assert len(short.split()) < len(long.split())


def test_the_sample_is_what_the_builder_makes(tmp_path: Path) -> None:
    write_sample(tmp_path)
    shipped = TASK.sample.parent
    for name in ("test.jsonl", "replies.jsonl"):
        assert (tmp_path / name).read_bytes() == (shipped / name).read_bytes()


def test_the_chat_template_keeps_words_apart_and_says_a_thought_once() -> None:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    template = ImmutableSandboxedEnvironment().from_string(MINI.chat_template())
    asked = {"role": "user", "content": "how much is it"}
    prompted = template.render(messages=[asked], add_generation_prompt=True)
    assert prompted == "<|im_start|> user how much is it <|im_end|> <|im_start|> assistant "
    whole = "<think> done </think> the price ."
    apart = {"role": "assistant", "content": "the price .", "reasoning_content": "done"}
    for answer in ({"role": "assistant", "content": whole}, apart):
        text = template.render(messages=[asked, answer, asked])
        assert text.startswith(prompted + whole + " <|im_end|> ")
        assert text.count("<think>") == 1
