"""A judge against people: who is compared, what is left out, and what is said of it."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from support.labelled import PlainJudge, calibrated, labelled, one_label

from lt_bench.errors import UsageError
from lt_bench.records import (
    Calibration,
    FactsGold,
    HumanLabel,
    JudgeStamp,
    Labelled,
    Reason,
)
from lt_bench.run.judging.belief import belief, below, coverage
from lt_bench.run.judging.calibrate import plan
from lt_bench.run.judging.calibration_file import (
    check_place,
    default_path,
    load_calibration,
    matching,
    save_calibration,
)
from lt_bench.run.judging.drawing import Draw, draw
from lt_bench.run.judging.people import agreed
from lt_bench.run.judging.rating import rate
from lt_bench.run.judging.slices import sliced, source_of
from lt_bench.scorers import SCORERS, ScoringContext

BOTH = ("correctness", "helpfulness", "correct_and_helpful")


def rows_of(count: int, right: float = 0.5, seed: int = 0, **example: Any) -> list[Labelled]:
    """Replies of different lengths, of which a share is right."""
    dice = random.Random(seed)
    return [
        one_label(f"r{i}", "x" * dice.randint(1, 90), i < count * right, **example)
        for i in range(count)
    ]


def truth(rows: list[Labelled], wrong: int = 0) -> Any:
    """A judge that knows the labels and errs on every `wrong`-th reply."""
    known = {row.id: bool(row.labels[0].correct) for row in rows}
    flipped = {row.id for i, row in enumerate(rows) if wrong and i % wrong == 0}
    return lambda example, reply: known[example.id] != (example.id in flipped)


# --- who is compared ---------------------------------------------------------------------------


def test_every_reply_is_accounted_for_once():
    """Some agreed, some disputed, some without this label, some without a verdict."""
    rows = [
        *rows_of(10),
        *(labelled(f"d{i}", "maybe", ("ann", True, None), ("bob", False, None)) for i in range(3)),
        *(labelled(f"h{i}", "hm", ("ann", None, True)) for i in range(4)),
    ]
    silent: dict[str, Reason] = {"r0": "judge_unparsed", "r1": "judge_error", "d0": "judge_refused"}
    found = calibrated(rows, lambda example, reply: silent.get(example.id, True))
    one = found.metrics["correctness"]
    assert one.overall.counts.n == 8
    assert one.overall.unscored == {"judge_error": 1, "judge_unparsed": 1}
    assert (one.disputed, one.unlabelled, one.left_out) == (3, 4, 0)
    assert found.rows == one.rows == 17


def test_a_file_that_loses_a_reply_is_no_calibration():
    found = calibrated(rows_of(8), truth(rows_of(8)))
    with pytest.raises(ValidationError, match="accounts for 8 of 9"):
        Calibration.model_validate(found.model_dump() | {"rows": 9})


def test_disputed_replies_are_kept_apart_and_what_the_judge_says_of_them_is_shown():
    split = [
        labelled(f"d{i}", "x" * i, ("ann", True, None), ("bob", False, None)) for i in range(1, 5)
    ]
    rows = [*rows_of(20), *split]
    found = calibrated(rows, lambda example, reply: example.id in ("d1", "d2", "d3"))
    one = found.metrics["correctness"]
    assert one.overall.counts.n == 20
    assert one.disputed_yes is not None
    assert (one.disputed_yes.value, one.disputed_yes.n) == (0.75, 4)


def test_two_of_three_annotators_decide():
    row = labelled("a", "x", ("ann", True, None), ("bob", False, None), ("cy", True, None))
    assert agreed(row, "correctness") is True
    assert agreed(row, "helpfulness") is None


def test_people_against_each_other_are_measured_over_replies_both_labelled():
    rows = [
        labelled(f"p{i}", "x", ("bob", i % 2 == 0, None), ("ann", i % 2 == 0 or i == 1, None))
        for i in range(10)
    ]
    rows.append(one_label("alone", "x", True))
    found = calibrated(rows, lambda example, reply: True).metrics["correctness"].annotators
    assert found is not None
    assert found.counts.n == 10
    # ann stands for the judge: her name comes first.
    assert (found.counts.false_positive, found.counts.false_negative) == (1, 0)
    alone = calibrated(rows_of(10), truth(rows_of(10)))
    assert alone.metrics["correctness"].annotators is None


def test_correct_and_helpful_is_measured_against_both_labels():
    rows = [
        labelled("a", "x", ("ann", True, True)),
        labelled("b", "x", ("ann", True, False)),
        labelled("c", "x", ("ann", False, None)),
        labelled("d", "x", ("ann", True, None)),
    ]
    found = calibrated(rows, lambda example, reply: True, metrics=BOTH).metrics
    both = found["correct_and_helpful"]
    assert (both.overall.counts.positives, both.overall.counts.negatives) == (1, 2)
    assert both.unlabelled == 1


def test_only_replies_with_a_label_for_the_judge_are_asked_about():
    rows = [*rows_of(4), labelled("h", "x", ("ann", None, True))]
    judge = PlainJudge(lambda example, reply: True)
    planned = plan("plain", judge, rows, "rows", Draw())
    assert [row.id for row in planned.drawn.rows] == ["r0", "r1", "r2", "r3"]


# --- the draw ----------------------------------------------------------------------------------


def sourced(sizes: dict[str, int]) -> list[Labelled]:
    return [
        one_label(f"{name}{i}", "x" * (i + 1), i % 3 == 0, tags=(f"source:{name}",))
        for name, size in sizes.items()
        for i in range(size)
    ]


def test_a_limit_takes_from_all_sources_alike():
    rows = sourced({"big": 100, "middle": 30, "small": 3})
    drawn = draw(rows, ["correctness"], Draw(limit=23)).rows
    assert Counter(source_of(row) for row in drawn) == {"big": 10, "middle": 10, "small": 3}


def test_a_draw_hangs_on_the_seed_and_not_on_the_order_of_the_rows():
    rows = sourced({"a": 40, "b": 40})
    shuffled = random.Random(1).sample(rows, len(rows))
    ids = [
        {r.id for r in draw(given, ["correctness"], Draw(20)).rows} for given in (rows, shuffled)
    ]
    assert ids[0] == ids[1]
    other = {row.id for row in draw(rows, ["correctness"], Draw(20, seed=1)).rows}
    assert other != ids[0]
    more = {row.id for row in draw(rows, ["correctness"], Draw(50)).rows}
    assert ids[0] < more


def test_balance_leaves_as_many_right_as_wrong_of_each_metric():
    dice = random.Random(4)
    rows = [
        labelled(f"r{i}", "x" * (i + 1), ("ann", dice.random() < 0.8, dice.random() < 0.3))
        for i in range(120)
    ]
    found = calibrated(rows, lambda *_: True, Draw(balance=True), metrics=BOTH)
    for one in found.metrics.values():
        assert one.overall.counts.positives == one.overall.counts.negatives > 5
        assert one.left_out > 0
        assert one.rows == 120
    assert found.balanced


def test_a_balanced_limit_is_used_up():
    rows = rows_of(100, right=0.8)
    drawn = draw(rows, ["correctness"], Draw(limit=30, balance=True)).rows
    assert Counter(row.labels[0].correct for row in drawn) == {True: 15, False: 15}


def test_a_balance_of_one_kind_alone_leaves_nothing_and_says_so():
    rows = rows_of(10, right=1.0)
    with pytest.raises(UsageError, match="people call all of them right"):
        calibrated(rows, lambda *_: True, Draw(balance=True))


# --- slices ------------------------------------------------------------------------------------


def test_slices_by_length_hold_a_third_each_and_name_their_ends():
    rows = [one_label(f"r{i}", "x" * i, True) for i in range(1, 31)]
    found = {name: len(part) for name, part in sliced(rows).items()}
    assert found == {"length:1-10": 10, "length:11-20": 10, "length:21-30": 10}


def test_replies_of_one_length_are_never_parted():
    rows = [one_label(f"r{i}", "x" * (7 if i < 25 else 9), True) for i in range(30)]
    assert {name: len(part) for name, part in sliced(rows).items()} == {
        "length:7-7": 25,
        "length:9-9": 5,
    }
    assert not sliced(rows[:20])


def test_slices_by_language_and_answerability_only_where_they_differ():
    gold = {kind: FactsGold(answerability=kind) for kind in ("full", "none")}
    rows = [
        one_label("a", "x", True, lang="en", gold=gold["full"]),
        one_label("b", "x", True, lang="zh", gold=gold["none"]),
        one_label("c", "x", True, lang="zh"),
    ]
    assert sliced(rows) == {
        "lang:en": [0],
        "lang:zh": [1, 2],
        "answerability:full": [0],
        "answerability:none": [1],
    }
    assert sliced(rows[1:2]) == {}


def test_a_source_without_a_tag_is_sliced_by_too():
    row = one_label("a", "x", True, source="shop chat: March")
    assert list(sliced([row])) == ["source:shop chat"]


def test_tags_that_were_asked_for_are_slices_and_unknown_ones_are_named():
    rows = [one_label(f"r{i}", "x", True, tags=(f"fault:{'ab'[i % 2]}",)) for i in range(4)]
    found = calibrated(rows, lambda *_: True, prefixes=["fault"])
    assert {"fault:a", "fault:b"} <= set(found.metrics["correctness"].slices)
    with pytest.raises(UsageError, match="fualt.*Did you mean 'fault'"):
        calibrated(rows, lambda *_: True, prefixes=["fualt"])


def test_slices_of_one_kind_add_up_to_the_whole():
    rows = sourced({"a": 31, "b": 14})
    silent: set[str] = {"a3", "b5", "b6"}
    found = calibrated(rows, lambda e, _: "judge_unparsed" if e.id in silent else True)
    one = found.metrics["correctness"]
    for kind in ("source:", "length:"):
        parts = [part for name, part in one.slices.items() if name.startswith(kind)]
        assert sum(part.counts.n for part in parts) == one.overall.counts.n == 42
        assert sum(sum(part.unscored.values()) for part in parts) == 3


# --- what is said of a judge -------------------------------------------------------------------


def test_a_good_judge_is_said_to_judge_well():
    rows = rows_of(200)
    said = belief(calibrated(rows, truth(rows, wrong=20)), "correctness")
    assert said.standing == "judge"
    assert said.sentence.startswith("plain judges correctness very well: kappa 0.90 [0.84, 0.96]")


def test_a_constant_judge_is_none_and_the_base_rate_is_shown():
    """F62: 95 % are right, so that a judge that says yes to all agrees on 95 %."""
    rows = rows_of(100, right=0.95)
    found = calibrated(rows, lambda *_: True)
    one = found.metrics["correctness"]
    assert (one.overall.agreement.value, one.overall.base_rate.value) == (0.95, 0.95)
    assert one.overall.kappa.value == 0.0
    said = belief(found, "correctness")
    assert said.standing == "no judge"
    assert said.sentence == "plain is no judge of correctness: it calls all 100 replies right"
    assert any("95.0 % of the replies right" in warning for warning in one.warnings)


def test_a_judge_that_guesses_is_none():
    rows, dice = rows_of(200), random.Random(3)
    guesses = {row.id: dice.random() < 0.5 for row in rows}
    said = belief(calibrated(rows, lambda example, _: guesses[example.id]), "correctness")
    assert said.standing == "no judge"
    assert "cannot be told from 0" in said.sentence


def test_a_judge_that_only_looks_at_length_is_none():
    """Long replies are mostly right here: the judge must beat the one that reads nothing."""
    rows = [one_label(f"r{i}", "x" * (i + 1), (i >= 60) != (i % 5 == 0)) for i in range(120)]
    found = calibrated(rows, lambda _, reply: len(reply) > 70)
    assert found.metrics["correctness"].overall.kappa.low is not None
    assert found.metrics["correctness"].overall.kappa.low > 0.2
    said = belief(found, "correctness")
    assert said.standing == "no judge"
    assert "longer than the median does as well" in said.sentence


def test_a_judge_that_contradicts_people_is_none():
    rows = rows_of(60)
    said = belief(calibrated(rows, truth(rows, wrong=1)), "correctness")
    assert said.standing == "no judge"
    assert "contradicts people" in said.sentence


@pytest.mark.parametrize(
    ("reason", "standing"),
    [
        ("judge_unparsed", "no judge"),
        ("judge_refused", "no judge"),
        ("judge_error", "not measured"),
    ],
)
def test_a_judge_without_a_verdict_on_most_replies_is_none_unless_a_server_failed(
    reason: Reason, standing: str
):
    rows = rows_of(100)
    knows = truth(rows)
    found = calibrated(rows, lambda e, r: knows(e, r) if int(e.id[1:]) % 3 == 0 else reason)
    said = belief(found, "correctness")
    assert said.standing == standing
    assert "a verdict on 34 of 100 replies" in said.sentence
    share = coverage(found.metrics["correctness"].overall)
    assert share == pytest.approx(0.34)


def test_a_judge_without_any_verdict_is_none():
    said = belief(calibrated(rows_of(40), lambda *_: "judge_unparsed"), "correctness")
    assert said.sentence == (
        "plain is no judge of correctness: its answers hold a verdict on 0 of 40 replies"
    )


def test_silence_is_never_a_no():
    rows = rows_of(40)
    found = calibrated(rows, lambda *_: "judge_error").metrics["correctness"].overall
    assert found.counts.n == 0
    assert found.specificity.value is None
    assert found.unscored == {"judge_error": 40}


def test_replies_of_one_kind_measure_nothing():
    rows = rows_of(50, right=1.0)
    dice = random.Random(0)
    said = belief(calibrated(rows, lambda *_: dice.random() < 0.9), "correctness")
    assert said.standing == "not measured"
    assert "label some that are wrong" in said.sentence


@pytest.mark.parametrize(
    ("count", "standing", "word"),
    [(18, "not measured", "too few"), (40, "judge", "very well"), (24, "judge", " well")],
)
def test_a_judge_that_never_errs_is_praised_as_far_as_the_rows_reach(
    count: int, standing: str, word: str
):
    rows = rows_of(count)
    said = belief(calibrated(rows, truth(rows)), "correctness")
    assert said.standing == standing
    assert word in said.sentence


def test_a_gate_looks_at_the_value_and_fails_where_there_is_none():
    rows = rows_of(200)
    found = calibrated(rows, truth(rows, wrong=10))
    value = found.metrics["correctness"].overall.kappa.value
    assert value == pytest.approx(0.8)
    assert below(found, 0.79) == {}
    assert list(below(found, 0.81)) == ["correctness"]
    silent = calibrated(rows, lambda *_: "judge_error")
    assert list(below(silent, -1.0)) == ["correctness"]


def test_labels_by_construction_are_called_so():
    row = one_label("a", "x", True)
    built = row.model_copy(update={"labels": (HumanLabel(annotator="construction", correct=True),)})
    found = calibrated([built], lambda *_: True)
    assert any("nobody read" in one for one in found.metrics["correctness"].warnings)


# --- what cannot be measured is said before anybody is asked ------------------------------------


def test_a_judge_of_something_nobody_labelled_is_refused():
    rows = [labelled("a", "x", ("ann", None, True))]
    with pytest.raises(UsageError, match="no reply has a label for plain"):
        plan("plain", PlainJudge(lambda *_: True), rows, "rows", Draw())


def test_facts_is_refused_where_no_reply_has_gold_facts():
    scorer = SCORERS.get("facts")(ScoringContext(), {})
    with pytest.raises(UsageError, match="facts cannot score any of these 6 replies"):
        plan("facts", scorer, rows_of(6), "rows", Draw())


# --- the file ----------------------------------------------------------------------------------


def test_a_calibration_comes_back_from_disk_as_it_was(tmp_path: Path):
    rows = sourced({"a": 20, "b": 20})
    found = calibrated(rows, truth(rows, wrong=7))
    path = tmp_path / "deep" / "down" / "c.json"
    save_calibration(found, path)
    assert load_calibration(path) == found
    assert [one.name for one in path.parent.iterdir()] == ["c.json"]


def test_equal_runs_give_equal_files_but_for_the_clock():
    rows = sourced({"a": 20, "b": 20})
    first, second = (
        calibrated(rows, truth(rows, wrong=7), Draw(limit=30, seed=5)) for _ in range(2)
    )
    same = {"created", "environment"}
    assert first.model_dump_json(exclude=same) == second.model_dump_json(exclude=same)
    assert default_path(first) == default_path(second)


def test_other_labels_of_the_same_judge_do_not_overwrite_its_calibration():
    rows = rows_of(20)
    whole, half = calibrated(rows, truth(rows)), calibrated(rows[:15], truth(rows))
    assert default_path(whole) != default_path(half)
    assert default_path(whole).name.startswith("plain-")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"judge": "x"}', "\x00\xff", '{"rows": NaN}', "[" * 100_000]
)
def test_a_damaged_file_is_refused_in_words(tmp_path: Path, text: str):
    path = tmp_path / "c.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=r"c\.json is no calibration"):
        load_calibration(path)


def test_a_missing_file_and_a_folder_are_refused_in_words(tmp_path: Path):
    for path in (tmp_path, tmp_path / "nothing.json"):
        with pytest.raises(UsageError, match="cannot read"):
            load_calibration(path)


def test_a_place_that_cannot_be_written_is_refused_before_anybody_is_asked(tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("x")
    for path in (tmp_path, file / "c.json", file / "deep" / "c.json"):
        with pytest.raises(UsageError):
            check_place(path)
    check_place(tmp_path / "new" / "c.json")


# --- is it of this judge? ----------------------------------------------------------------------


def stamp(**changes: Any) -> JudgeStamp:
    return JudgeStamp.model_validate(
        {"name": "plain", "version": 3, "judge_sha": "5a" * 32, "votes": 1, **changes}
    )


def test_a_calibration_of_the_same_judge_is_taken():
    rows = rows_of(10)
    found = calibrated(rows, truth(rows))
    assert matching(found, stamp(), "correctness") == found.metrics["correctness"]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": "strict"}, "of the judge plain, not of strict"),
        ({"models": ("openai/big",)}, "models no model became openai/big"),
        ({"version": 4}, "version 3 of the rubric became 4"),
        ({"votes": 3}, "1 votes became 3"),
        ({}, "prompt, the sampling or the weights"),
    ],
)
def test_a_stale_calibration_is_refused_and_what_changed_is_told(
    changes: dict[str, Any], told: str
):
    """F60: bound to prompt, model and sampling by their hash."""
    rows = rows_of(10)
    found = calibrated(rows, truth(rows))
    with pytest.raises(UsageError, match="stale") as error:
        matching(found, stamp(judge_sha="6b" * 32, **changes), "correctness")
    assert told in error.value.cause


def test_a_metric_that_was_not_measured_is_refused():
    rows = rows_of(10)
    with pytest.raises(UsageError, match="does not hold helpfulness"):
        matching(calibrated(rows, truth(rows)), stamp(), "helpfulness")


def test_every_drawn_reply_is_asked_about_once():
    rows = rows_of(30)
    judge = PlainJudge(lambda *_: True)
    planned = plan("plain", judge, rows, "rows", Draw(limit=12))
    asyncio.run(rate(judge, planned.drawn.rows, 4))
    assert len(judge.asked) == len(set(judge.asked)) == 12
