"""A mean and how far it can be trusted."""

from lt_bench.stats.estimates import Observation, estimate
from lt_bench.stats.holm import holm
from lt_bench.stats.intervals import Interval, cluster_bootstrap, wilson
from lt_bench.stats.mcnemar import mcnemar

__all__ = ["Interval", "Observation", "cluster_bootstrap", "estimate", "holm", "mcnemar", "wilson"]
