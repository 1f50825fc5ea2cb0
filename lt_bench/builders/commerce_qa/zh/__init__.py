"""Chinese: the goods, the words and the ways of a live room in Chinese."""

from lt_bench.builders.commerce_qa.zh.language import CHINESE

__all__ = ["CHINESE"]
