"""The English market: made-up brands and people, plain goods, dollars."""

from __future__ import annotations

from typing import Final

from lt_bench.environments.shop.words.market import Kind, Market

_DARK: Final = ("black", "white", "silver", "navy")
_BRIGHT: Final = ("red", "blue", "green", "yellow", "pink")
_CLOTHES: Final = ("black", "white", "red", "blue", "green", "grey")
_LETTERS: Final = ("S", "M", "L", "XL")

ENGLISH: Final = Market(
    currency="USD",
    shipping=599,
    free_from=5000,
    return_postage=500,
    postcode_digits=5,
    cents=99,
    product_form="{brand} {model} {noun}",
    person_form="{first} {last}",
    street_form="{number} {street}",
    kinds=(
        Kind(
            "kettles", "Kettle", (*_DARK, "red"), ("1.0 L", "1.5 L", "1.8 L"),
            ("stainless steel", "glass", "plastic"), (24, 49), 6, (800, 1400), (12, 24, 36),
        ),
        Kind(
            "desk lamps", "Desk Lamp", _DARK, (), ("aluminium", "bamboo", "steel"),
            (19, 59), 0, (600, 1900), (12, 24),
        ),
        Kind(
            "earphones", "Earphones", ("black", "white", "blue", "pink"), (),
            ("plastic", "aluminium"), (29, 119), 0, (30, 60), (12, 24), returnable=False,
        ),
        Kind(
            "running shoes", "Running Shoes", _CLOTHES, ("39", "40", "41", "42", "43", "44"),
            ("mesh", "knit", "leather"), (49, 119), 0, (480, 760), (0, 6),
        ),
        Kind(
            "t-shirts", "T-Shirt", _CLOTHES, _LETTERS, ("cotton", "linen", "bamboo viscose"),
            (12, 35), 0, (140, 240), (0,),
        ),
        Kind(
            "rain jackets", "Rain Jacket", (*_CLOTHES, "yellow"), _LETTERS,
            ("nylon", "recycled polyester"), (45, 129), 0, (350, 700), (12, 24),
        ),
        Kind(
            "backpacks", "Backpack", ("black", "grey", "green", "navy"), ("15 L", "20 L", "30 L"),
            ("canvas", "nylon", "leather"), (35, 89), 12, (600, 1300), (12, 24, 60),
        ),
        Kind(
            "smart watches", "Smart Watch", ("black", "silver", "rose gold"), ("41 mm", "45 mm"),
            ("aluminium", "steel", "titanium"), (99, 279), 30, (30, 55), (12, 24),
        ),
        Kind(
            "blenders", "Blender", (*_DARK, "red"), ("0.6 L", "1.2 L", "2.0 L"),
            ("glass", "plastic", "steel"), (32, 99), 10, (1500, 3900), (12, 24, 36),
        ),
        Kind(
            "rice cookers", "Rice Cooker", ("white", "black", "cream"), ("3 L", "4 L", "5 L"),
            ("ceramic coating", "stainless steel"), (39, 99), 11, (2400, 4300), (12, 24),
        ),
        Kind(
            "yoga mats", "Yoga Mat", _BRIGHT, ("4 mm", "6 mm", "8 mm"),
            ("natural rubber", "cork", "foam"), (18, 49), 5, (900, 2400), (0, 12),
        ),
        Kind(
            "water bottles", "Water Bottle", (*_BRIGHT, "black"), ("500 ml", "750 ml", "1000 ml"),
            ("stainless steel", "glass", "plastic"), (11, 32), 4, (180, 450), (0, 12),
        ),
        Kind(
            "pillows", "Pillow", ("white", "grey", "cream"), ("low", "medium", "high"),
            ("memory foam", "latex", "down"), (22, 69), 5, (700, 1500), (0, 12), returnable=False,
        ),
        Kind(
            "suitcases", "Suitcase", ("black", "silver", "red", "navy"),
            ("20 inch", "24 inch", "28 inch"), ("polycarbonate", "aluminium", "nylon"),
            (69, 179), 25, (2600, 4900), (24, 60),
        ),
        Kind(
            "electric toothbrushes", "Electric Toothbrush", ("white", "black", "pink", "blue"), (),
            ("plastic",), (25, 99), 0, (110, 190), (12, 24), returnable=False,
        ),
        Kind(
            "speakers", "Speaker", ("black", "white", "red", "blue"), ("mini", "standard", "large"),
            ("fabric", "wood", "plastic"), (29, 99), 35, (400, 2800), (12, 24),
        ),
    ),
    brand_starts=(
        "Vel", "Lum", "Nor", "Kes", "Tam", "Bri", "Sol", "Ash", "Fen", "Mar", "Zev", "Dra", "Hol",
        "Ori", "Pax", "Quin", "Ruv", "Sil", "Tor", "Wyn", "Yar", "Cal", "Elm", "Gal",
    ),
    brand_ends=(
        "to", "ora", "vik", "lane", "mere", "ix", "don", "ella", "ford", "bay", "stra", "une",
        "wick", "ano", "este", "qua",
    ),
    models=(
        "Breeze", "Nova", "Drift", "Pulse", "Cedar", "Orbit", "Glide", "Ember", "Harbor", "Summit",
        "Willow", "Comet", "Meadow", "Flint", "Echo", "Prairie", "Quartz", "Ripple", "Sparrow",
        "Tundra",
    ),
    first_names=tuple(
        (name, name.lower())
        for name in (
            "Anna", "Ben", "Carla", "David", "Elena", "Felix", "Grace", "Hugo", "Irene", "Jonas",
            "Kira", "Liam", "Maya", "Noah", "Olivia", "Peter", "Rosa", "Simon", "Tara", "Victor",
        )
    ),
    last_names=tuple(
        (name, name.lower())
        for name in (
            "Adler", "Brooks", "Castell", "Dawson", "Ellery", "Fontaine", "Grant", "Holm", "Ivers",
            "Jensen", "Keller", "Lowe", "Moreno", "Nyberg", "Osborn", "Pruitt", "Quist", "Reyes",
            "Stone", "Tully", "Vance", "Whit",
        )
    ),
    streets=(
        "Maple Street", "Oak Avenue", "Pine Road", "Lake Drive", "Hill Street", "River Lane",
        "Park Avenue", "Mill Road", "Church Street", "Station Road", "Garden Way", "Elm Court",
    ),
    cities=(
        ("Boston", "021"), ("Denver", "802"), ("Seattle", "981"), ("Austin", "787"),
        ("Chicago", "606"), ("Portland", "972"), ("Atlanta", "303"), ("Phoenix", "850"),
        ("Columbus", "432"), ("Nashville", "372"),
    ),
    carriers=("SwiftPost", "Northway", "BlueArrow"),
    depots=("sorting centre {city}", "hub {city}", "depot Memphis", "depot Reno"),
    door="front door",
    coupon_words=(
        "SAVE", "SUMMER", "EXTRA", "HELLO", "SUNNY", "FRESH", "LUCKY", "CLUB", "GIFT", "SPARK", "MERRY", "PRIME",
    ),
    percents=(5, 8, 10, 12, 15, 20, 25),
    amounts=(5, 8, 10, 12, 15),
    minimums=(20, 30, 40, 60, 80),
)  # fmt: skip
"""Fifty dollars of goods travel free; the rest pays 5.99."""
