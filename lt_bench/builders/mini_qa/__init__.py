"""The mini_qa builder: commerce_qa in some 200 words, so that a model can learn it from nothing.

Scene (what is sold and asked) -> Example with schema.org sheets and gold -> Trajectory of a teacher
"""

from lt_bench.builders.mini_qa.builder import MiniQA

__all__ = ["MiniQA"]
