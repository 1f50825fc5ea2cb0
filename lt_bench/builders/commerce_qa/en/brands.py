"""Syllables of made-up English brands."""

from __future__ import annotations

from typing import Final

from lt_bench.builders.commerce_qa.brands import Brands

BRANDS: Final = Brands(
    starts={
        "train": (
            "Velm", "Cass", "Nord", "Brix", "Halv", "Tess", "Quor", "Mend", "Sylv", "Farr", "Gald", "Jund", "Lorv", "Pell", "Rost", "Sunn",
            "Torv", "Ulm", "Vint", "Wex", "Yarr", "Zell", "Arb", "Dorn", "Elst", "Frej",
        ),
        "validation": ("Omb", "Kest", "Hild", "Bost", "Ning", "Stell"),
        "test": ("Iv", "Mor", "Kar", "Lind", "Drev", "Plet", "Sorb", "Tand", "Ols", "Grim", "Fenn", "Bav"),
    },
    ends=(
        "ora", "ano", "ia", "ex", "ino", "ella", "us", "ero", "ique", "ado", "aris", "ent", "on", "ue", "ival", "omi", "una", "eth", "aro", "ily",
    ),
)  # fmt: skip
