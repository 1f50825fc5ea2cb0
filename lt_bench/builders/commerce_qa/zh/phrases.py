"""How Chinese-speaking viewers ask. {it} is a product, {other} a second one; no closing mark.

`ask.*` are sentences, `short.*` bare words after "this is what we are looking at", `mixed.*`
switch to English, `ref.*` are ways to point at a product, `lead.*` is what is typed first.
A bare number keeps a space behind it, so that it does not run into the next one.
"""

from __future__ import annotations

from typing import Final

_PRICE: Final = (
    "{it}多少钱", "{it}怎么卖", "{it}什么价格", "{it}价格多少", "{it}要多少钱", "{it}现在多少钱", "{it}直播间多少钱", "{it}今天什么价", "{it}再报一下价|{it}什么价格",
    "刚才没听清，{it}多少钱|{it}多少钱", "{it}卖多少", "{it}多少米|{it}多少钱", "{it}价格再说一遍|{it}价格多少", "{it}贵不贵，多少钱", "{it}啥价", "{it}怎么卖的呀", "{it}报个价|{it}什么价格",
    "{it}今天直播间卖多少", "拍{it}要多少钱",
)  # fmt: skip

PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "ask.price": _PRICE,
    "short.price": (
        "多少|{it}多少|{it}多少钱", "价钱", "咋卖", "多少钱", "怎么卖", "价格", "什么价", "多少米|{it}多少米|{it}多少钱", "啥价", "价格多少", "多少钱呀", "多钱", "报个价", "价格再说下", "几钱", "怎么卖的", "现在什么价",
        "今天多少钱", "贵吗，多少钱", "价格价格", "没听清多少钱|{it}，没听清多少钱|{it}多少钱", "卖多少", "多少钱来着|{it}多少钱来着|{it}多少钱", "什么价位",
    ),
    "mixed.price": (
        "{it} price多少", "{it}的price是多少", "how much {it}", "{it} how much", "{it}要多少money", "{it}的price怎么说",
    ),
    "ask.coupon": (
        "{it}有优惠券吗", "{it}有没有优惠", "{it}有券吗", "{it}领什么券", "{it}用哪张券", "{it}的优惠券是哪张", "{it}能便宜点吗，有券没", "{it}今天有活动吗，领哪张券",
        "拍{it}领哪张券", "{it}有没有券可以用", "{it}有折扣吗，用什么券",
    ),
    "short.coupon": (
        "有券没", "有券吗", "有优惠吗", "优惠券", "领哪张券", "有折扣吗", "能便宜点吗", "有活动吗", "什么券", "有没有券", "券呢", "有优惠券没", "能用券吗",
    ),
    "mixed.coupon": ("{it}有coupon吗|{it}有优惠券吗", "{it}有没有discount|{it}有没有折扣", "{it} coupon用哪个|{it}用哪张优惠券", "{it}有没有promo code|{it}有没有优惠码"),
    "ask.coupon_price": (
        "{it}券后多少钱", "{it}用完券多少钱", "{it}到手价多少", "{it}领券后多少", "{it}折后多少钱", "{it}最后到手多少钱", "{it}用券下来多少", "领了券{it}多少钱",
    ),
    "short.coupon_price": ("券后多少", "到手价", "折后多少钱", "券后价", "到手多少钱", "用券多少钱", "领完券多少", "券后多少米|{it}券后多少米|{it}券后多少钱", "到手价多少"),
    "mixed.coupon_price": ("{it}用coupon以后多少钱|{it}用优惠券以后多少钱", "{it}券后price多少|{it}券后价格多少"),
    "ask.coupon_until": (
        "{it}的券用到什么时候", "{it}的优惠到几号", "{it}的券几号过期", "{it}的券有效期到哪天", "{it}的券能用到几号", "{it}的优惠哪天结束",
        "{it}的优惠券最晚哪天用",
    ),
    "short.coupon_until": ("券到几号", "优惠到什么时候", "优惠到哪天", "券几号过期", "券有效期", "券最晚哪天用"),
    "mixed.coupon_until": ("{it}的coupon到几号|{it}的优惠券到几号", "{it}的coupon什么时候过期|{it}的优惠券什么时候过期", "{it}券的deadline是哪天|{it}的券最晚哪天用"),
    "ask.stock": (
        "{it}有货吗", "{it}还有吗", "{it}还有货吗", "{it}卖完了吗", "{it}有现货吗", "{it}还能拍吗", "{it}是不是没了", "{it}补货了吗", "{it}能下单吗", "{it}抢完没",
        "{it}现在还能买到吗", "{it}还有没有",
    ),
    "short.stock": (
        "有吗", "有没", "有货吗", "还有吗", "现货吗", "还有货不", "卖完了吗", "有没有货", "还能拍吗", "没了吗", "有现货没", "能拍吗", "补货了吗", "还有没有", "有货没",
    ),
    "mixed.stock": ("{it} in stock吗|{it}有货吗", "{it}还有stock吗|{it}还有货吗", "{it} sold out了吗|{it}卖完了吗", "{it} available吗|{it}有货吗"),
    "ask.left": ("{it}还剩几件", "{it}还有多少件", "{it}库存还有多少", "{it}还剩多少", "{it}还能抢几件", "{it}库存还有几件"),
    "short.left": ("还剩多少", "还有几件", "剩几件", "库存多少", "还剩几件", "库存还有多少"),
    "mixed.left": ("{it} stock还有多少|{it}库存还有多少", "{it}还left几件|{it}还剩几件"),
    "ask.variant": (
        "{it}{variant}有吗", "{it}有{variant}吗", "{it}的{variant}还有货吗", "{it}{variant}的还有没", "{it}有没有{variant}的", "想要{it}{variant}的，有吗",
        "{it}{variant}还能拍吗", "{it}{variant}有现货吗",
    ),
    "short.variant": (
        "{variant}呢", "{variant}有没", "{variant}有吗", "有{variant}吗", "{variant}", "{variant}还有吗", "{variant}有货吗", "有没有{variant}", "{variant}的还有没", "{variant}还能拍吗",
    ),
    "mixed.variant": ("{it}{variant} available吗|{it}{variant}有货吗", "{it}{variant}有stock吗|{it}{variant}有货吗", "{it}{variant} in stock吗|{it}{variant}有货吗"),
    "ask.shipping_time": (
        "{it}几天能到", "{it}多久能到", "{it}现在下单什么时候到", "{it}要等几天", "{it}拍了几天到", "{it}快递几天", "{it}下单几天能到", "{it}多久能收到",
        "今天拍{it}哪天到",
    ),
    "short.shipping_time": ("几天", "多久", "几天到", "多久到", "几天能到", "什么时候到", "快递几天", "要几天", "多久能收到", "多久能到货", "几天收到"),
    "mixed.shipping_time": ("{it} delivery要几天|{it}快递要几天", "{it} shipping多久|{it}快递多久", "{it}几天arrive|{it}几天能到"),
    "ask.shipping_cost": (
        "{it}包邮吗", "{it}运费多少", "{it}要运费吗", "{it}免不免运费", "{it}快递费多少", "{it}邮费多少钱", "{it}包不包邮", "{it}邮费另算吗",
    ),
    "short.shipping_cost": ("包邮吗", "运费多少", "包不包邮", "邮费", "要邮费吗", "快递费多少", "免运费吗", "包邮不", "运费呢"),
    "mixed.shipping_cost": ("{it} free shipping吗|{it}包邮吗", "{it} shipping fee多少|{it}运费多少", "{it} shipping要钱吗|{it}运费要钱吗"),
    "ask.ship_to": (
        "{it}发{place}吗", "{it}能发{place}吗", "{it}{place}能寄吗", "我在{place}，{it}能发吗", "{it}寄到{place}可以吗", "{it}发不发{place}", "{place}的能买{it}吗",
    ),
    "short.ship_to": ("发{place}吗", "{place}能发吗", "{place}发货吗", "{place}可以寄吗", "{place}能到吗", "{place}发不发", "寄{place}行吗", "能寄{place}吗"),
    "mixed.ship_to": ("{it}能ship到{place}吗|{it}能发到{place}吗", "{it} ship to {place}可以吗|{it}发{place}可以吗"),
    "ask.return_days": (
        "{it}能退吗", "{it}不喜欢可以退吗", "{it}几天内能退", "{it}几天无理由退货", "{it}不合适能退吗", "{it}退货期多久", "{it}收到不满意能退不",
    ),
    "short.return_days": ("可退吗", "能退么", "能退吗", "几天能退", "可以退货吗", "退货几天", "不喜欢能退吗", "不合适能退吗", "支持退货吗", "能退不", "多久内能退"),
    "mixed.return_days": ("{it}可以return吗|{it}可以退吗", "{it} return policy是什么|{it}怎么退货", "{it}能refund吗|{it}能退款吗"),
    "ask.return_cost": ("{it}退货运费谁出", "{it}退货要自己出运费吗", "{it}退的话邮费谁付", "{it}退回去要钱吗", "{it}退货免运费吗"),
    "short.return_cost": ("退货运费谁出", "退货包邮吗", "退货要运费吗", "退回去谁出邮费", "退货邮费谁付"),
    "mixed.return_cost": ("{it} return运费谁出|{it}退货运费谁出", "{it} return免费吗|{it}退货免费吗"),
    "ask.pack": (
        "{it}两件多少钱", "{it}拍两件多少钱", "{it}两件装怎么卖", "{it}买两份多少钱", "{it}一次拿两个什么价", "{it}两个一起多少钱",
    ),
    "short.pack": ("两件多少钱", "两个一起多少", "两件装价格", "拍两件什么价", "两份多少钱", "买两个多少钱", "两件怎么卖"),
    "mixed.pack": ("{it}买two个多少钱|{it}买两个多少钱", "{it}两件的price多少|{it}两件的价格多少", "{it} bundle price多少|{it}两件装多少钱"),
    "ask.gift": ("{it}有赠品吗", "{it}送什么", "买{it}送什么", "{it}有没有礼物", "拍{it}送啥", "{it}赠品是什么"),
    "short.gift": ("送啥呀", "送什么", "有赠品吗", "赠品是啥", "有礼物吗", "送啥", "有没有赠品", "送东西吗", "赠品"),
    "mixed.gift": ("{it}有gift吗|{it}有赠品吗", "{it} free gift是什么|{it}赠品是什么", "买{it}送gift吗|买{it}送赠品吗"),
    "ask.rating": ("{it}评分多少", "{it}好评多吗，几分", "{it}评价怎么样，多少分", "大家给{it}打几分", "{it}口碑好吗，评分多少"),
    "short.rating": ("评分多少", "评价怎么样", "多少分", "口碑怎么样", "评分"),
    "mixed.rating": ("{it} rating多少|{it}评分多少", "{it} review怎么样|{it}评价怎么样"),
    "ask.compare": (
        "{it}和{other}哪个{wins}", "{it}跟{other}比，哪个{wins}|{it}和{other}哪个{wins}", "{it}和{other}比谁{wins}|{it}和{other}哪个{wins}", "纠结{it}和{other}，哪个{wins}|{it}和{other}哪个{wins}",
        "{other}和{it}哪款{wins}", "{it}跟{other}哪个{wins}一点", "{it}、{other}，哪一款{wins}|{it}和{other}哪个{wins}", "比一下{it}和{other}，哪个{wins}|{it}和{other}哪个{wins}",
        "想要{wins}的，{it}和{other}选哪个|{it}和{other}哪个{wins}",
    ),
    "short.compare": (
        "{it}和{other}，哪个{wins}|{it}和{other}哪个{wins}", "{it} {other} 哪个{wins}|{it}和{other}哪个{wins}", "{it}、{other}哪个{wins}|{it}和{other}哪个{wins}", "哪个{wins}，{it}还是{other}|{it}和{other}哪个{wins}",
        "{it}跟{other}谁{wins}|{it}和{other}哪个{wins}",
    ),
    "mixed.compare": ("{it} or {other}，哪个{wins}|{it}和{other}哪个{wins}", "{it} vs {other}，哪个{wins}|{it}和{other}哪个{wins}"),
    "wins.price": ("更便宜", "价格更低", "更实惠"),
    "ask.size": (
        "{it}穿什么码", "{it}我穿多大的", "{it}选几码", "{it}拍什么码合适", "{it}要什么尺码", "{it}该拿多大码", "{it}推荐什么码", "{it}我拿多大码", "{it}买几码好",
    ),
    "short.size": ("穿什么码", "什么码", "拍几码", "多大码", "选多大", "穿多大", "拿什么码", "推荐下尺码", "穿几码", "几码合适", "要多大的"),
    "mixed.size": ("{it}什么size|{it}穿什么码", "{it} size怎么选|{it}尺码怎么选", "{it}穿what size|{it}穿什么码"),
    "ask.recommend": (
        "有没有{wishes}{noun}", "想要{wishes}，哪款|想要{wishes}{noun}，哪款合适", "推荐一款{wishes}{noun}|能推荐一款{wishes}{noun}吗", "{wishes}是几号|{wishes}{noun}是几号",
        "有{wishes}吗，几号|有{wishes}{noun}吗，几号", "求推荐{wishes}{noun}|能推荐一款{wishes}{noun}吗", "我妈想要一款{wishes}，选哪个|我妈想要一款{wishes}{noun}，选哪个",
        "哪款是{wishes}|哪款{noun}是{wishes}", "要买{wishes}{noun}，选哪个", "几号是{wishes}|几号是{wishes}{noun}", "帮我挑个{wishes}|能帮我挑个{wishes}{noun}吗",
        "送朋友，要{wishes}，推荐几号|送朋友要{wishes}{noun}，推荐几号",
    ),
    "short.recommend": ("{wishes}有吗|有没有{wishes}{noun}", "有{wishes}吗|有没有{wishes}{noun}", "要{wishes}|有没有{wishes}{noun}", "求{wishes}|有没有{wishes}{noun}", "{wishes}几号|有没有{wishes}{noun}", "哪款{wishes}|有没有{wishes}{noun}", "{wishes}推荐下|有没有{wishes}{noun}", "有没有{wishes}|有没有{wishes}{noun}"),
    "mixed.recommend": ("recommend一款{wishes}|能推荐一款{wishes}{noun}吗", "want一个{wishes}，哪款|有没有{wishes}{noun}", "{wishes}有没有，which one|有没有{wishes}{noun}"),
    "and.wishes": ("、",),
    "wish.budget": ("{money}以内的", "{money}以下的", "不超过{money}的"),
    "ask.none_cheaper": (
        "有没有{money}以内的{noun}", "有{money}以内的吗|有没有{money}以内的{noun}", "{money}以下的有没有|有没有{money}以下的{noun}", "预算{money}，能买哪款|预算{money}，能买哪款{noun}",
        "不超过{money}的是哪款|不超过{money}的{noun}是哪款", "{money}以内的是几号|{money}以内的{noun}是几号", "只有{money}预算，买哪个|只有{money}预算，买哪款{noun}",
    ),
    "short.none_cheaper": ("{money}以内有吗|有没有{money}以内的{noun}", "{money}以下的有吗|有没有{money}以内的{noun}", "{money}以内的|有没有{money}以内的{noun}", "有{money}内的吗|有没有{money}以内的{noun}", "预算{money}|预算{money}，能买哪款{noun}", "{money}能买哪个|{money}能买哪款{noun}"),
    "ask.lineup": (
        "有没有{wish}{noun}", "{wish}是几号|{wish}{noun}是几号", "想要{wish}，哪款|想要{wish}{noun}，哪款是", "哪款是{wish}|哪款{noun}是{wish}",
        "我要{wish}，几号链接|{wish}{noun}是几号链接", "{wish}上一下链接|能上一下{wish}{noun}的链接吗", "给我个{wish}{noun}|有没有{wish}{noun}", "{wish}是哪个链接|{wish}{noun}是哪个链接",
    ),
    "short.lineup": ("{wish}有吗|有没有{wish}{noun}", "有{wish}吗|有没有{wish}{noun}", "要{wish}|有没有{wish}{noun}", "有没有{wish}|有没有{wish}{noun}", "{wish}几号|{wish}{noun}是几号", "{wish}哪款|{wish}{noun}是哪款", "求{wish}链接|{wish}{noun}是哪个链接"),
    "ask.claim": (
        "{claim}对吧", "{claim}是吧", "听说{claim}，真的吗", "刚才说{claim}对不对|{claim}对不对", "{claim}那我直接拍了|{claim}，我直接拍可以吗", "不是说{claim}吗",
        "既然{claim}，我就下单了|{claim}对吧", "朋友说{claim}，对吗",
    ),
    "short.claim": ("{claim}吧", "{claim}对吧", "{claim}是吧", "{claim}没错吧", "{claim}对不"),
    "ask.price_claim": (
        "{it}是{money}对吧", "{it}只要{money}是吗", "刚说{it}是{money}吧|{it}是{money}吧", "{it}{money}我拍了哈|{it}是{money}对吧", "看别人说{it}{money}，现在还是吗", "{it}不是{money}吗",
    ),
    "short.price_claim": ("{money}是吧", "只要{money}对吧", "是{money}不", "还是{money}吗", "{money}对吗", "{money}没错吧", "不是{money}吗"),
    "ask.coupon_claim": ("{it}打{off}是吧", "{it}用{code}打{off}对吧", "{it}那张{off}的券还能用吗", "{it}怎么领{off}的券", "不是说{it}{off}吗"),
    "short.coupon_claim": ("{off}对吧", "打{off}是吧", "还打{off}吗", "{code}是{off}吧|{it}{code}是{off}吧|{it}的{code}是{off}吧", "{off}的券还有吗|{it}{off}的券还有吗|{it}{off}的券还有吗"),
    "ask.both": ("{first}，{second}", "{first}，还有{second}", "{first}？{second}", "{first} {second}", "{first}，再问下{second}"),
    "short.both": ("{first}，{second}", "{first} {second}", "{first}？{second}", "{first}，还有{second}", "{second}，{first}"),
    "short.with": ("{it}{text}", "{it}{text}", "{it}{text}", "{it} {text}", "{it}，{text}"),
    "ask.with": ("{it}，{text}", "{it} {text}", "问下{it}，{text}"),
    "join.lead": ("{lead}，{text}", "{lead} {text}", "{lead}，{text}", "{lead}。{text}"),
    "resolved.lead": ("{lead}。{text}",),
    "resolved.named": ("{name}，{text}",),
    "ask.off_topic": (
        "你是哪里人", "你是真人还是AI", "背景放的什么歌", "能跟我妈打个招呼吗", "主播多大了", "昨晚谁赢了", "你那边天气怎么样", "你们卖车吗", "能唱首歌吗", "有对象吗",
        "用什么手机直播的", "晚饭吃的啥", "生日几号", "有好的牙医推荐吗", "比特币还会涨吗", "能帮我写作业吗", "口红什么色号", "你老板是谁", "怎么当主播", "你们招人吗",
        "你哥今晚播不播", "微信多少", "养狗吗", "能回关一下吗", "东京现在几点", "下雨了吗", "能讲个笑话吗", "后面那个灯哪买的", "wifi密码多少", "爱吃火锅吗", "股票买哪个好",
        "论文怎么写", "公司在几楼", "头发在哪烫的", "平时几点下播",
    ),
    "opener.off_topic": ("", "", "主播，", "哈哈 ", "跑个题，", "问个别的，", "话说", "好奇问下，", "顺便问下，", "不好意思跑题了，", "无关的问题，"),
    "ref.shown": ("这个", "这个", "这款", "手上这个", "手里这款", "现在这个", "你拿的这个", "这一款", "主播手上的", "正在讲的这款"),
    "ref.shown_pair": ("这个", "这个", "这款", "手上这个", "手里这款", "现在这款", "你拿的这个", "这一款", "主播手上的"),
    "ref.previous": ("刚才那个", "上一个", "前面那款", "刚刚那款", "上一款", "刚才那款", "前面讲的那个"),
    "ref.previous_pair": ("刚才那个", "上一个", "前面那款", "刚刚那款", "上一款", "刚才那款"),
    "ref.slot": (
        "{slot}号", "{slot}号", "{slot}号", "{slot}号", "{slot}号链接", "{spelled}号", "{spelled}号链接", "#{slot} ", "第{slot}个", "{slot} ", "{slot}号宝贝", "链接{slot} ",
    ),
    "ref.name": ("{brand}{form}", "{brand}那款", "{brand}", "{brand}", "{brand}", "{brand}{noun}", "{brand} {form}"),
    "ref.name_pair": ("{brand}{form}", "{brand}那款", "{brand}", "{brand}", "{brand}", "{brand}{noun}"),
    "ref.slot.both": ("{slot}号", "{slot}号", "{slot}号链接", "第{slot}个"),
    "ref.name.both": ("{brand}{form}", "{brand}那款", "{brand}"),
    "ref.corrected": ("{wrong}号，不对，{slot}号", "{wrong}号打错了，{slot}号", "{wrong}号 哦不，{slot}号", "{wrong}，不是，{slot}号"),
    "ref.shown.both": ("这个", "这款", "手上这个", "手里这款", "现在这个"),
    "lead.reference": (
        "问下{it}", "想看{it}", "{it}", "看看{it}", "讲一下{it}", "我想要{it}", "喜欢{it}", "{it}好看", "说一下{it}", "想入手{it}",
    ),
    "lead.plain": (
        "刚来", "来了来了", "主播好", "第一次来", "在吗", "有点心动", "想买一个送我妈", "看了半天了", "有个问题", "好看诶", "晚上好", "终于等到了",
        "考虑一下", "刚下班", "新粉", "想入手", "蹲好久了", "上次没抢到", "我也想要", "等等", "心动了",
    ),
    "filler.before": (
        "请问", "主播，", "亲，", "姐姐，", "求问", "问一下", "哈喽，", "宝子，", "想问下", "求问", "家人们，", "老板，", "美女，", "诶，", "哇，", "zb，",
        "jms，", "哥，", "麻烦问下，",
    ),
    "filler.tail": (
        " 谢谢", " 急", " 在线等", " 求回", " 回一下呗", " 看看我", "🙏", "😍", "🔥", "😂", "❤️", "🤔", "👀", "😭", "[捂脸]", "[比心]", "[玫瑰]", "😅", "🥺", "[送心]", "～",
    ),
    "filler.none": ("问", "求", "想", "刚", "主播", "推荐", "回到", "哈"),
    "filler.mention": ("@{host} ", "@主播 ", "{host}，", "@{host}，"),
    "filler.mention_after": (" @{host}", " @主播"),
    "mixed.before": ("hi，", "hello，", "sorry，", "hey，"),
    "mixed.after": (" thanks", " thx", " thank you"),
    "mixed.words": (
        "尺码=size", "价格=price", "优惠券=coupon", "颜色=color", "链接=link", "防水=waterproof", "续航=battery", "质保=warranty", "保修=warranty", "重量=weight",
        "库存=stock", "噪音=noise", "容量=capacity", "材质=material", "面料=fabric", "功率=power", "多少钱=how much", "有货=in stock", "包邮=free shipping",
        "赠品=gift", "口味=flavor", "机洗=machine wash", "预算=budget", "便宜=cheap", "推荐=recommend", "哪款=which one", "多重=how heavy",
    ),
}  # fmt: skip
