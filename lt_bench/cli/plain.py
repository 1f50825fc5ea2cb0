"""Text from models, files and servers, made harmless for a terminal."""

from __future__ import annotations

from lt_bench.plain import on_one_line, printable

__all__ = ["on_one_line", "printable"]
