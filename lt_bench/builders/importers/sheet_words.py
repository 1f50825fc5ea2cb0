"""The words of a product sheet that come from the importer and not from the shop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

SheetLang = Literal["en", "zh"]


@dataclass(frozen=True)
class SheetWords:
    """`fields` names schema.org fields; the rest are templates and single words."""

    fields: Mapping[str, str]
    stock: Mapping[str, str]
    yes: str
    no: str
    colon: str
    comma: str
    price: str
    prices: str
    regular: str
    sale: str
    sale_until: str
    stock_label: str
    left: str
    variants: str
    shipping: str
    free: str
    days: str
    to: str
    returns: str
    no_returns: str
    return_free: str
    rating: str
    reviews: str
    symbols: Mapping[str, str]


ENGLISH: Final = SheetWords(
    fields={"color": "Colour", "isRelatedTo": "Related to"},
    stock={
        "InStock": "in stock",
        "LimitedAvailability": "in stock, but only a few left",
        "OutOfStock": "sold out",
        "PreOrder": "pre-order",
        "BackOrder": "on back order",
        "MadeToOrder": "made to order",
        "Discontinued": "discontinued",
        "InStoreOnly": "in store only",
        "OnlineOnly": "in stock, online only",
        "Reserved": "reserved",
    },
    yes="yes",
    no="no",
    colon=": ",
    comma=", ",
    price="Price",
    prices="{low} to {high}, depending on the variant",
    regular="regular price {price}",
    sale="Sale price",
    sale_until="from {start} to {end}",
    stock_label="Stock",
    left="{n} left",
    variants="Variants",
    shipping="Shipping",
    free="free",
    days="{low} to {high} days",
    to="to {places}",
    returns="Returns{colon}within {n} days",
    no_returns="Returns{colon}not accepted",
    return_free="return postage free",
    rating="Rating{colon}{value} of {best} stars",
    reviews="{n} reviews",
    symbols={},
)

CHINESE: Final = SheetWords(
    fields={
        "brand": "品牌",
        "manufacturer": "制造商",
        "category": "类别",
        "color": "颜色",
        "size": "尺码",
        "material": "材质",
        "pattern": "图案",
        "model": "型号",
        "weight": "重量",
        "width": "宽度",
        "height": "高度",
        "depth": "深度",
        "countryOfOrigin": "产地",
        "keywords": "标签",
        "audience": "适用人群",
        "itemCondition": "成色",
        "award": "奖项",
        "releaseDate": "上市日期",
    },
    stock={
        "InStock": "有货",
        "LimitedAvailability": "有货，但所剩不多",
        "OutOfStock": "售罄",
        "PreOrder": "预售",
        "BackOrder": "缺货，可预订",
        "MadeToOrder": "定制",
        "Discontinued": "停产",
        "InStoreOnly": "仅门店有货",
        "OnlineOnly": "仅线上有货",
        "Reserved": "已被预订",
    },
    yes="是",
    no="否",
    colon="：",
    comma="，",
    price="价格",
    prices="{low}至{high}，依款式而定",
    regular="原价{price}",
    sale="促销价",
    sale_until="{start}至{end}",
    stock_label="库存",
    left="剩{n}件",
    variants="款式",
    shipping="运费",
    free="免费",
    days="{low}至{high}天",
    to="送至{places}",
    returns="退货{colon}{n}天内",
    no_returns="退货{colon}不支持",
    return_free="退货运费免费",
    rating="评分{colon}{value}（满分{best}）",
    reviews="{n}条评价",
    symbols={"CNY": "¥"},
)

WORDS: Final[Mapping[SheetLang, SheetWords]] = {"en": ENGLISH, "zh": CHINESE}
