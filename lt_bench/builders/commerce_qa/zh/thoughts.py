"""How a host thinks in Chinese before answering: see `trace`."""

from __future__ import annotations

from typing import Final

THOUGHTS: Final[dict[str, tuple[str, ...]]] = {
    "think.lead": ("{viewer}先说了一句：“{lead}”。", "提问之前，{viewer}还发过一条：“{lead}”。"),
    "think.asks": ("{viewer}问：“{question}”", "要回答的是{viewer}的弹幕：“{question}”", "现在{viewer}发的是：“{question}”"),
    "think.meant.shown": ("没有点名商品，说的就是正在展示的{slot}，{short}。", "指的是我手上这款，{slot}，{short}。"),
    "think.meant.previous": ("不是现在展示的这款，而是前面那款：{slot}，{short}。", "说的是刚才展示过的{slot}，{short}。"),
    "think.meant.slot": ("看编号就知道是哪款：{slot}是{short}。", "{slot}，也就是{short}。"),
    "think.meant.name": ("看名字就知道是哪款：{short}是{slot}。", "{short}，也就是{slot}。"),
    "think.resolved": ("完整的问题是：{resolved}", "补全之后就是：{resolved}", "换句话说：{resolved}"),
    "think.sheet.asked": ("{name}的资料是要用的。", "问的就是{name}，得看它的资料。", "逐行看一遍{name}的资料。"),
    "think.sheet.other": (
        "还有{name}：{clause}，但问的不是它。", "{name}是另一款，{clause}，跟要回答的这款无关。", "{name}的资料里写着{clause}，不能弄混。",
    ),
    "think.sheet.beside": ("{name}也要看一下。", "另外还有{name}的资料。", "下一份资料：{name}。"),
    "think.paper.found": ("《{title}》里正好有这一条。", "答案在《{title}》里。"),
    "think.paper.beside": ("《{title}》也检索到了，但回答不了这个问题。", "《{title}》对这个问题没有帮助。"),
    "think.paper.near": ("《{title}》也讲到这一点，跟商品资料一致。",),
    "think.size": ("尺码表里{size}码是：{ranges}。", "对照尺码表，{size}对应{ranges}。"),
    "think.found": ("根据资料可以说：{answer}", "所以答案是：{answer}", "这样就有了：{answer}"),
    "think.check.full": ("问的都答到了吗？都答到了，每一句资料里都有。", "再跟资料核对一遍，确实是这样写的。"),
    "think.check.partial": ("只能回答一部分，另一部分资料里没有，要如实说。",),
    "think.check.none": ("把所有资料再看一遍，没有哪一份写了这款的这一点，别款的数据不能拿来用。", "资料里都没有写。与其猜，不如直接说不知道。"),
    "think.check.no_slot": ("这里没有哪款商品是这个编号，所以没什么可说的。",),
    "think.check.wrong_premise": ("观众以为的和资料不一样，不能顺着说，要纠正过来。", "这条弹幕的前提不成立，回复里要说明白。"),
    "think.check.off_topic": ("这跟商品没有关系，资料里也没有。",),
    "think.check.comparison": ("两个数据都要用到，一共{n}条。再比一遍，结果没错。",),
    "think.check.recommendation": ("把每份资料都跟要求对一遍，只有这一款全都满足。",),
    "think.extra": ("还有一点没问到但有用：{extra}。", "可以补充一条资料里有的：{extra}。", "为了更有帮助，可以再说一句：{extra}。"),
    "think.close": ("回复是要说出来的，简短一点。", "两句话就够了。", "下面简短地说。"),
    "think.short.full": ("{answer}",),
    "think.short.partial": ("{answer}",),
    "think.short.none": ("资料里没有。",),
    "think.short.no_slot": ("没有这个编号的商品。",),
    "think.short.wrong_premise": ("前提不对。{answer}",),
    "think.short.off_topic": ("跟商品无关。",),
    "think.short.comparison": ("{answer}",),
    "think.short.recommendation": ("{answer}",),
    "think.short.extra": ("补充：{extra}。", "再加一条：{extra}。"),
}  # fmt: skip
