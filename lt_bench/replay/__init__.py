"""Replay: every row of a run with all that is known of it, on the terminal and as a page."""

from __future__ import annotations

from lt_bench.replay.rows import anchor
from lt_bench.replay.writing import replay_page

__all__ = ["anchor", "replay_page"]
