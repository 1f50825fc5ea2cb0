"""What a language brings to the generator, which itself knows no words: see the package `en`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lt_bench.builders.commerce_qa.product import Product
from lt_bench.builders.commerce_qa.schema import Category, Value
from lt_bench.records import Lang


@dataclass(frozen=True)
class Language:
    """Everything the generator needs to speak a language. `phrases` maps a purpose to wordings."""

    code: Lang
    categories: tuple[Category, ...]
    phrases: Mapping[str, tuple[str, ...]]
    quantity: Callable[[Value, str], str]
    money: Callable[[float, str], str]
    day: Callable[[str], str]
    sheet: Callable[[Product, int], str]
    convert: Callable[[float, str], str | None]
