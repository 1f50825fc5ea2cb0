"""Earbuds, power banks and office chairs, as Chinese live rooms sell them."""

from __future__ import annotations

from collections.abc import Mapping

from lt_bench.builders.commerce_qa.schema import (
    Attribute,
    Category,
    Check,
    Faq,
    Value,
    choice,
    in_step,
    number,
)
from lt_bench.builders.commerce_qa.zh import shared
from lt_bench.builders.commerce_qa.zh.shared import yes_no


def _device(device: str, *mine: str, also: tuple[str, ...] = (), verb: str = "连") -> Attribute:
    """Whether it works with a device that viewers own; `mine`: how they say so."""
    return yes_no(
        f"适配{device}", f"{{it}}适配{device}", f"{{it}}不适配{device}",
        (f"{{it}}适配{device}吗", f"{{it}}能{verb}{device}吗", f"{device}能用{{it}}吗", f"{{it}}支持{device}吗", f"{{it}}{device}用得了吗"),
        (f"{device}能用吗", f"支持{device}吗", f"{device}可以吗"), topic="compatibility", want=f"适配{device}的",
        also=(f"支持{device}", f"兼容{device}", f"能{verb}{device}", *also),
        also_no=(f"不支持{device}", f"不兼容{device}", f"不能{verb}{device}"),
        leads=tuple((lead, ask) for lead in mine for ask in (f"{{it}}能{verb}吗", "{it}能用吗")),
    )  # fmt: skip


def _earbuds(values: Mapping[str, Value]) -> dict[str, Value]:
    """A pair works with a phone of one kind at least, and a long charge makes a long total."""
    phones = {} if values["适配安卓手机"] else {"适配苹果手机": True}
    return {**phones, **in_step(values, _ONCE, _TOTAL)}


def _power_bank(values: Mapping[str, Value]) -> dict[str, Value]:
    """It charges a phone; a laptop wants 45 W, and airlines take up to 100 Wh on board."""
    return {
        **in_step(values, _CAPACITY, _HEFT, _FULL),
        "适配苹果手机": True,
        "适配MacBook": float(values["最大输出"]) >= 45,
        "上飞机": float(values["容量"]) <= 26800,
    }


_ONCE = shared.battery("单次续航", 4, 6, 7, 8, 9, 10)
_TOTAL = number(
    "总续航", "总续航", "小时", (20, 24, 28, 32, 36, 40), "{it}配合充电仓能用{v}",
    ("{it}加上充电仓能用多久", "{it}总续航多久", "{it}连充电仓一共能用几个小时", "{it}带盒子总共能听多久"), ("总续航多久", "加充电仓多久", "连盒子能用多久"),
    topic="battery", wins="总续航更长", want="总续航{v}以上的",
)  # fmt: skip
_CAPACITY = number(
    "容量", "容量", "mAh", (5000, 10000, 15000, 20000, 26800, 40000), "{it}容量{v}",
    ("{it}多少毫安", "{it}容量多大", "{it}是多少毫安时的", "{it}有多少mAh", "{it}电量有多大"), ("多少毫安", "容量", "容量多大", "几毫安"),
    topic="battery", wins="容量更大", want="{v}以上的", check=Check("我出门两天要{n}的", "{it}够用吗", yes="够用的，{clause}。", no="不太够哦，{clause}。"),
)  # fmt: skip
_FULL = number(
    "充满时间", "充满时间", "小时", (2.5, 3.5, 4.5, 5, 5.5, 6), "{it}自己充满要{v}",
    ("{it}自己充满要多久", "{it}本身充满要几个小时", "{it}充满电要多长时间", "{it}多久能充满"), ("多久充满", "充满要多久", "几小时充满"),
    topic="battery", wins="自身充电更快", lower_wins=True,
)  # fmt: skip
_HEFT = shared.weight("克", 180, 210, 345, 420, 480, 690)

