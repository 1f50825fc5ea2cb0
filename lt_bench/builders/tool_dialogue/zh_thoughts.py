"""What a Chinese agent thinks before it calls or speaks: one or two short sentences."""

from __future__ import annotations

from typing import Final

THOUGHTS: Final[dict[str, tuple[str, ...]]] = {
    "think.search_products": (
        "先要知道商品编号，所以搜索一下。",
        "用户没有给商品编号，先在店里搜索。",
    ),
    "think.search_filter": ("用户按类别和价格找商品，用这些条件搜索。",),
    "think.get_product": ("材质、重量、保修和评分都在{product_id}的详情里。",),
    "think.check_stock": ("各款式的库存用check_stock查，商品是{product_id}。",),
    "think.get_price": ("用户问价格：用get_price按所说的条件查{product_id}。",),
    "think.check_coupon": ("先查优惠券{code}，再回答。",),
    "think.get_order": ("需要知道订单{order_id}里有什么。",),
    "think.find_orders": ("没有订单号，但知道顾客：查{customer}的订单。",),
    "think.track_shipment": ("用户想知道{order_id}的包裹在哪里。",),
    "think.place_order": ("款式、数量和顾客都清楚了，下单。",),
    "think.cancel_order": ("订单号和原因（{reason}）都有了，取消{order_id}。",),
    "think.change_order_address": ("新地址齐全，修改{order_id}的地址。",),
    "think.change_order_item": ("想要的款式是{new_sku}，有货，把{sku}换成它。",),
    "think.apply_coupon": ("券码和订单都有了，把{code}用在{order_id}上。",),
    "think.return_order": ("商品在订单里，原因是{reason}，办理退货。",),
    "think.exchange_item": ("{new_sku}有货，把{sku}换成它，原因是{reason}。",),
    "think.together": ("这是两件互不相关的事，可以同时调用。",),
    "think.done": ("结果里有需要的内容，可以回答了。", "信息够了，直接回答。"),
    "think.refused": ("店里的规则不允许，说明原因。",),
    "think.not_found": ("没有这样的东西，如实告诉用户。",),
    "think.sold_out": ("没有货，什么都不改，告诉用户还有什么。",),
    "think.premise": ("用户以为的不对，要纠正。",),
    "think.chat": ("这是闲聊，不需要工具。",),
    "think.rule": ("店里的规则就能回答，不需要工具。",),
    "think.forbidden": ("规则明确不允许，不用查，说明规则并婉拒。",),
    "think.out": ("没有工具能做这件事，说明我能做什么。",),
    "think.lacking": ("缺少{what}，不能猜，要问用户。",),
    "think.known": ("答案前面已经说过，不需要工具。",),
    "what.order": ("订单号",),
    "what.reason": ("原因",),
    "what.address": ("地址",),
    "what.postcode": ("邮编",),
    "what.customer": ("顾客是谁",),
    "what.code": ("优惠券代码",),
    "what.which": ("是哪件商品",),
    "what.which_order": ("是哪个订单",),
    "what.variant": ("想换成的款式",),
}
