"""The chat-completions format without a network: events, packets, counts, refusals, requests."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lt_bench.backends.counts import counted
from lt_bench.backends.openai.dialect import Dialect, check_extra, payload
from lt_bench.backends.openai.endpoint import open_endpoint
from lt_bench.backends.openai.rejection import Rejected, excerpt, read_rejection
from lt_bench.backends.openai.sse import EventReader
from lt_bench.backends.openai.wire import Answer, Assembler, decode
from lt_bench.backends.retry import Fault
from lt_bench.backends.turn import turn_from_fields
from lt_bench.config import Sampling
from lt_bench.errors import UsageError
from lt_bench.records import Message, Prompt, ToolCall, Turn

PROMPT = Prompt(messages=(Message(role="user", content="Is it red?"),))


def read(data: bytes, size: int = 10**6) -> list[bytes]:
    reader = EventReader()
    events = [e for i in range(0, len(data), size) for e in reader.feed(data[i : i + size])]
    return events + reader.close()


def assembled(*packets: Any) -> Answer:
    assembler = Assembler()
    for packet in packets:
        assembler.feed(packet)
    return assembler.answer()


def message(finish: str | None = "stop", **fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": fields, "finish_reason": finish}]}


def delta(finish: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


# --- Events ----------------------------------------------------------------------------------


def test_events_with_comments_other_fields_and_several_data_lines() -> None:
    data = b': ping\n\nevent: x\nid: 7\ndata: {"a":\ndata: 1}\n\ndata:[DONE]\n\n'
    assert read(data) == [b'{"a":\n1}', b"[DONE]"]


def test_last_event_without_its_blank_line_is_kept() -> None:
    assert read(b"data: a\n\ndata: b") == [b"a", b"b"]
    assert read(b"data: a\r\n\r\ndata: b\r") == [b"a", b"b"]


@given(
    st.lists(st.lists(st.text("ab:{ \t", max_size=5), min_size=1, max_size=3), max_size=5),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.integers(1, 12),
)
def test_events_are_the_same_however_the_bytes_are_cut(
    events: list[list[str]], end: bytes, size: int
) -> None:
    data = b"".join(
        b"".join(b"data: " + line.encode() + end for line in lines) + end for lines in events
    )
    expected = [b"\n".join(line.encode() for line in lines) for lines in events]
    assert read(data, size) == expected


# --- Packets ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
def test_both_reasoning_fields_in_message_and_deltas(name: str) -> None:
    whole = assembled(message(content="It is red.", **{name: "Look: red."}))
    streamed = assembled(
        delta(role="assistant", content=""),
        delta(**{name: "Look"}),
        delta(**{name: ": red."}),
        delta(content="It is"),
        delta("stop", content=" red."),
    )
    assert whole == streamed
    assert (whole.reasoning, whole.content) == ("Look: red.", "It is red.")


def test_a_trace_sent_under_both_names_is_taken_once() -> None:
    assert assembled(message(content="a", reasoning="t", reasoning_content="t")).reasoning == "t"


def test_f10_content_null_with_reasoning_is_an_answer() -> None:
    answer = assembled(message("length", content=None, reasoning="still checking"))
    assert (answer.content, answer.reasoning) == (None, "still checking")
    assert answer.finish_reason == "length"


@pytest.mark.parametrize(
    "packet",
    [
        {"choices": []},
        {},
        {"choices": None},
        message(content=None),
        message(),
        message(content=None, reasoning="", tool_calls=[]),
        delta("stop", role="assistant", content=None),
    ],
)
def test_nothing_at_all_is_an_empty_fault(packet: dict[str, Any]) -> None:
    with pytest.raises(Fault) as caught:
        assembled(packet)
    assert caught.value.kind == "empty"


def test_an_empty_string_is_an_answer() -> None:
    assert assembled(message(content="")).content == ""
    assert assembled(delta(role="assistant", content=""), delta("stop")).content == ""


def test_a_cap_spent_on_hidden_thoughts_is_an_answer_and_not_a_fault() -> None:
    usage = {"completion_tokens": 64, "completion_tokens_details": {"reasoning_tokens": 64}}
    answer = assembled({**message("length", content=None), "usage": usage})
    assert (answer.content, answer.finish_reason) == (None, "length")


@pytest.mark.parametrize("parts", [delta, message])
def test_content_as_a_list_of_parts(parts: Any) -> None:
    content = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "It is "},
        {"type": "image_url", "image_url": {"url": "data:"}},
        "red.",
    ]
    answer = assembled(parts("stop", content=content))
    assert (answer.reasoning, answer.content) == ("hm", "It is red.")


def test_a_list_nested_without_end_is_cut_off() -> None:
    content: Any = [{"type": "text", "text": "deep"}]
    for _ in range(900):
        content = [content]
    assert assembled(message(content=content)).content == ""


def test_a_worded_refusal_is_the_reply() -> None:
    assert assembled(message(content=None, refusal="I cannot.")).content == "I cannot."


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("stop", "stop"),
        (None, "stop"),
        ("eos_token", "stop"),
        ("length", "length"),
        ("MAX_TOKENS", "length"),
        ("tool_calls", "tool_calls"),
        ("function_call", "tool_calls"),
    ],
)
def test_finish_reasons(said: str | None, meant: str) -> None:
    assert assembled(message(said, content="a")).finish_reason == meant


@pytest.mark.parametrize("said", ["content_filter", "SAFETY"])
def test_a_filtered_answer_is_a_refusal_even_with_words(said: str) -> None:
    with pytest.raises(Fault) as caught:
        assembled(message(said, content="The pri"))
    assert caught.value.kind == "content_filter"


def test_an_answer_that_the_server_broke_off_is_a_fault() -> None:
    with pytest.raises(Fault) as caught:
        assembled(message("abort", content="The pri"))
    assert caught.value.kind == "server"


def test_other_choices_are_ignored() -> None:
    assert (
        assembled(
            delta(content="a"), {"choices": [{"index": 1, "delta": {"content": "b"}}]}
        ).content
        == "a"
    )


@pytest.mark.parametrize(
    "packet",
    [
        {"choices": {"a": 1}},
        {"choices": ["a"]},
        {"choices": [{"index": 0, "message": "a"}]},
        message(tool_calls="a"),
        message(tool_calls=["a"]),
    ],
)
def test_other_shapes_are_malformed(packet: dict[str, Any]) -> None:
    with pytest.raises(Fault) as caught:
        assembled(packet)
    assert caught.value.kind == "malformed"


ODD_TEXT = st.text(st.characters(exclude_categories=()), max_size=6) | st.sampled_from(
    ["a</think>", '{"a": 1}', '{"a": "\\ud83d"}', "[[1]]", "\ud83d", "length", "c1"]
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ODD_TEXT,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["text", "type", "message", "code", "a"]), inner)
    ),
    max_leaves=4,
)


TEXT = ODD_TEXT | ANYTHING


def some_of(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=fields)


FUNCTION = some_of(name=TEXT, arguments=TEXT)
CALL = some_of(id=TEXT, index=st.sampled_from([0, 1, None, "0"]), function=FUNCTION)
PART = some_of(
    content=TEXT,
    reasoning=TEXT,
    reasoning_content=TEXT,
    refusal=TEXT,
    tool_calls=st.lists(CALL, max_size=3),
    function_call=FUNCTION,
)
FINISH = st.sampled_from(["stop", "length", "content_filter", None, 7, "\ud83d"])
CHOICE = some_of(
    delta=PART, message=PART, finish_reason=FINISH, index=st.sampled_from([0, None, 1])
)
COUNT = st.integers(-2, 20) | ANYTHING
COUNTS = some_of(
    prompt_tokens=COUNT,
    completion_tokens=COUNT,
    total_tokens=COUNT,
    completion_tokens_details=some_of(reasoning_tokens=COUNT),
)
PACKET = st.fixed_dictionaries(
    {"choices": st.lists(CHOICE, max_size=2)}, optional={"usage": COUNTS}
)
GARBAGE = st.fixed_dictionaries(
    {"choices": st.lists(ANYTHING) | ANYTHING},
    optional={"usage": ANYTHING, "error": ANYTHING, "object": TEXT},
)


@given(st.lists(PACKET | PACKET | PACKET | GARBAGE, min_size=1, max_size=3))
def test_no_packet_whatever_breaks_the_reader_or_the_journal(packets: list[Any]) -> None:
    assembler = Assembler()
    try:
        for packet in packets:
            assembler.feed(packet)
        answer = assembler.answer()
    except (Fault, Rejected):
        return
    counted(answer.usage, spoke=False, thought=False)
    turn = turn_from_fields(
        reasoning=answer.reasoning,
        content=answer.content,
        finish_reason=answer.finish_reason,
        usage=counted(answer.usage, spoke=True, thought=bool(answer.reasoning)),
        tool_calls=answer.tool_calls,
    )
    assert Turn.model_validate_json(orjson.dumps(turn.model_dump(mode="json"))) == turn


# --- Tool calls ------------------------------------------------------------------------------


def function(name: str, arguments: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **fields}


def test_tool_calls_of_a_message() -> None:
    calls = [function("price", '{"sku": "A1"}', id="c1"), function("stock", {"sku": "B"}, id="c2")]
    answer = assembled(message("tool_calls", content=None, tool_calls=calls))
    assert answer.tool_calls == (
        ToolCall(id="c1", name="price", arguments={"sku": "A1"}),
        ToolCall(id="c2", name="stock", arguments={"sku": "B"}),
    )
    assert answer.finish_reason == "tool_calls"


def test_streamed_tool_calls_are_put_together() -> None:
    answer = assembled(
        delta(tool_calls=[function("price", "", index=0, id="c1")]),
        delta(tool_calls=[{"index": 0, "function": {"arguments": '{"sku"'}}]),
        delta(tool_calls=[function("stock", "", index=1, id="c2")]),
        delta(tool_calls=[{"index": 0, "function": {"arguments": ': "A1"}'}}]),
        delta("stop", tool_calls=[{"index": 1, "function": {"arguments": "{}"}}]),
    )
    assert [(c.id, c.name, c.arguments) for c in answer.tool_calls] == [
        ("c1", "price", {"sku": "A1"}),
        ("c2", "stock", {}),
    ]
    assert answer.finish_reason == "tool_calls"


def test_servers_that_number_every_call_0_or_not_at_all() -> None:
    zero = assembled(
        delta(tool_calls=[function("price", '{"a": 1}', index=0, id="c1")]),
        delta("stop", tool_calls=[function("stock", '{"b": 2}', index=0, id="c2")]),
    )
    bare = assembled(
        delta(tool_calls=[function("price", '{"a": 1')]),
        delta(tool_calls=[{"function": {"arguments": "}"}}]),
        delta("stop", tool_calls=[function("stock", '{"b": 2}')]),
    )
    for answer in (zero, bare):
        assert [(c.name, c.arguments) for c in answer.tool_calls] == [
            ("price", {"a": 1}),
            ("stock", {"b": 2}),
        ]


@pytest.mark.parametrize("text", ['{"sku": "A1"', "A1", "[1]", "null"])
def test_arguments_that_are_no_object_are_kept_as_malformed(text: str) -> None:
    (call,) = assembled(message(tool_calls=[function("price", text, id="c")])).tool_calls
    assert call == ToolCall(id="c", name="price", arguments={}, malformed=text)


def test_arguments_nested_without_end_are_malformed() -> None:
    deep: Any = 1
    for _ in range(300):
        deep = {"a": deep}
    for arguments in (deep, json.dumps(deep)):
        (call,) = assembled(message(tool_calls=[function("price", arguments)])).tool_calls
        assert call.arguments == {}
        assert call.malformed


def test_no_arguments_are_an_empty_object() -> None:
    (call,) = assembled(message(tool_calls=[function("list", "")])).tool_calls
    assert (call.arguments, call.malformed) == ({}, None)


def test_the_old_single_function_call() -> None:
    old = {"name": "price", "arguments": '{"sku": 1}'}
    (call,) = assembled(message("function_call", content=None, function_call=old)).tool_calls
    assert (call.name, call.arguments) == ("price", {"sku": 1})


# --- Bytes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"nul", b'{"a": "\xff"}', b"[" * 5000, b'"a"'])
def test_what_is_no_json_object_is_malformed(data: bytes) -> None:
    with pytest.raises(Fault) as caught:
        decode(data)
    assert caught.value.kind == "malformed"


def test_f17_an_emoji_cut_between_two_deltas_is_whole_again() -> None:
    packets = [
        decode(b'{"choices":[{"delta":{"content":"ok \\ud83d"}}]}'),
        decode(b'{"choices":[{"delta":{"content":"\\ude00!"},"finish_reason":"stop"}]}'),
    ]
    assert assembled(*packets).content == "ok \U0001f600!"


def test_half_an_emoji_becomes_a_replacement_character() -> None:
    content = assembled(decode(b'{"choices":[{"message":{"content":"ok \\ud83d"}}]}')).content
    assert content is not None
    assert content.encode("utf-8").decode() == content
    assert content.startswith("ok ")


# --- Counts ----------------------------------------------------------------------------------


def usage(**fields: Any) -> dict[str, Any]:
    reasoning = fields.pop("reasoning", None)
    details = (
        {} if reasoning is None else {"completion_tokens_details": {"reasoning_tokens": reasoning}}
    )
    return {"prompt_tokens": 10, "completion_tokens": 474, **fields, **details}


def counts(given: Any, *, spoke: bool = True, thought: bool = False) -> Any:
    found = counted(given, spoke=spoke, thought=thought)
    return found and (found.prompt, found.output, found.reasoning, found.counted_by)


def test_f73_zero_reasoning_beside_a_trace_is_no_count() -> None:
    assert counts(usage(reasoning=0), thought=True) == (10, 474, None, "provider")
    assert counts(usage(), thought=True) == (10, 474, None, "provider")
    assert counts(usage(reasoning=400), thought=True) == (10, 474, 400, "provider")
    assert counts(usage(reasoning=0), thought=False) == (10, 474, 0, "provider")


def test_f76_reasoning_is_within_the_output_and_cached_within_the_prompt() -> None:
    given = usage(
        prompt_tokens=100,
        completion_tokens=50,
        reasoning=40,
        total_tokens=150,
        prompt_tokens_details={"cached_tokens": 80},
    )
    assert counts(given) == (100, 50, 40, "provider")


def test_reasoning_reported_beside_the_completion_is_added() -> None:
    given = usage(completion_tokens=30, reasoning=200, total_tokens=240)
    assert counts(given) == (10, 230, 200, "provider")


@pytest.mark.parametrize("bad", [None, "12", -1, 1.5, True, [], float("nan"), float("inf"), 1e300])
def test_nonsense_is_no_count(bad: Any) -> None:
    assert counts(usage(completion_tokens=bad)) is None
    assert counts(usage(prompt_tokens=bad)) == (None, 474, None, "provider")
    assert counts(usage(reasoning=bad)) == (10, 474, None, "provider")


def test_counts_that_contradict_the_answer_are_not_believed() -> None:
    assert counts(usage(completion_tokens=0)) is None
    assert counts(usage(completion_tokens=0), spoke=False) == (10, 0, None, "provider")
    assert counts(usage(completion_tokens=5, reasoning=9)) == (10, 5, None, "provider")
    assert counts({"completion_tokens_details": "x", "completion_tokens": 3}) == (
        None,
        3,
        None,
        "provider",
    )
    assert counts(None) is None


# --- Refusals --------------------------------------------------------------------------------


def rejected(status: int, body: Any, **headers: str) -> Any:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return read_rejection(status, headers, data)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "bad_request"),
        (404, "bad_request"),
        (422, "bad_request"),
        (413, "bad_request"),
        (401, "auth"),
        (403, "auth"),
        (408, "timeout"),
        (409, "server"),
        (429, "rate_limited"),
        (500, "server"),
        (502, "server"),
        (503, "server"),
        (504, "timeout"),
        (529, "server"),
    ],
)
def test_kinds_by_status(status: int, kind: str) -> None:
    assert rejected(status, {"error": {"message": "x"}}).kind == kind


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "too long", "param": "p", "code": "c"}},
        {"error": {"message": "too long", "type": "c", "param": "p", "code": None}},
        {"object": "error", "message": "too long", "type": "c", "param": "p", "code": 400},
    ],
)
def test_shapes_of_error_objects(body: Any) -> None:
    found = rejected(400, body)
    assert (found.message, found.code, found.param) == ("too long", "c", "p")


def test_more_shapes_of_error_objects() -> None:
    assert rejected(400, {"error": "too long"}).message == "too long"
    assert rejected(404, {"detail": "Not Found"}).message == "Not Found"
    found = rejected(422, {"detail": [{"loc": ["body", "seed"], "msg": "extra"}]})
    assert (found.message, found.param) == ("seed: extra", "seed")
    assert rejected(500, b"").message == "no explanation given"
    assert rejected(500, b"[1]").message == "[1]"
    assert rejected(500, {"error": {"message": None}}).message == "no explanation given"


@pytest.mark.parametrize(
    "error",
    [
        {"message": "x", "code": "context_length_exceeded"},
        {"message": "This model's maximum context length is 4096 tokens. You requested 5000."},
        {"message": "The input (5000 tokens) is longer than the model's context length (4096)."},
        {"message": "the request exceeds the available context size", "type": "invalid_request"},
    ],
)
def test_a_prompt_longer_than_the_context_is_told_from_other_refusals(error: Any) -> None:
    assert rejected(400, {"error": error}).fault().no_room
    assert not rejected(503, {"error": error}).fault().no_room
    assert not rejected(400, {"error": {"message": "the schema is too long"}}).fault().no_room


def test_a_filtered_prompt_is_a_refusal_although_it_is_a_400() -> None:
    assert (
        rejected(400, {"error": {"message": "x", "code": "content_filter"}}).kind
        == "content_filter"
    )


def test_an_error_page_is_quoted_without_tags_escapes_or_tricks() -> None:
    page = (
        "<html><head><title>t</title><style>p{}</style></head><body><h1>502 Bad\x1b[31m Gateway</h1>"
        "\x1b]0;owned\x07<script>alert(1)</script>\u202egnp\u200b.exe\r\n\x9b2J</body></html>"
    )
    text = excerpt(page)
    assert text.startswith("502 Bad Gateway")
    assert text.isprintable()
    assert "alert" not in text
    assert "owned" not in text
    assert len(excerpt("x" * 10**6)) == 200


# --- Requests --------------------------------------------------------------------------------


def sent(sampling: Sampling, dialect: Dialect | None = None, **extra: Any) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(payload("m", PROMPT, sampling, dialect or Dialect(), extra))
    return body


def test_the_request_of_plain_sampling() -> None:
    assert sent(Sampling(max_tokens=64, seed=3)) == {
        "model": "m",
        "messages": [{"role": "user", "content": "Is it red?"}],
        "temperature": 0.0,
        "max_tokens": 64,
        "seed": 3,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_f20_stop_strings_are_never_sent() -> None:
    assert "stop" not in sent(Sampling(stop=("\n\n",)))


def test_top_p_and_top_k_are_sent_when_they_say_something() -> None:
    body = sent(Sampling(temperature=0.7, top_p=0.9, top_k=20))
    assert (body["temperature"], body["top_p"], body["top_k"]) == (0.7, 0.9, 20)


def test_extra_fields_are_added_and_null_takes_one_out() -> None:
    body = sent(Sampling(), chat_template_kwargs={"enable_thinking": False}, temperature=None)
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert "temperature" not in body


@pytest.mark.parametrize("key", ["stop", "messages", "model", "stream", "n"])
def test_reserved_extra_fields_are_refused(key: str) -> None:
    with pytest.raises(UsageError, match=key):
        check_extra({key: 1})


def test_a_dialogue_with_tools_is_sent_whole() -> None:
    call = ToolCall(id="c", name="price", arguments={"sku": "A"})
    prompt = Prompt(
        messages=(
            Message(role="assistant", tool_calls=(call,)),
            Message(role="tool", content="99", tool_call_id="c"),
        ),
        tools=({"type": "function", "function": {"name": "price"}},),
    )
    body = json.loads(payload("m", prompt, Sampling(), Dialect(), {}))
    assert body["messages"] == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [function("price", '{"sku":"A"}', id="c")],
        },
        {"role": "tool", "content": "99", "tool_call_id": "c"},
    ]
    assert body["tools"] == list(prompt.tools)


def test_dialects_adapt_to_what_a_server_objects_to() -> None:
    full = Dialect()
    no_options = full.adapted(
        rejected(400, {"error": {"message": "Unknown field: stream_options"}})
    )
    assert no_options == Dialect(stream_options=False)
    no_stream = full.adapted(
        rejected(400, {"error": {"message": "streaming is off", "param": "stream"}})
    )
    assert no_stream == Dialect(stream=False)
    newer = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    assert full.adapted(rejected(400, {"error": {"message": newer}})) == Dialect(
        cap="max_completion_tokens"
    )


def test_a_cap_that_is_too_large_is_no_reason_to_rename_it() -> None:
    words = "'max_tokens' or 'max_completion_tokens' is too large: 9999. The limit is 2048 tokens."
    assert (
        Dialect().adapted(rejected(400, {"error": {"message": words, "param": "max_tokens"}}))
        is None
    )


def test_other_refusals_change_nothing() -> None:
    assert Dialect().adapted(rejected(400, {"error": {"message": "too long"}})) is None
    assert Dialect().adapted(rejected(500, {"error": {"message": "stream broke"}})) is None


# --- Endpoints -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url", ["http://h:8000/v1", "http://h:8000/v1/", "http://h:8000/v1/chat/completions"]
)
def test_addresses_are_completed(url: str) -> None:
    found = open_endpoint(url, None, {})
    assert (found.chat, found.shown) == ("http://h:8000/v1/chat/completions", "http://h:8000/v1")


@pytest.mark.parametrize(
    "url", ["", "h:8000/v1", "localhost", "ftp://h/v1", "http://", "http://h:x/"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="--base-url"):
        open_endpoint(url, None, {})


def test_openais_own_key_goes_to_openai_only() -> None:
    environ = {"OPENAI_API_KEY": "sk-secret"}
    assert (
        open_endpoint("https://api.openai.com/v1", None, environ).authorization
        == "Bearer sk-secret"
    )
    for other in (
        "https://api.openai.com.evil.example/v1",
        "http://api.openai.com/v1",
        "https://api.openai.com:8443/v1",
        "https://evil.example/api.openai.com/v1",
        "http://localhost:8000/v1",
    ):
        assert open_endpoint(other, None, environ).authorization == ""


def test_a_named_variable_is_sent_to_the_named_host() -> None:
    found = open_endpoint("http://h/v1", "MY_KEY", {"MY_KEY": " k-123\n"})
    assert found.headers()["Authorization"] == "Bearer k-123"


@pytest.mark.parametrize("environ", [{}, {"MY_KEY": ""}, {"MY_KEY": "  "}])
def test_a_missing_key_is_told_before_any_call(environ: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="MY_KEY is not set"):
        open_endpoint("http://h/v1", "MY_KEY", environ)


def test_openai_without_a_key_is_told_before_any_call() -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY is not set"):
        open_endpoint("https://api.openai.com/v1", None, {})


@pytest.mark.parametrize("key", ["k 1", "k\n1", "schlüssel"])
def test_a_key_that_cannot_be_one_is_refused_unseen(key: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_endpoint("http://h/v1", "MY_KEY", {"MY_KEY": key})
    assert key not in str(caught.value)


def test_a_key_given_instead_of_its_variable_is_not_repeated() -> None:
    with pytest.raises(UsageError) as caught:
        open_endpoint("http://h/v1", "sk-proj-abc", {})
    assert "sk-proj" not in str(caught.value)


def test_user_info_and_query_are_used_but_not_shown() -> None:
    found = open_endpoint("https://me:p%40ss@h/v1?api-version=1&sig=secret", None, {})
    assert found.shown == "https://h/v1"
    assert found.chat == "https://h/v1/chat/completions?api-version=1&sig=secret"
    assert found.authorization == "Basic bWU6cEBzcw=="
    for hidden in ("p%40ss", "p@ss", "secret", "bWU6"):
        assert hidden not in repr(found)


def test_an_echoed_key_is_taken_out_even_when_cut() -> None:
    found = open_endpoint("http://h/v1", "K", {"K": "sk-0123456789"})
    assert found.redacted("bad key sk-0123456789!") == "bad key ***!"
    assert "0123" not in found.redacted("bad key sk-01234…")
