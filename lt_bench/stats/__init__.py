"""A mean and how far it can be trusted."""

from lt_bench.stats.estimates import Observation, Scores, estimate, estimate_each, estimate_scores
from lt_bench.stats.holm import holm
from lt_bench.stats.intervals import Interval, cluster_bootstrap, wilson
from lt_bench.stats.mcnemar import mcnemar
from lt_bench.stats.passes import every, pass_hat
from lt_bench.stats.ratios import ratio, ratio_of

__all__ = [
    "Interval",
    "Observation",
    "Scores",
    "cluster_bootstrap",
    "estimate",
    "estimate_each",
    "estimate_scores",
    "every",
    "holm",
    "mcnemar",
    "pass_hat",
    "ratio",
    "ratio_of",
    "wilson",
]
