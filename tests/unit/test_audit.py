"""The leak audit: what must be caught, what must not, and the same answer everywhere."""

from __future__ import annotations

import contextlib
import io
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

from lt_bench.builders.audit import Audit, Auditor
from lt_bench.builders.commerce_qa import CommerceQA
from lt_bench.builders.musique import Musique
from lt_bench.records import Document, Example, Utterance

Rows = Iterable[Example]
Change = Callable[[Example], Example]


def audit(unit: str = "row", **splits: Rows) -> Audit:
    auditor = Auditor(unit)
    for split, rows in splits.items():
        for row in rows:
            auditor.add(split, row)
    return auditor.finish()


def row(name: str, question: str, *documents: str, said: tuple[str, ...] = (), **fields) -> Example:
    return Example(
        id=name,
        task="commerce_qa",
        question=question,
        history=[Utterance(role="host", content=line) for line in said],
        documents=[Document(id=f"d{at}", text=text) for at, text in enumerate(documents)],
        group=fields.pop("group", name),
        **fields,
    )


def words(seed: int, count: int = 60) -> str:
    draw = random.Random(seed)
    return " ".join(f"w{draw.randrange(10**6)}" for _ in range(count))


@cache
def commerce() -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    builder = CommerceQA({})
    return tuple(builder.build("train", 600, 0)), tuple(builder.build("test", 100, 0))


# --- What a leak looks like ------------------------------------------------------------------


def _asked(change: Callable[[str], str]) -> Change:
    return lambda row: row.model_copy(update={"question": change(row.question)})


def _other_word(question: str) -> str:
    return " ".join(("Umbrella", *question.split()[1:]))


def _evidence(change: Callable[[tuple[Document, ...]], tuple[Document, ...]]) -> Change:
    return lambda row: row.model_copy(update={"documents": change(row.documents)})


def _other_viewer(row: Example) -> Example:
    line = Utterance(role="viewer", name="Zed", content="do you have that in olive green as well")
    return row.model_copy(update={"history": (line, *row.history)})


PLANTED = {
    "nothing": (lambda row: row, {"exact"}),
    "a space": (_asked(lambda text: " " + text.replace(" ", "  ", 1)), {"normalised"}),
    "a word cut in two": (_asked(lambda text: text[:2] + " " + text[2:]), {"normalised", "near"}),
    "a trailing space": (_asked(lambda text: text + " "), {"normalised"}),
    "case and punctuation": (_asked(lambda text: f"{text.upper()} !!"), {"normalised"}),
    "an emoji": (_asked(lambda text: f"{text} \U0001f64f\U0001f3fd"), {"normalised"}),
    "one word": (_asked(_other_word), {"near"}),
    "order of documents": (_evidence(lambda all_: all_[::-1]), {"near", "normalised"}),
    "the first document": (_evidence(lambda all_: all_[1:]), {"near"}),
    "the last document": (_evidence(lambda all_: all_[:-1]), {"near"}),
    "another viewer's line": (_other_viewer, {"near"}),
}


@pytest.mark.parametrize("changed", PLANTED)
def test_every_test_row_planted_in_train_is_caught_and_named(changed):
    change, kinds = PLANTED[changed]
    train, test = commerce()
    originals = list({row.group: row for row in test}.values())  # one of each room
    copies = [
        change(row).model_copy(update={"id": f"planted:{row.id}", "group": f"planted:{row.id}"})
        for row in originals
    ]
    found = audit(train=(*train[:150], *copies), test=originals)
    assert not found.clean
    assert {(hit.first, hit.second) for hit in found.between} == {
        (f"planted:{row.id}", row.id) for row in originals
    }
    assert {hit.splits for hit in found.between} == {("train", "test")}
    assert {hit.kind for hit in found.between} <= kinds
    assert sum(found.between_counts.values()) == len(originals) >= 20


def test_all_hundred_planted_at_once_are_counted_exactly():
    train, test = commerce()
    planted = [
        _asked(_other_word)(row).model_copy(update={"id": f"p{at}", "group": f"p{at}"})
        for at, row in enumerate(test)
    ]
    found = audit(train=(*train, *planted), test=test)
    pairs = {(hit.first, hit.second) for hit in found.between}
    assert found.between_counts == {"near": 100}
    assert pairs == {(f"p{at}", row.id) for at, row in enumerate(test)}


