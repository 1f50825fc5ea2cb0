"""Quantiles of the normal distribution that intervals and power are made of."""

from __future__ import annotations

from statistics import NormalDist
from typing import Final

Z95: Final = NormalDist().inv_cdf(0.975)
"""Half-width of a two-sided 95 % interval, in standard errors."""
POWER80: Final = NormalDist().inv_cdf(0.8)
"""How far beyond that a difference must lie to be found in 80 % of the cases."""
