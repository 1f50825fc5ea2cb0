"""Builders turn a seed, or a file that a user brings, into Examples."""

from lt_bench.builders.base import Builder, BuilderFactory, Importer
from lt_bench.registry import Registry

BUILDERS: Registry[BuilderFactory] = Registry(
    "builder",
    group="lt_bench.builders",
    builtin={
        "commerce_qa": "lt_bench.builders.commerce_qa:CommerceQA",
        "musique": "lt_bench.builders.musique:Musique",
    },
)

IMPORTERS: Registry[Importer] = Registry(
    "importer",
    group="lt_bench.importers",
    builtin={"epqa": "lt_bench.builders.importers.epqa:import_epqa"},
)
"""Name of a foreign format -> the function that reads a file of it as Examples."""

__all__ = ["BUILDERS", "IMPORTERS", "Builder", "BuilderFactory", "Importer"]
