"""How English writes sentences and says quantities, money and days."""

from __future__ import annotations

import re

from lt_bench.builders.commerce_qa.schema import Value

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}
SINGULAR = {
    "hours": "hour", "months": "month", "bags": "bag", "pockets": "pocket", "ports": "port", "days": "day",
}  # fmt: skip
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
CONVERSIONS = {"kg": ("lbs", 2.20462), "m²": ("sq ft", 10.7639), "mm": ("inches", 1 / 25.4)}


def question(text: str) -> str:
    """As one would write it with care: a capital first, a question mark last."""
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".!?" else "?")


def complete(_: str, plain: str) -> str:
    """Bare words as a sentence: the plainest one, since they have no grammar of their own."""
    return plain


def shortened(clause: str) -> str:
    """The same: English sentences need their subject."""
    return clause


def chained(clauses: list[str]) -> str:
    """ "{it} mops and {it} has a thermostat"."""
    return " and ".join(clauses)


def sentences(text: str) -> str:
    """A capital at the start and after each mark that ends a sentence ("no. 9" does not)."""
    text = re.sub(
        r"(?<!\bno)([.!?] )([a-z])", lambda m: m[1] + m[2].upper(), text, flags=re.IGNORECASE
    )
    return re.sub(r",([.:,])", r"\1", text[:1].upper() + text[1:])


def variant(color: str, size: str) -> str:
    """ "black", "M" -> "black M"."""
    return f"{color} {size}".strip()


def spelled(number: int) -> str:
    """42 -> "forty-two"; below 100."""
    if number < len(ONES):
        return ONES[number]
    tens, ones = divmod(number, 10)
    return f"{TENS[tens]}-{ONES[ones]}" if ones else TENS[tens]


def discount(percent: int) -> str:
    """15 -> "15 % off"."""
    return f"{percent} % off"


def quantity(value: Value, unit: str) -> str:
    """30, "hours" -> "30 hours"; 20000, "mAh" -> "20,000 mAh"; 5, "%" -> "5 %"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    digits = f"{value:,.0f}" if value >= 10_000 else f"{value:g}"
    return f"{digits} {SINGULAR.get(unit, unit) if value == 1 else unit}".strip()


def money(amount: float, currency: str) -> str:
    """129.0 -> "$129", 89.9 -> "$89.90"."""
    digits = f"{amount:,.0f}" if amount == int(amount) else f"{amount:,.2f}"
    return f"{SYMBOLS[currency]}{digits}"


def day(date: str) -> str:
    """ "2026-03-31" -> "March 31"."""
    _, month, number = date.split("-")
    return f"{MONTHS[int(month) - 1]} {int(number)}"


def convert(value: float, unit: str) -> str | None:
    """The same amount in the unit that other viewers use; None where there is none.

    Rounded to what a person would type: 60 kg -> "132 lbs", 168 cm -> 5'6".
    """
    if unit == "cm":
        inches = round(value / 2.54)
        return f"{inches // 12}'{inches % 12}\"" if value >= 140 else f"{inches} inches"
    if unit not in CONVERSIONS:
        return None
    other, factor = CONVERSIONS[unit]
    converted = value * factor
    return f"{converted:.1f} {other}" if converted < 20 else f"{converted:.0f} {other}"
