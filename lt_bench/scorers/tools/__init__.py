"""The scorer `tools`: what an agent called, what it left behind, and what it said in the end."""

from lt_bench.scorers.decisions import Decision, decision_of
from lt_bench.scorers.tools.answers import answers_right
from lt_bench.scorers.tools.bfcl import bfcl_fault
from lt_bench.scorers.tools.matching import Matching
from lt_bench.scorers.tools.scorer import ToolScorer
from lt_bench.scorers.tools.toolrl import ToolrlReward, toolrl_correctness, toolrl_reward

__all__ = [
    "Decision",
    "Matching",
    "ToolScorer",
    "ToolrlReward",
    "answers_right",
    "bfcl_fault",
    "decision_of",
    "toolrl_correctness",
    "toolrl_reward",
]
