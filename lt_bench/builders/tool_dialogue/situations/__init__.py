"""What may happen in a dialogue, by kind. Each situation is a function from a stage to its ending."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from lt_bench.builders.tool_dialogue.situations import (
    items,
    known,
    lacking,
    looking,
    orders,
    searching,
    silent,
    together,
)
from lt_bench.builders.tool_dialogue.stage import Ending, Stage


@dataclass(frozen=True)
class Situation:
    """`weight`: its share of the rows, in proportion. `open` False: who asks and of which order must
    not be told before."""

    name: str
    play: Callable[[Stage], Ending]
    weight: float
    open: bool = True


SITUATIONS: Final = (
    Situation("track", looking.track, 3.4),
    Situation("not_shipped", looking.not_shipped, 1.6),
    Situation("arrived", looking.arrived, 1.6),
    Situation("order", looking.order, 2.4),
    Situation("unknown_order", looking.unknown_order, 1.8),
    Situation("coupon", looking.coupon, 2.4),
    Situation("wrong_coupon", looking.wrong_coupon, 1.4),
    Situation("stock_in_list", looking.stock, 3.0),
    Situation("price_in_list", looking.price, 2.6),
    Situation("details_in_list", looking.details, 2.0),
    Situation("search", looking.search, 4.0),
    Situation("open_orders", orders.open_orders, 1.6),
    Situation("cancel", orders.cancel, 4.4),
    Situation("address", orders.address, 3.0),
    Situation("changed_mind", orders.changed_mind, 1.8),
    Situation("coupon_on_order", orders.coupon, 3.0),
    Situation("unknown_coupon", orders.unknown_coupon, 1.2),
    Situation("stock", searching.stock, 3.4),
    Situation("stock_of_it", searching.stock_of_it, 1.8),
    Situation("price", searching.price, 2.6),
    Situation("wrong_price", searching.wrong_price, 1.6),
    Situation("price_with_coupon", searching.price_with_coupon, 2.2),
    Situation("details", searching.details, 2.0),
    Situation("cheapest", searching.cheapest, 2.2),
    Situation("track_latest", orders.track_latest, 2.4),
    Situation("cancel_latest", orders.cancel_latest, 2.4),
    Situation("return", items.give_back, 3.6),
    Situation("exchange", items.exchange, 3.0),
    Situation("change", items.change, 3.4),
    Situation("place", items.place, 3.2),
    Situation("place_from_list", items.place_from_list, 2.2),
    Situation("two_tracks", together.tracks, 1.8),
    Situation("two_orders", together.orders, 1.4),
    Situation("two_coupons", together.coupons, 1.4),
    Situation("two_prices", together.prices, 1.8),
    Situation("two_stocks", together.stocks, 1.8),
    Situation("two_cancels", together.cancels, 1.4),
    Situation("chat", silent.chat, 3.4),
    Situation("rule", silent.rule, 5.2),
    Situation("forbidden", silent.forbidden, 5.0),
    Situation("out_of_scope", silent.out_of_scope, 2.6),
    Situation("lacking_order", lacking.order_to_track, 1.6, open=False),
    Situation("lacking_order_to_cancel", lacking.order_to_cancel, 1.6, open=False),
    Situation("lacking_reason", lacking.reason, 2.4, open=False),
    Situation("lacking_return_reason", lacking.return_reason, 1.2, open=False),
    Situation("lacking_address", lacking.address, 1.4, open=False),
    Situation("lacking_postcode", lacking.postcode, 1.4, open=False),
    Situation("lacking_customer", lacking.customer, 1.8, open=False),
    Situation("lacking_code", lacking.code, 1.2, open=False),
    Situation("lacking_which", lacking.which, 1.4, open=False),
    Situation("lacking_which_order", lacking.which_order, 1.2, open=False),
    Situation("lacking_variant", lacking.variant, 1.4, open=False),
    Situation("known_carrier", known.carrier, 1.5),
    Situation("known_due", known.due, 1.5),
    Situation("known_total", known.total, 1.5),
    Situation("known_cheaper", known.cheaper, 1.5),
    Situation("known_done", known.done, 1.5),
    Situation("known_stock", known.stock, 1.5),
)
BY_NAME: Final[Mapping[str, Situation]] = {one.name: one for one in SITUATIONS}
