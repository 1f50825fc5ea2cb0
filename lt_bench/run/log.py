"""log.txt of a run: what happened, for the day something looks odd."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lt_bench.run.disk import cannot_write


class _Quiet(logging.FileHandler):
    """A full disk is the journal's news to tell, once and with its fix."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Drops the line."""


@contextmanager
def log_to(path: Path) -> Iterator[None]:
    """Appends lt-bench's log to a file.

    Raises:
        RunError: it cannot be opened.
    """
    try:
        handler = _Quiet(path, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise cannot_write(path, error) from error
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("lt_bench")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        with suppress(OSError):
            handler.close()
