"""The builder of tool_dialogue: the same bytes, right gold, and nothing shared between splits."""

import itertools
import json
import re
import time
from collections import Counter

import pytest
from support.acting import FAULTS, generation_of, scores_of

from lt_bench.builders.audit import Auditor
from lt_bench.builders.base import Acting, Attempting, Builder, Referring
from lt_bench.builders.tool_dialogue import ToolDialogue
from lt_bench.builders.tool_dialogue.builder import LANGUAGES
from lt_bench.builders.tool_dialogue.en import ENGLISH
from lt_bench.builders.tool_dialogue.people import owner
from lt_bench.builders.tool_dialogue.sample import write_sample
from lt_bench.builders.tool_dialogue.situations import SITUATIONS
from lt_bench.builders.tool_dialogue.wording import SPLITS, dealt, expand
from lt_bench.builders.tool_dialogue.zh import CHINESE
from lt_bench.catalog import find
from lt_bench.environments.shop import catalogue
from lt_bench.errors import UsageError
from lt_bench.scorers.tools.answers import answers_right

LANGS = ("en", "zh")


def dialogues(lang="en", split="test", size=40, seed=0):
    return list(ToolDialogue({"lang": lang}).dialogues(split, size, seed))


@pytest.fixture(scope="module")
def made():
    """Forty dialogues of each language and split."""
    return {(lang, split): dialogues(lang, split) for lang in LANGS for split in SPLITS}


def test_it_keeps_every_protocol_that_it_claims():
    builder = ToolDialogue({})
    assert isinstance(builder, Referring)
    assert isinstance(builder, Acting)
    assert isinstance(builder, Attempting)
    named: Builder = builder
    assert named.unit == "row"


def test_equal_arguments_give_equal_dialogues_and_a_smaller_build_is_the_start_of_a_larger_one(
    made,
):
    assert dialogues("zh", "test", 12) == made["zh", "test"][:12]
    assert dialogues("en", "train", 8) == made["en", "train"][:8]
    assert dialogues("en", "train", 8, seed=1) != made["en", "train"][:8]


def test_build_references_and_dialogues_are_the_same_rows(made):
    wanted = made["en", "test"][:6]
    builder = ToolDialogue({"lang": "en"})
    assert list(builder.build("test", 6, 0)) == [one.example for one in wanted]
    references = list(builder.references("test", 6, 0))
    assert [one.example for one in references] == [one.example for one in wanted]
    assert [one.reply for one in references] == [one.turns[-1].reply for one in wanted]
    assert all(one.thoughts[0] for one in references)


def test_mix_is_made_of_the_rows_of_both_languages(made):
    mixed = [one.example for one in dialogues("mix", "test", 24)]
    own = {one.example.id: one.example for lang in LANGS for one in made[lang, "test"]}
    assert {row.lang for row in mixed} == {"en", "zh"}
    assert all(own[row.id] == row for row in mixed)


def test_gold_calls_replayed_through_a_fresh_world_reach_the_gold_state(made):
    for one in itertools.chain.from_iterable(made.values()):
        assert generation_of(one.example, one.turns).end_state_sha == one.example.gold.end_state
        called = [(call.name, call.arguments) for turn in one.turns for call in turn.calls]
        assert called == [(call.name, call.arguments) for call in one.example.gold.calls]


def test_the_right_dialogue_scores_best_on_everything(made):
    seen = Counter()
    for one in itertools.chain.from_iterable(made.values()):
        for name, value in scores_of(one.example, one.turns).items():
            assert value == (0 if name in FAULTS else 1), (name, one)
            seen[name] += 1
    assert seen["task_success"] == sum(map(len, made.values()))
    assert {"clarify_accuracy", "no_call_accuracy", "answer_correctness"} <= seen.keys()


def test_a_dialogue_ends_with_a_reply_and_calls_before_that(made):
    for one in itertools.chain.from_iterable(made.values()):
        *before, end = one.turns
        assert end.reply
        assert not end.calls
        assert all(turn.calls and not turn.reply and turn.thought for turn in before)
        assert all(len(turn.calls) == len(turn.results) for turn in before)
        ids = [call.id for turn in before for call in turn.calls]
        assert len(set(ids)) == len(ids)


def test_reading_rows_leave_the_store_as_it_was(made):
    from lt_bench.environments import open_world
    from lt_bench.environments.shop import WRITING

    for one in itertools.chain.from_iterable(made.values()):
        if not {call.name for call in one.example.gold.calls} & WRITING.keys():
            with open_world(one.example.world) as world:
                assert world.state_sha() == one.example.gold.end_state