def test_rows_of_other_products_are_no_leak_though_the_words_of_the_templates_recur():
    train, test = commerce()
    found = audit(train=train, test=test)
    assert found.clean
    assert found.rows == {"train": 600, "test": 100}
    assert found.between == ()


def test_the_order_in_which_splits_come_does_not_hide_a_leak():
    train, test = commerce()
    planted = test[3].model_copy(update={"id": "planted", "group": "planted"})
    found = audit(test=test[:20], train=(*train[:50], planted))
    assert [(hit.kind, hit.first, hit.second) for hit in found.between] == [
        ("exact", test[3].id, "planted")
    ]


CHINESE = (
    "这款电热水壶容量是1.7升，功率1800瓦，内胆采用304不锈钢材质，沸腾后自动断电，支持一年质保。",
    "运费由商家承担，预计三到五天送达，七天内可无理由退货，退货运费由买家支付。",
)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("这个水壶多少钱？能用多久", "exact"),
        ("这个水壶 多少钱？能用多久", "normalised"),
        ("这个水壶多少钱，能用多久！！🔥", "normalised"),
        ("這個水壶多少钱？能用多久", "near"),
        ("那个水壶多少钱？能用几年", "near"),
    ],
)
def test_chinese_rows_are_compared_by_characters(question, kind):
    train = [row("a", "这个水壶多少钱？能用多久", *CHINESE)]
    found = audit(train=train, test=[row("b", question, *CHINESE)])
    assert [hit.kind for hit in found.between] == [kind]


def test_chinese_rows_with_other_values_and_names_are_no_leak():
    other = (
        "这款折叠梯子承重一百五十公斤，展开高度两米三，铝合金材质，脚垫防滑，收起来只占一条缝。",
        "快递包邮，预计两天送达，十五天内可退换，费用由卖家承担。",
    )
    found = audit(
        train=[row("a", "这个水壶多少钱？", *CHINESE)], test=[row("b", "这个梯子多少钱？", *other)]
    )
    assert found.clean


def test_full_width_letters_and_ligatures_are_the_same_text():
    train = [row("a", "Is the XL size ﬁne for 80 kg?")]
    assert audit(
        train=train, test=[row("b", "is the ＸＬ size fine for ８０ kg")]
    ).between_counts == {"normalised": 1}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Is 1.5 litres enough?", "Is 15 litres enough?"),
        ("Show me 24 and 4 2", "Show me 24 and 42"),
        ("Is it under $50?", "Is it under €50?"),
        ("How long is the C++ course?", "How long is the C course?"),
        ("5% off today?", "5 off today?"),
        ("🔥🔥🔥", "🙏"),
        ("किताब", "कीताब"),
    ],
)
def test_what_carries_meaning_is_not_normalised_away(one, other):
    for unit in ("row", "question"):
        assert audit(unit, train=[row("a", one)], test=[row("b", other)]).clean


# --- Groups, ids, hits within ----------------------------------------------------------------


def test_a_room_in_two_splits_is_a_leak_whatever_is_asked_there():
    found = audit(
        train=[row("a", words(1), group="room-1"), row("b", words(2), group="room-2")],
        test=[row("c", words(3), group="room-2"), row("d", words(4), group="room-2")],
    )
    assert [(hit.kind, hit.first, hit.second, hit.group) for hit in found.between] == [
        ("group", "b", "c", "room-2")
    ]
    assert found.between_counts == {"group": 1}


def test_questions_share_their_last_hop_across_splits_without_being_a_leak():
    found = audit(
        "question",
        train=[row("a", "Who is the mayor of the town where Ann was born?", group="hop-7")],
        test=[row("b", "Who is the mayor of the seat of Dale County?", group="hop-7")],
    )
    assert found.clean
    assert found.shared_groups == 1


def test_rows_numbered_from_1_in_both_files_are_no_leak_but_are_told():
    found = audit(train=[row("1", words(1))], test=[row("1", words(2))])
    assert found.clean
    assert found.shared_ids == 1


def test_rows_of_one_room_share_their_evidence_and_are_no_hits_within_a_split():
    sheet = words(5, 200)
    rows = [row(f"r{at}", words(10 + at, 8), sheet, group="room") for at in range(3)]
    assert audit(train=rows).within == ()
    apart = [r.model_copy(update={"group": r.id}) for r in rows]
    found = audit(train=apart)
    assert found.within_counts == {"near": 2}
    assert (found.within[0].first, found.within[0].second) == ("r0", "r1")
    assert found.clean


