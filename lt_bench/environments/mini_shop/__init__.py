"""A shop of twenty goods in a closed vocabulary, so that a model can learn its tools from nothing."""

from lt_bench.environments.mini_shop.words import (
    ASKED,
    ATTRIBUTES,
    PRODUCTS,
    TOOLS,
    WRITES,
    vocabulary,
)
from lt_bench.environments.mini_shop.world import (
    MiniShop,
    open_mini_shop,
    tool_schemas,
    values_of,
)

__all__ = [
    "ASKED",
    "ATTRIBUTES",
    "PRODUCTS",
    "TOOLS",
    "WRITES",
    "MiniShop",
    "open_mini_shop",
    "tool_schemas",
    "values_of",
    "vocabulary",
]
