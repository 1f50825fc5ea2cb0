"""Output files of the Batch API (OpenAI) and of `vllm run-batch`, which writes the same:

{"id": "batch_req_1", "custom_id": "room3-q7", "response": {"status_code": 200, "body": {"model": "…",
 "choices": [{"message": {"content": "It is 99 yuan."}, "finish_reason": "stop"}], "usage": {…}}}, "error": null}

`custom_id` must be the id of the row: these files hold no questions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

from lt_bench import jsonl
from lt_bench.backends.counts import counted
from lt_bench.backends.openai.batch.lines import ResultLine, read_line
from lt_bench.backends.openai.reception import Reception
from lt_bench.backends.openai.rejection import Rejected
from lt_bench.backends.openai.wire import Answer
from lt_bench.backends.replay.predictions import Prediction
from lt_bench.backends.retry import Fault
from lt_bench.errors import FailureKind, UsageError
from lt_bench.integrations.runs.log import Log, Logged
from lt_bench.records import Failure

MAX_ANSWER: Final = 64 * 2**20
"""Bytes of one response."""


def is_result(row: Mapping[str, Any]) -> bool:
    """Whether a row is one of these."""
    return "custom_id" in row and ("response" in row or "error" in row)


def read(path: Path) -> Log:
    """The log in an output file, or in a file of errors.

    Raises:
        UsageError: it is no such file.
    """
    lines = jsonl.read(path)
    first = next(lines, None)
    if first is None:
        raise UsageError(f"{path} holds no results", "download the output file of the batch")
    return Log(
        path=path,
        format="batch",
        answers=_answers(path, chain([first], lines)),
        model=_model(first.data),
        harness="Batch API",
    )


def _answers(path: Path, lines: Iterator[jsonl.Line]) -> Iterator[Logged]:
    for line in lines:
        where = f"{path}, line {line.number}"
        result = read_line(json.dumps(line.data).encode())
        if result is None:
            raise UsageError(
                f"{where}: no result of a batch: it lacks custom_id",
                "name the output file of a batch",
            )
        yield _logged(where, result)


def _logged(where: str, result: ResultLine) -> Logged:
    """The first answer of a request, or why there is none."""
    try:
        answer = _answer(result)
    except Rejected as rejected:
        return _failed(where, result.id, rejected.rejection.fault())
    except Fault as fault:
        return _failed(where, result.id, fault)
    thought = bool(answer.reasoning)
    spoke = bool(answer.content or thought or answer.tool_calls)
    prediction = Prediction(
        output=answer.content,
        reasoning=answer.reasoning,
        finish_reason=answer.finish_reason,
        usage=counted(answer.usage, spoke=spoke, thought=thought),
        tool_calls=answer.tool_calls,
    )
    return Logged(where, (result.id,), (prediction,), sample_index=0)


def _failed(where: str, name: str, fault: Fault) -> Logged:
    """A request without an answer. Nobody asks again here, so that only a refusal has a kind."""
    kind: FailureKind = "content_filter" if fault.kind == "content_filter" else "missing"
    failure = Failure(kind=kind, message=fault.cause[:240])
    return Logged(where, (name,), (), sample_index=0, failure=failure)


def _answer(result: ResultLine) -> Answer:
    reception = Reception(0.0, MAX_ANSWER)
    reception.feed(result.answer())
    return reception.close()


def _model(row: Mapping[str, Any]) -> str:
    response = row.get("response")
    body = response.get("body") if isinstance(response, Mapping) else None
    name = body.get("model") if isinstance(body, Mapping) else None
    return name if isinstance(name, str) else ""
