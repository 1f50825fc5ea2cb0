"""Labelling without a terminal: the draw, the file, the session, and what people dispute."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from lt_bench.builders.commerce_judge import CommerceJudge
from lt_bench.builders.importers.labelled import LabelledRows
from lt_bench.calibration.consensus import consensus, is_disputed
from lt_bench.cli.judge.label_keys import LineKeys
from lt_bench.cli.judge.label_screen import head_line
from lt_bench.errors import UsageError
from lt_bench.records import Example, HumanLabel, Labelled
from lt_bench.run.labelling.assign import assigned, strangers, to_settle
from lt_bench.run.labelling.disputes import disputes, pairs_of_people, unsettled
from lt_bench.run.labelling.draw import answerability, draw, own_order, spread
from lt_bench.run.labelling.file import LabelFile, checked_name, newcomer
from lt_bench.run.labelling.pace import Pace
from lt_bench.run.labelling.session import Session
from lt_bench.run.labelling.source import Candidate, Source, open_source

BOTH = ("correct", "helpful")


def reply(id_: str, text: str = "It is blue.", **example) -> Labelled:
    fields = {"task": "commerce_qa", "question": "colour?", "group": id_, **example}
    return Labelled(id=id_, example=Example(id=id_, **fields), reply=text, labels=())


def label(name: str, correct: bool | None = None, helpful: bool | None = None) -> HumanLabel:
    return HumanLabel(annotator=name, correct=correct, helpful=helpful)


def read(path: Path) -> dict[str, dict[str, HumanLabel]]:
    """What the importer of calibrations makes of a labels file: id -> person -> label."""
    rows = LabelledRows({}).read(path)
    return {row.id: {one.annotator: one for one in row.labels} for row in rows}


# --- consensus ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("votes", "together", "disputed"),
    [
        ([], None, False),
        ([None], None, False),
        ([True], True, False),
        ([False, None], False, False),
        ([True, False], None, True),
        ([True, False, None], None, True),
        ([True, True, False], True, False),
        ([False, True, False], False, False),
        ([True, True, False, False], None, True),
    ],
)
def test_more_than_half_of_those_who_say_something_decide(votes, together, disputed):
    labels = [label(f"p{i}", correct=vote) for i, vote in enumerate(votes)]
    assert consensus(labels, "correct") is together
    assert is_disputed(labels, "correct") is disputed
    assert consensus(labels, "helpful") is None


# --- draw -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def candidates() -> list[Candidate]:
    rows = CommerceJudge({"lang": "mix"}).build(300, 3)
    return [Candidate(row.model_copy(update={"labels": ()}), {}) for row in rows]


def test_every_beginning_of_a_draw_holds_each_kind_in_proportion(candidates):
    def kind(row: Labelled):
        return answerability(row.example), row.example.lang

    everything = Counter(kind(one.reply) for one in candidates)
    assert len(everything) > 3
    for size in (20, 77, 150):
        drawn = Counter(kind(row) for row in draw(candidates, size, 0, "proportional", "correct"))
        for name, count in everything.items():
            assert abs(drawn[name] - count * size / len(candidates)) <= 2, (size, name)


def test_groups_are_spread_over_a_draw(candidates):
    groups = len({one.reply.example.group for one in candidates})
    drawn = draw(candidates, 100, 0, "proportional", "correct")
    by_chance = groups * (1 - (1 - 1 / groups) ** 100)
    assert len({row.example.group for row in drawn}) >= by_chance


def test_a_draw_hangs_on_the_seed_and_not_on_the_order_of_the_source(candidates):
    drawn = [row.id for row in draw(candidates, 60, 0, "proportional", "correct")]
    again = draw(list(reversed(candidates)), 60, 0, "proportional", "correct")
    more = draw(candidates, 90, 0, "proportional", "correct")
    assert [row.id for row in again] == drawn
    assert [row.id for row in more][:60] == drawn
    other = draw(candidates, 60, 1, "proportional", "correct")
    assert {row.id for row in other} != set(drawn)
    assert all("sampling:proportional" in row.example.tags for row in more)


def test_every_row_is_equally_likely_to_be_drawn():
    rows = [
        Candidate(reply(f"r{i}", group=f"g{i // 5}", lang="zh" if i < 8 else "en"), {})
        for i in range(40)
    ]
    hits: Counter[str] = Counter()
    for seed in range(400):
        hits.update(one.reply.id for one in spread(rows, seed)[:10])
    zh = sum(hits[f"r{i}"] for i in range(8)) / 8
    en = sum(hits[f"r{i}"] for i in range(8, 40)) / 32
    assert zh == pytest.approx(100, abs=15)
    assert en == pytest.approx(100, abs=8)


def test_a_balanced_draw_takes_turns_and_says_how_to_weigh_it_back():
    rows = [Candidate(reply(f"r{i}"), {"correct": i >= 10}) for i in range(100)]
    rows.append(Candidate(reply("silent"), {}))
    drawn = draw(rows, 20, 0, "balanced", "correct")
    strata = Counter(tag for row in drawn for tag in row.example.tags)
    assert strata["stratum:correct=yes"] == strata["stratum:correct=no"] == 10
    assert strata["stratum_share:0.9"] == strata["stratum_share:0.1"] == 10
    assert strata["sampling:balanced"] == 20
    all_of_them = draw(rows, 1000, 0, "balanced", "correct")
    assert len(all_of_them) == 100
    assert [row.id for row in all_of_them][:20] == [row.id for row in drawn]
    with pytest.raises(UsageError, match="needs a run whose judge said what is helpful"):
        draw(rows, 20, 0, "balanced", "helpful")


def test_everybody_gets_the_same_replies_in_an_order_of_their_own(candidates):
    drawn = draw(candidates, 50, 0, "proportional", "correct")
    ann, bo = own_order(drawn, "ann", 0), own_order(drawn, "bo", 0)
    assert {row.id for row in ann} == {row.id for row in bo}
    assert ann != bo
    assert own_order(list(reversed(drawn)), "ann", 0) == ann


# --- the file -------------------------------------------------------------------------------


def test_the_importer_reads_the_file_after_every_label(tmp_path):
    file = LabelFile(tmp_path / "l.jsonl")
    rows = [row.model_copy(update={"labels": ()}) for row in CommerceJudge({}).build(3, 0)]
    file.give(rows[0], "ann", {"correct": True})
    assert read(file.path) == {rows[0].id: {"ann": label("ann", True)}}
    file.give(rows[1], "ann", {"correct": False, "helpful": False})
    file.give(rows[0], "bo", {"correct": False})
    file.give(rows[0], "ann", {"correct": False})
    file.give(rows[0], "ann", {"helpful": True})
    expected = {
        rows[0].id: {"ann": label("ann", False, True), "bo": label("bo", False)},
        rows[1].id: {"ann": label("ann", False, False)},
    }
    assert read(file.path) == expected
    (first, _) = LabelledRows({}).read(file.path)
    assert first.example == rows[0].example
    assert len(file.path.read_text().splitlines()) == 3
    assert not list(tmp_path.glob("*.part"))


def test_two_writers_see_each_other(tmp_path):
    one, two = LabelFile(tmp_path / "l.jsonl"), LabelFile(tmp_path / "l.jsonl")
    one.give(reply("a"), "ann", {"correct": True})
    two.give(reply("a"), "bo", {"correct": True})
    one.give(reply("a"), "ann", {"correct": False})
    two.give(reply("b"), "bo", {"correct": True})
    assert read(one.path) == {
        "a": {"ann": label("ann", False), "bo": label("bo", True)},
        "b": {"bo": label("bo", True)},
    }
    assert [row.id for row in one.rows()] == ["a", "a", "b"]


WRITER = """
import sys
from pathlib import Path
from lt_bench.records import Example, Labelled
from lt_bench.run.labelling.file import LabelFile
name, file = sys.argv[1], LabelFile(Path(sys.argv[2]))
for turn in range(3):
    for i in range(12):
        example = Example(id=f"r{i}", task="t", question="q", group="g")
        row = Labelled(id=f"r{i}", example=example, reply="x", labels=())
        file.give(row, name, {"correct": bool(turn % 2)})
