"""The intents of viewers. An intent makes a Plan for a scene, or None where it does not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.intents import choosing, offer, properties, sizing, trouble
from lt_bench.builders.commerce_qa.plan import Plan, Scene
from lt_bench.builders.commerce_qa.schema import Category

Intent = Callable[[Scene], Plan | None]

MISSING: Final = 0.15
WRONG_PREMISE: Final = 0.105
"""A little above its share, since a scene may have nothing to be wrong about."""
OFF_TOPIC: Final = 0.03
_ANSWERED: Final[tuple[tuple[Intent, float], ...]] = (
    (offer.price, 0.12),
    (properties.spec, 0.27),
    (choosing.comparison, 0.13),
    (offer.availability, 0.11),
    (choosing.recommendation, 0.09),
    (offer.promotion, 0.08),
    (offer.shipping, 0.07),
    (offer.returns, 0.05),
    (offer.bundle, 0.04),
)
_SIZING: Final = 0.5
_COMPATIBILITY: Final = 0.25
"""Weights beside `_ANSWERED` in rooms whose goods come in sizes, or go with other things."""


def draw_intent(category: Category, draw: Draw) -> Intent:
    """What the next viewer wants, at the shares of the task."""
    shares: tuple[tuple[Intent | None, float], ...] = (
        (None, 1 - MISSING - WRONG_PREMISE - OFF_TOPIC),
        (trouble.missing, MISSING),
        (trouble.wrong_premise, WRONG_PREMISE),
        (trouble.off_topic, OFF_TOPIC),
    )
    trouble_of = draw.weighted(shares)
    if trouble_of:
        return trouble_of
    weights = list(_ANSWERED)
    if category.chart:
        weights.append((sizing.sizing, _SIZING))
    if any(attribute.topic == "compatibility" for attribute in category.attributes):
        weights.append((properties.compatibility, _COMPATIBILITY))
    return draw.weighted(weights)
