"""Answers held to a JSON Schema: how they are asked for, and what happens where a server cannot."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest
from support.server import Call, Reply, Responder, serve

from lt_bench.backends import Request
from lt_bench.backends.openai.backend import OpenAIBackend
from lt_bench.backends.openai.dialect import Dialect, payload
from lt_bench.config import Sampling
from lt_bench.errors import RowError
from lt_bench.records import Message, Prompt

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "correct": {"type": "boolean"}},
    "required": ["reason", "correct"],
    "additionalProperties": False,
}
VERDICT = '{"reason": "", "correct": true}'
PROMPT = Prompt(messages=(Message(role="user", content="Is it red?"),))
OPTIONS = {"backoff": 0.01, "timeout": 5.0, "max_attempts": 1}

OBJECTIONS: list[tuple[int, Any]] = [
    (400, {"message": "'response_format' of type 'json_schema' is not supported with this model."}),
    (400, {"message": "This response_format type is unavailable now", "type": "invalid_request"}),
    (400, {"message": "The parameter `response_format.type` is not valid: `json_schema`"}),
    (400, {"message": "This model does not support response format `json_schema`."}),
    (400, {"message": "The provided JSON schema contains features not supported by xgrammar."}),
    (400, {"message": "Failed to generate JSON.", "code": "json_validate_failed"}),
    (400, {"message": "Unknown field", "param": "response_format"}),
    (422, {"message": "Extra inputs are not permitted: response_format"}),
    (500, {"message": "Grammar error: failed to compile the guided decoding grammar"}),
]


def ask(url: str, times: int = 1, schema: Mapping[str, Any] | None = SCHEMA, **more: Any) -> Any:
    request = Request(PROMPT, Sampling(), "row", 0, schema)

    async def main() -> list[str]:
        async with OpenAIBackend("m", {"base_url": url, **OPTIONS, **more}) as backend:
            return [(await backend.generate(request)).reply for _ in range(times)]

    return asyncio.run(main())


def objecting(status: int, error: Any) -> Responder:
    def respond(call: Call) -> Reply:
        held = "response_format" in call.body
        return Reply(status=status, error=error) if held else Reply(VERDICT)

    return respond


def test_the_schema_is_sent_as_structured_output() -> None:
    with serve(lambda call: Reply(VERDICT)) as server:
        assert ask(server.url) == [VERDICT]
        assert server.calls[0].body["response_format"] == {
            "type": "json_schema",
            "json_schema": {"name": "verdict", "strict": True, "schema": SCHEMA},
        }


def test_the_order_of_fields_is_sent_as_it_is_declared() -> None:
    """Engines write the fields in this order: a reason after the verdict explains nothing."""
    body = payload("m", PROMPT, Sampling(), Dialect(), {}, SCHEMA).decode()
    assert body.index('"reason":{') < body.index('"correct":{')


def test_without_a_schema_nothing_is_asked_of_the_form() -> None:
    with serve(lambda call: Reply("It is red.")) as server:
        assert ask(server.url, schema=None) == ["It is red."]
        assert "response_format" not in server.calls[0].body


@pytest.mark.parametrize(("status", "error"), OBJECTIONS)
def test_a_server_that_cannot_is_asked_without(status: int, error: Any) -> None:
    with serve(objecting(status, error)) as server:
        assert ask(server.url, times=3) == [VERDICT] * 3
        held = ["response_format" in call.body for call in server.calls]
    assert held == [True, False, False, False]


@pytest.mark.parametrize("words", ["the prompt is too long", "max_tokens is too large: 9999"])
def test_other_refusals_are_not_about_the_schema(words: str) -> None:
    with serve(lambda call: Reply(status=400, error={"message": words})) as server:
        with pytest.raises(RowError) as caught:
            ask(server.url)
        assert len(server.calls) == 1
    assert caught.value.kind == "bad_request"


def test_a_server_that_refuses_everything_about_the_way_of_asking_is_answered_in_the_end() -> None:
    def respond(call: Call) -> Reply:
        for field in ("response_format", "stream_options"):
            if field in call.body:
                return Reply(status=400, error={"message": f"unknown field {field}"})
        if call.body["stream"]:
            return Reply(status=400, error={"message": "stream is not supported"})
        if "max_tokens" in call.body:
            words = "max_tokens is not supported, use max_completion_tokens instead"
            return Reply(status=400, error={"message": words})
        return Reply(VERDICT)

    with serve(respond) as server:
        assert ask(server.url) == [VERDICT]
        assert len(server.calls) == 5


def test_a_refusal_that_stays_is_this_rows_fault_and_does_not_go_on_for_ever() -> None:
    error = {"message": "response_format is not supported"}
    with serve(lambda call: Reply(status=400, error=error)) as server:
        with pytest.raises(RowError):
            ask(server.url)
        assert len(server.calls) == 2


def test_the_user_can_leave_the_schema_out_or_ask_for_another_form() -> None:
    with serve(lambda call: Reply(VERDICT)) as server:
        ask(server.url, extra_body={"response_format": None})
        ask(server.url, extra_body={"response_format": {"type": "json_object"}})
        first, second = (call.body for call in server.calls)
    assert "response_format" not in first
    assert second["response_format"] == {"type": "json_object"}


def test_a_refusal_in_the_servers_own_field_is_read_as_what_the_model_said() -> None:
    message = {"role": "assistant", "content": None, "refusal": "I cannot grade this."}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    with serve(lambda call: Reply(choices=[choice], stream=False)) as server:
        assert ask(server.url) == ["I cannot grade this."]


def test_bodies_are_plain_json() -> None:
    assert json.loads(payload("m", PROMPT, Sampling(), Dialect(), {}, SCHEMA))["model"] == "m"