def test_every_type_and_phenomenon_occurs_in_each_language():
    for lang in LANGS:
        rows = [one.example for one in dialogues(lang, "train", 160)]
        tags = Counter(tag for row in rows for tag in row.tags)
        for name in ("call", "chain", "parallel", "no_call", "clarify", "answer"):
            assert tags[f"type:{name}"] >= 5, name
        for name in (
            "case:changed_mind", "case:not_found", "case:out_of_scope", "case:out_of_stock",
            "case:policy_violation", "case:wrong_premise", "noise:typos", "ref:ellipsis",
            "ref:slot", "difficulty:easy", "difficulty:medium", "difficulty:hard", "turns:2",
        ):  # fmt: skip
            assert tags[name], name
        intents = {tag.partition(":")[2] for tag in tags if tag.startswith("intent:")}
        assert len(intents) > 0.8 * len(SITUATIONS)


def test_types_say_what_is_called(made):
    for one in itertools.chain.from_iterable(made.values()):
        gold, steps = one.example.gold, one.turns[:-1]
        (kind,) = (tag[5:] for tag in one.example.tags if tag.startswith("type:"))
        assert bool(gold.calls) == (gold.type == "call")
        if kind == "chain":
            assert len(steps) > 1
            assert gold.order == "strict"
        elif kind == "parallel":
            assert len(steps) == 1
            assert len(steps[0].calls) > 1
            assert gold.order == "any"
        else:
            assert len(gold.calls) == (kind == "call")


# --- what belongs to whom


@pytest.mark.parametrize("language", [ENGLISH, CHINESE], ids=LANGS)
def test_no_wording_is_in_two_splits_unless_it_is_everybodys(language):
    for purpose in language.wordings.purposes:
        own = {split: set(language.wordings.of(purpose, split)) for split in SPLITS}
        assert all(own.values()), f"{purpose} has no wording in some split"
        for one, other in itertools.combinations(own.values(), 2):
            assert one == other or not one & other, purpose


def test_what_customers_ask_has_wordings_of_its_own_in_every_split():
    everybodys = (
        "hello", "close", "why.", "back.", "piece", "ref.", "country", "agent.option", "say.",
        "reply.", "think.", "what.",
    )  # fmt: skip
    for language in (ENGLISH, CHINESE):
        for purpose in language.wordings.purposes:
            if purpose == "agent.options" or not purpose.startswith(everybodys):
                sides = [set(language.wordings.of(purpose, split)) for split in SPLITS]
                assert not set.intersection(*sides), purpose


def test_both_languages_have_the_same_purposes_and_values():
    english, chinese = ENGLISH.wordings, CHINESE.wordings
    assert english.purposes == chinese.purposes
    assert ENGLISH.stated.keys() == CHINESE.stated.keys()
    for purpose in english.purposes:
        names = [
            {
                name.lower()
                for split in SPLITS
                for wording in language.wordings.of(purpose, split)
                for name in re.findall(r"{(\w+)}", wording)
            }
            for language in (ENGLISH, CHINESE)
        ]
        assert names[0] == names[1], purpose


def test_grammars_are_dealt_in_turn_and_expanded():
    assert expand("[a|b] c[ d|]") == ("a c d", "a c", "b c d", "b c")
    four = ("1", "2", "3", "4")
    assert [dealt(four, split) for split in SPLITS] == [("1", "4"), ("3",), ("2",)]
    assert dealt(("1", "2"), "test") == ("1", "2")


def test_brands_and_people_belong_to_one_split(made):
    for (lang, split), some in made.items():
        for one in some:
            shop = catalogue(one.example.world.seed, lang)
            said = "\n".join(
                [one.example.question, *(line.content for line in one.example.history)]
            )
            for product in shop.products:
                if owner("brand", product.brand) != split:
                    assert product.name.casefold() not in said.casefold()
            for customer in shop.customers:
                if owner("person", customer.name) != split:
                    assert customer.email not in said
                    assert not re.search(rf"\b{customer.customer_id}\b", said)


def test_shops_of_two_splits_are_never_the_same(made):
    seeds = {
        split: {one.example.world.seed for lang in LANGS for one in made[lang, split]}
        for split in SPLITS
    }
    assert all(seed % 3 == SPLITS.index(split) for split in SPLITS for seed in seeds[split])


@pytest.mark.parametrize("size", [4, 40])
def test_the_leak_audit_is_clean_for_small_and_larger_builds(made, size):
    for lang in LANGS:
        auditor = Auditor("row")
        for split in SPLITS:
            for one in made[lang, split][:size]:
                auditor.add(split, one.example)
        assert auditor.finish().clean


