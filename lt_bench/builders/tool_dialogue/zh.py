"""How Chinese customers and agents talk."""

from __future__ import annotations

from typing import Final

from lt_bench.builders.commerce_qa.zh import slips
from lt_bench.builders.tool_dialogue.language import Language, Matter
from lt_bench.builders.tool_dialogue.wording import Wordings
from lt_bench.builders.tool_dialogue.zh_agent import AGENT
from lt_bench.builders.tool_dialogue.zh_asks import ASKS
from lt_bench.builders.tool_dialogue.zh_silent import SILENT
from lt_bench.builders.tool_dialogue.zh_thoughts import THOUGHTS

_STATED: Final = {
    "processing": ("处理中", "未发货", "没有发货", "没发货", "还没发", "尚未发货", "待发货", "processing"),
    "shipped": ("已发货", "已经发货", "运送", "在途", "路上", "配送中", "已寄出", "发出", "shipped"),
    "delivered": ("已送达", "送达", "签收", "送到", "收货", "delivered"),
    "cancelled": ("取消", "撤单", "已撤", "cancelled"),
    "in stock": ("有货", "有库存", "还剩", "有的", "现货", "还有"),
    "out of stock": (
        "缺货", "没货", "没有货", "无货", "售罄", "卖完", "没有库存", "无库存", "断货", "没有现货", "库存为0", "0件",
    ),
    "not": (
        "无法", "不能", "抱歉", "不可以", "不行", "没法", "未能", "不支持", "不允许", "不符合", "只能", "用不上", "用不了",
        "没法用",
    ),
    "not found": ("查不到", "没有", "找不到", "不存在", "未找到", "无此", "没查到", "不对", "有误", "无效"),
    "order number": ("订单号", "订单编号", "哪个订单", "哪一单", "哪笔订单", "单号"),
    "reason": ("原因", "为什么", "理由"),
    "address": ("地址", "街道", "邮编", "城市"),
    "postcode": ("邮编", "邮政编码"),
    "customer number": ("客户号", "顾客编号", "客户编号", "邮箱", "账号", "顾客号"),
    "which": ("哪", "还是"),
    "code": ("代码", "券码", "优惠码", "编码", "哪张"),
    "expired": ("到期", "过期", "失效", "无效"),
    "one": ("一张", "只能", "1张"),
    "before_shipping": ("发货", "处理中", "processing", "寄出"),
    "faulty": ("故障", "损坏", "发错", "质量问题", "坏了"),
    "once": ("一次", "1次", "第二次", "两次"),
    "difference": ("差价", "多退少补", "当前价格", "现价"),
    "full": ("全额", "全部", "全款", "全数"),
    "none": ("没有", "无", "暂无"),
    "variant": ("颜色", "规格", "款式", "尺码", "哪款", "哪一款"),
    "returned": ("退货", "退款", "退回", "退还"),
    "exchanged": ("换", "更换", "调换"),
    "changed": ("改", "换", "更新"),
    "applied": ("已用", "使用", "用上", "优惠", "减", "生效"),
    "moved": ("寄到", "地址", "送到", "寄往", "送往"),
    "yes": ("是的", "已经", "对", "没错", "已取消", "办好"),
}  # fmt: skip


_GOODS: Final = (
    "search_products", "check_stock", "get_price", "get_product", "place_order",
    "change_order_item", "exchange_item",
)  # fmt: skip
_MATTERS: Final = (
    Matter(("取消", "撤单", "已撤"), r"取消|撤|退单|processing|处理中|cancelled"),
    Matter(("已换", "换好", "已更换"), r"换|改成", tools=("exchange_item", "change_order_item")),
    Matter(("已退",), r"退|取消|撤"),
    Matter(("过期", "失效", "到期"), r"期|券|优惠|码|折|减"),
    Matter(("已使用", "用上", "生效"), r"券|优惠|码|折|用"),
    Matter(
        ("缺货", "售罄", "没货", "无货", "断货", "没有库存", "没有现货", "卖完"),
        r"缺货|没货|有货|库存|卖|现货",
        tools=_GOODS,
    ),
    Matter(("邮编", "邮政编码"), r"地址|寄|邮|送|搬|发"),
    Matter(("优惠码", "券码"), r"券|优惠|码|折"),
    Matter(("故障", "发错", "损坏"), r"坏|障|损|退|换|错|质量|拆"),
    Matter(("无法办理", "不能办理", "办不了"), r"无法|不能|办不", when="done"),
    Matter(
        ("查不到", "找不到", "不存在", "未找到", "没查到"),
        r"查不|找不|不存在|没有|没找|无效|有误|缺|售罄|not found",
        when="called",
    ),
    Matter(
        ("哪个订单", "哪一单", "哪笔订单", "客户号"),
        r"哪|编号|查不|找不|客户|顾客|邮箱",
        when="called",
    ),
    Matter(("哪个订单", "哪一单", "哪笔订单"), r"哪|单号|订单编号", when="asked"),
    Matter(("原因", "为什么", "理由"), r"原因|为什么|为何|怎么|理由", when="asked"),
)


def _money(amount: float) -> str:
    return f"{amount:g}元" if amount == int(amount) else f"{amount:.2f}元"


def _variant(color: str, size: str) -> str:
    return f"{color}{size}"


def _listed(words: list[str]) -> str:
    return "、".join(words)


CHINESE: Final = Language(
    code="zh",
    wordings=Wordings({**ASKS, **SILENT, **AGENT, **THOUGHTS}),
    statuses={
        "processing": "处理中",
        "shipped": "已发货",
        "delivered": "已送达",
        "cancelled": "已取消",
    },
    stated=_STATED,
    matters=_MATTERS,
    gap="",
    slips=slips.SLIPS,
    careless=slips.careless,
    money=_money,
    variant=_variant,
    listed=_listed,
)
