"""Chinese: how replies assert, deny, suppose, abstain and promise."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.language import Language

_NEVER: Final = re.compile(r"(?!)")

CHINESE: Final = Language(
    name="zh",
    sentence_end=re.compile(r"[.](?!\d)|[!?;\n…]+"),
    clause_end=re.compile(r",(?!\d{3}(?!\d))|:|\(|\)|(?=但|不过|然而|而且|只是|可是)"),
    negator=re.compile(
        r"(?P<idiom>不过|不仅|不但|不错|没问题|没关系|不客气|不用担心|不到|不止|不妨|不好意思|号)|不|没|无|未|非|别|\b(?:not|no|without|[a-z]+n't)\b"
    ),
    scope_end=re.compile(r"而|但|却|只"),
    wish=re.compile(
        r"^\W*(?:如果|要是|假如|若|您想|你想|您要|你要|您说|你说|您问|你问|想要|需要的话|欢迎|您好|你好|谢谢)"
    ),
    question=re.compile(r"(?:吗|呢|么|哪|什么|多少|几)\W*$"),
    yes=re.compile(
        r"^\W*(?:您好|你好|亲|嗯|哦)?\W*(?:是的|对的|对|可以的?|能的?|会的?|有的?|支持的?|没错|当然)\W*$|^\W*(?:是的|对的|当然)"
    ),
    no=re.compile(
        r"^\W*(?:您好|你好|亲|嗯|哦|抱歉|不好意思)?\W*(?:不是的?|不可以|不能|不会|没有|不支持|不行|不对)\W*$|^\W*(?:不是的|没有哦|不可以哦)"
    ),
    polar=re.compile(r"吗|是不是|能不能|有没有|会不会|可不可以|可以不|对不对|有没"),
    missing=re.compile(
        r"(?:没有?|未|没有?看到|没有?找到|查不到|找不到)(?:具体|明确|详细|相关|这个|这方面的?|任何|对应)*(?:写|说明|注明|标明|标注|提到|提及|列出|显示|给出|信息|资料|数据|介绍|记录)"
        r"|不(?:清楚|知道|确定|了解)|无法(?:确认|确定|得知|提供|判断)|不能(?:确认|确定|保证)|暂无|未知|不详|资料(?:里|中|上)?(?:没有?|未)|说不准"
    ),
    refusal=re.compile(
        r"无法(?:回答|帮)|不能(?:回答|帮)|(?:联系|咨询|问)(?:一下)?客服|(?:查看|参考)(?:商品)?(?:详情|页面)|只能(?:回答|聊)|看情况|聊(?:聊)?(?:商品|产品)"
    ),
    availability={
        "out": re.compile(
            r"缺货|售罄|卖完|卖光|没货|无货|断货|没有(?:现)?货|下架|抢光|没有库存|无库存"
        ),
        "preorder": re.compile(r"预售|预订|预定"),
        "in": re.compile(r"有货|现货|有库存|还有(?:货|\d+件)|库存充足|可以下单"),
    },
    promises=re.compile(
        r"包邮|免运费|赠品|赠送|送(?:一|个)|定制|终身|质保|保修|保证|打折|优惠券?|满减|退款|当日达|次日达|认证|正品|补货"
    ),
    feature=_NEVER,
    checkable=frozenset(
        [
            "红色",
            "蓝色",
            "绿色",
            "黄色",
            "黑色",
            "白色",
            "粉色",
            "紫色",
            "橙色",
            "灰色",
            "棕色",
            "米色",
            "银色",
            "金色",
            "纯棉",
            "羊毛",
            "真皮",
            "不锈钢",
            "陶瓷",
            "玻璃",
            "塑料",
            "实木",
            "硅胶",
            "防水",
            "防摔",
            "无线",
            "蓝牙",
            "充电",
            "太阳能",
            "有机",
            "静音",
            "可折叠",
            "变频",
            "单冷",
            "冷暖",
            "制热",
            "除湿",
            "遥控",
        ]
    ),
    common=frozenset(),
)
