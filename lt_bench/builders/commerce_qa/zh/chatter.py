"""What else is said in a Chinese live room: the host showing goods, other viewers, names."""

from __future__ import annotations

from typing import Final

CHATTER: Final[dict[str, tuple[str, ...]]] = {
    "host.opening": (
        "家人们晚上好，欢迎来到直播间。", "宝宝们来了扣个1，让我看看人多不多。", "新进来的宝宝点点关注，别走丢了。", "感谢大家的小心心，谢谢谢谢。",
        "想看哪个直接报号，主播给你们讲。", "来来来，今天福利很足，慢慢看。", "刚进来的家人别着急，咱们一个一个说。", "声音清楚吗，清楚的扣1。",
        "咱们公屏聊起来，有问题随时问。", "老粉都到了吧，新粉也坐好。",
    ),
    "host.show": (
        "来，看{slot}号，{brand}{form}。", "宝宝们，现在手上这个是{slot}号，{brand}{form}{noun}。", "{slot}号给大家上一下，{brand}{form}，看清楚了。",
        "来，上{slot}号链接，{brand}{form}。", "好多家人要看的{slot}号，{brand}{form}{noun}，来了。", "这一款是{slot}号，{brand}{form}，喜欢的扣1。",
        "家人们看我手上，{slot}号，{brand}{form}。", "接下来讲{slot}号，{brand}{form}{noun}。", "镜头近一点，这是{slot}号链接的{brand}{form}。",
        "咱们看{slot}号哈，{brand}家的{form}。",
    ),
    "host.shift": (
        "好，这个先放一边，咱们看{slot}号，{brand}{form}。", "下一个，上{slot}号链接，{brand}{form}。", "刚才那款讲完了，现在换{slot}号，{brand}{form}{noun}。",
        "来，换一个，{slot}号，{brand}{form}。", "好多人催{slot}号，那咱们先讲{slot}号，{brand}{form}。", "这款过了哈，接着看{slot}号，{brand}{form}。",
    ),
    "host.back": (
        "好，回到{slot}号，{brand}{form}。", "咱们继续看手上的{slot}号，{brand}{form}。", "接着讲{slot}号哈，{brand}{form}。", "来，继续说{slot}号，{brand}{form}。",
    ),
    "host.to_other": ("{clause}。", "{clause}哈。", "亲，{clause}。", "看到了，{clause}。", "回一下刚才那位，{clause}。", "这位宝宝，{clause}哦。"),
    "viewer.small": (
        "1", "111", "666", "扣1", "1111111", "来了", "来啦来啦", "哈哈哈", "好看", "❤️❤️", "😍", "已拍", "拍了拍了", "主播好漂亮", "声音小了", "卡了",
        "转过来看看", "新来的", "关注了", "想要", "先收藏", "求上链接", "链接呢", "太贵了吧", "支持主播", "晚上好", "抢到了", "没抢到", "👍👍👍", "🔥🔥🔥",
        "第一", "好喜欢", "yyds", "绝绝子", "再讲一遍", "怎么领福袋", "打卡", "灯光有点暗", "刚收到，挺好", "我也买了", "666666", "回购了", "老粉报到",
        "今天人好多", "上班摸鱼中", "[玫瑰][玫瑰]", "2", "zb看看我", "姐妹们冲", "等一个补货",
    ),
    "viewer.price": ("{slot}号多少钱", "{slot}号价格？", "{slot}号怎么卖", "{brand}那款多少钱", "{brand}{form}什么价", "{spelled}号多少钱呀"),
    "viewer.stock": ("{slot}号还有吗", "{slot}号有货没", "{brand}那款还有吗", "{slot}号卖完了吗", "{brand}{form}还能拍吗"),
    "viewer.look": (
        "{slot}号", "{slot}号讲一下", "看看{slot}号", "想要{slot}号", "{slot}号链接", "上{slot}号", "{spelled}号再看一眼", "主播试试{slot}号", "等{brand}那款",
    ),
    "names.viewer": (
        "小鱼儿", "momo", "阿杰", "喵喵酱", "一只柚子", "吃瓜群众", "山里的风", "今天早睡", "果果妈", "大卫", "橘子汽水", "老王", "Lily爱吃糖", "晚风", "豆豆",
        "星星点灯", "小鹿乱撞", "阿琴", "东北大哥", "芝士奶盖", "茶茶", "木子", "Coco", "可乐加冰", "小太阳", "糯米团子", "阿强", "林林", "海边的猫", "乐乐妈妈",
        "小满", "Vivian", "隔壁老李", "困困", "土豆泥", "安安", "桃子", "二狗", "清欢", "薄荷糖", "周末去哪", "Jason", "胖虎", "琪琪", "四月", "阿福",
        "花卷", "南方姑娘", "小北", "雨天晴",
    ),
    "names.host": ("小鹿", "大鹏", "阿宁", "晓雯", "南南", "老周", "乐乐", "糖糖", "阿May", "安琪", "小秋", "子豪"),
    "place.away": (
        "日本", "韩国", "美国", "加拿大", "澳洲", "新加坡", "马来西亚", "英国", "新疆", "西藏", "香港", "澳门", "台湾", "内蒙古", "青海",
    ),
    "coupon.name": ("宠粉{percent}", "直播{percent}", "开播{percent}", "福利{percent}", "暖心{percent}", "家人{percent}", "尝鲜{percent}", "惊喜{percent}"),
    "two_pack": ("两件装",),
    "unit.days": ("天",),
    "document.faq": ("{plural}常见问题",),
    "document.review": ("{short}的买家评价",),
    "document.policy": ("本店发货与退货说明",),
    "document.faq_text": ("问：{ask}答：{answer}",),
    "document.review_text": ("{stars}星。{text}",),
    "document.policy_text": (
        "下单后一个工作日内发货，{low}到{high}天送达，预售款以商品页的天数为准，可发{places}。未使用的商品{days}天内可以退货，退货运费{postage}。",
    ),
    "postage.FreeReturn": ("由商家承担",),
    "postage.ReturnFeesCustomerResponsibility": ("由买家承担",),
}  # fmt: skip
