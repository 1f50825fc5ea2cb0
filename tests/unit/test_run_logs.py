"""Logs of other harnesses, read and matched: what they tell is kept, what they do not is not made up."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from support.logs import (
    HEADER,
    archive,
    batch_row,
    inspect_sample,
    lines,
    lm_eval_row,
    rows,
    zstandard,
)

from lt_bench.errors import UsageError
from lt_bench.integrations.runs import archive as archives
from lt_bench.integrations.runs.formats import guess, open_log
from lt_bench.integrations.runs.log import Logged
from lt_bench.integrations.runs.matching import Matched, match
from lt_bench.records import Example, Message, Prompt


def read(path: Path, name: str | None = None) -> list[Logged]:
    return list(open_log(path, name).answers)


def prompt(example: Example) -> Prompt:
    return Prompt(messages=(Message(role="user", content=f"Question: {example.question}"),))


def matched(answers: list[Logged], count: int = 3) -> Matched:
    return match(answers, rows(count), prompt)


# --- lm-eval ---------------------------------------------------------------------------------


def test_a_sample_of_lm_eval_has_its_text_ids_and_prompt(tmp_path: Path) -> None:
    path = lines(tmp_path / "samples.jsonl", [lm_eval_row(1, "Bob")])
    (found,) = read(path)
    assert found.ids == ("q1",)
    assert found.turns[0].output == "Bob"
    assert found.turns[0].usage is None
    assert "Who wrote book 1?" in found.texts
    log = open_log(path)
    assert log.sampling == {"temperature": 0.0, "max_tokens": 48, "stop": ("\n\n",)}
    assert not log.tells_end


def test_repeats_are_samples_and_filters_are_not(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "samples.jsonl",
        [
            lm_eval_row(0, "a", "b"),
            lm_eval_row(0, "a", "b", filter="strict"),
            lm_eval_row(1, "c", "d"),
        ],
    )
    found = matched(read(path))
    said = {place: one.turns[0].output for place, one in found.answers.items()}
    assert said == {("q0", 0): "a", ("q0", 1): "b", ("q1", 0): "c", ("q1", 1): "d"}
    assert found.samples == 2


def test_the_results_file_beside_names_the_model(tmp_path: Path) -> None:
    results = {
        "results": {},
        "config": {"model": "hf", "model_args": {"pretrained": "org/model"}},
        "lm_eval_version": "0.4.13",
    }
    (tmp_path / "results_2026-01-02T03-04-05.678.json").write_text(json.dumps(results))
    (tmp_path / "results_2026-09-09T03-04-05.678.json").write_text(
        json.dumps({**results, "model_name": "another"})
    )
    path = lines(tmp_path / "samples_lt_musique_2026-01-02T03-04-05.678.jsonl", [lm_eval_row(0)])
    log = open_log(path)
    assert (log.model, log.harness) == ("org/model", "lm-eval 0.4.13")
    alone = lines(tmp_path / "alone.jsonl", [lm_eval_row(0)])
    assert open_log(alone).model == ""  # two results files: neither is known to be its own


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"resps": [[[-1.5, False]], [[-2.5, True]]]}, "likelihoods"),
        ({"resps": "Ann"}, "no list of lists"),
    ],
)
def test_samples_without_texts_are_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    path = lines(tmp_path / "s.jsonl", [lm_eval_row(0, **changes)])
    with pytest.raises(UsageError, match=message):
        read(path)


def test_the_summary_of_lm_eval_is_no_log(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"results": {}, "configs": {}}))
    with pytest.raises(UsageError, match="summary") as told:
        guess(path)
    assert "samples_" in told.value.fix


# --- Inspect ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["deflated", "stored", "zstandard", "json"])
def test_a_log_of_inspect_is_read_however_it_is_packed(tmp_path: Path, kind: str) -> None:
    samples = {f"samples/q{n}_epoch_1.json": inspect_sample(n) for n in range(2)}
    if kind == "json":
        path = tmp_path / "log.json"
        path.write_text(json.dumps({**HEADER, "samples": list(samples.values())}, indent=1))
    elif kind == "zstandard":
        path = zstandard(tmp_path / "log.eval", samples)
    else:
        method = zipfile.ZIP_STORED if kind == "stored" else zipfile.ZIP_DEFLATED
        path = archive(tmp_path / "log.eval", samples, method=method)
    log = open_log(path)
    assert (log.format, log.model, log.harness) == (
        "inspect",
        "openai/gpt-5",
        "inspect_ai 0.3.285",
    )
    assert log.sampling == {"temperature": 0.5, "max_tokens": 64}
    found = list(log.answers)
    assert [one.turns[0].output for one in found] == ["Ann0", "Ann1"]
    usage = found[0].turns[0].usage
    assert usage is not None
    assert (usage.prompt, usage.output, usage.counted_by) == (20, 5, "provider")


def inspected(tmp_path: Path, **changes: Any) -> Logged:
    sample = inspect_sample(0, **changes)
    return read(archive(tmp_path / "log.eval", {"samples/q0_epoch_1.json": sample}))[0]


def test_reasoning_parts_and_attachments_are_put_together(tmp_path: Path) -> None:
    content = [
        {"type": "reasoning", "reasoning": "Look it up."},
        {"type": "text", "text": "attachment://abc"},
    ]
    found = inspected(tmp_path, text=content, attachments={"abc": "Ann0"})
    assert (found.turns[0].reasoning, found.turns[0].output) == ("Look it up.", "Ann0")


@pytest.mark.parametrize(
    ("reason", "finish"),
    [("max_tokens", "length"), ("model_length", "length"), ("content_filter", "content_filter")],
)
def test_how_an_answer_ended_is_kept(tmp_path: Path, reason: str, finish: str) -> None:
    choice = {"message": {"role": "assistant", "content": "An"}, "stop_reason": reason}
    assert inspected(tmp_path, output={"choices": [choice]}).turns[0].finish_reason == finish


def test_a_sample_that_failed_has_no_answer(tmp_path: Path) -> None:
    found = inspected(tmp_path, error={"message": "boom", "traceback": "…"})
    assert found.turns == ()
    assert found.failure is not None
    assert "boom" in found.failure.message
    assert inspected(tmp_path, output={"choices": []}).failure is not None


def test_epochs_are_samples(tmp_path: Path) -> None:
    members = {f"samples/q0_epoch_{n}.json": inspect_sample(0, epoch=n) for n in (1, 2)}
    found = matched(read(archive(tmp_path / "log.eval", members)))
    assert set(found.answers) == {("q0", 0), ("q0", 1)}


def test_several_asks_of_one_sample_have_no_count_of_their_own(tmp_path: Path) -> None:
    said = {"role": "assistant", "content": "Hm", "source": "generate"}
    found = inspected(tmp_path, messages=[said, {"role": "user", "content": "Sure?"}, said])
    assert found.turns[0].usage is None


def test_a_dialogue_with_tools_has_a_turn_for_each_answer(tmp_path: Path) -> None:
    call = {"id": "c1", "function": "get_order", "arguments": {"order_id": "W1"}}
    messages = [
        {"role": "user", "content": "Where is it?", "source": "input"},
        {"role": "assistant", "content": "", "tool_calls": [call], "source": "generate"},
        {"role": "tool", "content": "{}", "tool_call_id": "c1"},
        {"role": "assistant", "content": "Ann0", "source": "generate"},
    ]
    found = inspected(tmp_path, messages=messages)
    assert [one.output for one in found.turns] == ["", "Ann0"]
    assert found.turns[0].tool_calls[0].arguments == {"order_id": "W1"}


# --- Archives that mean harm -----------------------------------------------------------------


def test_names_with_paths_in_them_are_no_samples_and_nothing_is_unpacked(tmp_path: Path) -> None:
    sample = inspect_sample(0)
    names = ("samples/../../evil.json", "/etc/evil.json", "samples\\..\\evil.json", "../evil.json")
    path = archive(
        tmp_path / "log.eval",
        {**{key: {"id": "evil"} for key in names}, "samples/q0_epoch_1.json": sample},
    )
    assert [one.ids for one in read(path)] == [("q0",)]
    assert [one.name for one in tmp_path.iterdir()] == ["log.eval"]


def test_a_zip_bomb_is_stopped_before_it_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBER", 2**20)
    bomb = b'{"id": "' + b"a" * 2**24 + b'"}'
    for method in ("deflate", "zstd"):
        path = tmp_path / f"{method}.eval"
        if method == "zstd":
            zstandard(path, {"samples/q0_epoch_1.json": {"id": "a" * 2**24}})
        else:
            archive(path, {"samples/q0_epoch_1.json": bomb})
        with pytest.raises(UsageError, match="unpacks to more"):
            read(path)


def test_many_members_may_not_unpack_to_more_than_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_TOTAL", 2**20)
    members = {f"samples/q{n}_epoch_1.json": inspect_sample(n, "a" * 2**19) for n in range(4)}
    with pytest.raises(UsageError, match="unpacks to more"):
        read(archive(tmp_path / "log.eval", members))


def _damaged(data: bytes, kind: str) -> bytes:
    at = data.index(b"samples/q0_epoch_1.json")
    if kind == "cut":
        return data[: len(data) // 2]
    if kind == "flipped":
        return data[: at + 40] + bytes([data[at + 40] ^ 255]) + data[at + 41 :]
    if kind == "moved":
        central = data.index(b"PK\x01\x02")
        return data[: central + 42] + struct.pack("<I", 7) + data[central + 46 :]
    if kind == "encrypted":
        central = data.index(b"PK\x01\x02")
        return data[: central + 8] + b"\x01\x00" + data[central + 10 :]
    return data.replace(b"PK\x01\x02", b"PK\x09\x09")


@pytest.mark.parametrize("kind", ["cut", "flipped", "moved", "encrypted", "directory"])
def test_a_damaged_archive_is_named_and_no_more(tmp_path: Path, kind: str) -> None:
    path = archive(tmp_path / "log.eval", {"samples/q0_epoch_1.json": inspect_sample(0)})
    path.write_bytes(_damaged(path.read_bytes(), kind))
    with pytest.raises(UsageError, match="log.eval"):
        read(path)


def test_an_archive_of_something_else_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"word/document.xml": b"<w/>"}, header=None)
    with pytest.raises(UsageError, match="no log of Inspect"):
        read(path)


# --- Batches and predictions -----------------------------------------------------------------


def test_a_batch_has_answers_counts_traces_and_refusals(tmp_path: Path) -> None:
    refused = {"error": {"message": "content management policy", "code": "content_filter"}}
    path = lines(
        tmp_path / "out.jsonl",
        [
            batch_row("q0", "Ann0"),
            batch_row(
                "q1",
                None,
                message={"role": "assistant", "content": "Ann1", "reasoning_content": "Hm."},
            ),
            batch_row("q2", "An", finish_reason="length"),
            {
                "custom_id": "q3",
                "response": {"status_code": 400, "body": refused},
                "error": None,
            },
            {"custom_id": "q4", "response": None, "error": {"code": "batch_expired"}},
        ],
    )
    log = open_log(path)
    assert log.model == "gpt-5"
    first, second, third, fourth, fifth = log.answers
    usage = first.turns[0].usage
    assert usage is not None
    assert (usage.output, usage.counted_by) == (5, "provider")
    assert (second.turns[0].reasoning, second.turns[0].output) == ("Hm.", "Ann1")
    assert third.turns[0].finish_reason == "length"
    assert fourth.failure is not None
    assert fourth.failure.kind == "content_filter"
    assert fifth.failure is not None
    assert fifth.failure.kind == "missing"


def test_a_number_beyond_64_bits_in_a_batch_is_no_harm(tmp_path: Path) -> None:
    row = batch_row("q0", "Ann0")
    row["response"]["body"]["created"] = 10**30
    (found,) = read(lines(tmp_path / "out.jsonl", [row]))
    assert found.turns[0].output == "Ann0"


def test_predictions_may_give_a_bare_count(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "p.jsonl", [{"id": "q0", "output": "Ann0", "reasoning": "Hm", "tokens": 42}]
    )
    (found,) = read(path)
    usage = found.turns[0].usage
    assert usage is not None
    assert (usage.output, usage.reasoning, usage.counted_by) == (42, None, "provider")
    for wrong in (-1, "42", True, 4.5):
        lines(path, [{"id": "q0", "output": "Ann0", "tokens": wrong}])
        with pytest.raises(UsageError, match="no key|tokens is"):
            read(path)


# --- Which format ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "name"),
    [
        (lm_eval_row(0), "lm-eval"),
        (batch_row("q0", "Ann0"), "openai-batch"),
        ({"id": "q0", "output": "Ann0"}, "predictions"),
    ],
)
def test_the_format_is_guessed_from_the_first_row(
    tmp_path: Path, row: dict[str, Any], name: str
) -> None:
    assert guess(lines(tmp_path / "x.jsonl", [row])) == name


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b'{"question": "Why?", "answer": "So"}\n', "no known format"),
        (b'{"doc_id": 0, "resps": [["An', "line 1: broken JSON"),
        (b'{"id": "caf\xe9", "output": "x"}\n', "not UTF-8"),
        ('{"id": "q0"}'.encode("utf-16"), "UTF-16"),
        (b"PK\x03\x04 and then nothing", "no whole zip archive"),
    ],
)
def test_broken_files_are_named_with_a_cure(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=message) as told:
        read(path)
    assert told.value.fix


def test_a_line_without_end_is_refused_and_never_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lt_bench import jsonl

    monkeypatch.setattr(jsonl, "MAX_LINE", 2**16)
    path = tmp_path / "log.jsonl"
    with path.open("wb") as file:
        file.write(json.dumps(lm_eval_row(0)).encode() + b"\n" + b"a" * 2**13)
        file.truncate(2**30)  # a hole of a gigabyte
    with pytest.raises(UsageError, match="line 2: longer than"):
        read(path)


def test_an_unknown_format_is_told_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Did you mean 'lm-eval'"):
        open_log(tmp_path / "x", "lm_eval")


# --- Matching --------------------------------------------------------------------------------


def test_rows_without_our_ids_are_found_by_their_question(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "s.jsonl",
        [
            lm_eval_row(0, doc={"q": "Who  wrote book 0?"}),
            lm_eval_row(1, doc={"id": "other"}),  # its prompt holds the question
            lm_eval_row(9, doc={"id": "zzz"}),
        ],
    )
    found = matched(read(path))
    assert set(found.answers) == {("q0", 0), ("q1", 0)}
    assert (found.by_id, found.by_question, found.strangers) == (0, 2, ["zzz"])


def test_a_question_that_several_rows_ask_finds_none() -> None:
    twins = [one.model_copy(update={"question": "Who?"}) for one in rows(2)]
    answers = [Logged("line 1", (), (), texts=("Who?",)), Logged("line 2", ("q0",), ())]
    found = match(answers, twins, prompt)
    assert set(found.answers) == {("q0", 0)}
    assert found.strangers == ["line 1"]


def test_no_answer_of_ours_is_an_error_with_examples(tmp_path: Path) -> None:
    path = lines(tmp_path / "s.jsonl", [lm_eval_row(7)])
    with pytest.raises(UsageError, match="none of the 1 answers") as told:
        matched(read(path))
    assert "q7" in told.value.cause
    assert "q0" in told.value.cause
    assert "--data" in told.value.fix


def test_an_answer_told_twice_counts_once_and_two_answers_are_refused(tmp_path: Path) -> None:
    path = lines(tmp_path / "b.jsonl", [batch_row("q0", "Ann0"), batch_row("q0", "Ann0")])
    assert matched(read(path)).told_twice == 1
    lines(path, [batch_row("q0", "Ann0"), batch_row("q0", "Bob")])
    with pytest.raises(UsageError, match=r"two answers: .*line 1, and .*line 2"):
        matched(read(path))


def test_whether_the_model_was_asked_in_our_words_is_looked_up(tmp_path: Path) -> None:
    path = lines(tmp_path / "s.jsonl", [lm_eval_row(0), lm_eval_row(1)])
    assert matched(read(path)).asked_as_ours
    other = lm_eval_row(1, arguments={"gen_args_0": {"arg_0": "Book 1, who?", "arg_1": {}}})
    lines(path, [lm_eval_row(0), other])
    found = matched(read(path))
    assert (found.compared, found.as_ours, found.asked_as_ours) == (2, 1, False)
    assert matched([Logged("x", ("q0",), ())]).compared == 0  # nothing was told
