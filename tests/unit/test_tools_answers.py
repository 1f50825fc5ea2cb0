"""What a reply says: figures, dates, scripts, and the replies that say nothing."""

from __future__ import annotations

import pytest

from lt_bench.records import GoldAnswer
from lt_bench.scorers.tools import answers_right
from lt_bench.scorers.tools.asking import asks_back
from lt_bench.scorers.tools.sentences import sentences
from lt_bench.scorers.tools.tokens import Figure, tokens


def right(reply: str, *include: str, asked: str = "", **more: object) -> bool:
    gold = GoldAnswer.model_validate({"must_include": include, **more})
    return answers_right(reply, gold, (asked,) if asked else ())


@pytest.mark.parametrize(
    ("reply", "entry", "found"),
    [
        ("The total is $1,299.00.", "1299", True),
        ("The total is 1299 dollars.", "$1,299", True),
        ("That will be 1299.", "$1,299", True),
        ("It is one thousand two hundred ninety-nine dollars.", "$1,299", True),
        ("It costs 1,299 euros.", "$1,299", False),
        ("一共一千二百九十九元。", "¥1299", True),
        ("一共１２９９元。", "1,299元", True),
        ("大约1.3千元", "1300", True),
        ("共1.2万块", "12000", True),
        ("We ship in 99 days.", "$99", False),
        ("It is 199.", "99", False),
        ("It is 99.5.", "99", False),
        ("10 percent off.", "10%", True),
        ("便宜百分之十。", "10%", True),
        ("That is 10 % off.", "10", True),
        ("That is 10 off.", "10%", False),
        ("That is 10 days.", "10", True),
        ("It costs 10 euros.", "10 days", False),
        ("Only ten left.", "10", True),
        ("还剩三件。", "3件", True),
        ("Shipped on May 3, 2024.", "2024-05-03", True),
        ("2024年5月3日发出。", "2024-05-03", True),
        ("Shipped on May 4, 2024.", "2024-05-03", False),
        ("It leaves at 10:30.", "10:30", True),
        ("It leaves at 10:30.", "10", False),
        ("Your order is #w2378156.", "#W2378156", True),
        ("The SKU is AB-0012.", "ab 0012", True),
        ("The SKU is AB-12.", "AB-0012", False),
        ("It is DELIVERED.", "delivered", True),
        ("It is undelivered.", "delivered", False),
        ("Ｗｉ－Ｆｉ is included.", "wi-fi", True),
        ("該商品已經發貨。", "已经发货", True),
        ("Your refund is -$5.", "$5", False),
        ("I am sorry 🙂", "🙂", True),
    ],
)
def test_entries_are_found_in_the_ways_people_write_them(
    reply: str, entry: str, found: bool
) -> None:
    assert right(reply, entry) is found


def test_all_must_be_said_in_one_of_their_wordings_and_nothing_that_must_not() -> None:
    accept = {"delivered": ("has arrived",)}
    assert right("It has arrived and cost $5.", "delivered", "$5", accept=accept)
    assert not right("It has arrived.", "delivered", "$5", accept=accept)
    assert not right("It was delivered.", "delivered", must_not_include=("it was delivered",))
    assert right("It was delivered.", must_not_include=("cancelled",))
    assert not right("I cancelled it.", must_not_include=("cancelled",))


def test_what_must_not_be_said_must_not_be_asked_or_repeated_either() -> None:
    assert not right("Was it cancelled?", must_not_include=("cancelled",))
    assert not right("Sure: was it cancelled? No, paid.", "paid", must_not_include=("cancelled",))


QUESTION = "Hello! Has order 55 been delivered?"


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (QUESTION, False),
        ("has order 55 been delivered", False),
        ("Hello! has ORDER 55 been delivered.", False),
        ("Is it delivered?", False),
        ("", False),
        ("Delivered.", True),
        ("Yes, order 55 has been delivered.", True),
        ("You ask: has order 55 been delivered? It was delivered.", True),
        ("It was delivered, could you check the door?", True),
        ("It was delivered, right?", False),
        ("You ask me, could you tell me whether it was delivered?", False),
    ],
)
def test_the_question_is_no_answer(reply: str, answer: bool) -> None:
    assert right(reply, "delivered", asked=QUESTION) is answer