EARBUDS = Category(
    name="earbuds",
    noun="蓝牙耳机",
    one="一副蓝牙耳机",
    plural="蓝牙耳机",
    forms=("回声", "鹿鸣", "律动", "知音", "星澜", "云雀", "弦月", "鲸歌"),
    colors=("黑色", "白色", "深蓝色", "樱花粉"),
    prices=(79, 899),
    attributes=(
        _ONCE,
        _TOTAL,
        yes_no(
            "主动降噪", "{it}有主动降噪", "{it}没有主动降噪",
            ("{it}有降噪吗", "{it}能主动降噪吗", "{it}带ANC吗", "{it}坐地铁能降噪吗", "{it}是主动降噪的吗"), ("有降噪吗", "能降噪吗", "带ANC吗", "主动降噪吗"),
            topic="sound", also=("支持主动降噪", "带主动降噪", "能降噪", "有降噪", "有ANC", "ANC降噪"),
            also_no=("不支持主动降噪", "不带主动降噪", "不能降噪", "没有降噪", "没有ANC"), want="有主动降噪的",
        ),
        choice(
            "防水等级", "防水等级", ("IPX4", "IPX5", "IPX7", "IP55"), "{it}防水等级是{v}",
            ("{it}防水是什么等级", "{it}防水等级多少", "{it}跑步出汗怕吗，防水几级", "{it}防水几级的", "{it}防汗吗，什么级别"), ("防水等级", "防水几级", "防水吗，几级"),
            topic="body", want="{v}防水的",
        ),
        choice(
            "蓝牙版本", "蓝牙版本", ("5.2", "5.3", "5.4"), "{it}是蓝牙{v}",
            ("{it}蓝牙几点几的", "{it}是什么蓝牙版本", "{it}蓝牙版本多少", "{it}用的是蓝牙几"), ("蓝牙几", "蓝牙版本", "蓝牙几点几"),
            topic="sound", accept={v: (f"蓝牙{v}",) for v in ("5.2", "5.3", "5.4")},
        ),
        choice(
            "充电口", "充电口", ("Type-C", "闪电口"), "{it}充电口是{v}",
            ("{it}是什么充电口", "{it}是Type-C的吗", "{it}用什么线充", "{it}充电口是苹果的还是安卓的", "{it}充电用哪种线"), ("什么充电口", "Type-C吗", "用什么线充"),
            topic="battery", want="{v}充电的", accept={"Type-C": ("USB-C", "C口"), "闪电口": ("Lightning", "苹果口")},
        ),
        shared.weight("克", 3.6, 3.9, 4.2, 4.5, 4.8, 5.6),
        _device("苹果手机", "我用的苹果14", "我是苹果的"),
        _device("安卓手机", "我用的小米，安卓的", "我是华为手机，安卓"),
        _device("Switch", "我主要连Switch打游戏", "给儿子配Switch用的"),
        shared.warranty("个月", 12, 18, 24),
    ),
    faqs=(
        Faq(("能同时连两个手机吗", "可以连两台设备吗", "能一边连电脑一边连手机吗"),
            "可以同时连两台设备。", "同时连两台", ("连两台", "两台设备", "连两个")),
        Faq(("耳帽有几种大小", "耳塞套有小号的吗", "送几副耳帽", "耳朵小有合适的耳帽吗"),
            "盒里配大中小三副耳帽。", "三副耳帽", ("三副", "3副", "三种尺寸")),
    ),
    reviews=("跑步甩不掉，戴着很稳。", "通话清楚，触摸要适应一下。", "这个价位低音算很足了。"),
    unlisted=("{it}戴久了耳朵疼吗", "{it}漏音吗", "{it}丢了一只能单配吗", "{it}能戴着游泳吗", "{it}打游戏延迟高吗"),
    gifts=("硅胶保护套", "收纳小包", "备用耳帽"),
    agree=_earbuds,
)  # fmt: skip

