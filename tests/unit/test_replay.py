"""Answers from a predictions file: what it may hold, what is refused, who counts the tokens."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from lt_bench.backends.base import Request
from lt_bench.backends.replay.backend import ReplayBackend
from lt_bench.config import Sampling
from lt_bench.errors import RowError, UsageError
from lt_bench.records import Generation, Message, Prompt, Turn, Usage

PROMPT = Prompt(messages=(Message(role="user", content="price?"),))


def write(path: Path, *rows: dict[str, Any] | str) -> Path:
    file = path / "replies.jsonl"
    file.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows))
    return file


def ask(
    file: Path, *keys: tuple[str, int], stop: tuple[str, ...] = (), **options: Any
) -> list[Generation]:
    async def run() -> list[Generation]:
        async with ReplayBackend(str(file), options) as backend:
            sampling = Sampling(stop=stop)
            return [await backend.generate(Request(PROMPT, sampling, *key)) for key in keys]

    return asyncio.run(run())


def turn(path: Path, row: dict[str, Any], **options: Any) -> Turn:
    file = write(path, {"id": "a"} | row)
    return ask(file, ("a", 0), **options)[0].turns[0]


def refused(path: Path, *rows: dict[str, Any] | str) -> str:
    with pytest.raises(UsageError) as caught:
        ask(write(path, *rows))
    assert "replies.jsonl" in str(caught.value)
    assert str(caught.value).count("\n") <= 5
    assert caught.value.fix
    return str(caught.value)


def test_output_with_markup(tmp_path: Path) -> None:
    found = turn(tmp_path, {"output": "<think>Sheet says 99.</think>\nIt is 99 yuan."})
    assert (found.reasoning, found.reply) == ("Sheet says 99.", "It is 99 yuan.")
    assert (found.usage, found.finish_reason) == (None, "stop")


def test_output_with_its_trace_in_a_field(tmp_path: Path) -> None:
    found = turn(tmp_path, {"output": "It is 99.", "reasoning": "Sheet says 99."})
    assert (found.reasoning, found.reply) == ("Sheet says 99.", "It is 99.")


@pytest.mark.parametrize(
    ("row", "status", "note"),
    [
        ({"output": "<think>Both", "finish_reason": "length"}, "truncated", "unclosed_length"),
        ({"output": "<think>Both"}, "truncated", "unclosed_stop"),
        (
            {"output": None, "reasoning": "still", "finish_reason": "length"},
            "truncated",
            "unclosed_length",
        ),
        ({"output": "", "reasoning": "It is 99."}, "truncated", "unclosed_stop"),
        ({"output": ""}, "ok", "empty_answer"),
        ({"output": "It is", "finish_reason": "max_tokens"}, "truncated", None),
        ({"output": "It is", "finish_reason": None}, "ok", None),
    ],
)
def test_f02_f10_f11_fates(
    tmp_path: Path, row: dict[str, Any], status: str, note: str | None
) -> None:
    file = write(tmp_path, {"id": "a"} | row)
    generation = ask(file, ("a", 0))[0]
    assert generation.status == status
    assert generation.turns[0].notes == ((note,) if note else ())


def test_f20_stops_of_the_task_act_on_the_reply(tmp_path: Path) -> None:
    row = {"id": "a", "output": "<think>x\n\ny</think>\n\nIt\n\nQuestion:"}
    found = ask(write(tmp_path, row), ("a", 0), stop=("\n\n",))[0].turns[0]
    assert (found.reasoning, found.reply) == ("x\n\ny", "It")


def test_family_and_opened(tmp_path: Path) -> None:
    text = "a</reasoning>b"
    assert turn(tmp_path, {"output": text}, opened=True).notes == ()
    assert turn(tmp_path, {"output": text}, family="think").reply == text
    with pytest.raises(UsageError, match="unknown reasoning family 'thinkng'"):
        ReplayBackend("x", {"family": "thinkng"})


# --- samples ---------------------------------------------------------------------------------


def test_f84_samples_by_index_and_by_order(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        *({"id": "a", "output": f"a{i}"} for i in range(4)),
        *({"id": "b", "output": f"b{i}", "sample_index": i} for i in (2, 0, 1)),
    )
    keys = [("a", 0), ("a", 3), ("b", 0), ("b", 2), ("a", 1)]
    assert [g.reply for g in ask(file, *keys)] == ["a0", "a3", "b0", "b2", "a1"]


def test_two_answers_for_one_sample(tmp_path: Path) -> None:
    same = {"id": "a", "sample_index": 0, "output": "x"}
    assert ask(write(tmp_path, same, same), ("a", 0))[0].reply == "x"
    message = refused(tmp_path, same, {"id": "b", "output": "x"}, same | {"output": "y"})
    assert "line 3: id 'a', sample 0 stands on line 1 already" in message


def test_f63_a_row_that_the_file_lacks_is_a_rows_fault(tmp_path: Path) -> None:
    file = write(tmp_path, {"id": "room3-q7", "output": "x"})
    for key, words in (
        (("room3-q8", 0), "no answer for id 'room3-q8'"),
        (("room3-q7", 2), "not sample 2"),
    ):
        with pytest.raises(RowError, match=words) as caught:
            ask(file, key)
        assert caught.value.kind == "missing"


def test_faults_that_the_file_recorded(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        {"id": "a", "output": None},
        {"id": "b", "output": "", "finish_reason": "content_filter"},
    )
    for key, kind in ((("a", 0), "empty"), (("b", 0), "content_filter")):
        with pytest.raises(RowError) as caught:
            ask(file, key)
        assert caught.value.kind == kind


# --- files -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("{not json}", "line 2: broken JSON"),
        ("[1]", "line 2: a JSON array"),
        ({"id": "b", "ouput": "x"}, "line 2: unknown key 'ouput'. Did you mean 'output'?"),
        ({"id": "b"}, "line 2: no key 'output'"),
        ({"output": "x"}, "line 2: no key 'id'"),
        ({"id": "", "output": "x"}, "line 2: id is ''"),
        ({"id": ["b"], "output": "x"}, "line 2: id is ['b']"),
        ({"id": "b", "output": 99}, "line 2: output is 99, not a string"),
        ({"id": "b", "output": ["x" * 99]}, "line 2: output is ['xxx"),
        ({"id": "b", "output": "x", "reasoning": {}}, "line 2: reasoning is {}"),
        ({"id": "b", "output": "x", "sample_index": -1}, "line 2: sample_index is -1"),
        ({"id": "b", "output": "x", "sample_index": True}, "line 2: sample_index is True"),
        ({"id": "b", "output": "x", "finish_reason": "halt"}, "line 2: finish_reason is 'halt'"),
        ({"id": "b", "output": "x", "finish_reason": []}, "line 2: finish_reason is []"),
        ({"id": "b", "output": "x", "usage": 3}, "line 2: usage is 3, not an object"),
        ({"id": "b", "output": "x", "usage": {"output": -3}}, "line 2: usage"),
        (
            {"id": "b", "output": "x", "usage": {"outptu": 3}},
            "line 2: usage.output: Field required",
        ),
        ({"id": "b", "output": "x", "usage": {"completion_tokens": "x"}}, "line 2: usage counts"),
        (
            {"id": "b", "output": "x", "usage": {"output": 3, "reasoning": 9}},
            "line 2: usage: parts (9, None, None) do not add up to output 3",
        ),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, row: dict[str, Any] | str, words: str) -> None:
    assert words in refused(tmp_path, {"id": "a", "output": "x"}, row)


def test_broken_json_on_line_7(tmp_path: Path) -> None:
    rows = [{"id": str(i), "output": "x"} for i in range(6)]
    assert "replies.jsonl, line 7: broken JSON" in refused(tmp_path, *rows, '{"id": "7",')


def test_files_that_hold_nothing_to_replay(tmp_path: Path) -> None:
    assert "holds no predictions" in refused(tmp_path)
    with pytest.raises(UsageError, match="no such file"):
        ask(tmp_path / "no.jsonl")
    with pytest.raises(UsageError, match="is a folder"):
        ask(tmp_path)
    with pytest.raises(UsageError, match="needs a file"):
        ReplayBackend("", {})


def test_f89_bom_crlf_gzip_and_numbers_as_ids(tmp_path: Path) -> None:
    lines = '{"id": 12, "output": "a\\nb"}\r\n{"id": "13", "output": "价格"}\r\n'
    for data in (b"\xef\xbb\xbf" + lines.encode(), gzip.compress(lines.encode(), mtime=0)):
        file = tmp_path / "replies.jsonl"
        file.write_bytes(data)
        assert [g.reply for g in ask(file, ("12", 0), ("13", 0))] == ["a\nb", "价格"]


def test_flags_of_endpoints_are_refused_by_the_name_they_were_typed() -> None:
    with pytest.raises(UsageError, match=r"--base-url does not apply to replay/x\.jsonl") as caught:
        ReplayBackend("x.jsonl", {"base_url": "http://localhost:1/v1"})
    assert "openai/NAME" in caught.value.fix


def test_unknown_option(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown key 'tokeniser'\. Did you mean 'tokenizer'"):
        ReplayBackend("x", {"tokeniser": "x"})


def test_the_fingerprint_is_of_the_bytes(tmp_path: Path) -> None:
    file = write(tmp_path, {"id": "a", "output": "x"})

    async def facts() -> Any:
        async with ReplayBackend(str(file), {}) as backend:
            return backend.facts

    found = asyncio.run(facts())
    assert found.fingerprint == hashlib.sha256(file.read_bytes()).hexdigest()
    assert (found.backend, found.counted_by) == ("replay", None)


# --- counts ----------------------------------------------------------------------------------


def test_usage_in_our_own_fields(tmp_path: Path) -> None:
    own = {
        "prompt": 9,
        "output": 12,
        "reasoning": 5,
        "reply": 3,
        "markup": 4,
        "counted_by": "engine",
    }
    assert turn(tmp_path, {"output": "<think>a</think>b", "usage": own}).usage == Usage(**own)


def test_usage_as_openai_reports_it(tmp_path: Path) -> None:
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "total_tokens": 150,
        "prompt_tokens_details": {"cached_tokens": 80},
        "completion_tokens_details": {"reasoning_tokens": 40},
    }
    expected = Usage(prompt=100, output=50, reasoning=40, counted_by="provider")
    for row in (
        {"output": "<think>a</think>b"},
        {"output": "b", "reasoning": "a"},
        {"output": "b"},
    ):
        assert turn(tmp_path, row | {"usage": usage}).usage == expected


def test_f73_zero_reasoning_tokens_beside_a_trace(tmp_path: Path) -> None:
    usage = {"completion_tokens": 50, "completion_tokens_details": {"reasoning_tokens": 0}}
    for row in ({"output": "<think>a</think>b"}, {"output": "b", "reasoning": "a"}):
        found = turn(tmp_path, row | {"usage": usage})
        assert found.usage == Usage(prompt=None, output=50, counted_by="provider")
        assert "reasoning_uncounted" in found.notes
    plain = turn(tmp_path, {"output": "b", "usage": usage})
    assert plain.usage == Usage(prompt=None, output=50, reasoning=0, counted_by="provider")


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A word-level tokenizer in a folder, with <think> and </think> as tokens of their own."""
    tokenizers = pytest.importorskip("tokenizers", reason="counts need the extra hf")
    words = ["[UNK]", "<think>", "</think>", "Sheet", "says", "99", "It", "is", "yuan", "."]
    made = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="[UNK]")
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.add_tokens(["<think>", "</think>"])
    folder = tmp_path_factory.mktemp("tokenizer")
    made.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')
    return folder