def test_hits_within_are_counted_and_the_first_ones_listed():
    rows = [row(f"r{at}", "how much is it", "the same sheet", group="g") for at in range(500)]
    found = audit(train=rows)
    assert found.within_counts == {"exact": 499}
    assert 0 < len(found.within) <= 50
    assert found.within[0].first == "r0"
    assert found.clean


def test_every_hit_between_is_counted_and_the_list_is_bounded():
    rows = [row(f"r{at}", f"question number {at}") for at in range(1200)]
    copies = [r.model_copy(update={"id": "x" + r.id, "group": "x" + r.id}) for r in rows]
    found = audit(train=rows, test=copies)
    assert found.between_counts == {"exact": 1200}
    assert len(found.between) == 1000
    assert found.between[0].similarity == 1.0


def test_a_row_in_three_splits_is_named_with_each_later_one():
    found = audit(train=[row("a", "q w e")], dev=[row("b", "q w e")], test=[row("c", "q w e")])
    assert [(hit.splits, hit.first, hit.second) for hit in found.between] == [
        (("train", "dev"), "a", "b"),
        (("train", "test"), "a", "c"),
    ]


# --- Questions -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Who is the spouse of the Green performer?",
            "Who is the spouse of the Blue performer?",
        ),
        (
            "Who is the child of the person who issued the Tamworth manifesto?",
            "Who was the father of the person who issued the Tamworth manifesto?",
        ),
        ("What county is Elm Park in?", "What country is Elm Park in?"),
        ("When did Henry II die?", "When did Henry III die?"),
        ("Who won the 1995 final of the Alpine Cup?", "Who won the 1996 final of the Alpine Cup?"),
        ("Who won the 1995 final of the cup?", "Who won the 1959 final of the cup?"),
        ("Who designed the 12345 engine?", "Who designed the 13245 engine?"),
        ("Who is the wife of Marina Holm?", "Who is the wife of Martina Holm?"),
        (
            "Who is the brother of the mother of Ann?",
            "Who is the mother of the brother of Ann?",
        ),
        ("Where was Adam born, in the north?", "Where was Adams born, in the north?"),
    ],
)
def test_questions_that_differ_by_what_is_asked_are_two_questions(one, other):
    found = audit("question", train=[row("a", one)], test=[row("b", other)])
    assert found.clean, found.between


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Who founded the Orb?", "who founded the orb", "normalised"),
        ("Who founded the publisher of Orb?", "Who founded publisher of the Orb?", "near"),
        (
            "Who is the spouse of the Orb's director?",
            "Who is the sposue of the Orb's director?",
            "near",
        ),
        ("Who were the directors of Orb?", "Who were the director of Orb?", "near"),
        (
            "In which city has the accident occurred?",
            "In which city has the accident occured?",
            "near",
        ),
        ("谁是这部电影的导演？", "请问谁是这部电影的导演呢？", "near"),
    ],
)
def test_questions_that_differ_by_a_slip_are_one_question(one, other, kind):
    others = [
        row(f"x{at}", f"Who founded the {words(at, 1)} of {words(at + 99, 1)}?") for at in range(50)
    ]
    found = audit("question", train=[*others, row("a", one)], test=[row("b", other)])
    assert [(hit.kind, hit.first) for hit in found.between] == [(kind, "a")]


def test_the_evidence_of_questions_does_not_count():
    found = audit(
        "question",
        train=[row("a", "Who founded the Orb?", "one paragraph")],
        test=[row("b", "Who founded the Orb?", "another paragraph")],
    )
    assert found.between_counts == {"exact": 1}


def test_real_multi_hop_questions_hold_no_false_alarm(shared_data: Path):
    read = list(Musique({"full": True}).read(shared_data / "musique" / "rows.jsonl"))
    questions = [r.question for r in read]
    found = audit("question", train=read[::2], test=read[1::2])
    exact = len(questions) - len(set(questions))
    assert sum(found.between_counts.values()) + sum(found.within_counts.values()) == exact


def test_invented_multi_hop_questions_hold_no_false_alarm():
    builder = Musique({})
    train, test = list(builder.build("train", 600, 0)), list(builder.build("test", 100, 0))
    found = audit("question", train=train, test=test)
    assert found.between == ()
    same = (
        len(train) + len(test) - len({r.question for r in train}) - len({r.question for r in test})
    )
    assert sum(found.within_counts.values()) == same


# --- Hostile data ----------------------------------------------------------------------------