def test_one_who_speaks_of_several_orders_is_one_person(made):
    for (lang, _), some in made.items():
        for one in some:
            shop = catalogue(one.example.world.seed, lang)
            said = "\n".join(
                [one.example.question, *(line.content for line in one.example.history)]
            )
            numbers = set(re.findall(r"[Aa](\d{5})(?!\d)", said))
            owners = {order.customer_id for order in shop.orders if order.order_id[1:] in numbers}
            owners |= {who.customer_id for who in shop.customers if who.customer_id in said}
            owners |= {who.customer_id for who in shop.customers if who.email in said}
            assert len(owners) <= 1, said


# --- options, sample, speed


def test_unknown_language_split_size_and_option_are_refused():
    with pytest.raises(UsageError, match="no language 'fr'"):
        ToolDialogue({"lang": "fr"})
    with pytest.raises(UsageError, match="unknown key 'langs'"):
        ToolDialogue({"langs": "en"})
    with pytest.raises(UsageError, match="unknown split 'tset'.*test"):
        ToolDialogue({}).build("tset", 1, 0)
    with pytest.raises(UsageError, match="below 0"):
        ToolDialogue({}).build("test", -1, 0)
    assert list(ToolDialogue({}).build("test", 0, 0)) == []
    assert set(LANGUAGES) == {"en", "zh", "mix"}


def test_the_shipped_sample_is_what_the_builder_makes(tmp_path):
    write_sample(tmp_path)
    shipped = find("tasks", "tool_dialogue") / "sample"
    for name in ("test.jsonl", "replies.jsonl"):
        assert (tmp_path / name).read_bytes() == (shipped / name).read_bytes(), "make samples"


def test_the_shipped_sample_has_100_rows_in_25_shops():
    path = find("tasks", "tool_dialogue") / "sample" / "test.jsonl"
    rows = list(ToolDialogue({}).read(path))
    assert len(rows) == 100
    assert len({row.group for row in rows}) == 25
    replies = path.with_name("replies.jsonl").read_text().splitlines()
    ids = [json.loads(line)["id"] for line in replies]
    assert ids == [row.id for row in rows]


def test_a_hundred_dialogues_take_at_most_six_seconds_of_cpu():
    before = time.process_time()
    dialogues("en", "train", 100, seed=5)
    assert time.process_time() - before < 6


def test_importing_the_builder_loads_no_heavy_library():
    import subprocess
    import sys

    code = (
        "import sys; import lt_bench.builders.tool_dialogue;"
        "print(sorted({'numpy', 'torch', 'datasets', 'pandas', 'transformers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


CLAIMS = {
    "en": (
        "I am sorry, I can't do that, or yes, it is done. The order is being processed, or shipped, or "
        "delivered, or cancelled. It is in stock, or it is out of stock, or it was not found. The coupon "
        "has expired or is applied. It was changed, exchanged, returned and will go to the address.",
        "It is cancelled, changed, exchanged, returned, applied and will go to the address.",
        "Which order number, reason, address, postcode, customer number, code, variant or size do you "
        "mean? I need to know.",
        "There are 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or 12, as far as I can say to you at all just now, and "
        "of that I am as sure as anybody can be of such a thing on a day like this one.",
    ),
    "zh": (
        "很抱歉，无法办理，或者已经办好了。订单处理中，或已发货，或已送达，或已取消。商品有货，或者缺货，或查不到。"
        "优惠券已过期或已使用。已改、已换、已退货退款，会寄到新地址。",
        "已取消、已改、已换、已退货、已使用，会寄到地址。",
        "请问订单号、原因、地址、邮编、客户号、优惠码、颜色和尺码是哪个？",
    ),
}
"""Texts that claim everything there is to say, whatever was asked."""


def answered(row, text):
    answer = row.example.gold.answer
    return answers_right(text, answer, asks=row.example.gold.type == "clarify")


@pytest.mark.parametrize("lang", LANGS)
def test_a_text_that_claims_everything_answers_next_to_nothing(made, lang):
    rows = [
        one for split in SPLITS for one in made[lang, split] if one.example.gold.answer.must_include
    ]
    assert len(rows) > 80
    for text in CLAIMS[lang]:
        assert sum(answered(one, text) for one in rows) <= 0.03 * len(rows), text


def test_small_talk_has_no_wrong_words(made):
    for one in itertools.chain.from_iterable(made.values()):
        if not one.example.gold.answer.must_include:
            assert one.example.gold.answer.must_not_include == ()