@pytest.mark.model
def test_a_tokenizer_counts_rows_without_usage(tmp_path: Path, tokenizer: Path) -> None:
    text = "<think>Sheet says 99.</think>\nIt is 99 yuan."
    found = turn(tmp_path, {"output": text}, tokenizer=str(tokenizer))
    assert found.usage == Usage(
        prompt=None, output=11, reasoning=4, markup=2, reply=5, counted_by="tokenizer"
    )
    assert "retokenized" in found.notes
    apart = turn(tmp_path, {"output": "It is 99.", "reasoning": "Sheet"}, tokenizer=str(tokenizer))
    assert apart.usage == Usage(prompt=None, output=5, reasoning=1, reply=4, counted_by="tokenizer")


@pytest.mark.model
def test_f74_counts_in_the_file_win_over_the_tokenizer(tmp_path: Path, tokenizer: Path) -> None:
    row = {"output": "<think>Sheet says</think>It", "usage": {"completion_tokens": 64}}
    found = turn(tmp_path, row, tokenizer=str(tokenizer))
    assert found.usage == Usage(prompt=None, output=64, reasoning=2, reply=1, counted_by="provider")
    assert "retokenized" in found.notes
    told = turn(
        tmp_path,
        row | {"usage": {"output": 64, "reasoning": 7}},
        tokenizer=str(tokenizer),
    )
    assert told.usage == Usage(prompt=None, output=64, reasoning=7, counted_by="provider")
    assert told.notes == ()