def test_empty_splits_and_blank_rows_are_no_hits():
    auditor = Auditor("row")
    auditor.open("train")
    auditor.open("dev")
    for at in range(5):
        auditor.add("test", row(f"t{at}", "", ""))
    found = auditor.finish()
    assert found.clean
    assert found.within == ()
    assert found.rows == {"train": 0, "dev": 0, "test": 5}
    assert found.blank == 5
    assert Auditor("question").finish().clean


def test_one_policy_in_every_row_makes_no_two_rows_alike():
    policy = words(0, 1500)
    rows = {
        split: [row(f"{split}{at}", words(seed + at, 20), policy) for at in range(60)]
        for split, seed in (("train", 1000), ("test", 5000))
    }
    assert audit(**rows).clean
    leak = rows["test"][7].model_copy(update={"id": "leak", "group": "leak"})
    moved = _asked(lambda text: text.rsplit(" ", 1)[0] + " instead")(leak)
    found = audit(train=[*rows["train"], moved], test=rows["test"])
    assert [(hit.kind, hit.first, hit.second) for hit in found.between] == [
        ("near", "leak", "test7")
    ]


def test_a_giant_document_costs_little_more_than_its_own_size():
    import tracemalloc

    base = " ".join(f"word{at % 50_000}x{at // 50_000}" for at in range(150_000))
    one, other = row("a", "q", base), row("b", "q", "new start " + base)
    tracemalloc.start()
    try:
        found = audit(train=[one], test=[other])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [hit.kind for hit in found.between] == ["near"]
    assert found.between[0].similarity > 0.99
    assert peak < 20 * len(base)


def test_a_giant_word_and_a_lone_surrogate_are_text_like_any_other():
    giant = "x" * 3_000_000
    found = audit(
        train=[row("a", "q", giant), row("s", "bad \ud800 half")],
        test=[row("b", "q", giant + "."), row("t", "bad \ud800 half")],
    )
    assert {(hit.kind, hit.first, hit.second) for hit in found.between} == {
        ("normalised", "a", "b"),
        ("exact", "s", "t"),
    }


def test_rows_of_common_words_are_neither_slow_nor_alike():
    rows = {
        split: [
            row(
                f"{split}{at}",
                f"welcome to the room, number {first + at} is on the table right now",
            )
            for at in range(1500)
        ]
        for split, first in (("train", 0), ("test", 5000))
    }
    start = time.process_time()
    found = audit(**rows)
    assert time.process_time() - start < 30
    assert found.clean
    assert found.within == ()


def test_cost_grows_with_the_number_of_rows_and_not_faster():
    def seconds(count: int) -> float:
        rows = [
            row(f"r{at}", "one and the same line of a live room ok", group="g") for at in range(3)
        ]
        auditor = Auditor("row")
        start = time.process_time()
        for at in range(count):
            auditor.add("train", rows[0].model_copy(update={"id": f"i{at}"}))
        for at in range(count):
            text = f"tiny {at} but all in all the same line of a live room today"
            auditor.add("train", rows[1].model_copy(update={"question": text, "id": f"j{at}"}))
        auditor.finish()
        return time.process_time() - start

    seconds(100)
    small, large = seconds(500), seconds(2000)
    assert large < 8 * small


# --- The same everywhere ---------------------------------------------------------------------

PROGRAM = """
import sys
from lt_bench.builders.audit import Auditor
from lt_bench.builders.commerce_qa import CommerceQA
auditor, builder = Auditor("row"), CommerceQA({})
test = list(builder.build("test", 30, 0))
for row in builder.build("train", 60, 0):
    auditor.add("train", row)
for at, row in enumerate(test):
    auditor.add("train", row.model_copy(update={"documents": row.documents[1:], "id": f"p{at}"}))
for row in test:
    auditor.add("test", row)
print(auditor.finish().model_dump_json())
"""


def test_the_audit_is_the_same_under_every_hash_seed():
    output = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "77", "PATH": ""},
    ).stdout
    here = io.StringIO()
    with contextlib.redirect_stdout(here):  # this process has another seed
        exec(PROGRAM, {})
    assert output == here.getvalue()
    found = Audit.model_validate_json(output)
    assert found.between_counts["near"] >= 30
    assert json.loads(output)["unit"] == "row"


def test_naming_the_audit_loads_no_numeric_library():
    code = "import sys, lt_bench.builders.audit; print([m for m in ('numpy', 'scipy', 'datasketch') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
