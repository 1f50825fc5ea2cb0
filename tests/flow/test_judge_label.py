"""`lt-bench judge label` as people use it: keys from a pipe or a terminal, two annotators, a third."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from support.command import environment
from support.warm import lt_bench

from lt_bench.builders.importers.labelled import LabelledRows
from lt_bench.cli import main
from lt_bench.records import Labelled

ROWS = [
    {"id": f"row{i}", "question": f"question {i}?", "reply": f"reply {i}.", "documents": [f"fact {i}"]}
    for i in range(6)
]  # fmt: skip


def save(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return save(tmp_path / "rows.jsonl", ROWS)


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "lt_bench", "judge", "label", *map(str, arguments)]


def label(
    *arguments: str | Path, keys: str = "", cwd: Path, **env: str
) -> subprocess.CompletedProcess[str]:
    """The finished command, fed with one key a character, each on its line."""
    pressed = "".join(f"{key}\n" for key in keys)
    return lt_bench("judge", "label", *arguments, cwd=cwd, env=env, stdin=pressed)


def labels(path: Path) -> dict[str, dict[str, tuple[bool | None, bool | None]]]:
    """id -> annotator -> (correct, helpful), as `judge calibrate` reads them."""
    return {
        row.id: {one.annotator: (one.correct, one.helpful) for one in row.labels}
        for row in LabelledRows({}).read(path)
    }


def ids_shown(stdout: str) -> list[int]:
    """Numbers of the replies on the screen, in order."""
    found = [int(part.split(".")[0]) for part in stdout.split("reply ") if part[:1].isdigit()]
    return list(dict.fromkeys(found))


def test_two_people_label_a_third_settles_and_the_rest_is_listed(source: Path, tmp_path: Path):
    out = tmp_path / "labels.jsonl"
    asked = (source, "--out", out, "--rows", "4")
    ann = label(*asked, "--annotator", "ann", keys="yyyyyyyy", cwd=tmp_path)
    assert ann.returncode == 0, ann.stderr
    assert "ann: 4 of 4 labelled" in ann.stdout
    bo = label(*asked, "--annotator", "bo", keys="nynyyyyy", cwd=tmp_path)
    assert bo.returncode == 0, bo.stderr
    assert sorted(ids_shown(ann.stdout)) == sorted(ids_shown(bo.stdout))
    found = labels(out)
    assert len(found) == 4
    assert all(told["ann"] == (True, True) for told in found.values())
    disputed = {id_ for id_, told in found.items() if told["bo"] == (False, True)}
    assert disputed == {f"row{i}" for i in ids_shown(bo.stdout)[:2]}

    listed = label("--disagreements", out, "--json", cwd=tmp_path)
    facts = json.loads(listed.stdout)
    assert {one["id"] for one in facts["disagreements"]} == disputed
    assert all(one["settled"] == {"correct": None} for one in facts["disagreements"])
    (correct, helpful) = facts["agreements"]
    assert correct["annotators"] == ["ann", "bo"]
    assert correct["agreement"]["value"] == 0.5
    assert correct["kappa"]["value"] == 0.0
    assert helpful["agreement"]["value"] == 1.0

    cem = label("--out", out, "--annotator", "cem", "--only-disagreements", keys="nn", cwd=tmp_path)
    assert cem.returncode == 0, cem.stderr
    assert {f"row{i}" for i in ids_shown(cem.stdout)} == disputed
    assert "cem: 2 of 2 labelled" in cem.stdout
    assert all(labels(out)[id_]["cem"] == (False, None) for id_ in disputed)
    shown = label("--disagreements", out, cwd=tmp_path).stdout
    assert "4 replies, 2 disputed, 0 of them not settled by a majority" in shown
    assert shown.count("ann yes, bo no, cem no; the majority says no") == 2
    again = label("--out", out, "--annotator", "dee", "--only-disagreements", cwd=tmp_path)
    assert "the others dispute nothing" in again.stdout


def test_nothing_on_the_screen_tells_what_others_said_or_who_replied(tmp_path: Path):
    rows = [
        {**ROWS[0], "correct": 1, "annotator": "zeno", "reply_model": "secret-model"},
        {**ROWS[1], "gold": {"kind": "reference", "answers": ["goldwort"]}, "tags": ["fault:lie"]},
    ]
    source = save(tmp_path / "rows.jsonl", rows)
    out = tmp_path / "labels.jsonl"
    done = label(source, "--out", out, "--annotator", "ann", keys="ynyn", cwd=tmp_path)
    for hidden in ("zeno", "secret-model", "goldwort", "fault:lie", "row0"):
        assert hidden not in done.stdout + done.stderr
    assert {name for told in labels(out).values() for name in told} == {"ann"}
    other = label(source, "--out", out, "--annotator", "bo", keys="dy?q", cwd=tmp_path)
    assert other.returncode == 0
    assert "(so far" not in other.stdout


def test_keys_back_skip_help_and_words(source: Path, tmp_path: Path):
    out = tmp_path / "labels.jsonl"
    asked = (source, "--out", out, "--annotator", "ann", "--ask", "correct")
    done = label(*asked, keys="bys?xynbbnq", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "this is the first one" in done.stdout
    assert "that is no key here" in done.stdout
    assert "an earlier reply again" in done.stdout
    assert "Helpful? " not in done.stdout
    order = ids_shown(done.stdout)
    assert labels(out) == {
        f"row{order[0]}": {"ann": (True, None)},
        f"row{order[2]}": {"ann": (False, None)},
        f"row{order[3]}": {"ann": (False, None)},
    }
    assert "3 of 6 labelled, 1 left open" in done.stdout
    resumed = label(*asked, keys="n", cwd=tmp_path)
    assert ids_shown(resumed.stdout)[0] == order[1]


def test_json_is_the_summary_alone(source: Path, tmp_path: Path):
    out = tmp_path / "labels.jsonl"
    done = label(source, "--out", out, "--annotator", "ann", "--json", keys="yn", cwd=tmp_path)
    facts = json.loads(done.stdout)
    assert facts == {
        "annotator": "ann",
        "labelled": 1,
        "of": 6,
        "left_open": 0,
        "file": str(out),
    }
    assert "Correct? " in done.stderr


@pytest.mark.parametrize("keys", [1, 2, 5])
def test_a_killed_session_keeps_every_reply_that_was_labelled(
    keys: int, source: Path, tmp_path: Path
):
    out = tmp_path / "labels.jsonl"
    asked = (source, "--out", out, "--annotator", "ann")
    process = subprocess.Popen(
        command(*asked),
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(b"y\n" * keys)
    process.stdin.flush()
    # The question after the last key is the sign that the key was taken.
    seen = b""
    while seen.count(b"q quit") <= keys:
        more = os.read(process.stdout.fileno(), 65536)
        assert more, "the command ended"
        seen += more
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    kept = labels(out) if keys > 1 else {}
    assert len(kept) == keys // 2
    assert all(told == {"ann": (True, True)} for told in kept.values())
    done = label(*asked, keys="n" * 12, cwd=tmp_path)
    assert done.returncode == 0
    found = labels(out)
    assert len(found) == 6
    assert kept.items() <= found.items()
    assert sum(told == {"ann": (False, False)} for told in found.values()) == 6 - keys // 2


def test_two_people_label_into_one_file_at_the_same_time(source: Path, tmp_path: Path):
    out = tmp_path / "labels.jsonl"
    people = [
        subprocess.Popen(
            command(source, "--out", out, "--annotator", name),
            cwd=tmp_path,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for name in ("ann", "bo")
    ]
    for _ in range(6):
        for person in people:
            assert person.stdin
            person.stdin.write(b"y\ny\nb\ny\nn\n")
            person.stdin.flush()
    for person in people:
        person.communicate(timeout=120)
        assert person.returncode == 0
    found = labels(out)
    assert len(found) == 6
    assert all(told == {"ann": (True, False), "bo": (True, False)} for told in found.values())


HOSTILE = "\x1b[2J\x1b]0;owned\x07 [red]markup[/red] :smile: \u202eevil\x9b31m \x00 end"


def test_hostile_text_is_inert(tmp_path: Path):
    row = {
        "question": HOSTILE,
        "reply": f"{HOSTILE}\n" * 3 + "x" * 50_000,
        "documents": [{"id": "d", "kind": "product", "title": HOSTILE, "text": HOSTILE * 90}],
        "history": [{"role": "viewer", "name": HOSTILE, "content": HOSTILE}],
        "viewer": HOSTILE,
    }
    source, out = save(tmp_path / "rows.jsonl", [row]), tmp_path / "labels.jsonl"
    done = label(source, "--out", out, "--annotator", "ann", keys="dyn", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for code in ("\x1b", "\x9b", "\x07", "\u202e", "\x00"):
        assert code not in done.stdout + done.stderr
    assert "[red]markup[/red] :smile:" in done.stdout
    assert len(labels(out)) == 1
    label(source, "--out", out, "--annotator", "bo", keys="nn", cwd=tmp_path)
    listed = label("--disagreements", out, cwd=tmp_path)
    assert "\x1b" not in listed.stdout
    assert "1 disputed" in listed.stdout


def test_a_terminal_without_unicode_shows_escapes_and_says_so(tmp_path: Path):
    row = {"question": "多少钱？", "reply": "99元", "documents": ["售价99元"]}
    source, out = save(tmp_path / "rows.jsonl", [row]), tmp_path / "labels.jsonl"
    asked = (source, "--out", out, "--annotator", "ann")
    # The encoding is chosen when Python starts, so this one needs a process of its own.
    done = subprocess.run(
        command(*asked),
        cwd=tmp_path,
        env=environment(PYTHONIOENCODING="ascii"),
        input="y\nn\n",
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert "\\u591a" in done.stdout
    assert "this terminal is set to ascii" in done.stdout
    (record,) = LabelledRows({}).read(out)
    assert record.example.question == "多少钱？"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["empty.jsonl", "--annotator", "a", "--out", "o"], "empty.jsonl holds no rows"),
        (["blank.jsonl", "--annotator", "a", "--out", "o"], "no reply that can be labelled"),
        (["nowhere", "--annotator", "a", "--out", "o"], "no such file: nowhere"),
        ([".", "--annotator", "a", "--out", "o"], "is not a run"),
        (["rows.jsonl", "--out", "o"], "nobody is named who labels"),
        (["rows.jsonl", "--annotator", " ", "--out", "o"], "' ' is no name"),
        (["rows.jsonl", "--annotator", "a"], "the labels have no place"),
        (["--annotator", "a", "--out", "o"], "no replies are named"),
        (["rows.jsonl", "--annotator", "a", "--out", "rows.jsonl"], "no row of a labels file"),
        (["rows.jsonl", "--annotator", "a", "--out", "."], "is a folder"),
        (["rows.jsonl", "--annotator", "a", "--out", "o", "--draw", "balanced"], "needs a run"),
        (["rows.jsonl", "--annotator", "a", "--out", "o", "--data", "d"], "is no run"),
        (["--annotator", "a", "--out", "o", "--only-disagreements"], "no such file"),
        (["x", "--annotator", "a", "--out", "o", "--only-disagreements"], "leave SOURCE out"),
        (["--disagreements", "empty.jsonl"], "holds no rows"),
        (["--disagreements", "rows.jsonl", "--annotator", "a"], "leave --annotator out"),
    ],
)
def test_mistakes_are_told_before_anybody_labels(
    arguments, words, source: Path, tmp_path: Path, monkeypatch, capsys
):
    (tmp_path / "empty.jsonl").write_text("")
    save(tmp_path / "blank.jsonl", [{"question": "q", "reply": ""}])
    before = source.read_bytes()
    # In this process: sixteen more would take a minute to start.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["lt-bench", "judge", "label", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert ended.value.code == 2, out
    assert words in err
    assert len(err.strip().splitlines()) <= 6
    assert source.read_bytes() == before
    assert "Correct? " not in out


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over ten rows of the sample: seven answers, one of them wrong, one that is empty, and
    two that the file does not have."""
    folder = tmp_path_factory.mktemp("run")
    from lt_bench import catalog

    sample = catalog.find("tasks", "commerce_qa", ()) / "sample"
    data = save(folder / "data.jsonl", _lines(sample / "test.jsonl")[:10])
    answers = _lines(sample / "replies.jsonl")[:8]
    answers[0]["output"] = "It costs 123456 dollars."
    answers[1]["output"] = ""
    replies = save(folder / "replies.jsonl", answers)
    done = lt_bench(
        *("eval", f"replay/{replies}", "--task", "commerce_qa", "--data", data),
        *("--run", folder / "run"),
        cwd=folder,
    )
    assert done.returncode == 3, done.stderr
    return folder / "run"


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_run_is_labelled_without_its_failed_and_empty_rows(run: Path, tmp_path: Path):
    out = tmp_path / "labels.jsonl"
    done = label(run, "--out", out, "--annotator", "ann", keys="y" * 14, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "rows that cannot be labelled: 1 without a reply, 2 failed" in done.stdout
    assert "ann: 7 of 7 labelled" in done.stdout
    rows = list(LabelledRows({}).read(out))
    assert len(rows) == 7
    answers = {row["id"]: row["output"] for row in _lines(run.parent / "replies.jsonl")}
    for row in rows:
        assert row.reply == answers[row.example.id]
        assert row.example.gold is not None
        assert "sampling:proportional" in row.example.tags
        assert any(tag.startswith("model:replay/") for tag in row.example.tags)
    assert str(run) not in done.stdout.replace(str(out), "")


def test_a_balanced_draw_takes_what_the_judge_of_the_run_calls_wrong(run: Path, tmp_path: Path):
    out = tmp_path / "labels.jsonl"
    asked = (run, "--out", out, "--annotator", "ann", "--draw", "balanced", "--rows", "2")
    done = label(*asked, keys="yyyy", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "a balanced draw is for finding faults" in done.stdout
    assert "stratum" not in done.stdout.replace("stratum tags", "")
    strata = {
        tag for row in LabelledRows({}).read(out) for tag in row.example.tags if "stratum:" in tag
    }
    assert strata == {"stratum:correct=yes", "stratum:correct=no"}


def test_labels_of_a_run_calibrate_a_judge(run: Path, tmp_path: Path):
    out = tmp_path / "labels.jsonl"
    label(run, "--out", out, "--annotator", "ann", keys="yn" * 7, cwd=tmp_path)
    done = lt_bench("judge", "calibrate", "facts", "--labels", out, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert '"correctness"' in done.stdout


# --- a terminal -----------------------------------------------------------------------------


class Terminal:
    """The command at a terminal of its own."""

    def __init__(self, *arguments: str | Path, cwd: Path) -> None:
        import pty

        self.file, theirs = pty.openpty()
        self.process = subprocess.Popen(
            command(*arguments),
            cwd=cwd,
            env=environment(TERM="xterm", COLUMNS="100", LINES="40"),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.seen = ""

    def until(self, words: str, seconds: float = 60) -> str:
        """What is on the screen up to these words; forgets it."""
        deadline = time.monotonic() + seconds
        while words not in self.seen:
            assert time.monotonic() < deadline, self.seen[-2000:]
            if select.select([self.file], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.file, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        before, found, self.seen = self.seen.partition(words)
        assert found, before[-2000:]
        return before

    def press(self, keys: str) -> None:
        # A reply takes no key before it has been on the screen for a moment.
        time.sleep(0.4)
        os.write(self.file, keys.encode())

    def end(self) -> int:
        code = self.process.wait(60)
        os.close(self.file)
        return code


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminal")
def test_one_press_is_enough_at_a_terminal(source: Path, tmp_path: Path):
    out = tmp_path / "labels.jsonl"
    terminal = Terminal(source, "--out", out, "--annotator", "ann", cwd=tmp_path)
    terminal.until("Correct? ")
    terminal.press("y")
    terminal.until("Helpful? ")
    terminal.press("n")
    terminal.until("Correct? ")
    assert list(labels(out).values()) == [{"ann": (True, False)}]
    terminal.press("\x1b[A")
    terminal.press("b")
    assert "an earlier reply again" in terminal.until("so far yes")
    terminal.press("n")
    terminal.until("so far no")
    terminal.press("y")
    terminal.until("2 of 6")
    assert list(labels(out).values()) == [{"ann": (False, True)}]
    terminal.until("q quit > ")
    terminal.press("q")
    terminal.until("ann: 1 of 6 labelled")
    assert terminal.end() == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminal")
def test_a_key_held_down_labels_no_reply_unseen(source: Path, tmp_path: Path):
    out = tmp_path / "labels.jsonl"
    terminal = Terminal(source, "--out", out, "--annotator", "ann", cwd=tmp_path)
    terminal.until("q quit > ")
    for _ in range(40):
        os.write(terminal.file, b"y")
        time.sleep(0.03)
    assert len(labels(out)) == 1
    terminal.until("2 of 6")
    terminal.until("q quit > ")
    terminal.press("q")
    assert terminal.end() == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminal")
def test_ctrl_c_leaves_the_file_whole_and_the_terminal_sane(source: Path, tmp_path: Path):
    out = tmp_path / "labels.jsonl"
    terminal = Terminal(source, "--out", out, "--annotator", "ann", cwd=tmp_path)
    terminal.until("q quit > ")
    terminal.press("yn")
    terminal.until("2 of 6")
    terminal.process.send_signal(signal.SIGINT)
    terminal.until("the same command goes on from there")
    assert terminal.end() == 130
    assert len(labels(out)) == 1


def test_a_session_after_the_last_reply_ends_by_itself(source: Path, tmp_path: Path):
    out = tmp_path / "labels.jsonl"
    asked = (source, "--out", out, "--annotator", "ann", "--ask", "helpful")
    label(*asked, keys="nnnnnn", cwd=tmp_path)
    again = label(*asked, keys="byq", cwd=tmp_path)
    assert again.returncode == 0
    assert "nothing is left to ask" in again.stdout
    assert sorted(told["ann"][1] for told in labels(out).values()) == [False] * 5 + [True]
    records: list[Labelled] = list(LabelledRows({}).read(out))
    assert len(records) == 6