"""


def test_people_who_write_and_change_at_once_lose_nothing(tmp_path):
    path = tmp_path / "l.jsonl"
    names = ("ann", "bo", "cem")
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, name, path]) for name in names]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    found = read(path)
    assert len(found) == 12
    assert all(set(told) == set(names) for told in found.values())
    assert not any(one.correct for told in found.values() for one in told.values())


def test_a_torn_row_is_asked_again_and_the_rest_is_kept(tmp_path):
    file = LabelFile(tmp_path / "l.jsonl")
    file.give(reply("a"), "ann", {"correct": True})
    file.give(reply("b"), "ann", {"correct": True})
    whole = file.path.read_bytes()
    for cut in (1, 5, 40, 100):
        file.path.write_bytes(whole[: whole.index(b"\n") + 1 + cut])
        again = LabelFile(file.path)
        again.check()
        assert set(again.labels_of("ann")) == {"a"}
        again.give(reply("b"), "ann", {"correct": False})
        assert read(file.path)["b"]["ann"].correct is False


def test_a_row_without_its_line_end_is_whole(tmp_path):
    file = LabelFile(tmp_path / "l.jsonl")
    file.give(reply("a"), "ann", {"correct": True})
    file.path.write_bytes(file.path.read_bytes().rstrip(b"\n"))
    LabelFile(file.path).give(reply("b"), "ann", {"correct": True})
    assert set(read(file.path)) == {"a", "b"}


@pytest.mark.parametrize(
    "text", ["my notes", '{"id": "a", "question": "q", "reply": "r"}', "{}\n", '{"id": 3}']
)
def test_another_file_is_refused_and_left_as_it_is(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(UsageError, match="line 1 is no row of a labels file"):
        LabelFile(path).check()
    assert path.read_text() == text


def test_a_place_that_cannot_be_written_is_told_before_anybody_labels(tmp_path):
    with pytest.raises(UsageError, match="is a folder"):
        LabelFile(tmp_path).check()
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        LabelFile(tmp_path / "file" / "l.jsonl").check()
    LabelFile(tmp_path / "new" / "folder" / "l.jsonl").check()
    assert not (tmp_path / "new" / "folder" / "l.jsonl").exists()


def test_a_link_stays_a_link_when_a_label_changes(tmp_path):
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "l.jsonl")
    file = LabelFile(tmp_path / "link.jsonl")
    file.give(reply("a"), "ann", {"correct": True})
    file.give(reply("a"), "ann", {"correct": False})
    assert (tmp_path / "link.jsonl").is_symlink()
    assert read(tmp_path / "l.jsonl")["a"]["ann"].correct is False


def test_one_id_is_one_reply_whatever_its_tags(tmp_path):
    file = LabelFile(tmp_path / "l.jsonl")
    file.give(reply("a", tags=("x",)), "ann", {"correct": True})
    file.give(reply("a", tags=("y",)), "bo", {"correct": True})
    assert len(read(file.path)["a"]) == 2
    for other in (reply("a", "It is red."), reply("a", question="size?")):
        with pytest.raises(UsageError, match="another reply with the id 'a'"):
            file.give(other, "bo", {"correct": True})
        with pytest.raises(UsageError, match="another reply with the id 'a'"):
            assigned([other], file, "bo", BOTH, 0)


def test_names_that_would_be_mistaken_are_refused():
    assert checked_name(" ann ", ["ann", "bo"]) == "ann"
    assert checked_name("李雷", []) == "李雷"
    for bad in ("", "  ", "a\nb", "\x1b[31m"):
        with pytest.raises(UsageError, match="is no name"):
            checked_name(bad, [])
    with pytest.raises(UsageError, match="the file knows 'ann'"):
        checked_name("Ann", ["ann"])
    assert "Did you mean 'annette'?" in newcomer("anette", ["annette"])
    assert newcomer("bo", ["bo"]) == newcomer("bo", []) == ""


# --- the session ----------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path) -> LabelFile:
    return LabelFile(tmp_path / "l.jsonl")


def begin(file: LabelFile, name: str = "ann", fields=BOTH, ids: str = "abc") -> Session:
    return Session(file, assigned([reply(id_) for id_ in ids], file, name, fields, 0), name)


def at(session: Session) -> str:
    assert session.current is not None
    return session.current.reply.id


def test_a_reply_is_written_when_both_questions_are_answered(file):
    session = begin(file)
    first = at(session)
    assert session.field == "correct"
    assert not session.answer(True)
    assert not file.path.exists()
    assert session.field == "helpful"
    assert session.answer(False)
    assert file.labels_of("ann") == {first: label("ann", True, False)}
    assert at(session) != first
    assert (session.done, session.remaining) == (1, 2)


def test_the_next_session_goes_on_where_the_last_one_ended(file):
    session = begin(file)
    order = [one.reply.id for one in session.assignments]
    for answer in (True, True, False, False):
        session.answer(answer)
    again = begin(file)
    assert at(again) == order[2]
    again.answer(True)
    again.answer(True)
    assert again.current is None
    assert begin(file).current is None
    assert at(begin(file, "bo")) in order


def test_a_reply_left_open_is_asked_in_the_next_session(file):
    session = begin(file)
    first = at(session)
    session.skip()
    second = at(session)
    session.answer(True)
    session.skip()
    assert (session.done, session.left_open, session.remaining) == (0, 2, 1)
    assert file.labels_of("ann") == {second: label("ann", True)}
    again = begin(file)
    assert at(again) == first
    again.skip()
    assert (at(again), again.field) == (second, "helpful")


def test_back_changes_what_was_said(file):
    session = begin(file)
    first = at(session)
    session.answer(True)
    assert session.back()
    assert (at(session), session.field) == (first, "correct")
    session.answer(False)
    session.answer(False)
    second = at(session)
    assert session.back()
    assert (at(session), session.field, session.revisited) == (first, "correct", True)
    assert session.before == label("ann", False, False)
    assert not session.back()
    session.answer(True)
    assert file.labels_of("ann")[first] == label("ann", False, False)
    session.answer(True)
    assert file.labels_of("ann")[first] == label("ann", True, True)
    assert at(session) == second


def test_back_and_on_again_leaves_the_label_as_it_is(file):
    session = begin(file)
    first = at(session)
    session.answer(True)
    session.answer(True)
    before = file.path.read_bytes()
    second = at(session)
    session.back()
    session.skip()
    assert at(session) == second
    assert file.path.read_bytes() == before
    assert session.left_open == 0
    assert file.labels_of("ann")[first] == label("ann", True, True)


def test_back_works_after_the_last_reply_and_in_the_next_session(file):
    session = begin(file, ids="ab")
    second = [one.reply.id for one in session.assignments][1]
    for _ in range(4):
        session.answer(True)
    assert session.current is None
    assert session.back()
    assert at(session) == second
    again = begin(file, ids="ab")
    assert again.current is None
    assert again.back()
    assert at(again) == second


def test_the_second_question_can_be_asked_at_another_time(file):
    session = begin(file, fields=("correct",))
    while session.current:
        session.answer(True)
    later = begin(file, fields=BOTH)
    assert later.done == 0
    while later.current:
        assert later.field == "helpful"
        later.answer(False)
    assert set(file.labels_of("ann").values()) == {label("ann", True, False)}


def test_two_sessions_of_one_person_do_not_undo_each_other(file):
    correct, helpful = begin(file, fields=("correct",)), begin(file, fields=("helpful",))
    first = at(correct)
    correct.answer(True)
    helpful.answer(False)
    assert file.labels_of("ann") == {first: label("ann", True, False)}


# --- disputes -------------------------------------------------------------------------------


def disputed_file(file: LabelFile) -> LabelFile:
    for name, votes in (("ann", (1, 1, 0, 0)), ("bo", (1, 0, 1, 0))):
        for id_, vote in zip("abcd", votes, strict=True):
            file.give(reply(id_), name, {"correct": bool(vote), "helpful": True})
    return file


def test_a_third_person_is_asked_only_what_two_dispute(file):
    disputed_file(file)
    session = Session(file, to_settle(file, "cem", BOTH, 0), "cem")
    assert {one.reply.id for one in session.assignments} == {"b", "c"}
    assert all(one.fields == ("correct",) for one in session.assignments)
    session.answer(True)
    resumed = Session(file, to_settle(file, "cem", BOTH, 0), "cem")
    assert (resumed.done, resumed.remaining) == (1, 1)
    resumed.answer(False)
    assert not list(unsettled(file.replies(), "dee"))
    assert len(list(disputes(file.replies()))) == 2
    together = {row.id: consensus(row.labels, "correct") for row in file.replies()}
    assert None not in together.values()


def test_nobody_settles_what_they_dispute_themselves(file):
    assert to_settle(disputed_file(file), "ann", BOTH, 0) == []


def test_pairs_of_people_are_the_replies_that_both_judged(file):
    disputed_file(file)
    file.give(reply("a"), "cem", {"correct": False})
    found = {
        (first, second): [(pair.judge, pair.human) for pair in pairs]
        for first, second, pairs in pairs_of_people(file.replies(), "correct")
    }
    assert Counter(found["ann", "bo"]) == Counter(
        [(True, True), (True, False), (False, True), (False, False)]
    )
    assert found["ann", "cem"] == found["bo", "cem"] == [(True, False)]


def test_other_replies_of_one_source_are_told(file):
    rows = [reply(id_) for id_ in "abcd"]
    source = Source(tuple(Candidate(row, {}) for row in rows), {})
    file.give(rows[0], "ann", {"correct": True})
    file.give(reply("elsewhere"), "ann", {"correct": True})
    mine = assigned(rows[2:], file, "bo", BOTH, 0)
    assert "1 of the 1 replies that others labelled" in strangers(mine, source, file, "bo")
    assert strangers(assigned(rows, file, "bo", BOTH, 0), source, file, "bo") == ""
    assert strangers(mine, source, file, "ann") == ""


# --- sources, pace, keys --------------------------------------------------------------------


def test_labels_of_a_source_stay_unseen(tmp_path):
    path = tmp_path / "rows.jsonl"
    rows = [
        {"question": "q", "reply": "r1", "documents": ["d"], "correct": 1},
        {"question": "q", "reply": "r2", "documents": ["d"]},
        {"question": "q", "reply": " ", "documents": ["d"]},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    source = open_source(path)
    assert [one.reply.reply for one in source.candidates] == ["r1", "r2"]
    assert not any(one.reply.labels or one.verdicts for one in source.candidates)
    assert source.left_out == {"without a reply": 1}
    with pytest.raises(UsageError, match="nobody judged this reply"):
        list(LabelledRows({}).read(path))


def test_an_unlabelled_record_is_a_source(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(reply("a").model_dump_json() + "\n")
    assert [one.reply for one in open_source(path).candidates] == [reply("a")]


def test_the_pace_is_a_persons_own_and_forgets_pauses():
    now = [0.0]
    pace = Pace(lambda: now[0])
    for seconds in (4.0, 6.0):
        pace.begin()
        now[0] += seconds
        pace.end()
    assert pace.left(10) is None
    for seconds in (5.0, 3600.0, 5.0):
        pace.begin()
        now[0] += seconds
        pace.end()
    assert pace.left(10) == 50.0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, "37 of 300"),
        (12, "37 of 300, less than a minute left"),
        (60, "37 of 300, about 1 minute left"),
        (715, "37 of 300, about 12 minutes left"),
        (9000, "37 of 300, about 2.5 hours left"),
    ],
)
def test_the_head_says_how_far_one_is(seconds, words):
    assert head_line(37, 300, seconds) == words


def test_a_line_is_one_key():
    keys = LineKeys(io.BytesIO("y\nYES\n ｎ \nskip\n?\n\nyn\n".encode() + b"\xff\nq"))
    found = [keys.read() for _ in range(10)]
    assert found == ["y", "y", "n", "s", "?", "", "yn", "\ufffd", "q", None]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminal")
def test_single_presses_leave_the_terminal_as_it_was():
    import pty
    import termios

    from lt_bench.cli.judge.label_keys import TerminalKeys, _single_presses

    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    with _single_presses(theirs):
        assert not termios.tcgetattr(theirs)[3] & (termios.ICANON | termios.ECHO)
        keys = TerminalKeys(theirs)
        os.write(ours, b"yyyyyyyy")
        keys.settle()
        os.write(ours, "ｎY\r".encode())
        assert [keys.read(), keys.read()] == ["n", "y"]
        os.write(ours, b"\x04")
        assert keys.read() is None
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    assert keys.read() is None
    os.close(theirs)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminal")
def test_an_arrow_is_no_answer():
    from lt_bench.cli.judge.label_keys import TerminalKeys

    read_end, write_end = os.pipe()
    keys = TerminalKeys(read_end)
    os.write(write_end, b"\x1b[1;5n")
    os.close(write_end)
    assert keys.read() is None
    os.close(read_end)
