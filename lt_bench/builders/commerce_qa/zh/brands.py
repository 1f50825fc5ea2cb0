"""Syllables of made-up Chinese brands."""

from __future__ import annotations

from typing import Final

from lt_bench.builders.commerce_qa.brands import Brands

BRANDS: Final = Brands(
    starts={
        "train": (
            "维", "朗", "沐", "珂", "洛", "芮", "晟", "柯", "翎", "屿", "栖", "岚", "珞", "璟", "澄", "稷", "遥", "霁", "黎", "煦", "穆", "泊", "聆",
            "桁", "苒", "鹿",
        ),
        "validation": ("萤", "砚", "棠", "笙", "溯", "漪"),
        "test": ("予", "慕", "斐", "宸", "凝", "澍", "衡", "隅", "桐", "曜", "鸢", "弥"),
    },
    ends=("澜", "森", "悦", "谷", "莱", "语", "禾", "茉", "野", "纳", "瑞", "朵", "图", "辰", "昂", "羽", "珀", "澈", "榛", "宛"),
)  # fmt: skip