@pytest.mark.parametrize(
    "reply",
    [
        '{"status": "delivered", "total": 99}',
        "Here: {'order': {'status': 'delivered', 'lines': [{'total': 99}]}}",
        '<tool_call>\n{"name": "say", "arguments": {"text": "delivered, 99"}}\n</tool_call>',
        "<tool_call> it was delivered for 99",
        "delivered 99",
        "delivered, 99.",
    ],
)
def test_data_and_lists_of_words_are_no_answer(reply: str) -> None:
    assert not right(reply, "delivered", "99")


def test_figures_to_choose_from_are_no_answer() -> None:
    assert right("99", "99")
    assert not right("99 89 79", "99")
    assert right("It was 120 and is 99 now.", "99")
    assert right("Order 55\n- status: delivered\n- total: $99", "delivered", "$99")


def test_a_clarifying_row_may_ask_what_it_must_include() -> None:
    gold = GoldAnswer(must_include=("order number",))
    assert answers_right("What is your order number?", gold, asks=True)
    assert not answers_right("What is your order number?", gold)


@pytest.mark.parametrize(
    "reply",
    [
        "Which order do you mean?",
        "Could you tell me your order number",
        "Please provide the size and colour.",
        "I need your email to continue.",
        "Which order can I help you with?",
        "请提供您的订单号。",
        "您是指哪一款",
        "要哪个颜色？",
    ],
)
def test_replies_that_ask_back(reply: str) -> None:
    assert asks_back(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "It is cancelled.",
        "It is cancelled. Anything else?",
        "Is there anything else I can help you with?",
        "Let me know if you need anything else.",
        "还有什么可以帮您的吗？",
        "?",
        "Ok?",
        QUESTION,
        "",
    ],
)
def test_replies_that_ask_nothing(reply: str) -> None:
    assert not asks_back(reply, (QUESTION,))


def test_sentences_keep_decimals_and_their_marks() -> None:
    found = [one.text for one in sentences("It is $9.50. Really?! Yes\n好的。对")]
    assert found == ["It is $9.50.", "Really?!", "Yes", "好的。", "对"]


@pytest.mark.parametrize(
    "text",
    ["9" * 200_000, "{" * 100_000, "?" * 100_000, "1," * 50_000, "a{" * 9_000],
    ids=["digits", "braces", "marks", "figures", "words"],
)
def test_hostile_texts_are_read_in_time(text: str) -> None:
    assert not right(text, "delivered", asked=text[:1000])


def test_a_number_of_many_digits_is_a_word() -> None:
    assert tokens("12345678901234567890123") == ("12345678901234567890123",)
    assert tokens("1,000") == (Figure("1000"),)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("It was delivered and cost $99.", True),
        ("Order W1 delivered, total $99.", True),
        ("Status: delivered\nTotal: $99", True),
        ("已送达，共99元。", True),
        ("delivered $99 cancelled 30 days order", False),
        ("delivered shipped pending $99 $89", False),
        ("已送达 99元", False),
    ],
)
def test_two_entries_need_words_that_make_them_an_answer(reply: str, answer: bool) -> None:
    entries = ("已送达", "99") if "已" in reply else ("delivered", "99")
    assert right(reply, *entries) is answer


def test_an_entry_that_is_a_statement_needs_nothing_besides() -> None:
    assert right("Returns within 30 days. Free.", "returns within 30 days", "free")


def test_a_request_after_a_comma_leaves_what_was_stated() -> None:
    assert right("查不到订单A2，请您核对一下订单号？", "查不到")
    assert not right("订单已经送达了，对吗？", "送达")
