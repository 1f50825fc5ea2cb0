"""What a judge is shown: documents, question, history and reply to the letter, and nothing else.

The files in tests/golden/judge_prompts are whole prompts. After a deliberate change of a rubric
write them again with `python tests/unit/test_judge_prompts.py` and raise the judge's version.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lt_bench.judge import Judge, Subject
from lt_bench.records import (
    AnswersGold,
    CallsGold,
    Document,
    Example,
    Fact,
    FactsGold,
    Generation,
    GoldAnswer,
    GoldCall,
    Hop,
    ReferenceGold,
    ToolCall,
    ToolResult,
    Turn,
    Usage,
    Utterance,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "judge_prompts"
JUDGES = ("answer_grounding", "commerce_correctness", "commerce_helpfulness", "tool_answer")
CANARY = "CANARY"
REPLY = (
    'Hi Ann! No. 9 is "$19.90",\n\tnot {price} — it\'s 1.5 l; 容量1.5升 {{ x }} <b>&amp;</b> \\n 👍'
)

EXAMPLE = Example(
    id="CANARY-id",
    task="commerce_qa",
    question="how much is no. 9?",
    viewer="ann",
    history=(
        Utterance(role="host", name="Sam", content="Number 9, the Arca kettle!"),
        Utterance(role="viewer", name="ann", content="cute"),
        Utterance(role="host", content="right?"),
    ),
    documents=(
        Document(
            id="product-9",
            kind="product",
            title="Arca kettle",
            text="No. 9: Arca kettle\nPrice: 19.90 USD",
            product={"@type": "Product", "CANARY": {"sku": "CANARY-sku"}},
            slot=9,
            supporting=True,
        ),
        Document(id="faq-1", kind="faq", text="Q: Volume? A: 1.5 l"),
    ),
    tools=({"type": "function", "function": {"name": "CANARY_tool"}},),
    gold=FactsGold(
        answerability="full",
        required=(Fact(document="product-9", path="CANARY", value="CANARY", accept=("CANARY",)),),
        helpful=(Fact(document="product-9", path="CANARY", value=4711),),
        forbidden=(Fact(document="product-9", path="CANARY", value="CANARY"),),
        resolved_question="CANARY",
    ),
    group="CANARY-group",
    tags=("CANARY",),
    source="CANARY",
    license="CANARY",
)
GENERATION = Generation(
    turns=(
        Turn(
            reasoning="CANARY trace of the first turn",
            reply="CANARY before the call",
            tool_calls=(ToolCall(id="CANARY", name="CANARY", arguments={"CANARY": "CANARY"}),),
            tool_results=(ToolResult(call_id="CANARY", content='{"stock": 4}'),),
            finish_reason="tool_calls",
            usage=None,
            raw="<think>CANARY</think>",
        ),
        Turn(
            reasoning="CANARY trace",
            reply=REPLY,
            finish_reason="stop",
            usage=Usage(prompt=31337, output=31338, counted_by="engine"),
            raw=f"<think>CANARY</think>{REPLY}",
        ),
    ),
    end_state_sha="CANARY",
)
GOLDS = (
    EXAMPLE.gold,
    AnswersGold(
        answers=("CANARY",), supporting=("CANARY",), hops=(Hop(question="CANARY", answer="CANARY"),)
    ),
    ReferenceGold(answers=("CANARY",), relevance={"CANARY": 2}),
    CallsGold(
        type="call",
        calls=(GoldCall(name="CANARY", arguments={"CANARY": 1}),),
        end_state="CANARY",
        answer=GoldAnswer(must_include=("CANARY",), reference="CANARY"),
    ),
)


def subject() -> Subject:
    return Subject.of(EXAMPLE, GENERATION, ("Hi Ann!", REPLY.removeprefix("Hi Ann! ")))


def whole(name: str) -> str:
    """All messages of the prompt as one text."""
    messages = Judge.load(name).prompt(subject()).messages
    return "".join(f"[{message.role}]\n{message.content}\n" for message in messages)


@pytest.mark.parametrize("name", JUDGES)
def test_the_prompt_is_the_golden_one(name: str) -> None:
    assert whole(name) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", JUDGES)
def test_the_reply_stands_there_to_the_letter(name: str) -> None:
    shown = whole(name)
    assert f"\n{REPLY}\nREPLY " in shown
    for python in ("Turn(", "Generation(", "reply=", "Document(", "None", "()", "Utterance"):
        assert python not in shown


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize("gold", GOLDS, ids=lambda one: one.kind)
def test_neither_gold_nor_trace_nor_product_json_is_shown(name: str, gold: FactsGold) -> None:
    example = EXAMPLE.model_copy(update={"gold": gold})
    prompt = Judge.load(name).prompt(Subject.of(example, GENERATION, ("Hi Ann!",)))
    shown = prompt.model_dump_json()
    assert CANARY.casefold() not in shown.casefold()
    for secret in ("4711", "31337", "31338", "supporting", "@type", "schema.org", "answerability"):
        assert secret not in shown
    assert not prompt.tools


@pytest.mark.parametrize("name", JUDGES)
def test_what_supports_and_what_is_known_of_a_product_changes_nothing(name: str) -> None:
    bare = [
        document.model_copy(update={"supporting": None, "product": None})
        for document in EXAMPLE.documents
    ]
    without = EXAMPLE.model_copy(update={"documents": tuple(bare), "gold": None, "tags": ()})
    thoughtless = Generation(
        turns=tuple(turn.model_copy(update={"reasoning": None}) for turn in GENERATION.turns)
    )
    judge = Judge.load(name)
    kept = Subject.of(without, thoughtless, subject().claims)
    assert judge.prompt(kept) == judge.prompt(subject())


@pytest.mark.parametrize("name", JUDGES)
def test_all_that_was_given_is_shown(name: str) -> None:
    shown = whole(name)
    for given in (
        "slot: 9",
        "Price: 19.90 USD",
        "Q: Volume? A: 1.5 l",
        "Sam (host): Number 9, the Arca kettle!",
        "ann (viewer): cute",
        "host: right?",
        "how much is no. 9?",
        "kind: tool result",
        '{"stock": 4}',
    ):
        assert given in shown


@pytest.mark.parametrize("name", JUDGES)
def test_what_is_not_there_leaves_no_block_and_no_gap(name: str) -> None:
    shown = Judge.load(name).prompt(Subject("价格多少？", "19.9元。")).messages[-1].content
    assert "(there is no document)" in shown
    assert "\nHISTORY" not in shown
    assert "ASKED_BY" not in shown
    assert "\n\n\n" not in shown
    assert "价格多少？" in shown
    assert "\n19.9元。\n" in shown


@pytest.mark.parametrize("name", JUDGES)
def test_the_rubric_is_the_same_for_every_row(name: str) -> None:
    judge = Judge.load(name)
    one, other = judge.prompt(subject()), judge.prompt(Subject("Q", "R"))
    assert [message.role for message in one.messages] == ["system", "user"]
    assert one.messages[0] == other.messages[0]
    assert one.messages[1] != other.messages[1]


def write() -> None:
    """The golden prompts, from the judges as they are."""
    GOLDEN.mkdir(exist_ok=True)
    for name in JUDGES:
        (GOLDEN / f"{name}.txt").write_text(whole(name), encoding="utf-8")


if __name__ == "__main__":
    write()
