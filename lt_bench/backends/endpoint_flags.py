"""Flags of the command that only mean something to an endpoint, refused by every other backend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lt_bench.errors import UsageError

FLAGS = {
    "base_url": "--base-url",
    "api_key_env": "--api-key-env",
    "concurrency": "--concurrency",
    "fingerprint": "--fingerprint",
    "batch": "--batch",
}
"""Options that the command passes on, and how a user typed them."""

JUDGE_FLAGS = {
    "--base-url": "--judge-base-url",
    "--api-key-env": "--judge-api-key-env",
    "--concurrency": "--judge-concurrency",
    "--fingerprint": "--set judge_backend.fingerprint",
    "--batch": "--set judge_backend.batch",
    "--set backend.": "--set judge_backend.",
}
"""How a user types the same for a model that judges."""


class EndpointFlagError(UsageError):
    """A flag for endpoints, given to a model that is none."""

    def for_judges(self) -> UsageError:
        """The same in the words of one who set it for a judge's model."""
        return UsageError(_for_judges(self.cause), _for_judges(self.fix))


def refuse_endpoint_flags(name: str, options: Mapping[str, Any], instead: str = "") -> None:
    """`instead`: what does the job of --concurrency here.

    Raises:
        EndpointFlagError: one of them was given.
    """
    for option, flag in FLAGS.items():
        if option in options:
            leave_out = f"leave {flag} out, or ask a server with openai/NAME"
            raise EndpointFlagError(
                f"{flag} does not apply to {name}: no server is asked",
                instead if instead and option == "concurrency" else leave_out,
            )


def check_batch(base_urls: Sequence[str], concurrency: int | str) -> None:
    """Refuses what does not go with --batch.

    Raises:
        EndpointFlagError: several servers, or a number of requests that the server's answers set.
    """
    if len(base_urls) > 1:
        raise EndpointFlagError(
            f"--batch asks one server, and --base-url names {len(base_urls)}",
            "name one; for several, give each a part of the rows with --shard I/N",
        )
    if concurrency == "auto":
        raise EndpointFlagError(
            "--concurrency auto does not apply to --batch: a batch is sent whole",
            "leave --concurrency out, or give the number of rows that are gathered at once",
        )


def refuse_batch(options: Mapping[str, Any], why: str) -> None:
    """For commands that need each answer when it is asked for.

    Raises:
        EndpointFlagError: batches were asked for.
    """
    if options.get("batch"):
        raise EndpointFlagError(f"--batch does not apply here: {why}", "leave --batch out")


def _for_judges(text: str) -> str:
    for flag, judges in JUDGE_FLAGS.items():
        text = text.replace(flag, judges)
    return text
