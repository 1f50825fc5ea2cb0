"""The tool worlds that dialogues play in."""

from lt_bench.environments.base import Environment, EnvironmentFactory, Outcome
from lt_bench.records import World
from lt_bench.registry import Registry

ENVIRONMENTS: Registry[EnvironmentFactory] = Registry(
    "environment",
    group="lt_bench.environments",
    builtin={
        "shop": "lt_bench.environments.shop:open_shop",
        "mini_shop": "lt_bench.environments.mini_shop:open_mini_shop",
    },
)


def open_world(world: World) -> Environment:
    """A fresh copy of the world of a row.

    Raises:
        UsageError: its kind is unknown, or its patch does not fit.
    """
    return ENVIRONMENTS.get(world.kind)(world)


__all__ = ["ENVIRONMENTS", "Environment", "EnvironmentFactory", "Outcome", "open_world"]
