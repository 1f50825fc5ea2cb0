"""Where a server is and who may ask it: the address, the key, and words that give neither away."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from lt_bench.errors import UsageError

OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"

MARKED = 4
"""Characters from which on a word is taken for a secret in a server's answer."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Endpoint:
    """One server. `shown` is its address as people may see it, without user info and query.

    The credential is kept out of the repr, and `redacted` takes it out of a server's own words.
    """

    shown: str
    chat: str = field(repr=False)
    authorization: str = field(default="", repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def headers(self) -> dict[str, str]:
        """Headers of every request to this server, and to no other."""
        plain = {
            "Content-Type": "application/json",
            "Accept": "text/event-stream, application/json",
        }
        return {**plain, "Authorization": self.authorization} if self.authorization else plain

    def redacted(self, text: str) -> str:
        """`text` without the credential, should the server have echoed it, whole or cut off at
        the end of an excerpt."""
        for secret in self.secrets:
            text = text.replace(secret, "***")
            for length in range(len(secret) - 1, MARKED - 1, -1):
                text = text.replace(secret[:length] + "…", "***…")
        return text


def open_endpoint(
    base_url: str, key_env: str | None, environ: Mapping[str, str] | None = None
) -> Endpoint:
    """The endpoint at `base_url`, with the key that was named for it.

    The key of OpenAI's own variable goes to OpenAI's host only; any other host gets a key when
    the user names the variable that holds it.

    Raises:
        UsageError: no http(s) address, a variable that is not set, or a key that cannot be one.
    """
    environ = os.environ if environ is None else environ
    parts = _split(base_url)
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    user, at, host = parts.netloc.rpartition("@")
    host = host.lower()
    shown = urlunsplit((parts.scheme, host, path, "", ""))
    chat = urlunsplit((parts.scheme, host, path + "/chat/completions", parts.query, ""))
    own = OPENAI_KEY if (parts.scheme, host) == urlsplit(OPENAI)[:2] else None
    key = _key(key_env or own, environ, "" if key_env else shown)
    if at and key:
        raise UsageError(
            f"{shown}: both a key and a user name in the address",
            "use one: --api-key-env, or user:password@ in --base-url",
        )
    if at:
        login = base64.b64encode(unquote(user).encode()).decode()
        words = (login, user, unquote(user), unquote(user).partition(":")[2])
        return Endpoint(shown, chat, f"Basic {login}", tuple(w for w in words if len(w) >= MARKED))
    return Endpoint(shown, chat, f"Bearer {key}" if key else "", (key,) if key else ())


def _split(base_url: str) -> SplitResult:
    """The address in its parts; what is wrong with it is said without quoting it."""
    try:
        parts = urlsplit(base_url.strip())
        port_fits = parts.port is None or parts.port > 0
    except ValueError:
        raise UsageError("--base-url is no address", "e.g. http://localhost:8000/v1") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_fits:
        raise UsageError(
            "--base-url needs http:// or https://, a host, and a port if it is not the usual one",
            "e.g. http://localhost:8000/v1",
        )
    return parts


def _key(variable: str | None, environ: Mapping[str, str], default_for: str) -> str:
    """The key in the variable; "" when no variable is named."""
    if variable is None:
        return ""
    if not _VARIABLE.fullmatch(variable):
        raise UsageError(
            "--api-key-env takes the name of an environment variable, not the key itself",
            f"export {OPENAI_KEY}=…, then --api-key-env {OPENAI_KEY}",
        )
    key = environ.get(variable, "").strip()
    if not key:
        needed = f" ({default_for} needs a key)" if default_for else ""
        raise UsageError(
            f"the environment variable {variable} is not set or empty{needed}",
            f"export {variable}=…, or name your own server with --base-url",
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError(
            f"{variable} holds characters that no key has (spaces, line breaks or non-ASCII)",
            f"export {variable} again, the key alone",
        )
    return key
