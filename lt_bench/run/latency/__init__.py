"""Latency as a live service feels it: open-loop load, percentiles, deadline goodput."""

from lt_bench.run.latency.arrivals import Arrivals, Size, parse_arrivals, parse_rates
from lt_bench.run.latency.measurement import Measurement
from lt_bench.run.latency.path_model import PathModel, path_model
from lt_bench.run.latency.sweep import Sweep, Watcher, Window

__all__ = [
    "Arrivals",
    "Measurement",
    "PathModel",
    "Size",
    "Sweep",
    "Watcher",
    "Window",
    "parse_arrivals",
    "parse_rates",
    "path_model",
]
