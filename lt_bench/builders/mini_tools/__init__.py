"""The mini_tools builder: dialogues with tools in some 160 words, so that a model can learn it from nothing.

Scene (what is wanted of which shop) -> Performance of an agent in that shop -> Example with gold
"""

from lt_bench.builders.mini_tools.builder import MiniTools

__all__ = ["MiniTools"]
