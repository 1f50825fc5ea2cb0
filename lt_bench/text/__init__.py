"""What can be told from an output's text alone: its reasoning, its reply, and leaks between them."""

from __future__ import annotations

from lt_bench.text.families import FAMILIES
from lt_bench.text.leaks import leaked_markup
from lt_bench.text.segments import Kind, Segment, Split
from lt_bench.text.split import split_reasoning
from lt_bench.text.stream import Splitter

__all__ = ["FAMILIES", "Kind", "Segment", "Split", "Splitter", "leaked_markup", "split_reasoning"]