POWER_BANK = Category(
    name="power_bank",
    noun="充电宝",
    one="一个充电宝",
    plural="充电宝",
    forms=("磐石", "小钢炮", "远行", "满格", "方糖", "羽毛", "雷霆", "骆驼"),
    colors=("黑色", "白色", "浅蓝色"),
    prices=(49, 299),
    attributes=(
        _CAPACITY,
        number(
            "最大输出", "最大输出", "W", (18, 20, 22.5, 30, 45, 65, 100), "{it}最大输出{v}",
            ("{it}支持多少瓦快充", "{it}快充多少瓦", "{it}最大输出多少瓦", "{it}充得快吗，多少瓦", "{it}PD多少瓦"), ("多少瓦", "快充多少瓦", "几瓦快充"),
            topic="power", wins="充得更快", want="{v}以上快充的",
        ),
        number(
            "接口数", "接口数", "个", (1, 2, 3, 4), "{it}有{v}接口",
            ("{it}有几个口", "{it}有几个接口", "{it}能同时充几个", "{it}一共多少个插口"), ("几个口", "几个接口", "能充几个"),
            topic="power", wins="接口更多", want="有{v}以上接口的",
        ),
        _device("苹果手机", "我用的苹果15", "我是苹果手机", verb="充"),
        _device("华为手机", "我用的华为", "我妈是华为手机", verb="充"),
        _device("MacBook", "我想充MacBook", "我用的MacBook", verb="充"),
        yes_no(
            "上飞机", "{it}能上飞机", "{it}不能上飞机",
            ("{it}能上飞机吗", "{it}能带上飞机吗", "坐飞机能带{it}吗", "{it}过安检没问题吧", "{it}可以带上飞机吗"), ("能上飞机吗", "能带上飞机吗", "飞机能带吗"),
            topic="travel", also=("可以上飞机", "能带上飞机", "可以带上飞机"), also_no=("不可以上飞机", "不能带上飞机", "不可以带上飞机"),
            want="能上飞机的",
        ),
        yes_no(
            "自带线", "{it}自带线", "{it}不带线",
            ("{it}自带线吗", "{it}带线吗", "{it}有自带的线吗", "{it}是自带线的吗"), ("自带线吗", "带线吗"),
            topic="travel", also=("有自带线", "带线"), also_no=("没有自带线", "不自带线"), want="自带线的", values=(True, False),
        ),
        _FULL,
        _HEFT,
        shared.warranty("个月", 12, 18, 24),
    ),
    faqs=(
        Faq(("能边充边用吗", "充着电还能给手机充吗", "可以一边充它一边充手机吗"),
            "支持边充边放，所有接口都行。", "支持边充边放", ("边充边放", "边充边用", "可以边充")),
        Faq(("长期不用要充电吗", "放着不用多久充一次", "不用的时候要充满放吗"),
            "长期不用的话，每三个月充一次电。", "每三个月", ("三个月", "3个月")),
    ),
    reviews=("看演唱会全靠它救命。", "用着有点温，正常的。", "塞外套口袋刚好。"),
    unlisted=("{it}能给汽车打火吗", "{it}东北零下三十度能用吗", "{it}里面是什么电芯", "{it}鼓包了怎么办", "{it}能充电动车吗"),
    gifts=("编织数据线", "网纱收纳袋", "理线器"),
    agree=_power_bank,
)  # fmt: skip

