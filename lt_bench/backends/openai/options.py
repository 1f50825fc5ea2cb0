"""Settings of an endpoint: where it is, how it is asked, and how long it is waited for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from lt_bench.backends.openai.endpoint import OPENAI, Endpoint, open_endpoint
from lt_bench.config import Config
from lt_bench.errors import UsageError

AUTO: Final = "auto"
OWN_CLIENT: Final = "openai"


class OpenAIOptions(Config):
    """Settings of `--set backend.*`. Times are in seconds.

    `base_url` and `api_key_env` may be several, as a list or with commas; with servers on different
    hosts each key is named as HOST=VARIABLE. `concurrency` is a number or "auto". `timeout` bounds
    one attempt, `idle_timeout` the silence between two pieces of a stream; `backoff` is the first
    retry's longest pause and `max_wait` the longest Retry-After that is waited for. `extra_body` adds
    fields to each request, None takes one out. `tokenizer` (a folder, or a model on the hub) counts
    what the server did not. `fingerprint` names the weights behind the endpoint
    where the model's name does not. `tool_form` is the form of tool calls that the server leaves in the
    text; `thoughts` the field in which a model is sent what it thought earlier in a dialogue with tools
    (None: it is not sent, since many servers refuse such a field).

    `transport` "sdk" asks through the openai package, with the `client` named: "openai", "azure", or a
    factory of the user's own as MODULE:FUNCTION. `batch` asks through the Batch API: at most
    `batch_requests` and `batch_bytes` in one batch, sent when no request has come for `batch_gather`
    seconds, and looked at every `batch_poll` seconds at most.
    """

    base_url: tuple[str, ...] = (OPENAI,)
    api_key_env: tuple[str, ...] = ()
    concurrency: int | str = 64
    stream: bool = True
    timeout: float = Field(default=600.0, gt=0.0)
    idle_timeout: float = Field(default=300.0, gt=0.0)
    max_attempts: int = Field(default=6, ge=1)
    backoff: float = Field(default=0.25, ge=0.0)
    max_wait: float = Field(default=120.0, ge=0.0)
    max_bytes: int = Field(default=32 * 2**20, ge=1024)
    fingerprint: str | None = None
    family: str = "auto"
    tool_form: str = "auto"
    thoughts: Literal["reasoning", "reasoning_content"] | None = None
    tokenizer: str | None = None
    extra_body: dict[str, Any] = Field(default_factory=dict)
    transport: Literal["aiohttp", "sdk"] = "aiohttp"
    client: str = OWN_CLIENT
    batch: bool = False
    batch_requests: int = Field(default=50_000, ge=1)
    batch_bytes: int = Field(default=200 * 10**6, ge=1024)
    batch_gather: float = Field(default=5.0, gt=0.0)
    batch_poll: float = Field(default=60.0, gt=0.0)

    @field_validator("base_url", "api_key_env", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        if value is None:
            return ()
        texts = (value,) if isinstance(value, str) else value
        if not isinstance(texts, list | tuple):
            return value
        parts = [part.strip() for text in texts for part in str(text).split(",")]
        return tuple(dict.fromkeys(part for part in parts if part))

    @field_validator("concurrency", mode="before")
    @classmethod
    def _number_or_auto(cls, value: Any) -> Any:
        if isinstance(value, str) and value.strip().isascii() and value.strip().isdecimal():
            value = int(value)
        whole = isinstance(value, int) and not isinstance(value, bool)
        if (whole and value >= 1) or value == AUTO:
            return value
        raise ValueError("neither a number of requests, from 1, nor auto")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.transport != "sdk" and "transport" in self.model_fields_set and self.sdk:
            what = "batch" if self.batch else f"client={self.client}"
            raise ValueError(f"{what} needs transport=sdk, or no transport named")
        return self

    @property
    def sdk(self) -> bool:
        """The openai package is needed: it was asked for, or for what only it can do."""
        return self.transport == "sdk" or self.batch or self.client != OWN_CLIENT

    def endpoints(self, environ: Mapping[str, str] | None = None) -> tuple[Endpoint, ...]:
        """The servers, each with the key that was named for its host.

        Raises:
            UsageError: an address or a key that cannot be one, or a key whose host is not known.
        """
        if not self.base_url:
            raise UsageError("--base-url is empty", "e.g. http://localhost:8000/v1")
        keys = _keys(self.api_key_env, self.base_url)
        found = [open_endpoint(url, keys.get(_host(url)), environ) for url in self.base_url]
        return tuple({endpoint.chat: endpoint for endpoint in found}.values())


def _keys(named: tuple[str, ...], urls: tuple[str, ...]) -> dict[str, str]:
    """Host -> the variable that holds its key. A variable without a host is for the one host there
    is.

    Raises:
        UsageError: the host is none of the servers', or is not said and there are several.
    """
    hosts = dict.fromkeys(map(_host, urls))
    keys: dict[str, str] = {}
    for text in named:
        host, equals, variable = text.rpartition("=")
        if not equals and len(hosts) > 1:
            raise UsageError(
                "--api-key-env does not say which of the hosts its key is for",
                f"name each: --api-key-env {next(iter(hosts))}=VARIABLE",
            )
        host = host.strip().lower() if equals else next(iter(hosts))
        if host not in hosts:
            raise UsageError(
                "--api-key-env names a host that no --base-url has",
                f"hosts: {', '.join(hosts)}; write HOST=VARIABLE",
            )
        if host in keys:
            raise UsageError(f"--api-key-env names two keys for {host}", "keep one")
        keys[host] = variable.strip()
    return keys


def _host(url: str) -> str:
    """The host of an address, without port; "" where there is none, which `open_endpoint` tells."""
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""
