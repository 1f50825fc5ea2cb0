"""The words of a shop, one file a language: what it sells and to whom, its tools, its rules."""

from typing import Final

from lt_bench.environments.shop.records import ShopLang
from lt_bench.environments.shop.words import market_en, market_zh, texts_en, texts_zh
from lt_bench.environments.shop.words.market import Kind, Market
from lt_bench.environments.shop.words.texts import Rule, Texts

MARKETS: Final[dict[ShopLang, Market]] = {"en": market_en.ENGLISH, "zh": market_zh.CHINESE}
TEXTS: Final[dict[ShopLang, Texts]] = {"en": texts_en.ENGLISH, "zh": texts_zh.CHINESE}

__all__ = ["MARKETS", "TEXTS", "Kind", "Market", "Rule", "Texts"]
