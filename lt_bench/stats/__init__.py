"""A mean and how far it can be trusted."""

from lt_bench.stats.estimates import Observation, Scores, estimate, estimate_each, estimate_scores
from lt_bench.stats.holm import holm
from lt_bench.stats.intervals import Interval, cluster_bootstrap, wilson
from lt_bench.stats.mcnemar import mcnemar

__all__ = [
    "Interval",
    "Observation",
    "Scores",
    "cluster_bootstrap",
    "estimate",
    "estimate_each",
    "estimate_scores",
    "holm",
    "mcnemar",
    "wilson",
]
