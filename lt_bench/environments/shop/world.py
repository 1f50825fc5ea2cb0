"""The shop as a tool world: a store of its own for every dialogue."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Self

from lt_bench.environments.base import Outcome
from lt_bench.environments.shop import patch as patching
from lt_bench.environments.shop import reading, searching, snapshot, writing
from lt_bench.environments.shop.arguments import unfit
from lt_bench.environments.shop.desk import Desk
from lt_bench.environments.shop.records import Shop, ShopLang
from lt_bench.environments.shop.saying import Refused, plain, shown
from lt_bench.environments.shop.schemas import SIGNATURES, WRITING, tool_schemas
from lt_bench.environments.shop.tables import dump, shop_of
from lt_bench.records import World

Tool = Callable[[Desk, dict[str, Any]], dict[str, Any]]

TOOLS: Final[dict[str, Tool]] = {
    "search_products": searching.search_products,
    "get_product": reading.get_product,
    "check_stock": reading.check_stock,
    "get_price": reading.get_price,
    "check_coupon": reading.check_coupon,
    "get_order": reading.get_order,
    "find_orders": reading.find_orders,
    "track_shipment": reading.track_shipment,
    "place_order": writing.place_order,
    "cancel_order": writing.cancel_order,
    "change_order_address": writing.change_order_address,
    "change_order_item": writing.change_order_item,
    "apply_coupon": writing.apply_coupon,
    "return_order": writing.return_order,
    "exchange_item": writing.exchange_item,
}


class ShopWorld:
    """One copy of a shop.

    Raises:
        UsageError: the patch does not fit the shop.
    """

    def __init__(self, seed: int, patch: Mapping[str, Any]) -> None:
        self.lang: ShopLang = patching.lang_of(patch)
        self._store = snapshot.copy(seed, self.lang)
        try:
            patching.apply(self._store, patch)
        except BaseException:
            self._store.close()
            raise
        self._desk = Desk(self._store, self.lang)

    @property
    def tools(self) -> tuple[dict[str, Any], ...]:
        """The tools in OpenAI's form, described in the language of the shop."""
        return tool_schemas(self.lang)

    @property
    def shop(self) -> Shop:
        """All of the shop as it is now."""
        return shop_of(self._store, self.lang)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Outcome:
        """What the tool says, as a JSON object; {"error": …} where it did nothing."""
        try:
            return _said(self._run(name, arguments))
        except Refused as refused:
            return _said({"error": str(refused)}, error=True)
        except Exception:  # noqa: BLE001 - whatever a tool meets, the dialogue goes on
            return _said({"error": self._desk.voice.say("failed")}, error=True)

    def _run(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        voice = self._desk.voice
        if not isinstance(name, str) or name not in TOOLS:
            said = voice.say("unknown_tool", name=shown(name))
            raise Refused(said + voice.nearest(name, TOOLS))
        given = dict(arguments) if isinstance(arguments, Mapping) else arguments
        if fault := unfit(self.lang, name, given):
            raise Refused(fault)
        return self._within(name, given)

    def _within(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        """Runs a tool; what it wrote before it refused or failed is undone, and a tool that reads
        cannot write at all."""
        self._store.execute(f"PRAGMA query_only = {int(name not in WRITING)}")
        self._store.execute("BEGIN")
        try:
            result = TOOLS[name](self._desk, given)
        except BaseException:
            self._store.execute("ROLLBACK")
            raise
        self._store.execute("COMMIT")
        return result

    def state_sha(self) -> str:
        """sha256 over all rows of all tables in the order of their keys."""
        digest = hashlib.sha256()
        for table, rows in dump(self._store):
            digest.update(json.dumps([table, rows], ensure_ascii=True).encode())
        return digest.hexdigest()

    def close(self) -> None:
        """Gives the memory back; calls after it fail, each with an Outcome."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def open_shop(world: World) -> ShopWorld:
    """A fresh copy of the shop of a seed, with the changes of the row.

    Raises:
        UsageError: its patch does not fit.
    """
    return ShopWorld(world.seed, world.patch)


def catalogue(seed: int, lang: ShopLang = "en", patch: Mapping[str, Any] | None = None) -> Shop:
    """The records of a shop; with a patch, after it. `lang` in the patch wins.

    Raises:
        UsageError: the patch does not fit.
    """
    if not patch:
        return snapshot.pristine(seed, lang)
    with ShopWorld(seed, {"lang": lang, **patch}) as shop:
        return shop.shop


def _said(result: dict[str, Any], *, error: bool = False) -> Outcome:
    return Outcome(plain(json.dumps(result, ensure_ascii=False)), error)


assert TOOLS.keys() == SIGNATURES.keys(), "every tool has its arguments described"
