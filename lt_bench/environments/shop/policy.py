"""The rules of a shop: the text that an agent is given, and the sentence a refusal cites."""

from __future__ import annotations

from functools import cache
from typing import Final, get_args

from lt_bench.environments.shop.calendar import RETURN_DAYS, TODAY
from lt_bench.environments.shop.money import units
from lt_bench.environments.shop.records import ShopLang
from lt_bench.environments.shop.words import MARKETS, TEXTS, Rule

MOST_PIECES: Final = 5
"""Pieces of one variant in an order."""
RULES: Final[tuple[Rule, ...]] = get_args(Rule)


@cache
def rule(lang: ShopLang, name: Rule) -> str:
    """The sentence of a rule with its figures."""
    market = MARKETS[lang]
    return (
        TEXTS[lang]
        .rules[name]
        .format(
            days=RETURN_DAYS,
            digits=market.postcode_digits,
            limit=MOST_PIECES,
            shipping=units(market.shipping),
            free_from=units(market.free_from),
            postage=units(market.return_postage),
        )
    )


def policy(lang: ShopLang = "en") -> str:
    """Today's date, the currency and the numbered rules, one a line."""
    first = TEXTS[lang].today.format(today=TODAY, currency=MARKETS[lang].currency)
    rules = (f"{number}. {rule(lang, name)}" for number, name in enumerate(RULES, 1))
    return "\n".join((first, *rules))
