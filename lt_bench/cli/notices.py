"""Slow steps before the first answer (loading, converting) told on stderr as they happen."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lt_bench.plain import printable


class _Printable(logging.Formatter):
    """A notice may quote a file or a server."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


@contextmanager
def notices(source: str = "backends", level: int = logging.INFO) -> Iterator[None]:
    """Shows what this part of lt-bench logs at `level` and above."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Printable("%(message)s"))
    logger = logging.getLogger(f"lt_bench.{source}")
    handler.setLevel(level)
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
