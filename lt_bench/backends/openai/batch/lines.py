"""Lines of a batch's files: requests as they are uploaded, results as they come back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from lt_bench.backends.openai.rejection import Rejected, excerpt, read_rejection
from lt_bench.backends.openai.wire import decode, quoted
from lt_bench.backends.retry import Fault

EXPIRED, CANCELLED = "batch_expired", "batch_cancelled"


def request_line(name: str, url: str, body: bytes) -> bytes:
    """One request; `url` is the path that it is for."""
    head = orjson.dumps({"custom_id": name, "method": "POST", "url": url})
    return head[:-1] + b',"body":' + body + b"}\n"


@dataclass(frozen=True, slots=True)
class ResultLine:
    """What came of the request `id`. `error` is the code of one that was never carried out."""

    id: str
    status: int
    body: Any
    error: str = ""
    message: str = ""

    @property
    def unanswered(self) -> bool:
        """The batch ended before this request's turn came."""
        return self.error in (EXPIRED, CANCELLED)

    def answer(self) -> bytes:
        """The body of a good answer.

        Raises:
            Rejected: the server refused this request.
            Fault: it was not carried out, or the line holds no answer.
        """
        if self.error or self.message:
            told = self.message or self.error
            raise Fault("server", f"the batch reports an error: {excerpt(told)}")
        body = _as_bytes(self.body)
        if not 200 <= self.status < 300:
            if not 300 <= self.status < 600:
                raise Fault("malformed", f"the batch reports HTTP {self.status}: {quoted(body)}")
            raise Rejected(read_rejection(self.status, {}, body))
        return body


def read_line(line: bytes) -> ResultLine | None:
    """The result in one line of an output or error file; None where it holds none."""
    try:
        packet = decode(line)
    except Fault:
        return None
    name = packet.get("custom_id")
    if not isinstance(name, str):
        return None
    response, error = packet.get("response"), packet.get("error")
    if isinstance(response, Mapping):
        status = response.get("status_code")
        code = status if isinstance(status, int) else 0
        return ResultLine(name, code, response.get("body"))
    told = error if isinstance(error, Mapping) else {}
    message = str(told.get("message") or "no response")
    return ResultLine(name, 0, None, str(told.get("code") or ""), message)


def _as_bytes(body: Any) -> bytes:
    """Half of a surrogate pair, which an answer that was cut may hold, stays as it was written."""
    try:
        return orjson.dumps(body)
    except TypeError:
        return json.dumps(body).encode()
