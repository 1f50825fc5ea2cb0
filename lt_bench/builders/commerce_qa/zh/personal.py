"""Face serums and backpacks, as Chinese live rooms sell them."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.schema import Attribute, Category, Check, Faq, choice, number
from lt_bench.builders.commerce_qa.zh import shared
from lt_bench.builders.commerce_qa.zh.shared import yes_no


def _goes_with(active: str, short: str) -> Attribute:
    """Whether it can be layered with another active; `short` is what viewers call that."""
    return yes_no(
        f"搭配{active}", f"{{it}}能搭配{active}", f"{{it}}不能搭配{active}",
        (f"{{it}}能和{short}一起用吗", f"{{it}}能搭配{active}吗", f"{{it}}可以叠{short}吗", f"用{short}的时候能用{{it}}吗"),
        (f"能配{short}吗", f"{short}能一起用吗", f"能叠{short}吗"), topic="compatibility", want=f"能搭配{active}的",
        also=(f"可以搭配{active}", f"能和{active}一起用", f"能叠{active}"),
        also_no=(f"不建议搭配{active}", f"不能和{active}一起用", f"不能叠{active}"),
        leads=((f"我已经在用{short}了", "{it}能一起用吗"), (f"我平时用{short}", "{it}能叠着用吗")),
    )  # fmt: skip


SERUM = Category(
    name="face_serum",
    noun="精华液",
    one="一瓶精华液",
    plural="精华液",
    forms=("晨露", "初雪", "凝光", "素颜", "花漾", "月白", "玉肌", "澄心"),
    colors=(),
    prices=(59, 399),
    attributes=(
        number(
            "净含量", "净含量", "ml", (15, 20, 30, 40, 50), "{it}一瓶{v}",
            ("{it}一瓶多少毫升", "{it}多少ml", "{it}净含量多少", "{it}一瓶有多大", "{it}是大瓶吗，多少毫升"), ("多少毫升", "多少ml", "一瓶多大"),
            topic="content", wins="量更多", want="{v}以上的",
        ),
        choice(
            "主要成分", "主要成分", ("烟酰胺", "维C", "玻尿酸", "胜肽", "积雪草"), "{it}主要成分是{v}",
            ("{it}主要成分是什么", "{it}里面有什么成分", "{it}什么成分起作用", "{it}主打什么成分", "{it}是烟酰胺的吗"), ("什么成分", "主要成分", "主打什么"),
            topic="content", want="主打{v}的", accept={"玻尿酸": ("透明质酸",), "维C": ("维生素C",), "胜肽": ("多肽",)},
        ),
        choice(
            "适合肤质", "适合肤质", ("干皮", "油皮", "混合皮"), "{it}适合{v}",
            ("{it}适合什么肤质", "{it}油皮能用吗", "{it}干皮用合适吗", "{it}是给什么皮肤用的", "{it}适合油皮还是干皮"), ("什么肤质", "油皮能用吗", "干皮能用吗"),
            topic="skin", want="适合{v}的", accept={"混合皮": ("混皮",)},
        ),
        yes_no(
            "敏感肌使用", "{it}适合敏感肌", "{it}不适合敏感肌",
            ("敏感肌能用{it}吗", "{it}敏感肌可以用吗", "{it}适合敏感肌吗", "脸容易泛红，{it}敏感肌能用不"), ("敏感肌能用吗", "敏感肌可以吗", "敏感肌用行吗"),
            topic="skin", also=("可以给敏感肌用",), also_no=("不建议敏感肌用", "不能给敏感肌用"), want="敏感肌能用的",
        ),
        yes_no(
            "含酒精", "{it}含酒精", "{it}不含酒精",
            ("{it}含酒精吗", "{it}里面有酒精吗", "{it}有没有酒精", "{it}成分里有酒精吗"), ("含酒精吗", "有酒精吗", "有没有酒精"),
            topic="skin", also=("有酒精", "添加了酒精"), also_no=("没有酒精", "没有添加酒精", "无酒精"), values=(True, False, False),
        ),
        choice(
            "使用时间", "使用时间", ("早上", "晚上", "早晚"), "{it}{v}用",
            ("{it}早上用还是晚上用", "{it}什么时候用", "{it}白天能用吗", "{it}是早晚都用吗", "{it}一天里什么时候涂"), ("早上用还是晚上用", "什么时候用", "白天能用吗"),
            topic="routine", want="{v}用的", accept={"早晚": ("早晚都能用", "早晚都可以用")},
        ),
        number(
            "浓度", "浓度", "%", (2, 3, 5, 8, 10, 15), "{it}浓度{v}",
            ("{it}浓度多少", "{it}浓度高吗，百分之几", "{it}有效成分百分之多少", "{it}的浓度是几"), ("浓度", "浓度多少", "百分之几"),
            topic="content", wins="浓度更高",
        ),
        number(
            "开封后保质期", "开封后保质期", "个月", (3, 6, 9, 12), "{it}开封后能用{v}",
            ("{it}开封后能用多久", "{it}打开以后能放几个月", "{it}开了盖多久用完", "{it}开封了能放多久"), ("开封能用多久", "开封后多久", "打开能放多久"),
            topic="routine", wins="开封后放得更久",
        ),
        choice(
            "质地", "质地", ("清爽", "啫喱", "乳霜", "油润"), "{it}质地是{v}的",
            ("{it}是什么质地", "{it}质地油不油", "{it}质地清爽吗", "{it}涂起来什么质地"), ("什么质地", "质地", "油不油"),
            topic="skin", want="质地{v}的",
        ),
        _goes_with("视黄醇", "A醇"),
        _goes_with("果酸", "果酸"),
    ),
    faqs=(
        Faq(("一次用几滴", "用量多少合适", "每次要挤多少", "几滴够用"),
            "全脸加脖子三滴就够。", "三滴", ("3滴",)),
        Faq(("先涂面霜还是先涂它", "在水后面用还是面霜后面用", "使用顺序是什么"),
            "爽肤水之后、面霜之前用。", "面霜之前", ("面霜前", "涂面霜之前")),
    ),
    reviews=("上脸很快就吸收了。", "上妆不卡粉，我妈也在用。", "玻璃瓶有质感，滴管好挤。"),
    unlisted=("孕妇能用{it}吗", "{it}能去痘印吗", "{it}会搓泥吗", "{it}多久能见效", "做完光子能用{it}吗"),
    gifts=("面膜一片", "洁面小样", "化妆棉一包"),
)  # fmt: skip

BACKPACK = Category(
    name="backpack",
    noun="双肩包",
    one="一个双肩包",
    plural="双肩包",
    forms=("旅人", "远山", "漫游", "都市", "游牧", "港口", "少年", "风帆"),
    colors=("黑色", "灰色", "姜黄色", "雾蓝色"),
    prices=(79, 599),
    attributes=(
        number(
            "容量", "容量", "L", (16, 18, 20, 22, 25, 28, 32, 40), "{it}容量{v}",
            ("{it}是多少升的", "{it}容量多大", "{it}能装多少东西，几升", "{it}几升的", "{it}容量是多少"), ("多少升", "容量", "能装多少", "几升"),
            topic="size", wins="更能装", want="{v}以上的", check=Check("我出差两天要{n}的", "{it}够大吗", yes="够大的，{clause}。", no="不够大哦，{clause}。"),
        ),
        number(
            "电脑尺寸", "电脑尺寸", "寸", (13, 14, 15.6, 17), "{it}电脑仓是{v}的",
            ("{it}能放多大的电脑", "{it}能放几寸的笔记本", "{it}最大能装多少寸的电脑", "{it}电脑仓几寸的"), ("能放几寸电脑", "能放多大电脑", "电脑几寸"),
            topic="size", wins="能放更大的电脑", want="能放{v}电脑的", check=Check("我电脑是{n}的", "{it}放得下吗", yes="放得下，{clause}。", no="放不下哦，{clause}。"),
        ),
        shared.waterproof("{it}下雨天背防水吗"),
        yes_no(
            "上飞机", "{it}能上飞机", "{it}不能上飞机",
            ("{it}能上飞机吗", "{it}能当登机包吗", "坐飞机{it}能随身带吗", "{it}可以带上飞机吗"), ("能上飞机吗", "能登机吗", "能带上飞机吗"),
            topic="travel", also=("能带上飞机", "可以带上飞机", "能登机"), also_no=("不能带上飞机", "不可以带上飞机", "不能登机"), want="能上飞机的",
        ),
        yes_no(
            "USB充电口", "{it}有USB充电口", "{it}没有USB充电口",
            ("{it}有USB充电口吗", "{it}能插充电宝给手机充吗", "{it}带USB口吗", "{it}有没有充电口"), ("有USB口吗", "有充电口吗", "带USB吗"),
            topic="travel", also=("带USB口", "有USB口", "有充电口"), also_no=("不带USB口", "没有USB口", "没有充电口"), want="有USB充电口的",
            values=(True, False),
        ),
        yes_no(
            "套拉杆箱", "{it}能套拉杆箱", "{it}不能套拉杆箱",
            ("{it}能套拉杆箱上吗", "{it}能套行李箱拉杆吗", "{it}背面能穿拉杆箱吗", "{it}可以固定在拉杆箱上吗"), ("能套拉杆箱吗", "能套行李箱吗"),
            topic="travel", also=("可以套拉杆箱", "能套行李箱"), also_no=("不可以套拉杆箱", "不能套行李箱"), want="能套拉杆箱的",
        ),
        number(
            "隔层", "隔层", "个", (5, 6, 8, 9, 11, 12), "{it}有{v}隔层",
            ("{it}有几个隔层", "{it}隔层多吗，几个", "{it}里面分几层", "{it}一共多少个隔层"), ("几个隔层", "多少隔层", "隔层多吗"),
            topic="size", wins="隔层更多", want="有{v}以上隔层的",
        ),
        shared.material("面料", "尼龙", "帆布", "牛津布", "皮革"),
        shared.weight("kg", 0.6, 0.7, 0.9, 1.1, 1.3),
        choice(
            "开合方式", "开合方式", ("拉链", "翻盖", "抽绳"), "{it}是{v}式的",
            ("{it}是拉链的还是抽绳的", "{it}怎么打开的", "{it}包口是什么样的", "{it}包口是拉链吗"), ("拉链还是抽绳", "怎么开的", "包口是拉链吗"),
            topic="weather", want="{v}式的",
        ),
        yes_no(
            "放水袋", "{it}能放水袋", "{it}不能放水袋",
            ("{it}能放水袋吗", "{it}里面能挂骑行水袋吗", "{it}有放水袋的地方吗", "{it}能装水袋吗"), ("能放水袋吗", "水袋能放吗", "放水袋行吗"),
            topic="compatibility", also=("可以放水袋", "能装水袋"), also_no=("不可以放水袋", "不能装水袋"), want="能放水袋的",
            leads=(("我骑车要带水袋", "{it}能放吗"), ("我徒步用水袋", "{it}装得进去吗")),
        ),
    ),
    faqs=(
        Faq(("怎么洗", "脏了能用洗衣机洗吗", "可以机洗吗", "脏了怎么办"),
            "冷水手洗，敞开晾干。", "冷水手洗", ("手洗", "用手洗")),
        Faq(("放地上能站住吗", "会不会倒", "能立起来吗"),
            "底部是硬板，能自己立住。", "能自己立住", ("能立住", "可以立住", "能立起来", "站得住")),
    ),
    reviews=("上班的家当全装得下。", "拉链顺滑，肩带软。", "过安检拿东西很方便。"),
    unlisted=("{it}能装小狗吗", "{it}背着勒肩膀吗", "{it}有防盗设计吗", "{it}用久了掉皮吗", "小学生能背{it}吗"),
    # Whatever is small may go on board.
    agree=lambda values: {"上飞机": True} if float(values["容量"]) < 32 else {},
    gifts=("防雨罩", "钥匙扣", "数据线收纳包"),
)  # fmt: skip
