"""The search of a shop: words and filters, in a language with or without blanks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from lt_bench.environments.shop.desk import Desk
from lt_bench.environments.shop.money import units
from lt_bench.environments.shop.records import Product, Variant

MOST_FOUND: Final = 5
_BEGINNING: Final = 4
"""Letters from which on a beginning tells the word: "head" finds headphones, "or" no orbit."""
_HAN: Final = re.compile(r"[\u3400-\u9fff]+")
_WORD: Final = re.compile(r"[^\W_]+(?:[.'-][^\W_]+)*")

Hit = tuple[Product, list[Variant]]
"""A product, and those of its variants that are as wanted."""

_SORTS: Final[dict[str, Callable[[Hit], Any]]] = {
    "relevance": lambda hit: hit[0].product_id,
    "price_low": lambda hit: (_lowest(hit), hit[0].product_id),
    "price_high": lambda hit: (-_lowest(hit), hit[0].product_id),
    "rating": lambda hit: (-hit[0].rating, hit[0].product_id),
}


def search_products(desk: Desk, given: dict[str, Any]) -> dict[str, Any]:
    """The products that match most of the words and have a variant as wanted; five are shown."""
    words = search_words(given["query"]) if "query" in given else None
    hits = list(_best(_filtered(desk, given), words))
    hits.sort(key=_SORTS[given.get("sort", "relevance")])
    return {
        "found": len(hits),
        "currency": desk.market.currency,
        "products": [_shown(hit) for hit in hits[:MOST_FOUND]],
    }


def search_words(text: str) -> list[str]:
    """What to look for: words, and pairs of neighbours where words are not told apart."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = [word for part in _HAN.split(folded) for word in _WORD.findall(part)]
    runs = _HAN.findall(folded)
    return words + [pair for run in runs for pair in _pairs(run)]


def _pairs(run: str) -> Iterator[str]:
    return (first + second for first, second in pairwise(run)) if len(run) > 1 else iter(run)


def _filtered(desk: Desk, given: dict[str, Any]) -> Iterator[Hit]:
    wanted = given.get("category")
    for (product_id,) in desk.rows(
        "SELECT product_id FROM products WHERE category = coalesce(?, category) ORDER BY product_id",
        wanted,
    ):
        product = desk.product(product_id)
        fit = [variant for variant in product.variants if _is_wanted(variant, given)]
        if fit:
            yield product, fit


def _is_wanted(variant: Variant, given: dict[str, Any]) -> bool:
    return (
        same(given.get("color", variant.color), variant.color)
        and same(given.get("size", variant.size), variant.size)
        and variant.price <= given.get("max_price", float("inf")) * 100
        and (variant.stock > 0 or not given.get("in_stock", False))
    )


def same(said: str, known: str) -> bool:
    """Whether two names of a colour or a size are one: letter case, width and blanks aside."""
    return _bare(said) == _bare(known)


def _bare(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _best(hits: Iterable[Hit], words: list[str] | None) -> Iterator[Hit]:
    """Those that match the most words, and at least one; all where no words are asked for."""
    if words is None:
        return iter(hits)
    scored = [(_score(hit[0], words), hit) for hit in hits]
    most = max((score for score, _ in scored), default=0)
    return (hit for score, hit in scored if score == most > 0)


def _score(product: Product, words: list[str]) -> int:
    """How many of the words are said of a product."""
    known = _words(" ".join((product.name, product.category, product.material, *product.colors)))
    return sum(any(_is_same_word(word, one) for one in known) for word in words)


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(search_words(text)))


def _is_same_word(word: str, known: str) -> bool:
    """One word, its plural, or the beginning of it; a sign by itself is looked for within pairs."""
    if word.isascii():
        stem = word.removesuffix("s")
        return known.removesuffix("s") == stem or (
            len(word) >= _BEGINNING and known.startswith(stem)
        )
    return word == known or (len(word) == 1 and word in known)


def _lowest(hit: Hit) -> int:
    return min(variant.price for variant in hit[1])


def _shown(hit: Hit) -> dict[str, Any]:
    product = hit[0]
    return {
        "product_id": product.product_id,
        "name": product.name,
        "category": product.category,
        "price_from": units(_lowest(hit)),
        "rating": product.rating / 10,
    }
