"""What it means when a server says no: a fault of this row, or the end of the run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import orjson

from lt_bench.backends.retry import Fault, retry_after
from lt_bench.errors import FailureKind

EXCERPT = 200
"""Characters of a server's own words that an error may quote."""

FILTER_CODES = {"content_filter", "content_policy_violation", "data_inspection_failed"}
QUOTA_CODES = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?", re.DOTALL)
_HIDDEN = re.compile(r"<(script|style|head)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+"
)

_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|available context size"
    r"|longer than the model'?s context|prompt is too long|exceeds? the (?:model'?s )?context"
)
"""How OpenAI, vLLM, SGLang, llama.cpp and others say that a prompt is longer than the context."""


def excerpt(text: str) -> str:
    """The first words of a server's answer on one line: no HTML, no terminal escapes, no
    characters that turn or hide the text around them."""
    text = _ESCAPES.sub(" ", text[:65536])
    if text.lstrip().startswith("<"):
        text = _TAG.sub(" ", _HIDDEN.sub(" ", text))
    line = " ".join(_UNPRINTABLE.sub(" ", text).split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1] + "…"


@dataclass(frozen=True)
class Rejection:
    """An answer other than 2xx, or an error object where an answer should be. `status` is 0 when
    the object names none; `param` is the field of the request that it blames."""

    status: int
    message: str
    code: str = ""
    param: str = ""
    wait: float | None = None
    location: str = ""

    @property
    def words(self) -> str:
        """Everything it says about its reason, in lower case."""
        return f"{self.code} {self.param} {self.message}".lower()

    @property
    def kind(self) -> FailureKind:
        """Whose fault it is, as a row's failure."""
        if self.code.lower() in FILTER_CODES:
            return "content_filter"
        if self.status == 429 or "rate_limit" in self.code:
            return "rate_limited"
        if self.status in (408, 504):
            return "timeout"
        if self.status in (401, 402, 403):
            return "auth"
        if self.status in (409, 425) or self.status >= 500:
            return "server"
        blamed = "invalid_request" in self.words or self.param
        return "bad_request" if self.status or blamed else "server"

    def fault(self) -> Fault:
        """The rejection as one failed attempt."""
        origin = f"HTTP {self.status}" if self.status else "the server reports an error"
        no_room = self.kind == "bad_request" and _LONG.search(self.words) is not None
        return Fault(self.kind, f"{origin}: {self.message}", self.wait, no_room=no_room)

    @property
    def blames_model(self) -> bool:
        """The server does not have the model that was asked for."""
        return self.code == "model_not_found" or self.param == "model"

    @property
    def out_of_money(self) -> bool:
        """No later request can succeed until somebody pays."""
        return self.status == 402 or self.code.lower() in QUOTA_CODES


class Rejected(Exception):
    """Carries a `Rejection` to where it is known whether another way of asking may help."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection.message)
        self.rejection = rejection


def read_rejection(status: int, headers: Mapping[str, str], body: bytes) -> Rejection:
    """The rejection behind an HTTP status and whatever body came with it."""
    try:
        said = _said(orjson.loads(body))
    except orjson.JSONDecodeError:
        said = None
    plain = said or Rejection(status, excerpt(body.decode("utf-8", "replace")))
    message = plain.message or "no explanation given"
    location = excerpt(headers.get("Location", "").partition("?")[0].rpartition("@")[2])
    return replace(
        plain, status=status, message=message, wait=retry_after(headers), location=location
    )


def error_in(packet: Mapping[str, Any]) -> Rejection | None:
    """The error that a packet carries although its HTTP status was fine."""
    if not packet.get("error") and packet.get("object") != "error":
        return None
    return _said(packet) or Rejection(0, "no explanation given")


def _said(packet: Any) -> Rejection | None:
    """An error in one of the shapes that servers use: `error` as an object or a string, the same
    fields without it, or FastAPI's `detail`."""
    error = packet.get("error") or packet if isinstance(packet, dict) else None
    if isinstance(error, str):
        return Rejection(0, excerpt(error))
    if not isinstance(error, dict):
        return None
    if isinstance(error.get("detail"), list):
        return _validation(error["detail"])
    code, kind = error.get("code"), error.get("type")
    status = code if isinstance(code, int) and 400 <= code < 600 else 0
    named = next((name for name in (code, kind) if isinstance(name, str) and name), "")
    message = error.get("message") or error.get("detail") or error.get("msg") or ""
    param = error.get("param") or ""
    return Rejection(status, excerpt(_words(message)), excerpt(named), excerpt(_words(param)))


def _validation(detail: list[Any]) -> Rejection:
    """FastAPI's list of validation errors: [{"loc": ["body", "seed"], "msg": …}]."""
    first = detail[0] if detail and isinstance(detail[0], dict) else {}
    where = first.get("loc")
    param = _words(where[-1]) if isinstance(where, list) and where else ""
    message = f"{param}: {_words(first.get('msg', 'invalid'))}"
    return Rejection(0, excerpt(message), "invalid_request", excerpt(param))


def _words(value: Any) -> str:
    """A message as text; some servers put an object there."""
    if isinstance(value, str):
        return value
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return ""
