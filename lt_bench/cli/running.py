"""Runs the work of a command: slow steps told on stderr, Ctrl-C turned into an exit code."""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from lt_bench.cli.notices import notices
from lt_bench.errors import Interrupted
from lt_bench.run import run_to_end

Result = TypeVar("Result")


def finish(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of `work`.

    Raises:
        Interrupted: the user stopped it; what was finished is in the journals.
    """
    try:
        with notices(), notices("judge", logging.WARNING):
            return run_to_end(work)
    except KeyboardInterrupt:
        raise Interrupted(
            "interrupted; every finished row is kept",
            "run the same command again: it goes on where it stopped",
        ) from None
