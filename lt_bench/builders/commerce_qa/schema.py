"""What a category of goods is made of: attributes, size charts, FAQ."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

Value = str | int | float | bool


@dataclass(frozen=True)
class Check:
    """A viewer's own number against an attribute: "my room is {n}", "is {it} enough". `yes` and
    `no` are the two answers around the {clause} that states the value."""

    lead: str
    ask: str
    rule: Literal["at_least", "at_most"] = "at_least"
    yes: str = "{clause}."
    no: str = "{clause}."


@dataclass(frozen=True, eq=False)
class Attribute:
    """One property of a category and how people ask for and state it.

    In `asks` and `says`, {it} is the product and {v} the value with its unit. `shorts` are the
    bare words a viewer types. `wins` completes "which one ..." and is true of the better value:
    the higher one, unless `lower_wins`. `want` completes "one ..." in a wish ({v}: the value).
    `lead` pairs are (what the viewer says of herself, the question after it).
    `field` names a schema.org field of its own; otherwise it is an additionalProperty.
    """

    name: str
    label: str
    kind: Literal["number", "flag", "choice"]
    values: tuple[Value, ...]
    asks: tuple[str, ...]
    shorts: tuple[str, ...]
    says: str
    says_no: str = ""
    unit: str = ""
    topic: str = "use"
    wins: str = ""
    lower_wins: bool = False
    want: str = ""
    field: str = ""
    check: Check | None = None
    leads: tuple[tuple[str, str], ...] = ()
    accept: Mapping[Value, tuple[str, ...]] = dataclasses.field(default_factory=dict)

    @property
    def path(self) -> str:
        """Where a product holds the value, in the path syntax of `lt_bench.claims.paths`."""
        if self.field:
            return f"{self.field}.value" if self.kind == "number" else self.field
        return f"additionalProperty[name={self.name}].value"


@dataclass(frozen=True)
class Size:
    """One line of a size chart: the range of each measure, both ends included."""

    name: str
    ranges: tuple[tuple[str, int, int], ...]
    accept: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chart:
    """A size chart. `tell` states one's measures ({height}, {weight} ...), `tell_other` the same
    in units the chart does not use."""

    units: Mapping[str, str]
    sizes: tuple[Size, ...]
    tell: tuple[str, ...]
    tell_other: tuple[str, ...]


@dataclass(frozen=True)
class Faq:
    """A question that the sheet does not answer and the shop's FAQ does; `key` is the part of
    the answer that counts. Bare words among `asks` have the whole question behind a bar."""

    asks: tuple[str, ...]
    answer: str
    key: str
    accept: tuple[str, ...] = ()


@dataclass(frozen=True)
class Category:
    """A kind of goods. `unlisted` are questions that no document answers, `one` is the noun with
    its article ("an air fryer"), `forms` are model words; `pair`: they are sold in pairs. `agree`
    gives the values of some attributes that go with the others, as in nature."""

    name: str
    noun: str
    plural: str
    forms: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    colors: tuple[str, ...]
    prices: tuple[int, int]
    faqs: tuple[Faq, ...]
    reviews: tuple[str, ...]
    unlisted: tuple[str, ...]
    gifts: tuple[str, ...]
    one: str
    chart: Chart | None = None
    pair: bool = False
    agree: Callable[[Mapping[str, Value]], dict[str, Value]] | None = None


def bare(clause: str) -> str:
    """A clause without the product: "{it} is waterproof" -> "is waterproof"."""
    return " ".join(clause.replace("{it}", " ").split())


def in_step(values: Mapping[str, Value], leader: Attribute, *others: Attribute) -> dict[str, Value]:
    """Values that grow with that of `leader`: as far up their own range as it is up its own."""
    place = (leader.values.index(values[leader.name]) + 0.5) / len(leader.values)
    return {other.name: other.values[int(place * len(other.values))] for other in others}


def number(
    name: str,
    label: str,
    unit: str,
    values: tuple[int | float, ...],
    says: str,
    asks: tuple[str, ...],
    shorts: tuple[str, ...],
    *,
    topic: str = "use",
    wins: str = "",
    lower_wins: bool = False,
    want: str = "",
    field: str = "",
    check: Check | None = None,
) -> Attribute:
    """A measured attribute."""
    return Attribute(
        name, label, "number", values, asks, shorts, says,
        unit=unit, topic=topic, wins=wins, lower_wins=lower_wins, want=want, field=field, check=check,
    )  # fmt: skip


def flag(
    name: str,
    label: str,
    yes: str,
    no: str,
    asks: tuple[str, ...],
    shorts: tuple[str, ...],
    *,
    topic: str = "use",
    want: str = "",
    leads: tuple[tuple[str, str], ...] = (),
    values: tuple[bool, ...] = (True, True, False),
) -> Attribute:
    """A yes-or-no attribute; `values` repeats an outcome to make it more frequent."""
    accept: dict[Value, tuple[str, ...]] = {True: (bare(yes),), False: (bare(no),)}
    return Attribute(
        name, label, "flag", values, asks, shorts, yes,
        says_no=no, topic=topic, want=want, leads=leads, accept=accept,
    )  # fmt: skip


def choice(
    name: str,
    label: str,
    values: tuple[str, ...],
    says: str,
    asks: tuple[str, ...],
    shorts: tuple[str, ...],
    *,
    topic: str = "use",
    want: str = "",
    field: str = "",
    accept: Mapping[Value, tuple[str, ...]] | None = None,
) -> Attribute:
    """An attribute with one of several named values."""
    return Attribute(
        name, label, "choice", values, asks, shorts, says,
        topic=topic, want=want, field=field, accept=accept or {},
    )  # fmt: skip
