"""Attributes that several Chinese categories share, and how the Chinese goods are written.

Templates have no spaces around {it} and {v}, and no closing mark. An attribute's name is its
label, in Chinese. `wins` completes 哪个...; `want` is an attributive phrase that ends in 的, so
that 想要一款 and a noun go around it. A clause that denies begins with 不 or 没有.
"""

from __future__ import annotations

from dataclasses import replace

from lt_bench.builders.commerce_qa.schema import Attribute, Check, choice, flag, number


def yes_no(
    label: str,
    yes: str,
    no: str,
    asks: tuple[str, ...],
    shorts: tuple[str, ...],
    *,
    topic: str,
    also: tuple[str, ...] = (),
    also_no: tuple[str, ...] = (),
    want: str = "",
    leads: tuple[tuple[str, str], ...] = (),
    values: tuple[bool, ...] = (True, True, False),
) -> Attribute:
    """A yes-or-no attribute; `also` and `also_no` are other words for the two outcomes."""
    made = flag(
        label, label, yes, no, asks, shorts, topic=topic, want=want, leads=leads, values=values
    )
    said, denied = yes.removeprefix("{it}"), no.removeprefix("{it}")
    return replace(made, accept={True: (said, *also), False: (denied, *also_no)})  # fmt: skip


APP = yes_no(
    "手机控制", "{it}支持手机控制", "{it}不支持手机控制",
    ("{it}能用手机控制吗", "{it}能连手机App吗", "{it}支持手机远程开吗", "{it}有没有App可以控制", "人不在家{it}能用手机开吗"),
    ("能连手机吗", "有App吗", "手机能控制吗", "支持App吗"), topic="controls", want="能用手机控制的",
    also=("能用手机控制", "可以用手机控制", "能连App", "有App"), also_no=("不能用手机控制", "不能连App", "没有App"),
)  # fmt: skip

MACHINE_WASH = yes_no(
    "机洗", "{it}能机洗", "{it}不能机洗",
    ("{it}能机洗吗", "{it}可以扔洗衣机洗吗", "{it}能放洗衣机里洗吗", "{it}机洗行不行", "{it}能用洗衣机洗吗"),
    ("能机洗吗", "可以机洗吗", "洗衣机能洗吗"), topic="care", want="能机洗的",
    also=("可以机洗", "可机洗", "能用洗衣机洗"), also_no=("不可以机洗", "不可机洗", "不能用洗衣机洗"),
)  # fmt: skip


def waterproof(*extra: str, values: tuple[bool, ...] = (True, True, False)) -> Attribute:
    """Whether it keeps water out; `extra` are questions that suit the category."""
    return yes_no(
        "防水", "{it}防水", "{it}不防水",
        ("{it}防水吗", "{it}是防水的吗", "{it}能防水吗", "{it}防不防水", *extra),
        ("防水吗", "防不防水", "防水不"), topic="weather", want="防水的", values=values,
        also=("能防水", "可以防水", "是防水的"), also_no=("不能防水", "没有防水", "不是防水的"),
    )  # fmt: skip


def warranty(unit: str, *values: int) -> Attribute:
    """How long the maker repairs it, in 年 or 个月."""
    how_many = "几年" if unit == "年" else "几个月"
    return number(
        "质保", "质保", unit, values, "{it}质保{v}",
        ("{it}质保多久", f"{{it}}保修{how_many}", "{it}的质保期多长", "{it}坏了保修多久", f"{{it}}质保{how_many}呀", "{it}能保多长时间"),
        ("质保多久", "保修多久", f"保修{how_many}", f"质保{how_many}"), topic="service",
        wins="质保更长", want="质保{v}以上的",
    )  # fmt: skip


def weight(unit: str, *values: float) -> Attribute:
    """How heavy it is, as schema.org's own `weight`."""
    return number(
        "重量", "重量", unit, values, "{it}重{v}",
        ("{it}多重", "{it}有多重", "{it}重不重，多少" + {"kg": "公斤"}.get(unit, unit), "{it}的重量是多少", "{it}沉不沉，有多重",
         "{it}整个多重"),
        ("多重", "重量", "重不重", "有多重"), topic="body", field="weight", wins="更轻", lower_wins=True,
    )  # fmt: skip


