"""A board as pages that open from a file: a table to sort and filter, plots, and a page a model."""

from __future__ import annotations

from lt_bench.board.site.writing import write_site

__all__ = ["write_site"]
