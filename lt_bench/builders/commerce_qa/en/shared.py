"""Attributes that several English categories share, each with its own range of values."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.schema import Attribute, Check, choice, flag, number

APP = flag(
    "app_control", "App control over Wi-Fi", "{it} has app control over Wi-Fi", "{it} has no app control",
    ("can I control {it} with my phone", "does {it} have an app", "can I run {it} from an app"),
    ("app control", "phone app", "does it have an app"), topic="controls", want="with app control",
)  # fmt: skip


def warranty(*months: int) -> Attribute:
    """How many months the maker repairs it."""
    return number(
        "warranty", "Warranty", "months", months, "{it} comes with a warranty of {v}",
        ("how long is the warranty on {it}", "what warranty does {it} have",
         "how many months of warranty do I get with {it}"),
        ("warranty", "how long is the warranty", "guarantee"), wins="has the longer warranty", topic="service",
    )  # fmt: skip


def weight(unit: str, *values: float) -> Attribute:
    """How heavy it is, as schema.org's own `weight`."""
    return number(
        "weight", "Weight", unit, values, "{it} weighs {v}",
        ("how heavy is {it}", "how much does {it} weigh", "what's the weight of {it}", "is {it} heavy"),
        ("weight", "how heavy", "heavy"), wins="is lighter", lower_wins=True, topic="body", field="weight",
    )  # fmt: skip


def noise(*values: int) -> Attribute:
    """How loud it runs."""
    return number(
        "noise_level", "Noise level", "dB", values, "{it} runs at {v}",
        ("how loud is {it}", "how noisy is {it}", "what's the noise level of {it}", "how many dB is {it}"),
        ("how loud", "noise level", "how many dB", "noisy"), wins="is quieter", lower_wins=True, topic="comfort",
        check=Check("it has to stay within {n} because of the baby", "is {it} quiet enough", "at_most", yes="Yes, quiet enough: {clause}.", no="No, too loud for that: {clause}."),
    )  # fmt: skip


def room(*values: int) -> Attribute:
    """The floor area it is made for."""
    return number(
        "room_size", "For rooms up to", "m²", values, "{it} is made for rooms up to {v}",
        ("what room size is {it} for", "how big a room can {it} handle", "how many m² does {it} cover"),
        ("for what room size", "room size", "how many m²"), wins="covers a bigger room", topic="power",
        want="for a {v} room", check=Check("my room is {n}", "is {it} enough", yes="Yes, that's enough: {clause}.", no="No, your room is too big: {clause}."),
    )  # fmt: skip


def power(*values: int) -> Attribute:
    """Electric power it draws."""
    return number(
        "power", "Power", "W", values, "{it} draws {v}",
        ("how many watts is {it}", "what's the power of {it}", "how much power does {it} use"),
        ("how many watts", "watts", "power"), wins="is more powerful", topic="power",
    )  # fmt: skip


def battery(label: str, says: str, *hours: float) -> Attribute:
    """How long it runs on one charge."""
    return number(
        "battery_life", label, "hours", hours, says,
        ("how long does the battery of {it} last", "how many hours do I get from {it} on one charge",
         "what's the battery life of {it}"),
        ("battery", "battery life", "how long does the battery last"), wins="lasts longer", topic="battery",
        check=Check("I need at least {n} per charge", "will {it} do", yes="Yes, that will do: {clause}.", no="No, not long enough: {clause}."),
    )  # fmt: skip


def material(*values: str) -> Attribute:
    """What it is made of, as schema.org's own `material`."""
    return choice(
        "material", "Material", values, "{it} is made of {v}",
        ("what is {it} made of", "what material is {it}", "what's the material of {it}"),
        ("material", "what material", "what's it made of"), topic="body", field="material", want="made of {v}",
    )  # fmt: skip


def in_the_box(*values: str) -> Attribute:
    """What the buyer finds in the box."""
    return choice(
        "in_the_box", "In the box", values, "{it} comes with {v}",
        ("what's in the box with {it}", "what comes with {it}", "what do I get in the box with {it}"),
        ("what's in the box", "what's included", "accessories"), topic="service",
    )  # fmt: skip


def made_in(*values: str) -> Attribute:
    """Country of origin."""
    return choice(
        "country_of_origin", "Made in", values, "{it} is made in {v}",
        ("where is {it} made", "which country is {it} from", "where does {it} come from"),
        ("where is it made", "made in", "origin"), topic="service",
    )  # fmt: skip
