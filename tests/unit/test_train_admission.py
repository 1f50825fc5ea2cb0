"""Which trajectories become the corpus, and what is told of those that do not."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.distilling import lines
from support.teachers import (
    BABBLE,
    BARE,
    BARE_THOUGHTLESS,
    CUT,
    EMPTY,
    EMPTY_THOUGHT,
    FILTERED,
    GOOD,
    MUTE,
    RULES,
    SILENT,
    TWO_BLOCKS,
    UNCLOSED,
    WRONG,
    taught,
)

from lt_bench.errors import RunError, UsageError
from lt_bench.train.admission import Admission, admit, corpus, finished
from lt_bench.train.corpus import words
from lt_bench.train.data import examples_of
from lt_bench.train.recipe import SftStage
from lt_bench.train.sampling import Offered, sample
from lt_bench.train.stage import StageContext

PARENT = Path("nobody")


def offered(context: StageContext) -> Offered:
    assert isinstance(context.stage, SftStage)
    return sample(context, examples_of(context.task, context.stage.rows))


def admitted(context: StageContext) -> Admission:
    assert isinstance(context.stage, SftStage)
    return admit(context.folder, context.stage, offered(context))


def refusals(context: StageContext) -> dict[tuple[str, int], str]:
    return {
        (
            row["key"]["example_id"],
            row["key"]["sample_index"],
        ): f"{row['reason']} {row['score']}".strip()
        for row in lines(context.folder / "refused.jsonl")
    }


EACH: list[tuple[str, Any, str]] = [
    ("wrong", WRONG, "below correctness"),
    ("bare", BARE, "below helpfulness"),
    ("silent", SILENT, "judge_error correctness"),
    ("babble", BABBLE, "judge_unparsed correctness"),
    ("no thought", BARE_THOUGHTLESS, "thinking_missing"),
    ("empty thought", EMPTY_THOUGHT, "thinking_missing"),
    ("mute", MUTE, "no_reply"),
    ("two blocks", TWO_BLOCKS, "thinking_malformed"),
    ("unclosed", UNCLOSED, "truncated"),
    ("cut", CUT, "truncated"),
    ("filtered", FILTERED, "provider_refused"),
    ("empty", EMPTY, "no_answer"),
]


@pytest.fixture(scope="module")
def all_kinds(tmp_path_factory: pytest.TempPathFactory) -> tuple[StageContext, Admission]:
    """A good trajectory of one input, and one of each kind of bad ones of inputs of their own."""
    folder = tmp_path_factory.mktemp("kinds") / "rft"
    context = taught(folder, [[GOOD], *([given] for _, given, _ in EACH)], parent=PARENT)
    return context, admitted(context)


@pytest.mark.parametrize(
    ("place", "expected"), [(n + 1, why) for n, (_, _, why) in enumerate(EACH)]
)
def test_each_kind_is_refused_with_its_own_reason(
    place: int, expected: str, all_kinds: tuple[StageContext, Admission]
) -> None:
    context, _ = all_kinds
    example = examples_of(context.task, context.stage.rows)[place]
    assert refusals(context)[example.id, 0] == expected


def test_the_report_accounts_for_every_trajectory(
    all_kinds: tuple[StageContext, Admission],
) -> None:
    context, report = all_kinds
    assert (report.inputs, report.trajectories, report.admitted) == (13, 13, 1)
    assert report.passed == 1
    assert report.failed == 12
    assert sum(report.reasons.values()) + report.admitted == report.trajectories
    assert report.reasons["correctness below 1"] == 1
    assert report.reasons["correctness unscored (judge_error)"] == 1
    assert report.reasons["truncated"] == 2
    assert report.silent == 2
    assert len(lines(context.folder / "refused.jsonl")) == 12
    assert finished(context.folder) == report


def test_the_corpus_holds_input_thought_and_reply(
    all_kinds: tuple[StageContext, Admission],
) -> None:
    context, _ = all_kinds
    (line,) = corpus(context.folder)
    assert line.example == examples_of(context.task, context.stage.rows)[0]
    assert (line.thought, line.reply) == ("Sheet says 99.", "It is 99 yuan, and red.")
    assert line.scores == {"correctness": 1.0, "helpfulness": 1.0}


def test_a_silent_judge_is_neither_a_yes_nor_a_no(tmp_path: Path) -> None:
    """Even where the least value asked for is 0."""
    context = taught(
        tmp_path / "rft", [[SILENT], [WRONG]], parent=PARENT, admit={"correctness": 0.0}
    )
    report = admitted(context)
    assert report.admitted == 1
    assert set(refusals(context).values()) == {"judge_error correctness"}


def test_sft_takes_the_first_answer_of_each_input_whatever_its_scores(tmp_path: Path) -> None:
    answers = [[WRONG, GOOD], [FILTERED, BARE], [CUT, MUTE], [BARE_THOUGHTLESS, GOOD]]
    context = taught(tmp_path / "sft", answers, parent=PARENT, kind="sft")
    report = admitted(context)
    taken = [(line.key.sample_index, line.reply, line.thought) for line in corpus(context.folder)]
    assert taken == [
        (0, "WRONG it is 99 yuan, and red.", "Sheet says 99."),
        (1, "BARE it is 99 yuan, and red.", "Sheet says 99."),
        (0, "It is 99 yuan.", None),
    ]
    assert (report.kind, report.admitted, report.failed) == ("sft", 3, 1)


MANY = [[GOOD.replace("99", str(n)) for n in range(4)] for _ in range(40)]


def chosen(context: StageContext) -> list[int]:
    return [line.key.sample_index for line in corpus(context.folder)]


def test_at_most_one_of_each_input_is_taken_and_the_choice_is_spread(tmp_path: Path) -> None:
    context = taught(tmp_path / "rft", MANY, parent=PARENT)
    report = admitted(context)
    assert (report.inputs, report.admitted, report.passed) == (40, 40, 160)
    assert report.reasons == {"not_chosen": 120}
    assert min(Counter(chosen(context)).values()) >= 3
    assert len(Counter(chosen(context))) == 4


def test_the_choice_is_the_same_whatever_the_order_of_the_journals(tmp_path: Path) -> None:
    context = taught(tmp_path / "rft", MANY, parent=PARENT)
    given = offered(context)
    assert isinstance(context.stage, SftStage)
    first = admit(context.folder, context.stage, given)
    before = (context.folder / "admitted.jsonl").read_bytes()
    for name in ("generations.jsonl", "scores.jsonl"):
        path = given.folder / name
        shuffled = path.read_text().splitlines()
        random.Random(3).shuffle(shuffled)
        path.write_text("\n".join(shuffled) + "\n")
    again = admit(context.folder, context.stage, offered(context))
    assert (context.folder / "admitted.jsonl").read_bytes() == before
    assert again == first
    other = context.stage.model_copy(update={"seed": 1})
    admit(context.folder, other, given)
    assert (context.folder / "admitted.jsonl").read_bytes() != before


def test_first_and_shortest_are_what_they_say(tmp_path: Path) -> None:
    long = GOOD.replace("Sheet says 99.", "Sheet says 99. Wait. Again: 99.")
    answers = [[long, WRONG, GOOD], [BARE, long, long]]
    first = taught(tmp_path / "first", answers, parent=PARENT, choose="first")
    admitted(first)
    assert chosen(first) == [0, 1]
    short = taught(tmp_path / "short", answers, parent=PARENT, choose="shortest")
    admitted(short)
    assert chosen(short) == [2, 1]


def test_lengths_are_told_of_what_was_taken_and_what_was_not(tmp_path: Path) -> None:
    long = WRONG.replace("Sheet says 99.", "Sheet says 99. Wait. Again: 99.")
    report = admitted(taught(tmp_path / "rft", [[GOOD], [long], [long]], parent=PARENT))
    survey = report.survey
    assert survey.unit == "words"
    assert survey.lengths["admitted"].model_dump() == {"n": 1, "thought": 3.0, "reply": 6.0}
    assert survey.lengths["refused"].model_dump() == {"n": 2, "thought": 6.0, "reply": 7.0}
    assert survey.lengths["offered"].thought == 5.0


def test_tags_are_told_of_what_was_offered_and_what_was_taken(tmp_path: Path) -> None:
    context = taught(tmp_path / "rft", [[GOOD, GOOD], [WRONG, WRONG], [GOOD, WRONG]], parent=PARENT)
    report = admitted(context)
    rows = examples_of(context.task, context.stage.rows)
    for tag in {tag for row in rows for tag in row.tags}:
        share = report.survey.tags[tag]
        assert share.offered == 2 * sum(tag in row.tags for row in rows)
        assert share.admitted == (tag in rows[0].tags) + (tag in rows[2].tags)
        assert share.passed == 2 * (tag in rows[0].tags) + (tag in rows[2].tags)


def test_chinese_is_counted_by_character() -> None:
    assert words("价格是 99 元。") == 6
    assert words("It is 99 yuan.") == 4
    assert words("") == 0


def test_nothing_admitted_is_an_error_that_says_why(tmp_path: Path) -> None:
    context = taught(
        tmp_path / "rft", [[WRONG, WRONG], [BARE, CUT], [WRONG, SILENT]], parent=PARENT
    )
    with pytest.raises(RunError) as caught:
        admitted(context)
    assert caught.value.cause.startswith("none of 6 trajectories to 3 inputs was admitted: ")
    assert "3 correctness below 1" in caught.value.cause
    assert "1 truncated" in caught.value.cause
    assert "refused.jsonl" in caught.value.fix
    assert len(str(caught.value).splitlines()) <= 6
    assert len(lines(context.folder / "refused.jsonl")) == 6
    assert finished(context.folder) is None


@pytest.mark.parametrize(
    ("given", "fix"),
    [
        (CUT, "raise teacher.max_tokens"),
        (SILENT, "it asks again where it was silent"),
        (EMPTY, "mend the teacher"),
        (BARE_THOUGHTLESS, "a teacher that thinks"),
        (WRONG, "lower what `admit` asks for"),
    ],
)
def test_the_fix_is_that_of_the_commonest_reason(given: Any, fix: str, tmp_path: Path) -> None:
    with pytest.raises(RunError) as caught:
        admitted(taught(tmp_path / "rft", [[given], [given]], parent=PARENT))
    assert fix in caught.value.fix


def test_a_judge_that_was_silent_is_asked_again_once_it_speaks(tmp_path: Path) -> None:
    context = taught(tmp_path / "rft", [[SILENT], [SILENT]], parent=PARENT)
    with pytest.raises(RunError, match="unscored"):
        admitted(context)
    spoken = RULES.replace("contains: SILENT", "contains: NEVER")
    again = taught(tmp_path / "rft", [[SILENT], [SILENT]], parent=PARENT, rules=spoken)
    assert admitted(again).admitted == 2
    assert len(lines(context.folder / "sampling" / "generations.jsonl")) == 2


def test_a_corpus_that_was_changed_afterwards_is_not_trained_on(tmp_path: Path) -> None:
    context = taught(tmp_path / "rft", [[GOOD]], parent=PARENT)
    admitted(context)
    path = context.folder / "admitted.jsonl"
    path.write_text(path.read_text().replace("99 yuan", "98 yuan"))
    with pytest.raises(UsageError, match="was changed or taken away after the admission"):
        finished(context.folder)


def test_known_faults_of_the_builders_trajectories_are_told(tmp_path: Path) -> None:
    from support.distilling import distilling

    context = distilling(
        tmp_path / "rft", PARENT, teacher={"model": "reference", "options": {"tokenizer": None}}
    )
    report = admitted(context)
    faults = report.survey.faults
    assert sum(share.offered for share in faults.values()) >= 160
    assert faults["none"].admitted == report.admitted
    assert faults["bare"].offered > 5
    assert faults["bare"].passed == 0
    assert len(lines(context.folder / "labels.jsonl")) == 160


def test_the_report_is_shown_as_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from lt_bench.train.admission_table import show

    report = admitted(taught(tmp_path / "rft", [[GOOD, CUT], [WRONG, BARE]], parent=PARENT))
    show(report)
    out, err = capsys.readouterr()
    assert out == ""
    assert "1 of 2 inputs admitted (50.0%); 1 of 4 trajectories passed" in err
    assert "helpfulness below 1" in err
    assert "mean words" in err
    json.dumps(report.model_dump(mode="json"), allow_nan=False)