def noise(*values: int) -> Attribute:
    """How loud it runs."""
    return number(
        "噪音", "噪音", "分贝", values, "{it}噪音{v}",
        ("{it}噪音大吗", "{it}噪音多少分贝", "{it}声音大不大，多少分贝", "{it}开起来吵不吵", "{it}晚上开吵不吵，几分贝", "{it}运行起来多少分贝"),
        ("噪音大吗", "多少分贝", "吵不吵", "声音大吗"), topic="comfort", wins="更安静", lower_wins=True,
        check=Check("家里有宝宝，要{n}以内的", "{it}够安静吗", "at_most", yes="够安静的，{clause}。", no="不够安静哦，{clause}。"),
    )  # fmt: skip


def room(*values: int) -> Attribute:
    """The floor area it is made for."""
    return number(
        "适用面积", "适用面积", "㎡", values, "{it}适用面积是{v}",
        ("{it}多大平方能用", "{it}能管多大的房间", "{it}适合多大面积", "{it}多少平的房间能用", "{it}能管多少平", "{it}适合多大的卧室"),
        ("多大平方能用", "管多少平", "适用面积", "多大房间用"), topic="power",
        wins="适用面积更大", want="能管{v}的", check=Check("我家房间{n}", "{it}够用吗", yes="够用的，{clause}。", no="不够用哦，{clause}。"),
    )  # fmt: skip


def power(*values: int) -> Attribute:
    """Electric power it draws."""
    return number(
        "功率", "功率", "W", values, "{it}功率{v}",
        ("{it}功率多大", "{it}是多少瓦的", "{it}多少瓦", "{it}的功率是多少", "{it}功率多少，费电不", "{it}有多少瓦"),
        ("多少瓦", "功率多大", "功率", "几瓦的"), topic="power", wins="功率更大", want="{v}以上的",
    )  # fmt: skip


def battery(label: str, *hours: float) -> Attribute:
    """How long it runs on one charge."""
    return number(
        label, label, "小时", hours, "{it}一次能用{v}",
        ("{it}充一次电能用多久", "{it}单次续航多久", "{it}不带充电盒能用几个小时", "{it}充满一次能用多长时间", "{it}一次能用几个小时"),
        ("单次续航多久", "一次能用多久", "充一次用多久"), topic="battery", wins="单次续航更长", want="一次能用{v}以上的",
        check=Check("我一天至少要用{n}", "{it}充一次够用吗", yes="够用的，{clause}。", no="不够用哦，{clause}。"),
    )  # fmt: skip


def material(label: str, *values: str, alone: bool = True) -> Attribute:
    """What it is made of, as schema.org's own `material`; `label` is the part, like 面料. Where it
    is not `alone`, another part is of some material too, so that the part has to be named."""
    part = (
        (f"{{it}}{label}用的什么材料", f"{{it}}{label}什么材质"),
        (f"{label}什么材质", f"{label}是什么"),
    )
    whole = ((f"{{it}}是什么{label}", "{it}什么材质"), ("什么材质", f"什么{label}"))
    asks, shorts = whole if alone else part
    return choice(
        label, label, values, f"{{it}}{label}是{{v}}",
        (f"{{it}}{label}是什么材质", f"{{it}}的{label}是什么做的", *asks),
        shorts, topic="body", field="material", want=f"{label}是{{v}}的",
    )  # fmt: skip


def origin(*values: str) -> Attribute:
    """Where it comes from."""
    return choice(
        "产地", "产地", values, "{it}产自{v}",
        ("{it}是哪里产的", "{it}产地是哪里", "{it}是哪儿生产的", "{it}的产地在哪", "{it}哪里做的"),
        ("产地", "哪里产的", "产地哪里", "哪里生产的"), topic="service", want="产自{v}的",
    )  # fmt: skip
