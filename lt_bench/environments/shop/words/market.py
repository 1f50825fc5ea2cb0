"""What a market is: the goods, names, places and fees of one language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """One category of goods. `prices` of its smallest size and `step` for each size more, in units of
    the currency; `weights` in grams; `returnable` False: not once it was opened."""

    category: str
    noun: str
    colors: tuple[str, ...]
    sizes: tuple[str, ...]
    materials: tuple[str, ...]
    prices: tuple[int, int]
    step: int
    weights: tuple[int, int]
    warranties: tuple[int, ...]
    returnable: bool = True


@dataclass(frozen=True)
class Market:
    """Fees and what shipping is free from are in hundredths of the currency. A name is
    `{brand}{model}{noun}` and a person `{first}{last}` in the forms given."""

    currency: str
    shipping: int
    free_from: int
    return_postage: int
    postcode_digits: int
    cents: int
    """What a price ends in, in hundredths: 99 for 39.99."""
    product_form: str
    person_form: str
    street_form: str
    kinds: tuple[Kind, ...]
    brand_starts: tuple[str, ...]
    brand_ends: tuple[str, ...]
    models: tuple[str, ...]
    first_names: tuple[tuple[str, str], ...]
    """As written, and as it stands in an e-mail address."""
    last_names: tuple[tuple[str, str], ...]
    streets: tuple[str, ...]
    cities: tuple[tuple[str, str], ...]
    """A city, and the first digits of its postcodes."""
    carriers: tuple[str, ...]
    depots: tuple[str, ...]
    """Where a parcel on its way was seen last; `{city}` is its goal."""
    door: str
    """Where a delivered parcel was seen last."""
    coupon_words: tuple[str, ...]
    percents: tuple[int, ...]
    amounts: tuple[int, ...]
    """What a coupon takes off, in units of the currency, and below from how much on."""
    minimums: tuple[int, ...]
