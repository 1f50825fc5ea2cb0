"""Judges: declared questions about a reply, put to a model and read by the letter."""

from lt_bench.judge.judge import Judge
from lt_bench.judge.panel import Judgement, Panel
from lt_bench.judge.reading import Reading, Unreadable
from lt_bench.judge.subject import Subject

__all__ = ["Judge", "Judgement", "Panel", "Reading", "Subject", "Unreadable"]
