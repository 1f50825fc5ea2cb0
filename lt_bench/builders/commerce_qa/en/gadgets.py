"""Earbuds, power banks and office chairs."""

from __future__ import annotations

from collections.abc import Mapping

from lt_bench.builders.commerce_qa.en import shared
from lt_bench.builders.commerce_qa.schema import (
    Attribute,
    Category,
    Check,
    Faq,
    Value,
    choice,
    flag,
    in_step,
    number,
)


def _device(name: str, device: str, *mine: str) -> Attribute:
    """Whether it works with a device that viewers own; `mine`: how they say so."""
    return flag(
        f"works_with_{name}", f"Works with {device}", f"{{it}} works with {device}",
        f"{{it}} does not work with {device}",
        (f"does {{it}} work with {device}", f"is {{it}} compatible with {device}", f"can I use {{it}} with {device}"),
        (f"{device} ok", f"works with {device}"), topic="compatibility", want=f"that works with {device}",
        leads=tuple((lead, "will {it} work with that") for lead in mine),
    )  # fmt: skip


def _earbuds(values: Mapping[str, Value]) -> dict[str, Value]:
    """They work with a phone of one kind at least."""
    return {} if values["works_with_android"] else {"works_with_iphone": True}


def _power_bank(values: Mapping[str, Value]) -> dict[str, Value]:
    """It charges every phone; a laptop wants 45 W, and airlines take up to 100 Wh on board."""
    capacity, output = float(values["capacity"]), float(values["output"])
    return {
        **in_step(values, _CAPACITY, _HEFT, _RECHARGE),
        "works_with_iphone": True,
        "works_with_macbook": output >= 45,
        "carry_on": capacity <= 26800,
    }


_CAPACITY = number(
    "capacity", "Capacity", "mAh", (5000, 10000, 15000, 20000, 26800, 40000), "{it} stores {v}",
    ("how many mAh is {it}", "what's the capacity of {it}", "how big is {it} in mAh"), ("how many mAh", "mAh", "capacity"),
    wins="stores more", topic="battery", check=Check("I need {n} for a weekend", "is {it} enough", yes="Yes, that's enough: {clause}.", no="No, that's not enough: {clause}."),
)  # fmt: skip
_RECHARGE = number(
    "recharge_time", "Recharges in", "hours", (2, 2.5, 3, 4, 5, 6), "{it} is full again in {v}",
    ("how long does {it} take to charge", "how many hours to fill {it} up"), ("charging time", "how long to recharge"),
    wins="recharges faster", lower_wins=True, topic="battery",
)  # fmt: skip
_HEFT = shared.weight("g", 180, 210, 345, 420, 480, 690)


