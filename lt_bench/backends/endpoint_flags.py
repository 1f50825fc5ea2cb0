"""Flags of the command that only mean something to an endpoint, refused by every other backend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lt_bench.errors import UsageError

FLAGS = {
    "base_url": "--base-url",
    "api_key_env": "--api-key-env",
    "concurrency": "--concurrency",
    "fingerprint": "--fingerprint",
}
"""Options that the command passes on, and how a user typed them."""


def refuse_endpoint_flags(name: str, options: Mapping[str, Any], instead: str = "") -> None:
    """`instead`: what does the job of --concurrency here.

    Raises:
        UsageError: one of them was given.
    """
    for option, flag in FLAGS.items():
        if option in options:
            leave_out = f"leave {flag} out, or ask a server with openai/NAME"
            raise UsageError(
                f"{flag} does not apply to {name}: no server is asked",
                instead if instead and option == "concurrency" else leave_out,
            )
