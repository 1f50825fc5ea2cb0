"""How Chinese comments look when they are typed in a hurry: sound-alikes, marks, width, pinyin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.language import Slip, always, drawn

_SOUND_ALIKE: Final = (
    ("吗", "嘛"), ("吗", "么"), ("吗", "马"), ("现在", "现再"), ("券", "卷"), ("链接", "连接"), ("充电", "冲电"), ("充一次", "冲一次"), ("噪音", "躁音"),
    ("适合", "试合"), ("需要", "须要"), ("可以", "可已"), ("尺码", "尺吗"), ("价格", "价各"), ("怎么", "怎吗"), ("什么", "甚么"), ("退货", "退或"),
    ("有货", "有或"), ("质保", "质宝"), ("保修", "保休"), ("颜色", "颜涩"), ("材质", "才质"), ("运费", "运废"), ("包邮", "包油"), ("多久", "多就"),
    ("主播", "主拨"), ("防水", "访水"), ("支持", "支特"), ("优惠", "优会"), ("赠品", "增品"),
    ("重量", "重亮"), ("容量", "容亮"), ("续航", "续行"), ("推荐", "推见"), ("房间", "房见"), ("合适", "合是"), ("还有", "还又"),
    ("喜欢", "喜换"), ("直播", "直拨"), ("评分", "平分"), ("时候", "时侯"), ("觉得", "觉的"), ("已经", "以经"), ("的话", "得话"), ("声音", "生音"),
)  # fmt: skip
_CHAT: Final = (
    ("什么", "啥"), ("什么", "神马"), ("怎么", "咋"), ("怎么", "肿么"), ("没有", "木有"), ("这个", "介个"), ("可以", "阔以"), ("多少钱", "多钱"), ("主播", "zb"),
    ("知道", "造"), ("这样", "酱"), ("不好意思", "dbq"), ("谢谢", "蟹蟹"), ("有没有", "有木有"), ("喜欢", "稀饭"),
)  # fmt: skip
_PINYIN: Final = (
    ("多少钱", "多shao钱"), ("多少钱", "多少qian"), ("颜色", "颜se"), ("价格", "jia格"), ("有货", "有huo"), ("尺码", "chi码"), ("包邮", "bao邮"), ("优惠", "优hui"),
    ("质保", "质bao"), ("保修", "bao修"), ("怎么", "zen么"), ("可以", "keyi"), ("这个", "zhe个"), ("这款", "这kuan"), ("什么", "shen么"), ("几天", "ji天"),
    ("多久", "duo久"), ("退货", "tui货"), ("赠品", "zeng品"), ("防水", "fang水"), ("重量", "zhong量"), ("还有", "hai有"), ("适合", "shi合"), ("噪音", "zao音"),
)  # fmt: skip
_HALF: Final = str.maketrans("？，。！：", "?,.!:")
_ENDS: Final = ("？？", "？？？", "??", "???", "?!", "。。", "…", "~", " ?", "？~", "!!")


def careless(text: str) -> str:
    """No mark at the end, or one too many."""
    bare = text.rstrip("？")
    return bare if bare != text else f"{text}。。"


def _no_mark(text: str) -> str:
    return text.rstrip("？")


def _half_width(text: str) -> str:
    return text.translate(_HALF)


def _spaces(text: str) -> str:
    """Spaces in the place of commas."""
    return text.replace("，", " ")


def _other_marks(text: str, draw: Draw) -> str:
    return text.rstrip("？") + draw.pick(_ENDS)


def _from(pairs: Sequence[tuple[str, str]]) -> Slip:
    """The slip that writes one of the first words as the second, outside of names."""

    def slip(text: str, draw: Draw, protected: frozenset[str]) -> str:
        fitting = [
            (word, other)
            for word, other in pairs
            if word in text and not any(word in name for name in protected)
        ]
        if not fitting:
            return text
        word, other = draw.pick(fitting)
        return text.replace(word, other, 1)

    return slip


SLIPS: Final[tuple[Slip, ...]] = (
    always(_no_mark), always(_no_mark), always(_no_mark), always(_half_width), always(_spaces),
    drawn(_other_marks), _from(_SOUND_ALIKE), _from(_SOUND_ALIKE), _from(_CHAT), _from(_PINYIN),
)  # fmt: skip