EARBUDS = Category(
    name="earbuds",
    noun="earbuds",
    one="a pair of earbuds",
    plural="earbuds",
    forms=("Echo", "Pebble", "Aria", "Pulse", "Tempo", "Murmur", "Chord", "Lumen"),
    colors=("black", "white", "navy", "rose"),
    prices=(29, 199),
    pair=True,
    attributes=(
        number(
            "battery_life", "Battery life (buds)", "hours", (5, 6, 7, 8, 9, 10), "{it} plays for {v} on one charge",
            ("how long does {it} play on one charge", "how many hours do I get from {it} without the case",
             "what's the battery life of {it} on one charge"),
            ("hours without the case", "battery on one charge", "how long on one charge"), wins="lasts longer on one charge", topic="battery",
            check=Check("I need at least {n} per charge", "will {it} do", yes="Yes, that will do: {clause}.", no="No, not long enough: {clause}."),
        ),
        number(
            "case_battery", "Battery life with case", "hours", (20, 24, 28, 32, 36, 40), "{it} gets to {v} with the case",
            ("how many hours with the case for {it}", "how long does {it} last with the case"),
            ("with the case", "total battery"), wins="lasts longer with the case", topic="battery",
        ),
        flag(
            "noise_cancelling", "Active noise cancelling", "{it} has active noise cancelling",
            "{it} has no active noise cancelling",
            ("does {it} have noise cancelling", "is there ANC on {it}", "can {it} block out noise with ANC"),
            ("noise cancelling", "ANC"), topic="sound", want="with noise cancelling",
        ),
        choice(
            "water_rating", "Water protection", ("IPX4", "IPX5", "IPX7", "IP55"), "{it} is rated {v}",
            ("what IP rating does {it} have", "is {it} waterproof, what rating", "can I sweat on {it}, what's the rating"),
            ("waterproof rating", "IP rating"), topic="body", want="with an {v} rating",
        ),
        choice(
            "bluetooth", "Bluetooth version", ("5.0", "5.2", "5.3", "5.4"), "{it} uses Bluetooth {v}",
            ("what bluetooth version is {it}", "which bluetooth does {it} have"), ("bluetooth version", "which bluetooth"),
            topic="sound", accept={v: (f"Bluetooth {v}",) for v in ("5.0", "5.2", "5.3", "5.4")},
        ),
        choice(
            "charging_port", "Charging port", ("USB-C", "Lightning"), "{it} charges over {v}",
            ("what port does {it} charge with", "is {it} USB-C", "how do I charge {it}, which cable"),
            ("which port", "USB-C or Lightning|does {it} charge over USB-C or Lightning"), topic="battery", want="that charges over {v}",
        ),
        flag(
            "wireless_charging", "Wireless charging", "{it} charges wirelessly", "{it} does not charge wirelessly",
            ("does {it} charge wirelessly", "can I charge {it} on a pad"), ("wireless charging", "qi charging"),
            topic="battery", want="with wireless charging", values=(True, False),
        ),
        shared.weight("g", 3.9, 4.2, 4.8, 5.1, 5.6),
        _device("iphone", "iPhone", "I'm on an iPhone 14", "I only have an iPhone"),
        _device("android", "Android phones", "I have a Samsung, so Android", "mine is a Pixel, Android"),
        _device("switch", "Nintendo Switch", "I play on a Nintendo Switch", "it's for my kid's Nintendo Switch"),
        shared.warranty(12, 18, 24),
    ),
    faqs=(
        Faq(("can I pair two phones", "does it connect to two devices", "two devices at once|can I pair two phones"),
            "Yes, two devices can be paired at once.", "two devices can be paired", ("pair two devices", "two devices at once")),
        Faq(("what ear tip sizes are there", "do they come with different tips", "ear tips sizes|what ear tip sizes are there"),
            "Three sizes of ear tips are in the box: S, M and L.", "three sizes of ear tips", ("three sizes", "3 sizes")),
    ),
    reviews=("Stay in my ears when I run.", "Clear calls, the touch area takes practice.", "Deep bass for the money."),
    unlisted=("does {it} hurt small ears after a long flight", "can I replace the battery in {it} myself",
              "is {it} approved for swimming races", "can I track {it} if I lose one", "does {it} translate languages live"),
    gifts=("a silicone case", "a travel pouch", "extra ear tips"),
    agree=_earbuds,
)  # fmt: skip

POWER_BANK = Category(
    name="power_bank",
    noun="power bank",
    one="a power bank",
    plural="power banks",
    forms=("Reserve", "Torque", "Brick", "Stride", "Volt", "Backup", "Tank", "Feather"),
    colors=("black", "white", "blue"),
    prices=(19, 109),
    attributes=(
        _CAPACITY,
        number(
            "output", "Output", "W", (18, 20, 22.5, 30, 45, 65, 100), "{it} delivers {v}",
            ("how many watts does {it} put out", "how fast does {it} charge, how many W", "what's the output of {it}"),
            ("output", "how many watts"), wins="charges faster", topic="power",
        ),
        number(
            "ports", "Ports", "ports", (2, 3, 4), "{it} has {v}",
            ("how many ports does {it} have", "how many things can I plug into {it}"), ("how many ports",),
            wins="has more ports", topic="power",
        ),
        _device("macbook", "MacBook", "I want to charge my MacBook", "mine would be for a MacBook"),
        _device("iphone", "iPhone", "I'm on an iPhone 15", "it's for my iPhone"),
        _device("steam_deck", "Steam Deck", "I travel with a Steam Deck", "it's mostly for my Steam Deck"),
        flag(
            "carry_on", "Allowed in hand luggage", "{it} is allowed in hand luggage", "{it} is not allowed in hand luggage",
            ("can I take {it} on a plane", "is {it} ok in hand luggage", "can I fly with {it}"), ("ok on a plane", "hand luggage"),
            topic="travel", want="that's allowed in hand luggage",
        ),
        flag(
            "built_in_cable", "Built-in cable", "{it} has a built-in cable", "{it} has no built-in cable",
            ("does {it} have a built-in cable", "is there a cable built into {it}"), ("built in cable",),
            topic="travel", want="with a built-in cable", values=(True, False),
        ),
        _RECHARGE,
        _HEFT,
        shared.warranty(12, 18, 24),
    ),
    faqs=(
        Faq(("can it charge while it is being charged", "pass-through charging|can it charge while it is being charged", "can I charge it and my phone at once"),
            "Yes, pass-through charging works on all ports.", "pass-through charging works", ("pass-through charging",)),
        Faq(("how often should I charge it if I don't use it", "storage charge|how often should I charge it if I don't use it", "do I keep it full"),
            "If it lies unused, charge it every three months.", "every three months"),
    ),
    reviews=("Saved my phone at a festival.", "Gets a little warm, works as it should.", "Fits my jacket pocket."),
    unlisted=("can {it} start a car", "does {it} work in minus 30 degrees", "is {it} made from recycled batteries",
              "can I pour water over {it}", "will {it} charge my e-scooter"),
    gifts=("a braided cable", "a mesh pouch", "a cable clip"),
    agree=_power_bank,
)  # fmt: skip