OFFICE_CHAIR = Category(
    name="office_chair",
    noun="办公椅",
    one="一把办公椅",
    plural="办公椅",
    forms=("青松", "云峰", "舒云", "山岚", "领航", "泊岸", "木槿", "逸居"),
    colors=("黑色", "灰色", "墨绿色"),
    prices=(269, 1999),
    attributes=(
        number(
            "承重", "承重", "kg", (100, 120, 130, 136, 150, 160), "{it}最大承重{v}",
            ("{it}能承重多少", "{it}最多能坐多重的人", "{it}承重多少公斤", "{it}最大承重是多少", "{it}能承多少斤"), ("承重多少", "承重", "能坐多重的人"),
            topic="body", wins="承重更大", want="能承重{v}的", check=Check("我体重{n}", "{it}坐着没问题吧", yes="没问题，{clause}。", no="不太行哦，{clause}。"),
        ),
        number(
            "最高座高", "最高座高", "cm", (48, 50, 52, 54, 56, 58), "{it}座位最高能升到{v}",
            ("{it}座位最高能升到多少", "{it}最高能升多高", "{it}坐垫离地最高多少厘米", "{it}座高最高是多少"), ("最高能升多高", "座高多少", "能升多高"),
            topic="body", wins="能升得更高",
        ),
        shared.material("椅面", "网布", "皮革", "棉麻", alone=False),
        choice(
            "扶手", "扶手", ("固定扶手", "2D扶手", "3D扶手", "4D扶手"), "{it}是{v}",
            ("{it}扶手能调吗，是几D的", "{it}的扶手是什么样的", "{it}是几D扶手", "{it}扶手是固定的吗"), ("扶手能调吗", "几D扶手", "什么扶手"),
            topic="comfort", want="{v}的",
        ),
        yes_no(
            "头枕", "{it}有头枕", "{it}没有头枕",
            ("{it}有头枕吗", "{it}带头枕吗", "{it}头能靠吗，有没有头枕", "{it}配不配头枕"), ("有头枕吗", "带头枕吗", "头枕有没有"),
            topic="comfort", also=("带头枕", "配头枕"), also_no=("不带头枕", "不配头枕"), want="有头枕的", values=(True, False),
        ),
        yes_no(
            "腰托调节", "{it}能调腰托", "{it}不能调腰托",
            ("{it}的腰托能调吗", "{it}腰托可以调吗", "{it}腰部支撑能调吗", "{it}能调腰托吗"), ("腰托能调吗", "腰能调吗", "腰托可调吗"),
            topic="comfort", also=("可以调腰托", "可调腰托"), also_no=("不可以调腰托", "没法调腰托"), want="腰托能调的",
        ),
        yes_no(
            "脚托", "{it}有脚托", "{it}没有脚托",
            ("{it}有脚托吗", "{it}午睡能搁脚吗", "{it}带脚托吗", "{it}有没有放脚的"), ("有脚托吗", "带脚托吗", "能搁脚吗"),
            topic="comfort", also=("带脚托", "配脚托"), also_no=("不带脚托", "不配脚托"), want="有脚托的", values=(True, False),
        ),
        number(
            "后仰角度", "后仰角度", "度", (105, 110, 125, 135, 145, 155), "{it}最多能后仰{v}",
            ("{it}能后仰多少度", "{it}最多能躺到多少度", "{it}后仰角度多大", "{it}能躺平吗，多少度"), ("能躺多少度", "后仰多少度", "能躺吗"),
            topic="comfort", wins="躺得更平", want="能后仰{v}的",
        ),
        number(
            "安装时间", "安装时间", "分钟", (10, 15, 20, 30, 45), "{it}装好要{v}",
            ("{it}装起来要多久", "{it}好装吗，要多长时间", "{it}自己装要几分钟", "{it}安装麻烦吗，多久能装好"), ("好装吗", "安装要多久", "多久装好"),
            topic="service", wins="装起来更快", lower_wins=True,
        ),
        shared.weight("kg", 12.5, 14, 16.5, 18, 21),
        shared.warranty("年", 1, 2, 3, 5),
    ),
    faqs=(
        Faq(("会不会刮花木地板", "轮子伤地板吗", "木地板上能用吗", "轮子会不会划地板"),
            "轮子外面包了软胶，不伤木地板。", "不伤木地板", ("不伤地板", "不会刮花地板", "不刮地板", "不划地板")),
        Faq(("坐垫脏了怎么洗", "椅子怎么清洁", "脏了怎么擦"),
            "用湿布沾点中性洗涤剂擦就行。", "湿布", ("湿毛巾", "湿抹布")),
    ),
    reviews=("坐一天腰舒服多了。", "刚坐有点硬，习惯了就好。", "底盘扎实，滑起来没声音。"),
    unlisted=("腰间盘突出能坐{it}吗", "{it}坐久了会塌吗", "{it}有甲醛味吗", "{it}过一年会吱吱响吗", "{it}夏天坐着热不热"),
    gifts=("地垫", "坐垫", "备用轮子一套"),
)  # fmt: skip