@pytest.mark.model
def test_a_tokenizer_that_is_not_there(tmp_path: Path) -> None:
    file = write(tmp_path, {"id": "a", "output": "x"})
    with pytest.raises(UsageError, match="cannot load the tokenizer") as caught:
        ask(file, tokenizer=str(tmp_path / "none"))
    assert str(caught.value).count("\n") <= 5


# --- Dialogues -------------------------------------------------------------------------------

TOOLS = ({"type": "function", "function": {"name": "get_order", "parameters": {}}},)
CALL = {"name": "get_order", "arguments": {"order_id": "A1"}}


def turns_of(path: Path, *rows: dict[str, Any], turns: int = 2, **options: Any) -> list[Turn]:
    async def run() -> list[Turn]:
        async with ReplayBackend(str(write(path, *rows)), options) as backend:
            prompt = PROMPT.model_copy(update={"tools": TOOLS})
            asked = [Request(prompt, Sampling(), "a", 0, turn=number) for number in range(turns)]
            return [(await backend.generate(one)).turns[0] for one in asked]

    return asyncio.run(run())


@pytest.mark.parametrize(
    "first",
    [
        {"output": f"<think>I look.</think><tool_call>{json.dumps(CALL)}</tool_call>"},
        {"output": None, "reasoning": "I look.", "tool_calls": [CALL]},
        {
            "output": "",
            "reasoning": "I look.",
            "tool_calls": [{"function": {**CALL, "arguments": json.dumps(CALL["arguments"])}}],
        },
    ],
)
def test_every_turn_of_a_dialogue_has_its_answer(tmp_path: Path, first: dict[str, Any]) -> None:
    row = {"id": "a", "turns": [first, {"output": "Sent on Friday."}]}
    called, answered = turns_of(tmp_path, row)
    assert [(c.name, c.arguments) for c in called.tool_calls] == [("get_order", {"order_id": "A1"})]
    assert (called.reasoning, called.reply, called.finish_reason) == ("I look.", "", "tool_calls")
    assert (answered.reply, answered.tool_calls) == ("Sent on Friday.", ())


