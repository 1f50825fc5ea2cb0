"""A product sheet as a person would read it in Chinese."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lt_bench.builders.commerce_qa.zh.wording import discount, quantity

if TYPE_CHECKING:
    from lt_bench.builders.commerce_qa.product import Product

STOCK = {
    "InStock": "有货",
    "LimitedAvailability": "有货但不多",
    "OutOfStock": "售罄",
    "PreOrder": "预售",
}


def sheet(product: Product, slot: int) -> str:
    """The lines of a product: slot and name, offer, properties, variants, service."""
    properties = (f"{a.label}：{quantity(product.values[a.name], a.unit)}" for a in product.listed)
    data = product.data
    return "\n".join(
        (
            f"{slot}号：{product.name}",
            *_offer(data["offers"]),
            *properties,
            *_variants(data),
            *_chart(data),
            *_service(data["offers"]),
            _rating(data["aggregateRating"]),
        )
    )


def _offer(offers: dict[str, Any]) -> list[str]:
    coupons = (
        f"优惠券 {coupon['name']}：打{discount(coupon['discount'])}（减{coupon['discount']}%），"
        f"券后{coupon['price']:.2f}元，有效期至{coupon['validThrough']}"
        for coupon in offers.get("priceSpecification", ())
    )
    bundles = (
        f"套装：{extra['itemOffered']}，{extra['price']:.2f}元"
        if extra["price"]
        else f"赠品：{extra['itemOffered']}"
        for extra in offers.get("addOn", ())
    )
    left, stock = offers["inventoryLevel"]["value"], STOCK[offers["availability"]]
    return [
        f"价格：{offers['price']:.2f}元",
        *coupons,
        *bundles,
        f"库存：{stock}，剩{left}件" if left else f"库存：{stock}",
    ]


def _variants(data: dict[str, Any]) -> list[str]:
    """One line a colour: "颜色 黑色：S、M有货；L售罄", or "颜色 黑色：有货"."""
    rows: dict[str, dict[str, list[str]]] = {}
    for variant in data.get("hasVariant", ()):
        stock = STOCK[variant["offers"]["availability"]]
        rows.setdefault(variant["color"], {}).setdefault(stock, []).append(variant.get("size", ""))
    return [
        f"颜色 {color}："
        + "；".join(f"{'、'.join(s for s in sizes if s)}{stock}" for stock, sizes in stocks.items())
        for color, stocks in rows.items()
    ]


def _chart(data: dict[str, Any]) -> list[str]:
    rows = [
        f"{size['name']}："
        + "，".join(
            f"{m['name']}{m['minValue']}-{m['maxValue']}{m['unitText']}"
            for m in size["suggestedMeasurement"]
        )
        for size in data.get("size", ())
    ]
    return [f"尺码表（在两个码之间选大一码）：{'；'.join(rows)}"] if rows else []


def _service(offers: dict[str, Any]) -> list[str]:
    shipping, returns = offers["shippingDetails"], offers["hasMerchantReturnPolicy"]
    rate, days = shipping["shippingRate"]["value"], shipping["deliveryTime"]
    postage = "商家承担" if returns["returnFees"] == "FreeReturn" else "买家承担"
    return [
        f"配送：{f'运费{rate:.2f}元' if rate else '包邮'}，{days['minValue']}到{days['maxValue']}天送达，"
        f"可发{'、'.join(shipping['shippingDestination'])}",
        f"退货：{returns['merchantReturnDays']}天内可退，退货运费{postage}",
    ]


def _rating(rating: dict[str, Any]) -> str:
    return f"评分：{rating['ratingValue']}分（满分5分），{rating['reviewCount']}条评价"
