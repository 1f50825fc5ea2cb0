"""What a language brings to the builder: wordings, and how sums, lists and states are said in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from lt_bench.builders.commerce_qa.language import Slip
from lt_bench.builders.tool_dialogue.wording import Wordings

Code = Literal["en", "zh"]


@dataclass(frozen=True)
class Matter:
    """Something that a reply may be about. `words`: what is then said of it. `near`: a pattern that says
    that the row leads there, as a call of one of `tools` does. `when`: only rows that are "done" (something
    was changed), "called" or "asked" (the agent asks back) are meant."""

    words: tuple[str, ...]
    near: str
    tools: tuple[str, ...] = ()
    when: Literal["done", "called", "asked"] | None = None


@dataclass(frozen=True)
class Language:
    """`matters`: all that replies may be about, see `rivals`. `statuses`: what a status of an order is called. `stated`: what a reply must say, by an English
    name for it: the word that is wanted first, then what may be heard instead. `gap` stands between
    two sentences. `variant`: a colour with a size ("" where there is none), as in "red, M"."""

    code: Code
    wordings: Wordings
    statuses: Mapping[str, str]
    stated: Mapping[str, tuple[str, ...]]
    matters: tuple[Matter, ...]
    gap: str
    slips: tuple[Slip, ...]
    careless: Callable[[str], str]
    money: Callable[[float], str]
    variant: Callable[[str, str], str]
    listed: Callable[[list[str]], str]


def figure(amount: float) -> str:
    """A sum without its currency, as a reply must say it: "39.99", "199"."""
    return f"{amount:.2f}" if amount != int(amount) else str(int(amount))


POLICY_FACTS: Final = (
    "shipping", "free_from", "window", "postage", "coupon_one", "quantity", "open_only", "opened",
    "once", "difference", "cancel_refund", "coupon_once",
)  # fmt: skip
"""The rules that a customer asks about, by the names of the shop's policy."""