def test_calls_are_counted_as_well(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    from support.tiny_models import tiny_tokenizer

    folder = tmp_path / "tokenizer"
    tiny_tokenizer().save_pretrained(folder)
    text = f"One moment.\n<tool_call>{json.dumps(CALL)}</tool_call>"
    rows = {"id": "a", "turns": [{"output": text}, {"output": "One moment.", "tool_calls": [CALL]}]}
    inline, apart = (one.usage for one in turns_of(tmp_path, rows, tokenizer=str(folder)))
    assert inline and apart  # noqa: PT018
    assert inline.reply == apart.reply
    assert inline.output == inline.reply + (inline.markup or 0)  # type: ignore[operator]
    assert apart.output > apart.reply + 10  # type: ignore[operator]


def test_a_turn_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(RowError, match=r"has 1 turn\(s\) of id 'a'"):
        turns_of(tmp_path, {"id": "a", "output": None, "tool_calls": [CALL]})


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "a", "turns": []}, "turns is [], not a list of answers"),
        ({"id": "a", "turns": ["x"]}, "turn 1: 'x' is no object"),
        ({"id": "a", "turns": [{"output": "x"}, {"ouput": "x"}]}, "turn 2: unknown key 'ouput'"),
        ({"id": "a", "turns": [{"reasoning": "x"}]}, "turn 1: no key 'output'"),
        ({"id": "a", "turns": [{"output": "x"}], "output": "x"}, "unknown key 'output'"),
        ({"id": "a", "turns": [{"output": "x", "id": "b"}]}, "turn 1: unknown key 'id'"),
        ({"id": "a", "output": "x", "tool_calls": "get"}, "tool_calls is 'get'"),
        (
            {"id": "a", "output": "x", "tool_calls": [{"arguments": {}}]},
            "a tool call without a name",
        ),
    ],
)
def test_a_dialogue_that_is_none_is_refused(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    assert said in refused(tmp_path, row)
