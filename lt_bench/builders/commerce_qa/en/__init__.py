"""English: the goods, the words and the ways of a live room in English."""

from lt_bench.builders.commerce_qa.en.language import ENGLISH

__all__ = ["ENGLISH"]