OFFICE_CHAIR = Category(
    name="office_chair",
    noun="office chair",
    one="an office chair",
    plural="office chairs",
    forms=("Lumbar", "Posture", "Focus", "Uplift", "Desk Mate", "Balance", "Align", "Anchor"),
    colors=("black", "grey", "green"),
    prices=(89, 459),
    attributes=(
        number(
            "max_load", "Maximum load", "kg", (110, 120, 130, 136, 150, 160), "{it} carries up to {v}",
            ("what weight can {it} hold", "what's the max load of {it}", "how many kg does {it} carry"),
            ("max weight", "max load", "how many kg"), wins="carries more", topic="body",
            check=Check("I weigh {n}", "will {it} hold me", yes="Yes, no problem: {clause}.", no="Sorry, no: {clause}."),
        ),
        number(
            "seat_height", "Seat height up to", "cm", (48, 50, 52, 54, 56, 58), "{it} goes up to a seat height of {v}",
            ("how high does the seat of {it} go", "what's the max seat height of {it}"), ("seat height", "how high"),
            wins="goes higher", topic="body",
        ),
        shared.material("mesh", "faux leather", "fabric"),
        choice(
            "armrests", "Armrests", ("fixed", "2D", "3D", "4D"), "{it} has {v} armrests",
            ("what armrests does {it} have", "are the armrests of {it} adjustable, which type"), ("armrests", "which armrests"),
            topic="comfort", want="with {v} armrests",
        ),
        flag(
            "headrest", "Headrest", "{it} has a headrest", "{it} has no headrest",
            ("does {it} have a headrest", "is there a headrest on {it}"), ("headrest",), topic="comfort",
            want="with a headrest", values=(True, False),
        ),
        flag(
            "lumbar_support", "Adjustable lumbar support", "{it} has adjustable lumbar support",
            "{it} has no adjustable lumbar support",
            ("does {it} have lumbar support I can adjust", "is the lumbar support of {it} adjustable"),
            ("lumbar support", "back support"), topic="comfort", want="with adjustable lumbar support",
        ),
        number(
            "recline", "Reclines to", "degrees", (110, 120, 126, 135, 150), "{it} reclines to {v}",
            ("how far does {it} recline", "how many degrees does {it} lean back"), ("recline", "how far back"),
            wins="leans back further", topic="comfort",
        ),
        number(
            "assembly_time", "Assembly", "minutes", (15, 20, 30, 45), "{it} takes {v} to put together",
            ("how long does {it} take to assemble", "is {it} hard to put together, how long"),
            ("assembly time", "how long to build"), wins="is quicker to put together", lower_wins=True, topic="service",
        ),
        shared.weight("kg", 12.5, 14, 16.5, 18, 21),
        shared.warranty(24, 36, 60, 120),
    ),
    faqs=(
        Faq(("are the wheels ok on wood", "will it scratch my wooden floor", "wheels for hard floor|are the wheels ok on wood"),
            "The wheels have a soft rubber ring and are safe on wooden floors.", "safe on wooden floors",
            ("safe on wood", "fine on wooden floors")),
        Faq(("how do I clean the seat", "can I wash the seat", "cleaning the seat|how do I clean the seat"),
            "Wipe the seat with a damp cloth and mild soap.", "damp cloth"),
    ),
    reviews=("My back thanks me.", "Firm at first, then comfortable.", "Sturdy base and silent wheels."),
    unlisted=("does {it} help with sciatica", "is {it} fire tested for care homes", "can two people ship {it} by bike",
              "is {it} vegan certified", "does {it} squeak after a year"),
    gifts=("a floor mat", "a seat cushion", "a set of spare wheels"),
)  # fmt: skip
